/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An instrumented shared library; NAME(f) makes its names unique. */
#include "instrument.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(LIBRARY, f)

PICK_DATA

static NOINLINE void NAME(_leaf)(void) {
  CALLED(NAME(_leaf));
  __asm__ volatile("");
}

void NAME(_entry)(int n) {
  CALLED(NAME(_entry));
  for (int i = 0; i < n; i++) {
    NAME(_leaf)();
    pick(0);
  }
}
