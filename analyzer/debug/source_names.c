/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_names.h"

#include "debug/func_names.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

bool source_name_is_made(const char *linkage_name) {
  // Source: Itanium C++ ABI, 5.1.4 (special names): thunks; initialisers and
  // wrappers of thread-local variables.
  static const char *const starts[] = {
      "_ZTh",
      "_ZTv",
      "_ZTc",
      "_ZTH",
      "_ZTW",
      "_GLOBAL__",
      "__cxx_",
      "__tls_init",
      "__clang_",
      ".omp",
      "__static_initialization_and_destruction",
      "__copy_helper_block_",
      "__destroy_helper_block_"};
  // Of clang for OpenMP, and of clang and gcc for coroutines.
  static const char *const parts[] = {".omp",     "._omp_fn.", ".resume",
                                      ".destroy", ".cleanup",  ".actor"};
  for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
    if (begins_with(linkage_name, starts[i]))
      return true;
  if (!strchr(linkage_name, '.'))
    return false;
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
    if (strstr(linkage_name, parts[i]))
      return true;
  return false;
}

bool source_name_are_variants(const char *a, const char *b) {
  size_t i = 0;

  while (a[i] && a[i] == b[i])
    i++;
  // C1 and C2, D0 to D2: a digit after a letter.
  if (i == 0 || strchr("CDI", a[i - 1]) == NULL || a[i] < '0' || a[i] > '9' ||
      b[i] < '0' || b[i] > '9' || strcmp(a + i + 1, b + i + 1) != 0 ||
      !begins_with(a, "_Z"))
    return false;
  char *const name_a = func_name_demangle(a), *const name_b =
                                                  func_name_demangle(b);
  const bool is_same = name_a && name_b && strcmp(name_a, name_b) == 0;
  free(name_a);
  free(name_b);
  return is_same;
}

// --- Taking names apart ---

/** A demangled name that is copied in part. */
struct splitter {
  const char *at;
  char *text, *arguments; /* ends of the texts written; large enough */
  bool has_arguments;
};

/** Copy bytes of the name to its text. */
static void keep(struct splitter *splitter, size_t n) {
  splitter->text = mempcpy(splitter->text, splitter->at, n);
  splitter->at += n;
}

/** Go to the end of a bracket's group, if there is one. */
static const char *end_of(const char *at, char open, char close) {
  size_t depth = 0;

  for (; *at; at++) {
    // Of "->" and "operator>" in arguments no bracket.
    const bool is_arrow = *at == '>' && at[-1] == '-';
    if (*at == open)
      depth++;
    else if (*at == close && !is_arrow && --depth == 0)
      return at + 1;
  }
  return at;
}

/** Go past a part of the name, which is an argument. */
static void drop(struct splitter *splitter, const char *end) {
  const size_t n = (size_t)(end - splitter->at);

  splitter->arguments = mempcpy(splitter->arguments, splitter->at, n);
  splitter->at = end;
}

/** Of a conversion, the type that it leads to is an argument. */
static void drop_type(struct splitter *splitter) {
  static const char *const words[] = {" new", " delete", " co_await"};
  const char *end = splitter->at;

  for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
    if (begins_with(splitter->at, words[i]))
      return;
  while (*end && *end != '(')
    end = *end == '<' ? end_of(end, '<', '>') : end + 1;
  if (memchr(splitter->at, '<', (size_t)(end - splitter->at)) ||
      splitter->has_arguments)
    drop(splitter, end);
}

/** Copy "operator" and its symbol, which may be of brackets. */
static void keep_operator(struct splitter *splitter) {
  static const char *const symbols[] = {"<=>", "<<=", ">>=", "->*", "->", "<<",
                                        ">>",  "<=",  ">=",  "()",  "<",  ">"};
  keep(splitter, strlen("operator"));
  for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
    if (begins_with(splitter->at, symbols[i])) {
      keep(splitter, strlen(symbols[i]));
      return;
    }
  if (*splitter->at == ' ')
    drop_type(splitter);
}

static bool is_word_at(const char *start, const char *at, const char *word) {
  if (!begins_with(at, word))
    return false;
  const char before = at > start ? at[-1] : ' ';
  const char after = at[strlen(word)];
  return (before == ':' || before == ' ') &&
         !(after == '_' || (after >= '0' && after <= '9') ||
           (after >= 'a' && after <= 'z') || (after >= 'A' && after <= 'Z'));
}

/** Drop arguments of templates, and parameters. */
static void split(struct splitter *splitter) {
  const char *const start = splitter->at;

  while (*splitter->at) {
    const char *const at = splitter->at;
    if (is_word_at(start, at, "operator")) {
      keep_operator(splitter);
    } else if (*at == '<') {
      drop(splitter, end_of(at, '<', '>'));
      splitter->has_arguments = true;
      // "operator< <int>" has a blank between.
      if (splitter->text[-1] == ' ' && *splitter->at == '(')
        splitter->text--;
    } else if (begins_with(at, "(anonymous namespace)")) {
      keep(splitter, strlen("(anonymous namespace)"));
    } else if (*at == '(') {
      splitter->at = end_of(at, '(', ')');
    } else {
      keep(splitter, 1);
    }
  }
}

/** Length of a name without suffixes of compilers. */
static size_t without_clone(const char *text) {
  const char *const clone = strstr(text, " [clone ");
  return clone ? (size_t)(clone - text) : strlen(text);
}

int source_name_parse(const char *linkage_name, struct source_name *out) {
  *out = (struct source_name){0};
  char *const name = func_name_demangle_plain(linkage_name);
  if (!name)
    return 0;
  name[without_clone(name)] = '\0';
  out->text = name;
  if (!strchr(name, '<'))
    return 0;
  // One byte more at the start, for looking one byte back.
  char *const text = calloc(1, strlen(name) + 2);
  char *const arguments = malloc(strlen(name) + 1);
  if (!text || !arguments) {
    free(text);
    free(arguments);
    source_name_release(out);
    return -1;
  }
  struct splitter splitter = {
      .at = name, .text = text + 1, .arguments = arguments};
  split(&splitter);
  *splitter.text = *splitter.arguments = '\0';
  if (splitter.arguments == arguments) {
    // Only an operator's name had brackets.
    free(text);
    free(arguments);
    return 0;
  }
  strcpy(name, text + 1);
  free(text);
  out->arguments = arguments;
  return 0;
}

void source_name_release(struct source_name *name) {
  free(name->text);
  free(name->arguments);
  *name = (struct source_name){0};
}
