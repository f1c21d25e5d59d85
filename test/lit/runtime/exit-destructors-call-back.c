/* The destructor of a library that others need runs after theirs and that of
   the executable, and calls functions of these: their counts are written once
   more. In profiles, in pools, and if the executable is not instrumented. */
// RUN: %arcline-cc -O1 -fPIC -shared -DLAST %s -o liblast.so
// RUN: %arcline-cc -O1 -fPIC -shared -DFIRST %s -o libfirst.so -L. -llast
// RUN: %arcline-cc -O1 %s -o counted -L. -lfirst -llast -Wl,-rpath,$PWD
// RUN: %clang -O1 %s -o plain -L. -lfirst -llast -Wl,-rpath,$PWD
// RUN: ./counted && %arcline export --format=lcov counted | FileCheck %s
// CHECK: FNDA:11,in_executable
// RUN: %arcline export --format=lcov libfirst.so \
// RUN:   | FileCheck %s --check-prefix=FIRST
// FIRST: FNDA:10,in_first
// RUN: rm gmon.out* && ./plain && %arcline export --format=lcov libfirst.so \
// RUN:   | FileCheck %s --check-prefix=FIRST
// RUN: for i in 1 2 3; do env ARCLINE_OPTIONS=out=pool/%%m ./counted; done
// RUN: %arcline export --format=lcov pool | FileCheck %s --check-prefix=POOL
// POOL-DAG: FNDA:33,in_executable
// POOL-DAG: FNDA:30,in_first
void call_at_end(void (*function)(void));
void begin_first(void);

#ifdef LAST
static void (*functions[2])(void);

void call_at_end(void (*function)(void)) {
  functions[functions[0] != 0] = function;
}

__attribute__((destructor)) static void end(void) {
  for (int i = 0; i < 20; i++)
    functions[i % 2]();
}
#elif defined(FIRST)
__attribute__((noinline)) static void in_first(void) { __asm__ volatile(""); }

void begin_first(void) { call_at_end(in_first); }
#else
__attribute__((noinline)) static void in_executable(void) {
  __asm__ volatile("");
}

int main(void) {
  call_at_end(in_executable);
  begin_first();
  in_executable();
  return 0;
}
#endif
