/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Computes MD5 digests, by which Coveralls identifies source texts. Not for
 * security. Source: RFC 1321. */
#ifndef ARCLINE_MD5_H
#define ARCLINE_MD5_H

#include <stddef.h>

enum { MD5_TEXT_BYTES = 33 };

/** Write the digest as 32 hexadecimal digits and a NUL. */
void md5_text(const void *bytes, size_t n_bytes, char out[MD5_TEXT_BYTES]);

#endif
