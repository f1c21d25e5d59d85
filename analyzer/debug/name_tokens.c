/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/name_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN(constant)                                                        \
  (struct name_token) { (constant), sizeof(constant) - 1 }

bool name_token_is(const struct name_token *token, const char *text) {
  return strncmp(token->text, text, token->n_bytes) == 0 &&
         text[token->n_bytes] == '\0';
}

static bool is_any(const struct name_token *token, const char *const *words) {
  for (; *words; words++)
    if (name_token_is(token, *words))
      return true;
  return false;
}

// --- Splitting ---

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' ||
         c == '~' || (unsigned char)c >= 0x80;
}

static bool is_word(const struct name_token *token) {
  return is_word_char(token->text[0]);
}

/** The operator whose name continues with a text, as a token; NULL: none that
 * has brackets or signs of more than one character. */
static const char *operator_at(const char *text, size_t *n_sign) {
  static const char *const operators[] = {
      "operator<=>", "operator<<=", "operator>>=", "operator->*", "operator->",
      "operator<<",  "operator>>",  "operator<=",  "operator>=",  "operator()",
      "operator[]",  "operator<",   "operator>",   "operator,"};
  for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
    const char *const sign = operators[i] + strlen("operator");
    *n_sign = strlen(sign);
    if (strncmp(text, sign, *n_sign) == 0)
      return operators[i];
  }
  return NULL;
}

static const char *skip_blanks(const char *text) {
  return text + strspn(text, " \t");
}

/** Read the token at a text, which begins with no blank. Returns its end. */
static const char *read_token(const char *text, struct name_token *out) {
  static const char *const signs[] = {"(anonymous namespace)", "::", "->",
                                      "&&"};
  size_t n = 0, n_sign;
  for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
    if (strncmp(text, signs[i], strlen(signs[i])) == 0) {
      *out = (struct name_token){signs[i], strlen(signs[i])};
      return text + out->n_bytes;
    }
  while (is_word_char(text[n]))
    n++;
  *out = (struct name_token){text, n ? n : 1};
  if (name_token_is(out, "operator")) {
    const char *const sign = skip_blanks(text + n);
    const char *const whole = operator_at(sign, &n_sign);
    if (whole) {
      *out = (struct name_token){whole, strlen(whole)};
      return sign + n_sign;
    }
  }
  return text + out->n_bytes;
}

static void split(const char *text, struct name_tokens *out) {
  for (text = skip_blanks(text); *text; text = skip_blanks(text))
    text = read_token(text, &out->tokens[out->n_tokens++]);
}

// --- Groups ---

static const char *closing_of(const struct name_token *token) {
  if (token->n_bytes != 1)
    return NULL;
  switch (token->text[0]) {
  case '(':
    return ")";
  case '<':
    return ">";
  case '{':
    return "}";
  case '[':
    return "]";
  default:
    return NULL;
  }
}

size_t name_tokens_group(const struct name_tokens *tokens, size_t i) {
  const char *const closing = closing_of(&tokens->tokens[i]);
  size_t depth = 0;
  if (!closing)
    return i + 1;
  for (size_t k = i; k < tokens->n_tokens; k++) {
    const struct name_token *const token = &tokens->tokens[k];
    if (name_token_is(token, closing) && --depth == 0)
      return k + 1;
    depth += token->n_bytes == 1 && token->text[0] == tokens->tokens[i].text[0];
  }
  return i + 1; // a sign, not a bracket
}

// --- One form of types ---

/** Replace tokens by others. */
static void replace(struct name_tokens *tokens, size_t first, size_t end,
                    const struct name_token *by, size_t n_by) {
  struct name_token *const all = tokens->tokens;
  memmove(&all[first + n_by], &all[end],
          (tokens->n_tokens - end) * sizeof(*all));
  if (n_by)
    memcpy(&all[first], by, n_by * sizeof(*by));
  tokens->n_tokens = tokens->n_tokens - (end - first) + n_by;
}

static bool is_at(const struct name_tokens *tokens, size_t i,
                  const char *text) {
  return i < tokens->n_tokens && name_token_is(&tokens->tokens[i], text);
}

/** Leave out parts that are not in the source: inline namespaces of libraries,
 * tags of types and of ABIs. */
static void drop_unwritten(struct name_tokens *tokens) {
  static const char *const tags[] = {"struct", "class",    "union",
                                     "enum",   "typename", NULL};
  static const char *const spaces[] = {"__cxx11", "__1", "__ndk1", NULL};
  for (size_t i = 0; i < tokens->n_tokens;) {
    const struct name_token *const token = &tokens->tokens[i];
    const bool is_scope = is_at(tokens, i + 1, "::");
    if (is_scope && is_any(token, spaces))
      replace(tokens, i, i + 2, NULL, 0);
    else if (i + 1 < tokens->n_tokens && is_any(token, tags) &&
             is_word(&tokens->tokens[i + 1]))
      replace(tokens, i, i + 1, NULL, 0);
    else if (is_at(tokens, i, "[") && is_at(tokens, i + 1, "abi"))
      replace(tokens, i, name_tokens_group(tokens, i), NULL, 0);
    else
      i++;
  }
}

/** Write an integer type in the demangler's words. */
static void rename_integer(struct name_tokens *tokens, size_t first,
                           size_t end) {
  struct name_token words[4];
  size_t n = 0, n_long = 0;
  bool is_unsigned = false, is_signed = false;
  const char *base = "int";
  for (size_t i = first; i < end; i++) {
    const struct name_token *const token = &tokens->tokens[i];
    n_long += name_token_is(token, "long");
    is_unsigned |= name_token_is(token, "unsigned");
    is_signed |= name_token_is(token, "signed");
    if (name_token_is(token, "char"))
      base = "char";
    else if (name_token_is(token, "short"))
      base = "short";
  }
  if (is_unsigned)
    words[n++] = TOKEN("unsigned");
  else if (is_signed && strcmp(base, "char") == 0)
    words[n++] = TOKEN("signed");
  for (size_t i = 0; i < n_long && i < 2; i++)
    words[n++] = TOKEN("long");
  if (n_long == 0)
    words[n++] = (struct name_token){base, strlen(base)};
  // Never more words than there may be in all: "unsigned" becomes two.
  replace(tokens, first, end, words, n);
}

/** Types of C's library on the machines that programs are instrumented for. */
static const struct {
  const char *name;
  struct name_token words[2];
} synonyms[] = {
    {"size_t", {TOKEN("unsigned"), TOKEN("long")}},
    {"uintptr_t", {TOKEN("unsigned"), TOKEN("long")}},
    {"uint64_t", {TOKEN("unsigned"), TOKEN("long")}},
    {"uint32_t", {TOKEN("unsigned"), TOKEN("int")}},
    {"uint16_t", {TOKEN("unsigned"), TOKEN("short")}},
    {"uint8_t", {TOKEN("unsigned"), TOKEN("char")}},
    {"ssize_t", {TOKEN("long")}},
    {"ptrdiff_t", {TOKEN("long")}},
    {"intptr_t", {TOKEN("long")}},
    {"int64_t", {TOKEN("long")}},
    {"int32_t", {TOKEN("int")}},
    {"int16_t", {TOKEN("short")}},
    {"int8_t", {TOKEN("signed"), TOKEN("char")}},
};

/** Rename the type that begins at token i. */
static void rename_type(struct name_tokens *tokens, size_t i) {
  static const char *const integers[] = {"unsigned", "signed", "long", "short",
                                         "int",      "char",   NULL};
  size_t end = i;
  while (end < tokens->n_tokens && is_any(&tokens->tokens[end], integers))
    end++;
  if (end > i && !is_at(tokens, end, "double")) {
    rename_integer(tokens, i, end);
    return;
  }
  const size_t first =
      is_at(tokens, i, "std") && is_at(tokens, i + 1, "::") ? i + 2 : i;
  if (first >= tokens->n_tokens || is_at(tokens, first + 1, "::"))
    return;
  for (size_t k = 0; k < sizeof(synonyms) / sizeof(*synonyms); k++)
    if (name_token_is(&tokens->tokens[first], synonyms[k].name))
      replace(tokens, i, first + 1, synonyms[k].words,
              synonyms[k].words[1].text ? 2 : 1);
}

/** Index after a type's name: words, scopes and arguments of templates. */
static size_t end_of_type(const struct name_tokens *tokens, size_t i) {
  while (i < tokens->n_tokens) {
    const struct name_token *const token = &tokens->tokens[i];
    if (name_token_is(token, "<"))
      i = name_tokens_group(tokens, i);
    else if (name_token_is(token, "::") ||
             name_token_is(token, "(anonymous namespace)") || is_word(token))
      i++;
    else
      break;
  }
  return i;
}

/** Move a `const` that precedes a type to its end. */
static void move_const(struct name_tokens *tokens, size_t i) {
  const size_t end = end_of_type(tokens, i + 1);
  const struct name_token moved = tokens->tokens[i];
  memmove(&tokens->tokens[i], &tokens->tokens[i + 1],
          (end - i - 1) * sizeof(moved));
  tokens->tokens[end - 1] = moved;
}

/** Bring all types within brackets into one form. */
static void rename_types(struct name_tokens *tokens) {
  for (size_t i = 0; i + 1 < tokens->n_tokens; i++) {
    if (!is_at(tokens, i, "(") && !is_at(tokens, i, "<") &&
        !is_at(tokens, i, ","))
      continue;
    const bool is_const = is_at(tokens, i + 1, "const");
    rename_type(tokens, i + 1 + is_const);
    if (is_const)
      move_const(tokens, i + 1);
  }
}

/** Leave out arguments that templates of the library have by default. */
static void drop_defaults(struct name_tokens *tokens) {
  static const char *const defaults[] = {
      "allocator", "char_traits",    "less", "hash",
      "equal_to",  "default_delete", NULL};
  for (size_t i = tokens->n_tokens; i-- > 0;) {
    if (!is_at(tokens, i, ",") || !is_at(tokens, i + 1, "std") ||
        !is_at(tokens, i + 2, "::") || !is_at(tokens, i + 4, "<") ||
        !is_any(&tokens->tokens[i + 3], defaults))
      continue;
    const size_t end = name_tokens_group(tokens, i + 4);
    if (is_at(tokens, end, ",") || is_at(tokens, end, ">"))
      replace(tokens, i, end, NULL, 0);
  }
  for (size_t i = 0; i + 3 < tokens->n_tokens; i++) {
    const struct name_token *const token = &tokens->tokens[i];
    const bool is_view = name_token_is(token, "basic_string_view");
    if ((is_view || name_token_is(token, "basic_string")) &&
        is_at(tokens, i + 1, "<") && is_at(tokens, i + 2, "char") &&
        is_at(tokens, i + 3, ">"))
      replace(tokens, i, i + 4,
              is_view ? &TOKEN("string_view") : &TOKEN("string"), 1);
  }
}

/** Leave out parts that do not distinguish functions of the source: (void), and
 * `const` of a parameter itself. */
static void drop_const_of_values(struct name_tokens *tokens) {
  size_t open = 0; // parentheses, if no < > is in between
  for (size_t i = 0; i < tokens->n_tokens; i++) {
    if (is_at(tokens, i, "<")) {
      i = name_tokens_group(tokens, i) - 1;
    } else if (is_at(tokens, i, "(")) {
      open++;
      if (is_at(tokens, i + 1, "void") && is_at(tokens, i + 2, ")"))
        replace(tokens, i + 1, i + 2, NULL, 0);
    } else if (is_at(tokens, i, ")")) {
      open -= open > 0;
    } else if (open && is_at(tokens, i, "const") &&
               (is_at(tokens, i + 1, ",") || is_at(tokens, i + 1, ")"))) {
      replace(tokens, i, i + 1, NULL, 0);
      i--;
    }
  }
}

// --- Parts ---

/** Find the function's parameters: the last parentheses, unless they are of a
 * function around it. */
static void find_params(struct name_tokens *tokens) {
  static const char *const qualifiers[] = {"const", "volatile", "&",
                                           "&&",    "noexcept", NULL};
  tokens->first_param = tokens->first_qualifier = tokens->n_tokens;
  for (size_t i = 0, next; i < tokens->n_tokens; i = next) {
    next = name_tokens_group(tokens, i);
    if (i > 0 && next > i + 1 && is_at(tokens, i, "(")) {
      tokens->first_param = i;
      tokens->first_qualifier = next;
    } else if (tokens->first_param < i &&
               !is_any(&tokens->tokens[i], qualifiers)) {
      tokens->first_param = tokens->first_qualifier = tokens->n_tokens;
    }
  }
}

int name_tokens_parse(const char *text, struct name_tokens *out) {
  *out = (struct name_tokens){0};
  // Each token has at least one byte, and none becomes more than two tokens.
  out->tokens = calloc(2 * strlen(text) + 2, sizeof(*out->tokens));
  if (!out->tokens)
    return -1;
  split(text, out);
  drop_unwritten(out);
  rename_types(out);
  drop_defaults(out);
  drop_const_of_values(out);
  find_params(out);
  return 0;
}

void name_tokens_write(const struct name_tokens *tokens, size_t first,
                       size_t end, bool has_arguments, char *out) {
  const struct name_token *last = NULL;
  for (size_t i = first; i < end; i++) {
    const struct name_token *const token = &tokens->tokens[i];
    if (!has_arguments && name_token_is(token, "<")) {
      const size_t next = name_tokens_group(tokens, i);
      if (next > i + 1) {
        i = next - 1;
        continue;
      }
    }
    if (last && is_word(last) && is_word(token))
      *out++ = ' ';
    out = mempcpy(out, token->text, token->n_bytes);
    last = token;
  }
  *out = '\0';
}

void name_tokens_release(struct name_tokens *tokens) {
  free(tokens->tokens);
  *tokens = (struct name_tokens){0};
}
