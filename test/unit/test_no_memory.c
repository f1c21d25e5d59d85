/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Out of memory while images, profiles and side files are opened: each
 * allocation fails in turn, which must end in an error, without leaks and
 * double frees. The linker redirects allocations here; those of libelf do not
 * fail.
 */
#include <errno.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/sort_text.h"
#include "counts/line_counts.h"
#include "debug/line_files.h"
#include "image/code_names.h"
#include "made_gmon.h"
#include "made_image.h"
#include "merge/merge.h"
#include "model/model.h"
#include "profile/arc_order.h"
#include "profile/callgraph.h"
#include "profile/profile_join.h"
#include "profile/side_join.h"

// --- Requests ---

static long n_granted = -1; // before one fails; -1: all fail
static bool is_for_good;    // all later ones fail, too
static bool has_refused;

/** Make the n-th request from now on fail, counted from 0, and perhaps all that
 * follow. */
static void refuse(long n, bool for_good) {
  n_granted = n;
  is_for_good = for_good;
  has_refused = false;
}

static bool refuses(void) {
  if (n_granted != 0) {
    n_granted -= n_granted > 0;
    return false;
  }
  has_refused = true;
  if (!is_for_good)
    n_granted = -1;
  errno = ENOMEM;
  return true;
}

#define WRAPPED(type, name, parameters, ...)                                   \
  type __real_##name parameters;                                               \
  type __wrap_##name parameters;                                               \
  type __wrap_##name parameters {                                              \
    return refuses() ? NULL : __real_##name(__VA_ARGS__);                      \
  }

WRAPPED(void *, malloc, (size_t n_bytes), n_bytes)
WRAPPED(void *, calloc, (size_t n, size_t size), n, size)
WRAPPED(void *, realloc, (void *old, size_t n_bytes), old, n_bytes)
WRAPPED(void *, reallocarray, (void *old, size_t n, size_t size), old, n, size)
WRAPPED(char *, strdup, (const char *text), text)

int __wrap_asprintf(char **out, const char *format, ...);
int __wrap_asprintf(char **out, const char *format, ...) {
  va_list args;

  if (refuses())
    return -1;
  va_start(args, format);
  const int n = vasprintf(out, format, args);
  va_end(args);
  return n;
}

// --- Tests ---

static struct err err;
static size_t n_arcs; // that a profile has in the end

#define OBJECTS                                                                \
  "arcline-side 1\n"                                                           \
  "process 7 prog\n"                                                           \
  "clock seconds 100\n"                                                        \
  "object 0 70726f6770726f67 0x0 g prog\n"                                     \
  "object 1 6c6962206c696220 0x0 g.lib lib\n"                                  \
  "object 2 - 0x0 - /lib/libc.so.6\n"

/** A program of two objects in folder d, with a side file of all records;
 * and in folder e with a call by name alone. */
static int begin(void **state) {
  static const struct made_symbol prog_symbols[] = {
      {"main", 0x1000, MADE_OFFERED}, {"callback", 0x1100, MADE_LOCAL}};
  static const struct made_symbol lib_symbols[] = {
      {"run", 0x1000, MADE_OFFERED}};
  static const uint16_t bins[] = {1};
  struct builder of_prog = made_gmon("progprog");
  const struct builder of_lib = made_gmon("lib lib ");
  const struct builder empty = made_gmon("progprog");

  n_arcs = 3;
  if (scratch_enter(state) || mkdir("d", 0700) || mkdir("e", 0700))
    return -1;
  made_histogram(&of_prog, 0x1000, 0x1004, bins, 1);
  made_arc(&of_prog, 0x1004, 0x1000, 1);
  made_block(&of_prog, 0x1000, 1);
  made_image("prog", "progprog", 8, prog_symbols, 2);
  made_image("lib", "lib lib ", 8, lib_symbols, 1);
  write_bytes("d/g", of_prog.bytes, of_prog.n_bytes);
  write_bytes("d/g.lib", of_lib.bytes, of_lib.n_bytes);
  write_bytes("e/g", empty.bytes, empty.n_bytes);
  write_bytes("e/g.lib", of_lib.bytes, of_lib.n_bytes);
  write_text("d/g.arcline", OBJECTS "time 2 0x0 3\n"
                                    "arc 0 0x1004 1 0x1000 3\n"
                                    "call 0 0x1004 4 run\n"
                                    "call 0 0x1004 5 callback\n"
                                    "end\n");
  write_text("e/g.arcline", OBJECTS "call 0 0x1004 4 run\nend\n");
  return 0;
}

static int end(void **state) {
  n_granted = -1;
  return scratch_leave(state);
}

/** Make a profile of measurements and side files. Returns 0 or -1. */
static int join_profile(struct model *model) {
  struct side_join join;
  struct symspec_tables filters = {0};
  struct profile profile = {0};
  if (side_join_init(&join, model, &err))
    return -1;
  int rc = symspec_resolve(&model->symtab, NULL, 0, &filters, &err) ||
                   profile_init(&profile, &model->symtab, &filters,
                                PROFILE_OUTSIDE, &err)
               ? -1
               : 0;
  for (size_t i = 0; rc == 0 && i < model->n_objects; i++)
    rc = profile_add(&profile, &model->objects[i].measure,
                     &model->objects[i].place, &err);
  if (rc == 0)
    rc = side_join_apply(&join, &profile, &err);
  struct callgraph graph = {0};
  if (rc == 0) {
    assert_int_equal(profile.n_arcs, n_arcs);
    profile_finish(&profile);
    rc = callgraph_build(&profile, CALLGRAPH_ALL_SYMBOLS, &graph, &err);
  }
  callgraph_release(&graph);
  profile_release(&profile);
  symspec_release(&filters);
  side_join_release(&join);
  return rc;
}

/** Go all the way from operands to a joined profile. A part that failed is
 * empty, so it is not released. Returns 0 or -1. */
static int join_operands(char **operands, size_t n_operands) {
  const struct model_symbols symbols = {0};
  const struct model_profiles profiles = {.flags = MEASURE_BLOCKS};
  struct inputs inputs;
  struct model model;
  if (inputs_find(&(struct inputs_options){.operands = operands,
                                           .n_operands = n_operands},
                  &inputs, &err) ||
      model_open(&inputs, false, &model, &err))
    return -1;
  const int rc = model_load_symbols(&model, &symbols, &err) ||
                         model_read_profiles(&model, &profiles, &err) ||
                         join_profile(&model)
                     ? -1
                     : 0;
  model_close(&model);
  return rc;
}

/** Check the result of a try. Returns whether there is one more request. */
static bool was_refused(int rc) {
  n_granted = -1;
  if (!has_refused) {
    assert_int_equal(rc, 0);
    return false;
  }
  assert_int_equal(rc, -1);
  assert_int_equal(err.code, ERR_SYSTEM);
  return true;
}

/** The same for requests that only save memory: if they fail, work
 * continues. */
static bool was_perhaps_refused(int rc) {
  n_granted = -1;
  assert_true(rc == 0 || has_refused);
  assert_int_equal(err.code, rc ? ERR_SYSTEM : ERR_NONE);
  return has_refused;
}

static void expect_refusals(char **operands, size_t n_operands) {
  for (int for_good = 0; for_good < 2; for_good++) {
    long n = 0;
    for (;; n++) {
      err = (struct err){0};
      refuse(n, for_good);
      if (!was_refused(join_operands(operands, n_operands)))
        break;
    }
    assert_true(n > 20);
  }
}

static void side_files_of_a_folder(void **state) {
  char *operands[] = {"d"};

  (void)state;
  expect_refusals(operands, 1);
}

static void calls_by_name_alone(void **state) {
  char *operands[] = {"e"};

  (void)state;
  n_arcs = 1;
  expect_refusals(operands, 1);
}

static void folders_of_profiles(void **state) {
  char *operands[] = {"prog", "d", "lib", "d"};

  (void)state;
  expect_refusals(operands, 4);
}

static void profiles_with_a_side_file_among_them(void **state) {
  char *operands[] = {"prog", "d/g", "lib", "d/g.lib", "d/g.arcline"};

  (void)state;
  expect_refusals(operands, 5);
}

static void sums_by_address(void **state) {
  static const uint16_t bins[] = {1, 2};
  struct builder builder = made_gmon("progprog");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1004, bins, 2);
  // More than the initial arrays and tables have room for.
  for (uint64_t i = 0; i < 40; i++)
    if (i % 2)
      made_arc(&builder, 0x1100 - i, 0x1000, 1);
    else
      made_block(&builder, 0x1100 - i, 1);
  const struct gmon_file file = made_file(&builder, "x");
  for (long n = 0;; n++) {
    struct measure measure = {.flags = MEASURE_BLOCKS};
    struct measure_contents contents;
    struct gmon_reader reader;
    int rc = 0;
    err = (struct err){0};
    refuse(n, false);
    for (int i = 0; i < 2 && rc == 0; i++)
      rc = gmon_reader_init(&reader, &file, native_layout, GMON_FORMAT_AUTO,
                            &err) ||
                   measure_add(&measure, &reader, &contents, &err)
               ? -1
               : 0;
    struct measure_call *calls = NULL;
    size_t n_calls;
    if (rc == 0)
      rc = measure_calls(&measure, &calls, &n_calls, &err);
    free(calls);
    measure_release(&measure);
    if (!was_refused(rc))
      break;
  }
}

/** More lines than the initial room, of two functions. */
static void counts_of_lines(void **state) {
  enum { N = 300 };
  static struct flow_node nodes[N];
  static struct flow_line lines[2 * N];
  static struct flow_call calls[] = {{.callee = "b"}, {.callee = "a"}};
  static struct flow_func funcs[] = {
      {.name = "g", .n_nodes = 1},
      {.name = "f", .first_node = 1, .n_nodes = N - 1}};
  const struct flow_data flow = {.funcs = funcs,
                                 .n_funcs = 2,
                                 .nodes = nodes,
                                 .n_nodes = N,
                                 .lines = lines,
                                 .n_lines = N,
                                 .calls = calls,
                                 .n_calls = 2};

  (void)state;
  for (uint32_t i = 0; i < N; i++) {
    nodes[i] = (struct flow_node){.first_line = i, .n_lines = 1, .count = 1};
    lines[i].line = N - i;
  }
  for (long n = 0;; n++) {
    struct line_counts counts = {0}, more = {0};
    err = (struct err){0};
    refuse(n, false);
    const int rc = line_counts_build(&flow, &counts, NULL, &err) ||
                           line_counts_build(&flow, &more, NULL, &err) ||
                           line_counts_add(&counts, &more, &err)
                       ? -1
                       : 0;
    if (rc == 0) {
      assert_int_equal(counts.n_lines, N);
      assert_int_equal(counts.n_calls, 2);
      assert_int_equal(counts.n_funcs, 2);
      for (uint32_t i = 0; i < N; i++)
        assert_int_equal(counts.lines[i].pos.line, i + 1);
      assert_string_equal(counts.calls[0].callee, "a");
      assert_string_equal(counts.funcs[0].name, "f");
    }
    line_counts_release(&counts);
    line_counts_release(&more);
    if (!was_perhaps_refused(rc))
      break;
  }
}

/** A ring of functions, of which one is popular. */
static void orders_for_linkers(void **state) {
  enum { N = 150 };
  struct profile_arc arcs[2 * N];
  const struct arc_order_graph graph = {.n_symbols = N,
                                        .n_nodes = N,
                                        .arcs = arcs,
                                        .n_arcs =
                                            sizeof(arcs) / sizeof(arcs[0])};
  bool is_file[N];

  (void)state;
  for (uint32_t i = 0; i < N; i++) {
    is_file[i] = true;
    arcs[i] = (struct profile_arc){i, (i + 1) % N, i, 0, 0};
    arcs[N + i] = (struct profile_arc){i, 100, N - i, 0, 0};
  }
  for (long n = 0;; n++) {
    struct arc_order functions = {0}, files = {0};
    err = (struct err){0};
    refuse(n, false);
    const int rc = arc_order_functions(&graph, false, &functions, &err) ||
                           arc_order_files(&graph, is_file, &files, &err)
                       ? -1
                       : 0;
    if (rc == 0)
      assert_int_equal(functions.n_nodes + files.n_nodes, 2 * N);
    arc_order_release(&functions);
    arc_order_release(&files);
    if (!was_refused(rc))
      break;
  }
}

/** Pairs that are equal for longer than a key; more than the initial room. */
static void sorted_texts(void **state) {
  enum { N = 600, N_BYTES = 24 };
  static char bytes[N][N_BYTES];
  const char *texts[N];
  uint32_t order[N];

  (void)state;
  for (unsigned i = 0; i < N; i++) {
    snprintf(bytes[i], N_BYTES, "%07u_alike_%u", i / 2, i % 2);
    texts[i] = bytes[i];
  }
  for (long n = 0;; n++) {
    err = (struct err){0};
    refuse(n, false);
    if (!was_refused(sort_texts(texts, N, order) ? err_no_memory(&err) : 0))
      break;
  }
}

/** More than the initial room. */
static void names_of_files(void **state) {
  enum { N = 100 };

  (void)state;
  for (long n = 0;; n++) {
    struct line_files files = {0};
    char name[16];
    bool has_failed = false;
    err = (struct err){0};
    refuse(n, false);
    for (uint32_t i = 0; i < N && !has_failed; i++) {
      snprintf(name, sizeof(name), "%u.c", i);
      has_failed = line_files_add(&files, strdup(name)) != i;
    }
    line_files_release(&files);
    if (!was_refused(has_failed ? err_no_memory(&err) : 0))
      break;
  }
}

/** Of folders d and e, and of files of which all but one fit one another. */
static void sums_of_files(void **state) {
  static const uint16_t bins[] = {1, 2};
  struct builder overlaps = made_gmon("progprog");

  (void)state;
  made_histogram(&overlaps, 0x1002, 0x1006, bins, 1);
  write_bytes("d/other", overlaps.bytes, overlaps.n_bytes);
  for (int for_good = 0; for_good < 2; for_good++)
    for (long n = 0;; n++) {
      struct merge merge = {0};
      err = (struct err){0};
      warnings_begin();
      refuse(n, for_good);
      const int rc = merge_add(&merge, "d", &err) ||
                             merge_add(&merge, "e", &err) ||
                             merge_choose(&merge, &err)
                         ? -1
                         : 0;
      n_granted = -1;
      if (rc == 0) {
        assert_int_equal(merge.n_files, 6);
        assert_int_equal(merge.n_skipped, 1);
      }
      merge_release(&merge);
      expect_warnings(rc ? ""
                         : "arcline: warning: d/g: histogram overlaps another "
                           "one or has another bin width; skipped\n");
      if (!was_refused(rc))
        break;
    }
}

static void names_of_code(void **state) {
  (void)state;
  for (long n = 0;; n++) {
    struct code_names *names = NULL;
    err = (struct err){0};
    refuse(n, false);
    const int rc = code_names_open("prog", NULL, 0, &names, &err);
    code_names_close(names);
    if (!was_refused(rc))
      break;
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(side_files_of_a_folder), TEST(calls_by_name_alone),
      TEST(folders_of_profiles),    TEST(profiles_with_a_side_file_among_them),
      TEST(sums_by_address),        TEST(counts_of_lines),
      TEST(orders_for_linkers),     TEST(sorted_texts),
      TEST(names_of_files),         TEST(sums_of_files),
      TEST(names_of_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
