/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes pairs of address and count, for the addresses of blocks that the pass
   recorded. */
#include "solve/solver.h"

enum { PAIR_BYTES = 2 * sizeof(uintptr_t) };

/* The entries of a function in a body. */
struct group {
  const uint8_t *at; /* its beginning, or NULL */
  const arcline_rel32 *pcs;
  uint32_t n;
  struct arcline_cursor nodes;
  uint32_t n_nodes; /* 0: no such function, or its counts are bad */
  uint32_t first_node, first_count;
};

static void find_func(const struct solver *s, const arcline_rel32 *field,
                      struct group *group) {
  const struct solve_section *section = &s->image->sections[SOLVE_ADDRS];
  const uint32_t i = solve_func_at(s->image, solve_target(section, field));

  if (i == SOLVE_NONE)
    return;
  const struct solve_func *func = solve_opened(s, i);
  group->first_node = s->heads[i].first_node;
  if (!func || !func->is_bad)
    group->n_nodes = s->heads[i + 1].first_node - group->first_node;
  if (func)
    group->first_count = func->first_count;
}

static const uint8_t *addrs_end(const struct solver *s) {
  const struct solve_section *section = &s->image->sections[SOLVE_ADDRS];

  return section->bytes + section->n_bytes;
}

/* Reads the head that is there. */
static struct group group_at(const struct solver *s, const uint8_t *at) {
  const uint8_t *const end = addrs_end(s);
  const struct arcline_addrs *addrs = (const struct arcline_addrs *)at;
  struct group group = {.first_count = SOLVE_NONE};

  // An entry has a byte at least beside its distance.
  if ((size_t)(end - at) < sizeof(*addrs) ||
      addrs->n >
          ((size_t)(end - at) - sizeof(*addrs)) / (sizeof(*group.pcs) + 1))
    return group;
  group.at = at;
  group.pcs = (const arcline_rel32 *)(addrs + 1);
  group.n = addrs->n;
  group.nodes =
      (struct arcline_cursor){(const uint8_t *)(group.pcs + group.n), end, 0};
  find_func(s, &addrs->func, &group);
  return group;
}

/* The group after one whose nodes have all been read. */
static struct group next_group(const struct solver *s,
                               const struct group *group) {
  const size_t align = _Alignof(struct arcline_addrs);
  const size_t n_bytes = (size_t)(group->nodes.at - group->at);

  if (group->nodes.bad || group->nodes.at == group->nodes.end)
    return (struct group){0};
  return group_at(s, group->at + (n_bytes + align - 1) / align * align);
}

static __attribute__((noinline)) struct solve_step
far_node(const uint8_t *at, const uint8_t *end, uint32_t node) {
  struct arcline_cursor nodes = {at, end, 0};

  node += (uint32_t)arcline_unzigzag(arcline_read_uleb(&nodes));
  return nodes.bad ? (struct solve_step){end, SOLVE_NONE}
                   : (struct solve_step){nodes.at, node};
}

/* Adds the next difference, which is nearly always one byte. Returns
   SOLVE_NONE, which is not a node, at the end. */
static inline struct solve_step next_node(struct solve_step step,
                                          const uint8_t *end) {
  if (step.at == end || *step.at >= 0x80)
    return far_node(step.at, end, step.node);
  const uint32_t value = *step.at;

  return (struct solve_step){step.at + 1,
                             step.node + ((value >> 1) ^ -(value & 1))};
}

/* The address at which the text would begin in memory, at its link-time
   distance from the addresses. */
static uint64_t first_pc(const struct solver *s) {
  const struct solve_section *section = &s->image->sections[SOLVE_ADDRS];

  return s->text_low - section->vaddr + (uintptr_t)section->bytes;
}

static uint64_t n_pcs(const struct solver *s) {
  return s->text_bytes < UINT32_MAX ? s->text_bytes : UINT32_MAX;
}

/* Its offset in the text; UINT64_MAX for a deleted block. */
static inline uint64_t offset_of(const arcline_rel32 *pc, uint64_t first) {
  return *pc ? (uintptr_t)pc + (uint64_t)(int64_t)*pc - first : UINT64_MAX;
}

void solve_locate(struct solver *s) {
  const uint64_t first = first_pc(s);
  const uint64_t n = n_pcs(s);

  for (struct group group = group_at(s, s->image->sections[SOLVE_ADDRS].bytes);
       group.at; group = next_group(s, &group)) {
    if (group.first_count == SOLVE_NONE || !group.n_nodes) {
      arcline_skip_numbers(&group.nodes, group.n);
      continue;
    }
    uint32_t *const node_at = s->node_at + group.first_count;
    struct solve_step step = {group.nodes.at, 0};
    for (uint32_t i = 0; i < group.n; i++) {
      const uint64_t off = offset_of(&group.pcs[i], first);
      step = next_node(step, group.nodes.end);
      if (step.node < group.n_nodes && off < n && !node_at[step.node])
        node_at[step.node] = (uint32_t)off + 1;
    }
    group.nodes.at = step.at;
  }
}

/* Input for the pairs of a group. */
struct pair_maker {
  uint64_t first, n, text_low;
  const uint64_t *counts;
  uint32_t mask; /* of the node: which of the counts */
  uint32_t n_nodes;
  const uint8_t *nodes_end;
  uint64_t *is_taken;
  uint8_t *is_listed; /* of the function */
  size_t n_bytes;     /* of a pair; 0: they are not stored */
};

static struct pair_maker pair_maker(const struct solver *s,
                                    const struct group *group) {
  static const uint64_t zero;
  const bool has_run = group->first_count != SOLVE_NONE;

  return (struct pair_maker){
      .first = first_pc(s),
      .n = n_pcs(s),
      .text_low = s->text_low,
      .counts = has_run ? s->counts + group->first_count : &zero,
      .mask = has_run ? UINT32_MAX : 0,
      .n_nodes = group->n_nodes,
      .nodes_end = group->nodes.end,
      .is_taken = s->is_taken,
      .is_listed = s->is_listed + group->first_node,
      .n_bytes = has_run || s->input.has_all_blocks ? PAIR_BYTES : 0};
}

/* Stores the pairs of entries from pc to end. Returns the place of the next
   one. A program has millions of entries, and each is visited here even if its
   code never ran, since which address stands for a node must not depend on what
   has run: profiles are added up. Members of the maker are read once. */
static __attribute__((noinline)) uint8_t *
put_pairs(const struct pair_maker *maker, const arcline_rel32 *pc,
          const arcline_rel32 *end, struct solve_step *next, uint8_t *at) {
  const uint64_t first = maker->first;
  const uint64_t n = maker->n;
  const uint64_t text_low = maker->text_low;
  const uint64_t *const counts = maker->counts;
  const uint32_t mask = maker->mask;
  const uint32_t n_nodes = maker->n_nodes;
  const uint8_t *const nodes_end = maker->nodes_end;
  uint64_t *const is_taken = maker->is_taken;
  uint8_t *const is_listed = maker->is_listed;
  const size_t n_bytes = maker->n_bytes;
  struct solve_step step = *next;

  for (; pc < end; pc++) {
    step = next_node(step, nodes_end);
    const uint32_t node = step.node;
    // No pair twice: neither for a node nor for an address.
    if (node >= n_nodes || !*pc || is_listed[node])
      continue;
    const uint64_t off = offset_of(pc, first);
    if (off >= n)
      continue;
    const uint64_t taken = is_taken[off / 64];
    if (taken >> off % 64 & 1)
      continue;
    is_taken[off / 64] = taken | (uint64_t)1 << off % 64;
    is_listed[node] = 1;
    const uintptr_t address = (uintptr_t)(text_low + off);
    const uintptr_t count = (uintptr_t)counts[node & mask];
    __builtin_memcpy(at, &address, sizeof(address));
    __builtin_memcpy(at + sizeof(address), &count, sizeof(count));
    at += n_bytes;
  }
  *next = step;
  return at;
}

/* Continues after the last call, until there is no room or no entry. Returns
   how much room is left. */
static size_t put_group(struct solver *s, struct group *group, uint8_t *at,
                        size_t room) {
  const struct pair_maker maker = pair_maker(s, group);

  if (s->next_addrs != group->at || !s->next_addr) {
    s->next_addrs = group->at;
    s->next_addr = 0;
    s->next_step = (struct solve_step){group->nodes.at, 0};
  }
  while (room && s->next_addr < group->n) {
    const uint32_t n_left = group->n - s->next_addr;
    const uint32_t n = n_left < room ? n_left : (uint32_t)room;
    const arcline_rel32 *const pc = group->pcs + s->next_addr;
    uint8_t *const end = put_pairs(&maker, pc, pc + n, &s->next_step, at);
    room -= (size_t)(end - at) / PAIR_BYTES;
    at = end;
    s->next_addr += n;
  }
  group->nodes.at = s->next_step.at;
  return room;
}

size_t solve_next_blocks(struct solver *s, uint8_t *out, size_t room) {
  size_t left = room;

  for (struct group group = group_at(s, s->next_addrs); group.at;
       group = next_group(s, &group)) {
    left = put_group(s, &group, out + (room - left) * PAIR_BYTES, left);
    if (s->next_addr < group.n)
      return room - left;
  }
  s->next_addrs = addrs_end(s);
  return room - left;
}

int solve_blocks_begin(struct solver *s) {
  const size_t taken_bytes =
      (size_t)(s->text_bytes / 64 + 1) * sizeof(*s->is_taken);
  const size_t n_bytes = taken_bytes + s->n_nodes * sizeof(*s->is_listed);

  s->pairs = (struct solve_memory){s->input.alloc(n_bytes, n_bytes), n_bytes};
  if (!s->pairs.base)
    return -1;
  s->is_taken = s->pairs.base;
  s->is_listed = (uint8_t *)s->pairs.base + taken_bytes;
  s->next_addrs = s->image->sections[SOLVE_ADDRS].bytes;
  s->next_addr = 0;
  return 0;
}
