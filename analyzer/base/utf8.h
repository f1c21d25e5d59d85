/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Checks texts of unknown origin, for formats that take UTF-8 only. */
#ifndef ARCLINE_UTF8_H
#define ARCLINE_UTF8_H

#include <stddef.h>

/** Replacement for bytes that are not UTF-8, U+FFFD: a string literal. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/** Bytes of the UTF-8 sequence at a place in a text that ends with NUL; 0:
 * there is none. Source: RFC 3629. */
size_t utf8_sequence_bytes(const char *text);

#endif
