/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/line_match.h"

#include "base/err.h"
#include "debug/source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EDITS = 2000 }; // lines put in or left out; bounds time and memory

/** Two texts, without equal lines at both ends, which are matched already. */
struct match {
  const struct source_text *a, *b;
  long first;    // lines at the beginning that are done
  long n_a, n_b; // that are left in the middle
  uint32_t *out;
};

static bool is_same(const struct match *match, long i_a, long i_b) {
  const size_t start_a = match->a->line_starts[i_a];
  const size_t start_b = match->b->line_starts[i_b];
  const size_t n = match->a->line_starts[i_a + 1] - start_a;

  return match->b->line_starts[i_b + 1] - start_b == n &&
         memcmp(match->a->bytes + start_a, match->b->bytes + start_b, n) == 0;
}

static void put(struct match *match, long i_a, long i_b) {
  match->out[i_a + 1] = (uint32_t)(i_b + 1);
}

/** Take equal lines off both ends. */
static void trim(struct match *match) {
  const long n_a = (long)match->a->n_lines, n_b = (long)match->b->n_lines;
  long first = 0, last = 0;

  while (first < n_a && first < n_b && is_same(match, first, first)) {
    put(match, first, first);
    first++;
  }
  while (last < n_a - first && last < n_b - first &&
         is_same(match, n_a - 1 - last, n_b - 1 - last)) {
    put(match, n_a - 1 - last, n_b - 1 - last);
    last++;
  }
  match->first = first;
  match->n_a = n_a - first - last;
  match->n_b = n_b - first - last;
}

// Source: Myers, "An O(ND) difference algorithm and its variations" (1986). A
// path goes from the beginning of both texts to their ends: along a diagonal
// over equal lines, down where a line was put in, to the right where one was
// left out.

/** Number of lines of a that the furthest path with that many edits has passed
 * on a diagonal. The diagonal is the difference to the lines of b. */
static int32_t *reached(int32_t *paths, long n_edits, long diagonal) {
  return &paths[n_edits * n_edits + n_edits + diagonal];
}

/** Does the path come from above, or from the left? */
static bool is_down(int32_t *paths, long n_edits, long diagonal) {
  return diagonal == -n_edits ||
         (diagonal != n_edits &&
          *reached(paths, n_edits - 1, diagonal - 1) <
              *reached(paths, n_edits - 1, diagonal + 1));
}

/** Begin of the path's last stretch of equal lines. */
static int32_t begin_of(int32_t *paths, long n_edits, long diagonal) {
  if (n_edits == 0)
    return 0;
  return is_down(paths, n_edits, diagonal)
             ? *reached(paths, n_edits - 1, diagonal + 1)
             : *reached(paths, n_edits - 1, diagonal - 1) + 1;
}

/** Go back along the path that reached the end, and record its equal lines. */
static void trace_back(struct match *match, int32_t *paths, long n_edits) {
  long diagonal = match->n_a - match->n_b;

  for (; n_edits >= 0; n_edits--) {
    const long begin = begin_of(paths, n_edits, diagonal);
    for (long i = *reached(paths, n_edits, diagonal); i > begin; i--)
      put(match, match->first + i - 1, match->first + i - 1 - diagonal);
    if (n_edits > 0)
      diagonal += is_down(paths, n_edits, diagonal) ? 1 : -1;
  }
}

/** Find the paths with one more edit. Returns whether one got to the end. */
static bool find_paths(const struct match *match, int32_t *paths,
                       long n_edits) {
  for (long diagonal = -n_edits; diagonal <= n_edits; diagonal += 2) {
    long i_a = begin_of(paths, n_edits, diagonal);
    while (i_a < match->n_a && i_a - diagonal < match->n_b &&
           is_same(match, match->first + i_a, match->first + i_a - diagonal))
      i_a++;
    *reached(paths, n_edits, diagonal) = (int32_t)i_a;
    if (i_a >= match->n_a && i_a - diagonal >= match->n_b)
      return true;
  }
  return false;
}

int line_match(const struct source_text *a, const struct source_text *b,
               uint32_t **out, struct err *err) {
  struct match match = {.a = a, .b = b};
  int32_t *paths = NULL;

  *out = match.out = calloc(a->n_lines + 1, sizeof(*match.out));
  if (!match.out)
    return err_no_memory(err);
  trim(&match);
  for (long n_edits = 0; n_edits <= MAX_EDITS; n_edits++) {
    int32_t *const more = reallocarray(
        paths, (size_t)((n_edits + 1) * (n_edits + 1)), sizeof(*paths));
    if (!more) {
      free(paths);
      free(match.out);
      *out = NULL;
      return err_no_memory(err);
    }
    paths = more;
    if (find_paths(&match, paths, n_edits)) {
      trace_back(&match, paths, n_edits);
      break;
    }
  }
  free(paths);
  return 0;
}
