/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Keeps counts longer than the runtime is loaded. In a program that is not
 * instrumented, the runtime is loaded and unloaded with a shared library; if
 * that is loaded again, its runtime continues with the counts of the last
 * one. */
#ifndef ARCLINE_RT_RELOAD_H
#define ARCLINE_RT_RELOAD_H

#include "objects/objects.h"

/** Leave the objects for the next load; all of them have been unloaded. Returns
 * false if that is not possible. Runs: exit. */
bool rt_reload_save(struct rt_object *objects);

/** Unmap the objects, which no load will find. Runs: exit. */
void rt_reload_forget(void);

/** Returns the objects that were left by a load of `like` in this process, or
 * NULL. Runs: startup. */
struct rt_object *rt_reload_restore(const struct rt_object *like);

#endif
