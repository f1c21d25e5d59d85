/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Collects data of the runs of a program, other than measurements: time of the
 * run, number of processes and threads, their CPU time, and losses.
 */
#ifndef ARCLINE_RUNS_H
#define ARCLINE_RUNS_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct err;
struct model;

/** A word of `lost' records (FORMAT.md, part 5) and the sum of them. */
struct runs_loss {
  char *what;
  uint64_t count;
};

/** All zero is empty. */
struct runs {
  size_t n_profiles;
  time_t last_written; /* of the newest profile; 0: unknown */
  /* From side files; 0 or empty without any. */
  uint64_t n_processes;
  uint64_t pid;       /* of the only process; 0: unknown */
  uint64_t n_threads; /* that have samples */
  uint64_t user_us, system_us;
  uint64_t n_late_threads; /* threads that began unannounced */
  struct runs_loss *losses;
  size_t n_losses;
};

/**
 * Collect the data.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls runs_release(out).
 * Errors: a side file that is damaged; no memory.
 */
int runs_load(const struct model *model, struct runs *out, struct err *err);

/** Count of a kind of loss; 0: none. */
uint64_t runs_lost(const struct runs *runs, const char *what);

/** Free; an empty one may be released too. */
void runs_release(struct runs *runs);

#endif
