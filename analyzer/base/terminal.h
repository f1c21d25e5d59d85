/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What is printed to a terminal: how wide it is, whether there are colours, and
 * that names are kept out of its command channel. Symbols, source files and
 * their text come from files that anybody may have made; printed as they are,
 * control characters in them would move the cursor, change the title, or answer
 * for the user. Files and pipes get the bytes as they are.
 */
#ifndef ARCLINE_TERMINAL_H
#define ARCLINE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** What of a text was seen before. All zero at its beginning. */
struct terminal_text {
  unsigned char held; /* not written yet: the next byte decides; 0: none */
  int n_continuing;   /* bytes that may follow in a UTF-8 sequence */
};

enum { TERMINAL_MAX_ESCAPED = 16 }; /* room for what one byte may become */

/**
 * Write one byte of a text as a terminal should get it: control characters but
 * tab, newline, form feed and the return before a newline become \xNN, also
 * those of ISO 6429 from 0x80 on, in UTF-8 or not.
 *
 * out  room for TERMINAL_MAX_ESCAPED bytes.
 *
 * Returns how many were written; 0 if the next byte decides.
 */
size_t terminal_escape(struct terminal_text *text, unsigned char byte,
                       char *out);

/**
 * If the stream is a terminal, put one in its place that escapes. Buffering
 * stays as it is for terminals: by line, of stderr none.
 *
 * stream  &stdout or &stderr, before anything was written to it.
 */
void terminal_guard(FILE **stream);

/**
 * Is standard output to have colours?
 *
 * when  "always" or "never"; else NO_COLOR forbids them, FORCE_COLOR and
 *       CLICOLOR_FORCE ask for them, and terminals have them that can show
 * them.
 */
bool terminal_has_color(const char *when);

/** Columns of standard output's terminal; as COLUMNS says if it does not tell;
 * 0: it is none, or nobody knows. */
unsigned terminal_width(void);

#endif
