/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Divides a text of C or C++ into code, comments, strings and directives, with
 * the depth of braces at each byte. No macros are expanded: a text whose
 * branches of #if differ in their braces is irregular.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_C_TEXT_H
#define ARCLINE_C_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum c_mode {
  C_CODE,
  C_LINE_COMMENT,
  C_BLOCK_COMMENT,
  C_STRING,
  C_CHARACTER,
  C_RAW_STRING,
  C_DIRECTIVE,
  C_DIRECTIVE_COMMENT, /* in one, with slash and star */
};

/** All zero is empty. */
struct c_text {
  const char *bytes; /* borrowed */
  size_t n_bytes;
  uint8_t *modes;   /* before byte i, and one at the end */
  uint32_t *depths; /* of braces, the same */
  bool is_irregular;
};

/** Returns 0 and memory to be released; or -1 (no memory). */
int c_text_read(const char *bytes, size_t n_bytes, struct c_text *out);

/** Free; an empty one may be released too. */
void c_text_release(struct c_text *text);

#endif
