/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/wanted_func.h"

#include "base/did_you_mean.h"
#include "base/err.h"
#include "debug/func_names.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Longer names are compared as they are.
enum { MAX_NAME_BYTES = 8192 };

/** Memory for the output of name_tokens_write(). */
static char *allocate_text(const char *text) {
  return malloc(2 * strlen(text) + 64);
}

// --- Reading ---

/** Is the * at text[i] that of a pointer, or of operator*? */
static bool is_of_name(const char *text, size_t i, size_t depth) {
  const char before = i > 0 ? text[i - 1] : '\0';
  const bool is_after_word =
      isalnum((unsigned char)before) || before == '_' || before == '>' ||
      (before == '*' && i > 1 && text[i - 2] != '(' && text[i - 2] != ',');
  return (depth > 0 && is_after_word) ||
         (i >= 8 && memcmp(text + i - 8, "operator", 8) == 0);
}

/** Copy a name as a pattern in which only the user's wildcards are special.
 * out: room for twice the bytes. Returns whether there are any. */
static bool make_pattern(const char *text, char *out) {
  size_t depth = 0;
  bool has_wildcard = false;
  for (size_t i = 0; text[i]; i++) {
    depth += text[i] == '(';
    depth -= text[i] == ')' && depth > 0;
    const bool is_wildcard = (text[i] == '*' && !is_of_name(text, i, depth)) ||
                             text[i] == '?' ||
                             (text[i] == '[' && text[i + 1] != ']');
    if ((text[i] == '*' || text[i] == '[') && !is_wildcard)
      *out++ = '\\';
    *out++ = text[i];
    has_wildcard |= is_wildcard;
  }
  *out = '\0';
  return has_wildcard;
}

static int read_pattern(struct wanted_func *wanted) {
  char *const text = allocate_text(wanted->text);
  char *const pattern = text ? malloc(4 * strlen(wanted->text) + 128) : NULL;
  if (!pattern) {
    free(text);
    return -1;
  }
  name_tokens_write(&wanted->name, 0, wanted->name.n_tokens, true, text);
  if (make_pattern(text, pattern))
    wanted->pattern = pattern;
  else
    free(pattern);
  free(text);
  return 0;
}

int wanted_func_parse(const char *text, struct wanted_func *out) {
  *out = (struct wanted_func){.text = text,
                              .is_global = strncmp(text, "::", 2) == 0};
  if (name_tokens_parse(text + (out->is_global ? 2 : 0), &out->name))
    return -1;
  if (!strpbrk(text, "*?[") || read_pattern(out) == 0)
    return 0;
  wanted_func_release(out);
  return -1;
}

void wanted_func_release(struct wanted_func *wanted) {
  name_tokens_release(&wanted->name);
  free(wanted->pattern);
  *wanted = (struct wanted_func){0};
}

// --- Names of functions ---

/** Cut off a compiler's suffix of a copy (.isra.0); false: the code is a part
 * of the function only. */
static bool cut_clone(char *name, bool is_mangled) {
  char *const added = is_mangled ? strstr(name, " [clone ") : strchr(name, '.');
  if (!added || added == name)
    return true;
  const bool is_part = strstr(added, ".part") || strstr(added, ".cold");
  if (!is_part)
    *added = '\0';
  return !is_part;
}

/** The name as in the source, with parameters. To be freed; NULL: it is of a
 * part, or there is no memory. */
static char *source_text(const char *linkage_name) {
  char *const demangled = func_name_demangle_plain(linkage_name);
  char *const name = demangled ? demangled : strdup(linkage_name);
  if (name && cut_clone(name, demangled != NULL))
    return name;
  free(name);
  return NULL;
}

// --- Comparing tokens ---

static bool is_same(const struct name_token *a, const struct name_token *b) {
  return a->n_bytes == b->n_bytes && memcmp(a->text, b->text, a->n_bytes) == 0;
}

/** Index after the parts at token i that the user may leave out: arguments of a
 * template, parameters of a function around it, a namespace without a name. i:
 * nothing. */
static size_t skip_unwritten(const struct name_tokens *name, size_t i) {
  const struct name_token *const token = &name->tokens[i];
  if (name_token_is(token, "(anonymous namespace)"))
    return i + 2;
  return name_token_is(token, "<") || name_token_is(token, "(")
             ? name_tokens_group(name, i)
             : i;
}

/** Does the name from token i on match the user's text, without parameters? */
static bool is_name_at(const struct name_tokens *wanted,
                       const struct name_tokens *name, size_t i) {
  size_t k = 0;
  while (i < name->first_param) {
    if (k < wanted->first_param &&
        is_same(&wanted->tokens[k], &name->tokens[i])) {
      i++;
      k++;
      continue;
    }
    const size_t next = skip_unwritten(name, i);
    if (next == i)
      return false;
    i = next;
  }
  return k == wanted->first_param;
}

/** Do tokens of the name from first to end match the user's from i_wanted to
 * end_wanted? The class or namespace of a type may be left out. */
static bool is_range_same(const struct name_tokens *wanted, size_t i_wanted,
                          size_t end_wanted, const struct name_tokens *name,
                          size_t first, size_t end) {
  for (size_t i = first; i < end;) {
    if (i_wanted < end_wanted &&
        is_same(&wanted->tokens[i_wanted], &name->tokens[i])) {
      i_wanted++;
      i++;
    } else if (i + 1 < end && name_token_is(&name->tokens[i + 1], "::")) {
      i += 2;
    } else {
      return false;
    }
  }
  return i_wanted == end_wanted;
}

/** Are parameters and qualifiers those that the user wrote, if any? Names of C
 * have none. */
static bool has_params(const struct name_tokens *wanted,
                       const struct name_tokens *name) {
  if (name->first_param == name->n_tokens)
    return true;
  return (wanted->first_param == wanted->n_tokens ||
          is_range_same(wanted, wanted->first_param, wanted->first_qualifier,
                        name, name->first_param, name->first_qualifier)) &&
         (wanted->first_qualifier == wanted->n_tokens ||
          is_range_same(wanted, wanted->first_qualifier, wanted->n_tokens, name,
                        name->first_qualifier, name->n_tokens));
}

/** The beginning of the next part of the name: after the next :: that is in no
 * brackets. first_param: there is none. */
static size_t next_part(const struct name_tokens *name, size_t i) {
  while (i < name->first_param) {
    const bool is_scope = name_token_is(&name->tokens[i], "::");
    i = name_tokens_group(name, i);
    if (is_scope)
      return i;
  }
  return name->first_param;
}

static bool fits_tokens(const struct wanted_func *wanted,
                        const struct name_tokens *name) {
  if (!has_params(&wanted->name, name))
    return false;
  for (size_t i = 0; i < name->first_param; i = next_part(name, i)) {
    if (is_name_at(&wanted->name, name, i))
      return true;
    if (wanted->is_global)
      return false;
  }
  return false;
}

// --- Comparing patterns ---

/** Does the pattern fit the name from token i on, with or without the parts
 * that a user may leave out? text: room for it. */
static bool fits_pattern_at(const char *pattern, const struct name_tokens *name,
                            size_t i, char *text) {
  const size_t ends[] = {name->n_tokens, name->first_qualifier,
                         name->first_param};
  for (size_t k = 0; k < sizeof(ends) / sizeof(*ends); k++)
    for (int has_arguments = 0; has_arguments < 2; has_arguments++) {
      name_tokens_write(name, i, ends[k], has_arguments, text);
      if (fnmatch(pattern, text, 0) == 0)
        return true;
    }
  return false;
}

static bool fits_pattern(const struct wanted_func *wanted,
                         const struct name_tokens *name, char *text) {
  for (size_t i = 0; i < name->first_param; i = next_part(name, i)) {
    if (fits_pattern_at(wanted->pattern, name, i, text))
      return true;
    if (wanted->is_global)
      return false;
  }
  return false;
}

// --- Matching ---

/** May a linkage name match the user's text? False only if its last word is
 * missing; a few names of C++'s library are abbreviated. */
static bool may_fit(const struct wanted_func *wanted,
                    const char *linkage_name) {
  static const char *const abbreviated[] = {
      "string", "basic_string", "allocator", "istream", "ostream", "iostream"};
  char word[64];
  const size_t n = wanted->name.first_param;
  if (wanted->pattern || n == 0)
    return true;
  const struct name_token *const last = &wanted->name.tokens[n - 1];
  const struct name_token *const before = n > 1 ? last - 1 : NULL;
  if (last->n_bytes >= sizeof(word) || (before && !name_token_is(before, "::")))
    return true;
  for (size_t i = 0; i < last->n_bytes; i++)
    if (!isalnum((unsigned char)last->text[i]) && last->text[i] != '_')
      return true;
  for (size_t i = 0; i < sizeof(abbreviated) / sizeof(*abbreviated); i++)
    if (name_token_is(last, abbreviated[i]))
      return true;
  memcpy(word, last->text, last->n_bytes);
  word[last->n_bytes] = '\0';
  return strstr(linkage_name, word) != NULL;
}

/** Is it a name with the type that the function returns, as reports have it? */
static bool is_full_name(const struct wanted_func *wanted,
                         const char *linkage_name) {
  char *const full = func_name_demangle(linkage_name);
  const bool is_match =
      full && (strcmp(wanted->text, full) == 0 ||
               (wanted->pattern && fnmatch(wanted->text, full, 0) == 0));
  free(full);
  return is_match;
}

bool wanted_func_fits(const struct wanted_func *wanted,
                      const char *linkage_name) {
  struct name_tokens name;
  if (strcmp(wanted->text, linkage_name) == 0 ||
      (wanted->pattern && fnmatch(wanted->text, linkage_name, 0) == 0))
    return true;
  if (strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES ||
      !may_fit(wanted, linkage_name))
    return false;
  if (is_full_name(wanted, linkage_name))
    return true;
  char *const text = source_text(linkage_name);
  if (!text || name_tokens_parse(text, &name)) {
    free(text);
    return false;
  }
  bool is_match = fits_tokens(wanted, &name);
  char *const room = !is_match && wanted->pattern ? allocate_text(text) : NULL;
  if (room)
    is_match = fits_pattern(wanted, &name, room);
  free(room);
  name_tokens_release(&name);
  free(text);
  return is_match;
}

// --- Hints ---

static size_t count_parts(const struct name_tokens *name) {
  size_t n = 0;
  for (size_t i = 0; i < name->first_param; i = next_part(name, i))
    n++;
  return n;
}

/** Write the last parts of a name, without arguments and parameters. */
static void write_parts(const struct name_tokens *name, size_t n_parts,
                        char *out) {
  size_t i = 0;
  for (size_t n = count_parts(name); n > n_parts; n--)
    i = next_part(name, i);
  name_tokens_write(name, i, name->first_param, false, out);
}

#define FAR UINT_MAX

static unsigned count_slips(const char *word, const char *candidate) {
  struct did_you_mean nearest = {.word = word, .n_word = strlen(word)};
  did_you_mean_offer(&nearest, candidate);
  return nearest.best ? (unsigned)nearest.n_slips : FAR;
}

/** Distance of a name from the user's text: 0, if only parts that are not
 * compared differ; FAR: too far for a hint. a, b: room for the names. */
static unsigned distance(const struct name_tokens *wanted,
                         const struct name_tokens *name, char *a, char *b) {
  const size_t n_parts = count_parts(wanted);
  write_parts(wanted, n_parts, a);
  write_parts(name, n_parts, b);
  if (strcasecmp(a, b) == 0)
    return strcmp(a, b) != 0;
  const size_t n_a = strlen(a), n_b = strlen(b);
  const unsigned slips = count_slips(a, b);
  write_parts(wanted, 1, a + n_a + 1);
  write_parts(name, 1, b + n_b + 1);
  const char *const last_a = a + n_a + 1, *const last_b = b + n_b + 1;
  const size_t n_scope = n_a - strlen(last_a);
  // Another class, or a misspelt name of one.
  if (strcmp(last_a, last_b) == 0)
    return slips == FAR ? FAR - 1 : 1 + slips;
  const unsigned last_slips = count_slips(last_a, last_b);
  return n_scope == n_b - strlen(last_b) && memcmp(a, b, n_scope) == 0 &&
                 last_slips != FAR
             ? 1 + last_slips
             : FAR;
}

static void keep(struct wanted_hints *hints, const char *name,
                 unsigned distance) {
  size_t i = hints->n_hints;
  for (size_t k = 0; k < hints->n_hints; k++)
    if (strcmp(hints->hints[k].name, name) == 0)
      return;
  while (i > 0 && hints->hints[i - 1].distance > distance)
    i--;
  if (i == WANTED_MAX_HINTS)
    return;
  char *const copy = strdup(name);
  if (!copy)
    return;
  if (hints->n_hints == WANTED_MAX_HINTS)
    free(hints->hints[--hints->n_hints].name);
  memmove(&hints->hints[i + 1], &hints->hints[i],
          (hints->n_hints - i) * sizeof(*hints->hints));
  hints->hints[i] = (struct wanted_hint){copy, distance};
  hints->n_hints++;
}

void wanted_hints_offer(struct wanted_hints *hints,
                        const struct wanted_func *wanted,
                        const char *linkage_name) {
  struct name_tokens name;
  if (wanted->pattern ||
      strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
    return;
  char *const text = source_text(linkage_name);
  if (!text || name_tokens_parse(text, &name)) {
    free(text);
    return;
  }
  const size_t n_room = 2 * (strlen(text) + strlen(wanted->text)) + 2 * 64;
  char *const a = malloc(n_room), *const b = malloc(n_room);
  const unsigned far = a && b ? distance(&wanted->name, &name, a, b) : FAR;
  if (far != FAR) {
    // With parameters only if they are the difference.
    if (far > 0)
      write_parts(&name, name.n_tokens, b);
    else
      name_tokens_write(&name, 0, name.n_tokens, true, b);
    keep(hints, b, far);
  }
  free(a);
  free(b);
  name_tokens_release(&name);
  free(text);
}

void wanted_hints_write(const struct wanted_hints *hints, char *out, size_t n) {
  size_t at = 0, n_hints = 0;
  out[0] = '\0';
  while (n_hints < hints->n_hints &&
         hints->hints[n_hints].distance == hints->hints[0].distance)
    n_hints++;
  for (size_t i = 0; i < n_hints && at < n; i++) {
    const char *const before = i == 0            ? "; did you mean "
                               : i + 1 < n_hints ? ", "
                                                 : " or ";
    const int n_more =
        snprintf(out + at, n - at, "%s%s%s", before, hints->hints[i].name,
                 i + 1 < n_hints ? "" : "?");
    at += n_more > 0 ? (size_t)n_more : 0;
  }
}

int wanted_hints_refuse(struct wanted_hints *hints,
                        const struct wanted_func *wanted, const char *what,
                        struct err *err) {
  char meant[512];
  wanted_hints_write(hints, meant, sizeof(meant));
  wanted_hints_release(hints);
  return err_set(err, ERR_USAGE, "%s: no function of this name has %s%s",
                 wanted->text, what, meant);
}

void wanted_hints_release(struct wanted_hints *hints) {
  for (size_t i = 0; i < hints->n_hints; i++)
    free(hints->hints[i].name);
  *hints = (struct wanted_hints){0};
}
