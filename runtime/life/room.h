/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Maps memory for objects, by few system calls. All of it runs: startup. */
#ifndef ARCLINE_RT_ROOM_H
#define ARCLINE_RT_ROOM_H

#include "objects/objects.h"

/** Memory that every process needs, and for the first object. */
void rt_room_for_process(const struct rt_object *first);
/** Memory for this library and for those that begin next; one of them less
 * waits then. */
void rt_room_for_library(const struct rt_object *library, uint32_t *n_waiting);
/** The histogram bins of an object, whose texts are known. */
void rt_room_for_bins(struct rt_object *object);

#endif
