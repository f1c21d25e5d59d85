/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes pairs of address and count, for the addresses of blocks that the pass
   recorded. */
#include "solve/solver.h"

enum { PAIR_BYTES = 2 * sizeof(uintptr_t) };

/* The entries of a function in a body. */
struct group {
  const uint8_t *at; /* its beginning */
  const uint8_t *pcs;
  uint32_t n;
  struct arcline_cursor nodes;
  uint32_t n_nodes; /* 0: no such function, or its counts are bad */
  uint32_t first_node, first_count;
};

/* The groups of all bodies, one after the other. */
struct group_reader {
  const struct solver *s;
  uint32_t i_body;
  struct arcline_cursor left; /* of the body */
  struct solve_slots slots;
  uint64_t entry; /* of the body, in the text */
};

static void find_func(const struct solver *s, uint32_t i, struct group *group) {
  if (i == SOLVE_NONE)
    return;
  const struct solve_func *func = solve_opened(s, i);
  group->first_node = s->heads[i].first_node;
  if (!func || !func->is_bad)
    group->n_nodes = s->heads[i + 1].first_node - group->first_node;
  if (func)
    group->first_count = func->first_count;
}

/* Moves on to a body. It has no groups if it is damaged or has no code. */
static void enter_body(struct group_reader *reader, uint32_t i_body) {
  const struct solver *s = reader->s;
  struct solve_body_data data;

  reader->i_body = i_body;
  reader->left = (struct arcline_cursor){0};
  if (i_body >= s->n_bodies || s->bodies[i_body].is_bad ||
      !s->bodies[i_body].vaddr)
    return;
  const struct arcline_body *record = &solve_body_records(s->image)[i_body];
  if (solve_read_body(s->image, record, &data) != SOLVE_FINE)
    return;
  reader->left = data.addrs;
  reader->slots = solve_body_slots(s->image, record);
  reader->entry = s->bodies[i_body].vaddr - s->text_low;
}

/* Reads the head of the next group. Returns false after the last one. */
static bool next_group(struct group_reader *reader, struct group *out) {
  const struct solver *s = reader->s;
  struct arcline_cursor *left = &reader->left;

  // Nothing is read after what is damaged.
  while (left->at == left->end || left->bad) {
    if (reader->i_body >= s->n_bodies)
      return false;
    enter_body(reader, reader->i_body + 1);
  }
  *out = (struct group){.at = left->at, .first_count = SOLVE_NONE};
  const uint32_t slot = arcline_read_u32(left);
  // An entry has a byte at least beside its distance.
  out->n = arcline_read_length(left, sizeof(int32_t) + 1);
  out->pcs = left->at;
  out->nodes = (struct arcline_cursor){left->at + out->n * sizeof(int32_t),
                                       left->end, left->bad};
  if (!left->bad)
    find_func(s, solve_slot_func(s->image, &reader->slots, slot), out);
  return true;
}

/* Continues after a group whose nodes have all been read. */
static void leave_group(struct group_reader *reader,
                        const struct group *group) {
  reader->left.at = group->nodes.at;
  reader->left.bad |= group->nodes.bad;
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

static uint64_t n_pcs(const struct solver *s) {
  return s->text_bytes < UINT32_MAX ? s->text_bytes : UINT32_MAX;
}

/* Its offset in the text; UINT64_MAX for a deleted block. */
static inline uint64_t offset_of(const uint8_t *pc, uint64_t entry) {
  int32_t distance;

  __builtin_memcpy(&distance, pc, sizeof(distance));
  return distance == -1 ? UINT64_MAX : entry + (uint64_t)(int64_t)distance;
}

void solve_locate(struct solver *s) {
  const uint64_t n = n_pcs(s);
  struct group_reader reader = {.s = s};
  struct group group;

  enter_body(&reader, 0);
  for (; next_group(&reader, &group); leave_group(&reader, &group)) {
    if (group.first_count == SOLVE_NONE || !group.n_nodes) {
      arcline_skip_numbers(&group.nodes, group.n);
      continue;
    }
    uint32_t *const node_at = s->node_at + group.first_count;
    struct solve_step step = {group.nodes.at, 0};
    for (uint32_t i = 0; i < group.n; i++) {
      const uint64_t off =
          offset_of(group.pcs + i * sizeof(int32_t), reader.entry);
      step = next_node(step, group.nodes.end);
      if (step.node < group.n_nodes && off < n && !node_at[step.node])
        node_at[step.node] = (uint32_t)off + 1;
    }
    group.nodes.at = step.at;
  }
}

/* Input for the pairs of a group. */
struct pair_maker {
  uint64_t entry, n, text_low;
  const uint64_t *counts;
  uint32_t mask; /* of the node: which of the counts */
  uint32_t n_nodes;
  const uint8_t *nodes_end;
  uint64_t *is_taken;
  uint8_t *is_listed; /* of the function */
  size_t n_bytes;     /* of a pair; 0: they are not stored */
};

static struct pair_maker pair_maker(const struct group_reader *reader,
                                    const struct group *group) {
  static const uint64_t zero;
  const struct solver *s = reader->s;
  const bool has_run = group->first_count != SOLVE_NONE;

  return (struct pair_maker){
      .entry = reader->entry,
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
put_pairs(const struct pair_maker *maker, const uint8_t *pc, const uint8_t *end,
          struct solve_step *next, uint8_t *at) {
  const uint64_t entry = maker->entry;
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

  for (; pc < end; pc += sizeof(int32_t)) {
    step = next_node(step, nodes_end);
    const uint32_t node = step.node;
    // No pair twice: neither for a node nor for an address.
    if (node >= n_nodes || is_listed[node])
      continue;
    const uint64_t off = offset_of(pc, entry);
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
static size_t put_group(struct solver *s, const struct group_reader *reader,
                        struct group *group, uint8_t *at, size_t room) {
  const struct pair_maker maker = pair_maker(reader, group);

  if (s->next_addrs != group->at || !s->next_addr) {
    s->next_body = reader->i_body;
    s->next_addrs = group->at;
    s->next_addr = 0;
    s->next_step = (struct solve_step){group->nodes.at, 0};
  }
  while (room && s->next_addr < group->n) {
    const uint32_t n_left = group->n - s->next_addr;
    const uint32_t n = n_left < room ? n_left : (uint32_t)room;
    const uint8_t *const pc = group->pcs + s->next_addr * sizeof(int32_t);
    uint8_t *const end =
        put_pairs(&maker, pc, pc + n * sizeof(int32_t), &s->next_step, at);
    room -= (size_t)(end - at) / PAIR_BYTES;
    at = end;
    s->next_addr += n;
  }
  group->nodes.at = s->next_step.at;
  return room;
}

size_t solve_next_blocks(struct solver *s, uint8_t *out, size_t room) {
  struct group_reader reader = {.s = s};
  struct group group;
  size_t left = room;

  enter_body(&reader, s->next_body);
  if (s->next_addrs && reader.left.at)
    reader.left.at = s->next_addrs;
  for (; next_group(&reader, &group); leave_group(&reader, &group)) {
    left =
        put_group(s, &reader, &group, out + (room - left) * PAIR_BYTES, left);
    if (s->next_addr < group.n)
      return room - left;
  }
  s->next_body = (uint32_t)s->n_bodies;
  s->next_addrs = NULL;
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
  s->next_body = 0;
  s->next_addrs = NULL;
  s->next_addr = 0;
  return 0;
}
