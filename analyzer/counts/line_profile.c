/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_profile.h"

#include "base/err.h"
#include "debug/lines.h"
#include "profile/gmon_open.h"
#include "profile/inputs.h"

#include <stdlib.h>

static char default_image[] = "a.out";
static char default_profile[] = "gmon.out";

void line_profile_take_operands(struct line_profile_source *source, char **argv,
                                int first, int n) {
  source->image_path = first < n ? argv[first] : default_image;
  source->profile_paths = argv + first + 1;
  source->n_profile_paths = first + 1 < n ? n - first - 1 : 0;
}

static int read_profile(struct line_profile *profile, const char *path,
                        bool is_forced, struct err *err) {
  struct gmon_file file;
  struct gmon_reader reader;

  if (gmon_open(&profile->image, path, GMON_FORMAT_AUTO, is_forced, &file,
                &reader, err) != 0)
    return -1;
  const int rc = tally_add(&profile->tally, &reader, err);
  gmon_file_release(&file);
  return rc;
}

static int read_profiles(struct line_profile *profile,
                         const struct line_profile_source *source,
                         struct err *err) {
  if (source->n_profile_paths == 0 &&
      read_profile(profile, default_profile, source->is_forced, err) != 0)
    return -1;
  int n_read = 0;
  for (int i = 0; i < source->n_profile_paths; i++) {
    // A pattern of names matches side files, too.
    if (inputs_operand_at(source->profile_paths[i]) == OPERAND_SIDE)
      continue;
    if (read_profile(profile, source->profile_paths[i], source->is_forced,
                     err) != 0)
      return -1;
    n_read++;
  }
  if (source->n_profile_paths && n_read == 0)
    return err_set(err, ERR_INPUT,
                   "%s: a side file, which has no counts of lines; give the "
                   "profile beside it",
                   source->profile_paths[0]);
  return tally_finish(&profile->tally, err);
}

/** Compute line counts in the best way there is. */
static int count_lines(struct line_profile *profile, struct err *err) {
  const struct tally *tally = &profile->tally;
  struct flow_data *flow = &profile->flow;
  bool has_block = false;

  for (size_t i = 0; i < tally->n_blocks; i++)
    if (!flow_data_count(flow, tally->blocks[i].vaddr, tally->blocks[i].count))
      has_block |= tally->blocks[i].count > 0;
  profile->has_counts = tally->n_blocks > 0;
  // Counters are written unless they are 0. So if there are none, either
  // nothing was run, or the profile went through a tool that dropped them.
  profile->is_exact = flow->n_funcs > 0 && tally->n_blocks > 0 &&
                      (flow->has_counts || !has_block);
  if (profile->is_exact) {
    flow_data_solve(flow);
    return line_counts_build(flow, &profile->counts, err);
  }
  if (image_load_symbols(&profile->image, 0, NULL, &profile->symtab, err) != 0)
    return -1;
  return code_lines_counts(&profile->code, tally, &profile->symtab,
                           &profile->counts, err);
}

int line_profile_open(const struct line_profile_source *source,
                      struct line_profile *out, struct err *err) {
  *out = (struct line_profile){0};
  if (image_open(source->image_path, &out->image, err) != 0 ||
      flow_data_read(&out->image, &out->flow, err) != 0 ||
      read_profiles(out, source, err) != 0 ||
      lines_open(source->image_path, 0, &out->lines, err) != 0)
    goto fail;
  out->code = (struct code_lines){out->lines, &out->flow.files, NULL, 0};
  if (count_lines(out, err) == 0)
    return 0;
fail:
  line_profile_close(out);
  return -1;
}

void line_profile_close(struct line_profile *profile) {
  line_counts_release(&profile->counts);
  code_lines_release(&profile->code);
  symtab_release(&profile->symtab);
  lines_close(profile->lines);
  tally_release(&profile->tally);
  flow_data_release(&profile->flow);
  image_close(&profile->image);
  *profile = (struct line_profile){0};
}
