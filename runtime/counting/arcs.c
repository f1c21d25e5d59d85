/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory for tables of arcs, and sums of them: what is needed off the runtime,
   too. */
#include "counting/arcs.h"
#include "os/os.h"

static size_t slots_bytes(uint64_t n_slots) {
  return (n_slots + RT_ARC_PROBES) * sizeof(struct rt_arc);
}

struct rt_arcs *rt_arcs_create(uint64_t n_slots,
                               const struct rt_backing *backing,
                               const struct rt_object *object) {
  const size_t bytes = slots_bytes(n_slots);
  struct rt_arcs *arcs = rt_map(RT_HEADER_SPAN + bytes);

  if (!arcs)
    return NULL;
  arcs->n_slots = n_slots;
  arcs->backing = backing;
  arcs->object = object;
  if (!backing || !backing->back(object, rt_arcs_slots(arcs), bytes))
    arcs->is_wiped = rt_wipe_on_fork(rt_arcs_slots(arcs), bytes);
  return arcs;
}

void rt_arcs_destroy(struct rt_arcs *arcs) {
  if (arcs->backing)
    arcs->backing->forget(rt_arcs_slots(arcs));
  rt_unmap(arcs, RT_HEADER_SPAN + slots_bytes(arcs->n_slots));
}

void rt_arcs_empty(struct rt_arcs *arcs) {
  rt_zero_words(&rt_arcs_slots(arcs)->from,
                slots_bytes(arcs->n_slots) / sizeof(uint64_t));
}

static bool is_before(const struct rt_arc *a, const struct rt_arc *b) {
  return a->from != b->from ? a->from < b->from : a->self < b->self;
}

/* Returns where the sorted run ends that begins at first. */
static size_t run_end(const struct rt_arc *arcs, size_t first, size_t n) {
  size_t end = first < n ? first + 1 : n;

  while (end < n && !is_before(&arcs[end], &arcs[end - 1]))
    end++;
  return end;
}

/* Merges the sorted runs [low, middle) and [middle, high) of from into to. */
static void merge_runs(const struct rt_arc *from, struct rt_arc *to, size_t low,
                       size_t middle, size_t high) {
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

size_t rt_arcs_merge(struct rt_arc *arcs, size_t n, struct rt_arc *scratch) {
  struct rt_arc *from = arcs;
  struct rt_arc *to = scratch;
  size_t n_merged = 0;

  // Merge sort from the runs that there are: most arcs come in order. No
  // recursion, and qsort() may call malloc().
  while (run_end(from, 0, n) < n) {
    for (size_t low = 0; low < n;) {
      const size_t middle = run_end(from, low, n);
      const size_t high = run_end(from, middle, n);
      merge_runs(from, to, low, middle, high);
      low = high;
    }
    struct rt_arc *swap = from;
    from = to;
    to = swap;
  }
  // Writing never overtakes reading, also where both are the same array.
  for (size_t i = 0; i < n;) {
    struct rt_arc sum = from[i];
    while (++i < n && from[i].from == sum.from && from[i].self == sum.self)
      sum.count += from[i].count;
    if (sum.count)
      arcs[n_merged++] = sum;
  }
  return n_merged;
}
