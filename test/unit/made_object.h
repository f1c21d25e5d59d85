/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Makes up an object: constant data as the pass would emit it, and a collected
 * profile, for tests of the runtime's solver.
 */
#ifndef MADE_OBJECT_H
#define MADE_OBJECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dump/profile.h"
#include "os/os.h"

enum { TEXT_VADDR = 0x1000, N_TEXT = 0x1000, N_MAX = 16, N_DATA = 4096 };

/* One object. Records point to each other by distances, so it never moves. A
   function's slot is its number. */
static struct {
  uint8_t text[N_TEXT];
  uint64_t cells[N_MAX]; /* only their addresses matter */
  struct arcline_func funcs[N_MAX];
  struct arcline_body bodies[N_MAX];
  struct arcline_site sites[N_MAX];
  struct arcline_unit unit;
  arcline_rel32 slots[N_MAX];
  uint8_t data[N_DATA];
} mem;
static size_t n_data;

/* A body, until it is encoded; of the same number as its record. */
static struct made_body {
  const struct arcline_func *own; /* or NULL */
  const struct arcline_func *copies[N_MAX];
  size_t n_copies;
  const uint8_t *plan;
  uint32_t plan_bytes;
} made[N_MAX];

/* Addresses of a function's nodes, which are put into its own body, or the
   first one if it has none. */
static struct made_addrs {
  const struct arcline_func *func;
  uint32_t n, nodes[N_MAX];
  size_t offs[N_MAX];
} made_addrs[N_MAX];
static size_t n_made_addrs;
static struct rt_object object;
static struct rt_profile profile;
static uint64_t pairs[N_MAX][2]; /* the profile's blocks */
static size_t n_pairs;

static inline uint64_t bias(void) { return (uintptr_t)mem.text - TEXT_VADDR; }

static inline uint64_t vaddr_of(const void *at) {
  return (uintptr_t)at - bias();
}

static inline void point(arcline_rel32 *field, const void *at) {
  *field = (arcline_rel32)((intptr_t)at - (intptr_t)field);
}

static inline int clear(void **state) {
  (void)state;
  memset(&mem, 0, sizeof(mem));
  memset(made, 0, sizeof(made));
  n_data = n_made_addrs = 0;
  object = (struct rt_object){
      .load_bias = bias(),
      .n_texts = 1,
      .texts[0] = {.low_vaddr = TEXT_VADDR, .high_vaddr = TEXT_VADDR + N_TEXT},
      .image = {.cells = mem.cells,
                .cells_end = mem.cells + N_MAX,
                .funcs = mem.funcs,
                .funcs_end = mem.funcs,
                .bodies = mem.bodies,
                .bodies_end = mem.bodies,
                .sites = mem.sites,
                .sites_end = mem.sites,
                .plans = mem.data,
                .plans_end = mem.data + N_DATA,
                .data = (const uint8_t *)&mem.unit,
                .data_end = mem.data + N_DATA}};
  profile = (struct rt_profile){
      .cells = rt_map(sizeof(mem.cells)),
      .n_cells = N_MAX,
      .arcs = rt_map(N_MAX * sizeof(*profile.arcs)),
      .n_arcs_room = N_MAX,
  };
  return 0;
}

static inline int release(void **state) {
  (void)state;
  rt_profile_release(&profile);
  return 0;
}

static inline void number(uint64_t value) {
  do {
    mem.data[n_data++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>= 7;
  } while (value);
}

/* Encoded numbers; returns their number of bytes. */
static inline uint32_t numbers(const uint64_t *values, size_t n) {
  const size_t before = n_data;

  for (size_t i = 0; i < n; i++)
    number(values[i]);
  return (uint32_t)(n_data - before);
}

#define NUMBERS(...)                                                           \
  numbers((const uint64_t[]){__VA_ARGS__},                                     \
          sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

/* Parts of an encoded edge. */
enum {
  COUNTED = ARCLINE_EDGE_HAS_COUNTER,
  NEXT = ARCLINE_EDGE_IS_NEXT,
  TO_EXIT = 0,
  TO_NEXT = 1 << ARCLINE_EDGE_TO_BITS,  // the node after that it comes from
  TO_SECOND = 3 << ARCLINE_EDGE_TO_BITS // the one after that
};

/* The strings of one unit: "\0a\0b" and so on. */
struct unit {
  const char *strings;
  uint32_t n_bytes;
};

static inline struct unit make_unit(const char *text, size_t n_bytes) {
  struct unit unit = {(char *)mem.data + n_data, (uint32_t)n_bytes};

  memcpy(mem.data + n_data, text, n_bytes);
  n_data += n_bytes;
  return unit;
}

#define UNIT(text) make_unit((text), sizeof(text))

/* Offset of a name in the unit's strings, which must have it. */
static inline uint32_t string(const struct unit *unit, const char *name) {
  for (uint32_t i = 0; i < unit->n_bytes; i++)
    if ((i == 0 || !unit->strings[i - 1]) && !strcmp(unit->strings + i, name))
      return i;
  fail_msg("no string %s", name);
  return 0;
}

/* A function whose graph is encoded from n_data on. */
static inline struct arcline_func *
begin_func(const struct unit *unit, unsigned flags, uint32_t n_counters) {
  struct arcline_func *func =
      &mem.funcs[object.image.funcs_end++ - object.image.funcs];

  point(&mem.slots[mem.unit.n++], func);
  func->version = ARCLINE_ABI_VERSION;
  func->flags = (uint16_t)flags;
  func->n_counters = n_counters;
  func->strings_bytes = unit->n_bytes;
  point(&func->strings, unit->strings);
  point(&func->graph, mem.data + n_data);
  return func;
}

/* A function with one node, one counter, and calls of the names up to NULL; ""
   is an indirect call. alias may be NULL. */
static inline struct arcline_func *add_func(const struct unit *unit,
                                            unsigned flags, const char *name,
                                            const char *alias,
                                            const char *const *callees) {
  struct arcline_func *func = begin_func(unit, flags, 1);
  size_t n = 0;

  while (callees && callees[n])
    n++;
  func->graph_bytes = NUMBERS(string(unit, name), 1, 2, alias != NULL);
  if (alias)
    func->graph_bytes += NUMBERS(string(unit, alias));
  func->graph_bytes += NUMBERS(TO_NEXT | COUNTED | ARCLINE_EDGE_ENTRY,
                               TO_EXIT | NEXT | ARCLINE_EDGE_EXIT, n);
  for (size_t i = 0; i < n; i++)
    func->graph_bytes += NUMBERS(0, string(unit, callees[i]));
  return func;
}

#define CALLS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Its own body, at text + off, with cells from first_cell on. */
static inline struct arcline_body *add_body(const struct arcline_func *func,
                                            size_t off, size_t first_cell,
                                            uint32_t n_cells) {
  struct arcline_body *body =
      &mem.bodies[object.image.bodies_end++ - object.image.bodies];

  point(&body->pc, mem.text + off);
  point(&body->unit, &mem.unit);
  point(&body->cells, mem.cells + first_cell);
  body->n_cells = n_cells;
  made[body - mem.bodies].own = func;
  return body;
}

/* The plan is the n_bytes that were encoded last. */
static inline void set_plan(const struct arcline_body *body, uint32_t n_bytes) {
  made[body - mem.bodies].plan = mem.data + n_data - n_bytes;
  made[body - mem.bodies].plan_bytes = n_bytes;
}

struct made_copy {
  const struct arcline_body *body;
  uint32_t number;
};

static inline struct made_copy add_copy(const struct arcline_body *body,
                                        const struct arcline_func *func) {
  struct made_body *to = &made[body - mem.bodies];

  to->copies[to->n_copies++] = func;
  return (struct made_copy){body, (uint32_t)to->n_copies - 1};
}

/* A function with its body at text + off, one cell, and one copy, in it. */
static inline struct made_copy place(const struct arcline_func *func,
                                     size_t off, size_t i_cell) {
  return add_copy(add_body(func, off, i_cell, 1), func);
}

static inline struct arcline_site *
add_site(struct made_copy copy, uint32_t call, size_t first_callee) {
  struct arcline_site *site =
      &mem.sites[object.image.sites_end++ - object.image.sites];

  point(&site->body, copy.body);
  site->copy = copy.number;
  site->call = call;
  site->callee = first_callee ? (uintptr_t)(mem.text + first_callee) : 0;
  return site;
}

/* n nodes less than 64 apart are at text + offs, or were deleted if that is 0.
 */
static inline void add_addrs(const struct arcline_func *func, uint32_t n,
                             const uint32_t *nodes, const size_t *offs) {
  struct made_addrs *addrs = &made_addrs[n_made_addrs++];

  addrs->func = func;
  addrs->n = n;
  memcpy(addrs->nodes, nodes, n * sizeof(*nodes));
  memcpy(addrs->offs, offs, n * sizeof(*offs));
}

static inline void add_addr(const struct arcline_func *func, uint32_t node,
                            size_t off) {
  add_addrs(func, 1, &node, &off);
}

/* The body that the function's addresses are put into. */
static inline size_t body_of(const struct arcline_func *func) {
  const size_t n = (size_t)(object.image.bodies_end - object.image.bodies);

  for (size_t i = 0; i < n; i++)
    if (made[i].own == func)
      return i;
  return 0;
}

static inline void encode_addrs(const struct made_addrs *addrs, size_t i_body) {
  const size_t entry = (size_t)((const uint8_t *)&mem.bodies[i_body].pc +
                                mem.bodies[i_body].pc - mem.text);

  NUMBERS((uint64_t)(addrs->func - mem.funcs), addrs->n);
  for (uint32_t i = 0; i < addrs->n; i++) {
    const int32_t distance =
        addrs->offs[i] ? (int32_t)(addrs->offs[i] - entry) : -1;
    memcpy(mem.data + n_data, &distance, sizeof(distance));
    n_data += sizeof(distance);
  }
  for (uint32_t i = 0; i < addrs->n; i++) {
    const int32_t step =
        (int32_t)(addrs->nodes[i] - (i ? addrs->nodes[i - 1] : 0));
    NUMBERS((uint64_t)(step < 0 ? -2 * step - 1 : 2 * step));
  }
}

/* Encode all bodies, unless that has been done. */
static inline void encode_bodies(void) {
  const size_t n = (size_t)(object.image.bodies_end - object.image.bodies);

  if (mem.bodies[0].data_bytes)
    return;
  for (size_t i = 0; i < n; i++) {
    const size_t before = n_data;
    point(&mem.bodies[i].data, mem.data + n_data);
    NUMBERS(made[i].own ? (uint64_t)(made[i].own - mem.funcs) + 1 : 0,
            made[i].n_copies);
    for (size_t k = 0; k < made[i].n_copies; k++)
      NUMBERS((uint64_t)(made[i].copies[k] - mem.funcs));
    NUMBERS(made[i].plan_bytes);
    if (made[i].plan_bytes)
      memcpy(mem.data + n_data, made[i].plan, made[i].plan_bytes);
    n_data += made[i].plan_bytes;
    for (size_t k = 0; k < n_made_addrs; k++)
      if (body_of(made_addrs[k].func) == i)
        encode_addrs(&made_addrs[k], i);
    mem.bodies[i].data_bytes = (uint32_t)(n_data - before);
  }
}

/* An arc as collected. */
static inline void add_arc(uint64_t from, uint64_t self, uint64_t count) {
  profile.arcs[profile.n_arcs++] = (struct solve_arc){from, self, count};
}

static inline void solve(void) {
  encode_bodies();
  assert_int_equal(rt_profile_solve(&object, &profile), 0);
  n_pairs = profile.solver
                ? solve_next_blocks(profile.solver, (uint8_t *)pairs, N_MAX)
                : 0;
}

/* Count of the arc from text + from to text + self; -1: there is none. */
static inline int64_t arc(size_t from, size_t self) {
  for (size_t i = 0; i < profile.n_arcs; i++)
    if (profile.arcs[i].from == (from ? TEXT_VADDR + from : 0) &&
        profile.arcs[i].self == TEXT_VADDR + self)
      return (int64_t)profile.arcs[i].count;
  return -1;
}

static inline int64_t block(size_t off) {
  for (size_t i = 0; i < n_pairs; i++)
    if (pairs[i][0] == TEXT_VADDR + off)
      return (int64_t)pairs[i][1];
  return -1;
}

static inline void check_sorted(void) {
  for (size_t i = 1; i < profile.n_arcs; i++)
    assert_true(profile.arcs[i - 1].from < profile.arcs[i].from ||
                (profile.arcs[i - 1].from == profile.arcs[i].from &&
                 profile.arcs[i - 1].self < profile.arcs[i].self));
}

#endif
