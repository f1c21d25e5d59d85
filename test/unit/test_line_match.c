/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lines of two texts: a longest common subsequence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "debug/source.h"
#include "diff/line_match.h"

enum { MAX_LINES = 64 };

/** A text of one letter a line. */
static struct source_text text_of(const char *letters, char *bytes,
                                  size_t *starts) {
  const size_t n = strlen(letters);

  for (size_t i = 0; i < n; i++) {
    starts[i] = 2 * i;
    bytes[2 * i] = letters[i];
    bytes[2 * i + 1] = '\n';
  }
  starts[n] = 2 * n;
  return (struct source_text){
      .bytes = bytes, .n_bytes = 2 * n, .line_starts = starts, .n_lines = n};
}

/** The length of a longest common subsequence, by dynamic programming. */
static size_t common(const char *a, const char *b) {
  static size_t best[MAX_LINES + 1][MAX_LINES + 1];
  const size_t n_a = strlen(a), n_b = strlen(b);

  for (size_t i = 0; i <= n_a; i++)
    for (size_t k = 0; k <= n_b; k++) {
      if (i == 0 || k == 0)
        best[i][k] = 0;
      else if (a[i - 1] == b[k - 1])
        best[i][k] = best[i - 1][k - 1] + 1;
      else
        best[i][k] =
            best[i - 1][k] > best[i][k - 1] ? best[i - 1][k] : best[i][k - 1];
    }
  return best[n_a][n_b];
}

static void check(const char *a, const char *b) {
  char bytes[2][2 * MAX_LINES];
  size_t starts[2][MAX_LINES + 1];
  const struct source_text text_a = text_of(a, bytes[0], starts[0]);
  const struct source_text text_b = text_of(b, bytes[1], starts[1]);
  struct err err = {0};
  uint32_t *lines;
  uint32_t last = 0;
  size_t n = 0;

  assert_int_equal(line_match(&text_a, &text_b, &lines, &err), 0);
  for (size_t i = 1; i <= strlen(a); i++) {
    if (!lines[i])
      continue;
    assert_true(lines[i] > last);
    assert_true(lines[i] <= strlen(b));
    assert_int_equal(a[i - 1], b[lines[i] - 1]);
    last = lines[i];
    n++;
  }
  free(lines);
  assert_int_equal(n, common(a, b));
}

static void ends_and_empty_texts(void **state) {
  (void)state;
  check("", "");
  check("", "ab");
  check("ab", "");
  check("abc", "abc");
  check("abc", "xabc");
  check("abc", "abcx");
  check("abc", "axbxc");
  check("aaa", "aa");
  check("abcabba", "cbabac");
}

static void as_long_as_any(void **state) {
  unsigned seed = 1;

  (void)state;
  for (unsigned round = 0; round < 3000; round++) {
    char texts[2][MAX_LINES] = {"", ""};
    for (int k = 0; k < 2; k++) {
      seed = seed * 1103515245 + 12345;
      const int n = (int)(seed >> 16) % (MAX_LINES - 1);
      for (int i = 0; i < n; i++) {
        seed = seed * 1103515245 + 12345;
        texts[k][i] = (char)('a' + (seed >> 16) % (2 + round % 7));
      }
    }
    check(texts[0], texts[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_and_empty_texts),
      cmocka_unit_test(as_long_as_any),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
