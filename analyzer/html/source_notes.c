/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/source_notes.h"

#include "counts/branch_counts.h"
#include "counts/library_times.h"
#include "counts/line_counts.h"
#include "debug/condition_text.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/packed.h"
#include "html/source_refs.h"

#include <string.h>

static const struct annotate_input *input_of(const struct source_notes *notes) {
  return notes->report->input->lines;
}

/** Begin the note of a line, unless it has begun. */
static void begin_note(const struct source_notes *notes, size_t i_row,
                       bool *has_note) {
  if (*has_note)
    return;
  json_array_begin(&notes->packed->json, NULL);
  json_integer(&notes->packed->json, NULL, i_row);
  *has_note = true;
}

// --- Kinds: [row, ...] of a line, if there is anything to write ---

/** [row, count, function, time there, ...]: calls that were made. */
static int put_calls(const struct source_notes *notes, size_t i_row,
                     bool *has_note, struct err *err) {
  const struct line_stretch *const at = &notes->facts[i_row].at;
  struct packed *const packed = notes->packed;

  for (size_t i = at->first_call; i < at->end_call; i++) {
    const struct line_call *const call = &input_of(notes)->counts->calls[i];
    const uint32_t i_callee = notes->report->funcs.callees[i];
    uint32_t number;
    if (call->count == 0)
      continue;
    if (i_callee != FUNC_NONE
            ? source_refs_func(notes->refs, i_callee, &number, err)
            : source_refs_name(notes->refs, call->callee, call->pos.i_file,
                               &number, err))
      return -1;
    begin_note(notes, i_row, has_note);
    packed_count(packed, NULL, call->count);
    json_integer(&packed->json, NULL, number);
    json_integer(
        &packed->json, NULL,
        html_thousandths(library_times_of(input_of(notes)->libraries,
                                          call->callee, (double)call->count)));
  }
  return 0;
}

/** [row, [count of a way, ...], ...]. Those of a line that never ran are left
 * out. */
static int put_branches(const struct source_notes *notes, size_t i_row,
                        bool *has_note, struct err *err) {
  const struct line_stretch *const at = &notes->facts[i_row].at;
  const struct branch_counts *const branches = input_of(notes)->branches;
  struct json *const json = &notes->packed->json;

  (void)err;
  if (notes->facts[i_row].count == 0)
    return 0;
  for (size_t i = at->first_branch; i < at->end_branch; i++) {
    const struct branch_block *const block = &branches->blocks[i];
    begin_note(notes, i_row, has_note);
    json_array_begin(json, NULL);
    for (uint32_t k = 0; k < block->n_ways; k++)
      packed_count(notes->packed, NULL, branches->ways[block->first_way + k]);
    json_array_end(json);
  }
  return 0;
}

/** [text, true decided, true, false decided, false] of a condition. */
static void put_condition(const struct source_notes *notes,
                          const struct condition_count *condition) {
  struct packed *const packed = notes->packed;
  char text[64] = "";

  if (notes->text)
    condition_text_write(notes->text, condition->pos.line, condition->column,
                         text, sizeof(text));
  json_array_begin(&packed->json, NULL);
  json_text(&packed->json, NULL, text);
  for (unsigned value = 2; value-- > 0;) {
    packed_count(packed, NULL, condition->decided[value]);
    packed_count(packed, NULL, condition->n_times[value]);
  }
  json_array_end(&packed->json);
}

/** [row, [condition, ...], ...] of decisions with several conditions; the
 * number of conditions of one that was not counted. */
static int put_conditions(const struct source_notes *notes, size_t i_row,
                          bool *has_note, struct err *err) {
  const struct line_stretch *const at = &notes->facts[i_row].at;
  const struct decision_counts *const counts =
      &input_of(notes)->branches->decisions;
  struct json *const json = &notes->packed->json;

  (void)err;
  for (size_t i = at->first_decision; i < at->end_decision; i++) {
    const struct decision_count *const decision = &counts->decisions[i];
    if (decision->is_counted && !decision_has_several(decision))
      continue;
    begin_note(notes, i_row, has_note);
    if (!decision->is_counted) {
      json_integer(json, NULL, decision->n_conditions);
      continue;
    }
    json_array_begin(json, NULL);
    for (uint32_t k = 0; k < decision->n_conditions; k++)
      put_condition(notes, &counts->conditions[decision->first_condition + k]);
    json_array_end(json);
  }
  return 0;
}

static bool has_decisions(const struct source_notes *notes) {
  return input_of(notes)->branches->decisions.n_decisions > 0;
}

/** Are the instances of a line those of the line before? */
static bool has_same_names(const struct source_notes *notes, size_t i_row) {
  const struct line_instance *const lines = input_of(notes)->instances->lines;
  const struct line_stretch *const at = &notes->facts[i_row].at;
  const size_t n = at->end_instance - at->first_instance;

  if (i_row == 0)
    return false;
  const struct line_stretch *const last = &notes->facts[i_row - 1].at;
  if (last->end_instance - last->first_instance != n)
    return false;
  for (size_t i = 0; i < n; i++)
    if (strcmp(lines[last->first_instance + i].name,
               lines[at->first_instance + i].name) != 0)
      return false;
  return true;
}

/** [row, [function, ...], count, ...]; the list is empty if it is that of the
 * line before, as in most lines of a template. */
static int put_instances(const struct source_notes *notes, size_t i_row,
                         bool *has_note, struct err *err) {
  const struct line_stretch *const at = &notes->facts[i_row].at;
  const struct line_instance *const lines = input_of(notes)->instances->lines;
  struct json *const json = &notes->packed->json;
  const size_t n_known = has_same_names(notes, i_row) ? at->end_instance : 0;

  if (at->first_instance == at->end_instance)
    return 0;
  begin_note(notes, i_row, has_note);
  json_array_begin(json, NULL);
  for (size_t i = at->first_instance + n_known; i < at->end_instance; i++) {
    uint32_t number;
    if (source_refs_name(notes->refs, lines[i].name, lines[i].pos.i_file,
                         &number, err))
      return -1;
    json_integer(json, NULL, number);
  }
  json_array_end(json);
  for (size_t i = at->first_instance; i < at->end_instance; i++)
    packed_count(notes->packed, NULL, lines[i].count);
  return 0;
}

/** [row, set of tests]. */
static int put_tests(const struct source_notes *notes, size_t i_row,
                     bool *has_note, struct err *err) {
  const uint32_t set = report_tests_of_line(
      &notes->report->tests, notes->i_file, notes->facts[i_row].line);
  uint32_t number;

  if (set == TEST_SET_EMPTY)
    return 0;
  if (source_refs_tests(notes->refs, set, &number, err))
    return -1;
  begin_note(notes, i_row, has_note);
  json_integer(&notes->packed->json, NULL, number);
  return 0;
}

static bool has_tests_of_lines(const struct source_notes *notes) {
  return notes->report->tests.has_lines;
}

static const struct {
  const char *name; // in kinds of lines.js, too
  int (*put)(const struct source_notes *notes, size_t i_row, bool *has_note,
             struct err *err);
  bool (*is_wanted)(const struct source_notes *notes); // NULL: always
} kinds[] = {
    {"calls", put_calls, NULL},
    {"branches", put_branches, NULL},
    {"conditions", put_conditions, has_decisions},
    {"instances", put_instances, NULL},
    {"tests", put_tests, has_tests_of_lines},
};

int source_notes_put(const struct source_notes *notes, struct err *err) {
  struct json *const json = &notes->packed->json;

  json_object_begin(json, "notes");
  for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
    if (kinds[k].is_wanted && !kinds[k].is_wanted(notes))
      continue;
    json_array_begin(json, kinds[k].name);
    for (size_t i = 0; i < notes->n_facts; i++) {
      bool has_note = false;
      if (kinds[k].put(notes, i, &has_note, err))
        return -1;
      if (has_note)
        json_array_end(json);
    }
    json_array_end(json);
  }
  json_object_end(json);
  return 0;
}
