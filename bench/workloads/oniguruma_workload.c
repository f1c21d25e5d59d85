/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic Oniguruma workload: several expressions are searched for in
 * text, all their matches.
 *
 *   oniguruma_workload [SCALE]    SCALE rounds over 64 KiB of text
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_data.h"
#include "oniguruma.h"

enum { TEXT_BYTES = 64 * 1024 };

static const char *const expressions[] = {
    "<(\\w+) id=\"(\\d+)\"[^>]*>",
    "(?<=text )\\d{3,}(?= &amp;)",
    "a&lt;[13579]'",
    "</(?:arc|block|line)>\\s*</",
    "(?i)PROFILE|symbol|time",
    "(\\d)\\1(\\d)\\2?",
};
enum { N_EXPRESSIONS = sizeof(expressions) / sizeof(*expressions) };

struct sums {
  uint64_t n_matches, check;
};

/** Adds all matches in the text. */
static void search(regex_t *expression, OnigRegion *region, const UChar *text,
                   const UChar *end, struct sums *sums) {
  const UChar *at = text;

  while (at < end && onig_search(expression, text, end, at, end, region,
                                 ONIG_OPTION_NONE) >= 0) {
    for (int i = 0; i < region->num_regs; i++)
      sums->check = sums->check * 31 + (uint64_t)region->beg[i] +
                    (uint64_t)region->end[i];
    sums->n_matches++;
    at = text + region->end[0] + (region->end[0] == region->beg[0]);
  }
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  static char text[TEXT_BYTES];
  regex_t *compiled[N_EXPRESSIONS];
  OnigRegion *const region = onig_region_new();
  struct sums sums = {0};
  uint32_t random = 20261123;

  for (int i = 0; i < N_EXPRESSIONS; i++) {
    const UChar *const source = (const UChar *)expressions[i];
    OnigErrorInfo error;
    if (onig_new(&compiled[i], source, source + strlen(expressions[i]),
                 ONIG_OPTION_DEFAULT, ONIG_ENCODING_UTF8, ONIG_SYNTAX_RUBY,
                 &error) != ONIG_NORMAL) {
      fprintf(stderr, "oniguruma_workload: cannot compile %s\n",
              expressions[i]);
      return 1;
    }
  }
  for (int i = 0; i < scale; i++) {
    const size_t n = make_document(text, sizeof(text), &random);
    for (int j = 0; j < N_EXPRESSIONS; j++)
      search(compiled[j], region, (const UChar *)text, (const UChar *)text + n,
             &sums);
  }
  for (int i = 0; i < N_EXPRESSIONS; i++)
    onig_free(compiled[i]);
  onig_region_free(region, 1);
  printf("%llu matches, checksum %016llx\n", (unsigned long long)sums.n_matches,
         (unsigned long long)sums.check);
  return 0;
}
