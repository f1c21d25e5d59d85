/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory for tables of arcs. */
#include "counting/arcs.h"
#include "os/os.h"

static size_t slots_bytes(uint64_t n_slots) {
  return (n_slots + RT_ARC_PROBES) * sizeof(struct solve_arc);
}

static bool back(struct rt_arcs *arcs) {
  return arcs->backing && arcs->backing->back(arcs->object, rt_arcs_slots(arcs),
                                              slots_bytes(arcs->n_slots));
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
  if (!back(arcs))
    arcs->is_wiped = rt_wipe_on_fork(rt_arcs_slots(arcs), bytes);
  return arcs;
}

void rt_arcs_back(struct rt_arcs *arcs) {
  for (; arcs; arcs = rt_load(&arcs->next))
    if (back(arcs))
      arcs->is_wiped = false;
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
