/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The files of this folder that a report holds, as they are at build time:
 * embed.cmake makes html_assets.c of them.
 */
#ifndef ARCLINE_ASSETS_H
#define ARCLINE_ASSETS_H

#include <stddef.h>

struct asset {
  const char *name;  /* in the folder "assets" of a report */
  const char *bytes; /* a NUL follows */
  size_t n_bytes;
};

/** What pages load; then one without a name. */
extern const struct asset assets[];

/** What pages are put into. */
extern const struct asset asset_page;

#endif
