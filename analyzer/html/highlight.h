/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes source text for pages, with comments, strings, numbers and keywords
 * marked: of C, C++ and languages with similar syntax. For readability only;
 * nothing depends on it.
 */
#ifndef ARCLINE_HIGHLIGHT_H
#define ARCLINE_HIGHLIGHT_H

#include <stdbool.h>
#include <stddef.h>

struct row;

/** Forms of marked text. */
enum highlight_form {
  HIGHLIGHT_HTML, /* elements */
  /* For a script: U+0081 to U+0084 before a comment, string, number or keyword,
     and U+0080 after it. No text has these characters: html_add_data(). */
  HIGHLIGHT_DATA,
};

/**
 * Append a line.
 *
 * bytes          without its end; a byte after it may be read.
 * is_in_comment  does it begin within one? Set to whether the next one does.
 */
void highlight_add(struct row *out, const char *bytes, size_t n_bytes,
                   enum highlight_form form, bool *is_in_comment);

#endif
