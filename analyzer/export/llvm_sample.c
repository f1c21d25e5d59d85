/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of LLVM's sample profiles. */
#include "export/export.h"

#include "base/err.h"
#include "counts/line_profile.h"
#include "export/sample_counts.h"

#include <inttypes.h>
#include <string.h>

/* Clang cuts counts off at 32 bits. */
static const uint64_t max_count = UINT32_MAX;

/** Divisor of counts, so that they fit. */
static uint64_t find_divisor(const struct sample_counts *counts) {
  uint64_t max = 0;
  for (size_t i = 0; i < counts->n_lines; i++)
    max = counts->lines[i].count > max ? counts->lines[i].count : max;
  for (size_t i = 0; i < counts->n_funcs; i++)
    max = counts->funcs[i].n_entries > max ? counts->funcs[i].n_entries : max;
  return max / max_count + (max % max_count > 0 || max == 0);
}

/** Rounded up, so that code that was run has a count. */
static uint64_t divided(uint64_t count, uint64_t divisor) {
  return count / divisor + (count % divisor > 0);
}

/** Can the text contain a name? It ends at a blank, and lines within functions
 * begin with one. */
static bool is_writable(const char *name) {
  return name[0] && name[0] != '#' && name[0] != '[' &&
         !strpbrk(name, " \t\r\n\v\f");
}

static void print_func(const struct sample_counts *counts,
                       const struct sample_func *func, uint64_t divisor,
                       FILE *out) {
  const struct sample_line *const lines = &counts->lines[func->first_line];
  uint64_t total = 0;

  for (size_t i = 0; i < func->n_lines; i++)
    total += divided(lines[i].count, divisor);
  fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", func->name, total,
          divided(func->n_entries, divisor));
  for (size_t i = 0; i < func->n_lines; i++) {
    fprintf(out, " %" PRIu32, lines[i].offset);
    if (lines[i].discriminator > 0)
      fprintf(out, ".%" PRIu32, lines[i].discriminator);
    fprintf(out, ": %" PRIu64, divided(lines[i].count, divisor));
    for (uint32_t k = 0; k < lines[i].n_targets; k++) {
      const struct sample_target *const target =
          &counts->targets[lines[i].first_target + k];
      if (is_writable(target->name))
        fprintf(out, " %s:%" PRIu64, target->name,
                divided(target->count, divisor));
    }
    fputc('\n', out);
  }
}

int export_llvm_sample(const struct export_input *input,
                       const struct export_options *options, FILE *out,
                       struct err *err) {
  struct sample_counts counts;

  (void)options;
  if (!input->profile->is_exact)
    return err_set(err, ERR_INPUT,
                   "%s: no flow graphs, which a profile for clang requires; "
                   "build with arcline-cc, without --arcline-calls-only",
                   input->profile->model->objects[0].image.path);
  if (sample_counts_build(input->profile->flow, input->indirect_calls, &counts,
                          err))
    return -1;
  const uint64_t divisor = find_divisor(&counts);
  if (divisor > 1)
    fprintf(out, "# counts are divided by %" PRIu64 "\n", divisor);
  for (size_t i = 0; i < counts.n_funcs; i++)
    if (is_writable(counts.funcs[i].name))
      print_func(&counts, &counts.funcs[i], divisor, out);
  sample_counts_release(&counts);
  return 0;
}
