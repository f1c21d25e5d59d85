// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled several times; PART(f) makes the names of each differ.
#include "shared.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define PART(f) PASTE(f, NUMBER)

// Two functions with the same code, which a linker may fold.
__attribute__((noinline)) int PART(alike_a)(int x) { return x ^ 5; }
__attribute__((noinline)) int PART(alike_b)(int x) { return x ^ 5; }

// Never called: a linker may drop it.
int PART(unused)(int x) { return shared(x) + shared_template(x); }

int (*volatile PART(pointer))(int) = shared;

int PART(run)(int n) {
  int sum = 0;

  for (int i = 0; i < n; i++) {
    sum += PART(pointer)(i) + shared_and_inlined(i) + shared_template(i);
    sum += PART(alike_a)(i);
    if (i % 2)
      sum += PART(alike_b)(i);
  }
  return sum;
}
