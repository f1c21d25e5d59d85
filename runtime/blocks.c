/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The addresses that the pass noted: which node has one, and pairs of address
   and count. */
#include "solve.h"

/* The function that an entry belongs to. Entries of a function lie side by
   side, most of them. Loops have all that they need in locals: stores to arrays
   might change what is in memory. */
struct place {
  uintptr_t record;
  uint32_t n_nodes; /* 0: there is no such function, or its counts are bad */
  uint32_t first_node, first_count;
};

static inline uintptr_t record_of(const struct arcline_addr *addr) {
  return (uintptr_t)&addr->func + (uintptr_t)(intptr_t)addr->func;
}

static struct place find_place(const struct rt_solver *s,
                               const struct arcline_addr *addr) {
  const struct rt_image *image = &s->object->image;
  const uintptr_t record = record_of(addr);
  const uintptr_t off = record - (uintptr_t)image->funcs;
  const struct place none = {.record = record};

  if (off % sizeof *image->funcs || off / sizeof *image->funcs >= s->n_funcs)
    return none;
  const struct rt_func *func = &s->funcs[off / sizeof *image->funcs];
  if (func->is_bad)
    return none;
  return (struct place){.record = record,
                        .n_nodes = func->head.n_nodes,
                        .first_node = func->first_node,
                        .first_count = func->first_count};
}

/* Where the text begins in memory; it never begins at 0 or 1, which stand for
   dead entries. */
static uint64_t first_pc(const struct rt_solver *s) {
  return s->object->load_bias + s->text_low;
}

static uint64_t n_pcs(const struct rt_solver *s) {
  return s->text_bytes < UINT32_MAX ? s->text_bytes : UINT32_MAX;
}

void rt_blocks_locate(struct rt_solver *s) {
  const struct arcline_addr *const end = s->object->image.addrs_end;
  const struct arcline_addr *addr = s->object->image.addrs;
  const uint64_t first = first_pc(s);
  const uint64_t n = n_pcs(s);

  while (addr < end) {
    const struct place place = find_place(s, addr);
    const uint32_t n_nodes = place.first_count == RT_NONE ? 0 : place.n_nodes;
    uint32_t *const node_at = n_nodes ? s->node_at + place.first_count : NULL;
    for (; addr < end && record_of(addr) == place.record; addr++)
      if (addr->node < n_nodes && addr->pc - first < n && !node_at[addr->node])
        node_at[addr->node] = (uint32_t)(addr->pc - first) + 1;
  }
}

/* Sets the bit; returns whether it was set before. */
static inline bool take(uint64_t *bits, uint64_t i) {
  const uint64_t bit = (uint64_t)1 << i % 64;
  const uint64_t before = bits[i / 64];

  bits[i / 64] = before | bit;
  return before & bit;
}

static size_t next(struct rt_blocks *blocks, uint8_t *out, size_t room) {
  static const uint64_t zero;
  const size_t pair_bytes = 2 * sizeof(uintptr_t);
  struct rt_solver *s = (struct rt_solver *)blocks;
  const struct arcline_addr *const end = s->object->image.addrs_end;
  const struct arcline_addr *addr = s->next_addr;
  const uint64_t bias = s->object->load_bias;
  const uint64_t first = first_pc(s);
  const uint64_t n = n_pcs(s);
  uint64_t *const is_taken = s->is_taken;
  uint8_t *at = out;
  uint8_t *const end_at = out + room * pair_bytes;

  while (addr < end && at < end_at) {
    const struct place place = find_place(s, addr);
    const bool has_run = place.first_count != RT_NONE;
    const uint64_t *const counts =
        has_run ? s->counts + place.first_count : &zero;
    const uint32_t mask = has_run ? UINT32_MAX : 0;
    uint8_t *const is_listed = s->is_listed + place.first_node;
    for (; addr < end && at < end_at && record_of(addr) == place.record;
         addr++) {
      const uint32_t node = addr->node;
      const uint64_t pc = addr->pc;
      // No pair twice: neither for a node nor for an address.
      if (node >= place.n_nodes || pc - first >= n || is_listed[node] ||
          take(is_taken, pc - first))
        continue;
      is_listed[node] = 1;
      const uintptr_t pair[] = {(uintptr_t)(pc - bias),
                                (uintptr_t)counts[node & mask]};
      __builtin_memcpy(at, pair, sizeof pair);
      at += pair_bytes;
    }
  }
  s->next_addr = addr;
  return (size_t)(at - out) / pair_bytes;
}

void rt_blocks_begin(struct rt_solver *s) {
  s->blocks.next = next;
  s->next_addr = s->object->image.addrs;
}
