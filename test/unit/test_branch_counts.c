/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Branches from flow graphs: their order, and the sums of instances of one
 * function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "counts/branch_counts.h"
#include "solve/flow.h"

enum { MAX = 64 };

/* Functions, all in file 0. */
struct program {
  struct flow_data flow;
  struct flow_func funcs[8];
  struct flow_node nodes[MAX];
  struct arcline_edge edges[MAX];
  struct flow_line lines[MAX];
  struct flow_choice choices[16];
};

static void begin_func(struct program *program, const char *name,
                       uint32_t line) {
  struct flow_data *flow = &program->flow;

  flow->funcs = program->funcs;
  flow->nodes = program->nodes;
  flow->edges = program->edges;
  flow->lines = program->lines;
  flow->choices = program->choices;
  flow->funcs[flow->n_funcs++] =
      (struct flow_func){.name = name,
                         .pos.line = line,
                         .first_node = flow->n_nodes,
                         .first_edge = flow->n_edges,
                         .first_choice = flow->n_choices};
}

/* Add a node with one line, or none if it is 0. */
static void node(struct program *program, uint32_t line, uint64_t count) {
  struct flow_data *flow = &program->flow;

  flow->nodes[flow->n_nodes++] =
      (struct flow_node){.count = count,
                         .first_code_line = (uint32_t)flow->n_lines,
                         .n_code_lines = line != 0};
  if (line != 0)
    flow->lines[flow->n_lines++] = (struct flow_line){0, line};
  flow->funcs[flow->n_funcs - 1].n_nodes++;
}

static void edge(struct program *program, uint32_t from, uint32_t to,
                 enum arcline_edge_kind kind, uint64_t count) {
  struct flow_data *flow = &program->flow;

  flow->edges[flow->n_edges++] = (struct arcline_edge){
      .from = from, .to = to, .kind = kind, .count = count};
  flow->funcs[flow->n_funcs - 1].n_edges++;
}

/* A choice between the last two edges. */
static void choice(struct program *program, uint32_t line, uint32_t column) {
  struct flow_data *flow = &program->flow;

  flow->choices[flow->n_choices++] =
      (struct flow_choice){.pos = {0, line},
                           .column = column,
                           .n_ways = 2,
                           .first_edge = flow->n_edges - 2};
  flow->funcs[flow->n_funcs - 1].n_choices++;
}

/* if (...) on `line`: a function of three nodes, taken and not taken. */
static void if_func(struct program *program, const char *name,
                    uint32_t def_line, uint32_t line, uint64_t taken,
                    uint64_t not_taken) {
  begin_func(program, name, def_line);
  node(program, line, taken + not_taken);
  node(program, line + 1, taken);
  node(program, line + 2, taken + not_taken);
  edge(program, 3, 0, ARCLINE_EDGE_ENTRY, taken + not_taken);
  edge(program, 0, 1, ARCLINE_EDGE_BRANCH, taken);
  edge(program, 0, 2, ARCLINE_EDGE_BRANCH, not_taken);
  choice(program, line, 7);
  edge(program, 1, 2, ARCLINE_EDGE_JUMP, taken);
  edge(program, 2, 3, ARCLINE_EDGE_EXIT, taken + not_taken);
}

static struct branch_counts build(const struct program *program) {
  struct branch_counts counts;
  struct err err = {0};

  assert_int_equal(branch_counts_build(&program->flow, &counts, &err), 0);
  return counts;
}

/* Block number i has two branches with these counts. */
static void check_block(const struct branch_counts *counts, size_t i,
                        uint32_t line, uint32_t number, uint64_t first,
                        uint64_t second) {
  assert_true(i < counts->n_blocks);
  const struct branch_block *block = &counts->blocks[i];
  assert_int_equal(block->pos.line, line);
  assert_int_equal(block->number, number);
  assert_int_equal(block->n_ways, 2);
  assert_int_equal(counts->ways[block->first_way], first);
  assert_int_equal(counts->ways[block->first_way + 1], second);
  assert_int_equal(block->count, first + second);
}

static void test_choice_of_two(void **state) {
  struct program p = {0};

  (void)state;
  if_func(&p, "f", 1, 5, 3, 7);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 1);
  check_block(&counts, 0, 5, 0, 3, 7);
  branch_counts_release(&counts);
}

/* Those of a line are in the order of its columns. */
static void test_line_with_two_choices(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1); // a && b
  node(&p, 5, 10);
  node(&p, 5, 4);
  node(&p, 6, 10);
  edge(&p, 3, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 0, 2, ARCLINE_EDGE_BRANCH, 6);
  choice(&p, 5, 9);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 1);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 3);
  choice(&p, 5, 7);
  edge(&p, 2, 3, ARCLINE_EDGE_EXIT, 10);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 2);
  check_block(&counts, 0, 5, 0, 1, 3);
  check_block(&counts, 1, 5, 1, 4, 6);
  branch_counts_release(&counts);
}

/* An exception may leave between the branches. */
static void test_ways_apart(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 5, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 6);
  choice(&p, 5, 7);
  p.edges[2] = p.edges[1];
  p.edges[1] =
      (struct arcline_edge){.to = 1, .kind = ARCLINE_EDGE_ABRUPT, .count = 99};
  p.flow.n_edges = 3;
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 1);
  check_block(&counts, 0, 5, 0, 4, 6);
  branch_counts_release(&counts);
}

static void test_instances_add_up(void **state) {
  struct program p = {0};

  (void)state;
  if_func(&p, "_Z1fIiEvT_", 1, 5, 3, 7);
  if_func(&p, "_Z1fIdEvT_", 1, 5, 10, 20);
  if_func(&p, "inlined", 8, 8, 1, 2);
  if_func(&p, "inlined", 8, 8, 2, 3);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 2);
  check_block(&counts, 0, 5, 0, 13, 27);
  check_block(&counts, 1, 8, 0, 3, 5);
  branch_counts_release(&counts);
}

/* A choice that only one of two instances has, as of templates; two choices at
 * one place, as of macros. */
static void test_instances_that_differ(void **state) {
  struct program p = {0};

  (void)state;
  if_func(&p, "_Z1fIiEvT_", 1, 5, 3, 7);
  begin_func(&p, "_Z1fIdEvT_", 1);
  node(&p, 5, 30);
  node(&p, 5, 30);
  edge(&p, 2, 0, ARCLINE_EDGE_ENTRY, 30);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 20);
  choice(&p, 5, 7);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 25);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 5);
  choice(&p, 5, 7);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 2);
  check_block(&counts, 0, 5, 0, 13, 27);
  check_block(&counts, 1, 5, 1, 25, 5);
  branch_counts_release(&counts);
}

/* C functions of a macro, and a line that is part of two functions. */
static void test_others_stay_apart(void **state) {
  struct program p = {0};

  (void)state;
  if_func(&p, "one", 20, 21, 1, 2);
  if_func(&p, "two", 20, 21, 4, 8);
  if_func(&p, "_Z1hv", 22, 21, 16, 32);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 3);
  check_block(&counts, 0, 21, 0, 1, 2);
  check_block(&counts, 1, 21, 1, 4, 8);
  check_block(&counts, 2, 21, 2, 16, 32);
  branch_counts_release(&counts);
}

static void test_nothing(void **state) {
  struct program p = {0};

  (void)state;
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 0);
  branch_counts_release(&counts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choice_of_two),
      cmocka_unit_test(test_line_with_two_choices),
      cmocka_unit_test(test_ways_apart),
      cmocka_unit_test(test_instances_add_up),
      cmocka_unit_test(test_instances_that_differ),
      cmocka_unit_test(test_others_stay_apart),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
