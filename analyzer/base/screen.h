/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Determines the properties of standard output: width, colours, and support of
 * UTF-8. This is done once, before anything is printed.
 */
#ifndef ARCLINE_SCREEN_H
#define ARCLINE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct row;

/** All zero is a file or a pipe. */
struct screen {
  bool is_terminal;
  bool is_colored;
  bool is_utf8;   /* otherwise ASCII only */
  unsigned width; /* columns; 0: no limit */
};

/** Determine the properties. color: as of terminal_has_color(). */
struct screen screen_look(const char *color);

/** Roles of text that have a colour. */
enum screen_style {
  INK_PLAIN,
  INK_TITLE,
  INK_HOT,
  INK_WARM,
  INK_NEVER,
  INK_NOTE,
  INK_FAINT,
};

/** Begin and end a piece of text in a colour, if there are colours. */
void screen_begin_style(const struct screen *screen, struct row *row,
                        enum screen_style ink);
void screen_end_style(const struct screen *screen, struct row *row,
                      enum screen_style ink);

/** Columns that a text takes. */
size_t screen_columns(const char *text);

/**
 * Append a text that is safe for a terminal: control characters become question
 * marks.
 *
 * max_columns  0: no limit. An ellipsis replaces the middle of a longer text.
 *
 * Returns the number of columns.
 */
size_t screen_add_text(const struct screen *screen, struct row *row,
                       const char *text, size_t max_columns);

/** Append a text as screen_add_text(); one that is longer loses its end. */
size_t screen_add_line(const struct screen *screen, struct row *row,
                       const char *text, size_t n_bytes, size_t max_columns);

#endif
