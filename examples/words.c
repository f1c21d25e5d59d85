/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints the most frequent words of a text: words [-n NUMBER] [FILE] */
#include "table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void) {
  fputs("usage: words [-n NUMBER] [FILE]\n", stderr);
  return 2;
}

/* Reads the next word, in lower case. Returns its length, 0 at the end. */
static size_t read_word(FILE *file, char *word, size_t size) {
  size_t n = 0;

  for (int c; (c = getc(file)) != EOF;) {
    if (isalnum(c)) {
      if (n + 1 < size)
        word[n++] = (char)tolower(c);
    } else if (n > 0) {
      break;
    }
  }
  word[n] = '\0';
  return n;
}

int main(int argc, char **argv) {
  static struct table table;
  FILE *file = stdin;
  size_t n_shown = 10;
  char word[64];
  int i = 1;

  if (i + 1 < argc && strcmp(argv[i], "-n") == 0) {
    n_shown = strtoul(argv[i + 1], NULL, 10);
    i += 2;
  }
  if (i + 1 < argc)
    return usage();
  if (i < argc && !(file = fopen(argv[i], "r"))) {
    perror(argv[i]);
    return 1;
  }

  while (read_word(file, word, sizeof(word)) > 0)
    if (table_count(&table, word) != 0)
      return 1;
  struct entry **all = table_by_count(&table);
  if (!all)
    return 1;
  for (size_t k = 0; k < n_shown && k < table.n_entries; k++)
    printf("%7u %s\n", all[k]->count, all[k]->word);
  return 0;
}
