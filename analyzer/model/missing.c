/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/missing.h"

#include "model/runs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "processes-"

static const struct {
  const char *what, *reason; // after a number
} kinds[] = {
    {PREFIX "killed", "killed by a signal"},
    {PREFIX "gone",
     "killed by a signal, or ended in a program or code that was not linked "
     "with arcline-cc"},
    {PREFIX "denied", "without permission to write it"},
    {PREFIX "failed", "failed to write it"},
    {PREFIX "replaced",
     "overwritten by another process (out= with %m adds profiles up)"},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

bool missing_is_kind(const char *what) {
  return strncmp(what, PREFIX, sizeof(PREFIX) - 1) == 0;
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t *n,
                                                      const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(text + *n, MISSING_BYTES - *n, format, values);
  va_end(values);
  if (length > 0)
    *n += (size_t)length < MISSING_BYTES - *n ? (size_t)length
                                              : MISSING_BYTES - 1 - *n;
}

size_t missing_describe(const struct runs *runs, char text[MISSING_BYTES]) {
  const uint64_t n_running = runs_lost(runs, PREFIX "running");
  const uint64_t n_arrived = runs_lost(runs, PREFIX "arrived");
  const uint64_t n_awaited = n_running > n_arrived ? n_running - n_arrived : 0;
  uint64_t n_missing = n_awaited;
  const char *before = ": ";
  size_t n = 0;

  for (size_t i = 0; i < N_KINDS; i++)
    n_missing += runs_lost(runs, kinds[i].what);
  if (n_missing == 0)
    return 0;
  const uint64_t n_all = runs->n_processes + n_missing;
  add(text, &n, "%" PRIu64 " of %" PRIu64 " processes left no profile",
      n_missing, n_all);
  for (size_t i = 0; i < N_KINDS; i++) {
    const uint64_t n_kind = runs_lost(runs, kinds[i].what);
    if (n_kind == 0)
      continue;
    add(text, &n, "%s%" PRIu64 " %s", before, n_kind, kinds[i].reason);
    before = ", ";
  }
  if (n_awaited > 0)
    add(text, &n, "%s%" PRIu64 " still running when the parent ended", before,
        n_awaited);
  return n_missing;
}
