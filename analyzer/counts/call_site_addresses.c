/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/call_site_addresses.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/flow_data.h"

#include <stdlib.h>

// An image that claims more copies of a call than this, on average, is damaged.
enum { MAX_PLACES_PER_CALL = 1024 };

/** State of the search. */
struct finder {
  const struct flow_data *flow;
  const struct flow_image *part;
  struct call_site_addresses *out;
};

static bool has_text(const struct finder *finder, uint64_t vaddr) {
  return solve_has_text(&finder->part->data.image, vaddr);
}

static int add_place(struct finder *finder, uint64_t vaddr, size_t i_call,
                     bool is_only) {
  struct call_site_addresses *const out = finder->out;
  struct call_site_address *const places =
      array_grow(out->places, out->n_places, &out->max_places, sizeof(*places));

  if (!places)
    return -1;
  out->places = places;
  places[out->n_places++] = (struct call_site_address){vaddr, i_call, is_only};
  return 0;
}

/** Add the calls of functions that have code of their own. */
static int add_own(struct finder *finder) {
  const struct flow_data *flow = finder->flow;

  for (size_t i = 0; i < finder->part->n_funcs; i++) {
    const struct flow_func *func = &flow->funcs[finder->part->first_func + i];
    const uint64_t entry = finder->out->entries[i];
    for (uint32_t k = 0; entry && k < func->n_calls; k++) {
      const size_t i_call = func->first_call + k;
      const uint64_t vaddr =
          solve_node_vaddr(finder->part->solver, i, flow->calls[i_call].node);
      if (add_place(finder, vaddr ? vaddr : entry, i_call, true) != 0)
        return -1;
    }
  }
  return 0;
}

/** Add the calls of a function that has no code of its own, in a body with a
 * copy of it. */
static int add_copy(struct finder *finder, uint32_t i_func, uint64_t vaddr) {
  const struct flow_func *func =
      &finder->flow->funcs[finder->part->first_func + i_func];

  for (uint32_t k = 0; k < func->n_calls; k++)
    if (add_place(finder, vaddr, func->first_call + k, false) != 0)
      return -1;
  return 0;
}

/** Add the calls of the other ones, in each body that has a copy. */
static int add_inlined(struct finder *finder) {
  const struct solve_image *image = &finder->part->data.image;
  const struct solve_section *bodies = &image->sections[SOLVE_BODIES];

  for (size_t i = 0; i < solve_n_body_records(image); i++) {
    const struct arcline_body *record = &solve_body_records(image)[i];
    const uint64_t vaddr = solve_target(bodies, &record->pc);
    const struct solve_slots slots = solve_body_slots(image, record);
    struct solve_body_data data;
    if (!has_text(finder, vaddr) ||
        solve_read_body(image, record, &data) != SOLVE_FINE)
      continue;
    for (uint32_t k = 0; k < data.n_copies; k++) {
      const uint32_t i_func =
          solve_slot_func(image, &slots, arcline_read_u32(&data.copies));
      if (i_func == SOLVE_NONE || finder->out->entries[i_func])
        continue;
      if (finder->out->n_places / MAX_PLACES_PER_CALL > finder->flow->n_calls)
        return 0;
      if (add_copy(finder, i_func, vaddr) != 0)
        return -1;
    }
  }
  return 0;
}

static int compare_places(const void *left, const void *right,
                          const void *context) {
  const struct call_site_address *a = left, *b = right;

  (void)context;
  return (a->vaddr > b->vaddr) - (a->vaddr < b->vaddr);
}

int call_site_addresses_find(const struct flow_data *flow, size_t i_image,
                             struct call_site_addresses *out, struct err *err) {
  struct finder finder = {
      .flow = flow, .part = &flow->images[i_image], .out = out};
  const size_t n_funcs = finder.part->n_funcs;

  *out = (struct call_site_addresses){0};
  if (n_funcs == 0)
    return 0;
  out->entries = calloc(n_funcs, sizeof(*out->entries));
  if (out->entries && solve_locate(finder.part->solver) == 0) {
    for (size_t i = 0; i < n_funcs; i++)
      out->entries[i] = solve_func_vaddr(finder.part->solver, i);
    if (add_own(&finder) == 0 && add_inlined(&finder) == 0 &&
        merge_sort(out->places, out->n_places, sizeof(*out->places),
                   compare_places, NULL) == 0)
      return 0;
  }
  call_site_addresses_release(out);
  return err_no_memory(err);
}

void call_site_addresses_release(struct call_site_addresses *places) {
  free(places->places);
  free(places->entries);
  *places = (struct call_site_addresses){0};
}
