/* A program that handles SIGPROF, such as Vim, which ends by its handler, gets
   no signal of the runtime from then on: it would otherwise be one of a hundred
   processes, as many as have a signal while the handler is set. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000:out=pool/%%m %t 2> log
// RUN: not grep -v 'samples are missing' log
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_CHILDREN = 400, MAX_US = 8000 };

static volatile sig_atomic_t n_received;

static void receive(int number) { n_received += number == SIGPROF; }

static void burn(long microseconds) {
  const clock_t end = clock() + microseconds * CLOCKS_PER_SEC / 1000000;

  while (clock() < end)
    ;
}

int main(void) {
  const struct sigaction action = {.sa_handler = receive};
  int n_failed = 0;

  for (int i = 0; i < N_CHILDREN; i++) {
    int status;

    if (fork() == 0) {
      burn((long)i * MAX_US / N_CHILDREN);
      sigaction(SIGPROF, &action, NULL);
      burn(1000);
      _exit(n_received);
    }
    n_failed += wait(&status) < 0 || status != 0;
  }
  if (n_failed)
    fprintf(stderr, "%d of %d children received a signal\n", n_failed,
            N_CHILDREN);
  return n_failed != 0;
}
