/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/short_name.h"

#include "base/screen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char operator_word[] = "operator";

static bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' ||
         (unsigned char)byte >= 0x80;
}

/** Length of an operator's name at a place, for operators with characters that
 * are brackets otherwise; or 0. */
static size_t operator_length(const char *name, size_t at) {
  static const char *const signs[] = {"()", "<<=", ">>=", "<=>", "<<", ">>",
                                      "<=", ">=",  "->*", "->",  "<",  ">"};
  const size_t n = strlen(operator_word);
  if (strncmp(name + at, operator_word, n) != 0 ||
      (at > 0 && is_word_byte(name[at - 1])))
    return 0;
  for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
    if (strncmp(name + at + n, signs[i], strlen(signs[i])) == 0)
      return n + strlen(signs[i]);
  return 0;
}

/** Index after the brackets that begin at a place: after the closing one, or at
 * the end of the name. */
static size_t skip_brackets(const char *name, size_t at) {
  size_t depth = 0;
  while (name[at]) {
    const size_t n_operator = operator_length(name, at);
    if (n_operator) {
      at += n_operator;
      continue;
    }
    depth += strchr("(<[{", name[at]) != NULL;
    depth -= strchr(")>]}", name[at]) != NULL;
    at++;
    if (depth == 0)
      break;
  }
  return at;
}

/** Parentheses that are not a list of parameters. */
static bool is_anonymous(const char *name) {
  return strncmp(name, "(anonymous ", 11) == 0;
}

/** Does a conversion's name begin at a place: operator unsigned int? */
static bool is_conversion(const char *name, size_t at) {
  const size_t n = strlen(operator_word);
  return strncmp(name + at, operator_word, n) == 0 && name[at + n] == ' ' &&
         (at == 0 || !is_word_byte(name[at - 1]));
}

/** Find the name without parameters and return type: [*begin, *end). */
static void find_core(const char *name, size_t *begin, size_t *end) {
  size_t at = 0;
  bool is_in_conversion = false;
  *begin = 0;
  while (name[at]) {
    const size_t n_operator = operator_length(name, at);
    is_in_conversion |= is_conversion(name, at);
    if (n_operator) {
      at += n_operator;
      // Before template arguments that could be taken for an operator: < <int>
      at += name[at] == ' ' && name[at + 1] == '<';
    } else if (name[at] == '(' && !is_anonymous(name + at)) {
      *end = at;
      at = skip_brackets(name, at);
      // A function around others: f(int)::{lambda(int)#1}
      if (strncmp(name + at, " const::", 8) == 0)
        at += 6;
      if (strncmp(name + at, "::", 2) != 0)
        return;
    } else if (strchr("(<[{", name[at])) {
      at = skip_brackets(name, at);
    } else {
      at++;
      if (name[at - 1] == ' ' && !is_in_conversion)
        *begin = at;
    }
  }
  *end = at;
}

/** Copy a part of a name, with an ellipsis for the text in angle brackets. */
static char *copy_without_arguments(const char *name, size_t n_bytes,
                                    bool is_utf8) {
  const char *const ellipsis = is_utf8 ? "<\xe2\x80\xa6>" : "<...>";
  char *const out = malloc(n_bytes * 5 + 1);
  char *end = out;
  size_t at = 0;
  while (out && at < n_bytes) {
    const size_t n_operator = operator_length(name, at);
    if (n_operator && at + n_operator <= n_bytes) {
      end = mempcpy(end, name + at, n_operator);
      at += n_operator;
    } else if (name[at] == '<') {
      end = stpcpy(end, ellipsis);
      at = skip_brackets(name, at);
    } else {
      *end++ = name[at++];
    }
  }
  if (out)
    *end = '\0';
  return out;
}

/** Index of a name's next part, after "::"; 0: there is none. */
static size_t next_part(const char *name) {
  size_t at = 0;
  while (name[at]) {
    const size_t n_operator = operator_length(name, at);
    if (n_operator || is_conversion(name, at))
      return 0;
    if (strncmp(name + at, "::", 2) == 0)
      return at + 2;
    at = strchr("(<[{", name[at]) ? skip_brackets(name, at) : at + 1;
  }
  return 0;
}

/** Leave out outer parts of a name until it fits, but keep the last two: a
 * class and its member. */
static void drop_scopes(char *name, size_t max_columns) {
  const char *rest = name;
  while (screen_columns(rest) > max_columns) {
    const size_t n = next_part(rest);
    if (n == 0 || (next_part(rest + n) == 0 && !is_anonymous(rest)))
      break;
    rest += n;
  }
  memmove(name, rest, strlen(rest) + 1);
}

char *short_name(const char *name, size_t max_columns, bool is_utf8) {
  size_t begin, end;
  if (max_columns == 0 || screen_columns(name) <= max_columns)
    return NULL;
  find_core(name, &begin, &end);
  // Not a name of C++.
  if (begin >= end)
    return NULL;
  char *const core = strndup(name + begin, end - begin);
  if (!core || screen_columns(core) <= max_columns)
    return core;
  char *const bare = copy_without_arguments(core, strlen(core), is_utf8);
  free(core);
  if (bare)
    drop_scopes(bare, max_columns);
  return bare;
}
