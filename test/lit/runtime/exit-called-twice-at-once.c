/* exit() is called by two threads at the same time while others continue to
   call, by a destructor, and by a handler that interrupts the writing of a
   profile: the status is that of the program, and there is one whole file. No
   other file is left, except if one thread ends the process while the other
   writes a second time. */
// RUN: %arcline-cc -O2 -I%include %s -o %t -lpthread
// RUN: echo 'for i in 1 2 3 4 5 6 7 8 9 10; do rm -f gmon.out*; "$@"' > ten
// RUN: echo '[ $? = 7 ] || exit 1; %arcline dump gmon.out > dump' >> ten
// RUN: echo 'grep -q "^arc" dump || exit 1; done' >> ten
// RUN: for way in destructor handler; do sh ten %t $way || exit 1; done
// RUN: ls -A | not grep tmp
// RUN: sh ten %t threads
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "arcline/arcline.h"

enum { N_THREADS = 16 };

static pthread_barrier_t barrier;
static int is_destructor_wanted;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  if (arg)
    exit(7);
  for (;;)
    leaf();
}

static void handler(int number) {
  (void)number;
  leaf();
  exit(7);
}

__attribute__((destructor)) static void at_end(void) {
  leaf();
  if (is_destructor_wanted--)
    exit(7);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  const struct itimerval soon = {.it_value = {.tv_usec = 2000}};
  pthread_t thread;

  leaf();
  if (!strcmp(how, "threads")) {
    pthread_barrier_init(&barrier, NULL, N_THREADS);
    for (int i = 0; i < N_THREADS; i++)
      pthread_create(&thread, NULL, work, i < 2 ? &barrier : NULL);
    for (;;)
      pause();
  }
  if (!strcmp(how, "destructor")) {
    is_destructor_wanted = 1;
    return 1;
  }
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &soon, NULL);
  for (;;)
    arcline_dump();
}
