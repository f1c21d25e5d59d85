/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the addresses of the call sites of an image's flow graphs, as the
 * runtime writes them into arcs: the start of the call's basic block; if that
 * is unknown, of its function; of a function inlined everywhere, of the
 * functions around it.
 */
#ifndef ARCLINE_CALL_SITE_ADDRESSES_H
#define ARCLINE_CALL_SITE_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct flow_data;

struct call_site_address {
  uint64_t vaddr;
  size_t i_call; /* index into flow_data.calls */
  bool is_only;  /* all that the call site counted belongs here */
};

/** In order of address. All zero is empty. */
struct call_site_addresses {
  struct call_site_address *places;
  size_t n_places, max_places;
  uint64_t *entries; /* by function of the image: its own code; 0: none */
};

/**
 * Find the places of an image's calls.
 *
 * flow     solved; has the image as number i_image.
 *
 * Returns 0; or -1 with *err set and *out empty. Addresses that are damaged are
 * as good as absent.
 * Owns:   caller releases *out.
 * Errors: no memory.
 * Source: docs/FORMAT.md, 4.7; call_vaddr() of the solver.
 */
int call_site_addresses_find(const struct flow_data *flow, size_t i_image,
                             struct call_site_addresses *out, struct err *err);

/** Free; empty ones may be released too. */
void call_site_addresses_release(struct call_site_addresses *places);

#endif
