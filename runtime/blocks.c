/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The addresses that the pass noted: which node has one, and pairs of address
   and count. */
#include "solve.h"

/* Looks up the node of an entry. Returns false if the entry is dead or wrong.
 *at: the address minus the start of the text. */
static bool find_node(const struct rt_solver *s,
                      const struct arcline_addr *addr, uint64_t *at,
                      uint32_t *i_func, uint32_t *node) {
  const struct rt_image *image = &s->object->image;
  const uintptr_t func =
      (uintptr_t)&addr->func + (uintptr_t)(intptr_t)addr->func;
  const uintptr_t off = func - (uintptr_t)image->funcs;

  *at = addr->pc - s->object->load_bias - s->text_low;
  if (addr->pc <= 1 || *at >= s->text_bytes || off % sizeof *image->funcs ||
      off / sizeof *image->funcs >= s->n_funcs)
    return false;
  *i_func = (uint32_t)(off / sizeof *image->funcs);
  if (addr->node >= s->funcs[*i_func].head.n_nodes)
    return false;
  *node = s->funcs[*i_func].first_node + addr->node;
  return true;
}

void rt_blocks_locate(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;
  uint64_t at;
  uint32_t i_func, node;

  for (const struct arcline_addr *addr = image->addrs; addr < image->addrs_end;
       addr++)
    if (find_node(s, addr, &at, &i_func, &node) && !s->node_at[node] &&
        at < UINT32_MAX)
      s->node_at[node] = (uint32_t)at + 1;
}

void rt_blocks_list(struct rt_solver *s, struct rt_profile *out) {
  const struct rt_image *image = &s->object->image;
  uint64_t at;
  uint32_t i_func, node;

  for (const struct arcline_addr *addr = image->addrs; addr < image->addrs_end;
       addr++) {
    if (!find_node(s, addr, &at, &i_func, &node) || s->funcs[i_func].is_bad)
      continue;
    const uint8_t bit = (uint8_t)(1 << at % 8);
    // No pair twice: neither for a node nor for an address.
    if (!s->node_at[node] || s->is_taken[at / 8] & bit)
      continue;
    s->node_at[node] = 0;
    s->is_taken[at / 8] |= bit;
    out->blocks[out->n_blocks++] =
        (struct rt_pair){.vaddr = s->text_low + at, .count = s->counts[node]};
  }
}
