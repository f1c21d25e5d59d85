/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff/gate.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/source.h"
#include "debug/wanted_func.h"
#include "diff/diff.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  bool has_pattern;
  enum gate_metric metric;
} metrics[] = {
    {"calls", true, GATE_CALLS},          {"self", true, GATE_SELF},
    {"total", true, GATE_TOTAL},          {"count", true, GATE_COUNT},
    {"calls", false, GATE_ALL_CALLS},     {"time", false, GATE_ALL_TIME},
    {"coverage", false, GATE_LINES},      {"lines", false, GATE_LINES},
    {"functions", false, GATE_FUNCTIONS}, {"branches", false, GATE_BRANCHES},
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

/** Read the metric and its argument, up to the operator. */
static int read_metric(struct gate *gate, const char **at, struct err *err) {
  const size_t n_name = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
  const char *const name = *at;
  bool is_known = false;

  *at += n_name;
  skip_blanks(at);
  const bool has_pattern = **at == '(';
  for (size_t i = 0; i < N_METRICS && !is_known; i++)
    if (strlen(metrics[i].name) == n_name &&
        memcmp(metrics[i].name, name, n_name) == 0 &&
        metrics[i].has_pattern == has_pattern) {
      gate->metric = metrics[i].metric;
      is_known = true;
    }
  if (!is_known)
    return refuse(
        gate->text,
        "must begin with calls(NAME), self(NAME), total(NAME), "
        "count(FILE:LINE), coverage, functions, branches, calls or time",
        err);
  if (!has_pattern)
    return 0;
  // Names of C++ have parentheses of their own.
  const char *const begin = *at + 1;
  int depth = 1;
  while (*++*at && depth > 0)
    depth += (**at == '(') - (**at == ')');
  if (depth > 0)
    return refuse(gate->text, "missing closing parenthesis", err);
  gate->pattern = strndup(begin, (size_t)(*at - 1 - begin));
  return gate->pattern && wanted_func_parse(gate->pattern, &gate->func) == 0
             ? 0
             : err_no_memory(err);
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
  const size_t n_name = strcspn(text, "=");
  char *end;

  *out = (struct gate){.text = text, .is_percent = true};
  for (size_t i = 0; text[n_name] && i < N_METRICS; i++) {
    if (metrics[i].metric < GATE_LINES || strlen(metrics[i].name) != n_name ||
        memcmp(metrics[i].name, text, n_name) != 0)
      continue;
    out->metric = metrics[i].metric;
    out->limit = strtod(text + n_name + 1, &end);
    if (end != text + n_name + 1 && (!*end || strcmp(end, "%") == 0) &&
        out->limit >= 0 && out->limit <= 100)
      return 0;
  }
  return err_set(err, ERR_USAGE,
                 "--fail-under=%s: must be lines=N, functions=N or branches=N, "
                 "with N in per cent",
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

static void check_lines(struct check *at) {
  for (size_t i = 0; i < at->diff->n_lines; i++) {
    const struct diff_line *const line = &at->diff->lines[i];
    const char *const file = diff_file_name(&at->diff->files[line->i_file]);
    // A line that A does not have has no count to compare with.
    if (line->line[DIFF_B] == at->gate->line &&
        (line->line[DIFF_A] > 0 || !at->gate->is_change) &&
        source_matches(at->gate->pattern, file))
      check(at,
            &(struct gate_value){.name = file,
                                 .line = at->gate->line,
                                 .a = (double)line->count[DIFF_A],
                                 .b = (double)line->count[DIFF_B]},
            0);
  }
}

/** Coverage is in per cent itself, and its changes in points. */
static void check_coverage(struct check *at) {
  struct gate gate = *at->gate;
  double parts[DIFF_SIDES] = {0};

  for (size_t i = 0; i < at->diff->n_sides; i++) {
    const struct diff_coverage *const covered =
        &at->diff->covered[i][gate.metric - GATE_LINES];
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

/** An error: there is nothing that a gate is about. */
static int find_nothing(const struct check *at, struct err *err) {
  const struct gate *const gate = at->gate;
  struct wanted_hints hints = {0};
  char meant[512];

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
  switch (gate->metric) {
  case GATE_CALLS:
  case GATE_SELF:
  case GATE_TOTAL:
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
