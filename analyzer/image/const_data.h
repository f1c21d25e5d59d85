/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the constant data that the pass leaves in an image (arcline/abi.h), for
 * the solver, and reports errors in it as text.
 */
#ifndef ARCLINE_CONST_DATA_H
#define ARCLINE_CONST_DATA_H

#include <stddef.h>

#include "solve/solve.h"

struct err;
struct image;

/** An image that is open. All zero is an image without constant data. */
struct const_data {
  const char *path;
  const char *stripped; /* a section without contents in the file, or NULL */
  struct solve_image image;
};

/**
 * Find an image's sections. Without contents (as in a file of debug
 * information) they count as absent, except the cells.
 *
 * Returns 0, also if there is no constant data: then there are no records. Or
 * -1 with *err set.
 * Errors: sections of impossible sizes and places; a machine of another byte
 *         order or width than this one's.
 */
int const_data_find(const struct image *image, struct const_data *out,
                    struct err *err);

/** Report data that the solver could not use: 0 if there is none, otherwise -1
 * with *err set. */
int const_data_check(const struct const_data *data, struct solve_damage damage,
                     struct err *err);

/** Memory for the solver. */
void *const_data_alloc(size_t n_bytes, size_t n_used);
void const_data_free(void *memory, size_t n_bytes);

#endif
