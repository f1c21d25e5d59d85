/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The private half of struct image, for image.h, whose function
 * image_load_symbols() is in image_symbols.c, and for its part dyn_names.h.
 */
#ifndef ARCLINE_IMAGE_ELF_H
#define ARCLINE_IMAGE_ELF_H

#include <stddef.h>

struct Elf;

struct image_elf {
  int fd;
  struct Elf *elf;
  size_t section_names; /* index of the section that holds section names */
};

#endif
