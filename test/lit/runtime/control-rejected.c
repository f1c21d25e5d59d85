/* arcline ctl sends no signal that might do harm, and reports the reason in one
   line. A program that handles SIGPROF itself gets some signals and
   continues. */
// REQUIRES: root
// RUN: %cc -O1 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: bash %S/Inputs/control-rejected.sh %arcline %t > text
// RUN: sed -e 's/[0-9]\{2,\}:/PID:/g' -e 's/process [0-9]*$/process PID/' -e 's/CONT [0-9]*/CONT PID/' \
// RUN:   -e 's/: [^ ]*\/[^ ]* \(is\|has\|filters\)/: PROGRAM \1/' text \
// RUN:   | diff %S/Inputs/control-rejected.txt -
// RUN: not %arcline ctl 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not %arcline ctl 1x dump 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %arcline ctl 1 halt 2>&1 | FileCheck %s --check-prefix=HALT
// RUN: not %arcline ctl --reset 1 stop 2>&1 | FileCheck %s --check-prefix=RESET
// USAGE: arcline: no process or command given; usage: arcline ctl [OPTION]... PID COMMAND
// NUMBER: arcline: 1x: not a process ID
// HALT: arcline: halt: unknown command; use dump, reset, start, stop or status
// RESET: arcline: --reset: valid with the command dump only
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrument.h"

PICK_DATA

static void *tell_thread(void *arg) {
  printf("%ld\n", (long)syscall(SYS_gettid));
  fflush(stdout);
  pause();
  return arg;
}

static void handler(int number) { (void)number; }

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  struct sock_filter allow = {.code = BPF_RET | BPF_K, .k = SECCOMP_RET_ALLOW};
  const struct sock_fprog filter = {.len = 1, .filter = &allow};
  pthread_t thread;
  sigset_t set;

  pick(1);
  sigemptyset(&set);
  sigaddset(&set, SIGPROF);
  if (!strcmp(how, "thread"))
    pthread_create(&thread, NULL, tell_thread, NULL);
  else if (!strcmp(how, "blocked"))
    sigprocmask(SIG_BLOCK, &set, NULL);
  else if (!strcmp(how, "default"))
    signal(SIGPROF, SIG_DFL);
  else if (!strcmp(how, "taken"))
    signal(SIGPROF, handler);
  else if (!strcmp(how, "sandbox")) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  } else if (!strcmp(how, "fork-off") && fork() != 0) {
    return 0;
  }
  if (strcmp(how, "thread")) {
    printf("%d\n", (int)getpid());
    fflush(stdout);
  }
  for (;;)
    pause();
}
