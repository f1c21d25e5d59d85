/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/screen.h"

#include "base/row.h"
#include "base/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

enum { TAB_COLUMNS = 8 };

static const char *const style_codes[] = {
    [INK_PLAIN] = "",       [INK_TITLE] = "\33[1m",  [INK_HOT] = "\33[1;31m",
    [INK_WARM] = "\33[33m", [INK_NEVER] = "\33[35m", [INK_NOTE] = "\33[36m",
    [INK_FAINT] = "\33[2m",
};

// --- Detection ---

/** Is the user's locale UTF-8, whatever this program's own is? */
static bool has_utf8(void) {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
  if (!locale)
    return false;
  const bool is_utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
  freelocale(locale);
  return is_utf8;
}

struct screen screen_look(const char *color) {
  return (struct screen){.is_terminal = isatty(STDOUT_FILENO),
                         .is_colored = terminal_has_color(color),
                         .is_utf8 = has_utf8(),
                         .width = terminal_width()};
}

// --- Text ---

void screen_begin_style(const struct screen *screen, struct row *row,
                        enum screen_style ink) {
  if (screen->is_colored)
    row_add_text(row, style_codes[ink]);
}

void screen_end_style(const struct screen *screen, struct row *row,
                      enum screen_style ink) {
  if (screen->is_colored && ink != INK_PLAIN)
    ROW_ADD(row, "\33[0m");
}

/** Does a byte continue the letter of the byte before? */
static bool is_continuing(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

static size_t count_columns(const char *text, size_t n_bytes) {
  size_t n = 0;
  for (size_t i = 0; i < n_bytes; i++)
    n += !is_continuing(text[i]);
  return n;
}

size_t screen_columns(const char *text) {
  return count_columns(text, strlen(text));
}

/** Is the letter at text a control character? Those of ISO 6429 from 0x80 on
 * are two bytes in UTF-8. */
static bool is_control(const char *text) {
  const unsigned char byte = (unsigned char)text[0];
  return byte < 0x20 || byte == 0x7f ||
         (byte == 0xc2 && (unsigned char)text[1] >= 0x80 &&
          (unsigned char)text[1] < 0xa0);
}

/** Append whole letters. Bytes that are no letter are question marks. */
static void add_letters(const struct screen *screen, struct row *row,
                        const char *text, size_t n_bytes) {
  for (size_t i = 0; i < n_bytes;) {
    size_t n = 1;
    while (i + n < n_bytes && is_continuing(text[i + n]))
      n++;
    const bool is_plain = n == 1 ? (unsigned char)text[i] < 0x80
                                 : (unsigned char)text[i] >= 0xc2 && n <= 4;
    if (is_plain && !is_control(text + i) && (n == 1 || screen->is_utf8))
      row_add(row, text + i, n);
    else
      ROW_ADD(row, "?");
    i += n;
  }
}

/** Bytes of the first letters. */
static size_t bytes_of(const char *text, size_t n_letters) {
  size_t i = 0;
  for (; text[i] && (n_letters > 0 || is_continuing(text[i])); i++)
    n_letters -= n_letters > 0 && !is_continuing(text[i]);
  // The loop stops after the first byte of the last letter.
  while (is_continuing(text[i]))
    i++;
  return i;
}

static void add_ellipsis(const struct screen *screen, struct row *row) {
  if (screen->is_utf8)
    ROW_ADD(row, "\xe2\x80\xa6");
  else
    ROW_ADD(row, "...");
}

static size_t ellipsis_columns(const struct screen *screen) {
  return screen->is_utf8 ? 1 : 3;
}

size_t screen_add_text(const struct screen *screen, struct row *row,
                       const char *text, size_t max_columns) {
  const size_t n_bytes = strlen(text);
  const size_t n_columns = count_columns(text, n_bytes);
  const size_t n_ellipsis = ellipsis_columns(screen);
  if (max_columns == 0 || n_columns <= max_columns) {
    add_letters(screen, row, text, n_bytes);
    return n_columns;
  }
  if (max_columns <= n_ellipsis) {
    add_letters(screen, row, text, bytes_of(text, max_columns));
    return max_columns;
  }
  // Names differ at their end more than at their beginning.
  const size_t n_begin = (max_columns - n_ellipsis) / 2;
  const size_t n_end = max_columns - n_ellipsis - n_begin;
  const size_t end = bytes_of(text, n_columns - n_end);
  add_letters(screen, row, text, bytes_of(text, n_begin));
  add_ellipsis(screen, row);
  add_letters(screen, row, text + end, n_bytes - end);
  return max_columns;
}

size_t screen_add_line(const struct screen *screen, struct row *row,
                       const char *text, size_t n_bytes, size_t max_columns) {
  size_t n_columns = 0, i = 0;
  while (i < n_bytes) {
    size_t n = 1;
    while (i + n < n_bytes && is_continuing(text[i + n]))
      n++;
    const size_t n_next =
        text[i] == '\t' ? TAB_COLUMNS - n_columns % TAB_COLUMNS : 1;
    if (max_columns && n_columns + n_next > max_columns)
      break;
    if (text[i] == '\t')
      row_add_blanks(row, n_next);
    else
      add_letters(screen, row, text + i, n);
    n_columns += n_next;
    i += n;
  }
  return n_columns;
}
