// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes, and more.h"

int other(int n) { return clamp(n, 2, 3) + half(2 * n); }
