/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/c_text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONS = 256, MAX_DELIMITER = 16 };

/** State of reading. */
struct lexer {
  struct c_text *out;
  size_t at;
  enum c_mode mode;
  uint32_t depth;
  bool is_at_start;                  // of a line, but for blanks
  char delimiter[MAX_DELIMITER + 3]; // end of a raw string
  struct condition {
    uint32_t depth, end_depth; // before #if; after its first branch
    bool has_end;
  } conditions[MAX_CONDITIONS];
  size_t n_conditions;
};

static bool has(const struct lexer *lexer, const char *text) {
  const size_t n = strlen(text);

  return lexer->out->n_bytes - lexer->at >= n &&
         memcmp(lexer->out->bytes + lexer->at, text, n) == 0;
}

/** Set the state of the next n bytes, and skip them. */
static void skip(struct lexer *lexer, size_t n) {
  for (; n > 0 && lexer->at < lexer->out->n_bytes; n--) {
    lexer->out->modes[lexer->at] = (uint8_t)lexer->mode;
    lexer->out->depths[lexer->at++] = lexer->depth;
  }
}

// --- Directives ---

/** The end of a branch: all branches have to open as many braces. */
static void end_branch(struct lexer *lexer) {
  struct condition *const condition =
      &lexer->conditions[lexer->n_conditions - 1];

  if (condition->has_end && condition->end_depth != lexer->depth)
    lexer->out->is_irregular = true;
  condition->has_end = true;
  condition->end_depth = lexer->depth;
}

static void begin_condition(struct lexer *lexer) {
  if (lexer->n_conditions == MAX_CONDITIONS) {
    lexer->out->is_irregular = true;
    return;
  }
  lexer->conditions[lexer->n_conditions++] =
      (struct condition){.depth = lexer->depth};
}

/** Read the name of a directive, after #. */
static void read_directive(struct lexer *lexer) {
  size_t i = lexer->at + 1;
  const struct c_text *const text = lexer->out;

  while (i < text->n_bytes && (text->bytes[i] == ' ' || text->bytes[i] == '\t'))
    i++;
  const char *const name = text->bytes + i;
  const size_t n = text->n_bytes - i;
  if (n >= 2 && memcmp(name, "if", 2) == 0)
    begin_condition(lexer);
  else if (lexer->n_conditions == 0)
    return;
  else if (n >= 4 && memcmp(name, "else", 4) == 0) {
    end_branch(lexer);
    lexer->depth = lexer->conditions[lexer->n_conditions - 1].depth;
  } else if (n >= 4 && memcmp(name, "elif", 4) == 0) {
    end_branch(lexer);
    lexer->depth = lexer->conditions[lexer->n_conditions - 1].depth;
  } else if (n >= 5 && memcmp(name, "endif", 5) == 0) {
    end_branch(lexer);
    lexer->n_conditions--;
  }
}

// --- Tokens ---

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/** Begin a raw string if there is one: R"delimiter(. */
static bool begin_raw(struct lexer *lexer) {
  const struct c_text *const text = lexer->out;
  size_t n = 0;

  if (!has(lexer, "R\""))
    return false;
  // After a prefix such as u8; after other words it is part of a name.
  if (lexer->at > 0 && is_word(text->bytes[lexer->at - 1]) &&
      !strchr("uUL8", text->bytes[lexer->at - 1]))
    return false;
  lexer->delimiter[n++] = ')';
  for (size_t i = lexer->at + 2; i < text->n_bytes && n <= MAX_DELIMITER; i++) {
    if (text->bytes[i] == '(') {
      lexer->delimiter[n++] = '"';
      lexer->delimiter[n] = '\0';
      lexer->mode = C_RAW_STRING;
      skip(lexer, i + 1 - lexer->at);
      return true;
    }
    lexer->delimiter[n++] = text->bytes[i];
  }
  return false;
}

static void read_code(struct lexer *lexer) {
  const char c = lexer->out->bytes[lexer->at];

  if (c == '#' && lexer->is_at_start) {
    read_directive(lexer);
    lexer->mode = C_DIRECTIVE;
    skip(lexer, 1);
  } else if (has(lexer, "//")) {
    lexer->mode = C_LINE_COMMENT;
    skip(lexer, 2);
  } else if (has(lexer, "/*")) {
    lexer->mode = C_BLOCK_COMMENT;
    skip(lexer, 2);
  } else if (c == '"') {
    skip(lexer, 1);
    lexer->mode = C_STRING;
  } else if (c == '\'' && lexer->at > 0 &&
             is_word(lexer->out->bytes[lexer->at - 1]) &&
             lexer->at + 1 < lexer->out->n_bytes &&
             is_word(lexer->out->bytes[lexer->at + 1]) && !has(lexer, "'\\") &&
             (lexer->at + 2 >= lexer->out->n_bytes ||
              lexer->out->bytes[lexer->at + 2] != '\'')) {
    skip(lexer, 1); // between digits
  } else if (c == '\'') {
    skip(lexer, 1);
    lexer->mode = C_CHARACTER;
  } else if (!begin_raw(lexer)) {
    skip(lexer, 1);
    lexer->depth += c == '{';
    if (c == '}' && lexer->depth > 0)
      lexer->depth--;
    else if (c == '}')
      lexer->out->is_irregular = true;
  }
  if (c != ' ' && c != '\t' && c != '\n' && c != '\r' &&
      lexer->mode != C_BLOCK_COMMENT)
    lexer->is_at_start = false;
}

static void read_comment(struct lexer *lexer, enum c_mode after) {
  if (!has(lexer, "*/")) {
    skip(lexer, 1);
    return;
  }
  skip(lexer, 2);
  lexer->mode = after;
}

/** Read in a string or character, up to its end. */
static void read_quoted(struct lexer *lexer, char quote) {
  const char c = lexer->out->bytes[lexer->at];

  skip(lexer, c == '\\' ? 2 : 1);
  // A newline ends it, too: an apostrophe in text that is not compiled.
  if (c == quote || c == '\n')
    lexer->mode = C_CODE;
}

static bool is_continued(const struct lexer *lexer) {
  size_t i = lexer->at;

  while (i > 0 && lexer->out->bytes[i - 1] == '\r')
    i--;
  return i > 0 && lexer->out->bytes[i - 1] == '\\';
}

/** Read in a directive or a comment to the end of the line. */
static void read_line(struct lexer *lexer) {
  const char c = lexer->out->bytes[lexer->at];

  if (lexer->mode == C_DIRECTIVE && has(lexer, "/*")) {
    lexer->mode = C_DIRECTIVE_COMMENT;
    skip(lexer, 2);
    return;
  }
  if (c == '\n' && !is_continued(lexer))
    lexer->mode = C_CODE;
  skip(lexer, 1);
}

static void read_next(struct lexer *lexer) {
  switch (lexer->mode) {
  case C_CODE:
    read_code(lexer);
    break;
  case C_LINE_COMMENT:
  case C_DIRECTIVE:
    read_line(lexer);
    break;
  case C_BLOCK_COMMENT:
    read_comment(lexer, C_CODE);
    break;
  case C_DIRECTIVE_COMMENT:
    read_comment(lexer, C_DIRECTIVE);
    break;
  case C_STRING:
    read_quoted(lexer, '"');
    break;
  case C_CHARACTER:
    read_quoted(lexer, '\'');
    break;
  case C_RAW_STRING:
    if (has(lexer, lexer->delimiter)) {
      skip(lexer, strlen(lexer->delimiter));
      lexer->mode = C_CODE;
    } else {
      skip(lexer, 1);
    }
    break;
  }
}

int c_text_read(const char *bytes, size_t n_bytes, struct c_text *out) {
  struct lexer *const lexer = calloc(1, sizeof(*lexer));

  *out = (struct c_text){.bytes = bytes,
                         .n_bytes = n_bytes,
                         .modes = malloc(n_bytes + 1),
                         .depths =
                             reallocarray(NULL, n_bytes + 1, sizeof(uint32_t))};
  if (!lexer || !out->modes || !out->depths) {
    free(lexer);
    c_text_release(out);
    return -1;
  }
  lexer->out = out;
  lexer->is_at_start = true;
  while (lexer->at < n_bytes) {
    if (lexer->at > 0 && bytes[lexer->at - 1] == '\n')
      lexer->is_at_start = true;
    read_next(lexer);
  }
  out->modes[n_bytes] = (uint8_t)lexer->mode;
  out->depths[n_bytes] = lexer->depth;
  out->is_irregular |=
      lexer->n_conditions > 0 || lexer->depth > 0 || lexer->mode != C_CODE;
  free(lexer);
  return 0;
}

void c_text_release(struct c_text *text) {
  free(text->modes);
  free(text->depths);
  *text = (struct c_text){0};
}
