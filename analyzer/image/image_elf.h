/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the private half of struct image, for image.h, whose function
 * image_load_symbols() is in image_symbols.c, and for its part dyn_names.h.
 */
#ifndef ARCLINE_IMAGE_ELF_H
#define ARCLINE_IMAGE_ELF_H

#include "debug/debug_file.h"

#include <stddef.h>
#include <stdint.h>

struct Elf;

struct image_elf {
  int fd;
  struct Elf *elf;
  size_t section_names;    /* index of the section of section names */
  struct debug_file debug; /* opened if the image was stripped */
  struct Elf *mini;        /* from .gnu_debugdata; or NULL */
  uint8_t *mini_bytes;     /* its contents */
  char **made_names;       /* of functions without one: body_names.h */
  size_t n_made_names, max_made_names;
};

#endif
