/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions of the source, of their instances and variants.
 */
#include "counts/source_funcs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

enum { MAX = 8 };

/* Functions of file 0 that begin on line 1 and end on line 3, with lines. */
struct program {
  struct line_func funcs[MAX];
  struct line_count lines[MAX];
  struct line_counts counts;
  struct source_funcs out;
};

static struct line_func *add(struct program *program, const char *name,
                             uint64_t n_entries) {
  struct line_func *const func = &program->funcs[program->counts.n_funcs++];

  *func = (struct line_func){.pos.line = 1,
                             .last_line = 3,
                             .name = name,
                             .n_entries = n_entries,
                             .n_blocks = 2,
                             .n_run_blocks = n_entries > 0};
  return func;
}

static void add_line(struct program *program, uint32_t line, uint64_t count) {
  program->lines[program->counts.n_lines++] =
      (struct line_count){{0, line}, count};
}

static const struct source_func *build(struct program *program, size_t n) {
  struct err err;

  program->counts.funcs = program->funcs;
  program->counts.lines = program->lines;
  assert_int_equal(source_funcs_build(&program->counts, &program->out, &err),
                   0);
  assert_int_equal(program->out.n_funcs, n);
  return program->out.funcs;
}

static void test_instances(void **state) {
  struct program program = {0};
  (void)state;
  add(&program, "_Z5twiceIiET_S0_", 3);
  add(&program, "_Z5twiceIlET_S0_", 0)->last_line = 4;
  add(&program, "_Z5twiceIsET_S0_", 2);
  add_line(&program, 1, 5);
  const struct source_func *const func = build(&program, 1);
  assert_int_equal(func->n_entries, 5);
  assert_int_equal(func->last_line, 4);
  assert_int_equal(func->n_run_blocks, 1);
  source_funcs_release(&program.out);
}

/* Entries of a variant that calls another one are counted in the other. */
static void test_variants(void **state) {
  struct program program = {0};
  (void)state;
  add(&program, "_ZN1AD0Ev", 2)->is_delegate = true;
  add(&program, "_ZN1AD1Ev", 3)->is_delegate = true;
  add(&program, "_ZN1AD2Ev", 7);
  add_line(&program, 1, 7);
  assert_int_equal(build(&program, 1)->n_entries, 7);
  source_funcs_release(&program.out);
}

/* For a class with virtual bases both variants have the code. */
static void test_variants_with_code(void **state) {
  struct program program = {0};
  (void)state;
  add(&program, "_ZN1AC1Ev", 3);
  add(&program, "_ZN1AC2Ev", 4);
  add_line(&program, 1, 7);
  assert_int_equal(build(&program, 1)->n_entries, 7);
  source_funcs_release(&program.out);
}

static void test_others_of_the_line(void **state) {
  struct program program = {0};
  (void)state;
  // Overloads, also in instances of a class; lambdas.
  add(&program, "_Z1fi", 1);
  add(&program, "_Z1fl", 0);
  add(&program, "_ZN3BoxIcE3putEi", 1);
  add(&program, "_ZN3BoxIcE3putEl", 0);
  add(&program, "_ZN3BoxIdE3putEi", 1);
  add(&program, "_ZN3BoxIdE3putEl", 0);
  add(&program, "_ZZ1gvENK3$_0clEv", 4);
  add(&program, "_ZZ1gvENK3$_1clEv", 5);
  add_line(&program, 1, 12);
  const struct source_func *const funcs = build(&program, 6);
  size_t n_run = 0;
  for (size_t i = 0; i < 6; i++)
    n_run += funcs[i].n_entries > 0;
  assert_int_equal(n_run, 4);
  source_funcs_release(&program.out);
}

static void test_made(void **state) {
  struct program program = {0};
  (void)state;
  add(&program, "_ZN1AC2Ev", 1)->is_made = true;
  add_line(&program, 1, 1);
  build(&program, 0);
  source_funcs_release(&program.out);
}

/* A function begins on a line with a count, or is left out. */
static void test_first_line(void **state) {
  struct program program = {0};
  (void)state;
  add(&program, "f", 1);
  add(&program, "g", 1)->last_line = 1;
  add_line(&program, 3, 1);
  const struct source_func *const func = build(&program, 1);
  assert_string_equal(func->name, "f");
  assert_int_equal(func->pos.line, 3);
  source_funcs_release(&program.out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_instances),
      cmocka_unit_test(test_variants),
      cmocka_unit_test(test_variants_with_code),
      cmocka_unit_test(test_others_of_the_line),
      cmocka_unit_test(test_made),
      cmocka_unit_test(test_first_line),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
