/* crash=dump and programs that handle fatal signals themselves: sigaction()
   returns their own actions, output and status are those of the plain build,
   and if the signal finally ends the program, it writes a profile. */
// RUN: %clang -O1 %s -o plain
// RUN: %arcline-cc -O1 -g %s -o %t
// RUN: for how in query chain set-default; do \
// RUN:   ./plain $how > expected; \
// RUN:   env ARCLINE_OPTIONS=crash=dump %t $how > got && diff expected got \
// RUN:   || exit 1; done
// RUN: ulimit -c 0; for how in raise-again return-reset once once-raised \
// RUN:     signal queue abort abort-once abort-reset twice; do \
// RUN:   ./plain $how > expected; echo $? >> expected; rm -f gmon.out; \
// RUN:   env ARCLINE_OPTIONS=crash=dump %t $how > got; echo $? >> got; \
// RUN:   diff expected got && %arcline export --format=lcov %t gmon.out \
// RUN:     | grep -x FNDA:9,work || exit 1; \
// RUN: done
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int x) { return x + 1; }

static void print(const char *text) {
  if (write(1, text, strlen(text)) < 0)
    _Exit(9);
}

static void set(int number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

  sigaction(number, &action, NULL);
}

static void raise_again(int number) {
  print("handler\n");
  set(number, SIG_DFL, 0);
  raise(number);
  print("still there\n");
}

static void reset(int number) {
  print("handler\n");
  signal(number, SIG_DFL);
}

static void only_print(int number) {
  (void)number;
  print("handler\n");
}

static void show(int number) {
  struct sigaction old;

  memset(&old, 0x55, sizeof(old));
  sigaction(number, NULL, &old);
  printf("%d: %s %x\n", number,
         old.sa_handler == SIG_DFL      ? "default"
         : old.sa_handler == SIG_IGN    ? "ignored"
         : old.sa_handler == only_print ? "mine"
                                        : "another",
         (unsigned)old.sa_flags);
}

static void query(void) {
  for (int number = 1; number < NSIG; number++)
    if (number != SIGPROF && number != SIGKILL && number != SIGSTOP)
      show(number);
}

/* Like libraries that handle a signal only if it has no handler. */
static void chain(void) {
  printf("%d\n", signal(SIGSEGV, only_print) == SIG_DFL);
  printf("%d\n", signal(SIGSEGV, SIG_IGN) == only_print);
  printf("%d\n", signal(SIGSEGV, SIG_DFL) == SIG_IGN);
  printf("%d\n", signal(SIGSEGV, only_print) == SIG_DFL);
  show(SIGSEGV);
}

static void set_default(void) {
  set(SIGTERM, SIG_DFL, (int)SA_RESTART);
  show(SIGTERM);
  set(SIGTERM, only_print, (int)SA_RESETHAND);
  show(SIGTERM);
  set(SIGHUP, only_print, (int)SA_RESETHAND);
  raise(SIGHUP);
  show(SIGHUP);
}

int main(int argc, char **argv) {
  const char *how = argv[argc - 1];
  volatile int *null = NULL;
  int sum = 0;

  for (int i = 0; i < 9; i++)
    sum = work(sum);
  if (!strcmp(how, "query")) {
    query();
    return 0;
  }
  if (!strcmp(how, "chain")) {
    chain();
    return 0;
  }
  if (!strcmp(how, "set-default")) {
    set_default();
    return 0;
  }
  if (!strcmp(how, "raise-again"))
    set(SIGSEGV, raise_again, 0);
  else if (!strcmp(how, "return-reset"))
    set(SIGSEGV, reset, (int)SA_SIGINFO);
  else if (!strcmp(how, "once"))
    set(SIGSEGV, only_print, (int)SA_RESETHAND);
  else if (!strcmp(how, "signal"))
    signal(SIGSEGV, raise_again);
  else if (!strcmp(how, "once-raised")) {
    set(SIGTERM, only_print, (int)SA_RESETHAND);
    raise(SIGTERM);
    raise(SIGTERM);
  } else if (!strcmp(how, "queue")) {
    set(SIGTERM, reset, 0);
    sigqueue(getpid(), SIGTERM, (union sigval){.sival_int = 1});
    sigqueue(getpid(), SIGTERM, (union sigval){.sival_int = 2});
  } else if (!strcmp(how, "abort")) {
    set(SIGABRT, only_print, 0);
    abort();
  } else if (!strcmp(how, "abort-once")) {
    set(SIGABRT, only_print, (int)SA_RESETHAND);
    abort();
  } else if (!strcmp(how, "abort-reset")) {
    set(SIGABRT, raise_again, 0);
    abort();
  } else if (!strcmp(how, "twice")) {
    set(SIGSEGV, SIG_IGN, 0);
    set(SIGSEGV, SIG_DFL, 0);
  }
  *null = sum;
  return 0;
}
