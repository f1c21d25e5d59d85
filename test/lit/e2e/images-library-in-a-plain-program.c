// Every command finds the profile that `arcline report` finds: that of a library which a program
// without counters uses, by any of its names or by none; and the newest one.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-cc -O1 -g -DLIBRARY -shared -fPIC -Wl,-soname,libpart.so.2 %s -o libpart.so.2.1
// RUN: ln -s libpart.so.2.1 libpart.so.2 && ln -s libpart.so.2 libpart.so
// RUN: %clang -O1 %s -L. -lpart -Wl,-rpath,$PWD -o host && ./host && not ls gmon.out
// RUN: ls gmon.out.libpart.so*

// RUN: echo 'set -e; for image in libpart.so.2.1 libpart.so.2 libpart.so "$PWD/libpart.so" ""; do' > commands.sh
// RUN: echo '%arcline report $image; %arcline annotate --function=part $image; %arcline export $image; %arcline export --format=json $image' >> commands.sh
// RUN: echo '%arcline diff --fail-under lines=100 --fail-on "calls(part) > $1" $image; test -z "$image" || %arcline gprof -b $image; done' >> commands.sh
// RUN: sh commands.sh 6 > out 2> err && FileCheck %s < out
// CHECK: part: called 6 times
// CHECK: {{^}}FNDA:6,part
// CHECK: passed calls(part) > 6: part 6
// CHECK: 6 {{.*}} part
// RUN: not sh commands.sh 5

// All of them use a newer run under another name.
// RUN: sleep 0.02; ARCLINE_OPTIONS=hz=0:out=later ./host 1
// RUN: not sh commands.sh 7 > out && FileCheck %s --check-prefix=LATER < out
// LATER: part: called 8 times
// LATER: {{^}}FNDA:8,part
// LATER: failed calls(part) > 7: part 8
// RUN: sh commands.sh 8 | grep -c "^FNDA:8,part" | grep -x 5

// RUN: rm gmon.out* later* && not %arcline annotate libpart.so 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: arcline: libpart.so: no profile of this image in this folder (gmon.out, or {{.*}} arcline annotate libpart.so PROFILE
// RUN: not %arcline export 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: arcline: no profile in this folder
// RUN: not %arcline gprof libpart.so 2>&1 | FileCheck %s --check-prefix=GPROF
// GPROF: arcline: gmon.out: cannot open: No such file or directory
int part(int x);
#ifdef LIBRARY
__attribute__((noinline)) int part(int x) { return 2 * x + 1; }
#else
int main(int argc, char **argv) {
  int sum = 0;
  (void)argv;
  for (int i = 0; i < (argc > 1 ? 8 : 6); i++)
    sum += part(i);
  return sum == 0;
}
#endif
