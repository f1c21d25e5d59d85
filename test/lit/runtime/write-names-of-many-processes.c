/* No process overwrites another's file if names have pids: children, a daemon
   that forked twice and began a session, eight programs at once. Without pids
   the last one remains, as a whole file. A name's pid is that of the dump.
   Names without a folder are in the folder of the dump, others in the given
   one. In a pid namespace %h distinguishes processes with the same pid. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: env ARCLINE_OPTIONS=out=%%p.gmon %t family && ls *.gmon | count 4
// RUN: echo 'for f in *.gmon; do %arcline gprof -b -p %t $f; done' > show
// RUN: sh show | grep -c ' 5 .* of_parent$' | grep -x 1
// RUN: sh show | grep -c ' 6 .* of_child$' | grep -x 1
// RUN: sh show | grep -c ' 7 .* of_daemon$' | grep -x 1
// RUN: rm *.gmon && env GMON_OUT_PREFIX=some %t family && ls some.* | count 4
// RUN: mkdir eight && (cd eight && for i in 1 2 3 4 5 6 7 8; do \
// RUN:   (%t; ARCLINE_OPTIONS=out=%%p.gmon %t) & done; wait)
// RUN: ls eight/*.gmon | count 8
// RUN: for f in eight/gmon.out eight/*.gmon; do \
// RUN:   %arcline gprof -b -p %t $f | grep ' 5 .* of_parent$' || exit 1; done
// RUN: ls -A eight | not grep tmp$
// RUN: %t chdir && ls there/gmon.out && not ls gmon.out
// RUN: env ARCLINE_OPTIONS=out=$PWD/gmon.abs %t chdir && ls gmon.abs
// RUN: env ARCLINE_OPTIONS=out=new/gmon.rel %t chdir && ls new/gmon.rel
// RUN: %t rename && ls moved/gmon.out
// RUN: %t delete 2>&1 | FileCheck %s
// RUN: %t umask-077 && stat -c %%a gmon.out | grep -x 600 && rm gmon.out
// RUN: %t umask-000 && stat -c %%a gmon.out | grep -x 644
// RUN: rm *.gmon; if unshare -rpf --mount-proc true; then \
// RUN:   env ARCLINE_OPTIONS=out=%%h.%%p.gmon unshare -rpuf --mount-proc \
// RUN:     sh -c 'hostname other; exec %t' && ls other.1.gmon || exit 1; fi
// CHECK: arcline: gmon.out: cannot write: No such file or directory
// CHECK-NOT: arcline
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void of_parent(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void of_child(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void of_daemon(void) { __asm__ volatile(""); }

static void family(void) {
  int done[2];
  char byte;

  if (pipe(done))
    abort();
  if (fork() == 0) {
    for (int i = 0; i < 6; i++)
      of_child();
    exit(0);
  }
  if (fork() == 0) {
    setsid();
    if (fork())
      exit(0);
    for (int i = 0; i < 7; i++)
      of_daemon();
    exit(0); // and only then closes the pipe
  }
  close(done[1]);
  while (wait(NULL) > 0)
    continue;
  if (read(done[0], &byte, 1))
    abort();
}

static void go_to(const char *folder) {
  mkdir(folder, 0777);
  if (chdir(folder))
    abort();
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];

  for (int i = 0; i < 5; i++)
    of_parent();
  if (!strcmp(how, "family")) {
    family();
  } else if (!strcmp(how, "chdir")) {
    go_to("there");
  } else if (!strcmp(how, "rename")) {
    go_to("before");
    if (rename("../before", "../moved"))
      abort();
  } else if (!strcmp(how, "delete")) {
    go_to("gone");
    if (rmdir("../gone"))
      abort();
  } else if (!strcmp(how, "umask-077")) {
    umask(077);
  } else if (!strcmp(how, "umask-000")) {
    umask(0);
  }
  return 0;
}
