/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Makes names of files comparable, by their text alone.
 */
#ifndef ARCLINE_PATH_CLEAN_H
#define ARCLINE_PATH_CLEAN_H

/** Take "//", "/./" and "/x/.." out of a name, in place. An empty one stays. */
void path_clean(char *name);

#endif
