/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/gate.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/source_filter.h"
#include "debug/source_pattern.h"
#include "debug/wanted_func.h"
#include "diff/diff.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum argument { HAS_NONE, HAS_PATTERN, MAY_HAVE_PATTERN };

static const struct {
  const char *name;
  enum argument argument;
  enum gate_metric metric;
} metrics[] = {
    {"calls", HAS_PATTERN, GATE_CALLS},
    {"self", HAS_PATTERN, GATE_SELF},
    {"total", HAS_PATTERN, GATE_TOTAL_TIME},
    {"count", HAS_PATTERN, GATE_COUNT},
    {"calls", HAS_NONE, GATE_ALL_CALLS},
    {"time", HAS_NONE, GATE_ALL_TIME},
    {"coverage", MAY_HAVE_PATTERN, GATE_LINES},
    {"lines", MAY_HAVE_PATTERN, GATE_LINES},
    {"functions", MAY_HAVE_PATTERN, GATE_FUNCTIONS},
    {"branches", MAY_HAVE_PATTERN, GATE_BRANCHES},
    {"conditions", MAY_HAVE_PATTERN, GATE_CONDITIONS},
    {"mcdc", MAY_HAVE_PATTERN, GATE_MCDC},
};

static const struct {
  const char *name;
  enum gate_scope scope;
} scopes[] = {
    {"total:", GATE_TOTAL},    {"changed:", GATE_CHANGED},
    {"folder:", GATE_FOLDERS}, {"file:", GATE_FILES},
    {"function:", GATE_FUNCS},
};

enum { N_METRICS = sizeof(metrics) / sizeof(metrics[0]) };

// --- Reading ---

static int refuse(const char *text, const char *what, struct err *err) {
  return err_set(
      err, ERR_USAGE,
      "%s: %s; a condition is like `calls(f) > +3%%', see arcline help diff",
      text, what);
}

static void skip_blanks(const char **at) { *at += strspn(*at, " \t"); }

static void read_scope(struct gate *gate, const char **at) {
  for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
    if (strncmp(*at, scopes[i].name, strlen(scopes[i].name)) == 0) {
      gate->scope = scopes[i].scope;
      *at += strlen(scopes[i].name);
      skip_blanks(at);
      return;
    }
}

/** Read the name of a metric. Returns false if there is none of that name, with
 * or without a pattern. */
static bool read_name(struct gate *gate, const char **at) {
  const size_t n_name = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
  const char *const name = *at;

  *at += n_name;
  skip_blanks(at);
  const enum argument argument = **at == '(' ? HAS_PATTERN : HAS_NONE;
  for (size_t i = 0; i < N_METRICS; i++)
    if (strlen(metrics[i].name) == n_name &&
        memcmp(metrics[i].name, name, n_name) == 0 &&
        (metrics[i].argument == argument ||
         metrics[i].argument == MAY_HAVE_PATTERN)) {
      gate->metric = metrics[i].metric;
      return gate->scope == GATE_WHOLE || gate->metric >= GATE_LINES;
    }
  return false;
}

/** Read the argument of a metric, if there is one. */
static int read_pattern(struct gate *gate, const char **at, struct err *err) {
  if (**at != '(')
    return 0;
  // Names of C++ have parentheses of their own.
  const char *const begin = *at + 1;
  int depth = 1;
  while (*++*at && depth > 0)
    depth += (**at == '(') - (**at == ')');
  if (depth > 0)
    return refuse(gate->text, "missing closing parenthesis", err);
  gate->pattern = strndup(begin, (size_t)(*at - 1 - begin));
  if (!gate->pattern)
    return err_no_memory(err);
  const bool is_of_funcs =
      gate->scope == GATE_FUNCS || gate->metric == GATE_CALLS ||
      gate->metric == GATE_SELF || gate->metric == GATE_TOTAL_TIME;
  return is_of_funcs && wanted_func_parse(gate->pattern, &gate->func) != 0
             ? err_no_memory(err)
             : 0;
}

/** Read the metric and its argument, up to the operator. */
static int read_metric(struct gate *gate, const char **at, struct err *err) {
  read_scope(gate, at);
  if (!read_name(gate, at))
    return refuse(
        gate->text,
        "must begin with calls(NAME), self(NAME), total(NAME), "
        "count(FILE:LINE), coverage, functions, branches, conditions, mcdc, "
        "calls or time",
        err);
  if (gate->scope == GATE_FUNCS && gate->metric == GATE_FUNCTIONS)
    return refuse(gate->text,
                  "a function has lines, branches and conditions only", err);
  return read_pattern(gate, at, err);
}

/** Split "FILE:LINE". */
static int read_line(struct gate *gate, struct err *err) {
  char *const colon = strrchr(gate->pattern, ':');
  char *end = NULL;
  const unsigned long line = colon && isdigit((unsigned char)colon[1])
                                 ? strtoul(colon + 1, &end, 10)
                                 : 0;

  if (!end || *end || line == 0 || line > UINT32_MAX)
    return refuse(gate->text, "count() requires a line: count(FILE:LINE)", err);
  *colon = '\0';
  gate->line = (uint32_t)line;
  return 0;
}

static int read_limit(struct gate *gate, const char *at, struct err *err) {
  char *end;

  skip_blanks(&at);
  if (*at != '>' && *at != '<')
    return refuse(gate->text, "missing `>' or `<'", err);
  gate->is_above = *at++ == '>';
  skip_blanks(&at);
  gate->is_change = *at == '+' || *at == '-';
  gate->limit = strtod(at, &end);
  if (end == at || !isfinite(gate->limit))
    return refuse(gate->text, "missing number", err);
  at = end;
  skip_blanks(&at);
  gate->is_percent = *at == '%';
  at += gate->is_percent;
  skip_blanks(&at);
  if (*at)
    return refuse(gate->text, "unexpected text after the number", err);
  const bool is_count =
      gate->metric == GATE_CALLS || gate->metric == GATE_COUNT ||
      gate->metric == GATE_ALL_CALLS || gate->metric == GATE_ALL_TIME;
  if (gate->is_percent && !gate->is_change && is_count)
    return refuse(gate->text, "percentage without a sign; a change is like +3%",
                  err);
  if (gate->is_change && (gate->scope != GATE_WHOLE ||
                          (gate->pattern && gate->metric >= GATE_LINES)))
    return refuse(gate->text, "a change is that of the whole program", err);
  return 0;
}

int gate_parse(const char *text, struct gate *out, struct err *err) {
  const char *at = text;

  *out = (struct gate){.text = text};
  skip_blanks(&at);
  if (read_metric(out, &at, err) == 0 &&
      (out->metric != GATE_COUNT || read_line(out, err) == 0) &&
      read_limit(out, at, err) == 0)
    return 0;
  gate_release(out);
  return -1;
}

int gate_parse_under(const char *text, struct gate *out, struct err *err) {
  const char *at = text;
  char *end;

  *out = (struct gate){.text = text, .is_minimum = true, .is_percent = true};
  skip_blanks(&at);
  if (read_metric(out, &at, err) == 0 && out->metric >= GATE_LINES) {
    skip_blanks(&at);
    out->limit = *at == '=' ? strtod(at + 1, &end) : -1;
    if (*at == '=' && end != at + 1 && out->limit >= 0 && out->limit <= 100) {
      at = end;
      skip_blanks(&at);
      at += *at == '%';
      skip_blanks(&at);
      if (!*at)
        return 0;
    }
  }
  gate_release(out);
  return err_set(err, ERR_USAGE,
                 "--fail-under=%s: must be [SCOPE:]KIND[(PATTERN)]=PERCENT, "
                 "such as lines=80 or file:branches(src/*)=50; KIND is lines, "
                 "functions, branches, conditions or mcdc, SCOPE is total, "
                 "changed, folder, file or function",
                 text);
}

void gate_release(struct gate *gate) {
  wanted_func_release(&gate->func);
  free(gate->pattern);
  *gate = (struct gate){0};
}

// --- Checking ---

/** Distance of a value beyond the limit: it fails if that is more than 0.
 * whole: per cent are of it, if not of a. */
static double excess(const struct gate *gate, const struct gate_value *value,
                     double whole) {
  const double measured = gate->is_change ? value->b - value->a : value->b;
  const double base = gate->is_change ? value->a : whole;
  const double scale = gate->is_percent ? 100 : 1;
  const double limit = gate->is_percent ? gate->limit * base : gate->limit;

  return gate->is_above ? scale * (measured - value->error) - limit
                        : limit - scale * (measured + value->error);
}

/** Reading position. */
struct check {
  const struct gate *gate;
  const struct diff *diff;
  size_t i_last; // side that is checked
  size_t n_seen;
  double closest; // excess of the value that is closest to failing
  struct gate_result *result;
  bool is_out_of_memory;
};

static void add_failure(struct check *check, const struct gate_value *value) {
  struct gate_result *const result = check->result;
  struct gate_value *const failed = array_grow(
      result->failed, result->n_failed, &result->max_failed, sizeof(*failed));

  if (!failed) {
    check->is_out_of_memory = true;
    return;
  }
  result->failed = failed;
  failed[result->n_failed++] = *value;
}

/** Check a value by a gate, which is check->gate, perhaps in another form.
 */
static void check_by(struct check *check, const struct gate *gate,
                     const struct gate_value *value, double whole) {
  double by = excess(gate, value, whole);

  check->n_seen++;
  if (by > 0)
    add_failure(check, value);
  // Parts of different wholes are compared as such; of nothing there are none.
  if (gate->is_percent && gate->is_change)
    by = value->a > 0 ? by / value->a : -INFINITY;
  if (!check->result->has_closest || by > check->closest) {
    check->result->has_closest = true;
    check->result->closest = *value;
    check->closest = by;
  }
}

static void check(struct check *check, const struct gate_value *value,
                  double whole) {
  check_by(check, check->gate, value, whole);
}

/** Check a time of the object or function of the value. */
static void check_time(struct check *at, struct gate_value value,
                       const struct diff_time *times) {
  value.a = times[DIFF_A].time;
  value.b = times[at->i_last].time;
  value.error = at->gate->is_change
                    ? hypot(times[DIFF_A].error, times[DIFF_B].error)
                    : times[at->i_last].error;
  check(at, &value, at->diff->time[at->i_last]);
}

static void check_func(struct check *at, const struct diff_func *func) {
  if (at->gate->metric == GATE_CALLS)
    check(at,
          &(struct gate_value){.name = func->name,
                               .program = func->program,
                               .a = (double)func->calls[DIFF_A],
                               .b = (double)func->calls[at->i_last]},
          0);
  else
    check_time(
        at, (struct gate_value){.name = func->name, .program = func->program},
        at->gate->metric == GATE_SELF ? func->self : func->total);
}

static void check_funcs(struct check *at) {
  for (size_t i = 0; i < at->diff->n_funcs; i++)
    if (wanted_func_fits(&at->gate->func, at->diff->funcs[i].name))
      check_func(at, &at->diff->funcs[i]);
  // Functions of a library, taken together.
  if (at->n_seen > 0 || at->gate->metric != GATE_SELF)
    return;
  for (size_t i = 0; i < at->diff->n_objects; i++) {
    const struct diff_object *const object = &at->diff->objects[i];
    if (fnmatch(at->gate->pattern, object->name, 0) == 0)
      check_time(at,
                 (struct gate_value){.name = object->name, .is_object = true},
                 object->self);
  }
}

static bool fits_file(const struct check *at, const char *pattern,
                      const char *name) {
  const struct source_root *const root = at->diff->root;
  return root ? source_root_fits(root, pattern, name)
              : source_matches(pattern, name);
}

static void check_lines(struct check *at) {
  for (size_t i = 0; i < at->diff->n_lines; i++) {
    const struct diff_line *const line = &at->diff->lines[i];
    const char *const file = diff_file_name(&at->diff->files[line->i_file]);
    // A line that A does not have has no count to compare with.
    if (line->line[DIFF_B] == at->gate->line &&
        (line->line[DIFF_A] > 0 || !at->gate->is_change) &&
        fits_file(at, at->gate->pattern, file))
      check(at,
            &(struct gate_value){.name = file,
                                 .line = at->gate->line,
                                 .a = (double)line->count[DIFF_A],
                                 .b = (double)line->count[DIFF_B]},
            0);
  }
}

/** Check a part, in per cent. */
static void check_part(struct check *at, const struct diff_coverage *covered,
                       struct gate_value value) {
  struct gate gate = *at->gate;

  if (covered->n == 0)
    return;
  value.b = 100 * (double)covered->n_run / (double)covered->n;
  gate.is_percent = false;
  check_by(at, &gate, &value, 0);
}

/** Check the coverage of the whole program. It is in per cent itself, and its
 * changes in points. */
static void check_whole(struct check *at) {
  const size_t kind = at->gate->metric - GATE_LINES;
  struct gate gate = *at->gate;
  double parts[DIFF_SIDES] = {0};

  for (size_t i = 0; i < at->diff->n_sides; i++) {
    const struct diff_coverage *const covered = &at->diff->covered[i][kind];
    if (covered->n == 0) {
      at->n_seen += at->diff->is_of_changes; // of code, none was changed
      return;
    }
    parts[i] = 100 * (double)covered->n_run / (double)covered->n;
  }
  gate.is_percent = false;
  check_by(at, &gate,
           &(struct gate_value){.a = parts[DIFF_A], .b = parts[at->i_last]}, 0);
}

/** Does the name of a file or folder, or of a folder that it is in, match a
 * pattern that ends with a slash? Names of folders end without one. */
static bool is_within(const struct check *at, const char *name) {
  const struct gate *const gate = at->gate;
  const size_t n = strlen(gate->pattern);
  char *pattern;

  if (n == 0 || gate->pattern[n - 1] != '/' ||
      asprintf(&pattern, "%s*", gate->pattern) < 0)
    return false;
  bool is_found = fits_file(at, pattern, name);
  if (!is_found && gate->scope == GATE_FOLDERS) {
    pattern[n - 1] = '\0';
    is_found = fits_file(at, pattern, name);
  }
  free(pattern);
  return is_found;
}

/** Does a file, folder or function match the pattern, or is there none? A
 * pattern that ends with a slash is a folder with all below it. */
static bool is_matched(const struct check *at, const char *name) {
  const struct gate *const gate = at->gate;
  if (gate->scope == GATE_FUNCS && gate->pattern)
    return wanted_func_fits(&gate->func, name);
  return !gate->pattern || fits_file(at, gate->pattern, name) ||
         is_within(at, name);
}

/** Check files that match, taken together. */
static void check_files_together(struct check *at, bool is_changed) {
  const struct diff_covered_list *const files = &at->diff->covered_files;
  const size_t kind = at->gate->metric - GATE_LINES;
  struct diff_coverage sum = {0};
  bool has_file = false;

  for (size_t i = 0; i < files->n_rows; i++) {
    const struct diff_covered *const row = &files->rows[i];
    if (!is_matched(at, row->name))
      continue;
    const struct diff_coverage *const part =
        is_changed ? &row->changed[kind] : &row->all[kind];
    has_file = true;
    sum.n += part->n;
    sum.n_run += part->n_run;
  }
  at->n_seen += is_changed && has_file && sum.n == 0; // nothing was changed
  check_part(at, &sum, (struct gate_value){0});
}

/** Check each file, folder or function. */
static void check_each(struct check *at, const struct diff_covered_list *list) {
  const bool is_func = at->gate->scope == GATE_FUNCS;

  for (size_t i = 0; i < list->n_rows; i++) {
    const struct diff_covered *const row = &list->rows[i];
    if (is_matched(at, row->name))
      check_part(at, &row->all[at->gate->metric - GATE_LINES],
                 (struct gate_value){.name = row->name,
                                     .is_file = !is_func,
                                     .func_file = row->file,
                                     .func_line = row->line});
  }
}

static void check_coverage(struct check *at) {
  const struct diff *const diff = at->diff;

  switch (at->gate->scope) {
  case GATE_FOLDERS:
    check_each(at, &diff->covered_folders);
    break;
  case GATE_FILES:
    check_each(at, &diff->covered_files);
    break;
  case GATE_FUNCS:
    check_each(at, &diff->covered_funcs);
    break;
  default:
    if (at->gate->pattern)
      check_files_together(at, diff->is_of_changes &&
                                   at->gate->scope != GATE_TOTAL);
    else if (at->gate->scope == GATE_TOTAL)
      check_part(at, &diff->all[at->gate->metric - GATE_LINES],
                 (struct gate_value){0});
    else
      check_whole(at);
  }
}

/** Is a gate about a library, though its metric is one of functions? */
static bool is_of_library(const struct check *at) {
  if (at->gate->metric != GATE_TOTAL_TIME && at->gate->metric != GATE_CALLS)
    return false;
  for (size_t i = 0; i < at->diff->n_objects; i++)
    if (fnmatch(at->gate->pattern, at->diff->objects[i].name, 0) == 0)
      return true;
  return false;
}

/** An error: there is nothing that a gate is about. */
static int find_nothing(const struct check *at, struct err *err) {
  const struct gate *const gate = at->gate;
  struct wanted_hints hints = {0};
  char meant[512];

  if (is_of_library(at))
    return err_set(err, ERR_INPUT,
                   "%s: condition matches no function; use self() for a "
                   "library or the kernel",
                   gate->text);
  if ((gate->metric == GATE_CONDITIONS || gate->metric == GATE_MCDC) &&
      at->diff->all[COVERED_CONDITIONS].n == 0)
    return err_set(err, ERR_INPUT,
                   "%s: no conditions were counted; build with arcline-cc "
                   "--arcline-mcdc",
                   gate->text);
  for (size_t i = 0; gate->func.text && i < at->diff->n_funcs; i++)
    wanted_hints_offer(&hints, &gate->func, at->diff->funcs[i].name);
  wanted_hints_write(&hints, meant, sizeof(meant));
  wanted_hints_release(&hints);
  return err_set(
      err, ERR_INPUT,
      "%s: condition matches nothing in the profile, so it would always pass%s",
      gate->text, *meant ? meant : "; check the name");
}

int gate_check(const struct gate *gate, const struct diff *diff,
               struct gate_result *out, struct err *err) {
  struct check at = {
      .gate = gate, .diff = diff, .i_last = diff->n_sides - 1, .result = out};

  *out = (struct gate_result){.gate = gate};
  if ((gate->is_change || gate->metric == GATE_COUNT) &&
      diff->n_sides < DIFF_SIDES)
    return err_set(err, ERR_USAGE,
                   "%s: condition requires two profiles: arcline diff A B",
                   gate->text);
  if (gate->scope == GATE_CHANGED && !diff->is_of_changes)
    return err_set(err, ERR_USAGE,
                   "%s: condition on changed lines requires --changed-since",
                   gate->text);
  switch (gate->metric) {
  case GATE_CALLS:
  case GATE_SELF:
  case GATE_TOTAL_TIME:
    check_funcs(&at);
    break;
  case GATE_COUNT:
    check_lines(&at);
    break;
  case GATE_ALL_CALLS:
    check(&at,
          &(struct gate_value){.a = (double)diff->n_calls[DIFF_A],
                               .b = (double)diff->n_calls[at.i_last]},
          0);
    break;
  case GATE_ALL_TIME:
    check(&at,
          &(struct gate_value){.a = diff->time[DIFF_A],
                               .b = diff->time[at.i_last]},
          0);
    break;
  default:
    check_coverage(&at);
  }
  if (at.is_out_of_memory) {
    gate_result_release(out);
    return err_no_memory(err);
  }
  if (at.n_seen > 0)
    return 0;
  return find_nothing(&at, err);
}

void gate_result_release(struct gate_result *result) {
  free(result->failed);
  *result = (struct gate_result){0};
}
