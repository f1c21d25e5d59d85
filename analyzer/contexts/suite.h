/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Opens a suite's contexts for commands: collects counts that are not in the
 * index yet, and reads the index. */
#ifndef ARCLINE_SUITE_H
#define ARCLINE_SUITE_H

#include "contexts/context_collect.h"
#include "contexts/context_index.h"
#include "contexts/context_query.h"

struct err;

/** All zero is closed. */
struct suite {
  const char *folder;
  struct context_collected collected;
  struct context_index index;
  struct context_hits stale;
  char *path; /* private: of the index */
};

/**
 * Open a suite.
 *
 * options  its folder may be NULL: the project's folder of profiles, or the
 *          working folder. Borrowed.
 *
 * Returns 0; or -1 with *err set and *out closed: no folder with contexts,
 * errors of context_collect() and context_index_read().
 * Owns:   caller calls suite_close(out).
 */
int suite_open(const struct context_collecting *options, struct suite *out,
               struct err *err);

/** Warn of contexts of earlier builds and of those that cannot be read. */
void suite_warn(const struct suite *suite);

void suite_close(struct suite *suite);

#endif
