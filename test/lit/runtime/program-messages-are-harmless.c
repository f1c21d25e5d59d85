/* If standard error is a pipe without a reader, a full pipe, or a file at its
   size limit, the program ends as usual: with the signals of these errors at
   their default, ignored or handled. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: mkdir gmon.out
// RUN: for signals in default ignored handled; do \
// RUN:   env ARCLINE_OPTIONS=bad=1 %t no-reader $signals && \
// RUN:   env ARCLINE_OPTIONS=bad=1 %t full $signals || exit 1; done
// RUN: rmdir gmon.out && echo old > gmon.out && echo old > gmon.out.arcline
// RUN: for limit in 0 1 512; do for signals in default ignored handled; do \
// RUN:   %t $limit $signals 2>&1 | FileCheck %s && \
// RUN:   echo old | cmp - gmon.out && echo old | cmp - gmon.out.arcline || \
// RUN:   exit 1; done || exit 1; done
// RUN: ls -A | sort | tr '\n' ' ' | grep -x 'gmon.out gmon.out.arcline '
// CHECK: arcline: gmon.out: cannot write: File too large; no profile written
// CHECK-NOT: arcline
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void handler(int number) {
  (void)number;
  _exit(8);
}

static void set_signals(const char *how) {
  static const int numbers[] = {SIGPIPE, SIGXFSZ};

  for (int i = 0; i < 2; i++)
    signal(numbers[i], !strcmp(how, "ignored")   ? SIG_IGN
                       : !strcmp(how, "handled") ? handler
                                                 : SIG_DFL);
}

/* A pipe as standard error. */
static void make_stderr(int is_full, int *end) {
  static char bytes[4096];
  int ends[2];

  if (pipe(ends) || dup2(ends[1], 2) != 2 || close(ends[1]))
    abort();
  *end = ends[0];
  if (!is_full)
    return;
  fcntl(2, F_SETFL, O_NONBLOCK);
  while (write(2, bytes, sizeof(bytes)) > 0)
    continue;
  fcntl(2, F_SETFL, 0);
}

int main(int argc, char **argv) {
  const int is_full = argc > 2 && !strcmp(argv[1], "full");
  int status, end;

  if (argc < 2) {
    // Started again, with the pipe: messages at start and at the end.
    leaf();
    return 0;
  }
  set_signals(argv[2]);
  if (argv[1][0] >= '0' && argv[1][0] <= '9') {
    const rlim_t bytes = (rlim_t)atoi(argv[1]);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes});
    leaf();
    return 0;
  }
  const pid_t pid = fork();
  if (pid == 0) {
    make_stderr(is_full, &end);
    if (!is_full)
      close(end);
    else
      fcntl(end, F_SETFD, 0); // stays open, and is not read
    alarm(10);
    execl(argv[0], argv[0], (char *)NULL);
  }
  waitpid(pid, &status, 0);
  _exit(status != 0);
}
