/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "solve/arc.h"

static bool is_before(const struct solve_arc *a, const struct solve_arc *b) {
  return a->from != b->from ? a->from < b->from : a->self < b->self;
}

/* Returns the end of the sorted run that begins at first. */
static size_t run_end(const struct solve_arc *arcs, size_t first, size_t n) {
  size_t end = first < n ? first + 1 : n;

  while (end < n && !is_before(&arcs[end], &arcs[end - 1]))
    end++;
  return end;
}

/* Merges the sorted runs [low, middle) and [middle, high) of from into to. */
static void merge_runs(const struct solve_arc *from, struct solve_arc *to,
                       size_t low, size_t middle, size_t high) {
  size_t left = low;
  size_t right = middle;
  size_t i = low;

  while (left < middle && right < high)
    to[i++] =
        is_before(&from[right], &from[left]) ? from[right++] : from[left++];
  while (left < middle)
    to[i++] = from[left++];
  while (right < high)
    to[i++] = from[right++];
}

/* Sorts pieces of WINDOW arcs each, so that arcs nearly in order get long
   runs. */
static void sort_windows(struct solve_arc *arcs, size_t n) {
  enum { WINDOW = 32 };

  for (size_t i = 1; i < n; i++) {
    const struct solve_arc arc = arcs[i];
    const size_t first = i - i % WINDOW;
    size_t at = i;
    for (; at > first && is_before(&arc, &arcs[at - 1]); at--)
      arcs[at] = arcs[at - 1];
    arcs[at] = arc;
  }
}

struct solve_arc *solve_arcs_sort(struct solve_arc *arcs, size_t n,
                                  struct solve_arc *scratch) {
  struct solve_arc *from = arcs;
  struct solve_arc *to = scratch;

  // Merge sort from existing runs: most arcs come in order. No recursion, and
  // qsort() may call malloc().
  if (run_end(arcs, 0, n) < n)
    sort_windows(arcs, n);
  while (run_end(from, 0, n) < n) {
    for (size_t low = 0; low < n;) {
      const size_t middle = run_end(from, low, n);
      const size_t high = run_end(from, middle, n);
      merge_runs(from, to, low, middle, high);
      low = high;
    }
    struct solve_arc *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

size_t solve_arcs_merge(struct solve_arc *arcs, size_t n,
                        struct solve_arc *scratch) {
  const struct solve_arc *from = solve_arcs_sort(arcs, n, scratch);
  size_t n_merged = 0;

  // Writing never overtakes reading, even if both are the same array.
  for (size_t i = 0; i < n;) {
    struct solve_arc sum = from[i];
    while (++i < n && from[i].from == sum.from && from[i].self == sum.self)
      sum.count += from[i].count;
    if (sum.count)
      arcs[n_merged++] = sum;
  }
  return n_merged;
}

size_t solve_arcs_split(struct solve_arc *arcs, size_t *n,
                        struct solve_arc *crossing, struct solve_arc *scratch) {
  bool is_entered = false;
  size_t n_taken = 0;
  size_t n_left = 0;

  for (size_t i = 0; i < *n; i++) {
    const struct solve_arc arc = arcs[i];
    const bool is_incoming = (arc.from & SOLVE_OUTSIDE) != 0;
    if (solve_arc_crosses(&arc))
      crossing[n_taken++] = arc;
    if (is_incoming)
      arcs[n_left++] = (struct solve_arc){.self = arc.self, .count = arc.count};
    else if (!solve_arc_crosses(&arc))
      arcs[n_left++] = arc;
    is_entered |= is_incoming;
  }
  // Arcs from other objects have become equal to others.
  *n = is_entered ? solve_arcs_merge(arcs, n_left, scratch) : n_left;
  return n_taken;
}
