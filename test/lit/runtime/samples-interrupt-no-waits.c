/* With clock=wall no wait is interrupted: none of the calls that a signal would
   end (with SA_RESTART or without) fails, in any thread, nor in a child of
   fork(). The runtime's thread is invisible: waiting for children does not find
   it, it does not keep the process running nor change its status, and dropped
   rights are dropped by all threads. */
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: %t; test $? = 3
// RUN: env ARCLINE_OPTIONS=clock=wall:hz=1000 %t; test $? = 3
// RUN: env ARCLINE_OPTIONS=clock=wall:hz=1000:stacks=on %t; test $? = 3
// RUN: %arcline-cc -O2 -static %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=clock=wall:hz=1000:stacks=on %t; test $? = 3
#define _GNU_SOURCE
#include <errno.h>
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 60, NS = MS * 1000000 };

static void check(const char *what, long result) {
  if (result == 0)
    return;
  fprintf(stderr, "%s: %ld, errno %d\n", what, result, errno);
  exit(1);
}

static void wait_in_calls(void) {
  struct timespec time = {.tv_nsec = NS};
  struct timeval interval = {.tv_usec = MS * 1000};
  struct epoll_event event;
  sigset_t none;
  char byte;
  int ends[2];

  sigemptyset(&none);
  check("nanosleep", nanosleep(&time, NULL));
  check("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL));
  check("poll", poll(NULL, 0, MS));
  check("ppoll", ppoll(NULL, 0, &time, &none));
  check("select", select(0, NULL, NULL, NULL, &interval));
  check("epoll_wait", epoll_wait(epoll_create1(0), &event, 1, MS));
  check("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  interval.tv_usec = MS * 1000;
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &interval, sizeof(interval));
  check("recv", recv(ends[0], &byte, 1, 0) != -1 || errno != EAGAIN);
}

static void wait_for_semaphore(void) {
  struct timespec until;
  sem_t semaphore;

  sem_init(&semaphore, 0, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += NS;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  check("sem_timedwait",
        sem_timedwait(&semaphore, &until) != -1 || errno != ETIMEDOUT);
}

static void *work(void *unused) {
  wait_in_calls();
  wait_for_semaphore();
  return unused;
}

static void check_children(void) {
  int status;
  const pid_t child = fork();

  if (!child) {
    work(NULL);
    check("no child", waitpid(-1, &status, __WALL) != -1 || errno != ECHILD);
    exit(0);
  }
  check("waitpid", waitpid(child, &status, 0) != child || status);
  check("no child", waitpid(-1, &status, __WALL) != -1 || errno != ECHILD);
}

int main(void) {
  pthread_t threads[3];

  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  work(NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  check_children();
  // The process ends with the last thread that the program has.
  syscall(SYS_exit, 3);
  return 1;
}
