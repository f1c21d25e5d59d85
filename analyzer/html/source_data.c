/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/source_data.h"

#include "base/err.h"
#include "counts/line_counts.h"
#include "debug/source.h"
#include "html/highlight.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/packed.h"
#include "html/source_notes.h"
#include "html/source_refs.h"

#include <stdlib.h>

/** A page that is being written. */
struct source_data {
  const struct html_report *report;
  uint32_t i_file;
  const struct source_text *text; // NULL: not found
  const struct line_facts *facts;
  size_t n_facts;
  struct packed packed;
  struct source_refs refs;
};

// Of more callers of a function, only their number is shown.
enum { MAX_CALLERS = 40 };

// --- Lines ---

/** Write the text of all lines as one. */
static int put_text(struct source_data *data, bool *is_in_comment,
                    struct err *err) {
  char *bytes = NULL;
  size_t n_bytes;
  FILE *const stream = data->text ? open_memstream(&bytes, &n_bytes) : NULL;
  struct row row;
  if (!data->text)
    return 0;
  if (!stream)
    return err_no_memory(err);
  row_begin(&row, stream);
  for (size_t i = 0; i < data->n_facts; i++) {
    const char *const line =
        source_line(data->text, data->facts[i].line, &n_bytes);
    row_add_text(&row, i ? "\n" : "");
    if (line)
      highlight_add(&row, line, n_bytes, HIGHLIGHT_DATA, is_in_comment);
  }
  row_write(&row);
  if (fclose(stream)) {
    free(bytes);
    return err_no_memory(err);
  }
  json_text(&data->packed.json, "text", bytes);
  free(bytes);
  return 0;
}

/** Write the numbers of the lines: [first, lines, first, lines, ...]. */
static void put_lines(struct source_data *data) {
  const struct line_facts *const facts = data->facts;
  struct json *const json = &data->packed.json;
  json_array_begin(json, "lines");
  for (size_t i = 0, end; i < data->n_facts; i = end) {
    for (end = i + 1;
         end < data->n_facts && facts[end].line == facts[end - 1].line + 1;)
      end++;
    json_integer(json, NULL, facts[i].line);
    json_integer(json, NULL, end - i);
  }
  json_array_end(json);
}

/** Write counts, "" of lines without code; and times of lines that have some:
 * [row, time, row, time, ...]. */
static void put_counts(struct source_data *data) {
  const struct annotate_input *const input = data->report->input->lines;
  struct json *const json = &data->packed.json;
  if (input->has_counts) {
    json_array_begin(json, "counts");
    for (size_t i = 0; i < data->n_facts; i++) {
      if (data->facts[i].has_count)
        packed_count(&data->packed, NULL, data->facts[i].count);
      else
        json_text(json, NULL, "");
    }
    json_array_end(json);
  }
  if (input->has_times) {
    json_array_begin(json, "times");
    for (size_t i = 0; i < data->n_facts; i++) {
      if (data->facts[i].n_samples <= 0)
        continue;
      json_integer(json, NULL, i);
      json_integer(json, NULL, html_thousandths(data->facts[i].n_samples));
    }
    json_array_end(json);
  }
}

/** Write the rows of lines that are new. */
static void put_changed(struct source_data *data) {
  const struct changed_files *const changed = &data->report->changed;
  struct json *const json = &data->packed.json;
  json_array_begin(json, "changed");
  for (size_t i = 0; changed->lines && i < data->n_facts; i++)
    if (changed_files_have(changed, data->i_file, data->facts[i].line))
      json_integer(json, NULL, i);
  json_array_end(json);
}

// --- Functions that begin on a line ---

/** Most calls first; then by place. */
static int compare_calls(const void *left, const void *right) {
  const struct line_call *const a = *(const struct line_call *const *)left;
  const struct line_call *const b = *(const struct line_call *const *)right;
  return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                              : flow_line_compare(a->pos, b->pos);
}

/** Write the lines that call a function, and how many there are: [count, file,
 * line, function + 1 or 0, ...], number. */
static int put_callers(struct source_data *data, uint32_t i_func,
                       struct err *err) {
  const struct func_list *const table = &data->report->funcs;
  const uint32_t first = table->first_call[i_func];
  const uint32_t n = table->first_call[i_func + 1] - first;
  struct json *const json = &data->packed.json;
  const struct line_call **const calls = calloc(n + 1, sizeof(*calls));
  int rc = calls ? 0 : err_no_memory(err);
  for (uint32_t i = 0; rc == 0 && i < n; i++)
    calls[i] = &table->counts->calls[table->calls[first + i]];
  if (rc == 0)
    qsort(calls, n, sizeof(*calls), compare_calls);
  json_array_begin(json, NULL);
  for (uint32_t i = 0; rc == 0 && i < n && i < MAX_CALLERS; i++) {
    const struct flow_line *const pos = &calls[i]->pos;
    const uint32_t i_around =
        func_list_around(table, (uint32_t)(calls[i] - table->counts->calls));
    uint32_t file, around = 0;
    rc = source_refs_file(&data->refs, pos->i_file, &file, err);
    if (rc == 0 && i_around != FUNC_NONE)
      rc = source_refs_func(&data->refs, i_around, &around, err);
    if (rc)
      break;
    packed_count(&data->packed, NULL, calls[i]->count);
    json_integer(json, NULL, file);
    json_integer(json, NULL, pos->line);
    json_integer(json, NULL, i_around != FUNC_NONE ? around + 1 : 0);
  }
  json_array_end(json);
  json_integer(json, NULL, n);
  free(calls);
  return rc;
}

/** Write [row, function, calls, inlined calls, self, total, is it estimated?,
 * callers, their number, set of tests if there are tests]. */
static int put_head(struct source_data *data, size_t i_row, size_t i_line_func,
                    struct err *err) {
  const struct func_list *const table = &data->report->funcs;
  const uint32_t i_func = table->of_line_func[i_line_func];
  const struct html_func *const func = &table->funcs[i_func];
  const struct html_figures *const others = &func->others; // of other objects
  struct json *const json = &data->packed.json;
  uint32_t number;
  if (source_refs_func(&data->refs, i_func, &number, err))
    return -1;
  json_array_begin(json, NULL);
  json_integer(json, NULL, i_row);
  json_integer(json, NULL, number);
  packed_count(&data->packed, NULL, func->n_calls + others->n_calls);
  packed_count(&data->packed, NULL, func->n_inlined + others->n_inlined);
  json_integer(json, NULL, html_thousandths(func->self + others->self));
  json_integer(json, NULL, html_thousandths(func->total + others->total));
  json_integer(json, NULL, func->is_estimate || others->is_estimate);
  int rc = put_callers(data, i_func, err);
  if (rc == 0 && report_tests_exist(&data->report->tests)) {
    rc = source_refs_tests(&data->refs, data->report->tests.of_func[i_func],
                           &number, err);
    json_integer(json, NULL, number);
  }
  json_array_end(json);
  return rc;
}

static int put_heads(struct source_data *data, struct err *err) {
  const struct line_func *const funcs = data->report->funcs.counts->funcs;
  json_array_begin(&data->packed.json, "heads");
  for (size_t i = 0; i < data->n_facts; i++) {
    const struct line_stretch *const at = &data->facts[i].at;
    for (size_t k = at->first_func; k < at->end_func; k++)
      if (line_func_is_of_source(&funcs[k]) && put_head(data, i, k, err))
        return -1;
  }
  json_array_end(&data->packed.json);
  return 0;
}

// --- The whole ---

static int put_all(struct source_data *data, bool *is_in_comment,
                   struct err *err) {
  const struct html_report *const report = data->report;
  const struct source_notes notes = {.report = report,
                                     .i_file = data->i_file,
                                     .facts = data->facts,
                                     .n_facts = data->n_facts,
                                     .packed = &data->packed,
                                     .refs = &data->refs,
                                     .text = data->text};
  struct json *const json = &data->packed.json;
  json_object_begin(json, NULL);
  json_integer(json, "rate", html_rate(report));
  json_integer(json, "all", html_thousandths(html_all_samples(report)));
  json_integer(json, "hottest", html_thousandths(html_hottest(report)));
  json_integer(json, "pageLines", PAGE_LINES_MAX);
  put_lines(data);
  put_counts(data);
  put_changed(data);
  if (put_text(data, is_in_comment, err) || put_heads(data, err) ||
      source_notes_put(&notes, err) || source_refs_put(&data->refs, json, err))
    return -1;
  json_object_end(json);
  return 0;
}

int source_data_write(const struct html_report *report, uint32_t i_file,
                      const struct source_text *text,
                      const struct line_facts *facts, size_t n_facts, FILE *out,
                      bool *is_in_comment, struct err *err) {
  struct source_data data = {.report = report,
                             .i_file = i_file,
                             .text = text,
                             .facts = facts,
                             .n_facts = n_facts,
                             .refs = {.report = report}};
  if (packed_begin(&data.packed, out, err))
    return -1;
  const int rc = put_all(&data, is_in_comment, err);
  packed_end(&data.packed);
  source_refs_release(&data.refs);
  return rc;
}
