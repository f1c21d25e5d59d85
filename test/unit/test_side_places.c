/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places and names of side files: their function and object; and time that is
   moved to the kernel and to the profiler. */
#include "made_sides.h"
#include "profile/side_join.h"

/* The program with a function of the runtime, before all others. */
static const struct made_symbol own_runtime[] = {
    {"__arcline_flush", 0x1000, MADE_LOCAL},
    {"main", 0x1100, MADE_OFFERED},
};

static void make_own_runtime(void) {
  made_image("prog", "prog", 4, own_runtime, 2);
}

static double ticks_of(size_t i_object, const char *name) {
  return profile.counts[find(i_object, name)].ticks;
}

// --- Functions ---

static uint32_t function(size_t i_entry, uint64_t address) {
  return side_join_function(&join, &profile, 0, i_entry, address);
}

static void places_are_of_functions(void **state) {
  (void)state;
  open_side(PROG_AND_LIB CLOCK "time 2 0x10 3\n");
  apply();
  assert_int_equal(function(0, 0x1000), find(PROG, "main"));
  assert_int_equal(function(0, 0x1104), find(PROG, "callback"));
  assert_int_equal(function(1, 0x1004), find(LIB, "run"));
  assert_int_equal(function(0, 0x1fff), find(PROG, "prog_end"));
  assert_int_equal(function(0, 0x2000), PROFILE_NONE);
  assert_int_equal(function(0, 0xfff), PROFILE_NONE);
  assert_int_equal(function(2, 0x10), find(SYMTAB_NONE, "<libc.so.6>"));
}

static void places_in_the_runtime_are_the_profilers(void **state) {
  (void)state;
  make_own_runtime();
  open_side(PROG_AND_LIB);
  apply();
  assert_int_equal(function(0, 0x1004), find(SYMTAB_NONE, "<profiler>"));
  assert_int_equal(function(0, 0x1104), find(PROG, "main"));
}

static void functions_of_the_runtime_may_come_later(void **state) {
  static const struct made_symbol later[] = {
      {"main", 0x1000, MADE_OFFERED},
      {"__arcline_flush", 0x1100, MADE_LOCAL},
  };

  (void)state;
  made_image("prog", "prog", 4, later, 2);
  open_side(PROG_AND_LIB);
  apply();
  assert_int_equal(function(0, 0x1004), find(PROG, "main"));
  assert_int_equal(function(0, 0x1104), find(SYMTAB_NONE, "<profiler>"));
  profile.counts[find(PROG, "__arcline_flush")].ticks = 3;
  side_join_finish(&join, &profile);
  expect_ticks("<profiler>", 3);
}

static void one_entry_is_of_no_object(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "object 3 - 0x0 - [unknown]\n");
  assert_false(side_join_is_unknown(&join, 0, 0));
  assert_false(side_join_is_unknown(&join, 0, 2));
  assert_true(side_join_is_unknown(&join, 0, 3));
}

static size_t find_inlined(void *context, size_t i_object, uint64_t vaddr,
                           uint32_t *symbols, size_t max) {
  assert_ptr_equal(context, &program);
  assert_int_equal(max, 4);
  symbols[0] = (uint32_t)(10 * i_object + vaddr);
  return 3;
}

static void inlined_functions_are_those_of_the_programs_objects(void **state) {
  uint32_t symbols[4] = {0};

  (void)state;
  write_side("1", 7, LIB_AND_PROG "object 3 00112233 0x0 g.other other\n");
  OPEN("prog", "x", "lib", "y", "1");
  assert_int_equal(side_join_inlined_at(&join, 0, 1, 5, symbols, 4), 0);
  join.find_inlined = find_inlined;
  join.inlined_context = &program;
  assert_int_equal(side_join_inlined_at(&join, 0, 1, 5, symbols, 4), 3);
  assert_int_equal(symbols[0], 15);
  assert_int_equal(side_join_inlined_at(&join, 0, 2, 6, symbols, 4), 3);
  assert_int_equal(symbols[0], 6);
  assert_int_equal(side_join_inlined_at(&join, 0, 0, 5, symbols, 4), 0);
  assert_int_equal(side_join_inlined_at(&join, 0, 3, 5, symbols, 4), 0);
}

// --- Names ---

static void names_lead_to_functions(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 5 printf\n");
  assert_int_equal(side_join_callee(&join, "main"), find(PROG, "main"));
  assert_int_equal(side_join_callee(&join, "callback"), find(PROG, "callback"));
  assert_int_equal(side_join_callee(&join, "common"), find(PROG, "common"));
  assert_int_equal(side_join_callee(&join, "run"), find(LIB, "run"));
  assert_int_equal(side_join_callee(&join, "secret"), find(LIB, "secret"));
  assert_int_equal(side_join_callee(&join, "printf"),
                   find(SYMTAB_NONE, "printf"));
  assert_int_equal(side_join_callee(&join, "nothing"), SIZE_MAX);
}

static void without_side_files_names_lead_nowhere(void **state) {
  (void)state;
  OPEN("prog", "x", "lib", "y");
  assert_int_equal(side_join_callee(&join, "main"), SIZE_MAX);
}

static void names_of_what_is_no_code_are_called_by_nobody(void **state) {
  static const struct made_symbol lib[] = {
      {"run", 0x1000, MADE_OFFERED},
      {"beyond", 0x2100, MADE_OFFERED},
  };

  (void)state;
  made_image("lib", "lib ", 4, lib, 2);
  open_side(PROG_AND_LIB "call 0 0x1004 5 beyond\n");
  apply();
  assert_int_equal(profile.n_arcs, 0);
}

/** A function that an object of the program exports has no symbol outside of
   it.
 */
static void names_of_all_objects_are_inside(void **state) {
  static const struct made_symbol prog[] = {
      {"main", 0x1000, MADE_OFFERED},
      {"run", 0, MADE_OFFERED | MADE_IMPORTED},
  };
  static const struct made_symbol lib[] = {
      {"run", 0x1000, MADE_OFFERED},
      {"main", 0, MADE_OFFERED | MADE_IMPORTED},
  };

  (void)state;
  made_image("prog", "prog", 4, prog, 2);
  made_image("lib", "lib ", 4, lib, 2);
  open_side(PROG_AND_LIB "call 0 0x1004 5 run\ncall 1 0x1004 5 main\n");
  for (size_t i = 0; i < program.symtab.n_symbols; i++)
    assert_non_null(program.symtab.symbols[i].object);
  count_outside(PROG, 0x1000, 2);
  apply();
  // The table's first symbol is counted as any other.
  expect_calls(PROG, "main", 2);
}

static void ifuncs_are_what_their_resolvers_chose(void **state) {
  static const struct made_symbol prog[] = {
      {"main", 0x1000, MADE_OFFERED}, {"one", 0x1100, MADE_LOCAL},
      {"two", 0x1200, MADE_LOCAL},    {"pick", 0x1400, MADE_IFUNC},
      {"choose", 0x1500, MADE_IFUNC}, {"neither", 0x1600, MADE_IFUNC},
  };
  static const struct made_symbol lib[] = {
      {"run", 0x1000, MADE_OFFERED},
      {"three", 0x1100, MADE_LOCAL},
      {"four", 0x1200, MADE_LOCAL},
      {"pick", 0x1400, MADE_IFUNC},
  };

  (void)state;
  made_image("prog", "prog", 4, prog, 6);
  made_image("lib", "lib ", 4, lib, 4);
  open_side(PROG_AND_LIB "call 0 0x1004 5 pick\n"
                         "call 0 0x1004 6 choose\n"
                         "call 0 0x1004 8 neither\n"
                         "call 1 0x1004 7 pick\n"
                         "resolved 2 0x1400 0x1000\n"
                         "resolved 1 0x1400 0x1100\n"
                         "resolved 0 0x1500 0x1100\n"
                         "resolved 0 0x1400 0x1200\n");
  assert_int_equal(side_join_callee(&join, "choose"), find(PROG, "one"));
  assert_int_equal(side_join_callee(&join, "pick"), find(PROG, "two"));
  assert_int_equal(side_join_callee(&join, "neither"), SIZE_MAX);
  apply();
  expect_arc(PROG, "main", PROG, "two", 5);
  expect_arc(PROG, "main", PROG, "one", 6);
  expect_arc(LIB, "run", LIB, "three", 7);
  assert_int_equal(profile.n_arcs, 3);
}

static void ifuncs_that_were_not_resolved_lead_on(void **state) {
  static const struct made_symbol prog[] = {
      {"main", 0x1000, MADE_OFFERED},
      {"one", 0x1100, MADE_LOCAL},
      {"pick", 0x1400, MADE_IFUNC},
      {"run", 0x1500, MADE_IFUNC},
  };

  (void)state;
  made_image("prog", "prog", 4, prog, 4);
  open_side(PROG_AND_LIB "resolved 0 0x1400 0x1100\n");
  assert_int_equal(side_join_callee(&join, "pick"), find(PROG, "one"));
  assert_int_equal(side_join_callee(&join, "run"), find(LIB, "run"));
  release();
  open_side(PROG_AND_LIB);
  assert_int_equal(side_join_callee(&join, "pick"), SIZE_MAX);
  assert_int_equal(side_join_callee(&join, "run"), find(LIB, "run"));
}

// --- The kernel's time ---

#define KERNEL "object 3 - 0x0 - [kernel]\n"

static void time_in_system_calls_is_the_kernels(void **state) {
  (void)state;
  open_side(PROG_AND_LIB KERNEL CLOCK "time 2 0x10 9\n"
                                      "kernel 2 0x10 4\n"
                                      "kernel 0 0x1000 2\n"
                                      "kernel 1 0x1000 3\n"
                                      "kernel 0 0x2000 3\n");
  count_samples(PROG, 5);
  apply();
  assert_true(ticks_of(PROG, "main") == 3);
  expect_ticks("<libc.so.6>", 5);
  expect_ticks("<kernel>", 6);
  // "run" has no sample in the histogram, so that there is none to move.
  assert_true(ticks_of(LIB, "run") == 0);
  assert_int_equal(profile.n_arcs, 2);
}

/** One sample of a clock of one per second: at most as many as the function
 * has. */
static void no_more_is_moved_than_is_there(void **state) {
  (void)state;
  open_side(PROG_AND_LIB KERNEL "clock seconds 1\nkernel 0 0x1000 1\n");
  count_samples(PROG, 5);
  apply();
  assert_true(ticks_of(PROG, "main") == 0);
  expect_ticks("<kernel>", 5);
}

static void a_single_tick_is_moved(void **state) {
  (void)state;
  open_side(PROG_AND_LIB KERNEL CLOCK "kernel 0 0x1000 1\n");
  count_samples(PROG, 1);
  apply();
  expect_ticks("<kernel>", 1);
  assert_int_equal(profile.n_arcs, 1);
}

static void time_of_another_clock_is_not_moved(void **state) {
  (void)state;
  open_side(PROG_AND_LIB KERNEL "clock instructions 100\nkernel 0 0x1000 3\n"
                                "time 2 0x10 9\nkernel 2 0x10 4\n");
  count_samples(PROG, 5);
  warnings_begin();
  apply();
  expect_warnings(
      "arcline: warning: 1: samples count instructions, those of the profiles "
      "seconds; time outside of instrumented code is omitted\n");
  assert_true(ticks_of(PROG, "main") == 5);
  expect_ticks("<kernel>", 0);
}

static void time_that_another_file_added_is_not_moved(void **state) {
  (void)state;
  write_side("1", 7, PROG_AND_LIB CLOCK "time 2 0x10 9\n");
  write_side("2", 8,
             PROG_AND_LIB KERNEL "clock seconds 0\n"
                                 "time 2 0x10 9\nkernel 2 0x10 4\n");
  OPEN("prog", "x", "lib", "y", "1", "2");
  count_samples(PROG, 5);
  apply();
  expect_ticks("<libc.so.6>", 9);
  expect_ticks("<kernel>", 0);
}

static void without_a_clock_no_time_is_moved(void **state) {
  (void)state;
  open_side(PROG_AND_LIB KERNEL "clock seconds 0\nkernel 0 0x1000 3\n");
  count_samples(PROG, 5);
  apply();
  assert_true(ticks_of(PROG, "main") == 5);
  expect_ticks("<kernel>", 0);
}

static void system_calls_of_the_profiler_stay_its_own(void **state) {
  (void)state;
  make_own_runtime();
  open_side(PROG_AND_LIB KERNEL CLOCK "kernel 0 0x1000 3\n");
  count_samples(PROG, 5);
  apply();
  assert_true(ticks_of(PROG, "__arcline_flush") == 5);
  expect_ticks("<kernel>", 0);
}

// --- The profiler's time ---

static void the_runtimes_time_is_the_profilers(void **state) {
  (void)state;
  for (uint16_t n = 1; n < 4; n += 2) {
    make_own_runtime();
    open_side(PROG_AND_LIB "object 3 - 0x0 - [profiler]\n" CLOCK
                           "time 3 0x0 5\n");
    count_samples(PROG, n);
    apply();
    side_join_finish(&join, &profile);
    expect_ticks("<profiler>", 5 + n);
    assert_true(ticks_of(PROG, "__arcline_flush") == 0);
    release();
  }
}

static void other_functions_keep_their_time(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "object 3 - 0x0 - [profiler]\n" CLOCK
                         "time 3 0x0 5\n");
  count_samples(PROG, 4);
  apply();
  side_join_finish(&join, &profile);
  expect_ticks("<profiler>", 5);
  assert_true(ticks_of(PROG, "main") == 4);
}

static void without_side_files_the_runtime_keeps_its_time(void **state) {
  const struct side_join none = {0};

  (void)state;
  make_own_runtime();
  OPEN("prog", "x", "lib", "y");
  count_samples(PROG, 4);
  apply();
  side_join_finish(&join, &profile);
  side_join_finish(&none, &profile);
  assert_true(ticks_of(PROG, "__arcline_flush") == 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(places_are_of_functions),
      TEST(places_in_the_runtime_are_the_profilers),
      TEST(functions_of_the_runtime_may_come_later),
      TEST(one_entry_is_of_no_object),
      TEST(inlined_functions_are_those_of_the_programs_objects),
      TEST(names_lead_to_functions),
      TEST(without_side_files_names_lead_nowhere),
      TEST(names_of_what_is_no_code_are_called_by_nobody),
      TEST(names_of_all_objects_are_inside),
      TEST(ifuncs_are_what_their_resolvers_chose),
      TEST(ifuncs_that_were_not_resolved_lead_on),
      TEST(time_in_system_calls_is_the_kernels),
      TEST(no_more_is_moved_than_is_there),
      TEST(a_single_tick_is_moved),
      TEST(time_of_another_clock_is_not_moved),
      TEST(time_that_another_file_added_is_not_moved),
      TEST(without_a_clock_no_time_is_moved),
      TEST(system_calls_of_the_profiler_stay_its_own),
      TEST(the_runtimes_time_is_the_profilers),
      TEST(other_functions_keep_their_time),
      TEST(without_side_files_the_runtime_keeps_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
