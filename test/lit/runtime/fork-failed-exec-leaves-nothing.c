/* A program that cannot be executed has not received the options that were left
   for it in /tmp: the process removes them when it ends, or executes another
   one. */
// RUN: printf 'ARCLINE_OPTIONS\0' > broken && chmod +x broken
// RUN: for options in '-O0' '-O2' '-O2 -static'; do \
// RUN:   %arcline-cc $options %s -o prog || exit 1; \
// RUN:   env ARCLINE_OPTIONS=out=pool/%%m ./prog || exit 1; \
// RUN: done
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char asked[] = "ARCLINE_OPTIONS=out=pool/%m";
static char *const none[] = {NULL}, *const options[] = {asked, NULL};
static char name[] = "./broken";
static char *const arguments[] = {name, NULL};

static int is_left(pid_t pid) {
  char path[64];

  snprintf(path, sizeof(path), "/tmp/arcline-exec-%d-%d", (int)geteuid(),
           (int)pid);
  return access(path, F_OK) == 0;
}

static void check(const char *what, pid_t child) {
  int status;

  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 0 || is_left(child)) {
    fprintf(stderr, "%s: status %d, left: %d\n", what, status, is_left(child));
    exit(1);
  }
}

/* The options were there; else the test shows nothing. */
static int fail(void) {
  execve(name, arguments, none);
  return !is_left(getpid());
}

int main(void) {
  pid_t child = fork();

  if (!child)
    _exit(fail());
  check("_exit", child);
  child = fork();
  if (!child)
    exit(fail());
  check("exit", child);
  child = fork();
  if (!child) {
    fail();
    execve("/bin/true", arguments, options);
    _exit(1);
  }
  check("exec", child);
  child = vfork();
  if (!child) {
    execve(name, arguments, none);
    _exit(0);
  }
  check("vfork", child);
  return fail();
}
