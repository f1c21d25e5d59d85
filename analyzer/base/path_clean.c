/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/path_clean.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void path_clean(char *name) {
  if (!name[0]) // there is no room for "."
    return;
  const bool is_absolute = name[0] == '/';
  const char *from = name;
  char *to = name;
  // Parts that ".." may still take back; a leading ".." may not.
  size_t n_parts = 0;

  while (*from) {
    size_t length = strcspn(from, "/");
    const char *next = from + length + (from[length] == '/');
    if (length == 0 || (length == 1 && from[0] == '.')) {
      from = next;
      continue;
    }
    const bool is_up = length == 2 && from[0] == '.' && from[1] == '.';
    if (is_up && n_parts > 0) {
      while (to > name && to[-1] != '/')
        to--;
      if (to > name)
        to--;
      n_parts--;
    } else if (!is_up || !is_absolute) {
      if (to > name || is_absolute)
        *to++ = '/';
      memmove(to, from, length);
      to += length;
      n_parts += !is_up;
    }
    from = next;
  }
  if (to == name)
    *to++ = is_absolute ? '/' : '.';
  *to = '\0';
}
