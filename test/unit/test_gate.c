/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conditions under which a comparison fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "diff/diff.h"
#include "diff/gate.h"

static struct diff_func funcs[] = {
    {.name = "parse",
     .calls = {1000, 1030},
     .self = {{10, 1}, {13, 1}},
     .total = {{20, 1}, {20.5, 1}}},
    {.name = "_ZN2ns4workEi", .calls = {0, 5}},
    {.name = "same", .calls = {7, 7}},
};
static struct diff_file files[] = {
    {.name = {"/old/prog.c", "/src/prog.c"}, .end_line = 3},
};
static struct diff_line lines[] = {
    {0, {9, 10}, {100, 90}},
    {0, {20, 0}, {50, 0}},
    {0, {0, 30}, {0, 50}},
};
static struct diff_object objects[] = {
    {.name = "<kernel>"},
    {.name = "libc.so.6", .self = {{4, 1}, {8, 1}}},
};
static struct diff_covered covered_files[] = {
    {.name = "/p/lib/a.c", .all = {{10, 1}}, .changed = {{2, 0}}},
    {.name = "/p/src/b.c", .all = {{10, 9}, {2, 1}}, .changed = {{1, 1}}},
    {.name = "/p/src/c.c", .all = {{10, 6}}},
};
static struct diff_covered covered_folders[] = {
    {.name = "/p/lib", .all = {{10, 1}}},
    {.name = "/p/src", .all = {{20, 15}, {2, 1}}},
};
static struct diff_covered covered_funcs[] = {
    {.name = "parse", .file = "/p/src/b.c", .line = 7, .all = {{4, 3}}},
    {.name = "_ZN2ns4workEi", .file = "/p/src/c.c", .all = {{4, 1}}},
};
static const struct diff diff = {
    .objects = objects,
    .n_objects = 2,
    .n_sides = DIFF_SIDES,
    .time = {40, 50},
    .n_calls = {1007, 1042},
    .covered = {{{100, 80}, {10, 10}, {0, 0}}, {{100, 79}, {10, 9}, {0, 0}}},
    .all = {{200, 50}, {10, 9}, {0, 0}},
    .covered_files = {covered_files, 3},
    .covered_folders = {covered_folders, 2},
    .covered_funcs = {covered_funcs, 2},
    .funcs = funcs,
    .n_funcs = 3,
    .files = files,
    .n_files = 1,
    .lines = lines,
    .n_lines = 3,
};

/** Names of the functions that fail, "" or "! message". */
static const char *check_gate(struct gate *gate, int rc, struct err *err,
                              const struct diff *what) {
  static char out[ERR_TEXT_BYTES + 8];
  struct gate_result result = {0};

  out[0] = '\0';
  if (rc == 0)
    rc = gate_check(gate, what, &result, err);
  for (size_t i = 0; i < result.n_failed; i++) {
    strcat(out, result.failed[i].name ? result.failed[i].name : "all");
    strcat(out, " ");
  }
  gate_result_release(&result);
  if (rc != 0)
    snprintf(out, sizeof(out), "! %s", err->text);
  gate_release(gate);
  return out;
}

static const char *fails(const char *text) {
  struct err err = {0};
  struct gate gate;
  const int rc = gate_parse(text, &gate, &err);

  return check_gate(&gate, rc, &err, &diff);
}

static const char *fails_under(const char *text) {
  struct err err = {0};
  struct gate gate;
  const int rc = gate_parse_under(text, &gate, &err);

  return check_gate(&gate, rc, &err, &diff);
}

static void calls_are_exact(void **state) {
  (void)state;
  assert_string_equal(fails("calls(parse) > +3%"), "");
  assert_string_equal(fails("calls(parse)>+2.99%"), "parse ");
  assert_string_equal(fails("calls(parse) > +29"), "parse ");
  assert_string_equal(fails("calls(parse) > +30"), "");
  assert_string_equal(fails("calls(parse) > 1029"), "parse ");
  assert_string_equal(fails("calls(parse) < 1030"), "");
  assert_string_equal(fails("calls(*) > +1%"), "parse _ZN2ns4workEi ");
  assert_string_equal(fails("calls(same) < -0%"), "");
  assert_string_equal(fails("calls > +3%"), "all ");
}

static void minima_are_of_files_folders_and_functions(void **state) {
  (void)state;
  assert_string_equal(fails_under("lines=79"), "");
  assert_string_equal(fails_under("lines = 79.5 %"), "all ");
  assert_string_equal(fails_under("total:lines=26"), "all ");
  assert_string_equal(fails_under("total:lines=25"), "");
  assert_string_equal(fails_under("lines(src/*)=75"), "");
  assert_string_equal(fails_under("lines(src/)=76"), "all ");
  assert_string_equal(fails_under("total:lines(*.c)=54"), "all ");
  assert_string_equal(fails_under("file:lines=61"), "/p/lib/a.c /p/src/c.c ");
  assert_string_equal(fails_under("file:lines(src/*)=60"), "");
  assert_string_equal(fails_under("folder:lines=60"), "/p/lib ");
  assert_string_equal(fails_under("folder:lines(src)=76"), "/p/src ");
  assert_string_equal(fails_under("file:functions=51"), "/p/src/b.c ");
  assert_string_equal(fails_under("function:lines=70"), "_ZN2ns4workEi ");
  assert_string_equal(fails_under("function:lines(work)=20"), "");
  assert_string_equal(fails_under("function:lines(ns::work(int))=30"),
                      "_ZN2ns4workEi ");
  assert_string_equal(fails("file:lines < 60"), "/p/lib/a.c ");
  assert_string_equal(fails("coverage(b.c) < 91"), "all ");
  assert_non_null(strstr(fails_under("file:lines(x.c)=1"), "always pass"));
  assert_non_null(strstr(fails_under("function:lines(f)=1"), "always pass"));
}

static void minima_of_changed_lines(void **state) {
  struct diff changed = diff;
  struct err err = {0};
  struct gate gate;

  (void)state;
  changed.is_of_changes = true;
  assert_int_equal(gate_parse_under("changed:lines=80", &gate, &err), 0);
  assert_string_equal(check_gate(&gate, 0, &err, &changed), "all ");
  assert_int_equal(gate_parse_under("lines(lib/)=1", &gate, &err), 0);
  assert_string_equal(check_gate(&gate, 0, &err, &changed), "all ");
  assert_int_equal(gate_parse_under("total:lines(lib/)=1", &gate, &err), 0);
  assert_string_equal(check_gate(&gate, 0, &err, &changed), "");
  // In this file, no line was changed.
  assert_int_equal(gate_parse_under("lines(c.c)=100", &gate, &err), 0);
  assert_string_equal(check_gate(&gate, 0, &err, &changed), "");
  assert_non_null(
      strstr(fails_under("changed:lines=80"), "requires --changed-since"));
}

static void names_are_those_of_the_source(void **state) {
  (void)state;
  assert_string_equal(fails("calls(ns::work) > +0"), "_ZN2ns4workEi ");
  assert_string_equal(fails("calls(ns::*) > +0"), "_ZN2ns4workEi ");
  assert_string_equal(fails("calls(ns::work(int)) > +0"), "_ZN2ns4workEi ");
}

static void chance_fails_nothing(void **state) {
  (void)state;
  // 13 against 10, each off by 1: by 1.41 together.
  assert_string_equal(fails("self(parse) > +1"), "parse ");
  assert_string_equal(fails("self(parse) > +1.6"), "");
  assert_string_equal(fails("self(parse) > +15%"), "parse ");
  assert_string_equal(fails("self(parse) > +16%"), "");
  assert_string_equal(fails("total(parse) > +0%"), "");
  assert_string_equal(fails("self(parse) > 11.9"), "parse ");
  assert_string_equal(fails("self(parse) > 12"), "");
  assert_string_equal(fails("self(parse) > 23%"), "parse ");
  assert_string_equal(fails("self(parse) > 25%"), "");
}

static void time_of_the_program(void **state) {
  (void)state;
  assert_string_equal(fails("time > 49"), "all ");
  assert_string_equal(fails("time > 50"), "");
  assert_string_equal(fails("time > +9"), "all ");
  assert_string_equal(fails("time > +10"), "");
}

/** The first function is as close as any. */
static void names_alike_are_offered(void **state) {
  (void)state;
  assert_non_null(strstr(fails("calls(prse) > 1"), "parse"));
  assert_non_null(strstr(fails("calls(sme) > 1"), "same"));
}

static void lines_and_coverage(void **state) {
  (void)state;
  assert_string_equal(fails("count(prog.c:10) < -5%"), "/src/prog.c ");
  assert_string_equal(fails("count(src/*.c:10) > 90"), "");
  assert_string_equal(fails("coverage < 80%"), "all ");
  assert_string_equal(fails("coverage < 79%"), "");
  assert_string_equal(fails("coverage < -0.5%"), "all ");
  assert_string_equal(fails("coverage < -1%"), "");
  assert_string_equal(fails("functions < 100"), "all ");
  assert_string_equal(fails_under("lines=79"), "");
  assert_string_equal(fails_under("lines=79.5"), "all ");
  assert_string_equal(fails_under("functions=90%"), "");
  assert_string_equal(fails_under("lines=0"), "");
  assert_string_equal(fails_under("lines=0.5"), "");
}

static void what_would_always_pass_is_refused(void **state) {
  struct diff none = {.n_sides = DIFF_SIDES, .is_of_changes = true};
  struct err err = {0};
  struct gate gate;

  (void)state;
  assert_non_null(strstr(fails("calls(prase) > +3%"), "always pass"));
  assert_non_null(strstr(fails("count(prog.c:11) > 1"), "always pass"));
  assert_non_null(strstr(fails_under("branches=50"), "always pass"));
  // Having no changed code is not an error.
  assert_int_equal(gate_parse_under("lines=100", &gate, &err), 0);
  assert_string_equal(check_gate(&gate, 0, &err, &none), "");
}

static void two_are_needed_for_a_change(void **state) {
  struct diff one = diff;
  struct err err = {0};
  struct gate gate;

  (void)state;
  one.n_sides = 1;
  assert_int_equal(gate_parse("calls(parse) > +3%", &gate, &err), 0);
  assert_non_null(
      strstr(check_gate(&gate, 0, &err, &one), "requires two profiles"));
  assert_int_equal(gate_parse("calls(parse) > 999", &gate, &err), 0);
  assert_string_equal(check_gate(&gate, 0, &err, &one), "parse ");
}

static void nonsense_is_named(void **state) {
  (void)state;
  assert_non_null(strstr(fails("call(f) > 1"), "must begin with"));
  assert_non_null(strstr(fails(""), "must begin with"));
  assert_non_null(strstr(fails("self > 1"), "must begin with"));
  assert_non_null(strstr(fails("calls(f > 1"), "missing closing parenthesis"));
  assert_non_null(strstr(fails("calls(f) = 1"), "missing `>'"));
  assert_non_null(strstr(fails("calls(f) > many"), "missing number"));
  assert_non_null(strstr(fails("calls(f) > nan"), "missing number"));
  assert_non_null(
      strstr(fails("calls(f) > +3% more"), "unexpected text after"));
  assert_non_null(strstr(fails("calls(f) > 3%"), "percentage without a sign"));
  assert_non_null(strstr(fails("count(f) > 3"), "count(FILE:LINE)"));
  assert_non_null(strstr(fails("file:calls(f) > 1"), "must begin with"));
  assert_non_null(strstr(fails("file:lines < +1"), "of the whole program"));
  assert_non_null(strstr(fails("lines(a.c) < +1"), "of the whole program"));
  static const char *const wrong[] = {
      "",         "lines",          "lines=x",       "lines=101",
      "lines=-1", "calls=50",       "calls(f)=1",    "files:lines=1",
      "file:=1",  "lines(a=1",      "lines=80 more", "function:functions=1",
      "lines()",  "file:calls(f)=1"};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
    assert_non_null(strstr(fails_under(wrong[i]), "must be [SCOPE:]KIND"));
}

/* Libraries and the kernel are gates of self time, if no function fits. */
static void test_objects(void **state) {
  (void)state;
  assert_string_equal(fails("self(libc.so.6) > 6"), "libc.so.6 ");
  assert_string_equal(fails("self(libc.so*) > 10%"), "libc.so.6 ");
  assert_string_equal(fails("self(libc.so.6) > 7.5"), "");
  assert_string_equal(fails("self(libc.so.6) > +50%"), "libc.so.6 ");
  assert_string_equal(fails("self(<kernel>) > 0.1"), "");
  assert_string_equal(fails("self(*) > 11"), "parse ");
  assert_int_equal(fails("total(libc.so.6) > 1")[0], '!');
  assert_int_equal(fails("calls(libc.so.6) > 1")[0], '!');
  assert_int_equal(fails("self(libm.so.6) > 1")[0], '!');
}

static void check_closest(const char *text, const char *name, double value) {
  struct gate_result result = {0};
  struct gate gate;
  struct err err;

  assert_int_equal(gate_parse(text, &gate, &err), 0);
  assert_int_equal(gate_check(&gate, &diff, &result, &err), 0);
  assert_int_equal(result.n_failed, 0);
  assert_true(result.has_closest);
  assert_string_equal(result.closest.name ? result.closest.name : "all", name);
  assert_true(result.closest.b == value);
  gate_result_release(&result);
  gate_release(&gate);
}

static void test_closest(void **state) {
  (void)state;
  check_closest("calls(*) > 2000", "parse", 1030);
  check_closest("calls(*) < 3", "_ZN2ns4workEi", 5);
  check_closest("self(libc.so.6) > 90%", "libc.so.6", 8);
  check_closest("functions < 80%", "all", 90);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_objects),
      cmocka_unit_test(test_closest),
      cmocka_unit_test(calls_are_exact),
      cmocka_unit_test(minima_are_of_files_folders_and_functions),
      cmocka_unit_test(minima_of_changed_lines),
      cmocka_unit_test(names_are_those_of_the_source),
      cmocka_unit_test(chance_fails_nothing),
      cmocka_unit_test(time_of_the_program),
      cmocka_unit_test(names_alike_are_offered),
      cmocka_unit_test(lines_and_coverage),
      cmocka_unit_test(what_would_always_pass_is_refused),
      cmocka_unit_test(two_are_needed_for_a_change),
      cmocka_unit_test(nonsense_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
