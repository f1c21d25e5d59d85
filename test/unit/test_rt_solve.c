/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Blocks from cells in the runtime: plans, terms, graphs, and damaged data.
 */
#include "made_object.h"

/* Terms: n counters of an edge each, n without more, n edges of one counter, an
   edge that counts n times. */
#define EACH(n) (((n)-1) << ARCLINE_TERM_BITS | ARCLINE_TERM_EACH)
#define NO_MORE(n) (((n)-1) << ARCLINE_TERM_BITS | ARCLINE_TERM_NONE)
#define SAME(n) (((n)-1) << ARCLINE_TERM_BITS | ARCLINE_TERM_SAME)
#define TIMES(n) ((n) << ARCLINE_TERM_BITS | ARCLINE_TERM_TIMES)

/* A diamond: EXIT->0; 0->1 counter 0; 0->2; 1->2; 2->EXIT counter 1. */
static struct arcline_func *add_diamond(const struct unit *unit) {
  struct arcline_func *func = begin_func(unit, 0, 2);

  func->graph_bytes = NUMBERS(1, 3, 5, 0);
  func->graph_bytes += NUMBERS(TO_NEXT | ARCLINE_EDGE_ENTRY,
                               TO_NEXT | NEXT | COUNTED | ARCLINE_EDGE_BRANCH,
                               TO_SECOND | ARCLINE_EDGE_BRANCH,
                               TO_NEXT | NEXT | ARCLINE_EDGE_JUMP,
                               TO_EXIT | NEXT | COUNTED | ARCLINE_EDGE_EXIT);
  func->graph_bytes += NUMBERS(0);
  for (uint32_t node = 0; node < 3; node++)
    add_addr(func, node, 0x100 + 16 * node);
  return func;
}

static void edges_are_cells_without_a_plan(void **state) {
  const struct unit unit = UNIT("\0f");
  const struct arcline_func *f = add_diamond(&unit);

  (void)state;
  add_copy(add_body(f, 0x100, 2, 3), f);
  profile.cells[2] = 3;
  profile.cells[3] = 10;
  solve();
  assert_int_equal(block(0x100), 10);
  assert_int_equal(block(0x110), 3);
  assert_int_equal(block(0x120), 10);
}

/* The plan: 0->1 cell 0; EXIT->0 cell 1; 0->1; 1->EXIT; of which the last two
   follow. Counter 0 is twice the first one; counter 1 is 300 times the second
   one, thrice the third one, and the last one. */
static void plan_and_terms_are_solved(void **state) {
  const struct unit unit = UNIT("\0f");
  const struct arcline_func *f = add_diamond(&unit);
  struct arcline_body *body = add_body(f, 0x100, 0, 2);

  (void)state;
  add_copy(body, f);
  set_plan(body,
           NUMBERS(2, 4, 2 << 1 | 1, 1, 1 << 1 | 1, 3, 4 << 1, 2, 3 << 1, 0, 4,
                   6, TIMES(2), NO_MORE(1), TIMES(300), TIMES(3), EACH(1)));
  profile.cells[0] = 5;
  profile.cells[1] = 9;
  solve();
  assert_int_equal(block(0x110), 2 * 5);
  assert_int_equal(block(0x120), 300 * 9 + 3 * 4 + 9);
}

/* Of a node with several addresses, and of an address where several nodes
   begin, the first is listed, for any number of pairs per call. */
static void blocks_are_listed_once(void **state) {
  static const uint32_t nodes[] = {1, 0, 1, 0, 0};
  static const size_t offs[] = {0, 0x100, 0x110, 0x120, 0x130};

  (void)state;
  for (size_t room = 1; room <= 4; room++) {
    clear(NULL);
    const struct unit unit = UNIT("\0f");
    const struct arcline_func *f = add_diamond(&unit);
    add_copy(add_body(f, 0x100, 0, 2), f);
    n_made_addrs = 0;
    add_addrs(f, 5, nodes, offs);
    add_addr(f, 1, 0x140);
    add_addr(f, 0, 0x110);
    profile.cells[0] = 3;
    profile.cells[1] = 7;
    encode_bodies();
    assert_int_equal(rt_profile_solve(&object, &profile), 0);
    size_t n;
    n_pairs = 0;
    do {
      n = solve_next_blocks(profile.solver, (uint8_t *)(pairs + n_pairs), room);
      n_pairs += n;
      assert_true(n <= room && n_pairs <= 2);
    } while (n);
    assert_int_equal(n_pairs, 2);
    assert_int_equal(pairs[0][0], TEXT_VADDR + 0x100);
    assert_int_equal(pairs[1][0], TEXT_VADDR + 0x110);
  }
}

/* Damaged addresses are not read, nor those after them in the body. */
static void damaged_addresses_are_left_out(void **state) {
  static const uint32_t nodes[] = {0, 1};
  static const size_t offs[] = {0x100, 0x110};

  (void)state;
  for (int how = 0; how < 5; how++) {
    clear(NULL);
    const struct unit unit = UNIT("\0f");
    const struct arcline_func *f = add_diamond(&unit);
    struct arcline_body *body = add_body(f, 0x100, 0, 2);
    add_copy(body, f);
    n_made_addrs = 0;
    add_addr(f, 0, 0x180);
    add_addrs(f, 2, nodes, offs);
    encode_bodies();
    uint8_t *const addrs = mem.data + n_data - 12;
    switch (how) {
    case 0:
      addrs[0] = 100; // slot
      break;
    case 1: // number
      addrs[1] = 100;
      break;
    case 2: // no node is listed
      body->data_bytes -= 2;
      break;
    case 3: // a number that does not end
      memset(addrs + 10, 0x80, 2);
      break;
    default: // half a head
      body->data_bytes -= 11;
    }
    profile.cells[0] = 3;
    profile.cells[1] = 7;
    solve();
    assert_int_not_equal(block(0x180), -1);
    assert_int_equal(block(0x110), -1);
  }
}

static void names_and_records_are_all_optional(void **state) {
  (void)state;
  add_arc(TEXT_VADDR, TEXT_VADDR + 0x100, 4);
  solve();
  assert_int_equal(arc(0, 0x100), -1);
  assert_int_equal(profile.arcs[0].count, 4);
  assert_int_equal(n_pairs, 0);
}

/* f, which is damaged, and g, which is not. */
struct victim {
  uint8_t *data; // of its body: own, copies, slot, bytes of the plan, plan
  uint8_t *plan;
  struct arcline_func *f;
  struct arcline_body *body;
};

static struct victim make_victim(void) {
  const struct unit unit = UNIT("\0f\0g");
  struct victim victim = {.f = add_diamond(&unit)};
  struct arcline_func *g = add_func(&unit, ARCLINE_FUNC_ARCS, "g", NULL, NULL);

  victim.body = add_body(victim.f, 0x100, 0, 2);
  add_site(add_copy(victim.body, victim.f), 0, 0x200);
  set_plan(victim.body, NUMBERS(0, 2, 2, 1, EACH(2)));
  place(g, 0x200, 2);
  add_addr(g, 0, 0x200);
  encode_bodies();
  victim.data =
      mem.data + ((uint8_t *)&victim.body->data - mem.data) + victim.body->data;
  victim.plan = victim.data + 4;
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
  DAMAGE(true, victim.f->graph_bytes = 8);
  DAMAGE(true, victim.f->graph_bytes = 9);
  DAMAGE(true, point(&victim.f->graph, mem.text));
  DAMAGE(true, point(&victim.f->strings, mem.data + N_DATA));
  DAMAGE(true, victim.f->strings_bytes = 0);
  DAMAGE(true, victim.f->strings_bytes = 2);
  DAMAGE(true, victim.f->n_counters = 1);
  DAMAGE(true, victim.f->n_counters = 1000000);
  DAMAGE(true, victim.body->unit += 4);
  DAMAGE(true, victim.body->unit += 1);
  DAMAGE(true, point(&victim.body->unit, mem.funcs));
  DAMAGE(true, victim.data[0] = 100); // its own function
  DAMAGE(true, mem.slots[0] += 4);
  DAMAGE(true, point(&mem.slots[0], mem.bodies));
  DAMAGE(true, mem.slots[0] = 0);
  DAMAGE(true, point(&victim.body->cells, mem.cells - 1));
  DAMAGE(true, victim.body->cells += 4);
  DAMAGE(true, victim.body->n_cells = 17);
  DAMAGE(true, victim.body->n_cells = UINT32_MAX);
  DAMAGE(true, victim.body->n_cells = 1); // of which the plan names two
  DAMAGE(true, victim.body->data_bytes = 8);
  DAMAGE(true, victim.body->data_bytes = 3);
  DAMAGE(true, victim.body->data_bytes = UINT32_MAX);
  DAMAGE(true, point(&victim.body->data, mem.data + N_DATA - 1));
  DAMAGE(true, victim.data[1] = 0); // copies
  DAMAGE(true, victim.data[1] = 127);
  DAMAGE(true, victim.data[2] = 100); // the copy's function
  DAMAGE(true, victim.data[3] = 4);   // bytes of the plan
  DAMAGE(true, victim.data[3] = 1);
  DAMAGE(true, victim.data[3] = 127);
  DAMAGE(true, victim.plan[1] = 3); // edges, of two cells
  DAMAGE(true, victim.plan[2] = 3); // edges of the copy
  DAMAGE(true, victim.plan[2] = 1);
  DAMAGE(true, victim.plan[3] = 2); // bytes of its terms
  DAMAGE(false, victim.plan[3] = 0);
  DAMAGE(true, victim.plan[4] = EACH(1)); // which leaves one edge
  DAMAGE(true, victim.plan[4] = EACH(3));
  DAMAGE(true, victim.plan[4] = SAME(3));
  DAMAGE(true, victim.plan[4] = NO_MORE(2));
  DAMAGE(true, victim.plan[4] = NO_MORE(3));
  DAMAGE(true, victim.plan[4] = TIMES(0)); // and then the number
#undef DAMAGE
  clear(NULL);
}

/* Without its copy, no code is known to have run. */
static void function_without_copy_has_not_run(void **state) {
  (void)state;
  const struct victim victim = make_victim();
  victim.data[2] = 100;
  solve();
  assert_int_equal(block(0x100), -1);
  assert_int_equal(block(0x200), 3);
}

/* Whatever the value of one byte is, solving ends, within its memory. */
static void any_byte(void **state) {
  uint8_t *const first = (uint8_t *)mem.cells;
  const size_t n_bytes = sizeof(mem) - (size_t)(first - (uint8_t *)&mem);

  (void)state;
  release(NULL);
  for (size_t at = 0; at < n_bytes; at++)
    for (int bit = 0; bit < 8; bit++) {
      clear(NULL);
      make_victim();
      if (at > (size_t)(mem.data - first) + n_data) {
        release(NULL);
        break;
      }
      first[at] ^= (uint8_t)(1 << bit);
      solve();
      assert_true(n_pairs <= 4);
      assert_true(profile.n_arcs <= 2);
      release(NULL);
    }
  clear(NULL);
}

/* Bodies that all have the same data, more than the pass would make. */
static void decoding_the_same_over_and_over_ends(void **state) {
  const struct unit unit = UNIT("\0g");
  const struct arcline_func *g = add_func(&unit, 0, "g", NULL, NULL);
  enum { N_SHARED_BYTES = 1500 };

  (void)state;
  add_addr(g, 0, 0x100);
  for (size_t i = 0; i < N_MAX; i++) {
    add_copy(add_body(g, 0x100, i, 1), g);
    profile.cells[i] = 1;
  }
  encode_bodies();
  for (size_t i = 0; i < N_MAX; i++) {
    point(&mem.bodies[i].data,
          (uint8_t *)&mem.bodies[0].data + mem.bodies[0].data);
    mem.bodies[i].data_bytes = N_SHARED_BYTES;
  }
  solve();
  const struct solve_damage damage = solve_damage(profile.solver);
  assert_int_equal(damage.reason, SOLVE_OVERLAP);
  assert_int_equal(damage.section, SOLVE_BODIES);
  assert_true(damage.i_record >= 2 && damage.i_record <= N_MAX - 1);
  assert_int_equal(block(0x100), -1);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, clear, release)
  const struct CMUnitTest tests[] = {
      TEST(edges_are_cells_without_a_plan),
      TEST(plan_and_terms_are_solved),
      TEST(blocks_are_listed_once),
      TEST(decoding_the_same_over_and_over_ends),
      TEST(damaged_addresses_are_left_out),
      TEST(names_and_records_are_all_optional),
      TEST(damaged_records_are_left_out),
      TEST(function_without_copy_has_not_run),
      TEST(any_byte),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
