/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A server of the usual form: a master, and workers that drop their privileges.
   SIGHUP replaces the workers, SIGTERM ends the server.

     serve [USER]     starts it; serve.pids lists the workers
     serve ask N      sends N requests */
#define _GNU_SOURCE
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_WORKERS = 2, QUIT = 0 };

static const struct sockaddr_un address = {.sun_family = AF_UNIX,
                                           .sun_path = "serve.socket"};
static const char *const pids_path = "serve.pids";

static int fail(const char *what) {
  perror(what);
  return 1;
}

static int ask(int number, int n) {
  const int requests = socket(AF_UNIX, SOCK_DGRAM, 0);

  for (int i = 0; i < n; i++)
    if (sendto(requests, &number, sizeof(number), 0,
               (const struct sockaddr *)&address, sizeof(address)) < 0)
      return fail("serve ask");
  close(requests);
  return 0;
}

// --- Workers ---

static int sum_of_divisors(int number) {
  int sum = 0;

  for (int i = 1; i <= number; i++)
    sum += number % i == 0 ? i : 0;
  return sum;
}

static int work(int requests, const char *user) {
  const struct passwd *const known = user ? getpwnam(user) : NULL;
  int number, sum = 0;

  if (user && (!known || setgid(known->pw_gid) || setuid(known->pw_uid)))
    return fail(user);
  while (recv(requests, &number, sizeof(number), 0) > 0 && number != QUIT)
    sum += sum_of_divisors(number);
  return sum < 0;
}

// --- The master ---

struct master {
  int requests;
  const char *user;
  pid_t workers[N_WORKERS]; /* 0: none */
  sigset_t signals;
};

/* Restarts workers that have ended. */
static void start_workers(struct master *master) {
  for (int i = 0; i < N_WORKERS; i++) {
    if (master->workers[i] == 0)
      master->workers[i] = fork();
    if (master->workers[i] == 0) {
      sigprocmask(SIG_UNBLOCK, &master->signals, NULL);
      exit(work(master->requests, master->user));
    }
  }
}

static void note_workers(const struct master *master) {
  FILE *const pids = fopen("serve.new", "w");

  for (int i = 0; pids && i < N_WORKERS; i++)
    fprintf(pids, "%d\n", (int)master->workers[i]);
  if (!pids || fclose(pids) || rename("serve.new", pids_path))
    perror(pids_path);
}

static int reap(struct master *master) {
  int n_left = 0;
  pid_t gone;

  while ((gone = waitpid(-1, NULL, WNOHANG)) > 0)
    for (int i = 0; i < N_WORKERS; i++)
      if (master->workers[i] == gone)
        master->workers[i] = 0;
  for (int i = 0; i < N_WORKERS; i++)
    n_left += master->workers[i] != 0;
  return n_left;
}

static void serve(struct master *master) {
  int number = 0;

  while (number != SIGTERM) {
    start_workers(master);
    note_workers(master);
    sigwait(&master->signals, &number);
    if (number == SIGHUP)
      ask(QUIT, N_WORKERS); // new ones replace them
    reap(master);
  }
  ask(QUIT, N_WORKERS);
  while (reap(master))
    sigwait(&master->signals, &number);
}

int main(int argc, char **argv) {
  struct master master = {.user = argv[1]};

  if (argc > 2 && strcmp(argv[1], "ask") == 0)
    return ask(5040, atoi(argv[2]));
  unlink(address.sun_path);
  master.requests = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (bind(master.requests, (const struct sockaddr *)&address, sizeof(address)))
    return fail(address.sun_path);
  sigemptyset(&master.signals);
  sigaddset(&master.signals, SIGHUP);
  sigaddset(&master.signals, SIGTERM);
  sigaddset(&master.signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &master.signals, NULL);
  serve(&master);
  unlink(address.sun_path);
  return unlink(pids_path);
}
