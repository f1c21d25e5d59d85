/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints a comparison as JSON: docs/JSON.md. */
#include "base/err.h"
#include "base/json.h"
#include "debug/func_names.h"
#include "diff/diff_rank.h"
#include "report/diff_report.h"

#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

static const char *const side_keys[] = {"a", "b"};

/** State of writing. */
struct page {
  const struct diff *diff;
  struct json *json;
};

/** A number of each side. */
static void put_counts(const struct page *page, const char *key,
                       const uint64_t *counts) {
  json_object_begin(page->json, key);
  for (size_t i = 0; i < page->diff->n_sides; i++)
    json_integer(page->json, side_keys[i], counts[i]);
  json_object_end(page->json);
}

static void put_times(const struct page *page, const char *key,
                      const struct diff_time *times) {
  json_object_begin(page->json, key);
  for (size_t i = 0; i < page->diff->n_sides; i++) {
    json_object_begin(page->json, side_keys[i]);
    json_number(page->json, "time", times[i].time);
    json_number(page->json, "error", times[i].error);
    json_object_end(page->json);
  }
  json_bool(page->json, "differs", diff_is_change(times));
  json_object_end(page->json);
}

// --- The whole ---

static void put_coverage(const struct page *page) {
  static const char *const names[] = {"lines", "functions", "branches",
                                      "conditions", "mcdc"};
  const struct diff *const diff = page->diff;
  struct json *const json = page->json;

  json_object_begin(json, "coverage");
  json_bool(json, "of_changed_lines", diff->is_of_changes);
  for (size_t kind = 0; kind < N_COVERED; kind++) {
    if (kind >= COVERED_CONDITIONS && diff->covered[DIFF_A][kind].n == 0 &&
        diff->covered[diff->n_sides - 1][kind].n == 0)
      continue;
    json_object_begin(json, names[kind]);
    for (size_t i = 0; i < diff->n_sides; i++) {
      json_object_begin(json, side_keys[i]);
      json_integer(json, "all", diff->covered[i][kind].n);
      json_integer(json, "executed", diff->covered[i][kind].n_run);
      json_object_end(json);
    }
    json_object_end(json);
  }
  json_object_end(json);
}

static void put_uncovered(const struct page *page) {
  const struct diff *const diff = page->diff;
  struct json *const json = page->json;

  if (!diff->is_of_changes)
    return;
  json_array_begin(json, "uncovered");
  for (size_t i = 0; i < diff->n_uncovered; i++) {
    json_object_begin(json, NULL);
    json_text(json, "file", diff->uncovered[i].file);
    json_integer(json, "line", diff->uncovered[i].line);
    json_object_end(json);
  }
  json_array_end(json);
}

static void put_head(const struct page *page,
                     const struct diff_report_options *options) {
  const struct diff *const diff = page->diff;
  struct json *const json = page->json;

  json_text(json, "format", "arcline-diff");
  json_integer(json, "version", SCHEMA_VERSION);
  json_object_begin(json, "profiles");
  for (size_t i = 0; i < diff->n_sides; i++)
    json_text(json, side_keys[i], options->names[i]);
  json_object_end(json);
  if (diff->unit) {
    json_text(json, "unit", diff->unit);
    json_object_begin(json, "time");
    for (size_t i = 0; i < diff->n_sides; i++)
      if (diff->has_time[i])
        json_number(json, side_keys[i], diff->time[i]);
    json_object_end(json);
    json_bool(json, "measured", diff->is_measured);
  }
  put_counts(page, "calls", diff->n_calls);
  put_coverage(page);
  put_uncovered(page);
}

// --- Differences ---

static void put_name(struct json *json, const char *linkage_name) {
  char *const name = func_name_demangle(linkage_name);

  json_text(json, "name", name ? name : linkage_name);
  json_text(json, "linkage_name", linkage_name);
  free(name);
}

/** The sides whose total is propagated, while others are measured. */
static void put_estimates(const struct page *page,
                          const struct diff_func *func) {
  json_object_begin(page->json, "is_estimate");
  for (size_t i = 0; i < page->diff->n_sides; i++)
    json_bool(page->json, side_keys[i], func->is_estimate[i]);
  json_object_end(page->json);
}

static void put_functions(const struct page *page) {
  const struct diff *const diff = page->diff;
  struct json *const json = page->json;

  json_array_begin(json, "functions");
  for (size_t i = 0; i < diff->n_funcs; i++) {
    const struct diff_func *const func = &diff->funcs[i];
    if (diff_change_size(diff, DIFF_FUNC_CALLS, i) <= 0 &&
        diff_change_size(diff, DIFF_FUNC_SELF, i) <= 0 &&
        diff_change_size(diff, DIFF_FUNC_TOTAL, i) <= 0)
      continue;
    json_object_begin(json, NULL);
    put_name(json, func->name);
    if (func->file && func->line) {
      json_text(json, "file", func->file);
      json_integer(json, "line", func->line);
    }
    if (func->program)
      json_text(json, "program", func->program);
    put_counts(page, "calls", func->calls);
    if (diff->has_time[DIFF_A] && diff->has_time[DIFF_B]) {
      put_times(page, "self", func->self);
      put_times(page, "total", func->total);
      if (func->is_estimate[DIFF_A] || func->is_estimate[DIFF_B])
        put_estimates(page, func);
    }
    json_object_end(json);
  }
  json_array_end(json);
}

static int put_ranked(const struct page *page, const char *key,
                      enum diff_table table,
                      void (*put)(const struct page *page, size_t i),
                      struct err *err) {
  struct diff_rank rank;

  if (diff_rank(page->diff, table, &rank, err) != 0)
    return -1;
  json_array_begin(page->json, key);
  for (size_t i = 0; i < rank.n; i++) {
    json_object_begin(page->json, NULL);
    put(page, rank.rows[i]);
    json_object_end(page->json);
  }
  json_array_end(page->json);
  free(rank.rows);
  return 0;
}

static void put_call(const struct page *page, size_t i) {
  const struct diff_call *const call = &page->diff->calls[i];

  json_text(page->json, "caller", call->caller);
  json_text(page->json, "callee", call->callee);
  if (call->file)
    json_text(page->json, "file", call->file);
  put_counts(page, "calls", call->count);
}

static void put_line(const struct page *page, size_t i) {
  const struct diff_line *const line = &page->diff->lines[i];
  const uint64_t numbers[] = {line->line[DIFF_A], line->line[DIFF_B]};

  json_text(page->json, "file",
            diff_file_name(&page->diff->files[line->i_file]));
  put_counts(page, "line", numbers);
  put_counts(page, "count", line->count);
}

// --- Gates ---

static void put_value(struct json *json, const char *key,
                      const struct gate *gate, const struct gate_value *value) {
  json_object_begin(json, key);
  if (value->name)
    json_text(json,
              value->line || value->is_file ? "file"
              : value->is_object            ? "object"
                                            : "linkage_name",
              value->name);
  if (value->func_file) {
    json_text(json, "file", value->func_file);
    json_integer(json, "line", value->func_line);
  }
  if (value->program)
    json_text(json, "program", value->program);
  if (value->line)
    json_integer(json, "line", value->line);
  if (gate->is_change)
    json_number(json, "a", value->a);
  json_number(json, "value", value->b);
  if (value->error > 0)
    json_number(json, "error", value->error);
  json_object_end(json);
}

static void put_gates(struct json *json, const struct gate_result *results,
                      size_t n_results) {
  json_array_begin(json, "gates");
  for (size_t i = 0; i < n_results; i++) {
    json_object_begin(json, NULL);
    json_text(json, "condition", results[i].gate->text);
    json_bool(json, "passed", results[i].n_failed == 0);
    json_array_begin(json, "failed");
    for (size_t k = 0; k < results[i].n_failed; k++)
      put_value(json, NULL, results[i].gate, &results[i].failed[k]);
    json_array_end(json);
    if (results[i].n_failed == 0 && results[i].has_closest)
      put_value(json, "closest", results[i].gate, &results[i].closest);
    json_object_end(json);
  }
  json_array_end(json);
}

int diff_report_json(const struct diff *diff,
                     const struct diff_report_options *options,
                     const struct gate_result *results, size_t n_results,
                     FILE *out, struct err *err) {
  struct json json = {.stream = out};
  const struct page page = {diff, &json};

  json_object_begin(&json, NULL);
  put_head(&page, options);
  if (diff->n_sides == DIFF_SIDES) {
    put_functions(&page);
    if (put_ranked(&page, "arcs", DIFF_CALLS, put_call, err) != 0 ||
        put_ranked(&page, "lines", DIFF_LINES, put_line, err) != 0)
      return -1;
  }
  put_gates(&json, results, n_results);
  json_object_end(&json);
  return 0;
}
