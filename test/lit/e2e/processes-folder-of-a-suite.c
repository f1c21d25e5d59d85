// A folder of profiles is an operand of every command, as a test suite leaves
// it: of several programs and libraries, from many processes, in folders in it
// or in pools. Each line has the sum of all of them; images that were rebuilt
// or moved are found by build-id in the folder of --images=, or named and left
// out.
//
// RUN: mkdir suite
// RUN: %arcline-cc -O1 -g -fPIC -shared -DLIBRARY %s -o libshared.so
// RUN: for i in 1 2 3; do \
// RUN:   %arcline-cc -O1 -g -DWHICH=$i %s libshared.so -Wl,-rpath,$PWD -o p$i \
// RUN:     || exit 1; \
// RUN: done
// RUN: for i in 1 2 3; do for j in 1 2 3 4; do \
// RUN:   ARCLINE_OPTIONS=out=suite/p$i/%%p:hz=0 ./p$i || exit 1; \
// RUN:   ARCLINE_OPTIONS=out=pool/%%m:hz=0 ./p$i || exit 1; \
// RUN: done; done
// RUN: echo log > suite/p1/log; mkfifo suite/fifo; ln -s . suite/again
// RUN: for folder in suite pool; do \
// RUN:   %arcline annotate $folder > lines && FileCheck %s < lines || exit 1; \
// RUN:   %arcline gprof -b -p $folder > flat && FileCheck %s \
// RUN:     --check-prefix=FLAT < flat || exit 1; \
// RUN:   %arcline export --format=lcov -o - --format=json -o $folder.json $folder \
// RUN:     > info && FileCheck %s --check-prefix=LCOV < info || exit 1; \
// RUN: done
// RUN: %arcline report pool | grep '^programs 3 programs and 1 library'
// CHECK: {{^ +24 +[0-9]+\| +}}n_shared++; // all
// CHECK: {{^ +12 +12 +[0-9]+\| +}}own(); // all
// FLAT-DAG: {{ }}24 {{.*}} shared{{$}}
// FLAT-DAG: {{ }}4 {{.*}} own{{$}}
// FLAT-DAG: {{ }}4 {{.*}} own{{$}}
// FLAT-DAG: {{ }}4 {{.*}} own{{$}}
// LCOV: FNDA:24,shared
//
// RUN: mkdir moved && mv p2 moved && %arcline-cc -O1 -g -DWHICH=7 %s libshared.so -o p3
// RUN: %arcline annotate pool > lines 2> messages
// RUN: FileCheck %s --check-prefix=LEFT < messages
// RUN: grep -E ' 4 +[0-9]+[|] .*own\(\); // all' lines
// LEFT-DAG: /p2: No such file or directory; object is skipped, use --images=FOLDER
// LEFT-DAG: /p3: is not the build that ran; profiles of build {{[0-9a-f]+}} are skipped, remove them or find that image by --images=FOLDER
// RUN: ls pool/p3.$(sed -n 's/.*profiles of build \([0-9a-f]*\) .*/\1/p' messages)
// RUN: mkdir moved/old
// RUN: %arcline-cc -O1 -g -DWHICH=3 %s libshared.so -Wl,-rpath,$PWD -o p3
// RUN: mv p3 moved/old && cp p1 moved/other && cp %s moved/p1
// RUN: %arcline annotate --images=moved pool > lines 2> messages
// RUN: count 0 < messages && FileCheck %s < lines
// What a build only tried, and what is gone with its folder, is missed by nobody.
// RUN: mkdir short && cp p1 conftest && cp p1 short
// RUN: for program in conftest short/p1; do \
// RUN:   ARCLINE_OPTIONS=hz=0:out=$PWD/tried/%%e ./$program; done
// RUN: ARCLINE_OPTIONS=hz=0:out=$PWD/tried/%%p ./p1
// RUN: rm -r short conftest && %arcline annotate tried 2> messages > lines
// RUN: count 0 < messages
// Nor is it counted if the build keeps it, as Meson does. Named alone, it has a report.
// RUN: mkdir -p made/meson-private && printf 'int main(void) {\n  return 0;\n}\n' > made/meson-private/sanitycheckc.c
// RUN: %arcline-cc -g made/meson-private/sanitycheckc.c -o made/meson-private/sanitycheckc.exe
// RUN: ARCLINE_OPTIONS=hz=0:out=$PWD/tried/%%e made/meson-private/sanitycheckc.exe
// RUN: %arcline annotate tried 2> messages | diff lines - && count 0 < messages
// RUN: %arcline annotate made/meson-private/sanitycheckc.exe tried/sanitycheckc.exe | grep ' 2|   return 0;'
//
// Profiles without side files do not name images.
// RUN: rm pool/*.arcline && not %arcline annotate pool 2>&1 | FileCheck %s \
// RUN:   --check-prefix=NONE
// NONE: pool: folder contains no side file {{.*}}, or use --images=FOLDER 
// RUN: %arcline annotate --images=. pool > lines && FileCheck %s < lines
void shared(void);

#ifdef LIBRARY
static volatile int n_shared;

void shared(void) {
  n_shared++; // all
}
#else
static volatile int n_own;

__attribute__((noinline)) static void own(void) { n_own += WHICH; }

int main(void) {
  own(); // all
  shared();
  shared();
  return 0;
}
#endif
