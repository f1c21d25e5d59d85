/* Threads with samples have their names in the side file: those that ended have
   the last one, any byte is escaped, and an empty name is left out. With one
   thread there is none, since the program has that name. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=hz=1000:out=many %t threads
// RUN: grep -c -a '^thread ' many.arcline | grep -x 5
// RUN: grep -a '^thread-name' many.arcline | cut -d' ' -f3 | env LC_ALL=C sort > names
// RUN: printf 'a%%%%20b%%%%0a%%%%25%%%%7f\377\nended\nrunning\nthreads-have-na\n' | cmp - names
// RUN: env ARCLINE_OPTIONS=hz=1000:out=one %t
// RUN: grep -c '^thread ' one.arcline | grep -x 1
// RUN: not grep thread-name one.arcline
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/prctl.h>

#include "burn.h"

BURN

    static pthread_barrier_t barrier;

static void *work(void *name) {
  burn_seconds(0.02);
  prctl(PR_SET_NAME, name);
  return name;
}

static void *keep_running(void *name) {
  work(name);
  pthread_barrier_wait(&barrier);
  for (;;)
    pause();
}

int main(int argc, char **argv) {
  static char *const names[] = {"ended", "a b\n%\x7f\xff", ""};
  pthread_t thread;

  (void)argv;
  prctl(PR_SET_NAME, "threads-have-na");
  burn_seconds(0.02);
  if (argc < 2)
    return 0;
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, NULL, work, names[i]);
    pthread_join(thread, NULL);
  }
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, keep_running, "running");
  pthread_barrier_wait(&barrier);
  return 0;
}
