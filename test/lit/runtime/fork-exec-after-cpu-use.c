/* A program that has used CPU time executes another one, or starts another one,
   with SIGPROF unblocked, or blocked and pending: the other program runs, and
   inherits neither timer nor handler. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: %clang -O2 %s -o other
// RUN: for way in execv execvpe spawn; do for mask in open blocked; do \
// RUN:   env ARCLINE_OPTIONS=hz=10000 PATH=. %t $way $mask > said || exit 1; \
// RUN:   FileCheck %s < said || exit 1; done; done
// RUN: FileCheck %s --check-prefix=SPAWN < said
// RUN: ls gmon.out
// CHECK: {{^}}new program: 0 timers, SIGPROF default
// SPAWN: new program
// SPAWN-NEXT: {{^}}calls burn
#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

__attribute__((noinline)) static void burn(void) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 10;

  while (clock() < end)
    for (int i = 0; i < 1000; i++)
      leaf();
}

/* The work of the new program, which has no handler of its own. */
static int look_and_burn(void) {
  struct sigaction action;
  FILE *timers = fopen("/proc/self/timers", "r");
  int n_lines = 0;

  for (int c; timers && (c = getc(timers)) != EOF;)
    n_lines += c == '\n';
  sigaction(SIGPROF, NULL, &action);
  printf("new program: %d timers, SIGPROF %s\n", n_lines,
         action.sa_handler == SIG_DFL ? "default" : "taken");
  burn();
  return 0;
}

int main(int argc, char **argv) {
  char *const arguments[] = {"./other", NULL};
  sigset_t set;
  pid_t pid;
  int status = 1;

  if (argc < 3)
    return look_and_burn();
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  burn();
  if (!strcmp(argv[2], "blocked")) {
    sigprocmask(SIG_BLOCK, &set, NULL);
    burn(); // and SIGPROF is pending
  }
  if (!strcmp(argv[1], "execv"))
    execv("./other", arguments);
  if (!strcmp(argv[1], "execvpe"))
    execvpe("other", arguments, environ);
  if (posix_spawn(&pid, "./other", NULL, NULL, arguments, environ))
    return 1;
  waitpid(pid, &status, 0);
  printf("calls burn %d\n", 1 + !strcmp(argv[2], "blocked"));
  return status != 0;
}
