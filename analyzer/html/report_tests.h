/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the tests that ran each function and line of a report, in the index of
 * a suite's contexts. Only objects of the report count, by build-id: what ran
 * in another build is not what the pages show.
 *
 * Many functions have the same tests, so a set of tests is a number. A set is
 * the set before it and one test more, and each exists once.
 */
#ifndef ARCLINE_REPORT_TESTS_H
#define ARCLINE_REPORT_TESTS_H

#include "base/map64.h"
#include "contexts/context_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct flow_data;
struct func_list;
struct json;
struct model;

/** The set without tests. */
enum { TEST_SET_EMPTY };

struct test_set {
  uint32_t before; /* the set without its last test */
  uint32_t test;   /* number of the last test, by name */
};

/** All zero is a report without tests. */
struct report_tests {
  struct context_index index; /* lends names; no names: no tests */
  size_t *n_funcs;            /* that each test ran */
  uint32_t *of_func;          /* sets, by function of the report */
  bool has_lines;             /* some object has them */
  struct test_set *sets;      /* private, as the rest */
  size_t n_sets, max_sets;
  struct map64 next_sets;  /* of a set and a test */
  struct map64 line_slots; /* of file and line */
  uint32_t *of_slot;
  size_t n_slots, max_slots;
};

/**
 * Read the tests.
 *
 * path   of an index; kept. NULL: there are none.
 * model  objects are in the order of the images of flow.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller releases *out.
 * Errors: those of context_index_read(), no memory.
 */
int report_tests_read(const char *path, const struct model *model,
                      struct flow_data *flow, const struct func_list *funcs,
                      struct report_tests *out, struct err *err);

/** Are there tests? */
static inline bool report_tests_exist(const struct report_tests *tests) {
  return tests->index.n_names > 0;
}

/** The set of a line; empty unless lines were recorded. */
uint32_t report_tests_of_line(const struct report_tests *tests, uint32_t i_file,
                              uint32_t line);

/** Write a set: [gap, tests in a row, gap, tests in a row, ...]. Returns 0, or
 * -1 with *err set (no memory). */
int report_tests_put_set(const struct report_tests *tests, uint32_t set,
                         struct json *json, struct err *err);

/** Free; an empty one may be released too. */
void report_tests_release(struct report_tests *tests);

#endif
