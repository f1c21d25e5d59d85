/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Determines a terminal's width and colours, and escapes control characters in
 * output to it. Symbols, source files and their text come from untrusted files.
 * Control characters in them could move the cursor, change the title, or enter
 * text for the user. Files and pipes get the bytes as they are.
 */
#ifndef ARCLINE_TERMINAL_H
#define ARCLINE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** State of a text between bytes. All zero at its beginning. */
struct terminal_text {
  unsigned char pending; /* not written yet: the next byte decides; 0: none */
  int n_continuing;      /* bytes that may follow in a UTF-8 sequence */
};

enum { TERMINAL_MAX_ESCAPED = 16 }; /* room for the escape of one byte */

/**
 * Write one byte of a text as a terminal should get it: control characters but
 * tab, newline, form feed and the return before a newline become \xNN, also
 * those of ISO 6429 from 0x80 on, in UTF-8 or not.
 *
 * out  room for TERMINAL_MAX_ESCAPED bytes.
 *
 * Returns the number of bytes written; 0 if the next byte decides.
 */
size_t terminal_escape(struct terminal_text *text, unsigned char byte,
                       char *out);

/**
 * If the stream is a terminal, replace it by one that escapes. Buffering stays
 * as it is for terminals: by line, of stderr none.
 *
 * stream  &stdout or &stderr, before anything was written to it.
 */
void terminal_guard(FILE **stream);

/**
 * Does standard output get colours?
 *
 * when  "always" or "never"; otherwise NO_COLOR turns them off, FORCE_COLOR and
 *       CLICOLOR_FORCE turn them on, and terminals get them that can show them.
 */
bool terminal_has_color(const char *when);

/** Columns of standard output's terminal; those of COLUMNS if it reports none;
 * 0: it is no terminal, or they are unknown. */
unsigned terminal_width(void);

#endif
