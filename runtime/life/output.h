/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the files of a process: one for each object, and the side file. One
 * thread at a time, with all signals blocked. */
#ifndef ARCLINE_RT_OUTPUT_H
#define ARCLINE_RT_OUTPUT_H

#include "objects/objects.h"
#include "threads/threads.h"

/** All zero is a plain dump. */
struct rt_output_mode {
  bool skip_empty;     /* objects in which nothing was counted */
  bool skip_unchanged; /* files that this exit() has written, if no count has
                          changed since */
  bool is_exiting;
  bool is_last;           /* the process ends, or nearly so */
  bool is_final;          /* no code of the program runs after it */
  bool is_retried;        /* after an error, the file is written again later */
  bool is_reset;          /* counts that were written are subtracted */
  uint32_t left_by;       /* a process that is gone: the files are its own, and
                             those that it has written stay; or 0 */
  uint32_t *is_counted;   /* a file lists that one among the processes */
  bool is_resumed;        /* another relative has begun with that one's */
  struct rt_str *written; /* gets names of files, or errors; or NULL */
};

/** Set the object that the side file is named after: the process part's own. A
 * process has several if libraries cannot see the executable's. It is kept.
 * Runs: startup. */
void rt_output_name_side(const struct rt_object *main);
/** Write the counts of the attached objects. Returns 0 or a negative errno.
 * Runs: handler-safe. */
int rt_output_all(const struct rt_output_mode *mode);
/** Write the counts of one object. Runs: handler-safe. */
void rt_output_object(struct rt_object *object,
                      const struct rt_output_mode *mode);
/** Write the counts of an object that a relative has left, which is gone: those
 * of counters, and of view, a copy of the object. Runs: handler-safe. */
void rt_output_left(struct rt_object *view, const struct rt_counters *counters,
                    const struct rt_output_mode *mode);
/** All objects of this relative are written: in pools, add its part to the side
 * file. Runs: handler-safe. */
void rt_output_end_left(const struct rt_output_mode *mode);
/** Is there nothing to write for that object? Runs: handler-safe. */
bool rt_output_is_done(const struct rt_object *object,
                       const struct rt_output_mode *mode);
bool rt_output_are_all_done(const struct rt_output_mode *mode); /* as above */
/** Report that there will be no profile, because of this negative errno. Runs:
 * startup, exit. */
void rt_output_lost(int error);
/** Was anything counted that is in no file? Runs: handler-safe. */
bool rt_output_is_wanted(void);
bool rt_output_has_failed(void);  /* to write a file, and reported it; hook */
uint64_t rt_output_n_dumps(void); /* of all objects, without error; hook */
void rt_output_in_child(void);    /* in fork()'s child */

#endif
