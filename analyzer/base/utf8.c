/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/utf8.h"

#include <stdbool.h>

size_t utf8_sequence_bytes(const char *text) {
  const unsigned char *const at = (const unsigned char *)text;
  const unsigned char first = at[0];
  const size_t n = first < 0x80                    ? 1
                   : first >= 0xc2 && first < 0xe0 ? 2
                   : first >= 0xe0 && first < 0xf0 ? 3
                   : first >= 0xf0 && first < 0xf5 ? 4
                                                   : 0;
  for (size_t i = 1; i < n; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates, and numbers above the last character.
  const bool is_wrong =
      (first == 0xe0 && at[1] < 0xa0) || (first == 0xed && at[1] >= 0xa0) ||
      (first == 0xf0 && at[1] < 0x90) || (first == 0xf4 && at[1] >= 0x90);
  return is_wrong ? 0 : n;
}
