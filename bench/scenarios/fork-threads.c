/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Twenty children are forked while four threads call functions; each makes a
   thousand calls of its own and ends by exit(). */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CHILDREN = 20, N_THREADS = 4, N_CALLS = 1000 };

__attribute__((noinline)) static void busy(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  for (;;)
    busy();
  return arg;
}

static int child(void) {
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  return 3;
}

int main(void) {
  pthread_t thread;
  int n_wrong = 0;

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&thread, NULL, work, NULL);
  for (int i = 0; i < N_CHILDREN; i++) {
    int status;
    const pid_t pid = fork();
    if (pid == 0)
      exit(child());
    waitpid(pid, &status, 0);
    n_wrong += !WIFEXITED(status) || WEXITSTATUS(status) != 3;
  }
  return n_wrong;
}
