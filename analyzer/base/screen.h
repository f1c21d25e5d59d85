/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What standard output leads to: how wide it is, whether it shows colours and
 * which letters, and a pager in between. Decided once, before anything is
 * printed.
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
  bool is_utf8;   /* else there is ASCII only */
  unsigned width; /* columns; 0: no limit */
};

/** Look at standard output. color: as of terminal_has_color(). */
struct screen screen_look(const char *color);

/** What a piece of text is, as far as its colour goes. */
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

/** How many columns a text takes. */
size_t screen_columns(const char *text);

/**
 * Append a text as a terminal may show it: control characters, which could
 * command it, are question marks.
 *
 * max_columns  0: no limit. A text that is longer loses its middle, for which
 *              an ellipsis stands.
 *
 * Returns how many columns it took.
 */
size_t screen_add_text(const struct screen *screen, struct row *row,
                       const char *text, size_t max_columns);

/** Append a text as screen_add_text(); one that is longer loses its end. */
size_t screen_add_line(const struct screen *screen, struct row *row,
                       const char *text, size_t n_bytes, size_t max_columns);

#endif
