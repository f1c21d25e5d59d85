/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds addresses of nodes among those of blocks that the pass recorded, and
   makes pairs of address and count. */
#include "solve/solver.h"

enum { PAIR_BYTES = 2 * sizeof(uintptr_t) };

/* The entries of a function in a body. */
struct group {
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
  *out = (struct group){.first_count = SOLVE_NONE};
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

/* A node of a list of addresses, and the place of the next difference to it. */
struct step {
  const uint8_t *at;
  uint32_t node;
};

static __attribute__((noinline)) struct step
far_node(const uint8_t *at, const uint8_t *end, uint32_t node) {
  struct arcline_cursor nodes = {at, end, 0};

  node += (uint32_t)arcline_unzigzag(arcline_read_uleb(&nodes));
  return nodes.bad ? (struct step){end, SOLVE_NONE}
                   : (struct step){nodes.at, node};
}

/* Adds the next difference, which is nearly always one byte. Returns
   SOLVE_NONE, which is not a node, at the end. */
static inline struct step next_node(struct step step, const uint8_t *end) {
  if (step.at == end || *step.at >= 0x80)
    return far_node(step.at, end, step.node);
  const uint32_t value = *step.at;

  return (struct step){step.at + 1, step.node + ((value >> 1) ^ -(value & 1))};
}

/* Its offset in the text; UINT64_MAX for a deleted block. */
static inline uint64_t offset_of(const uint8_t *pc, uint64_t entry) {
  int32_t distance;

  __builtin_memcpy(&distance, pc, sizeof(distance));
  return distance == -1 ? UINT64_MAX : entry + (uint64_t)(int64_t)distance;
}

/* Input to locate the nodes of a group. */
struct locator {
  uint64_t entry, n;
  uint32_t *node_at, *pair_at; /* or NULL: the function has no counts */
  uint32_t n_nodes;
  const uint8_t *nodes_end;
  uint64_t *is_taken; /* bit per byte of text: a node has it for its pair */
  uint8_t *is_listed; /* of the function's nodes: it has a pair */
};

/* Returns the place of the next number. A program has millions of entries, and
   each is visited here even if its code never ran, since which address stands
   for a node must not depend on what has run: profiles are added up. Members of
   the locator are read once. */
static __attribute__((noinline)) const uint8_t *
locate_group(const struct locator *locator, const uint8_t *pc,
             const uint8_t *end, const uint8_t *nodes) {
  const uint64_t entry = locator->entry;
  const uint64_t n = locator->n;
  uint32_t *const node_at = locator->node_at;
  uint32_t *const pair_at = locator->pair_at;
  const uint32_t n_nodes = locator->n_nodes;
  const uint8_t *const nodes_end = locator->nodes_end;
  uint64_t *const is_taken = locator->is_taken;
  uint8_t *const is_listed = locator->is_listed;
  struct step step = {nodes, 0};

  for (; pc < end; pc += sizeof(int32_t)) {
    step = next_node(step, nodes_end);
    // No pair twice: neither for a node nor for an address.
    if (step.node >= n_nodes || is_listed[step.node])
      continue;
    const uint64_t off = offset_of(pc, entry);
    if (off >= n)
      continue;
    if (node_at && !node_at[step.node])
      node_at[step.node] = (uint32_t)off + 1;
    const uint64_t taken = is_taken[off / 64];
    if (taken >> off % 64 & 1)
      continue;
    is_taken[off / 64] = taken | (uint64_t)1 << off % 64;
    is_listed[step.node] = 1;
    if (pair_at)
      pair_at[step.node] = (uint32_t)off + 1;
  }
  return step.at;
}

int solve_locate(struct solver *s) {
  const size_t taken_bytes =
      (size_t)(s->text_bytes / 64 + 1) * sizeof(uint64_t);
  const size_t n_bytes = taken_bytes + s->n_nodes;
  struct locator locator = {.n = s->text_bytes < UINT32_MAX ? s->text_bytes
                                                            : UINT32_MAX,
                            .is_taken = s->input.alloc(n_bytes, n_bytes)};
  struct group_reader reader = {.s = s};
  struct group group;

  if (!locator.is_taken)
    return -1;
  uint8_t *const is_listed = (uint8_t *)locator.is_taken + taken_bytes;
  enter_body(&reader, 0);
  for (; next_group(&reader, &group); leave_group(&reader, &group)) {
    locator.entry = reader.entry;
    const bool has_counts = group.first_count != SOLVE_NONE;
    locator.node_at = has_counts ? s->node_at + group.first_count : NULL;
    locator.pair_at = has_counts ? s->pair_at + group.first_count : NULL;
    locator.n_nodes = group.n_nodes;
    locator.nodes_end = group.nodes.end;
    locator.is_listed = is_listed + group.first_node;
    group.nodes.at =
        locate_group(&locator, group.pcs, group.pcs + group.n * sizeof(int32_t),
                     group.nodes.at);
  }
  s->input.free(locator.is_taken, n_bytes);
  return 0;
}

size_t solve_next_blocks(struct solver *s, uint8_t *out, size_t room) {
  size_t n = 0;

  for (; s->next_func < s->n_funcs; s->next_func++, s->next_node = 0) {
    const struct solve_func *func = solve_opened(s, s->next_func);
    if (!func || func->is_bad || func->first_count == SOLVE_NONE)
      continue;
    const uint32_t *const pair_at = s->pair_at + func->first_count;
    const uint64_t *const counts = s->counts + func->first_count;
    const uint32_t n_nodes = func->record.head.n_nodes;
    for (uint32_t i = s->next_node; i < n_nodes; i++) {
      if (!pair_at[i])
        continue;
      if (n == room) {
        s->next_node = i;
        return n;
      }
      const uintptr_t pair[] = {(uintptr_t)(s->text_low + pair_at[i] - 1),
                                (uintptr_t)counts[i]};
      __builtin_memcpy(out + n++ * PAIR_BYTES, pair, PAIR_BYTES);
    }
  }
  return n;
}
