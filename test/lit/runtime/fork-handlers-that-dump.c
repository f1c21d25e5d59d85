// Handlers of pthread_atfork() may write a profile, even those that run while
// fork() blocks other writers.
//
// RUN: %arcline-cc -O1 -I%include %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=out=%t.gmon %t
// RUN: %arcline gprof -b -p -z %t %t.gmon | FileCheck %s
//
// CHECK-DAG: 5 {{.*}}prepare
// CHECK-DAG: 5 {{.*}}in_parent
#include <arcline/arcline.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_failed;

static void prepare(void) { n_failed += arcline_dump() != 0; }
static void in_parent(void) { n_failed += arcline_dump() != 0; }
static void in_child(void) { n_failed += arcline_dump() != 0; }

// As early as that of the runtime: one of them runs during the other.
__attribute__((constructor(101))) static void register_first(void) {
  pthread_atfork(prepare, in_parent, in_child);
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    int status;
    const pid_t child = fork();
    if (child == 0)
      _exit(n_failed);
    if (waitpid(child, &status, 0) != child || status)
      return 1;
  }
  return n_failed;
}
