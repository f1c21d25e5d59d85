/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cycles and propagated time, on graphs that are built by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "profile/callgraph.h"
#include "profile/profile_join.h"
#include "profile/symspec.h"

/** A profile over functions 0, 1, ...; function i is at 16 * (i + 1). */
struct fixture {
  struct symtab symtab;
  struct symspec_tables filters;
  struct profile profile;
  struct callgraph graph;
  char (*names)[24];
  struct err err;
};

static void begin(struct fixture *fixture, size_t n_functions) {
  *fixture = (struct fixture){0};
  fixture->names = calloc(n_functions, sizeof(*fixture->names));
  assert_non_null(fixture->names);
  for (size_t i = 0; i < n_functions; i++) {
    snprintf(fixture->names[i], sizeof(fixture->names[i]), "f%zu", i);
    const struct symbol symbol = {
        .vaddr = 16 * (i + 1), .name = fixture->names[i], .is_func = true};
    assert_int_equal(symtab_add(&fixture->symtab, &symbol, &fixture->err), 0);
  }
  assert_int_equal(
      symtab_finish(&fixture->symtab, 16 * n_functions + 15, &fixture->err), 0);
  assert_int_equal(symspec_resolve(&fixture->symtab, NULL, 0, &fixture->filters,
                                   &fixture->err),
                   0);
  assert_int_equal(profile_init(&fixture->profile, &fixture->symtab,
                                &fixture->filters, 0, &fixture->err),
                   0);
}

static void call_at(struct fixture *fixture, uint64_t from_pc, uint64_t self_pc,
                    uint64_t count) {
  struct measure_arc arc = {from_pc, self_pc, count, 0};
  const struct measure measure = {.arcs = &arc, .n_arcs = 1};

  assert_int_equal(
      profile_add(&fixture->profile, &measure, NULL, &fixture->err), 0);
}

static void call(struct fixture *fixture, size_t from, size_t to,
                 uint64_t count) {
  call_at(fixture, 16 * (from + 1) + 4, 16 * (to + 1), count);
}

static const struct cg_node *node(const struct fixture *fixture, size_t i) {
  return &fixture->graph.nodes[i];
}

static void build(struct fixture *fixture) {
  profile_finish(&fixture->profile);
  assert_int_equal(callgraph_build(&fixture->profile, CALLGRAPH_ALL_SYMBOLS,
                                   &fixture->graph, &fixture->err),
                   0);
}

static void end(struct fixture *fixture) {
  callgraph_release(&fixture->graph);
  profile_release(&fixture->profile);
  symspec_release(&fixture->filters);
  symtab_release(&fixture->symtab);
  free(fixture->names);
}

static void time_goes_to_callers_by_calls(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 4);
  fixture.profile.counts[2].ticks = 10;
  call(&fixture, 0, 1, 1);
  call(&fixture, 1, 2, 3);
  call(&fixture, 0, 2, 1);
  call(&fixture, 2, 2, 5);
  build(&fixture);
  assert_int_equal(node(&fixture, 2)->calls, 4);
  assert_int_equal(node(&fixture, 2)->self_calls, 5);
  assert_true(node(&fixture, 1)->child_ticks == 7.5);
  assert_true(node(&fixture, 0)->child_ticks == 10);
  assert_true(fixture.graph.total_ticks == 10);
  assert_int_equal(fixture.graph.n_cycles, 0);
  // Callee and caller tie for the most time; the one with calls goes first.
  assert_int_equal(node(&fixture, 2)->index, 1);
  assert_int_equal(node(&fixture, 0)->index, 2);
  assert_int_equal(node(&fixture, 1)->index, 3);
  end(&fixture);
}

static void cycle_is_one_for_the_outside(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 5);
  fixture.profile.counts[1].ticks = 6;
  fixture.profile.counts[2].ticks = 4;
  call(&fixture, 0, 1, 2);
  call(&fixture, 1, 2, 7);
  call(&fixture, 2, 1, 7);
  call(&fixture, 2, 2, 100);
  build(&fixture);
  assert_int_equal(fixture.graph.n_cycles, 1);
  assert_int_equal(node(&fixture, 1)->cycle, 1);
  assert_int_equal(node(&fixture, 2)->cycle, 1);
  assert_int_equal(node(&fixture, 0)->cycle, 0);
  size_t head = callgraph_head(&fixture.graph, 2);
  assert_int_equal(node(&fixture, head)->calls, 2);
  assert_int_equal(node(&fixture, head)->self_calls, 14);
  assert_int_equal(node(&fixture, head)->n_members, 2);
  assert_true(node(&fixture, head)->ticks == 10);
  assert_true(node(&fixture, 0)->child_ticks == 10);
  end(&fixture);
}

/** Time that was measured by call belongs to the measured caller, not to
 * callers by their counts; within a cycle only counts exist. */
static void measured_time_goes_where_it_was_taken(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 6);
  fixture.profile.counts[2].ticks = 10;
  fixture.profile.counts[4].ticks = 20;
  call(&fixture, 0, 2, 1);
  call(&fixture, 1, 2, 9);
  call(&fixture, 0, 4, 1);
  call(&fixture, 1, 4, 3);
  call(&fixture, 4, 5, 1);
  call(&fixture, 5, 4, 1);
  for (uint32_t child = 2; child < 5; child += 2) {
    assert_int_equal(
        profile_weigh_arc(&fixture.profile, 0, child, 8, &fixture.err), 0);
    assert_int_equal(
        profile_weigh_arc(&fixture.profile, 1, child, 2, &fixture.err), 0);
  }
  build(&fixture);
  assert_int_equal(node(&fixture, 4)->cycle, 1);
  assert_true(node(&fixture, 0)->child_ticks == 8 + 5);
  assert_true(node(&fixture, 1)->child_ticks == 2 + 15);
  end(&fixture);
}

static void members_of_a_cycle_bring_it_their_callees_time(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 5);
  fixture.profile.counts[3].ticks = 6;
  fixture.profile.counts[4].ticks = 4;
  call(&fixture, 0, 1, 1);
  call(&fixture, 1, 2, 1);
  call(&fixture, 2, 1, 1);
  call(&fixture, 1, 3, 1);
  call(&fixture, 2, 4, 1);
  build(&fixture);
  const size_t head = callgraph_head(&fixture.graph, 1);
  assert_true(node(&fixture, head)->child_ticks == 10);
  assert_true(node(&fixture, head)->child_share == 10);
  assert_true(node(&fixture, 1)->child_share == 6);
  assert_true(node(&fixture, 2)->child_share == 4);
  assert_true(node(&fixture, 0)->child_share == 10);
  end(&fixture);
}

/** Selections hold for callees, too, unless these are excluded themselves. */
static void callees_of_selected_functions_are_selected(void **state) {
  static const struct symspec specs[] = {
      {.use = SYMSPEC_GRAPH, .text = "f1"},
      {.use = SYMSPEC_GRAPH, .is_exclude = true, .text = "f3"}};
  struct fixture fixture;

  (void)state;
  begin(&fixture, 5);
  symspec_release(&fixture.filters);
  assert_int_equal(symspec_resolve(&fixture.symtab, specs, 2, &fixture.filters,
                                   &fixture.err),
                   0);
  call(&fixture, 0, 1, 1);
  call(&fixture, 1, 2, 1);
  call(&fixture, 2, 3, 1);
  call(&fixture, 3, 4, 1);
  build(&fixture);
  assert_false(node(&fixture, 0)->is_printed);
  assert_true(node(&fixture, 1)->is_printed);
  assert_true(node(&fixture, 2)->is_printed);
  assert_false(node(&fixture, 3)->is_printed);
  assert_false(node(&fixture, 4)->is_printed);
  end(&fixture);
}

/** Reachability by repeated passes: slow, but obviously correct. */
static void close_transitively(bool *reaches, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        reaches[i * n + j] |= reaches[i * n + k] && reaches[k * n + j];
}

static void cycles_are_strong_components(void **state) {
  enum { N = 12 };
  unsigned random = 3;

  (void)state;
  for (int round = 0; round < 3000; round++) {
    struct fixture fixture;
    bool reaches[N * N] = {false};
    begin(&fixture, N);
    for (int i = 0; i < 4 + round % 20; i++) {
      random = random * 1103515245 + 12345;
      size_t from = (random >> 8) % N;
      size_t to = (random >> 20) % N;
      call(&fixture, from, to, 1);
      reaches[from * N + to] = true;
    }
    close_transitively(reaches, N);
    build(&fixture);
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < N; j++) {
        bool is_same = i != j && node(&fixture, i)->cycle != 0 &&
                       node(&fixture, i)->cycle == node(&fixture, j)->cycle;
        bool is_strong = i != j && reaches[i * N + j] && reaches[j * N + i];
        assert_int_equal(is_same, is_strong);
      }
    end(&fixture);
  }
}

static void deep_chain_needs_no_stack(void **state) {
  enum { N = 200000 };
  struct fixture fixture;

  (void)state;
  begin(&fixture, N);
  fixture.profile.counts[N - 1].ticks = 1;
  for (size_t i = 0; i + 1 < N; i++) {
    call(&fixture, i, i + 1, 1);
    call(&fixture, i + 1, i, 1); // each step back closes a larger cycle
  }
  build(&fixture);
  assert_int_equal(fixture.graph.n_cycles, 1);
  assert_int_equal(node(&fixture, N)->n_members, N);
  end(&fixture);
}

static void arcs_from_nowhere_are_dropped(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 2);
  call_at(&fixture, 0, 16, 9);
  call_at(&fixture, 16, 0x999, 9);
  build(&fixture);
  assert_int_equal(fixture.profile.n_arcs, 0);
  assert_int_equal(node(&fixture, 0)->calls, 0);
  end(&fixture);
}

static void calls_from_nowhere_keep_their_share(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 3);
  fixture.profile.flags = PROFILE_OUTSIDE;
  fixture.profile.counts[1].ticks = 8;
  call(&fixture, 0, 1, 3);
  call_at(&fixture, 0, 32, 5);
  // 3 of these 5 belong to f0. No more are subtracted than exist.
  assert_int_equal(
      profile_add_cross_arc(&fixture.profile, 0, 1, 3, &fixture.err), 0);
  assert_int_equal(
      profile_add_cross_arc(&fixture.profile, 0, 2, 9, &fixture.err), 0);
  build(&fixture);
  assert_int_equal(fixture.profile.counts[1].outside_calls, 2);
  assert_int_equal(node(&fixture, 1)->calls, 8);
  assert_true(node(&fixture, 1)->fraction == 1);
  assert_true(callgraph_outside_part(&fixture.graph, 1) == 0.25);
  assert_true(node(&fixture, 0)->child_ticks == 6);
  assert_int_equal(fixture.profile.counts[2].outside_calls, 0);
  assert_int_equal(node(&fixture, 2)->calls, 9);
  end(&fixture);
}

static void cycle_is_called_from_nowhere(void **state) {
  struct fixture fixture;

  (void)state;
  begin(&fixture, 3);
  fixture.profile.flags = PROFILE_OUTSIDE;
  fixture.profile.counts[2].ticks = 12;
  call(&fixture, 0, 1, 1);
  call(&fixture, 1, 2, 7);
  call(&fixture, 2, 1, 7);
  call_at(&fixture, 0, 48, 2);
  build(&fixture);
  const struct cg_node *const cycle = node(&fixture, 3);
  assert_int_equal(cycle->calls, 3);
  assert_true(cycle->fraction == 1);
  assert_true(callgraph_outside_part(&fixture.graph, 2) == 2.0 / 3);
  assert_true(callgraph_outside_part(&fixture.graph, 1) == 0);
  // A third of the time belongs to the known caller.
  assert_true(node(&fixture, 0)->child_ticks == 4);
  end(&fixture);
}

/** Six functions: the last one has time, the fifth calls the third. */
static void begin_idle(struct fixture *fixture) {
  static const char *const names[] = {"m", "_b", "f2", "k", "n", "_a"};

  begin(fixture, 6);
  for (size_t i = 0; i < 6; i++)
    snprintf(fixture->names[i], sizeof(fixture->names[i]), "%s", names[i]);
  fixture->profile.counts[5].ticks = 1;
  call(fixture, 4, 2, 1);
}

static void idle_symbols_are_listed_by_name(void **state) {
  static const uint32_t expected[] = {4, 6, 2, 3, 5, 1};
  struct fixture fixture;

  (void)state;
  begin_idle(&fixture);
  build(&fixture);
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(node(&fixture, i)->index, expected[i]);
  end(&fixture);
}

static void idle_symbols_are_counted_without_nodes(void **state) {
  struct fixture fixture;

  (void)state;
  begin_idle(&fixture);
  profile_finish(&fixture.profile);
  assert_int_equal(
      callgraph_build(&fixture.profile, 0, &fixture.graph, &fixture.err), 0);
  assert_non_null(fixture.graph.used);
  assert_int_equal(fixture.graph.n_nodes, 3);
  assert_int_equal(node(&fixture, 0)->index, 2);
  assert_int_equal(node(&fixture, 1)->index, 5);
  assert_int_equal(node(&fixture, 2)->index, 1);
  end(&fixture);
}

/** Functions with few different names, in all combinations. */
static void begin_random(struct fixture *fixture, unsigned seed) {
  enum { N_FUNCTIONS = 40, N_NAMES = 7 };
  static const char *const names[N_NAMES] = {"a",  "b",  "c", "_a",
                                             "_b", "__", "Z"};

  srand(seed);
  begin(fixture, N_FUNCTIONS);
  for (size_t i = 0; i < N_FUNCTIONS; i++)
    fixture->symtab.symbols[i].name = names[rand() % N_NAMES];
  for (int i = rand() % 6; i > 0; i--)
    call(fixture, (size_t)rand() % N_FUNCTIONS, (size_t)rand() % N_FUNCTIONS,
         (uint64_t)rand() % 3);
  for (int i = rand() % 6; i > 0; i--)
    assert_int_equal(profile_add_static_arc(
                         &fixture->profile, (uint32_t)rand() % N_FUNCTIONS,
                         (uint32_t)rand() % N_FUNCTIONS, &fixture->err),
                     0);
  for (int i = rand() % 3; i > 0; i--)
    fixture->profile.counts[rand() % N_FUNCTIONS].ticks = rand() % 3;
}

static void numbers_are_those_of_a_full_listing(void **state) {
  (void)state;
  for (unsigned seed = 0; seed < 500; seed++) {
    struct fixture fixture;
    begin_random(&fixture, seed);
    build(&fixture);
    struct callgraph busy;
    assert_int_equal(callgraph_build(&fixture.profile, 0, &busy, &fixture.err),
                     0);
    assert_non_null(busy.used);
    assert_int_equal(busy.n_cycles, fixture.graph.n_cycles);
    for (size_t i = 0; i < busy.n_symbols; i++)
      assert_int_equal(busy.nodes[i].index,
                       node(&fixture, busy.used->whole[i])->index);
    for (size_t i = 0; i < busy.n_cycles; i++)
      assert_int_equal(busy.nodes[busy.n_symbols + i].index,
                       node(&fixture, fixture.graph.n_symbols + i)->index);
    callgraph_release(&busy);
    end(&fixture);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(idle_symbols_are_listed_by_name),
      cmocka_unit_test(idle_symbols_are_counted_without_nodes),
      cmocka_unit_test(numbers_are_those_of_a_full_listing),
      cmocka_unit_test(time_goes_to_callers_by_calls),
      cmocka_unit_test(cycle_is_one_for_the_outside),
      cmocka_unit_test(measured_time_goes_where_it_was_taken),
      cmocka_unit_test(members_of_a_cycle_bring_it_their_callees_time),
      cmocka_unit_test(callees_of_selected_functions_are_selected),
      cmocka_unit_test(cycles_are_strong_components),
      cmocka_unit_test(deep_chain_needs_no_stack),
      cmocka_unit_test(arcs_from_nowhere_are_dropped),
      cmocka_unit_test(calls_from_nowhere_keep_their_share),
      cmocka_unit_test(cycle_is_called_from_nowhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
