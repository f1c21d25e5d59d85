/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Loads the flow graphs of a program with their counts: once in a run, for all
 * views.
 */
#ifndef ARCLINE_FLOW_LOAD_H
#define ARCLINE_FLOW_LOAD_H

#include "counts/flow_data.h"

struct err;
struct model;

/**
 * Read the graphs of a program's objects, whose images have their numbers; and
 * compute counts, if those of any object are exact.
 *
 * model  its profiles were read with MEASURE_BLOCKS. Blocks of objects that are
 *        exact are dropped, unless it keeps them: they have no other use.
 *        Borrowed until flow_data_release(), as are the maps of names of its
 *        inputs.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller releases *out.
 * Errors: those of flow_read.h and flow_data_solve().
 */
int flow_load(struct model *model, struct flow_data *out, struct err *err);

#endif
