/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Embeds files of the source tree in the program at build time: embed.cmake
 * turns them into arrays.
 */
#ifndef ARCLINE_ASSET_H
#define ARCLINE_ASSET_H

#include <stddef.h>

struct asset {
  const char *name;  /* of the file, without its folder */
  const char *bytes; /* a NUL follows */
  size_t n_bytes;
};

/* Each ends with one without a name. */
extern const struct asset html_assets[];        /* that pages load */
extern const struct asset html_template[];      /* the frame of all pages */
extern const struct asset completion_scripts[]; /* "completion.SHELL" */

#endif
