// --arcline-suite= builds a folder into programs and libraries, to which all of
// their processes add their profiles, wherever they run and whatever their
// environment is; a relative name is relative to the folder of the build. The
// environment overrides it.
//
// RUN: mkdir here there
// RUN: for mode in -O0 -O2 %if ld-plugin %{'-O2 -flto'%} '-O2 -static' '-O2 -ffunction-sections -Wl,--gc-sections'; do \
// RUN:   rm -rf "a 100%% suite"; \
// RUN:   %arcline-cc $mode "--arcline-suite=a 100%% suite/p" %s -o prog || exit 1; \
// RUN:   (cd here; for i in 1 2 3; do env -i ../prog; done; ls | count 0) || exit 1; \
// RUN:   ls 'a 100%% suite/p' | grep -c '^prog[.]' | grep -x 2 || exit 1; \
// RUN:   %arcline gprof -b -p prog 'a 100%% suite/p/'prog.*[0-9a-f] > report; \
// RUN:   grep -E ' 12 .* called$' report || { echo "$mode"; exit 1; }; \
// RUN: done
// RUN: rm -rf 'a 100%% suite'; (cd here; env GMON_OUT_PREFIX=p ../prog; ls | count 1)
// RUN: (cd there; env ARCLINE_OPTIONS=out=p ../prog; ls | count 2)
// RUN: not ls 'a 100%% suite'
//
// A library that knows no folder, and one that does.
// RUN: %arcline-cc -fPIC -shared -DLIBRARY --arcline-suite=p %s -o libx.so
// RUN: %arcline-cc --arcline-suite=p -DUSER %s libx.so -Wl,-rpath,$PWD -o user
// RUN: ./user && ./user && ls p | grep -c -E '^(libx.so|user)[.][0-9a-f]*$' | grep -x 2
// RUN: %arcline gprof -b -p libx.so p/libx.so.* | grep -E ' 8 .* called$'
//
// Its objects have no global symbol for it: tests of libraries reject symbols
// without their prefix.
// RUN: %arcline-cc --arcline-suite=p -DLIBRARY -c %s -o x.o
// RUN: nm -g --defined-only x.o | count 1
//
// Names that cannot be.
// RUN: not %arcline-cc --arcline-suite= -c %s 2>&1 | FileCheck %s
// RUN: not %arcline-cc --arcline-suite=a:b -c %s 2>&1 | FileCheck %s
// RUN: not %arcline-cc --arcline-suite=$(printf '%%4000d' 0) -c %s 2>&1 \
// RUN:   | FileCheck %s
// CHECK: {{^}}arcline-cc: --arcline-suite=: requires a folder name of at most
// CHECK-SAME: 3500 bytes, without a colon{{$}}
enum { N_CALLS = 4 };

void call(void);

#ifndef USER
static volatile int n_called;

__attribute__((noinline)) static void called(void) { n_called++; }

void call(void) {
  for (int i = 0; i < N_CALLS; i++)
    called();
}
#endif

#ifndef LIBRARY
int main(void) {
  call();
  return 0;
}
#endif
