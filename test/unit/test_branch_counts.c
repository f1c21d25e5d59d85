/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Branches from flow graphs: which blocks have some, which line they belong to,
 * and what becomes of instances of one function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arcline/flow.h"
#include "base/err.h"
#include "counts/branch_counts.h"

enum { MAX = 64 };

/* Functions, all in file 0. */
struct program {
  struct flow_data flow;
  struct flow_func funcs[8];
  struct flow_node nodes[MAX];
  struct arcline_edge edges[MAX];
  struct flow_line lines[MAX];
  struct flow_call calls[8];
};

static void begin_func(struct program *program, const char *name,
                       uint32_t line) {
  struct flow_data *flow = &program->flow;

  flow->funcs = program->funcs;
  flow->nodes = program->nodes;
  flow->edges = program->edges;
  flow->lines = program->lines;
  flow->calls = program->calls;
  flow->funcs[flow->n_funcs++] =
      (struct flow_func){.name = name,
                         .pos.line = line,
                         .first_node = flow->n_nodes,
                         .first_edge = flow->n_edges,
                         .first_call = flow->n_calls};
}

/* Add a node with one line, or none if it is 0. */
static void node(struct program *program, uint32_t line, uint64_t count) {
  struct flow_data *flow = &program->flow;

  flow->nodes[flow->n_nodes++] =
      (struct flow_node){.count = count,
                         .first_code_line = flow->n_lines,
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

/* if (...) on `line`: a function of three nodes, taken and not taken. */
static void choice(struct program *program, const char *name, uint32_t def_line,
                   uint32_t line, uint64_t taken, uint64_t not_taken) {
  begin_func(program, name, def_line);
  node(program, line, taken + not_taken);
  node(program, line + 1, taken);
  node(program, line + 2, taken + not_taken);
  edge(program, 3, 0, ARCLINE_EDGE_ENTRY, taken + not_taken);
  edge(program, 0, 1, ARCLINE_EDGE_BRANCH, taken);
  edge(program, 1, 2, ARCLINE_EDGE_JUMP, taken);
  edge(program, 0, 2, ARCLINE_EDGE_BRANCH, not_taken);
  edge(program, 2, 3, ARCLINE_EDGE_EXIT, taken + not_taken);
}

static struct branch_counts build(const struct program *program) {
  struct branch_counts counts;
  struct err err = {0};

  assert_int_equal(branch_counts_build(&program->flow, &counts, &err), 0);
  return counts;
}

/* Block number i has two ways with these counts. */
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
  choice(&p, "f", 1, 5, 3, 7);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 1);
  check_block(&counts, 0, 5, 0, 3, 7);
  assert_false(counts.blocks[0].is_exception);
  branch_counts_release(&counts);
}

static void test_line_with_two_choices(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1); // a && b
  node(&p, 5, 10);
  node(&p, 5, 4);
  node(&p, 6, 10);
  edge(&p, 3, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 1); // edges in any order
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 0, 2, ARCLINE_EDGE_BRANCH, 6);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 3);
  edge(&p, 2, 3, ARCLINE_EDGE_EXIT, 10);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 2);
  check_block(&counts, 0, 5, 0, 4, 6);
  check_block(&counts, 1, 5, 1, 1, 3);
  branch_counts_release(&counts);
}

/* What the compiler made up has no line; what has one way only is no choice. */
static void test_no_choice(void **state) {
  struct program p = {0};

  (void)state;
  choice(&p, "f", 1, 5, 3, 7);
  p.nodes[0].n_code_lines = 0;
  begin_func(&p, "g", 9);
  node(&p, 9, 1);
  edge(&p, 1, 0, ARCLINE_EDGE_ENTRY, 1);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 1);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 0);
  branch_counts_release(&counts);
}

static void test_instances_add_up(void **state) {
  struct program p = {0};

  (void)state;
  choice(&p, "_Z1fIiEvT_", 1, 5, 3, 7);
  choice(&p, "_Z1fIdEvT_", 1, 5, 10, 20);
  choice(&p, "inlined", 8, 8, 1, 2);
  choice(&p, "inlined", 8, 8, 2, 3);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 2);
  check_block(&counts, 0, 5, 0, 13, 27);
  check_block(&counts, 1, 8, 0, 3, 5);
  branch_counts_release(&counts);
}

/* An instance that lacks a choice, as templates may; C functions of a macro;
 * and a line that is part of two functions. */
static void test_others_stay_apart(void **state) {
  struct program p = {0};

  (void)state;
  choice(&p, "_Z1fIiEvT_", 1, 5, 3, 7);
  begin_func(&p, "_Z1fIdEvT_", 1);
  node(&p, 5, 30);
  node(&p, 5, 30);
  edge(&p, 2, 0, ARCLINE_EDGE_ENTRY, 30);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 20);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 30);
  edge(&p, 1, 0, ARCLINE_EDGE_BRANCH, 0);
  choice(&p, "one", 20, 21, 1, 2);
  choice(&p, "two", 20, 21, 4, 8);
  choice(&p, "_Z1hv", 22, 21, 16, 32);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 6);
  check_block(&counts, 0, 5, 0, 3, 7);
  check_block(&counts, 1, 5, 1, 10, 20);
  check_block(&counts, 2, 5, 2, 30, 0);
  check_block(&counts, 3, 21, 0, 1, 2);
  check_block(&counts, 4, 21, 1, 4, 8);
  check_block(&counts, 5, 21, 2, 16, 32);
  branch_counts_release(&counts);
}

static void test_choice_of_handler(void **state) {
  struct program p = {0};

  (void)state;
  choice(&p, "f", 1, 5, 3, 7);
  p.calls[p.flow.n_calls++] =
      (struct flow_call){.node = 1, .callee = "__cxa_begin_catch"};
  p.funcs[0].n_calls = 1;
  choice(&p, "g", 1, 9, 3, 7);
  struct branch_counts counts = build(&p);
  assert_int_equal(counts.n_blocks, 2);
  assert_true(counts.blocks[0].is_exception);
  assert_false(counts.blocks[1].is_exception);
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
      cmocka_unit_test(test_no_choice),
      cmocka_unit_test(test_instances_add_up),
      cmocka_unit_test(test_others_stay_apart),
      cmocka_unit_test(test_choice_of_handler),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
