/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/call_places.h"

#include "arcline/abi.h"
#include "arcline/flow_decode.h"
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/flow_data.h"
#include "image/const_data.h"
#include "image/image.h"

#include <stdlib.h>

// An image that claims more copies of a call than this, on average, is damaged.
enum { MAX_TEXTS = 16, MAX_PLACES_PER_CALL = 1024 };

/** What finding needs. The sections were checked when the graphs were read. */
struct finder {
  struct const_data data;
  const struct flow_data *flow;
  const struct flow_image *part;
  struct const_records funcs, bodies, copies, addrs;
  struct image_range texts[MAX_TEXTS];
  size_t n_texts;
  uint64_t *node_vaddrs; // of the image's nodes; 0: not known
  struct call_places *out;
};

static bool is_text(const struct finder *finder, uint64_t vaddr) {
  for (size_t i = 0; i < finder->n_texts; i++)
    if (vaddr >= finder->texts[i].low && vaddr < finder->texts[i].high)
      return true;
  return false;
}

/** Of several bodies, the first one that is left is the function's own. */
static void find_entries(struct finder *finder) {
  for (size_t i = 0; i < finder->bodies.n; i++) {
    const struct const_record body = {&finder->bodies, i};
    const uint64_t pc = const_data_target(&finder->data, &body,
                                          offsetof(struct arcline_body, pc));
    size_t i_func;
    if (const_data_find_record(
            &finder->funcs,
            const_data_target(&finder->data, &body,
                              offsetof(struct arcline_body, func)),
            &i_func) == 0 &&
        is_text(finder, pc) && !finder->out->entries[i_func])
      finder->out->entries[i_func] = pc;
  }
}

/** A table of addresses: the u32 number first of the section and those behind
 * it. Returns the number of the next table's first u32; 0: there is none. */
static size_t read_table(struct finder *finder, size_t first) {
  const struct const_data *data = &finder->data;
  const struct const_records *words = &finder->addrs;
  const struct const_record head = {words, first};
  const struct const_record length = {words, first + 1};
  size_t i_func;

  if (words->n - first < 2)
    return 0;
  const size_t n = const_data_u32(data, &length, 0);
  if (n > words->n - first - 2)
    return 0;
  const uint8_t *const bytes = words->section->bytes;
  struct arcline_cursor cursor = {bytes + (first + 2 + n) * sizeof(uint32_t),
                                  bytes + words->n * sizeof(uint32_t), 0};
  const bool is_known =
      const_data_find_record(&finder->funcs, const_data_target(data, &head, 0),
                             &i_func) == 0;
  const struct flow_func *func =
      is_known ? &finder->flow->funcs[finder->part->first_func + i_func] : NULL;
  const size_t first_node =
      finder->flow->funcs[finder->part->first_func].first_node;
  uint64_t node = 0;
  for (size_t i = 0; i < n; i++) {
    const struct const_record pc = {words, first + 2 + i};
    node += (uint64_t)arcline_unzigzag(arcline_read_uleb(&cursor));
    if (cursor.bad)
      return 0;
    const uint64_t vaddr = const_data_target(data, &pc, 0);
    if (!func || node >= func->n_nodes || !is_text(finder, vaddr))
      continue;
    uint64_t *const at =
        &finder->node_vaddrs[func->first_node - first_node + node];
    *at = *at ? *at : vaddr;
  }
  return (size_t)(cursor.at - bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t);
}

static int add_place(struct finder *finder, uint64_t vaddr, size_t i_call,
                     bool is_only) {
  struct call_places *const out = finder->out;
  struct call_place *const places =
      array_grow(out->places, out->n_places, &out->max_places, sizeof(*places));

  if (!places)
    return -1;
  out->places = places;
  places[out->n_places++] = (struct call_place){vaddr, i_call, is_only};
  return 0;
}

/** Add the calls of functions that have code of their own. */
static int add_own(struct finder *finder) {
  const struct flow_data *flow = finder->flow;
  const size_t first_node = flow->funcs[finder->part->first_func].first_node;

  for (size_t i = 0; i < finder->part->n_funcs; i++) {
    const struct flow_func *func = &flow->funcs[finder->part->first_func + i];
    const uint64_t entry = finder->out->entries[i];
    for (uint32_t k = 0; entry && k < func->n_calls; k++) {
      const size_t i_call = func->first_call + k;
      const uint64_t vaddr = finder->node_vaddrs[func->first_node - first_node +
                                                 flow->calls[i_call].node];
      if (add_place(finder, vaddr ? vaddr : entry, i_call, true) != 0)
        return -1;
    }
  }
  return 0;
}

/** Add the calls of the other ones, in each body that has a copy. */
static int add_inlined(struct finder *finder) {
  const struct const_data *data = &finder->data;

  for (size_t i = 0; i < finder->copies.n; i++) {
    const struct const_record copy = {&finder->copies, i};
    size_t i_body, i_func;
    if (const_data_find_record(
            &finder->funcs,
            const_data_target(data, &copy, offsetof(struct arcline_copy, func)),
            &i_func) != 0 ||
        finder->out->entries[i_func] ||
        const_data_find_record(
            &finder->bodies,
            const_data_target(data, &copy, offsetof(struct arcline_copy, body)),
            &i_body) != 0)
      continue;
    const struct const_record body = {&finder->bodies, i_body};
    const uint64_t vaddr =
        const_data_target(data, &body, offsetof(struct arcline_body, pc));
    const struct flow_func *func =
        &finder->flow->funcs[finder->part->first_func + i_func];
    if (finder->out->n_places / MAX_PLACES_PER_CALL > finder->flow->n_calls)
      return 0;
    for (uint32_t k = 0; k < func->n_calls; k++)
      if (add_place(finder, vaddr, func->first_call + k, false) != 0)
        return -1;
  }
  return 0;
}

static int compare_places(const void *left, const void *right,
                          const void *context) {
  const struct call_place *a = left, *b = right;

  (void)context;
  return (a->vaddr > b->vaddr) - (a->vaddr < b->vaddr);
}

static int describe(struct finder *finder) {
  struct const_data *data = &finder->data;

  return const_data_records(data, &data->funcs, ARCLINE_SECTION_FUNCS,
                            sizeof(struct arcline_func), "function",
                            &finder->funcs) != 0 ||
                 const_data_records(data, &data->bodies, ARCLINE_SECTION_BODIES,
                                    sizeof(struct arcline_body), "body",
                                    &finder->bodies) != 0 ||
                 const_data_records(data, &data->copies, ARCLINE_SECTION_COPIES,
                                    sizeof(struct arcline_copy), "copy",
                                    &finder->copies) != 0 ||
                 const_data_records(data, &data->addrs, ARCLINE_SECTION_ADDRS,
                                    sizeof(uint32_t), "address",
                                    &finder->addrs) != 0
             ? -1
             : 0;
}

/** All nodes of an image lie side by side. */
static size_t count_nodes(const struct flow_data *flow,
                          const struct flow_image *part) {
  size_t n = 0;

  for (size_t i = 0; i < part->n_funcs; i++)
    n += flow->funcs[part->first_func + i].n_nodes;
  return n;
}

int call_places_find(const struct image *image, const struct flow_data *flow,
                     size_t i_image, struct call_places *out, struct err *err) {
  struct finder finder = {
      .flow = flow, .part = &flow->images[i_image], .out = out};
  uint64_t n_bytes;

  *out = (struct call_places){0};
  if (finder.part->n_funcs == 0)
    return 0;
  const_data_init(&finder.data, image, err);
  if (describe(&finder) != 0)
    return -1;
  finder.n_texts = image_texts(image, finder.texts, MAX_TEXTS, &n_bytes);
  finder.node_vaddrs =
      calloc(count_nodes(flow, finder.part) + 1, sizeof(*finder.node_vaddrs));
  out->entries = calloc(finder.part->n_funcs, sizeof(*out->entries));
  int rc = finder.node_vaddrs && out->entries ? 0 : -1;
  if (rc == 0) {
    find_entries(&finder);
    for (size_t at = 0; at < finder.addrs.n;) {
      const size_t next = read_table(&finder, at);
      at = next ? next : finder.addrs.n;
    }
    rc = add_own(&finder) != 0 || add_inlined(&finder) != 0 ||
                 merge_sort(out->places, out->n_places, sizeof(*out->places),
                            compare_places, NULL) != 0
             ? -1
             : 0;
  }
  free(finder.node_vaddrs);
  if (rc == 0)
    return 0;
  call_places_release(out);
  return err_no_memory(err);
}

void call_places_release(struct call_places *places) {
  free(places->places);
  free(places->entries);
  *places = (struct call_places){0};
}
