/* With ARCLINE_CONTEXT, the pools of all contexts are in a folder of their own,
   and each context has its cells in a folder below that. A child, and a program
   that is executed in an environment without the variable, are in the same
   context. Reports add up all processes, once. A name of any bytes is the name
   of a folder; one that is too long is the context of no process. */
// RUN: %arcline-cc -O2 -g --arcline-suite=suite %s -o prog
// RUN: ./prog && env ARCLINE_CONTEXT= ./prog
// RUN: env ARCLINE_CONTEXT=a/b ./prog fork
// RUN: env ARCLINE_CONTEXT=two ./prog exec
// RUN: env ARCLINE_CONTEXT=..: ./prog
// RUN: (cd suite && find . -type f) | sed 's/[0-9a-f]\{16\}/ID/' | sort \
// RUN:   > files
// RUN: printf '%%s\n' ./arcline.contexts/%%2E.%%3A/prog.ID \
// RUN:   ./arcline.contexts/a%%2Fb/prog.ID ./arcline.contexts/prog.ID \
// RUN:   ./arcline.contexts/prog.ID.arcline ./arcline.contexts/two/prog.ID \
// RUN:   ./prog.ID ./prog.ID.arcline > expected
// RUN: diff expected files
//
// Two calls without a context, one of a/b, two of two, one of the last.
// RUN: %arcline annotate suite | grep -E ' 6 +[0-9]+[|] int main'
// RUN: %arcline annotate prog suite/arcline.contexts/a%%2Fb \
// RUN:   | grep -E ' 1 +[0-9]+[|] .*wait'
// RUN: %arcline dump suite/arcline.contexts/two/prog.* | not grep 'arc '
//
// RUN: env ARCLINE_CONTEXT=$(printf %%0300d 7) ./prog
// RUN: ls suite/arcline.contexts/$(printf %%0197d 0)*/*7/prog.*
// RUN: env ARCLINE_CONTEXT=$(printf %%010000d 7) ./prog 2> err
// RUN: count 0 < err
// RUN: grep -Fx 'prog: ARCLINE_CONTEXT: too long, ignored' suite/arcline.log
//
// RUN: env ARCLINE_CONTEXT=x ARCLINE_OPTIONS=out=gmon.out ./prog 2> err
// RUN: grep -Fx 'arcline: ARCLINE_CONTEXT: ignored, since out= has no %%m' err
// RUN: ls gmon.out && not ls arcline.contexts
//
// A folder that the process cannot create: its counts have no context.
// RUN: rm -r suite && mkdir suite && touch suite/arcline.contexts
// RUN: env ARCLINE_CONTEXT=x ./prog 2> err
// RUN: grep 'cannot write.*; the process has no context' suite/arcline.log
// RUN: %arcline annotate suite | grep -E ' 1 +[0-9]+[|] int main'
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char *const arguments[] = {argv[0], NULL}, *const empty[] = {NULL};

  if (argc < 2)
    return 0;
  if (strcmp(argv[1], "exec") == 0)
    return execve(argv[0], arguments, empty);
  const pid_t child = fork();
  if (child)
    return waitpid(child, NULL, 0) != child;
  return 0;
}
