/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions by object and name: exported and hidden ones. */
#include "base/err.h"
#include "made_image.h"
#include "model/model.h"
#include "profile/functions_by_name.h"

static const struct made_symbol prog_symbols[] = {
    {"main", 0x1000, MADE_OFFERED},      {"static_one", 0x1100, MADE_LOCAL},
    {"shared_name", 0x1200, MADE_LOCAL}, {"global_but_hidden", 0x1300, 0},
    {"twice", 0x1500, MADE_LOCAL},       {"twice", 0x1400, MADE_LOCAL},
};

static const struct made_symbol lib_symbols[] = {
    {"shared_name", 0x1000, MADE_OFFERED},
    {"static_one", 0x1180, MADE_LOCAL},
    {"both", 0x1280, MADE_OFFERED},
    {"both", 0x1380, MADE_LOCAL},
};

enum { PROG, LIB };

static struct model model;
static struct functions_by_name names;
static struct err err;

static int begin(void **state) {
  static char *operands[] = {"prog", "x", "lib", "y"};
  const struct model_symbols options = {0};
  struct inputs inputs;

  err = (struct err){0};
  if (scratch_enter(state))
    return -1;
  made_image("prog", NULL, 0, prog_symbols, 6);
  made_image("lib", NULL, 0, lib_symbols, 4);
  return inputs_find(
             &(struct inputs_options){.operands = operands, .n_operands = 4},
             &inputs, &err) ||
                 model_open(&inputs, false, &model, &err) ||
                 model_load_symbols(&model, &options, &err)
             ? -1
             : 0;
}

static int end(void **state) {
  functions_by_name_release(&names);
  model_close(&model);
  return scratch_leave(state);
}

static void init(void) {
  assert_int_equal(functions_by_name_init(&names, &model, &err), 0);
}

/** Address of a function that is exported, or hidden; 0: none. */
static uint64_t offered(size_t i_object, const char *name) {
  uint64_t vaddr = 0;

  return functions_by_name_find_offered(&names, i_object, name, &vaddr) ? vaddr
                                                                        : 0;
}

static uint64_t hidden(size_t i_object, const char *name) {
  uint64_t vaddr = 0;

  return functions_by_name_find_hidden(&names, i_object, name, &vaddr) ? vaddr
                                                                       : 0;
}

static void offered_ones_are_dynamic_symbols(void **state) {
  (void)state;
  init();
  assert_int_equal(offered(PROG, "main"), 0x1000);
  assert_int_equal(offered(LIB, "shared_name"), 0x1000);
  assert_int_equal(offered(LIB, "both"), 0x1280);
  assert_int_equal(offered(LIB, "main"), 0);
  assert_int_equal(offered(PROG, "shared_name"), 0);
  assert_int_equal(offered(PROG, "static_one"), 0);
  assert_int_equal(offered(PROG, "global_but_hidden"), 0);
}

/** Addresses are those of the object's own image, at any load address. */
static void hidden_ones_are_of_their_object_alone(void **state) {
  (void)state;
  init();
  assert_int_equal(hidden(PROG, "static_one"), 0x1100);
  assert_int_equal(hidden(LIB, "static_one"), 0x1180);
  assert_int_equal(hidden(PROG, "shared_name"), 0x1200);
  assert_int_equal(hidden(PROG, "global_but_hidden"), 0x1300);
  assert_int_equal(hidden(LIB, "global_but_hidden"), 0);
}

static void what_is_offered_is_not_hidden(void **state) {
  (void)state;
  init();
  assert_int_equal(hidden(PROG, "main"), 0);
  assert_int_equal(hidden(LIB, "shared_name"), 0);
  // Not even if there is a static function of the name as well.
  assert_int_equal(hidden(LIB, "both"), 0);
}

static void of_several_the_lowest_is_found(void **state) {
  (void)state;
  init();
  assert_int_equal(hidden(PROG, "twice"), 0x1400);
}

static void names_are_whole_names(void **state) {
  (void)state;
  init();
  assert_int_equal(hidden(PROG, "static"), 0);
  assert_int_equal(hidden(PROG, "static_one_"), 0);
  assert_int_equal(hidden(PROG, ""), 0);
  assert_int_equal(hidden(LIB, "zzz"), 0);
  assert_int_equal(offered(PROG, "mai"), 0);
  assert_int_equal(offered(PROG, ""), 0);
  assert_int_equal(offered(LIB, "zzz"), 0);
}

/** Time in libc is a symbol of no object, and a label is no function. */
static void other_symbols_are_passed_over(void **state) {
  size_t i_symbol;

  (void)state;
  assert_int_equal(model_add_outside(&model, "<libc>", NULL, &i_symbol, &err),
                   0);
  for (size_t i = 0; i < model.symtab.n_symbols; i++)
    if (strcmp(model.symtab.symbols[i].name, "global_but_hidden") == 0)
      model.symtab.symbols[i].is_func = false;
  init();
  assert_int_equal(hidden(LIB, "<libc>"), 0);
  assert_int_equal(hidden(PROG, "global_but_hidden"), 0);
  assert_int_equal(hidden(PROG, "static_one"), 0x1100);
}

static void released_is_empty(void **state) {
  (void)state;
  init();
  functions_by_name_release(&names);
  assert_null(names.by_name);
  assert_null(names.dynamic);
  init();
  assert_int_equal(offered(PROG, "main"), 0x1000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(offered_ones_are_dynamic_symbols),
      TEST(hidden_ones_are_of_their_object_alone),
      TEST(what_is_offered_is_not_hidden),
      TEST(of_several_the_lowest_is_found),
      TEST(names_are_whole_names),
      TEST(other_symbols_are_passed_over),
      TEST(released_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
