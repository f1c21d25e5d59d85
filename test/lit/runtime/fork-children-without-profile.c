/* Children that leave no profile, or whose file another process replaces, are
   recorded, in a pool, in files of their own and in one file for all: their
   number, and the reason if it is known. A child that executes another program,
   that ends after its parent, or that wrote before it was killed, is not a
   loss. */
// RUN: %arcline-cc -O1 -g1 %s -o prog && mkdir one own pool
//
// One name for all: the file that is left is that of one of them.
// RUN: (cd one && env ARCLINE_OPTIONS=verbose=0 ../prog skg_cefxd)
// RUN: %arcline report prog one/gmon.out > report
// RUN: FileCheck %s --check-prefix=ONE < report
// ONE: note     9 of 10 processes left no profile: 1 killed by a signal, 2 killed
// ONE-SAME: linked with arcline-cc, 1 failed to write it, 5 overwritten by
// ONE-SAME: another process (out= with %m adds profiles
// RUN: not %arcline doctor one > found
// RUN: grep '9 of 10 processes left no profile' found
// RUN: rm one/* && (cd one && ../prog xx)
// RUN: not grep '^lost' one/gmon.out.arcline
// RUN: (cd one && ../prog l) | cat
// RUN: grep '^lost processes-arrived 1$' one/gmon.out.arcline
// RUN: %arcline report prog one/gmon.out > report
// RUN: grep '1 of 2 processes left no profile: 1 overwritten' report
//
// A file each, which relatives write, too.
// RUN: env ARCLINE_OPTIONS=out=own/%%p ./prog skg_cefxd
// RUN: %arcline report own > report && grep 'of 11 processes' report
// RUN: not grep 'left no' report
// RUN: rm -r own && export ARCLINE_OPTIONS=out=own/%%p
// RUN: (ulimit -v 4000000 && ./prog skg_cefxd) && unset ARCLINE_OPTIONS
// RUN: %arcline report own > report
// RUN: FileCheck %s --check-prefix=OWN < report
// OWN: of 7 processes
// OWN: note     4 of 11 processes left no profile: 1 killed by a signal, 2 killed
// OWN-SAME: linked with arcline-cc, 1 failed to write it{{$}}
// RUN: rm -r own && env ARCLINE_OPTIONS=out=own/%%p ./prog ll | cat
// RUN: grep -h '^lost' own/*.arcline | sort | uniq -c \
// RUN:   | FileCheck %s --check-prefix=LATE
// LATE: 2 lost processes-arrived 1
// LATE: 1 lost processes-running 2
// RUN: %arcline report own > report && grep 'of 3 processes' report
// RUN: not grep 'left no' report
//
// A pool. Relatives write what is left, where there is memory to share.
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog skg_cefxd
// RUN: %arcline report pool > report && grep ', of 11 processes' report
// RUN: not grep 'left no' report
// RUN: rm -r pool && export ARCLINE_OPTIONS=out=pool/%%m
// RUN: (ulimit -v 4000000 && ./prog skg_cefxd) && unset ARCLINE_OPTIONS
// RUN: %arcline report pool > report
// RUN: FileCheck %s --check-prefix=POOL < report
// POOL: of 7 processes
// POOL: note     4 of 11 processes left no profile: 1 killed by a signal, 2 killed
// POOL-SAME: linked with arcline-cc, 1 failed to write it{{$}}
// RUN: rm -r pool && env ARCLINE_OPTIONS=out=pool/%%m ./prog ll | cat
// RUN: grep -e '^processes 3$' -e '^lost processes-arrived 2$' \
// RUN:   -e '^lost processes-running 2$' pool/*.arcline | count 3
// RUN: %arcline report pool > report && not grep 'left no' report
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }

static void wait_for_end_of(pid_t parent) {
  while (getppid() == parent)
    usleep(1000);
}

static void run_child(char how, pid_t parent) {
  const struct rlimit none = {0, 0};

  work();
  switch (how) {
  case 's': // no process waits for it
  case 'k':
    raise(SIGKILL);
    break;
  case 'g':
    syscall(SYS_exit_group, 0);
    break;
  case '_':
    _exit(0);
  case 'c': // cannot
    execlp("/nonexistent/true", "true", (char *)NULL);
    _exit(0);
  case 'x':
    execlp("true", "true", (char *)NULL);
    break;
  case 'd': // its own child ends like that
    if (fork() == 0)
      _exit(0);
    wait(NULL);
    exit(0);
  case 'f':
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    exit(0);
  case 'l': // late
    wait_for_end_of(parent);
    exit(0);
  default:
    exit(0);
  }
}

static int is_zombie(pid_t child) {
  siginfo_t info;

  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0;
}

int main(int argc, char **argv) {
  const pid_t parent = getpid();
  int begun[2];
  char byte;

  if (pipe(begun))
    return 1;
  for (const char *how = argv[argc - 1]; *how; how++) {
    const pid_t child = fork();
    if (child == 0) {
      if (write(begun[1], "", 1) != 1)
        _Exit(1);
      run_child(*how, parent);
    }
    if (read(begun[0], &byte, 1) != 1)
      return 1;
    if (*how == 's')
      is_zombie(child);
    else if (*how != 'l')
      waitpid(child, NULL, 0);
  }
  work();
  return 0;
}
