/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "args.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Limit of nested response files: deeper nesting is treated as a file that
// includes itself, which clang reports.
enum { MAX_DEPTH = 8, MAX_EXPANDED = 1 << 20 };

static void *need(void *memory) {
  if (!memory) {
    fputs("arcline-cc: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

void args_add(struct args *args, const char *text) {
  // One more item: the list ends with NULL, as required by exec.
  if (args->n + 1 >= args->capacity) {
    args->capacity = args->capacity ? 2 * args->capacity : 64;
    args->items =
        need(realloc(args->items, args->capacity * sizeof(*args->items)));
  }
  args->items[args->n++] = need(strdup(text));
  args->items[args->n] = NULL;
}

void args_release(struct args *args) {
  for (size_t i = 0; i < args->n; i++)
    free(args->items[i]);
  free(args->items);
  *args = (struct args){0};
}

// Returns the file's content, NUL-terminated, or NULL. Caller frees.
static char *read_file(const char *path) {
  FILE *const file = fopen(path, "r");
  if (!file)
    return NULL;
  size_t n = 0;
  size_t capacity = 4096;
  char *text = need(malloc(capacity));
  size_t got;
  while ((got = fread(text + n, 1, capacity - n - 1, file)) > 0) {
    n += got;
    if (n + 1 == capacity)
      text = need(realloc(text, capacity *= 2));
  }
  text[n] = '\0';
  const bool failed = ferror(file);
  fclose(file);
  if (failed) {
    free(text);
    return NULL;
  }
  return text;
}

static void add_expanded(struct args *args, const char *text, int depth);

// GNU quoting: blanks separate; a backslash takes the next character as it is,
// within quotes too.
static void add_tokens(struct args *args, char *text, int depth) {
  const char *from = text;
  while (*from && args->n < MAX_EXPANDED) {
    if (strchr(" \t\r\n\f\v", *from)) {
      from++;
      continue;
    }
    // Unquoting never lengthens a token: it is done in place, into text.
    char *to = text;
    char quote = '\0';
    for (; *from && (quote || !strchr(" \t\r\n\f\v", *from)); from++) {
      if (*from == '\\' && from[1])
        *to++ = *++from;
      else if (quote ? *from == quote : *from == '"' || *from == '\'')
        quote = quote ? '\0' : *from;
      else
        *to++ = *from;
    }
    if (*from)
      from++;
    *to = '\0';
    add_expanded(args, text, depth);
  }
}

static void add_expanded(struct args *args, const char *text, int depth) {
  char *const content =
      text[0] == '@' && depth < MAX_DEPTH ? read_file(text + 1) : NULL;
  if (content)
    add_tokens(args, content, depth + 1);
  else
    args_add(args, text);
  free(content);
}

void args_add_expanded(struct args *args, const char *text) {
  add_expanded(args, text, 0);
}

void args_add_lasting(struct args *args, const char *text) {
  struct stat status;

  if (text[0] == '@' && stat(text + 1, &status) == 0 &&
      !S_ISREG(status.st_mode))
    args_add_expanded(args, text);
  else
    args_add(args, text);
}

void args_print_quoted(const char *text) {
  if (*text && !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz"
                                  "0123456789-_=+/.,:@%^")]) {
    fputs(text, stdout);
    return;
  }
  putchar('\'');
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text);
  }
  putchar('\'');
}

void args_print(const struct args *args) {
  for (size_t i = 0; i < args->n; i++) {
    if (i > 0)
      putchar(' ');
    args_print_quoted(args->items[i]);
  }
  putchar('\n');
}
