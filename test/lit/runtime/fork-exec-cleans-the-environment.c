/* A program executes itself, or another one, in a chosen environment, as
   servers do that upgrade themselves: the next one writes to the same folder,
   wherever it starts, and finds the chosen environment. No file is left in
   /tmp, even by programs that are not instrumented. */
// RUN: %clang -O1 %s -o plain && %arcline-cc -O1 -g1 %s -o prog && mkdir elsewhere
// RUN: ./plain 0 > plain.out
// RUN: env ARCLINE_OPTIONS=out=pool/%%m:log=log ./prog 0 > prog.out
// RUN: cmp plain.out prog.out
// RUN: %arcline export --format=lcov pool > info && grep -x FNDA:7,work info
// RUN: rm -r pool && env ARCLINE_OPTIONS=hz=50:out=$PWD/pool/%%m ./prog 0
// RUN: %arcline export --format=lcov pool > info && grep -x FNDA:7,work info
// RUN: grep -x 'clock seconds 50' pool/*.arcline
//
// A program that is searched for, also where a folder has its name, or open.
// RUN: mkdir elsewhere/plain elsewhere/prog && ./plain a > plain.out
// RUN: env ARCLINE_OPTIONS=out=found/%%m ./prog a > prog.out
// RUN: cmp plain.out prog.out
// RUN: %arcline export --format=lcov found > info && grep -x FNDA:5,work info
//
// What is asked for goes before what was left; nothing was asked for.
// RUN: env ARCLINE_OPTIONS=out=asked/%%m ./prog 5
// RUN: %arcline export --format=lcov other > info && grep -x FNDA:1,work info
// RUN: %arcline export --format=lcov asked > info && grep -x FNDA:1,work info
// RUN: mkdir plainly && cd plainly && ../prog 3 > out && ls | count 3
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

__attribute__((noinline)) static void work(void) { __asm__ volatile(""); }

static void print_environment(const char *when) {
  printf("%s:", when);
  for (char **it = environ; it && *it; it++)
    if (strncmp(*it, "GIVEN", 5) == 0 || strncmp(*it, "ARCLINE", 7) == 0)
      printf(" %s", *it);
  printf("\n");
  fflush(stdout);
}

/* The file with the options. */
static int is_left(pid_t pid) {
  char path[64];

  snprintf(path, sizeof(path), "/tmp/arcline-exec-%d-%d", (int)geteuid(),
           (int)pid);
  return access(path, F_OK) == 0;
}

/* The environment has only the name of the file. */
static void leave_path(const char *file) {
  char path[5000];

  snprintf(path, sizeof(path), ":/nowhere:%.*s",
           (int)(strrchr(file, '/') - file), file);
  clearenv();
  setenv("PATH", path, 1);
}

/* Functions without a path. */
static void execute_found(char step, char *file, char **arguments,
                          char **variables) {
  const char *name = strrchr(file, '/') + 1;

  switch (step) {
  case 'a':
    leave_path(file);
    if (chdir("elsewhere") == 0)
      execvp(name, arguments);
    break;
  case 'b':
    execlp(name, arguments[0], arguments[1], (char *)NULL);
    break;
  case 'c':
    execvpe(name, arguments, variables);
    break;
  case 'd':
    fexecve(open(file, O_RDONLY | O_CLOEXEC), arguments, variables);
    break;
  default:
    exit(0);
  }
}

int main(int argc, char **argv) {
  static char given[] = "GIVEN=1", asked[] = "ARCLINE_OPTIONS=out=other/%m";
  static char *variables[] = {given, NULL}, *with_options[] = {asked, NULL};
  char file[4096], next[2] = {(char)(argv[1][0] + 1), '\0'};
  char *arguments[] = {argv[0], next, NULL};
  pid_t child;
  const ssize_t n = readlink("/proc/self/exe", file, sizeof(file) - 1);

  if (n < 0 || argc != 2 || is_left(getpid()))
    return 1;
  file[n] = '\0';
  work();
  if (argv[1][0] != '0' && argv[1][0] != 'a')
    print_environment(argv[1]);
  switch (argv[1][0]) {
  case '0':
    if (chdir("elsewhere"))
      return 1;
    execve(file, arguments, variables);
    break;
  case '1':
    execle(file, argv[0], next, (char *)NULL, variables);
    break;
  case '2':
    clearenv();
    execv(file, arguments);
    break;
  case '3': // and a child, while the parent continues
    if ((child = fork()) == 0) {
      execve("/bin/true", arguments, variables);
      _exit(127);
    }
    wait(NULL);
    if (is_left(child))
      return 1;
    execve(file, arguments, NULL);
    break;
  case '4':
    if (vfork() == 0) {
      next[0] = '7';
      execve(file, arguments, variables);
      _exit(127);
    }
    wait(NULL);
    next[0] = '6';
    execve(file, arguments, variables);
    break;
  case '5':
    next[0] = '8';
    execve(file, arguments, with_options);
    break;
  default:
    execute_found(argv[1][0], file, arguments, variables);
  }
  return 1;
}
