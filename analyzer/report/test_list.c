/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/test_list.h"

#include "base/err.h"
#include "base/json.h"
#include "base/row.h"

#include <stdlib.h>

// --- What tests have run ---

struct test_sums {
  size_t n_funcs, n_lines;
};

struct sums {
  const struct context_index *index;
  struct test_sums *tests; // and one more: processes without a context
  bool has_none, has_lines;
};

static size_t count_bits(const uint8_t *bits, size_t first, size_t n) {
  size_t n_set = 0;

  for (size_t i = first; i < first + n; i++)
    n_set += context_has_bit(bits, i);
  return n_set;
}

static int add_run(void *context, const struct context_run *run,
                   const uint8_t *bits, struct err *err) {
  struct sums *const sums = context;
  const struct context_object *const object =
      &sums->index->objects[run->i_object];
  const bool is_none = run->i_name == CONTEXT_NO_NAME;
  struct test_sums *const test =
      &sums->tests[is_none ? sums->index->n_names : run->i_name];

  (void)err;
  if (!object->is_current)
    return 0;
  sums->has_none |= is_none;
  sums->has_lines |= object->has_lines;
  for (size_t i = 0; i < object->n_funcs; i++)
    test->n_funcs += context_has_bit(bits, i) && !object->funcs[i].is_made;
  if (object->has_lines)
    test->n_lines +=
        count_bits(bits, context_object_first_line(object), object->n_lines);
  return 0;
}

static int add_up(const struct context_index *index, struct sums *out,
                  struct err *err) {
  *out = (struct sums){
      .index = index, .tests = calloc(index->n_names + 1, sizeof(*out->tests))};
  if (!out->tests)
    return err_no_memory(err);
  return context_index_visit(index, add_run, out, err);
}

// --- Text ---

enum { COUNT_WIDTH = 9 };

static void print_test(struct row *row, const struct sums *sums, size_t i,
                       const char *name, const char *note) {
  row_add_number(row, sums->tests[i].n_funcs, COUNT_WIDTH);
  if (sums->has_lines)
    row_add_number(row, sums->tests[i].n_lines, COUNT_WIDTH + 1);
  row_add_text(row, "  ");
  row_add_text(row, name);
  row_add_text(row, note);
  row_add_text(row, "\n");
}

static void print_text(const struct suite *suite, const struct sums *sums,
                       FILE *out) {
  struct row row;

  row_begin(&row, out);
  row_add_text(&row, sums->has_lines ? "functions     lines  test\n"
                                     : "functions  test\n");
  for (size_t i = 0; i < suite->index.n_names; i++)
    print_test(&row, sums, i, suite->index.names[i],
               suite->stale.has_run[i] ? " (earlier build)" : "");
  if (sums->has_none)
    print_test(&row, sums, suite->index.n_names, "(no test)", "");
  row_write(&row);
}

// --- JSON ---

static void begin_json(struct json *json, const struct suite *suite) {
  json_object_begin(json, NULL);
  json_text(json, "format", "arcline-tests");
  json_integer(json, "version", 1);
  json_text(json, "folder", suite->folder);
}

static void print_json(const struct suite *suite, const struct sums *sums,
                       FILE *out) {
  struct json json = {.stream = out};

  begin_json(&json, suite);
  json_array_begin(&json, "programs");
  for (size_t i = 0; i < suite->index.n_objects; i++) {
    const struct context_object *const object = &suite->index.objects[i];
    if (!object->is_current)
      continue;
    json_object_begin(&json, NULL);
    json_text(&json, "path", object->path);
    json_integer(&json, "functions", object->n_funcs);
    json_bool(&json, "has_lines", object->has_lines);
    json_object_end(&json);
  }
  json_array_end(&json);
  json_array_begin(&json, "tests");
  for (size_t i = 0; i < suite->index.n_names; i++) {
    json_object_begin(&json, NULL);
    json_text(&json, "name", suite->index.names[i]);
    json_integer(&json, "functions", sums->tests[i].n_funcs);
    if (sums->has_lines)
      json_integer(&json, "lines", sums->tests[i].n_lines);
    json_bool(&json, "is_stale", suite->stale.has_run[i]);
    json_object_end(&json);
  }
  json_array_end(&json);
  json_integer(&json, "functions_without_test",
               sums->tests[suite->index.n_names].n_funcs);
  json_object_end(&json);
}

int test_list_print(const struct suite *suite, bool is_json, FILE *out,
                    struct err *err) {
  struct sums sums;
  const int rc = add_up(&suite->index, &sums, err);

  if (rc == 0 && is_json)
    print_json(suite, &sums, out);
  else if (rc == 0)
    print_text(suite, &sums, out);
  free(sums.tests);
  return rc;
}

void test_list_print_hits(const struct suite *suite, const char *what,
                          const struct context_hits *hits, bool is_json,
                          FILE *out) {
  struct json json = {.stream = out};

  if (is_json) {
    begin_json(&json, suite);
    json_text(&json, "ran", what);
    json_array_begin(&json, "tests");
  }
  for (size_t i = 0; i < hits->n; i++)
    if (hits->has_run[i] && is_json)
      json_text(&json, NULL, suite->index.names[i]);
    else if (hits->has_run[i])
      fprintf(out, "%s\n", suite->index.names[i]);
  if (is_json) {
    json_array_end(&json);
    json_bool(&json, "without_test", hits->has_none);
    json_object_end(&json);
  }
}
