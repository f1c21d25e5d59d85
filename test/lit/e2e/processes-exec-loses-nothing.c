// Each function of the exec family writes the program's counts before it
// executes another one; a call that fails has no effect. A child of fork() has
// its own counts, which are written if its file name is unique; a child of
// vfork() writes no file.
//
// qemu 7.2 has no execveat(); glibc's fexecve() works without it on older machines.
// RUN: for mode in '-O0' '-O2' %if ld-plugin %{'-O2 -flto'%} '-O2 -static'; do \
// RUN:   %arcline-cc $mode %s -o prog || exit 1; \
// RUN:   for how in execl execle execlp execv execve execvp execvpe failing \
// RUN:       %if emulated && riscv64 %{%} %else %{fexecve%} %if !emulated %{execveat%}; do \
// RUN:     rm -f gmon.out*; ./prog $how > truth || exit 1; \
// RUN:     %check-truth ./prog %s truth gmon.out || { echo $mode $how; exit 1; }; \
// RUN:     test -e gmon.out.arcline || exit 1; \
// RUN:   done; \
// RUN: done
//
// With a file of its own. qemu 7.2 rejects mremap() of size 0, by which the child that is
// killed leaves its counts; to qemu 10, vfork() is fork(), so that child has a file.
// RUN: rm gmon.out*; mkdir own
// RUN: env ARCLINE_OPTIONS=out=own/%%p ./prog forked > truth
// RUN: ls own | grep -c -v arcline | \
// RUN:   grep -x %if qemu-7 %{3%} %else %{%if emulated %{5%} %else %{4%}%}
// RUN: %arcline gprof -b -p prog own/*[0-9] > sum
// RUN: FileCheck %s --check-prefix=SUM -DCALLS=%if qemu-7 %{9%} %else %{12%} < sum
// SUM-DAG: {{ }}[[CALLS]] {{.*}} called{{$}}
// SUM-DAG: {{ }}1 {{.*}} main{{$}}
//
// Without one, and nobody but the parent writes: of children that exec, none.
// RUN: mkdir elsewhere
// RUN: ./prog forked elsewhere > truth && ls elsewhere | count 0
//
// On request it is left alone.
// RUN: rm -f gmon.out*; env ARCLINE_OPTIONS=exec=off ./prog execv > truth
// RUN: not ls gmon.out
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CALLS = 3 };

static volatile int n_called;

enum { LINE = __LINE__ + 1 };
__attribute__((noinline)) static void called(void) { n_called++; }

static void call_it(void) {
  for (int i = 0; i < N_CALLS; i++)
    called();
}

/* Before the program is replaced. */
static void tell(long n) {
  printf("calls called %ld\nline %d %ld\n", n, LINE, n);
  fflush(stdout);
}

static void run(const char *how) {
  char *arguments[] = {"true", NULL};
  char *variables[] = {"A=b", NULL};

  if (!strcmp(how, "execl"))
    execl("/bin/true", "true", (char *)NULL);
  if (!strcmp(how, "execle"))
    execle("/bin/true", "true", (char *)NULL, variables);
  if (!strcmp(how, "execlp"))
    execlp("true", "true", (char *)NULL);
  if (!strcmp(how, "execv"))
    execv("/bin/true", arguments);
  if (!strcmp(how, "execve"))
    execve("/bin/true", arguments, variables);
  if (!strcmp(how, "execvp"))
    execvp("true", arguments);
  if (!strcmp(how, "execvpe"))
    execvpe("true", arguments, variables);
  if (!strcmp(how, "fexecve"))
    fexecve(open("/bin/true", O_RDONLY), arguments, variables);
  if (!strcmp(how, "execveat"))
    execveat(AT_FDCWD, "/bin/true", arguments, variables, 0);
}

/* Neither finds a program. */
static int run_in_vain(void) {
  char *arguments[] = {"no-such-program", NULL};

  execv("no/such/program", arguments);
  if (!execvp("no-such-program", arguments))
    return 1;
  call_it();
  tell(2 * N_CALLS);
  return 0;
}

/* The second one finds no program, and is killed: its parent writes its
   counts. */
static void run_children(const char *folder) {
  for (int i = 0; i < 3; i++) {
    if (fork() == 0) {
      if (folder && chdir(folder))
        _exit(1);
      call_it();
      if (i != 1)
        run("execv");
      execl("/no/such/program", "x", (char *)NULL);
      kill(getpid(), SIGKILL);
    }
    wait(NULL);
  }
  if (vfork() == 0)
    execl("/bin/true", "true", (char *)NULL);
  wait(NULL);
}

int main(int argc, char **argv) {
  call_it();
  if (!strcmp(argv[1], "failing"))
    return run_in_vain();
  if (!strcmp(argv[1], "forked")) {
    run_children(argc > 2 ? argv[2] : NULL);
    return 0;
  }
  tell(N_CALLS);
  run(argv[1]);
  return 1;
}
