/* Calls that wait are not interrupted by the timers of threads that work: EINTR
   never occurs. (The waiting thread itself uses less CPU time than a period; a
   tick may hit a call that is about to wait.) */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: env ARCLINE_OPTIONS=hz=50 %t
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "instrument.h"

enum { N_ROUNDS = 20 };

static const struct timespec short_time = {.tv_nsec = 2000000};
static volatile int is_done;
static int idle[2]; /* no data ever arrives */

static NOINLINE void leaf(void) { CALLED(leaf); }

static void *burn(void *arg) {
  while (!is_done)
    leaf();
  return arg;
}

static struct timespec soon(void) {
  struct timespec at;

  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += short_time.tv_nsec;
  at.tv_sec += at.tv_nsec / 1000000000;
  at.tv_nsec %= 1000000000;
  return at;
}

static int by_poll(void) {
  struct pollfd fd = {.fd = idle[0], .events = POLLIN};
  return poll(&fd, 1, 2);
}

static int by_select(void) {
  struct timeval left = {.tv_usec = 2000};
  fd_set set;

  FD_ZERO(&set);
  FD_SET(idle[0], &set);
  return select(idle[0] + 1, &set, NULL, NULL, &left);
}

static int by_epoll(void) {
  static int fd = -1;
  struct epoll_event event = {.events = EPOLLIN};

  if (fd < 0) {
    fd = epoll_create1(0);
    epoll_ctl(fd, EPOLL_CTL_ADD, idle[0], &event);
  }
  return epoll_wait(fd, &event, 1, 2);
}

static int by_nanosleep(void) { return nanosleep(&short_time, NULL); }

static int by_semaphore(void) {
  static sem_t semaphore;
  const struct timespec at = soon();

  return sem_timedwait(&semaphore, &at);
}

static int by_futex(void) {
  static int word;
  return (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &short_time,
                      NULL, 0);
}

static int by_receive(void) {
  const struct timeval left = {.tv_usec = 2000};
  char byte;

  setsockopt(idle[0], SOL_SOCKET, SO_RCVTIMEO, &left, sizeof(left));
  return (int)recv(idle[0], &byte, 1, 0);
}

static int by_signal_wait(void) {
  sigset_t set;

  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return sigtimedwait(&set, NULL, &short_time);
}

int main(void) {
  static int (*const waits[])(void) = {by_poll,      by_select,     by_epoll,
                                       by_nanosleep, by_semaphore,  by_futex,
                                       by_receive,   by_signal_wait};
  pthread_t thread;
  int n_interrupted = 0;

  leaf();
  socketpair(AF_UNIX, SOCK_STREAM, 0, idle);
  pthread_create(&thread, NULL, burn, NULL);
  for (int i = 0; i < N_ROUNDS; i++)
    for (size_t j = 0; j < sizeof(waits) / sizeof(*waits); j++) {
      errno = 0;
      if (waits[j]() < 0 && errno == EINTR)
        n_interrupted++;
    }
  is_done = 1;
  pthread_join(thread, NULL);
  printf("%d interrupted\n", n_interrupted);
  return n_interrupted != 0;
}
