/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the tests of a suite for `arcline tests`. */
#ifndef ARCLINE_TEST_LIST_H
#define ARCLINE_TEST_LIST_H

#include "contexts/suite.h"

#include <stdbool.h>
#include <stdio.h>

struct err;

/** Print all tests with the functions and lines that each has run. Returns 0,
 * or -1 with *err set (damage, no memory). */
int test_list_print(const struct suite *suite, bool is_json, FILE *out,
                    struct err *err);

/** Print the tests that ran something, one a line. what: as the user named
 * it. */
void test_list_print_hits(const struct suite *suite, const char *what,
                          const struct context_hits *hits, bool is_json,
                          FILE *out);

#endif
