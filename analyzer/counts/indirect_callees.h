/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Names the callees of indirect calls: joins the arcs of a profile, which have
 * an address in the code and a callee, with the call sites of the flow graphs,
 * which have counts. Call sites of different lines that share an address stay
 * unnamed.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_INDIRECT_CALLEES_H
#define ARCLINE_INDIRECT_CALLEES_H

#include <stddef.h>
#include <stdint.h>

struct call_site_addresses;
struct err;
struct flow_data;
struct line_counts;

/** Calls from a place in an image. */
struct callee_arc {
  uint64_t from_vaddr;
  uint64_t self_vaddr; /* in the same image; 0: in another one */
  const char *name;    /* linkage name of the callee */
  uint64_t count;
};

/**
 * Name the callees of an image's indirect calls.
 *
 * places  of the image, which is number i_image of flow.
 * arcs    in order of from_vaddr; their names are borrowed.
 * counts  built from flow. The rest of a line's indirect calls keeps the callee
 *         "".
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int indirect_callees_name(const struct flow_data *flow, size_t i_image,
                          const struct call_site_addresses *places,
                          const struct callee_arc *arcs, size_t n_arcs,
                          struct line_counts *counts, struct err *err);

#endif
