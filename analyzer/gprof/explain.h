/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What stands beside reports for readers who see one for the first time. In
 * our own words; `arcline gprof -b` leaves it out.
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

/** Of times that call stacks measured. */
void explain_measured(FILE *out);

#endif
