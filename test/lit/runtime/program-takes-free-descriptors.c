/* A program closes a file and opens another one, which must have the number of
   the first: daemons replace their standard files like that. The thread that
   samples waits with clock=wall opens files of /proc meanwhile. */
// RUN: %arcline-cc -O2 -g1 %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=clock=wall:hz=1000 %t 2>&1 | FileCheck %s
// RUN: %arcline report %t | FileCheck %s --check-prefix=REPORT
// CHECK: descriptors as expected
// REPORT: self s   total s    wait s
// REPORT: replace
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 2 };

static pthread_mutex_t ended = PTHREAD_MUTEX_INITIALIZER;

/* The place of a new wait is read from a file. */
static void *wait_often(void *unused) {
  while (pthread_mutex_trylock(&ended))
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  return unused;
}

__attribute__((noinline)) static bool replace(int fd) {
  close(fd);
  return open("/dev/null", O_RDWR) == fd;
}

int main(void) {
  const time_t end = time(NULL) + SECONDS;
  const int fd = open("/dev/null", O_RDWR);
  pthread_t thread;
  long n = 0, n_wrong = 0;

  pthread_mutex_lock(&ended);
  if (pthread_create(&thread, NULL, wait_often, NULL))
    return 1;
  for (; time(NULL) < end; n++)
    n_wrong += !replace(fd);
  pthread_mutex_unlock(&ended);
  pthread_join(thread, NULL);
  if (n_wrong)
    printf("%ld of %ld descriptors are others\n", n_wrong, n);
  else
    puts("descriptors as expected");
  return n_wrong != 0;
}
