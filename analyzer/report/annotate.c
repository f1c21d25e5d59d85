/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/annotate.h"
#include "report/annotate_parts.h"

#include "base/digits.h"
#include "base/row.h"
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/library_times.h"
#include "counts/line_counts.h"
#include "debug/file_table.h"
#include "debug/func_names.h"
#include "debug/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Shares of the run's self time at which a line is hot or warm.
static const double hot_share = 0.05;
static const double warm_share = 0.01;

enum { TAB_COLUMNS = 8 };
enum { TIME_COLUMNS = ANNOTATE_TIME_COLUMNS };
enum { SHARE_COLUMNS = ANNOTATE_SHARE_COLUMNS };

static const char never_text[] = "#####";

/** Kinds of text, by colour. */
enum ink { INK_PLAIN, INK_TITLE, INK_HOT, INK_WARM, INK_NEVER, INK_NOTE };

static const char *const style_codes[] = {
    [INK_PLAIN] = "",       [INK_TITLE] = "\33[1m",  [INK_HOT] = "\33[1;31m",
    [INK_WARM] = "\33[33m", [INK_NEVER] = "\33[35m", [INK_NOTE] = "\33[36m",
};

/** State of printing a file. */
struct printer {
  const struct annotate_input *input;
  const struct annotate_options *options;
  const struct annotate_file *file;
  const struct source_text *text; /* or NULL */
  struct row *out;
  int count_columns; /* 0: no such column; the same below */
  int calls_columns;
  int line_columns;
  const bool *chosen;    // by index of function
  uint32_t chosen_until; // last line of a chosen function begun so far
};

/** Append a blank and a column: a text, or a number. */
static void add_column(struct row *out, const char *text, int width) {
  ROW_ADD(out, " ");
  row_add_right(out, text, width);
}

static void add_count(struct row *out, uint64_t count, int width) {
  ROW_ADD(out, " ");
  row_add_number(out, count, (size_t)width);
}

static void begin_style(const struct printer *printer, enum ink ink) {
  if (printer->options->is_colored)
    row_add_text(printer->out, style_codes[ink]);
}

static void end_style(const struct printer *printer, enum ink ink) {
  if (printer->options->is_colored && ink != INK_PLAIN)
    ROW_ADD(printer->out, "\33[0m");
}

/** Columns before the source text. */
static unsigned prefix_columns(const struct printer *printer) {
  unsigned n = 1 + (unsigned)printer->line_columns + 3;

  if (printer->input->has_times)
    n += TIME_COLUMNS + 1 + SHARE_COLUMNS;
  if (printer->count_columns)
    n += 1 + (unsigned)printer->count_columns;
  if (printer->calls_columns)
    n += 1 + (unsigned)printer->calls_columns;
  return n;
}

/**
 * Print text up to the edge of the terminal. Tabs become blanks, to stay
 * aligned; other control characters, which might change the terminal, "?".
 */
static void print_text(const struct printer *printer, unsigned used_columns,
                       const char *bytes, size_t n_bytes) {
  const unsigned width = printer->options->width;
  const size_t limit = width == 0             ? SIZE_MAX
                       : width > used_columns ? width - used_columns
                                              : 0;

  while (n_bytes > 0 &&
         (bytes[n_bytes - 1] == '\n' || bytes[n_bytes - 1] == '\r'))
    n_bytes--;
  const char *const end = bytes + n_bytes;
  size_t column = 0;

  while (bytes < end) {
    const char *const first = bytes;
    while (bytes < end && *bytes >= 0x20 && *bytes < 0x7f)
      bytes++;
    const size_t n_plain = (size_t)(bytes - first);
    const size_t n_room = limit > column ? limit - column : 0;
    row_add(printer->out, first, n_plain < n_room ? n_plain : n_room);
    column += n_plain;
    if (bytes == end || column > limit)
      break;
    const unsigned char byte = (unsigned char)*bytes++;
    if (byte == '\t') {
      const size_t tab = TAB_COLUMNS - column % TAB_COLUMNS;
      const size_t left = limit > column ? limit - column : 0;
      row_add_blanks(printer->out, tab < left ? tab : left);
      column += tab;
      continue;
    }
    // All bytes of a UTF-8 sequence share a column.
    if ((byte & 0xc0) != 0x80)
      column++;
    if (column > limit)
      break;
    row_add(printer->out, annotate_is_plain(byte) ? bytes - 1 : "?", 1);
  }
}

/** Print the columns up to the line number of a row that belongs to no line,
 * with the time of n_samples and the calls, if any. */
static void print_note_prefix(const struct printer *printer, double n_samples,
                              uint64_t calls, bool has_calls) {
  struct row *const out = printer->out;

  ROW_ADD(out, " ");
  if (printer->input->has_times)
    annotate_add_time(printer->input, n_samples, out);
  if (printer->count_columns)
    row_add_blanks(out, 1 + (size_t)printer->count_columns);
  if (printer->calls_columns && has_calls)
    add_count(out, calls, printer->calls_columns);
  else if (printer->calls_columns)
    row_add_blanks(out, 1 + (size_t)printer->calls_columns);
  row_add_blanks(out, 1 + (size_t)printer->line_columns);
}

/** Print a function's name and how often it was called. */
static void print_func(const struct printer *printer,
                       const struct line_func *func) {
  char *demangled = func_name_demangle(func->name);
  const char *name = demangled ? demangled : func->name;
  char ending[64];

  if (func->n_entries == 0)
    snprintf(ending, sizeof(ending), ": never called");
  else
    snprintf(ending, sizeof(ending), ": called %" PRIu64 " time%s",
             func->n_entries, func->n_entries == 1 ? "" : "s");
  print_note_prefix(printer, 0, 0, false);
  begin_style(printer, INK_NOTE);
  ROW_ADD(printer->out, "|-- ");
  // The count must stay visible: cut the name, not the text after it.
  print_text(printer, prefix_columns(printer) + 2 + (unsigned)strlen(ending),
             name, strlen(name));
  row_add_text(printer->out, ending);
  end_style(printer, INK_NOTE);
  ROW_ADD(printer->out, "\n");
  free(demangled);
}

static void print_callee(const struct printer *printer,
                         const struct line_call *call) {
  char *demangled = func_name_demangle(call->callee);
  const char *name = demangled         ? demangled
                     : call->callee[0] ? call->callee
                                       : "(indirect call)";

  print_note_prefix(printer,
                    library_times_of(printer->input->libraries, call->callee,
                                     (double)call->count),
                    call->count, true);
  begin_style(printer, INK_NOTE);
  ROW_ADD(printer->out, "|   -> ");
  print_text(printer, prefix_columns(printer) + 5, name, strlen(name));
  end_style(printer, INK_NOTE);
  ROW_ADD(printer->out, "\n");
  free(demangled);
}

/** Print a count that may be 0, in its column. */
static void print_count(const struct printer *printer, uint64_t count) {
  if (count == 0)
    add_column(printer->out, never_text, printer->count_columns);
  else
    add_count(printer->out, count, printer->count_columns);
}

/** Print one function's part of the line above. */
static void print_instance(const struct printer *printer,
                           const struct line_instance *instance) {
  char *demangled = func_name_demangle(instance->name);
  const char *name = demangled ? demangled : instance->name;
  const int n_before =
      printer->input->has_times ? TIME_COLUMNS + SHARE_COLUMNS + 2 : 1;
  const int n_after =
      (printer->calls_columns ? printer->calls_columns + 1 : 0) +
      printer->line_columns + 1;

  row_add_blanks(printer->out, (size_t)n_before);
  print_count(printer, instance->count);
  row_add_blanks(printer->out, (size_t)n_after);
  begin_style(printer, INK_NOTE);
  ROW_ADD(printer->out, "|   in ");
  print_text(printer, prefix_columns(printer) + 5, name, strlen(name));
  end_style(printer, INK_NOTE);
  ROW_ADD(printer->out, "\n");
  free(demangled);
}

/** Print a text below a line. */
static void print_note(const struct printer *printer, const char *text,
                       enum ink ink) {
  print_note_prefix(printer, 0, 0, false);
  begin_style(printer, ink);
  ROW_ADD(printer->out, "|   ");
  print_text(printer, prefix_columns(printer) + 3, text, strlen(text));
  end_style(printer, ink);
  ROW_ADD(printer->out, "\n");
}

/** Print the counts of a branch's ways. */
static void print_branch(const struct printer *printer,
                         const struct branch_block *block) {
  const uint64_t *const ways =
      printer->input->branches->ways + block->first_way;
  char text[256];

  annotate_write_ways(block, ways, text, sizeof(text));
  print_note(printer, text, block->count ? INK_NOTE : INK_NEVER);
}

/** Print the conditions of a decision. */
static void print_decision(const struct printer *printer,
                           const struct decision_count *decision) {
  const struct decision_counts *const counts =
      &printer->input->branches->decisions;
  char text[256];

  if (!decision_has_several(decision) && decision->is_counted)
    return;
  annotate_write_decision(counts, decision, text, sizeof(text));
  print_note(printer, text, INK_NOTE);
  for (uint32_t i = 0; decision->is_counted && i < decision->n_conditions;
       i++) {
    const struct condition_count *const condition =
        &counts->conditions[decision->first_condition + i];
    memcpy(text, "  ", 2);
    annotate_write_condition(condition, i + 1, printer->text, text + 2,
                             sizeof(text) - 2);
    print_note(printer, text,
               condition_is_covered(condition) ? INK_NOTE : INK_NEVER);
  }
}

static void print_row(const struct printer *printer,
                      const struct line_facts *row) {
  const struct annotate_input *input = printer->input;
  const struct source_text *text = printer->text;
  const double share =
      annotate_percent(row->n_samples, input->times->n_samples) / 100;
  const bool is_never = row->has_count && row->count == 0;
  const enum ink ink = share >= hot_share    ? INK_HOT
                       : share >= warm_share ? INK_WARM
                       : is_never            ? INK_NEVER
                                             : INK_PLAIN;
  struct row *const out = printer->out;
  uint64_t n_calls = 0;

  for (size_t i = row->at.first_call; i < row->at.end_call; i++)
    n_calls += input->counts->calls[i].count;
  begin_style(printer, ink);
  row_add(out, ink == INK_HOT ? ">" : " ", 1);
  if (input->has_times)
    annotate_add_time(input, row->n_samples, out);
  if (printer->count_columns) {
    if (row->has_count)
      print_count(printer, row->count);
    else
      row_add_blanks(out, 1 + (size_t)printer->count_columns);
  }
  if (printer->calls_columns) {
    if (n_calls > 0)
      add_count(out, n_calls, printer->calls_columns);
    else
      row_add_blanks(out, 1 + (size_t)printer->calls_columns);
  }
  add_count(out, row->line, printer->line_columns);
  ROW_ADD(out, "|");
  if (text && row->line <= text->n_lines) {
    const size_t start = text->line_starts[row->line - 1];
    const size_t n_bytes = text->line_starts[row->line] - start;
    if (n_bytes > 0 && text->bytes[start] != '\n')
      ROW_ADD(out, " ");
    print_text(printer, prefix_columns(printer), text->bytes + start, n_bytes);
  }
  end_style(printer, ink);
  ROW_ADD(out, "\n");
}

/** Print everything about one line. */
static void print_line(const struct printer *printer,
                       const struct line_facts *facts) {
  const struct annotate_input *const input = printer->input;
  const struct line_counts *const counts = input->counts;
  const struct line_stretch *const at = &facts->at;

  for (size_t i = at->first_func; i < at->end_func; i++)
    if (line_func_is_of_source(&counts->funcs[i]))
      print_func(printer, &counts->funcs[i]);
  if (facts->line > 0)
    print_row(printer, facts);
  for (size_t i = at->first_instance; i < at->end_instance; i++)
    print_instance(printer, &input->instances->lines[i]);
  for (size_t i = at->first_branch; i < at->end_branch; i++)
    print_branch(printer, &input->branches->blocks[i]);
  for (size_t i = at->first_decision; i < at->end_decision; i++)
    if (printer->options->shows_conditions)
      print_decision(printer, &input->branches->decisions.decisions[i]);
  for (size_t i = at->first_call; i < at->end_call; i++)
    if (printer->options->shows_calls && counts->calls[i].count > 0)
      print_callee(printer, &counts->calls[i]);
}

/** Is the line part of a selected function? Lines in order. */
static bool is_chosen(struct printer *printer, const struct line_facts *facts) {
  const struct annotate_file *file = printer->file;
  const struct line_func *funcs = printer->input->counts->funcs;

  if (printer->options->n_funcs == 0)
    return true;
  for (size_t i = facts->at.first_func; i < facts->at.end_func; i++) {
    uint32_t last = funcs[i].last_line;
    if (last == 0) // unknown: up to the next function
      last = i + 1 < file->at.end_func && funcs[i + 1].pos.line > facts->line
                 ? funcs[i + 1].pos.line - 1
                 : UINT32_MAX;
    if (printer->chosen[i] && last > printer->chosen_until)
      printer->chosen_until = last;
  }
  return facts->line <= printer->chosen_until;
}

static void set_columns(struct printer *printer) {
  const struct annotate_file *file = printer->file;
  const struct line_counts *counts = printer->input->counts;
  uint64_t max_count = 0, max_calls = 0, n_calls = 0;
  uint32_t max_line = printer->text ? (uint32_t)printer->text->n_lines : 0;

  for (size_t i = file->at.first_line; i < file->at.end_line; i++) {
    if (counts->lines[i].count > max_count)
      max_count = counts->lines[i].count;
    if (counts->lines[i].pos.line > max_line)
      max_line = counts->lines[i].pos.line;
  }
  for (size_t i = file->at.first_call; i < file->at.end_call; i++) {
    if (i == file->at.first_call ||
        counts->calls[i].pos.line != counts->calls[i - 1].pos.line)
      n_calls = 0;
    n_calls += counts->calls[i].count;
    if (n_calls > max_calls)
      max_calls = n_calls;
  }
  if (printer->input->has_counts)
    printer->count_columns = annotate_count_digits(max_count) < 9
                                 ? 9
                                 : annotate_count_digits(max_count);
  if (max_calls > 0)
    printer->calls_columns = annotate_count_digits(max_calls) < 9
                                 ? 9
                                 : annotate_count_digits(max_calls);
  printer->line_columns =
      annotate_count_digits(max_line) < 5 ? 5 : annotate_count_digits(max_line);
}

static void print_head(const struct printer *printer) {
  const struct annotate_input *input = printer->input;
  struct row *const out = printer->out;

  begin_style(printer, INK_TITLE);
  annotate_add_name(
      annotate_file_name(input, printer->options, printer->file->i_file), out);
  end_style(printer, INK_TITLE);
  if (!printer->text)
    ROW_ADD(out, " (source not found)");
  if (input->has_counts && !input->is_exact)
    ROW_ADD(out, " (no flow graphs: the count of a line is that of its most "
                 "frequent block)");
  ROW_ADD(out, "\n");
  begin_style(printer, INK_TITLE);
  ROW_ADD(out, " ");
  if (input->has_times)
    annotate_add_time_head(input, out);
  if (printer->count_columns)
    add_column(out, "count", printer->count_columns);
  if (printer->calls_columns)
    add_column(out, "calls", printer->calls_columns);
  add_column(out, "line", printer->line_columns);
  ROW_ADD(out, "|");
  end_style(printer, INK_TITLE);
  ROW_ADD(out, "\n");
}

static void print_tail(const struct printer *printer) {
  const struct annotate_file *file = printer->file;
  const size_t n_lines = file->at.end_line - file->at.first_line;

  if (n_lines > 0)
    row_add_format(printer->out, "Lines executed: %zu of %zu (%.1f %%)\n",
                   file->n_executed, n_lines,
                   percent_of(file->n_executed, n_lines, 1));
  if (file->n_funcs > 0)
    row_add_format(printer->out, "Functions called: %zu of %zu\n",
                   file->n_funcs_called, file->n_funcs);
  if (file->n_ways > 0)
    row_add_format(printer->out, "Branches taken: %zu of %zu (%.1f %%)\n",
                   file->n_ways_taken, file->n_ways,
                   percent_of(file->n_ways_taken, file->n_ways, 1));
  if (file->decided.n_conditions > 0)
    row_add_format(
        printer->out, "Conditions covered: %zu of %zu (%.1f %%)\n",
        file->decided.n_covered, file->decided.n_conditions,
        percent_of(file->decided.n_covered, file->decided.n_conditions, 1));
  ROW_ADD(printer->out, "\n");
}

struct line_cursor annotate_lines(const struct annotate_input *input,
                                  const struct annotate_file *file,
                                  const struct source_text *text) {
  return (struct line_cursor){.counts = input->counts,
                              .times = input->times,
                              .instances = input->instances,
                              .branches = input->branches,
                              .rest = file->at,
                              .n_lines = text ? (uint32_t)text->n_lines : 0};
}

void annotate_print_file(const struct annotate_input *input,
                         const struct annotate_options *options,
                         const struct annotate_list *list, size_t i_file,
                         const struct source_text *text, FILE *stream) {
  const struct annotate_file *file = &list->files[i_file];
  struct row out;
  struct printer printer = {.input = input,
                            .options = options,
                            .file = file,
                            .chosen = list->chosen,
                            .text = text,
                            .out = &out};
  struct line_cursor cursor = annotate_lines(input, file, text);
  struct line_facts facts;
  uint32_t previous = 0;

  row_begin(&out, stream);
  set_columns(&printer);
  print_head(&printer);
  while (line_cursor_next(&cursor, &facts)) {
    if (!is_chosen(&printer, &facts))
      continue;
    if (options->n_funcs > 0 && previous > 0 && facts.line > previous + 1)
      ROW_ADD(&out, "...\n");
    print_line(&printer, &facts);
    previous = facts.line;
  }
  print_tail(&printer);
  row_write(&out);
}
