/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the machine code of an image: its executable sections, in order.
 */
#ifndef ARCLINE_CODE_H
#define ARCLINE_CODE_H

#include "image/image.h"

#include <stddef.h>

struct err;

/** All zero is empty. */
struct image_code {
  /* By address, none overlapping, each with contents; together no more than
     the file is long. */
  struct image_section *sections;
  size_t n_sections;
};

/**
 * Collect the sections.
 *
 * If sections overlap, the first one is kept. A file without code is an empty
 * result.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 */
int image_code_load(const struct image *image, struct image_code *out,
                    struct err *err);

/** The section that an address is in, or NULL. O(log n). */
const struct image_section *image_code_find(const struct image_code *code,
                                            uint64_t vaddr);

/** Does the section contain the linker's stubs to functions of other
 * objects? */
bool image_code_is_stubs(const struct image_section *section);

/** Free; an empty one may be released too. */
void image_code_release(struct image_code *code);

#endif
