/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** The files of a process: one for each object, and the side file. Who calls
 * lets one thread write at a time and has blocked all signals. */
#ifndef ARCLINE_RT_OUTPUT_H
#define ARCLINE_RT_OUTPUT_H

#include "objects/objects.h"
#include "threads/threads.h"

/** All zero is a plain dump. */
struct rt_output_way {
  bool only_counted; /* objects in which anything was counted */
  bool only_moved;   /* not what this exit() has written, unless it has moved */
  bool is_exiting;
  bool is_last;           /* the process ends, or nearly so */
  bool is_retried;        /* what cannot be written now is tried again later */
  bool is_reset;          /* what is written counts no more afterwards */
  uint32_t left_by;       /* a process that is gone: the files are its own, and
                             those that it has written stay; or 0 */
  bool is_resumed;        /* another relative has begun with that one's */
  struct rt_str *written; /* gets names of files, or what is wrong; or NULL */
};

/** The object after which the side file is named: the process part's own, of
 * which a process has several where libraries cannot see the executable's.
 * Kept. Runs: startup. */
void rt_output_name_side(const struct rt_object *main);
/** Write what the attached objects have counted. Returns 0 or a negative errno.
 * Runs: handler-safe. */
int rt_output_all(const struct rt_output_way *way);
/** The same for one object. Runs: handler-safe. */
void rt_output_object(struct rt_object *object,
                      const struct rt_output_way *way);
/** Write what a relative that is gone has counted of an object: what counters
 * have, and as view, a copy of the object, has it. Runs: handler-safe. */
void rt_output_left(struct rt_object *object, struct rt_object *view,
                    const struct rt_counters *counters,
                    const struct rt_output_way *way);
/** That was all of this relative's. Runs: handler-safe. */
void rt_output_end_left(const struct rt_output_way *way);
/** Whether there would be nothing to do for that object. Runs: handler-safe. */
bool rt_output_is_done(const struct rt_object *object,
                       const struct rt_output_way *way);
/** Say that there is no memory for a profile. Runs: startup. */
void rt_output_lost(void);
/** Whether anything was counted that is in no file. Runs: handler-safe. */
bool rt_output_is_wanted(void);
bool rt_output_has_failed(void);  /* to write a file, and said so; hook */
uint64_t rt_output_n_dumps(void); /* of all objects, without error; hook */
void rt_output_in_child(void);    /* in fork()'s child */

#endif
