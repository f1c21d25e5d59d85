/* A program that is not instrumented, like an interpreter, forks, calls
   instrumented libraries, and ends its children by an _exit() that these do not
   see, or by signals. The counts are in the pool, including those of a library
   that only a child uses. */
// RUN: %arcline-cc -O1 -g -fPIC -shared -DONE %s -o libone.so
// RUN: %arcline-cc -O1 -g -fPIC -shared -DTWO %s -o libtwo.so
// RUN: %clang -DHOST %s -o host -ldl
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./host
// RUN: %arcline export --format=lcov pool | FileCheck %s
// CHECK-DAG: FNDA:20,one
// CHECK-DAG: FNDA:60,two
#ifdef ONE
__attribute__((noinline)) static void one(void) { __asm__ volatile(""); }

void run_one(void) { one(); }
#endif
#ifdef TWO
__attribute__((noinline)) static void two(void) { __asm__ volatile(""); }

void run_two(void) { two(); }
#endif
#ifdef HOST
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  void *const libraries[] = {dlopen("./libone.so", RTLD_NOW),
                             dlopen("./libtwo.so", RTLD_NOW)};
  void (*const one)(void) = (void (*)(void))dlsym(libraries[0], "run_one");
  void (*const two)(void) = (void (*)(void))dlsym(libraries[1], "run_two");

  for (int i = 0; i < 10; i++)
    one();
  for (int i = 0; i < 20; i++) {
    const pid_t pid = fork();
    int status;
    if (pid == 0) {
      for (int j = 0; j < 3; j++)
        two();
      if (i % 2)
        one();
      if (i % 4 == 0)
        raise(SIGTERM);
      _exit(i);
    }
    if (waitpid(pid, &status, 0) != pid ||
        (i % 4 ? WEXITSTATUS(status) != i : WTERMSIG(status) != SIGTERM))
      return 1;
  }
  return 0;
}
#endif
