/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The addresses that the pass noted: which node has one, and pairs of address
   and count. */
#include "solve.h"

/* The function that entries belong to; entries of a function lie side by side.
 */
struct place {
  uintptr_t record;
  const struct rt_func *func; /* NULL: none */
};

static void find_func(const struct rt_solver *s, uintptr_t record,
                      struct place *place) {
  const struct rt_image *image = &s->object->image;
  const uintptr_t off = record - (uintptr_t)image->funcs;
  const bool is_one = off % sizeof *image->funcs == 0 &&
                      off / sizeof *image->funcs < s->n_funcs;

  place->record = record;
  place->func = is_one ? &s->funcs[off / sizeof *image->funcs] : NULL;
}

/* Returns false if the entry is dead or wrong. *at: the address minus the start
   of the text. */
static inline bool find_node(const struct rt_solver *s,
                             const struct arcline_addr *addr,
                             struct place *place, uint64_t *at) {
  const uintptr_t record =
      (uintptr_t)&addr->func + (uintptr_t)(intptr_t)addr->func;

  *at = addr->pc - s->object->load_bias - s->text_low;
  if (record != place->record)
    find_func(s, record, place);
  return addr->pc > 1 && *at < s->text_bytes && *at < UINT32_MAX &&
         place->func && addr->node < place->func->head.n_nodes;
}

void rt_blocks_locate(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;
  struct place place = {0};
  uint64_t at;

  for (const struct arcline_addr *addr = image->addrs; addr < image->addrs_end;
       addr++) {
    if (!find_node(s, addr, &place, &at) || place.func->first_count == RT_NONE)
      continue;
    uint32_t *node_at = &s->node_at[place.func->first_count + addr->node];
    if (!*node_at)
      *node_at = (uint32_t)at + 1;
  }
}

/* Sets the bit; returns whether it was set before. */
static inline bool take(uint8_t *bits, uint64_t i) {
  const uint8_t bit = (uint8_t)(1 << i % 8);
  const bool is_taken = bits[i / 8] & bit;

  bits[i / 8] |= bit;
  return is_taken;
}

static inline bool is_set(const uint8_t *bits, uint64_t i) {
  return bits[i / 8] >> i % 8 & 1;
}

static inline size_t put_pair(uint8_t *out, size_t i, uint64_t vaddr,
                              uint64_t count) {
  const uintptr_t pair[] = {(uintptr_t)vaddr, (uintptr_t)count};

  __builtin_memcpy(out + i * sizeof pair, pair, sizeof pair);
  return i + 1;
}

static size_t next(struct rt_blocks *blocks, uint8_t *out, size_t room) {
  struct rt_solver *s = (struct rt_solver *)blocks;
  const struct arcline_addr *const end = s->object->image.addrs_end;
  const struct arcline_addr *addr = s->next_addr;
  struct place place = {0};
  uint64_t at;
  size_t n = 0;

  for (; addr < end && n < room; addr++) {
    if (!find_node(s, addr, &place, &at) || place.func->is_bad)
      continue;
    const struct rt_func *func = place.func;
    const uint32_t node = func->first_node + addr->node;
    // No pair twice: neither for a node nor for an address.
    if (is_set(s->is_listed, node) || take(s->is_taken, at))
      continue;
    take(s->is_listed, node);
    const uint64_t count = func->first_count == RT_NONE
                               ? 0
                               : s->counts[func->first_count + addr->node];
    n = put_pair(out, n, s->text_low + at, count);
  }
  s->next_addr = addr;
  return n;
}

void rt_blocks_begin(struct rt_solver *s) {
  s->blocks.next = next;
  s->next_addr = s->object->image.addrs;
}
