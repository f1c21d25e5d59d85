/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/highlight.h"

#include "base/row.h"
#include "html/html_text.h"

#include <stdlib.h>
#include <string.h>

/** In order. */
static const char *const keywords[] = {
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Generic",
    "_Noreturn",
    "_Static_assert",
    "alignas",
    "alignof",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
};

enum { MAX_KEYWORD_BYTES = 16 };

static bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}

static int compare_keywords(const void *word, const void *keyword) {
  return strcmp(word, *(const char *const *)keyword);
}

static bool is_keyword(const char *bytes, size_t n) {
  char word[MAX_KEYWORD_BYTES + 1];
  if (n > MAX_KEYWORD_BYTES)
    return false;
  memcpy(word, bytes, n);
  word[n] = '\0';
  return bsearch(word, keywords, sizeof(keywords) / sizeof(*keywords),
                 sizeof(*keywords), compare_keywords) != NULL;
}

/** End of a comment that begins here, or of the line. */
static const char *skip_comment(const char *at, const char *end,
                                bool *is_open) {
  for (*is_open = true; at + 1 < end; at++)
    if (at[0] == '*' && at[1] == '/') {
      *is_open = false;
      return at + 2;
    }
  return end;
}

static const char *skip_quoted(const char *at, const char *end) {
  const char quote = *at++;
  for (; at < end; at++) {
    if (*at == '\\' && at + 1 < end)
      at++;
    else if (*at == quote)
      return at + 1;
  }
  return end;
}

static const char *skip_word(const char *at, const char *end) {
  while (at < end && is_word(*at))
    at++;
  return at;
}

/** The characters that can be part of a number: 1'000.5e-3f. */
static const char *skip_number(const char *at, const char *end) {
  while (at < end &&
         (is_word(*at) || *at == '.' ||
          (*at == '\'' && at + 1 < end && is_word(at[1])) ||
          ((*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E'))))
    at++;
  return at;
}

enum mark { MARK_NONE, MARK_COMMENT, MARK_STRING, MARK_NUMBER, MARK_KEYWORD };

/** Append a stretch of a line, marked or not. */
static void add(struct row *out, enum highlight_form form, enum mark mark,
                const char *bytes, const char *end) {
  static const char *const begins[][MARK_KEYWORD + 1] = {
      [HIGHLIGHT_HTML] = {"", "<i class=\"c\">", "<i class=\"s\">",
                          "<i class=\"d\">", "<i class=\"w\">"},
      [HIGHLIGHT_DATA] = {"", "\xc2\x81", "\xc2\x82", "\xc2\x83", "\xc2\x84"},
  };
  const size_t n_bytes = (size_t)(end - bytes);
  if (n_bytes == 0)
    return;
  row_add_text(out, begins[form][mark]);
  if (form == HIGHLIGHT_DATA)
    html_add_data(out, bytes, n_bytes);
  else
    html_add_bytes(out, bytes, n_bytes);
  if (mark)
    row_add_text(out, form == HIGHLIGHT_DATA ? "\xc2\x80" : "</i>");
}

void highlight_add(struct row *out, const char *bytes, size_t n_bytes,
                   enum highlight_form form, bool *is_in_comment) {
  const char *const end = bytes + n_bytes;
  const char *at = bytes, *plain = bytes;
  if (*is_in_comment && n_bytes) {
    at = plain = skip_comment(bytes, end, is_in_comment);
    add(out, form, MARK_COMMENT, bytes, at);
  }
  while (at < end) {
    const char *const first = at;
    enum mark mark = MARK_NONE;
    if (at + 1 < end && at[0] == '/' && at[1] == '*') {
      at = skip_comment(at + 2, end, is_in_comment);
      mark = MARK_COMMENT;
    } else if (at + 1 < end && at[0] == '/' && at[1] == '/') {
      at = end;
      mark = MARK_COMMENT;
    } else if (*at == '"' || *at == '\'') {
      at = skip_quoted(at, end);
      mark = MARK_STRING;
    } else if (*at >= '0' && *at <= '9') {
      at = skip_number(at + 1, end);
      mark = MARK_NUMBER;
    } else if (is_word(*at)) {
      at = skip_word(at, end);
      mark = is_keyword(first, (size_t)(at - first)) ? MARK_KEYWORD : MARK_NONE;
    } else {
      at++;
    }
    if (!mark)
      continue;
    add(out, form, MARK_NONE, plain, first);
    add(out, form, mark, first, at);
    plain = at;
  }
  add(out, form, MARK_NONE, plain, end);
}
