/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts that outlive the runtime. In a program that is not instrumented, the
 * runtime comes with a shared library and goes with it; if the library is
 * loaded again, its runtime takes up what the last one counted.
 */
#ifndef ARCLINE_RT_RELOAD_H
#define ARCLINE_RT_RELOAD_H

#include "objects/objects.h"

/** Leave the objects for the next load; all of them have been unloaded. False
 * if that is not possible. Runs: exit. */
bool rt_reload_give(struct rt_object *objects);

/** Returns the objects that were left by a load of `like` in this process, or
 * NULL. Runs: startup. */
struct rt_object *rt_reload_take(const struct rt_object *like);

#endif
