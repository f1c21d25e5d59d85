// Lines after a call that returns twice, in two processes, count for both: a
// child starts from zero, in the middle of a function that its parent entered.
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-cc $level -g %s -o %t && rm -rf pool && \
// RUN:   ARCLINE_OPTIONS=out=pool/%%m:hz=0 %t && \
// RUN:   %arcline annotate pool | FileCheck %s || exit 1; \
// RUN: done
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int n_steps;

static void wait_for_children(void) {
  while (wait(NULL) > 0) // CHECK: {{^ +4 +.*}}[[#@LINE]]|
    n_steps++; // CHECK: {{^ +2 +}}[[#@LINE]]|
}

int main(void) {
  n_steps = 1; // CHECK: {{^ +1 +}}[[#@LINE]]|
  const pid_t first = fork(); // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  n_steps++; // CHECK: {{^ +2 +}}[[#@LINE]]|
  if (!first) // CHECK: {{^ +2 +}}[[#@LINE]]|
    n_steps++; // CHECK: {{^ +1 +}}[[#@LINE]]|
  fork(); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  n_steps++; // CHECK: {{^ +4 +}}[[#@LINE]]|
  if (!first) { // CHECK: {{^ +4 +}}[[#@LINE]]|
    wait(NULL); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
    _exit(0); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  }
  wait_for_children(); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  return 0; // CHECK: {{^ +2 +}}[[#@LINE]]|
}
