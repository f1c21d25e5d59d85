/* A child loads a library, its child counts in it, and is killed: its parent
   writes the counts. Meanwhile the grandparent has loaded another library, with
   the same position in its list. The two are not confused. */
// RUN: %arcline-cc -O1 -g -fPIC -shared -DNAME=first %s -o libfirst.so
// RUN: %arcline-cc -O1 -g -fPIC -shared -DNAME=child %s -o libchild.so
// RUN: %arcline-cc -O1 -g -fPIC -shared -DNAME=elder %s -o libelder.so
// RUN: %clang -DHOST %s -o host -ldl
// RUN: for end in 0 1; do \
// RUN:   ARCLINE_OPTIONS=out=pool$end/%%m ./host $end && \
// RUN:   %arcline export --format=lcov pool$end > found && \
// RUN:   FileCheck %s < found || exit 1; \
// RUN: done
// RUN: grep FNDA:20,child found
// CHECK-DAG: FNDA:16,first
// CHECK-DAG: FNDA:1,elder
#ifndef HOST
__attribute__((noinline)) void NAME(void) { __asm__ volatile(""); }
#else
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void call(const char *file, const char *name, int n) {
  void *library = dlopen(file, RTLD_NOW);
  void (*function)(void) = (void (*)(void))dlsym(library, name);

  for (int i = 0; i < n; i++)
    function();
}

/* Its child is killed before it, or is left to the grandparent. */
static void run_child(int ends_well) {
  siginfo_t info;

  call("./libchild.so", "child", 10);
  const pid_t pid = fork();
  if (pid == 0) {
    call("./libfirst.so", "first", 5);
    call("./libchild.so", "child", 10);
    raise(SIGKILL);
  }
  call("./libfirst.so", "first", 10);
  waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  if (ends_well)
    exit(0);
  raise(SIGKILL);
}

int main(int argc, char **argv) {
  call("./libfirst.so", "first", 1);
  const pid_t pid = fork();
  if (pid == 0)
    run_child(argc > 1 && argv[1][0] == '1');
  call("./libelder.so", "elder", 1);
  return waitpid(pid, NULL, 0) != pid;
}
#endif
