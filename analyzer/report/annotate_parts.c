/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/annotate_parts.h"

#include "base/row.h"
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/decision_counts.h"
#include "debug/condition_text.h"
#include "report/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool annotate_is_plain(unsigned char byte) {
  return byte >= 0x20 && byte != 0x7f;
}

int annotate_count_digits(uint64_t number) {
  int n = 1;

  for (; number >= 10; number /= 10)
    n++;
  return n;
}

void annotate_add_name(const char *name, struct row *out) {
  for (; *name; name++)
    row_add(out, annotate_is_plain((unsigned char)*name) ? name : "?", 1);
}

double annotate_percent(double part, double whole) {
  return whole > 0 ? 100.0 * part / whole : 0;
}

void annotate_add_time(const struct annotate_input *input, double n_samples,
                       struct row *out) {
  const uint32_t rate_hz = input->rate_hz;
  // As many decimals as one sample needs.
  const int decimals = rate_hz == 0     ? 0
                       : rate_hz <= 100 ? 2
                                        : annotate_count_digits(rate_hz - 1);
  char text[400]; // more than a double has digits

  if (n_samples <= 0) {
    row_add_blanks(out, ANNOTATE_TIME_COLUMNS + 1 + ANNOTATE_SHARE_COLUMNS);
    return;
  }
  snprintf(text, sizeof(text), "%.*f", decimals,
           rate_hz ? n_samples / rate_hz : n_samples);
  row_add_right(out, text, ANNOTATE_TIME_COLUMNS);
  ROW_ADD(out, " ");
  row_add_fixed(out, annotate_percent(n_samples, input->times->n_samples),
                ANNOTATE_SHARE_COLUMNS, 1);
}

void annotate_add_time_head(const struct annotate_input *input,
                            struct row *out) {
  row_add_right(out, input->rate_hz ? "self s" : "samples",
                ANNOTATE_TIME_COLUMNS);
  ROW_ADD(out, " ");
  row_add_right(out, "%", ANNOTATE_SHARE_COLUMNS);
}

void annotate_write_ways(const struct branch_block *block, const uint64_t *ways,
                         char *out, size_t n_out) {
  size_t n = 0;

  if (block->count == 0) {
    snprintf(out, n_out, "branch: never reached");
    return;
  }
  for (uint32_t i = 0; i < block->n_ways && n + 1 < n_out; i++) {
    const int n_added =
        snprintf(out + n, n_out - n, "%s%" PRIu64 " (%.1f %%)",
                 i > 0 ? ", " : "branch: ", ways[i],
                 annotate_percent((double)ways[i], (double)block->count));
    n += n_added > 0 ? (size_t)n_added : 0;
  }
  // The cases of a large switch may not fit: the rest is cut off.
  if (n >= n_out && n_out > 4)
    memcpy(out + n_out - 4, "...", 4);
}

void annotate_write_decision(const struct decision_counts *counts,
                             const struct decision_count *decision, char *out,
                             size_t n_out) {
  struct decision_totals totals = {0};

  decision_totals_add(counts, decision, &totals);
  if (!decision->is_counted)
    snprintf(out, n_out,
             "decision of %" PRIu32 " condition%s: not instrumented",
             decision->n_conditions, decision->n_conditions == 1 ? "" : "s");
  else
    snprintf(out, n_out, "decision: %zu of %zu conditions covered",
             totals.n_covered, totals.n_conditions);
}

void annotate_write_condition(const struct condition_count *condition,
                              uint32_t number, const struct source_text *text,
                              char *out, size_t n_out) {
  char source[48] = "";
  const char *missing = "";

  if (text)
    condition_text_write(text, condition->pos.line, condition->column, source,
                         sizeof(source));
  if (condition_n_decided(condition) == 0)
    missing = "; missing: true, false";
  else if (!condition_is_covered(condition))
    missing = condition->decided[1] ? "; missing: false" : "; missing: true";
  snprintf(out, n_out,
           "%" PRIu32 " %s%s%strue %" PRIu64 " of %" PRIu64 ", false %" PRIu64
           " of %" PRIu64 "%s",
           number, source[0] ? "`" : "", source, source[0] ? "': " : "",
           condition->decided[1], condition->n_times[1], condition->decided[0],
           condition->n_times[0], missing);
}
