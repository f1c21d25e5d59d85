/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/source_row.h"

#include "base/row.h"
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/library_times.h"
#include "counts/line_counts.h"
#include "debug/func_names.h"
#include "debug/source.h"
#include "html/highlight.h"
#include "html/html_parts.h"
#include "html/html_text.h"

#include <inttypes.h>
#include <stdlib.h>

// A line with at least this share of the run's self time is hot, as in `arcline
// annotate`.
static const double hot_share = 0.05;

// Of more callers, only their number is shown.
enum { MAX_CALLERS = 40 };

// --- Functions ---

/** Most calls first; then by place. */
static int compare_calls(const void *left, const void *right) {
  const struct line_call *const a = *(const struct line_call *const *)left;
  const struct line_call *const b = *(const struct line_call *const *)right;
  return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                              : flow_line_compare(a->pos, b->pos);
}

static void add_times(struct row *row, uint64_t n) {
  html_add_number(row, n);
  row_add_text(row, n == 1 ? " time" : " times");
}

static void add_caller(const struct html_report *report,
                       const struct line_call *call, struct page *page) {
  struct row *const row = &page->row;
  const uint32_t i_around = func_list_around(&report->funcs, &call->pos);
  ROW_ADD(row, "<li>");
  html_add_number(row, call->count);
  ROW_ADD(row, " from ");
  html_add_place(report, page, &call->pos);
  if (i_around != FUNC_NONE) {
    ROW_ADD(row, " in ");
    html_add(row, func_brief(&report->funcs.funcs[i_around]));
  }
  ROW_ADD(row, "</li>\n");
}

/** Append the lines that call a function. */
static void add_callers(const struct html_report *report, uint32_t i_func,
                        struct page *page) {
  const struct func_list *const table = &report->funcs;
  const uint32_t first = table->first_call[i_func];
  const uint32_t n = table->first_call[i_func + 1] - first;
  struct row *const row = &page->row;
  const struct line_call **const calls = calloc(n + 1, sizeof(*calls));
  if (n == 0 || !calls) {
    free(calls);
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    calls[i] = &table->counts->calls[table->calls[first + i]];
  qsort(calls, n, sizeof(*calls), compare_calls);
  row_add_format(row, "<details><summary>called from %" PRIu32 " line%s", n,
                 n == 1 ? "" : "s");
  ROW_ADD(row, "</summary><ul>\n");
  for (uint32_t i = 0; i < n && i < MAX_CALLERS; i++)
    add_caller(report, calls[i], page);
  if (n > MAX_CALLERS)
    row_add_format(row, "<li>and from %" PRIu32 " more</li>\n",
                   n - MAX_CALLERS);
  ROW_ADD(row, "</ul></details>");
  free(calls);
}

/** How many columns a row has. */
static unsigned n_columns(const struct html_report *report) {
  const struct annotate_input *const input = report->input->lines;
  return 2u + input->has_counts + 2u * input->has_times;
}

static void add_func(const struct html_report *report, size_t i_line_func,
                     struct page *page) {
  const uint32_t i_func = report->funcs.of_line_func[i_line_func];
  const struct html_func *const func = &report->funcs.funcs[i_func];
  struct row *const row = &page->row;
  row_add_format(row, "<tr class=\"f\"><td colspan=\"%u\"><b>",
                 n_columns(report));
  html_add(row, func->text);
  if (func->n_calls) {
    ROW_ADD(row, "</b> <span>called ");
    add_times(row, func->n_calls);
    ROW_ADD(row, "</span>");
  } else {
    ROW_ADD(row, "</b> <span class=\"no\">never called</span>");
  }
  if (func->self > 0 || func->total > 0) {
    ROW_ADD(row, " <span>self ");
    html_add_time(row, func->self, html_rate(report));
    row_add_text(row, html_rate(report) ? " s, total " : " samples, total ");
    if (func->is_estimate)
      ROW_ADD(row, "~");
    html_add_time(row, func->total, html_rate(report));
    row_add_text(row, html_rate(report) ? " s</span>" : "</span>");
  }
  if (func->n_inlined) {
    ROW_ADD(row, " <span>inlined ");
    if (func->n_inlined < func->n_calls)
      add_times(row, func->n_inlined);
    else
      ROW_ADD(row, "always");
    ROW_ADD(row, "</span>");
  }
  add_callers(report, i_func, page);
  ROW_ADD(row, "</td></tr>\n");
}

// --- Notes to a line ---

static void add_call(const struct html_report *report, size_t i_call,
                     struct page *page) {
  const struct line_call *const call =
      &report->input->lines->counts->calls[i_call];
  const uint32_t i_callee = report->funcs.callees[i_call];
  struct row *const row = &page->row;
  const double n_samples = library_times_of(report->input->lines->libraries,
                                            call->callee, (double)call->count);
  html_add_number(row, call->count);
  ROW_ADD(row, " × ");
  if (i_callee != FUNC_NONE) {
    html_add_function(report, page, i_callee);
  } else if (!call->callee[0]) {
    ROW_ADD(row, "(indirect call)");
  } else {
    char *const text = func_name_demangle(call->callee);
    html_add(row, text ? text : call->callee);
    free(text);
  }
  if (n_samples <= 0)
    return;
  ROW_ADD(row, ", ");
  html_add_time(row, n_samples, html_rate(report));
  row_add_text(row, html_rate(report) ? " s there" : " samples there");
}

static void add_branch(const struct html_report *report,
                       const struct branch_block *block, struct page *page) {
  const uint64_t *const ways =
      &report->input->lines->branches->ways[block->first_way];
  struct row *const row = &page->row;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < block->n_ways; i++)
    sum += ways[i];
  ROW_ADD(row, "<li>branch: ");
  for (uint32_t i = 0; i < block->n_ways; i++) {
    row_add_text(row, i ? ", " : "");
    if (ways[i] == 0) {
      ROW_ADD(row, "<span class=\"no\">never</span>");
      continue;
    }
    html_add_number(row, ways[i]);
    ROW_ADD(row, " (");
    html_add_percent(row, (double)ways[i], (double)sum);
    ROW_ADD(row, " %)");
  }
  ROW_ADD(row, "</li>\n");
}

/** Notes of a line besides its numbers. */
struct notes {
  size_t n_calls; /* that were made */
  size_t i_made;  /* one of these */
  size_t n_ways, n_taken;
  size_t n_instances;
};

static struct notes count_notes(const struct annotate_input *input,
                                const struct line_stretch *at) {
  struct notes notes = {.n_instances = at->end_instance - at->first_instance};
  for (size_t i = at->first_call; i < at->end_call; i++)
    if (input->counts->calls[i].count > 0) {
      notes.n_calls++;
      notes.i_made = i;
    }
  for (size_t i = at->first_branch; i < at->end_branch; i++) {
    const struct branch_block *const block = &input->branches->blocks[i];
    notes.n_ways += block->n_ways;
    for (uint32_t k = 0; k < block->n_ways; k++)
      notes.n_taken += input->branches->ways[block->first_way + k] > 0;
  }
  return notes;
}

static void add_instance(const struct html_report *report, size_t i_instance,
                         struct page *page) {
  const struct line_instance *const instance =
      &report->input->lines->instances->lines[i_instance];
  struct row *const row = &page->row;
  char *const text = func_name_demangle(instance->name);
  ROW_ADD(row, "<li>");
  html_add_number(row, instance->count);
  ROW_ADD(row, " in ");
  html_add(row, text ? text : instance->name);
  ROW_ADD(row, "</li>\n");
  free(text);
}

static void add_summary(const struct notes *notes, struct row *row) {
  const char *separator = "";
  if (notes->n_calls) {
    row_add_format(row, "%zu callee%s", notes->n_calls,
                   notes->n_calls == 1 ? "" : "s");
    separator = " · ";
  }
  if (notes->n_ways) {
    row_add_format(row, "%s<span%s>%zu of %zu ways</span>", separator,
                   notes->n_taken < notes->n_ways && notes->n_taken
                       ? " class=\"part\""
                       : "",
                   notes->n_taken, notes->n_ways);
    separator = " · ";
  }
  if (notes->n_instances)
    row_add_format(row, "%s%zu instances", separator, notes->n_instances);
}

/** Append calls, branches and instances: short ones beside the text, others in
 * a part that can be expanded. */
static void add_notes(const struct html_report *report,
                      const struct line_facts *facts, struct page *page) {
  const struct annotate_input *const input = report->input->lines;
  const struct line_stretch *const at = &facts->at;
  const struct notes notes = count_notes(input, at);
  // Branches of a line that never ran are left out.
  const size_t n_ways = facts->count ? notes.n_ways : 0;
  struct row *const row = &page->row;
  if (notes.n_calls == 1 && n_ways == 0 && notes.n_instances == 0) {
    ROW_ADD(row, "<span class=\"k\">");
    add_call(report, notes.i_made, page);
    ROW_ADD(row, "</span>");
    return;
  }
  if (notes.n_calls + n_ways + notes.n_instances == 0)
    return;
  ROW_ADD(row, "<details class=\"k\"><summary>");
  add_summary(&notes, row);
  ROW_ADD(row, "</summary><ul>\n");
  for (size_t i = at->first_call; i < at->end_call; i++)
    if (input->counts->calls[i].count > 0) {
      ROW_ADD(row, "<li>");
      add_call(report, i, page);
      ROW_ADD(row, "</li>\n");
    }
  for (size_t i = at->first_branch; i < at->end_branch; i++)
    add_branch(report, &input->branches->blocks[i], page);
  for (size_t i = at->first_instance; i < at->end_instance; i++)
    add_instance(report, i, page);
  ROW_ADD(row, "</ul></details>");
}

// --- Lines ---

static void add_text(struct source_rows *rows, uint32_t i_line,
                     struct page *page) {
  size_t n_bytes;
  const char *const line =
      rows->text ? source_line(rows->text, i_line, &n_bytes) : NULL;
  if (line)
    highlight_add(&page->row, line, n_bytes, &rows->is_in_comment);
}

static void add_line(struct source_rows *rows, const struct line_facts *facts,
                     struct page *page) {
  const struct html_report *const report = rows->report;
  const struct annotate_input *const input = report->input->lines;
  struct row *const row = &page->row;
  const bool is_never = facts->has_count && facts->count == 0;
  const bool is_hot = facts->n_samples >= hot_share * html_all_samples(report);
  const unsigned heat = html_heat(facts->n_samples, html_hottest(report));
  // Called for each line: printf() formats would take a third of the time of
  // all pages.
  ROW_ADD(row, "<tr id=\"L");
  row_add_number(row, facts->line, 0);
  ROW_ADD(row, "\"");
  if (heat)
    row_add_format(row, " class=\"h%u%s\"", heat, is_hot ? " hot" : "");
  else if (is_never)
    ROW_ADD(row, " class=\"never\"");
  ROW_ADD(row, "><th><a href=\"#L");
  row_add_number(row, facts->line, 0);
  ROW_ADD(row, "\">");
  row_add_number(row, facts->line, 0);
  ROW_ADD(row, "</a></th>");
  if (facts->has_count) {
    ROW_ADD(row, "<td class=\"n\">");
    html_add_number(row, facts->count);
    ROW_ADD(row, "</td>");
  } else if (input->has_counts) {
    ROW_ADD(row, "<td></td>");
  }
  html_add_time_cells(report, page, facts->n_samples);
  ROW_ADD(row, "<td><code>");
  add_text(rows, facts->line, page);
  ROW_ADD(row, "</code>");
  add_notes(report, facts, page);
  ROW_ADD(row, "</td></tr>\n");
}

void source_row_add(struct source_rows *rows, const struct line_facts *facts,
                    struct page *page) {
  const struct html_report *const report = rows->report;
  for (size_t i = facts->at.first_func; i < facts->at.end_func; i++)
    if (line_func_is_of_source(&report->input->lines->counts->funcs[i]))
      add_func(report, i, page);
  add_line(rows, facts, page);
}

void source_row_add_head(const struct html_report *report, struct page *page) {
  const struct annotate_input *const input = report->input->lines;
  struct row *const row = &page->row;
  ROW_ADD(row, "<thead><tr><th scope=\"col\" class=\"n\">Line</th>");
  if (input->has_counts)
    ROW_ADD(row, "<th scope=\"col\" class=\"n\">Count</th>");
  html_add_time_heads(report, row);
  ROW_ADD(row, "<th scope=\"col\">Source</th></tr></thead>\n");
}
