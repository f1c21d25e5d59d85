/* A program or a child that sets all signals to their defaults, as many do
   before they execute another program, is not ended by a sample, and samples go
   on. A SIGPROF from elsewhere ends it. */
// RUN: for way in -DBY_SIGNAL -DBY_SIGACTION; do \
// RUN:   %arcline-cc -O1 $way %s -o prog && rm -rf pool && \
// RUN:   env ARCLINE_OPTIONS=out=pool/%%m:hz=1000 ./prog || exit 1; \
// RUN:   %arcline export --format=json -o report pool || exit 1; \
// RUN:   %python -c "import json; \
// RUN:     functions = json.load(open('report'))['functions']; \
// RUN:     burn = [f for f in functions if f['name'] == 'burn']; \
// RUN:     assert burn[0]['self']['time'] > 0, functions" || exit 1; \
// RUN: done
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BURN_MS = 60, N_CHILDREN = 4 };

static double cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

__attribute__((noinline)) static void burn(void) {
  const double end = cpu_ms() + BURN_MS;
  while (cpu_ms() < end)
    for (volatile int i = 0; i < 1000; i++)
      ;
}

static void reset_all(void) {
  for (int number = 1; number < 32; number++) {
#ifdef BY_SIGNAL
    signal(number, SIG_DFL);
#else
    const struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
#endif
  }
}

static int status_of_child(int is_killed) {
  const pid_t child = fork();
  int status;
  if (child == 0) {
    reset_all();
    burn();
    if (is_killed)
      kill(getpid(), SIGPROF);
    exit(0);
  }
  return waitpid(child, &status, 0) == child ? status : -1;
}

int main(void) {
  for (int i = 0; i < N_CHILDREN; i++)
    if (status_of_child(0) != 0)
      return 1;
  const int status = status_of_child(1);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGPROF)
    return 2;
  reset_all();
  burn();
  return 0;
}
