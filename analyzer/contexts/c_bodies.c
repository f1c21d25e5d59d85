/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/c_bodies.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static bool is_plain(const struct c_text *text, size_t i) {
  return text->modes[i] == C_CODE;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// --- The head of a function ---

/** Words after the parameters of a function. */
static const char *const after_parameters[] = {
    "const",   "volatile", "noexcept", "override", "final",
    "mutable", "try",      "throw",    NULL};

static bool is_known_word(const char *word, size_t n) {
  for (size_t i = 0; after_parameters[i]; i++)
    if (strlen(after_parameters[i]) == n &&
        memcmp(word, after_parameters[i], n) == 0)
      return true;
  return false;
}

/** Is the text between the last parenthesis and the brace that of a function?
 * It would be more after a macro that defines one. */
static bool is_end_of_head(const struct c_text *text, size_t at, size_t end) {
  while (at < end) {
    const char c = text->bytes[at];
    if (!is_plain(text, at) || isspace((unsigned char)c) || c == '&') {
      at++;
      continue;
    }
    if (c == '-' && at + 1 < end && text->bytes[at + 1] == '>')
      return true;
    size_t n = 0;
    while (at + n < end && is_word(text->bytes[at + n]))
      n++;
    if (n == 0 || !is_known_word(text->bytes + at, n))
      return false;
    at += n;
  }
  return true;
}

static bool has_word(const struct c_text *text, size_t first, size_t end,
                     const char *word, bool is_part) {
  const size_t n = strlen(word);

  for (size_t i = first; i + n <= end; i++)
    if (is_plain(text, i) && strncasecmp(text->bytes + i, word, n) == 0 &&
        (is_part || ((i == 0 || !is_word(text->bytes[i - 1])) &&
                     !is_word(text->bytes[i + n]))))
      return true;
  return false;
}

/** The start of the declaration that has a byte. */
static size_t find_start(const struct c_text *text, size_t at) {
  while (at > 0 && text->modes[at - 1] != C_DIRECTIVE &&
         !(is_plain(text, at - 1) && strchr(";{}", text->bytes[at - 1])))
    at--;
  return at;
}

/** Is there [...] before a parenthesis, as in a lambda? */
static bool has_captures(const struct c_text *text, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    if (!is_plain(text, i) || text->bytes[i] != ']')
      continue;
    size_t k = i + 1;
    while (k < end && isspace((unsigned char)text->bytes[k]))
      k++;
    if (k < end && text->bytes[k] == '(')
      return true;
  }
  return false;
}

/** Find the brace that opens the body. Returns SIZE_MAX if it is not sure. */
static size_t find_open(const struct c_text *text, size_t first) {
  size_t last_paren = SIZE_MAX;
  unsigned parens = 0;

  for (size_t i = first; i < text->n_bytes; i++) {
    const char c = text->bytes[i];
    if (text->modes[i] == C_DIRECTIVE)
      return SIZE_MAX;
    if (!is_plain(text, i))
      continue;
    if (c == '(') {
      parens++;
    } else if (c == ')' && parens-- == 0) {
      return SIZE_MAX;
    } else if (c == ')' && parens == 0) {
      last_paren = i;
    } else if (parens == 0 && (c == ';' || c == '}')) {
      return SIZE_MAX;
    } else if (parens == 0 && c == '{') {
      return last_paren != SIZE_MAX && is_end_of_head(text, last_paren + 1, i)
                 ? i
                 : SIZE_MAX;
    }
  }
  return SIZE_MAX;
}

bool c_body_find(const struct c_text *text, const size_t *line_starts,
                 size_t n_lines, uint32_t line, struct c_body *out) {
  if (text->is_irregular || line == 0 || line > n_lines)
    return false;
  const size_t first = line_starts[line - 1];
  const size_t open = find_open(text, first);
  if (open == SIZE_MAX)
    return false;
  size_t close = open + 1;
  while (close < text->n_bytes &&
         !(is_plain(text, close) && text->bytes[close] == '}' &&
           text->depths[close] == text->depths[open] + 1))
    close++;
  if (close == text->n_bytes)
    return false;
  const size_t start = find_start(text, first);
  *out = (struct c_body){.open = open,
                         .close = close,
                         .is_constant =
                             has_word(text, start, open, "constexpr", true) ||
                             has_word(text, start, open, "consteval", true) ||
                             has_word(text, start, open, "auto", false),
                         .is_lambda = has_captures(text, start, open)};
  return true;
}

// --- Changes ---

void c_change_trim(const struct c_text *old, const struct c_text *new,
                   struct c_change *change) {
  while (change->old_first < change->old_end &&
         change->new_first < change->new_end &&
         old->bytes[change->old_first] == new->bytes[change->new_first]) {
    change->old_first++;
    change->new_first++;
  }
  while (change->old_first < change->old_end &&
         change->new_first < change->new_end &&
         old->bytes[change->old_end - 1] == new->bytes[change->new_end - 1]) {
    change->old_end--;
    change->new_end--;
  }
}

static bool has_same_state(const struct c_text *old, size_t i_old,
                           const struct c_text *new, size_t i_new) {
  return old->modes[i_old] == new->modes[i_new] &&
         old->depths[i_old] == new->depths[i_new];
}

static bool is_comment(uint8_t mode) {
  return mode == C_LINE_COMMENT || mode == C_BLOCK_COMMENT;
}

/** Is the text before the change read alike? It is, unless the last byte of it
 * and the first one of the change are a token: then the mode is another. The
 * first byte itself may begin a comment. */
static bool begins_alike(const struct c_text *old, const struct c_text *new,
                         const struct c_change *change) {
  if (change->old_first == 0)
    return true;
  const uint8_t before = old->modes[change->old_first - 1];
  const uint8_t after = new->modes[change->new_first - 1];
  return before == after || (is_comment(before) && is_comment(after));
}

/** Is the text after the change read alike? A newline may end a comment. */
static bool ends_alike(const struct c_text *old, const struct c_text *new,
                       const struct c_change *change) {
  const size_t i_old = change->old_end, i_new = change->new_end;

  return has_same_state(old, i_old, new, i_new) ||
         (i_old < old->n_bytes && i_new < new->n_bytes &&
          old->bytes[i_old] == '\n' && new->bytes[i_new] == '\n' &&
          has_same_state(old, i_old + 1, new, i_new + 1));
}

static bool is_silent(const struct c_text *text, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (!is_comment(text->modes[i]) &&
        !(is_plain(text, i) && isspace((unsigned char)text->bytes[i])))
      return false;
  return true;
}

/** The end of a raw string may be anywhere. */
static bool has_directive(const struct c_text *text, size_t first, size_t end) {
  for (size_t i = first; i <= end; i++)
    if (text->modes[i] == C_DIRECTIVE ||
        text->modes[i] == C_DIRECTIVE_COMMENT || text->modes[i] == C_RAW_STRING)
      return true;
  return false;
}

/** May two words become one, or one two? */
static bool divides_word(const struct c_text *text, size_t first, size_t end) {
  return first > 0 && end < text->n_bytes && is_plain(text, first - 1) &&
         is_plain(text, end) && is_word(text->bytes[first - 1]) &&
         is_word(text->bytes[end]);
}

enum c_effect c_change_effect(const struct c_text *old,
                              const struct c_text *new,
                              const struct c_change *change) {
  if (old->is_irregular || new->is_irregular ||
      !begins_alike(old, new, change) || !ends_alike(old, new, change))
    return C_ANY;
  if (is_silent(old, change->old_first, change->old_end) &&
      is_silent(new, change->new_first, change->new_end) &&
      !divides_word(old, change->old_first, change->old_end) &&
      !divides_word(new, change->new_first, change->new_end))
    return C_NO_EFFECT;
  if (has_directive(old, change->old_first, change->old_end) ||
      has_directive(new, change->new_first, change->new_end))
    return C_ANY;
  return C_LOCAL;
}

/** Does no brace in the bytes end the body? */
static bool is_within(const struct c_text *text, size_t first, size_t end,
                      uint32_t depth) {
  for (size_t i = first; i <= end; i++)
    if (text->depths[i] < depth)
      return false;
  return true;
}

bool c_body_has(const struct c_body *body, const struct c_text *old,
                const struct c_text *new, const struct c_change *change,
                bool is_new) {
  const size_t first = is_new ? change->new_first : change->old_first;
  const size_t end = is_new ? change->new_end : change->old_end;
  const struct c_text *const text = is_new ? new : old;
  const uint32_t depth = text->depths[body->open] + 1;

  return first > body->open && end <= body->close &&
         is_within(old, change->old_first, change->old_end, depth) &&
         is_within(new, change->new_first, change->new_end, depth);
}
