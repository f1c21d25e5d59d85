/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From cells to blocks and arcs in the runtime: plans, terms, copies, direct
 * and indirect calls. The constant data is made up here, as the pass would have
 * left it in an object whose text is the array of that name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/rt.h"

enum { TEXT_VADDR = 0x1000, N_TEXT = 0x1000, N_MAX = 16, N_DATA = 4096 };

/* One object. Records point to each other by distances, so it never moves. */
static struct {
  uint8_t text[N_TEXT];
  uint64_t cells[N_MAX]; /* only their addresses matter */
  struct arcline_func funcs[N_MAX];
  struct arcline_body bodies[N_MAX];
  struct arcline_copy copies[N_MAX];
  struct arcline_site sites[N_MAX];
  struct arcline_addr addrs[N_MAX];
  uint8_t data[N_DATA];
} mem;
static size_t n_data;
static struct rt_object object;
static struct rt_profile profile;

static uint64_t bias(void) { return (uintptr_t)mem.text - TEXT_VADDR; }

static uint64_t vaddr_of(const void *at) { return (uintptr_t)at - bias(); }

static void point(arcline_rel32 *field, const void *at) {
  *field = (arcline_rel32)((intptr_t)at - (intptr_t)field);
}

static int clear(void **state) {
  (void)state;
  memset(&mem, 0, sizeof mem);
  n_data = 0;
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
                .copies = mem.copies,
                .copies_end = mem.copies,
                .sites = mem.sites,
                .sites_end = mem.sites,
                .data = mem.data,
                .data_end = mem.data + N_DATA,
                .addrs = mem.addrs,
                .addrs_end = mem.addrs}};
  profile = (struct rt_profile){
      .cells = rt_map(sizeof mem.cells),
      .n_cells = N_MAX,
      .arcs = rt_map(N_MAX * sizeof *profile.arcs),
      .n_arcs_room = N_MAX,
  };
  return 0;
}

static int release(void **state) {
  (void)state;
  rt_profile_release(&profile);
  return 0;
}

static void number(uint64_t value) {
  do {
    mem.data[n_data++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>= 7;
  } while (value);
}

/* Encoded numbers; returns how many bytes they take. */
static uint32_t numbers(const uint64_t *values, size_t n) {
  const size_t before = n_data;

  for (size_t i = 0; i < n; i++)
    number(values[i]);
  return (uint32_t)(n_data - before);
}

#define NUMBERS(...)                                                           \
  numbers((const uint64_t[]){__VA_ARGS__},                                     \
          sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

/* The strings of one unit: "\0a\0b" and so on. */
struct unit {
  const char *strings;
  uint32_t n_bytes;
};

static struct unit make_unit(const char *text, size_t n_bytes) {
  struct unit unit = {(char *)mem.data + n_data, (uint32_t)n_bytes};

  memcpy(mem.data + n_data, text, n_bytes);
  n_data += n_bytes;
  return unit;
}

#define UNIT(text) make_unit(text, sizeof text)

/* Offset of a name in the unit's strings, which must have it. */
static uint32_t string(const struct unit *unit, const char *name) {
  for (uint32_t i = 0; i < unit->n_bytes; i++)
    if ((i == 0 || !unit->strings[i - 1]) && !strcmp(unit->strings + i, name))
      return i;
  fail_msg("no string %s", name);
  return 0;
}

/* A function whose graph is encoded from n_data on. */
static struct arcline_func *begin_func(const struct unit *unit, unsigned flags,
                                       uint32_t n_counters) {
  struct arcline_func *func =
      &mem.funcs[object.image.funcs_end++ - object.image.funcs];

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
static struct arcline_func *add_func(const struct unit *unit, unsigned flags,
                                     const char *name, const char *alias,
                                     const char *const *callees) {
  struct arcline_func *func = begin_func(unit, flags, 1);
  size_t n = 0;

  while (callees && callees[n])
    n++;
  func->graph_bytes = NUMBERS(string(unit, name), 0, 1, 0, 1, 2);
  func->graph_bytes += NUMBERS(1, 0, 1 << 4 | 3, 0, 1, 4, 0, n);
  for (size_t i = 0; i < n; i++)
    func->graph_bytes += NUMBERS(0, 0, 0, string(unit, callees[i]));
  func->graph_bytes += NUMBERS(alias != NULL);
  if (alias)
    func->graph_bytes += NUMBERS(string(unit, alias));
  return func;
}

#define CALLS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Its own body, at text + off, with cells from first_cell on. */
static struct arcline_body *add_body(const struct arcline_func *func,
                                     size_t off, size_t first_cell,
                                     uint32_t n_cells) {
  struct arcline_body *body =
      &mem.bodies[object.image.bodies_end++ - object.image.bodies];

  point(&body->pc, mem.text + off);
  point(&body->func, func);
  point(&body->cells, mem.cells + first_cell);
  body->n_cells = n_cells;
  return body;
}

static struct arcline_copy *add_copy(const struct arcline_body *body,
                                     const struct arcline_func *func,
                                     uint32_t first_edge) {
  struct arcline_copy *copy =
      &mem.copies[object.image.copies_end++ - object.image.copies];

  point(&copy->body, body);
  point(&copy->func, func);
  copy->first_edge = first_edge;
  return copy;
}

/* A function with its body at text + off, one cell, and one copy, in it. */
static struct arcline_copy *place(const struct arcline_func *func, size_t off,
                                  size_t i_cell) {
  return add_copy(add_body(func, off, i_cell, 1), func, 0);
}

static struct arcline_site *add_site(const struct arcline_copy *copy,
                                     uint32_t call, size_t first_callee) {
  struct arcline_site *site =
      &mem.sites[object.image.sites_end++ - object.image.sites];

  point(&site->copy, copy);
  site->call = call;
  site->callee = first_callee ? (uintptr_t)(mem.text + first_callee) : 0;
  return site;
}

static void add_addr(const struct arcline_func *func, uint32_t node,
                     size_t off) {
  struct arcline_addr *addr =
      &mem.addrs[object.image.addrs_end++ - object.image.addrs];

  addr->pc = (uintptr_t)(mem.text + off);
  addr->node = node;
  point(&addr->func, func);
}

/* An arc as collected. */
static void add_arc(uint64_t from, uint64_t self, uint64_t count) {
  profile.arcs[profile.n_arcs++] = (struct rt_arc){from, self, count};
}

static void solve(void) {
  assert_int_equal(rt_profile_solve(&object, &profile), 0);
}

/* Count of the arc from text + from to text + self; -1: there is none. */
static int64_t arc(size_t from, size_t self) {
  for (size_t i = 0; i < profile.n_arcs; i++)
    if (profile.arcs[i].from == (from ? TEXT_VADDR + from : 0) &&
        profile.arcs[i].self == TEXT_VADDR + self)
      return (int64_t)profile.arcs[i].count;
  return -1;
}

static int64_t block(size_t off) {
  for (size_t i = 0; i < profile.n_blocks; i++)
    if (profile.blocks[i].vaddr == TEXT_VADDR + off)
      return (int64_t)profile.blocks[i].count;
  return -1;
}

static void check_sorted(void) {
  for (size_t i = 1; i < profile.n_arcs; i++)
    assert_true(profile.arcs[i - 1].from < profile.arcs[i].from ||
                (profile.arcs[i - 1].from == profile.arcs[i].from &&
                 profile.arcs[i - 1].self < profile.arcs[i].self));
}

/* A diamond: EXIT->0; 0->1 counter 0; 0->2; 1->2; 2->EXIT counter 1. */
static struct arcline_func *add_diamond(const struct unit *unit) {
  struct arcline_func *func = begin_func(unit, 0, 2);

  func->graph_bytes = NUMBERS(1, 0, 1, 0, 3, 5);
  func->graph_bytes += NUMBERS(3, 0, 3, 0, 1, 1 << 4 | 1, 0, 2, 1);
  func->graph_bytes += NUMBERS(1, 2, 0, 2, 3, 2 << 4 | 4);
  func->graph_bytes += NUMBERS(1, 2 << 1 | 1, 0, 0, 2, 1, 0, 3, 0, 0, 0);
  for (uint32_t node = 0; node < 3; node++)
    add_addr(func, node, 0x100 + 16 * node);
  return func;
}

static void edges_are_cells_without_a_plan(void **state) {
  const struct unit unit = UNIT("\0f");
  const struct arcline_func *f = add_diamond(&unit);

  (void)state;
  add_copy(add_body(f, 0x100, 1, 3), f, 1);
  profile.cells[2] = 3;
  profile.cells[3] = 10;
  solve();
  assert_int_equal(block(0x100), 10);
  assert_int_equal(block(0x110), 3);
  assert_int_equal(block(0x120), 10);
}

/* The plan: EXIT->0 cell 1; 0->1 cell 0; 0->1; 1->EXIT; of which the last two
   follow. Counter 0 is twice edge 1, counter 1 edge 3 and thrice edge 2. */
static void plan_and_terms_are_solved(void **state) {
  const struct unit unit = UNIT("\0f");
  const struct arcline_func *f = add_diamond(&unit);
  struct arcline_body *body = add_body(f, 0x100, 0, 2);
  struct arcline_copy *copy = add_copy(body, f, 0);

  (void)state;
  point(&body->plan, mem.data + n_data);
  body->plan_bytes =
      NUMBERS(2, 4, 2, 0, 2 << 4, 0, 1, 1 << 4, 0, 1, 0, 1, 2, 0);
  point(&copy->terms, mem.data + n_data);
  copy->terms_bytes = NUMBERS(0, 1, 2, 1, 3, 1, 0, 2, 3);
  profile.cells[0] = 5;
  profile.cells[1] = 9;
  solve();
  assert_int_equal(block(0x110), 2 * 5);
  assert_int_equal(block(0x120), 9 + 3 * 4);
}

static void copies_add_up(void **state) {
  const struct unit unit = UNIT("\0f\0g\0main");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, CALLS("g"));
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *main =
      add_func(&unit, ARCLINE_FUNC_ARCS, "main", NULL, CALLS("f", "f"));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  const struct arcline_body *body = add_body(main, 0x300, 2, 3);
  add_copy(body, main, 0);
  add_copy(body, f, 1);
  add_copy(body, g, 2);
  add_addr(f, 0, 0x100);
  profile.cells[0] = 100; // f's own body
  profile.cells[1] = 103; // g's: from f there, and from 3 of the calls below
  profile.cells[2] = 1;
  profile.cells[3] = 5; // f in main
  profile.cells[4] = 2; // g in main
  solve();
  assert_int_equal(block(0x100), 105);
  assert_int_equal(arc(0x100, 0x200), 105); // all copies of f: at f's own
  assert_int_equal(arc(0x300, 0x100), 2);
  assert_int_equal(arc(0, 0x100), 103);
  assert_int_equal(arc(0, 0x300), 1);
  assert_int_equal(arc(0, 0x200), -1); // all 105 calls are known
  assert_int_equal(profile.n_arcs, 4);
  check_sorted();
}

/* Calls of a function that has no body left come from where its copies are. */
static void caller_without_body(void **state) {
  const struct unit unit = UNIT("\0f\0g\0a\0b");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, CALLS("g"));
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("f"));
  const struct arcline_func *b =
      add_func(&unit, ARCLINE_FUNC_ARCS, "b", NULL, CALLS("f"));

  (void)state;
  place(g, 0x100, 0);
  const struct arcline_body *in_a = add_body(a, 0x200, 1, 2);
  add_copy(in_a, a, 0);
  add_copy(in_a, f, 1);
  const struct arcline_body *in_b = add_body(b, 0x300, 3, 2);
  add_copy(in_b, f, 1);
  add_copy(in_b, b, 0);
  add_addr(f, 0, 0x208); // does not count: it is the code of one of many
  for (size_t i = 0; i < 5; i++)
    profile.cells[i] = (const uint64_t[]){11, 4, 4, 7, 7}[i];
  solve();
  assert_int_equal(arc(0x200, 0x100), 4);
  assert_int_equal(arc(0x300, 0x100), 7);
  assert_int_equal(arc(0, 0x100), -1);
  assert_int_equal(block(0x208), 11);
  assert_int_equal(profile.n_arcs, 4); // and those to a and b from nowhere
}

/* The same in the body of a function that is not instrumented itself. */
static void caller_in_body_without_record(void **state) {
  const struct unit unit = UNIT("\0f\0g");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, CALLS("g", ""));
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);

  (void)state;
  place(g, 0x100, 0);
  struct arcline_body *body = add_body(f, 0x200, 1, 1);
  body->func = 0;
  add_site(add_copy(body, f, 0), 1, 0x200);
  profile.cells[0] = 5;
  profile.cells[1] = 4;
  solve();
  assert_int_equal(arc(0x200, 0x100), 4);
  assert_int_equal(arc(0, 0x100), 1);
  assert_int_equal(arc(0x200, 0x200), 4); // as any function without a record
  assert_int_equal(profile.n_arcs, 3);
}

static void arc_starts_at_the_calls_node(void **state) {
  const struct unit unit = UNIT("\0f\0g");
  struct arcline_func *f = begin_func(&unit, 0, 1);
  const struct arcline_func *g =
      (point(&f->graph, mem.data + n_data),
       f->graph_bytes = NUMBERS(1, 0, 1, 0, 2, 3, 2, 0, 1 << 4 | 3, 0, 1, 2, 1,
                                2, 4, 0, 0, 2, 0, 0, 0, 3, 1, 0, 0, 3, 0),
       add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  mem.addrs[object.image.addrs_end++ - object.image.addrs].pc = 1; // dead
  add_addr(f, 1, 0x140);
  add_addr(f, 1, 0x180);
  profile.cells[0] = 6;
  profile.cells[1] = 12;
  solve();
  assert_int_equal(arc(0x100, 0x200), 6); // node 0 has no address
  assert_int_equal(arc(0x140, 0x200), 6);
  assert_int_equal(block(0x180), -1);
}

static void callee_is_told_by_name(void **state) {
  const struct unit one = UNIT("\0a\0same\0alias\0far\0puts\0counted\0gone");
  const struct unit two = UNIT("\0same\0far\0b\0alias");
  const unsigned local = ARCLINE_FUNC_ARCS | ARCLINE_FUNC_LOCAL;
  const struct arcline_func *same_two =
      add_func(&two, local, "same", NULL, NULL);
  const struct arcline_func *same_one =
      add_func(&one, local, "same", NULL, NULL);
  const struct arcline_func *far =
      add_func(&two, ARCLINE_FUNC_ARCS, "far", "alias", NULL);
  const struct arcline_func *counted = add_func(&one, 0, "counted", NULL, NULL);
  const struct arcline_func *a =
      add_func(&one, ARCLINE_FUNC_ARCS, "a", NULL,
               CALLS("same", "alias", "far", "puts", "counted", "gone", "far"));
  const struct arcline_func *b =
      add_func(&two, ARCLINE_FUNC_ARCS, "b", NULL, CALLS("same"));

  (void)state;
  add_func(&one, ARCLINE_FUNC_ARCS, "gone", NULL, NULL); // no body
  place(same_two, 0x100, 0);
  place(same_one, 0x200, 1);
  place(far, 0x300, 2);
  place(counted, 0x400, 3);
  place(a, 0x500, 4);
  place(b, 0x600, 5);
  for (size_t i = 0; i < 6; i++)
    profile.cells[i] = (const uint64_t[]){5, 2, 6, 2, 2, 5}[i];
  solve();
  assert_int_equal(arc(0x500, 0x200), 2);
  assert_int_equal(arc(0x600, 0x100), 5);
  assert_int_equal(arc(0x500, 0x300), 6); // by alias, and twice by name
  assert_int_equal(profile.n_arcs, 5);    // and those to a and b from nowhere
}

/* A local function is not known to another unit. */
static void local_name_of_another_unit(void **state) {
  const struct unit one = UNIT("\0a\0hidden");
  const struct unit two = UNIT("\0hidden");
  const struct arcline_func *hidden = add_func(
      &two, ARCLINE_FUNC_ARCS | ARCLINE_FUNC_LOCAL, "hidden", NULL, NULL);
  const struct arcline_func *a =
      add_func(&one, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("hidden"));

  (void)state;
  place(hidden, 0x100, 0);
  place(a, 0x200, 1);
  profile.cells[0] = 1;
  profile.cells[1] = 4;
  solve();
  assert_int_equal(arc(0x200, 0x100), -1);
  assert_int_equal(arc(0, 0x100), 1);
}

static void indirect_calls(void **state) {
  const struct unit unit = UNIT("\0a\0f\0g\0counted");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *counted =
      add_func(&unit, 0, "counted", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("", "f", "", ""));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  place(counted, 0x300, 2);
  const struct arcline_copy *copy = place(a, 0x400, 3);
  add_site(copy, 3, 0); // never called, it says
  const struct arcline_site *first = add_site(copy, 0, 0x100);
  const struct arcline_site *second = add_site(copy, 2, 0x300);
  for (size_t i = 0; i < 4; i++)
    profile.cells[i] = (const uint64_t[]){193, 7, 90, 100}[i];
  add_arc(0, TEXT_VADDR + 0x300, 1); // by mcount
  add_arc(TEXT_VADDR + 0x410, TEXT_VADDR + 0x300, 92);
  add_arc(vaddr_of(first), 0, 2); // outside of the object
  add_arc(vaddr_of(first), TEXT_VADDR + 0x200, 4);
  add_arc(vaddr_of(first), TEXT_VADDR + 0x300, 1); // counted by mcount as well
  add_arc(vaddr_of(second), TEXT_VADDR + 0x200, 3);
  add_arc(vaddr_of(second), TEXT_VADDR + 0x800, 6); // not instrumented
  solve();
  assert_int_equal(arc(0x400, 0x100), 100 + 93);
  assert_int_equal(arc(0x400, 0x200), 4 + 3);
  assert_int_equal(arc(0x400, 0x800), 6);
  assert_int_equal(arc(0x400, 0x300), -1);
  assert_int_equal(arc(0x410, 0x300), 92);
  assert_int_equal(arc(0, 0x300), 1);
  assert_int_equal(arc(0, 0x400), 100);
  assert_int_equal(profile.n_arcs, 6);
  check_sorted();
}

/* Each copy of a function has sites of its own. */
static void sites_of_copies(void **state) {
  const struct unit unit = UNIT("\0a\0f\0g\0h");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS(""));
  const struct arcline_func *h =
      add_func(&unit, ARCLINE_FUNC_ARCS, "h", NULL, CALLS("a"));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  const struct arcline_copy *own = place(a, 0x300, 2);
  const struct arcline_body *body = add_body(h, 0x400, 3, 2);
  add_copy(body, h, 0);
  const struct arcline_copy *inlined = add_copy(body, a, 1);
  const struct arcline_site *site = add_site(inlined, 0, 0x100);
  add_site(own, 0, 0x200);
  for (size_t i = 0; i < 5; i++)
    profile.cells[i] = (const uint64_t[]){10, 23, 20, 13, 13}[i];
  add_arc(vaddr_of(site), TEXT_VADDR + 0x200, 3);
  solve();
  assert_int_equal(arc(0x300, 0x100), 10);
  assert_int_equal(arc(0x300, 0x200), 23);
  assert_int_equal(arc(0, 0x100), -1);
  assert_int_equal(arc(0, 0x200), -1);
  assert_int_equal(arc(0x400, 0x300), 13);
  assert_int_equal(arc(0, 0x300), 20);
}

static void more_other_calls_than_all_is_none(void **state) {
  const struct unit unit = UNIT("\0a\0f");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS(""));

  (void)state;
  place(f, 0x100, 0);
  const struct arcline_site *site = add_site(place(a, 0x200, 1), 0, 0x100);
  profile.cells[1] = 2; // read before the call was counted
  add_arc(vaddr_of(site), TEXT_VADDR + 0x800, 3);
  solve();
  assert_int_equal(arc(0x200, 0x100), -1);
  assert_int_equal(arc(0x200, 0x800), 3);
}

/* An object that is unloaded and loaded again, where another callee is the
   first one: what has been counted keeps its callee. */
static void first_callee_is_fixed(void **state) {
  const struct unit unit = UNIT("\0a\0f\0g");
  const struct arcline_func *f =
      add_func(&unit, ARCLINE_FUNC_ARCS, "f", NULL, NULL);
  const struct arcline_func *g =
      add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);
  const struct arcline_func *a =
      add_func(&unit, ARCLINE_FUNC_ARCS, "a", NULL, CALLS("", ""));

  (void)state;
  place(f, 0x100, 0);
  place(g, 0x200, 1);
  const struct arcline_copy *copy = place(a, 0x300, 2);
  struct arcline_site *site = add_site(copy, 0, 0x100);
  struct arcline_site *outside = add_site(copy, 1, 0);
  outside->callee = 0x10; // in no text of ours
  add_arc(vaddr_of(site), TEXT_VADDR + 0x200, 4);
  profile.cells[2] = 10;
  assert_int_equal(rt_profile_fix_sites(&object, &profile), 0);
  assert_int_equal(profile.n_arcs, 3);
  site->callee = (uintptr_t)mem.text + 0x200;
  outside->callee = (uintptr_t)mem.text + 0x200;
  profile.cells[2] += 5;
  solve();
  assert_int_equal(arc(0x300, 0x100), 6);
  assert_int_equal(arc(0x300, 0x200), 4 + 5 + 5);
}

static void names_and_records_are_all_optional(void **state) {
  (void)state;
  add_arc(TEXT_VADDR, TEXT_VADDR + 0x100, 4);
  object.image.addrs_end = object.image.addrs;
  solve();
  assert_int_equal(arc(0, 0x100), -1);
  assert_int_equal(profile.arcs[0].count, 4);
  assert_int_equal(profile.n_blocks, 0);
}

/* f, which is damaged, and g, which is not. */
struct victim {
  struct arcline_func *f;
  struct arcline_body *body;
  struct arcline_copy *copy;
};

static struct victim make_victim(void) {
  const struct unit unit = UNIT("\0f\0g");
  struct victim victim = {.f = add_diamond(&unit)};
  struct arcline_func *g = add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);

  victim.body = add_body(victim.f, 0x100, 0, 2);
  victim.copy = add_copy(victim.body, victim.f, 0);
  point(&victim.body->plan, mem.data + n_data);
  victim.body->plan_bytes = NUMBERS(0, 2, 0, 0, 1 << 4, 0, 0, 2 << 4);
  point(&victim.copy->terms, mem.data + n_data);
  victim.copy->terms_bytes = NUMBERS(0, 0, 1, 1, 1, 1);
  place(g, 0x200, 2);
  add_addr(g, 0, 0x200);
  for (size_t i = 0; i < 3; i++)
    profile.cells[i] = (const uint64_t[]){1, 2, 3}[i];
  return victim;
}

static void check_victim(bool is_left_out) {
  solve();
  assert_int_equal(block(0x110), is_left_out ? -1 : 1);
  assert_int_equal(block(0x100), is_left_out ? -1 : 2);
  assert_int_equal(block(0x200), 3);
  assert_int_equal(arc(0, 0x200), 3);
  release(NULL);
}

static void damaged_records_are_left_out(void **state) {
  struct victim victim;

  (void)state;
  release(NULL);
#define DAMAGE(is_left_out, statement)                                         \
  clear(NULL);                                                                 \
  victim = make_victim();                                                      \
  statement;                                                                   \
  check_victim(is_left_out)
  DAMAGE(false, (void)victim);
  DAMAGE(true, victim.f->version = 1);
  DAMAGE(true, victim.f->graph_bytes = UINT32_MAX);
  DAMAGE(true, victim.f->graph_bytes = 20);
  DAMAGE(true, point(&victim.f->graph, mem.text));
  DAMAGE(true, point(&victim.f->strings, mem.data + N_DATA));
  DAMAGE(true, victim.f->strings_bytes = 0);
  DAMAGE(true, victim.f->strings_bytes = 2);
  DAMAGE(true, victim.f->n_counters = 1);
  DAMAGE(true, victim.f->n_counters = 1000000);
  DAMAGE(true, victim.body->func += 4);
  DAMAGE(true, point(&victim.body->func, mem.bodies));
  DAMAGE(true, point(&victim.body->cells, mem.cells - 1));
  DAMAGE(true, victim.body->cells += 4);
  DAMAGE(true, victim.body->n_cells = 17);
  DAMAGE(true, victim.body->n_cells = UINT32_MAX);
  DAMAGE(true, victim.body->n_cells = 1); // of which the plan names two
  DAMAGE(true, victim.body->plan_bytes -= 1);
  DAMAGE(true, victim.body->plan_bytes = 1);
  DAMAGE(true, point(&victim.body->plan, mem.data + N_DATA - 1));
  DAMAGE(true, point(&victim.copy->body, mem.funcs));
  DAMAGE(true, victim.copy->terms_bytes -= 1);
  DAMAGE(true, victim.copy->terms_bytes = UINT32_MAX);
  DAMAGE(true, point(&victim.copy->terms, mem.text));
  DAMAGE(true, (victim.copy->terms_bytes = 0, victim.copy->first_edge = 1));
  DAMAGE(true,
         (victim.copy->terms_bytes = 0, victim.copy->first_edge = UINT32_MAX));
#undef DAMAGE
  // Without its copy nothing is known to have run.
  clear(NULL);
  victim = make_victim();
  point(&victim.copy->func, mem.text);
  solve();
  assert_int_equal(block(0x100), 0);
  assert_int_equal(block(0x200), 3);
}

/* Whatever one byte says, solving ends, within its memory. */
static void any_byte(void **state) {
  uint8_t *const first = (uint8_t *)mem.cells;
  const size_t n_bytes = sizeof mem - (size_t)(first - (uint8_t *)&mem);

  (void)state;
  release(NULL);
  for (size_t at = 0; at < n_bytes; at++)
    for (int bit = 0; bit < 8; bit++) {
      clear(NULL);
      const struct victim victim = make_victim();
      add_site(victim.copy, 0, 0x200);
      if (at > (size_t)(mem.data - first) + n_data) {
        release(NULL);
        break;
      }
      first[at] ^= (uint8_t)(1 << bit);
      solve();
      assert_in_range(profile.n_blocks, 0, 4);
      assert_in_range(profile.n_arcs, 0, 2);
      release(NULL);
    }
  clear(NULL);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, clear, release)
  const struct CMUnitTest tests[] = {
      TEST(edges_are_cells_without_a_plan),
      TEST(plan_and_terms_are_solved),
      TEST(copies_add_up),
      TEST(caller_without_body),
      TEST(caller_in_body_without_record),
      TEST(arc_starts_at_the_calls_node),
      TEST(callee_is_told_by_name),
      TEST(local_name_of_another_unit),
      TEST(indirect_calls),
      TEST(sites_of_copies),
      TEST(more_other_calls_than_all_is_none),
      TEST(first_callee_is_fixed),
      TEST(names_and_records_are_all_optional),
      TEST(damaged_records_are_left_out),
      TEST(any_byte),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
