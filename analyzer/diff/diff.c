/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/diff.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/source.h"
#include "diff/changed_lines.h"
#include "diff/diff_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool diff_is_change(const struct diff_time *times) {
  // Source: Newcombe, "Interval estimation for the difference between
  // independent proportions" (1998): errors of Wilson's intervals add up as
  // squares do.
  return fabs(times[DIFF_B].time - times[DIFF_A].time) >
         hypot(times[DIFF_A].error, times[DIFF_B].error);
}

// --- Coverage ---

/** Lines of coverage: whether each counts, in order of files. */
struct chosen {
  const struct diff_options *options;
  const struct file_table *files;
  size_t i_side;
  uint32_t i_file; // that was asked for last
  bool has_file, is_wanted;
  long i_path; // of options->changed
};

static bool is_chosen(struct chosen *chosen, const struct flow_line *pos) {
  const struct diff_options *const options = chosen->options;
  const char *const name = chosen->files->names[pos->i_file];

  if (!chosen->has_file || chosen->i_file != pos->i_file) {
    chosen->has_file = true;
    chosen->i_file = pos->i_file;
    chosen->is_wanted = diff_wants_file(options, chosen->i_side, name);
    if (chosen->is_wanted && options->changed) {
      chosen->i_path = changed_lines_path(options->changed, name);
      chosen->is_wanted = chosen->i_path != CHANGED_NO_PATH;
    }
  }
  return chosen->is_wanted && pos->line > 0 &&
         (!options->changed ||
          changed_lines_have(options->changed, chosen->i_path, pos->line));
}

static void cover(struct diff_coverage *covered, bool has_run) {
  covered->n++;
  covered->n_run += has_run;
}

static int add_uncovered(struct diff *out, const char *file, uint32_t line,
                         struct err *err) {
  struct diff_uncovered *const lines = array_grow(
      out->uncovered, out->n_uncovered, &out->max_uncovered, sizeof(*lines));

  if (!lines)
    return err_no_memory(err);
  out->uncovered = lines;
  lines[out->n_uncovered++] = (struct diff_uncovered){file, line};
  return 0;
}

static int count_covered(const struct diff_side *side, size_t i_side,
                         const struct diff_options *options, struct diff *out,
                         struct err *err) {
  const struct line_counts *const counts = &side->lines.counts;
  const struct source_funcs *const funcs = &side->lines.funcs;
  const struct branch_counts *const branches = &side->branches;
  struct diff_coverage *const covered = out->covered[i_side];
  const bool is_told = options->changed && i_side + 1 == out->n_sides;
  struct chosen chosen = {
      .options = options, .files = &side->flow.files, .i_side = i_side};

  for (size_t i = 0; i < counts->n_lines; i++) {
    const struct line_count *const line = &counts->lines[i];
    if (!is_chosen(&chosen, &line->pos))
      continue;
    cover(&covered[COVERED_LINES], line->count > 0);
    if (is_told && line->count == 0 &&
        add_uncovered(out, chosen.files->names[line->pos.i_file],
                      line->pos.line, err) != 0)
      return -1;
  }
  for (size_t i = 0; i < funcs->n_funcs; i++)
    if (is_chosen(&chosen, &funcs->funcs[i].pos))
      cover(&covered[COVERED_FUNCTIONS], funcs->funcs[i].n_entries > 0);
  for (size_t i = 0; i < branches->n_blocks; i++) {
    const struct branch_block *const block = &branches->blocks[i];
    if (!is_chosen(&chosen, &block->pos))
      continue;
    for (uint32_t k = 0; k < block->n_ways; k++)
      cover(&covered[COVERED_BRANCHES],
            branches->ways[block->first_way + k] > 0);
  }
  return 0;
}

// --- All of it ---

/** Find the data that both sides have, and check that it can be compared. */
static int check_sides(const struct diff_side *sides, struct diff *out,
                       struct err *err) {
  for (size_t i = 0; i < out->n_sides; i++) {
    const struct measure_unit *const unit = &sides[i].program.profile.unit;
    out->has_counts[i] = sides[i].lines.has_counts;
    out->has_time[i] = unit->is_known;
    if (unit->is_known && out->unit && strcmp(out->unit, unit->dimension) != 0)
      return err_set(err, ERR_INPUT,
                     "one profile counts %s, the other one %s; compare "
                     "profiles that were sampled by the same clock",
                     out->unit, unit->dimension);
    if (unit->is_known)
      out->unit = unit->dimension;
  }
  return 0;
}

int diff_build(const struct diff_side *sides, size_t n_sides,
               const struct diff_options *options, struct diff *out,
               struct err *err) {
  *out = (struct diff){.n_sides = n_sides,
                       .is_of_changes = options->changed != NULL};
  int rc = check_sides(sides, out, err);

  if (rc == 0)
    rc = diff_join_funcs(sides, out, err);
  if (rc == 0)
    rc = diff_join_calls(sides, out, err);
  if (rc == 0 && n_sides == DIFF_SIDES)
    rc = diff_join_lines(sides, options, out, err);
  for (size_t i = 0; rc == 0 && i < n_sides; i++)
    rc = count_covered(&sides[i], i, options, out, err);
  if (rc != 0)
    diff_release(out);
  return rc;
}

int diff_build_functions(const struct diff_side *sides, struct diff *out,
                         struct err *err) {
  *out = (struct diff){.n_sides = DIFF_SIDES};
  if (check_sides(sides, out, err) == 0 &&
      diff_join_funcs(sides, out, err) == 0)
    return 0;
  diff_release(out);
  return -1;
}

void diff_release(struct diff *diff) {
  free(diff->funcs);
  free(diff->objects);
  for (size_t i = 0; i < diff->n_files; i++)
    free(diff->files[i].twins);
  free(diff->files);
  free(diff->lines);
  free(diff->calls);
  free(diff->uncovered);
  *diff = (struct diff){0};
}
