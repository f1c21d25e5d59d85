// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that is loaded and unloaded all the time, even while threads call
// it. It keeps its account in the program.
#include "stress.h"

STRESS_COUNTED(library_leaf, LIBRARY_LEAF)

extern "C" void library_entry(int n) {
  for (int i = 0; i < n; i++)
    library_leaf(i);
}
