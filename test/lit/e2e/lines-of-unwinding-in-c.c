// __attribute__((cleanup)) in C: with -fexceptions clang runs cleanups while an
// exception passes, too. They have the lines of closing braces, which count
// normal paths only.
// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   for exceptions in -fexceptions -fno-exceptions; do \
// RUN:     %arcline-cc $level $exceptions -g %s -o %t && %t && \
// RUN:     %arcline annotate %t | tee lines | FileCheck %s || exit 1; \
// RUN:     not grep -E '^ +#####' lines || exit 1; \
// RUN:   done; \
// RUN: done
#include <stdio.h>

static int n_released;

static void release(int *held) { n_released += *held; }

#define RELEASED __attribute__((cleanup(release)))

__attribute__((noinline)) static void use(int *held) { *held += 1; }

static int work(int n) {
  RELEASED int outer = 1;
  if (n == 0) // CHECK: {{^ +4 +}}[[#@LINE]]|
    return 1;
  for (int i = 0; i < n; i++) {
    RELEASED int inner = 2;
    use(&inner); // CHECK: {{^ +6 +.*}}[[#@LINE]]|
  }              // CHECK: {{^ +6 +.*}}[[#@LINE]]|
  if (n == 2) {  // CHECK: {{^ +3 +}}[[#@LINE]]|
    RELEASED int inner = 3;
    use(&inner);       // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  } else if (n == 3) { // CHECK: {{ }}[[#@LINE]]|
    RELEASED int inner = 4;
    use(&inner); // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  } else {       // CHECK: {{^ +1 +.*}}[[#@LINE]]|
    use(&outer); // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  }
  return 0;
} // CHECK: {{^ +4 +.*}}[[#@LINE]]|

int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += work(i);
  return sum != 1 || n_released != 3 * 6 + 3 + 1 + 4 + 1 + 4 + 1;
}
