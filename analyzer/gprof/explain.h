/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints explanations of reports, for first-time readers. The text is our own;
 * `arcline gprof -b` leaves it out.
 */
#ifndef ARCLINE_EXPLAIN_H
#define ARCLINE_EXPLAIN_H

#include <stdio.h>

/** Explain the flat profile, in either form. */
void explain_flat(FILE *out);

/** Explain the call graph. */
void explain_graph(FILE *out);

/** Explain the call graph in the form of BSD. */
void explain_bsd_graph(FILE *out);

/** Explain times that call stacks measured. */
void explain_measured(FILE *out);

#endif
