/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/condition_text.h"

#include "debug/source.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/** Skip a string or character constant. */
static const char *skip_quoted(const char *at, const char *end) {
  const char quote = *at++;

  for (; at < end && *at != quote; at++)
    if (*at == '\\' && at + 1 < end)
      at++;
  return at < end ? at + 1 : end;
}

static bool ends_condition(const char *at, const char *end) {
  if (strchr(")]};,?", *at))
    return true;
  const bool is_double = at + 1 < end && at[1] == *at;
  return ((*at == '&' || *at == '|') && is_double) ||
         (*at == ':' && !is_double);
}

/** The end of the condition; is_cut: it is on another line. */
static const char *find_end(const char *at, const char *end, bool *is_cut) {
  int depth = 0;

  while (at < end) {
    if (*at == '"' || *at == '\'') {
      at = skip_quoted(at, end);
      continue;
    }
    if (depth == 0 && ends_condition(at, end))
      return at;
    if (depth == 0 && *at == ':')
      at++; // of `::`
    depth += *at == '(' || *at == '[' || *at == '{';
    depth -= *at == ')' || *at == ']' || *at == '}';
    at++;
  }
  *is_cut = depth > 0;
  return at;
}

size_t condition_text_write(const struct source_text *text, uint32_t line,
                            uint32_t column, char *out, size_t n_out) {
  size_t n_line;
  const char *const bytes = source_line(text, line, &n_line);

  if (!bytes || column == 0 || column > n_line || n_out < sizeof("...."))
    return 0;
  const char *const end = bytes + n_line;
  const char *const begin = bytes + column - 1;
  bool is_cut = false;
  const char *last = find_end(begin, end, &is_cut);
  while (last > begin && isspace((unsigned char)last[-1]))
    last--;
  size_t n = (size_t)(last - begin);
  if (n > n_out - sizeof("...")) {
    is_cut = true;
    n = n_out - sizeof("...");
  }
  memcpy(out, begin, n);
  out[n] = '\0';
  if (is_cut && n > 0)
    memcpy(out + n, "...", sizeof("..."));
  return is_cut && n > 0 ? n + 3 : n;
}
