/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Brings names of functions, demangled or as a user writes them, into one form:
 * without blanks, with `const` after the type (`char const*`, not `const char
 * *`), and with one of several names of a type (`std::string`, `size_t`). So
 * two spellings of one name have the same tokens.
 */
#ifndef ARCLINE_NAME_TOKENS_H
#define ARCLINE_NAME_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

struct name_token {
  const char *text; /* of the text, or constant */
  size_t n_bytes;
};

/** All zero is empty. */
struct name_tokens {
  struct name_token *tokens;
  size_t n_tokens;
  /* The function's own parameters, in parentheses, and the function's
     qualifiers (const, &) after them. */
  size_t first_param;     /* the opening one; n_tokens: there are none */
  size_t first_qualifier; /* after the closing one */
};

/**
 * Take a name apart.
 *
 * text  borrowed until name_tokens_release().
 *
 * Returns 0; or -1 (no memory) and *out empty.
 */
int name_tokens_parse(const char *text, struct name_tokens *out);

/** Is a token this text? */
bool name_token_is(const struct name_token *token, const char *text);

/** Index after the group of brackets that begins at token i; i + 1 if none
 * does. */
size_t name_tokens_group(const struct name_tokens *tokens, size_t i);

/**
 * Write tokens from first to end as text, with blanks between words only.
 *
 * has_arguments  with groups of < >.
 * out            large enough: twice the bytes of the text that was parsed, and
 *                64 more.
 */
void name_tokens_write(const struct name_tokens *tokens, size_t first,
                       size_t end, bool has_arguments, char *out);

/** Free; empty ones may be released too. */
void name_tokens_release(struct name_tokens *tokens);

#endif
