// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes.h"

int other(int n) {
  Box<short> box((short)n);
  return twice((short)n) + rank_of('c') + in_both_units(n) + of_each_unit(n) + box.get();
}

int not_called(int n) {
  return never_inline(n);
}
