/* Children that come one after the other count in the same memory, whatever way
   each of them ends: the next one begins with zeros, and the sums are exact. */
// RUN: %arcline-cc -O1 -g -I%include %s -o prog
// RUN: env ARCLINE_OPTIONS=out=pool/%%m:hz=0 ./prog > expected
// RUN: %arcline export --format=lcov pool > lcov
// RUN: for f in direct pointed other; do \
// RUN:   grep -x "FNDA:.*,$f" lcov || exit 1; done > actual
// RUN: cmp expected actual
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

typedef int function(int x);

enum end { EXIT, QUICK, KILLED, DUMPED, RESET, EXECUTES, PARENT, N_ENDS };

enum { N_CHILDREN = 12 * N_ENDS };

static volatile int sum;

__attribute__((noinline)) static int direct(int x) { return x + 1; }
__attribute__((noinline)) static int pointed(int x) { return x + 2; }
__attribute__((noinline)) static int other(int x) { return x + 3; }

static function *volatile callee;

/* Adds what it calls to the expected counts. */
static void count(int n, function *function, int counts[3]) {
  for (int i = 0; i < n; i++)
    sum += direct(i);
  callee = function;
  for (int i = 0; i < 2 * n; i++)
    sum += callee(i);
  counts[0] += n;
  counts[function == pointed ? 1 : 2] += 2 * n;
}

/* Returns in the parent alone. Both add up the same. */
static void make_child(int i, int counts[3]) {
  function *const first = i % 2 ? pointed : other;
  function *const second = i % 3 ? pointed : other;
  const enum end end = i % N_ENDS;
  int lost[3] = {0};
  const pid_t pid = fork();
  const int is_child = pid == 0;

  if (is_child && end == RESET) {
    count(3, second, lost);
    arcline_reset();
  }
  if (is_child)
    count(1 + i, first, lost);
  counts[0] += 1 + i;
  counts[first == pointed ? 1 : 2] += 2 * (1 + i);
  if (end == DUMPED) {
    if (is_child && arcline_dump())
      abort();
    if (is_child)
      count(2, second, lost);
    counts[0] += 2;
    counts[second == pointed ? 1 : 2] += 4;
  }
  if (end == PARENT) { // a child of its own, in a slot of its own
    if (is_child && fork() == 0) {
      count(5, second, lost);
      exit(0);
    }
    if (is_child)
      wait(NULL);
    counts[0] += 5;
    counts[second == pointed ? 1 : 2] += 10;
  }
  if (!is_child) {
    if (pid < 0 || waitpid(pid, NULL, 0) != pid)
      abort();
    return;
  }
  if (end == QUICK)
    _exit(0);
  if (end == KILLED || end == DUMPED)
    raise(SIGKILL);
  if (end == EXECUTES)
    execlp("true", "true", (char *)NULL);
  exit(0);
}

int main(void) {
  int counts[3] = {0};

  for (int i = 0; i < N_CHILDREN; i++)
    make_child(i, counts);
  printf("FNDA:%d,direct\nFNDA:%d,pointed\nFNDA:%d,other\n", counts[0],
         counts[1], counts[2]);
  return 0;
}
