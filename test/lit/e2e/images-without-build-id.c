// Without build-ids, two programs of one name and two builds of one program are
// distinguished, and so are libraries; every command rejects the profile of an
// older build.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: mkdir one two && %arcline-cc -O1 -g -fPIC -shared -Wl,--build-id=none -DLIBRARY %s -o libpart.so
// RUN: %arcline-cc -O1 -g -Wl,--build-id=none -DTURNS=3 %s -L. -lpart -Wl,-rpath,$PWD -o one/prog
// RUN: %arcline-cc -O1 -g -Wl,--build-id=none -DTURNS=4 -DOTHER %s -L. -lpart -Wl,-rpath,$PWD -o two/prog
// RUN: readelf -n one/prog two/prog libpart.so | not grep 'Build ID'

// Side by side in one pool.
// RUN: ARCLINE_OPTIONS=hz=0:out=$PWD/pool/%m one/prog && ARCLINE_OPTIONS=hz=0:out=$PWD/pool/%m two/prog
// RUN: ls pool/prog.????????????????.arcline | count 2
// RUN: ls pool/libpart.so.???????????????? | count 1
// RUN: %arcline report --top=0 pool | FileCheck %s --check-prefix=POOL
// POOL: programs 2 programs and 1 library
// POOL-DAG: {{^ *}}3 {{ *}}work{{ |$}}
// POOL-DAG: {{^ *}}4 {{ *}}other
// POOL-DAG: {{^ *}}7 {{ *}}part

// The profile of each program is found for it, even if the other one ran later.
// RUN: ARCLINE_OPTIONS=hz=0:out=first one/prog && sleep 0.02 && ARCLINE_OPTIONS=hz=0:out=second two/prog
// RUN: %arcline annotate --function=work one/prog | grep 'work: called 3 times'
// RUN: %arcline annotate --function=other two/prog | grep 'other: called 4 times'

// One line more is another build.
// RUN: mv first gmon.out && mv first.arcline gmon.out.arcline && sed -i 's/ first$/ gmon.out/; s/ first / gmon.out /' gmon.out.arcline
// RUN: %arcline gprof -b -p one/prog gmon.out | grep ' 3 .* work'
// RUN: (echo; cat %s) > later.c && %arcline-cc -O1 -g -Wl,--build-id=none -DTURNS=3 later.c -L. -lpart -Wl,-rpath,$PWD -o one/prog
// RUN: for command in "annotate one/prog gmon.out" "report one/prog gmon.out" "export one/prog gmon.out" "gprof one/prog gmon.out" "diff --fail-under lines=1 --image one/prog gmon.out" "html -o pages one/prog gmon.out"; do echo "$command"; %arcline $command; echo "code $?"; done > all 2>&1 || true
// RUN: grep -c 'build ID .* differs from that of image one/prog' all | grep -x 6
// RUN: grep -c '^code 2' all | grep -x 6

// Stripping does not make it another one.
// RUN: one/prog && strip one/prog && %arcline report one/prog gmon.out | grep 'work'
#ifdef LIBRARY
__attribute__((noinline)) int part(int x) { return x + 2; }
#else
int part(int x);
#ifdef OTHER
#define work other
#endif
__attribute__((noinline)) static int work(int x) { return part(x) * 2; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < TURNS; i++)
    sum += work(i);
  return sum == 0;
}
#endif
