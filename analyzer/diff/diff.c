/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/diff.h"

#include "base/err.h"
#include "debug/source_filter.h"
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
                       .root = &options->filters[n_sides - 1]->root,
                       .is_of_changes = options->changed != NULL};
  int rc = check_sides(sides, out, err);

  if (rc == 0)
    rc = diff_join_funcs(sides, out, err);
  if (rc == 0)
    rc = diff_join_calls(sides, out, err);
  if (rc == 0 && n_sides == DIFF_SIDES)
    rc = diff_join_lines(sides, options, out, err);
  for (size_t i = 0; rc == 0 && i < n_sides; i++)
    rc = diff_count_covered(&sides[i], i, options, out, err);
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
  diff_release_covered(diff);
  *diff = (struct diff){0};
}
