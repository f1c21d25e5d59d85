/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/annotate_parts.h"

#include "base/row.h"
#include "counts/branch_counts.h"
#include "counts/code_lines.h"
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
