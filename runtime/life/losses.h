/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reports counts and samples that are missing. */
#ifndef ARCLINE_RT_LOSSES_H
#define ARCLINE_RT_LOSSES_H

#include "objects/objects.h"

/** Report losses of an object that ends, in one line each; those of all threads
 * with the main object. Runs: exit. */
void rt_report_losses(const struct rt_object *object, bool is_main);

#endif
