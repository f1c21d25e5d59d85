/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef PARSE_H
#define PARSE_H

/** A formula in x, compiled into a program for a stack machine. */
struct formula {
  char ops[128];       // 'n' number, 'x', '+', '-', '*', '/', 's' square root
  double numbers[128]; // operands of 'n'
  int n_ops;
};

/** Compile text. Returns 0, or -1 if it is not a formula. */
int formula_parse(const char *text, struct formula *out);

/** The formula's value at x. */
double formula_eval(const struct formula *formula, double x);

#endif
