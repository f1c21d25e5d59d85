// Counts of conditions are exact with threads, fork, exec, pools, merged
// profiles, and after a kill with persist=mmap: each run of the work adds the
// same numbers.
// RUN: %arcline-cc --arcline-mcdc -O2 -g %s -o prog -pthread
// Eight threads.
// RUN: ./prog threads
// RUN: %arcline annotate --conditions prog | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: rm gmon.out*
// One process, then four of its children that add to a pool, then three runs.
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog once
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog children
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog once
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog once
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog once
// RUN: %arcline annotate --conditions pool | FileCheck %s --check-prefixes=CHECK,EIGHT
// Children that are killed leave their counts to the parent. It needs mremap() of
// size 0, which qemu rejects.
// RUN: %if !emulated %{env ARCLINE_OPTIONS=out=abrupt/%%m ./prog abrupt%}
// RUN: %if !emulated %{%arcline annotate --conditions abrupt | FileCheck %s --check-prefixes=CHECK,EIGHT%}
// Profiles that are merged.
// RUN: mkdir one two
// RUN: env ARCLINE_OPTIONS=out=one/gmon.out ./prog threads
// RUN: env ARCLINE_OPTIONS=out=two/gmon.out ./prog threads
// RUN: %arcline merge -o both one/gmon.out two/gmon.out
// RUN: %arcline annotate --conditions prog both | FileCheck %s --check-prefixes=CHECK,SIXTEEN
// RUN: %arcline annotate --conditions one/gmon.out.arcline two/gmon.out.arcline | FileCheck %s --check-prefixes=CHECK,SIXTEEN
// A program that is killed.
// RUN: env ARCLINE_OPTIONS=persist=mmap:out=killed not --crash ./prog kill
// RUN: %arcline recover killed*
// RUN: %arcline annotate --conditions prog killed | FileCheck %s --check-prefixes=CHECK,EIGHT
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;

// CHECK: if ((a || b) && (c || !d)){{$}}
// CHECK-NEXT: {{^ \| }}decision: 4 of 4 conditions covered
// EIGHT-NEXT: {{^ \| }}1 `a': true 48 of 64, false 32 of 64{{$}}
// EIGHT-NEXT: {{^ \| }}2 `b': true 24 of 32, false 32 of 32{{$}}
// EIGHT-NEXT: {{^ \| }}3 `c': true 48 of 48, false 24 of 48{{$}}
// EIGHT-NEXT: {{^ \| }}4 `d': true 24 of 24, false 24 of 24{{$}}
// SIXTEEN-NEXT: {{^ \| }}1 `a': true 96 of 128, false 64 of 128{{$}}
// SIXTEEN-NEXT: {{^ \| }}2 `b': true 48 of 64, false 64 of 64{{$}}
// SIXTEEN-NEXT: {{^ \| }}3 `c': true 96 of 96, false 48 of 96{{$}}
// SIXTEEN-NEXT: {{^ \| }}4 `d': true 48 of 48, false 48 of 48{{$}}
__attribute__((noinline)) static void test(int a, int b, int c, int d) {
  if ((a || b) && (c || !d))
    sink++;
}

static void *work(void *unused) {
  for (int v = 0; v < 16; v++)
    test(v & 1, v >> 1 & 1, v >> 2 & 1, v >> 3 & 1);
  return unused;
}

static void run_threads(void) {
  pthread_t threads[8];

  for (int i = 0; i < 8; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 8; i++)
    pthread_join(threads[i], NULL);
}

static void run_children(int n, int is_abrupt) {
  for (int i = 0; i < n; i++)
    if (fork() == 0) {
      work(NULL);
      if (is_abrupt)
        kill(getpid(), SIGKILL);
      exit(0);
    }
  while (wait(NULL) > 0)
    ;
}

int main(int argc, char **argv) {
  const char *const how = argc > 1 ? argv[1] : "";

  if (strcmp(how, "once") == 0)
    work(NULL);
  else if (strcmp(how, "children") == 0)
    run_children(4, 0);
  else if (strcmp(how, "abrupt") == 0)
    run_children(8, 1);
  else
    run_threads();
  if (strcmp(how, "kill") == 0)
    kill(getpid(), SIGKILL);
  return 0;
}
