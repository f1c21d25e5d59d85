/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// A file whose base name is also that of another file of the program.
static int helper(int n) { return n * 2; }
int deeper(int n) { return n <= 0 ? helper(n) : deeper(n - 1) + helper(n); }
