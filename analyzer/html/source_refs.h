/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Numbers the functions, files and sets of tests that the data of a page of
 * source names, and lists them once.
 */
#ifndef ARCLINE_SOURCE_REFS_H
#define ARCLINE_SOURCE_REFS_H

#include "base/json.h"
#include "base/map64.h"

#include <stddef.h>
#include <stdint.h>

struct err;
struct html_report;

/** A function that a page names. */
struct source_ref {
  uint32_t i_func;  /* of the report's functions, or FUNC_NONE */
  const char *name; /* linkage name of one that is not in the report */
};

/** Empty but for the report, which is borrowed. */
struct source_refs {
  const struct html_report *report;
  struct source_ref *names; /* private, as all others; by number on the page */
  size_t n_names, max_names;
  struct map64 by_func, by_name;
  uint32_t *files; /* of the report, by number on the page */
  size_t n_files, max_files;
  struct map64 by_file;
  uint32_t *sets; /* of tests, by number on the page */
  size_t n_sets, max_sets;
  struct map64 by_set;
};

/* Number a function of the report, one by its linkage name, of several that in
   a file, a file, and a set of tests (report_tests.h). Return 0, or -1 with
   *err set (no memory). */
int source_refs_func(struct source_refs *refs, uint32_t i_func, uint32_t *out,
                     struct err *err);
int source_refs_name(struct source_refs *refs, const char *name,
                     uint32_t i_file, uint32_t *out, struct err *err);
int source_refs_file(struct source_refs *refs, uint32_t i_file, uint32_t *out,
                     struct err *err);
int source_refs_tests(struct source_refs *refs, uint32_t set, uint32_t *out,
                      struct err *err);

/** Write all of them, as members of an object. Returns 0, or -1 with *err set
 * (no memory). */
int source_refs_put(struct source_refs *refs, struct json *json,
                    struct err *err);

/** Free; an empty one may be released too. */
void source_refs_release(struct source_refs *refs);

#endif
