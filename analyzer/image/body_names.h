/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds functions that an image's symbol tables lack because it was stripped:
 * those that the pass instrumented, by their names in the constant data. Part
 * of image_load_symbols().
 */
#ifndef ARCLINE_BODY_NAMES_H
#define ARCLINE_BODY_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct image;
struct symtab;

/**
 * Append the instrumented functions that begin where no symbol of the table
 * does.
 *
 * is_stripped  the table does not have all of the image's functions: append
 *              those of .eh_frame, too. They are named by their addresses, as
 *              are instrumented ones whose names were stripped off.
 * *n_added     number of instrumented ones that were appended.
 *
 * Names live as long as the image is open. Constant data that is damaged or of
 * another version is left out: commands that need it reject the image.
 *
 * Returns 0; or -1 with *err set (no memory).
 */
int body_names_add(const struct image *image, bool is_stripped,
                   struct symtab *table, size_t *n_added, struct err *err);

#endif
