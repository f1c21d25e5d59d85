// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a library to functions that another object may replace.
int leaf(int n) { return n + 1; }
__attribute__((noinline)) int middle(int n) { return leaf(n) + leaf(n + 1); }
int top(int n) { return n > 5 ? middle(n) + 1 : 0; }
int last(int n) { return top(n); }
