/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/indirect_callees.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "counts/call_site_addresses.h"
#include "counts/flow_data.h"
#include "counts/line_counts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** A function of the image by the address of its own code. */
struct entry {
  uint64_t vaddr;
  const struct flow_func *func;
};

/** State of naming. */
struct namer {
  const struct flow_data *flow;
  struct entry *entries; // in order of address
  size_t n_entries;
  struct line_call *named; // calls that have a name now
  size_t n_named, max_named;
};

/** The places at one address. */
struct group {
  const struct call_site_address *places;
  size_t n_places;
  struct flow_line pos; // of its indirect calls; line 0: there are none, or
                        // they are on several lines
  uint64_t n_left;      // of these, without a name yet
};

static int compare_entries(const void *left, const void *right,
                           const void *context) {
  const struct entry *a = left, *b = right;

  (void)context;
  return (a->vaddr > b->vaddr) - (a->vaddr < b->vaddr);
}

static int collect_entries(struct namer *namer, size_t i_image,
                           const struct call_site_addresses *places) {
  const struct flow_image *image = &namer->flow->images[i_image];

  namer->entries = calloc(image->n_funcs + 1, sizeof(*namer->entries));
  if (!namer->entries)
    return -1;
  for (size_t i = 0; i < image->n_funcs; i++)
    if (places->entries[i])
      namer->entries[namer->n_entries++] = (struct entry){
          places->entries[i], &namer->flow->funcs[image->first_func + i]};
  return merge_sort(namer->entries, namer->n_entries, sizeof(*namer->entries),
                    compare_entries, NULL);
}

/** Does a function at an address bear a name? */
static bool has_name(const struct namer *namer, uint64_t vaddr,
                     const char *name) {
  const struct entry key = {.vaddr = vaddr};

  for (size_t at =
           sorted_count_before(namer->entries, namer->n_entries, sizeof(key),
                               &key, compare_entries, NULL);
       at < namer->n_entries && namer->entries[at].vaddr == vaddr; at++) {
    const struct flow_func *func = namer->entries[at].func;
    if (strcmp(func->name, name) == 0)
      return true;
    for (uint32_t i = 0; i < func->n_aliases; i++)
      if (strcmp(namer->flow->aliases[func->first_alias + i], name) == 0)
        return true;
  }
  return false;
}

/** Find the line of the indirect calls at an address, and their number. */
static void find_indirect_line(const struct namer *namer, struct group *group) {
  bool has_one = false;

  for (size_t i = 0; i < group->n_places; i++) {
    const struct flow_call *call = &namer->flow->calls[group->places[i].i_call];
    if (call->callee[0] || call->count == 0)
      continue;
    if (has_one && (call->pos.i_file != group->pos.i_file ||
                    call->pos.line != group->pos.line)) {
      group->pos.line = 0;
      return;
    }
    has_one = true;
    group->pos = call->pos;
    group->n_left += call->count;
  }
}

/** Number of calls along an arc that were direct ones; UINT64_MAX: unknown. */
static uint64_t count_direct(const struct namer *namer,
                             const struct group *group,
                             const struct callee_arc *arc) {
  uint64_t n = 0;

  for (size_t i = 0; i < group->n_places; i++) {
    const struct call_site_address *place = &group->places[i];
    const struct flow_call *call = &namer->flow->calls[place->i_call];
    if (!call->callee[0] || call->count == 0 ||
        (strcmp(call->callee, arc->name) != 0 &&
         !(arc->self_vaddr && has_name(namer, arc->self_vaddr, call->callee))))
      continue;
    if (!place->is_only)
      return UINT64_MAX;
    n += call->count;
  }
  return n;
}

static int add_named(struct namer *namer, struct group *group,
                     const struct callee_arc *arc) {
  const uint64_t n_direct = count_direct(namer, group, arc);
  uint64_t n = arc->count > n_direct ? arc->count - n_direct : 0;

  n = n < group->n_left ? n : group->n_left;
  if (n == 0)
    return 0;
  struct line_call *named = array_grow(namer->named, namer->n_named,
                                       &namer->max_named, sizeof(*named));
  if (!named)
    return -1;
  namer->named = named;
  named[namer->n_named++] = (struct line_call){group->pos, arc->name, n};
  group->n_left -= n;
  return 0;
}

static int name_all(struct namer *namer,
                    const struct call_site_addresses *places,
                    const struct callee_arc *arcs, size_t n_arcs) {
  size_t i_arc = 0;

  for (size_t i = 0; i < places->n_places;) {
    struct group group = {.places = &places->places[i]};
    const uint64_t vaddr = group.places->vaddr;
    for (; i < places->n_places && places->places[i].vaddr == vaddr; i++)
      group.n_places++;
    find_indirect_line(namer, &group);
    while (i_arc < n_arcs && arcs[i_arc].from_vaddr < vaddr)
      i_arc++;
    for (; i_arc < n_arcs && arcs[i_arc].from_vaddr == vaddr; i_arc++)
      if (group.pos.line && add_named(namer, &group, &arcs[i_arc]) != 0)
        return -1;
  }
  return 0;
}

/** The entry of a line's indirect calls, or NULL. */
static struct line_call *find_indirect(struct line_counts *counts,
                                       struct flow_line pos) {
  // "" sorts before all names.
  const size_t i = flow_line_count_before(counts->calls, counts->n_calls,
                                          sizeof(*counts->calls), pos);

  if (i == counts->n_calls || counts->calls[i].callee[0] ||
      flow_line_compare(counts->calls[i].pos, pos) != 0)
    return NULL;
  return &counts->calls[i];
}

int indirect_callees_name(const struct flow_data *flow, size_t i_image,
                          const struct call_site_addresses *places,
                          const struct callee_arc *arcs, size_t n_arcs,
                          struct line_counts *counts, struct err *err) {
  struct namer namer = {.flow = flow};
  struct line_counts more = {0};

  int rc = collect_entries(&namer, i_image, places) != 0 ||
                   name_all(&namer, places, arcs, n_arcs) != 0
               ? err_no_memory(err)
               : 0;
  for (size_t i = 0; rc == 0 && i < namer.n_named; i++) {
    struct line_call *call = &namer.named[i];
    struct line_call *rest = find_indirect(counts, call->pos);
    const uint64_t n_rest = rest ? rest->count : 0;
    // Counts of a program that went on running may contradict one another.
    call->count = call->count < n_rest ? call->count : n_rest;
    if (rest)
      rest->count -= call->count;
  }
  more.calls = namer.named;
  more.n_calls = namer.n_named;
  if (rc == 0)
    rc = line_counts_add(counts, &more, err);
  free(namer.entries);
  free(namer.named);
  return rc;
}
