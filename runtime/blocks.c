/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The addresses that the pass noted: which node has one, and pairs of address
   and count. */
#include "solve.h"

/* The entries of a function in a body. */
struct group {
  const uint8_t *at; /* where it begins; NULL: there is none */
  const arcline_rel32 *pcs;
  uint32_t n;
  struct arcline_cursor nodes;
  uint32_t n_nodes; /* 0: there is no such function, or its counts are bad */
  uint32_t first_node, first_count;
};

static void find_func(const struct rt_solver *s, const arcline_rel32 *field,
                      struct group *group) {
  const struct rt_image *image = &s->object->image;
  const uintptr_t off = (uintptr_t)rt_target(field) - (uintptr_t)image->funcs;

  if (off % sizeof *image->funcs || off / sizeof *image->funcs >= s->n_funcs)
    return;
  const struct rt_func *func = &s->funcs[off / sizeof *image->funcs];
  if (func->is_bad)
    return;
  group->n_nodes = func->head.n_nodes;
  group->first_node = func->first_node;
  group->first_count = func->first_count;
}

/* Reads the head of what lies there. */
static struct group group_at(const struct rt_solver *s, const uint8_t *at) {
  const uint8_t *const end = s->object->image.addrs_end;
  const struct arcline_addrs *addrs = (const struct arcline_addrs *)at;
  struct group group = {0};

  // An entry has a byte at least beside its distance.
  if ((size_t)(end - at) < sizeof *addrs ||
      addrs->n > ((size_t)(end - at) - sizeof *addrs) / (sizeof *group.pcs + 1))
    return group;
  group.at = at;
  group.pcs = (const arcline_rel32 *)(addrs + 1);
  group.n = addrs->n;
  group.nodes =
      (struct arcline_cursor){(const uint8_t *)(group.pcs + group.n), end, 0};
  find_func(s, &addrs->func, &group);
  return group;
}

/* The group behind one that was read to its end. */
static struct group group_behind(const struct rt_solver *s,
                                 const struct group *group) {
  const size_t align = _Alignof(struct arcline_addrs);
  const size_t n_bytes = (size_t)(group->nodes.at - group->at);

  if (group->nodes.bad)
    return (struct group){0};
  return group_at(s, group->at + (n_bytes + align - 1) / align * align);
}

static inline uint32_t next_node(struct group *group, uint32_t node) {
  const uint64_t step = arcline_read_uleb(&group->nodes);

  return group->nodes.bad ? RT_NONE : node + (uint32_t)arcline_unzigzag(step);
}

/* Where the text begins in memory. */
static uint64_t first_pc(const struct rt_solver *s) {
  return s->object->load_bias + s->text_low;
}

static uint64_t n_pcs(const struct rt_solver *s) {
  return s->text_bytes < UINT32_MAX ? s->text_bytes : UINT32_MAX;
}

/* A deleted block's is 0, which is in no text. */
static inline uint64_t pc_of(const struct group *group, uint32_t i) {
  return group->pcs[i] ? (uintptr_t)rt_target(&group->pcs[i]) : 0;
}

void rt_blocks_locate(struct rt_solver *s) {
  const uint64_t first = first_pc(s);
  const uint64_t n = n_pcs(s);

  for (struct group group = group_at(s, s->object->image.addrs); group.at;
       group = group_behind(s, &group)) {
    const uint32_t n_nodes = group.first_count == RT_NONE ? 0 : group.n_nodes;
    uint32_t *const node_at = n_nodes ? s->node_at + group.first_count : NULL;
    uint32_t node = 0;
    for (uint32_t i = 0; i < group.n; i++) {
      const uint64_t off = pc_of(&group, i) - first;
      node = next_node(&group, node);
      if (node < n_nodes && off < n && !node_at[node])
        node_at[node] = (uint32_t)off + 1;
    }
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
  const uint64_t bias = s->object->load_bias;
  const uint64_t first = first_pc(s);
  const uint64_t n = n_pcs(s);
  uint64_t *const is_taken = s->is_taken;
  uint8_t *at = out;
  uint8_t *const end_at = out + room * pair_bytes;
  struct group group = group_at(s, s->next_addrs);

  // What has been read of the group before is read once more.
  for (uint32_t i_next = s->next_addr; group.at; i_next = 0) {
    const bool has_run = group.first_count != RT_NONE;
    const uint64_t *const counts =
        has_run ? s->counts + group.first_count : &zero;
    const uint32_t mask = has_run ? UINT32_MAX : 0;
    uint8_t *const is_listed = s->is_listed + group.first_node;
    uint32_t node = 0, i;
    for (i = 0; i < group.n && at < end_at; i++) {
      const uint64_t pc = pc_of(&group, i);
      node = next_node(&group, node);
      // No pair twice: neither for a node nor for an address.
      if (i < i_next || node >= group.n_nodes || pc - first >= n ||
          is_listed[node] || take(is_taken, pc - first))
        continue;
      is_listed[node] = 1;
      const uintptr_t pair[] = {(uintptr_t)(pc - bias),
                                (uintptr_t)counts[node & mask]};
      __builtin_memcpy(at, pair, sizeof pair);
      at += pair_bytes;
    }
    s->next_addrs = group.at;
    s->next_addr = i;
    if (i < group.n)
      break;
    group = group_behind(s, &group);
  }
  if (!group.at)
    s->next_addrs = s->object->image.addrs_end;
  return (size_t)(at - out) / pair_bytes;
}

void rt_blocks_begin(struct rt_solver *s) {
  s->blocks.next = next;
  s->next_addrs = s->object->image.addrs;
  s->next_addr = 0;
}
