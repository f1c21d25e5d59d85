/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records that side files add to a profile: arcs that cross objects, calls by
 * name, and time outside of instrumented code. */
#include "made_sides.h"

// --- Arcs ---

static void arcs_cross_objects(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "arc 0 0x1004 1 0x1000 3\n"
                         "arc 1 0x1008 0 0x1100 15\n");
  count_outside(LIB, 0x1000, 3);
  count_outside(PROG, 0x1100, 15);
  count_outside(PROG, 0x1000, 1);
  apply();
  assert_int_equal(profile.n_arcs, 2);
  assert_true(profile.has_arcs);
  expect_arc(PROG, "main", LIB, "run", 3);
  expect_arc(LIB, "run", PROG, "callback", 15);
  // Calls of these arcs are not from outside any more.
  expect_calls(LIB, "run", 3);
  expect_calls(PROG, "callback", 15);
  expect_calls(PROG, "main", 1);
  assert_int_equal(profile.counts[find(LIB, "run")].outside_calls, 0);
  assert_int_equal(profile.counts[find(PROG, "main")].outside_calls, 1);
}

static void calls_by_nobody_known_remain(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "arc 0 0x1004 1 0x1000 3\n"
                         "arc 0 0x1004 1 0x1100 3\n");
  count_outside(LIB, 0x1000, 5);
  // Counted less often than called: the others were calls of a function that
  // was at the same address before.
  count_outside(LIB, 0x1100, 2);
  apply();
  expect_calls(LIB, "run", 5);
  assert_int_equal(profile.counts[find(LIB, "run")].outside_calls, 2);
  expect_calls(LIB, "common", 2);
  assert_int_equal(profile.counts[find(LIB, "common")].outside_calls, 0);
}

static void arcs_without_two_ends_are_left_out(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "arc 2 0x1004 1 0x1000 1\n" // from libc
                         "arc 0 0x1004 2 0x1000 1\n" // into it
                         "arc 0 0xfff 1 0x1000 1\n"  // from before the object
                         "arc 0 0x2000 1 0x1000 1\n" // from after it
                         "arc 0 0x1004 1 0x2000 1\n"
                         "arc 0 0x1004 1 0xffffffffffffffff 1\n"
                         "arc 0 0x1004 1 0x0 1\n"
                         // where the other one's symbols are in the table
                         "arc 0 0x1004 0 0x2001000 1\n");
  assert_int_equal(program.objects[LIB].place.base, 0x2000000);
  count_outside(LIB, 0x1000, 9);
  apply();
  assert_int_equal(profile.n_arcs, 0);
  expect_calls(LIB, "run", 9);
  assert_int_equal(profile.counts[find(LIB, "run")].outside_calls, 9);
}

static void callees_are_functions_callers_may_be_labels(void **state) {
  (void)state;
  write_side("1", 7, PROG_AND_LIB "arc 0 0x1104 1 0x1104 2\n");
  assert_int_equal(INIT("1"), 0);
  program.symtab.symbols[find(PROG, "callback")].is_func = false;
  program.symtab.symbols[find(LIB, "common")].is_func = false;
  start_profile();
  apply();
  assert_int_equal(profile.n_arcs, 1);
  expect_arc(PROG, "callback", LIB, "run", 2);
}

/** Each file has its own numbers of objects. */
static void arcs_of_several_files_are_added_up(void **state) {
  (void)state;
  write_side("1", 7, PROG_AND_LIB "arc 0 0x1004 1 0x1000 3\n");
  write_side("2", 8,
             LIB_AND_PROG "arc 2 0x1004 1 0x1000 4\n"
                          "arc 2 0x1004 0 0x1000 5\n");
  OPEN("prog", "x", "lib", "y", "1", "2");
  count_outside(LIB, 0x1000, 7);
  apply();
  assert_int_equal(profile.n_arcs, 1);
  expect_arc(PROG, "main", LIB, "run", 7);
  expect_calls(LIB, "run", 7);
}

/** A library may be loaded several times, for itself each time. */
static void objects_may_be_listed_more_than_once(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "object 3 6c696220 0x7000 g.lib lib\n"
                         "object 4 6c696220 0x9000 g.lib lib\n"
                         "object 5 6c696220 0xb000 g.lib lib\n"
                         "arc 0 0x1004 1 0x1000 3\n"
                         "arc 0 0x1004 5 0x1000 4\n"
                         "call 0 0x1004 5 run\n");
  count_outside(LIB, 0x1000, 20);
  apply();
  expect_arc(PROG, "main", LIB, "run", 12);
}

static void counts_of_64_bits_stay(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "arc 0 0x1004 1 0x1000 9223372036854775808\n"
                         "arc 0 0x1004 1 0x1000 9223372036854775807\n");
  count_outside(LIB, 0x1000, UINT64_MAX);
  apply();
  expect_arc(PROG, "main", LIB, "run", UINT64_MAX);
  expect_calls(LIB, "run", UINT64_MAX);
}

// --- Calls by name ---

static void calls_by_name_go_to_the_first_object_that_offers_it(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 1 0x1004 4 common\n");
  count_outside(PROG, 0x1200, 9);
  count_outside(LIB, 0x1100, 9);
  apply();
  assert_int_equal(profile.n_arcs, 1);
  expect_arc(LIB, "run", PROG, "common", 4);
  expect_calls(PROG, "common", 9);
  expect_calls(LIB, "common", 9);
}

/** The order is the file's, which has it from the dynamic linker. */
static void order_of_objects_is_that_of_the_side_file(void **state) {
  (void)state;
  write_side("1", 7, LIB_IS(0) PROG_IS(1) "call 1 0x1004 4 common\n");
  OPEN("prog", "x", "lib", "y", "1");
  count_outside(PROG, 0x1200, 9);
  count_outside(LIB, 0x1100, 9);
  apply();
  assert_int_equal(profile.n_arcs, 1);
  expect_arc(PROG, "main", LIB, "common", 4);
}

static void objects_that_a_file_does_not_list_come_last(void **state) {
  (void)state;
  write_side("1", 7, LIB_IS(0) "call 0 0x1004 5 common\n");
  write_side("2", 8, PROG_IS(0) "call 0 0x1004 5 run\n");
  OPEN("prog", "x", "lib", "y", "1", "2");
  count_outside(PROG, 0x1200, 9);
  count_outside(LIB, 0x1100, 2);
  count_outside(LIB, 0x1000, 9);
  apply();
  expect_arc(LIB, "run", LIB, "common", 2);
  expect_arc(LIB, "run", PROG, "common", 3);
  expect_arc(PROG, "main", LIB, "run", 5);
}

static void nobody_is_called_more_often_than_counted(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 10 common\n");
  count_outside(PROG, 0x1200, 3);
  count_outside(LIB, 0x1100, 4);
  apply();
  assert_int_equal(profile.n_arcs, 2);
  expect_arc(PROG, "main", PROG, "common", 3);
  expect_arc(PROG, "main", LIB, "common", 4);
  expect_calls(PROG, "common", 3);
  expect_calls(LIB, "common", 4);
}

static void arcs_take_their_calls_first(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 10 run\n"
                         "arc 0 0x1104 1 0x1000 4\n");
  count_outside(LIB, 0x1000, 6);
  apply();
  expect_arc(PROG, "callback", LIB, "run", 4);
  expect_arc(PROG, "main", LIB, "run", 2);
  expect_calls(LIB, "run", 6);
}

static void callers_are_believed_where_nothing_was_counted(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 10 run\n"
                         "call 1 0x1004 3 run\n");
  apply();
  expect_arc(PROG, "main", LIB, "run", 10);
  expect_arc(LIB, "run", LIB, "run", 3);
  // Of these, some are recursive.
  expect_calls(LIB, "run", 10);
  assert_int_equal(profile.counts[find(LIB, "run")].self_calls, 3);
}

static void the_first_of_those_that_count_nothing_is_believed(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 10 common\n");
  apply();
  assert_int_equal(profile.n_arcs, 1);
  expect_arc(PROG, "main", PROG, "common", 10);
}

/** One that counts calls within its object is instrumented, too. */
static void counted_from_inside_is_counted(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 10 run\n");
  count_calls(LIB, 0x1104, 0x1000, 2);
  apply();
  assert_int_equal(profile.n_arcs, 1);
  expect_calls(LIB, "run", 2);
}

static void a_function_that_the_caller_hides_is_its_own(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 5 own\n"
                         "call 1 0x1004 7 own\n"
                         "call 1 0x1004 8 secret\n"
                         "call 1 0x1004 9 callback\n");
  count_outside(PROG, 0x1300, 20);
  count_outside(LIB, 0x1200, 20);
  count_outside(PROG, 0x1100, 20);
  apply();
  assert_int_equal(profile.n_arcs, 4);
  expect_arc(PROG, "main", PROG, "own", 5);
  expect_arc(LIB, "run", LIB, "own", 7);
  expect_arc(LIB, "run", LIB, "secret", 8);
  // Other objects do not see the program's callback.
  expect_arc(LIB, "run", SIZE_MAX, "callback", 9);
  expect_calls(PROG, "callback", 20);
}

static void calls_without_two_ends_or_count_are_left_out(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 0 own\n"
                         "call 2 0x1004 5 run\n"
                         "call 0 0x2000 5 run\n");
  apply();
  assert_int_equal(profile.n_arcs, 0);
  expect_calls(LIB, "run", 0);
}

static void a_function_elsewhere_is_called_by_its_name(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "call 0 0x1004 5 printf\n"
                         "call 0 0x1104 6 printf\n"
                         "call 1 0x1004 7 printf\n"
                         "call 1 0x1004 8 inlined\n");
  apply();
  assert_int_equal(profile.n_arcs, 4);
  expect_arc(PROG, "main", SIZE_MAX, "printf", 5);
  expect_arc(PROG, "callback", SIZE_MAX, "printf", 6);
  expect_arc(LIB, "run", SIZE_MAX, "printf", 7);
  expect_calls(SIZE_MAX, "printf", 18);
  // The compiler may have replaced a call: no object has the function then.
  expect_arc(LIB, "run", SIZE_MAX, "inlined", 8);
}

// --- Time ---

static void time_elsewhere_is_of_a_symbol_each(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "object 3 - 0x0 - [vdso]\n"
                         "object 4 - 0x0 - [kernel]\n"
                         "object 5 - 0x0 - /idle.so\n" CLOCK
                         "time 2 0x10 3\ntime 2 0x20 4\n"
                         "time 3 0x0 5\ntime 4 0x0 6\n");
  count_samples(PROG, 2);
  apply();
  expect_ticks("<libc.so.6>", 7);
  expect_ticks("<[vdso]>", 5);
  expect_ticks("<kernel>", 6);
  assert_true(profile.total_ticks == 20);
  // Symbols stay in order, and those without time have none.
  for (size_t i = 1; i < program.symtab.n_symbols; i++) {
    assert_true(program.symtab.symbols[i - 1].vaddr <
                program.symtab.symbols[i].vaddr);
    assert_string_not_equal(program.symtab.symbols[i].name, "<idle.so>");
  }
}

static void files_of_one_name_share_a_symbol(void **state) {
  (void)state;
  write_side("1", 7,
             PROG_AND_LIB "object 3 - 0x0 - [kernel]\n" CLOCK
                          "time 2 0x10 3\ntime 3 0x0 5\n");
  write_side("2", 8,
             PROG_AND_LIB "object 3 - 0x0 - /other/libc.so.6\n" CLOCK
                          "time 2 0x10 10\n"
                          "time 3 0x10 20\n");
  OPEN("1", "2");
  count_samples(PROG, 0);
  apply();
  expect_ticks("<libc.so.6>", 33);
  expect_ticks("<kernel>", 5);
  assert_int_equal(program.symtab.n_symbols, 5 + 5 + 2);
}

static void samples_of_another_rate_are_scaled(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "clock seconds 1000\ntime 2 0x10 35\n");
  count_samples(PROG, 1);
  apply();
  expect_ticks("<libc.so.6>", 3.5);
}

static void time_of_another_unit_is_left_out(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "clock cycles 100\ntime 2 0x10 3\n");
  count_samples(PROG, 1);
  warnings_begin();
  apply();
  expect_warnings(
      "arcline: warning: 1: samples count cycles, those of the profiles "
      "seconds; time outside of instrumented code is omitted\n");
  expect_ticks("<libc.so.6>", 0);
}

static void time_without_a_clock_is_left_out(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "clock seconds 0\ntime 2 0x10 3\n");
  count_samples(PROG, 1);
  apply();
  expect_ticks("<libc.so.6>", 0);
}

static void time_without_a_histogram_is_left_out(void **state) {
  (void)state;
  open_side(PROG_AND_LIB CLOCK "time 2 0x10 3\n");
  warnings_begin();
  apply();
  expect_warnings("");
  expect_ticks("<libc.so.6>", 0);
}

static void the_profilers_own_time_is_one_function(void **state) {
  (void)state;
  open_side(PROG_AND_LIB "object 3 - 0x0 - [profiler]\n" CLOCK
                         "time 3 0x0 5\n");
  count_samples(PROG, 1);
  apply();
  side_join_finish(&join, &profile);
  expect_ticks("<profiler>", 5);
  assert_true(profile.total_ticks == 6);
}

/** Each runtime in a process writes a side file, of the whole process. */
static void time_of_a_process_counts_once(void **state) {
  (void)state;
  for (unsigned pid = 7; pid < 9; pid++) {
    write_side("1", 7, PROG_IS(0) LIBC_IS(1) CLOCK "time 1 0x10 3\n");
    write_side("2", pid, LIB_IS(0) LIBC_IS(1) CLOCK "time 1 0x10 10\n");
    // Another process that had the same number: it has the same objects.
    write_side("3", 7, LIB_AND_PROG CLOCK "time 0 0x10 20\n");
    OPEN("1", "2", "3");
    count_samples(PROG, 0);
    apply();
    expect_ticks("<libc.so.6>", pid == 7 ? 23 : 33);
    release();
  }
}

/** Sums of pools belong to no process; and each container begins with process
   1.
 */
static void time_of_each_program_of_a_suite_counts(void **state) {
  (void)state;
  for (unsigned pid = 0; pid < 2; pid++) {
    write_side_of("1", pid, "prog",
                  PROG_IS(0) LIBC_IS(1) CLOCK "time 1 0x10 3\n");
    write_side_of("2", pid, "other",
                  LIB_IS(0) LIBC_IS(1) CLOCK "time 1 0x10 10\n");
    OPEN("1", "2");
    count_samples(PROG, 0);
    apply();
    expect_ticks("<libc.so.6>", 13);
    release();
  }
}

static void time_of_a_program_left_out_is_left_out(void **state) {
  (void)state;
  write_side_of("1", 0, "prog", PROG_IS(0) LIBC_IS(1) CLOCK "time 1 0x10 3\n");
  write_side_of("2", 0, "gone",
                "object 0 676f6e65 0x0 g /gone\n" LIBC_IS(1) CLOCK
                "time 1 0x10 10\n");
  warnings_begin();
  OPEN("1", "2");
  count_samples(PROG, 0);
  apply();
  warnings_end();
  expect_ticks("<libc.so.6>", 3);
}

/** An object with a runtime of its own is not instrumented for the others; its
 * own samples are in its profile. */
static void samples_of_an_objects_own_runtime_count_once(void **state) {
  (void)state;
  for (uint16_t n_own = 0; n_own < 2; n_own++) {
    write_side("1", 7,
               PROG_IS(0) "object 1 6c696220 0x0 - lib\n" CLOCK
                          "time 1 0x10 3\n");
    write_side("2", 7, LIB_IS(0));
    OPEN("1", "2");
    count_samples(PROG, 1);
    count_samples(LIB, n_own);
    apply();
    expect_ticks("<lib>", n_own ? 0 : 3);
    release();
  }
}

static void samples_of_another_object_are_not_its_own(void **state) {
  (void)state;
  write_side("1", 7, PROG_IS(0));
  write_side("2", 7,
             LIB_IS(0) "object 1 70726f67 0x0 - prog\n" CLOCK
                       "time 1 0x10 3\n");
  OPEN("1", "2");
  count_samples(LIB, 1);
  apply();
  expect_ticks("<prog>", 3);
}

// --- Identity of images ---

static void another_image_than_was_run_is_refused(void **state) {
  (void)state;
  write_side("1", 7, "object 0 70726f68 0x0 g prog\narc 0 0x1004 0 0x1100 3\n");
  assert_int_equal(INIT("1"), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(err.text,
                      "1: build ID of prog differs from that of the image that "
                      "ran; name the image that ran, or use --force");
  assert_null(join.maps.maps);
  assert_null(join.inputs);
  program.is_forced = true;
  assert_int_equal(side_join_init(&join, &program, &err), 0);
  start_profile();
  apply();
  expect_arc(PROG, "main", PROG, "callback", 3);
}

/** Objects that the report leaves out may have been replaced since. */
static void what_is_not_reported_is_not_compared(void **state) {
  (void)state;
  write_side("1", 7,
             PROG_IS(0) "object 1 6c696221 0x0 - lib\n"
                        "object 2 6f746865 0x0 g.other other\n"
                        "arc 0 0x1004 1 0x1000 3\n");
  OPEN("prog", "x", "lib", "y", "1");
  apply();
  assert_int_equal(profile.n_arcs, 0);
}

static void no_side_files_add_nothing(void **state) {
  (void)state;
  OPEN("prog", "x", "lib", "y");
  count_outside(LIB, 0x1000, 3);
  apply();
  assert_int_equal(profile.n_arcs, 0);
  expect_calls(LIB, "run", 3);
  assert_int_equal(program.symtab.n_symbols, 5 + 5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(arcs_cross_objects),
      TEST(calls_by_nobody_known_remain),
      TEST(arcs_without_two_ends_are_left_out),
      TEST(callees_are_functions_callers_may_be_labels),
      TEST(arcs_of_several_files_are_added_up),
      TEST(objects_may_be_listed_more_than_once),
      TEST(counts_of_64_bits_stay),
      TEST(calls_by_name_go_to_the_first_object_that_offers_it),
      TEST(order_of_objects_is_that_of_the_side_file),
      TEST(objects_that_a_file_does_not_list_come_last),
      TEST(nobody_is_called_more_often_than_counted),
      TEST(arcs_take_their_calls_first),
      TEST(callers_are_believed_where_nothing_was_counted),
      TEST(the_first_of_those_that_count_nothing_is_believed),
      TEST(counted_from_inside_is_counted),
      TEST(a_function_that_the_caller_hides_is_its_own),
      TEST(calls_without_two_ends_or_count_are_left_out),
      TEST(a_function_elsewhere_is_called_by_its_name),
      TEST(time_elsewhere_is_of_a_symbol_each),
      TEST(files_of_one_name_share_a_symbol),
      TEST(samples_of_another_rate_are_scaled),
      TEST(time_of_another_unit_is_left_out),
      TEST(time_without_a_clock_is_left_out),
      TEST(time_without_a_histogram_is_left_out),
      TEST(the_profilers_own_time_is_one_function),
      TEST(time_of_a_process_counts_once),
      TEST(time_of_each_program_of_a_suite_counts),
      TEST(time_of_a_program_left_out_is_left_out),
      TEST(samples_of_an_objects_own_runtime_count_once),
      TEST(samples_of_another_object_are_not_its_own),
      TEST(another_image_than_was_run_is_refused),
      TEST(what_is_not_reported_is_not_compared),
      TEST(no_side_files_add_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
