/* A framework's library forks, runs instrumented code and ends the child by its
   own _exit() or _Exit(): the child's counts are in the pool. Counts of a child
   of vfork() that a library ends are not written twice. */
// RUN: %clang -O1 -fPIC -shared -DFRAMEWORK %s -o libframework.so
// RUN: %arcline-cc -O1 -g %s ./libframework.so -o linked
// RUN: %arcline-cc -O1 -g -DOPENED %s -o opened
// RUN: for prog in linked opened; do rm -rf pool && \
// RUN:   ARCLINE_OPTIONS=out=pool/%%m ./$prog && \
// RUN:   %arcline export --format=lcov pool | FileCheck %s || exit 1; done
// CHECK-DAG: FNDA:15,check
// CHECK-DAG: FNDA:1,main
// CHECK-DAG: FNDA:2,test_one
// RUN: env ARCLINE_OPTIONS=out=pool2/%%m:_exit=off ./linked
// RUN: %arcline export --format=lcov pool2 | FileCheck %s --check-prefix=OFF
// OFF: FNDA:5,check
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef FRAMEWORK
static int wait_for(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

int run(void (*test)(void), int is_iso) {
  const pid_t child = fork();
  if (child == 0) {
    test();
    if (is_iso)
      _Exit(0);
    _exit(0);
  }
  if (wait_for(child))
    return 1;
  const pid_t other = vfork();
  if (other == 0)
    _exit(0);
  return wait_for(other);
}
#else
static volatile int n;

__attribute__((noinline)) static void check(void) { n++; }

static void test_one(void) {
  for (int i = 0; i < 5; i++)
    check();
}

typedef int run_test(void (*test)(void), int is_iso);
run_test run;

int main(void) {
#ifdef OPENED
  void *library = dlopen("./libframework.so", RTLD_NOW);
  run_test *run = (run_test *)dlsym(library, "run");
#endif
  for (int i = 0; i < 5; i++)
    check();
  return run(test_one, 0) + run(test_one, 1);
}
#endif
