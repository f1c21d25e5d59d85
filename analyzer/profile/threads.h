/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the threads of a profile with the time of each, from side files. Time
 * outside of the profile counts, too.
 */
#ifndef ARCLINE_THREADS_H
#define ARCLINE_THREADS_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

/** Threads of one name, if there are more than this, are one row. */
enum { THREADS_MAX_ALONE = 8 };

struct thread_row {
  char *name;         /* NULL: unknown */
  uint64_t id;        /* the kernel's; 0: unknown, or several */
  uint64_t n_threads; /* that are this row */
  double ticks;       /* of the model's unit */
  double waiting;     /* of these, by call stacks: the thread waited */
};

/** All zero is empty. */
struct threads {
  struct thread_row *rows; /* those with most time first */
  size_t n_rows, max_rows;
  double ticks; /* of all */
  double waiting;
};

/**
 * Collect them.
 *
 * model  its profiles were read.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls threads_release(out).
 * Errors: those of side_maps_init().
 */
int threads_load(const struct model *model, struct threads *out,
                 struct err *err);

/** Free; an empty one may be released too. */
void threads_release(struct threads *threads);

#endif
