/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/line_input.h"

#include "base/err.h"
#include "profile/graph_profile.h"

/** Load times of libraries' functions, by a view of the program that has its
 * symbols at least. */
static int load_libraries(struct line_input *input,
                          const struct graph_profile *program,
                          struct err *err) {
  const struct model_symbols symbols = {0};
  struct model *const model = input->profile.model;
  struct graph_profile own = {0};
  int rc = 0;
  if (!program) {
    rc = graph_profile_load(&own, model, &symbols, err) ||
                 symspec_resolve(&model->symtab, NULL, 0, &own.filters, err)
             ? -1
             : 0;
    program = &own;
  }
  if (rc == 0)
    rc = library_times_load(program, &input->profile.counts, &input->libraries,
                            err);
  graph_profile_release(&own);
  return rc;
}

int line_input_load(struct model *model, struct flow_data *flow,
                    const struct graph_profile *program, unsigned flags,
                    struct line_input *out, struct err *err) {
  struct line_profile *const profile = &out->profile;
  *out = (struct line_input){0};
  if (line_profile_open(model, flow, profile,
                        flags & LINE_INPUT_INSTANCES ? &out->instances : NULL,
                        err) != 0 ||
      line_profile_times(profile, &out->times, err) != 0)
    return -1;
  if (flags & LINE_INPUT_CALLEES &&
      line_profile_name_callees(profile, err) != 0)
    return -1;
  if (profile->has_times && model->inputs.n_sides > 0 &&
      load_libraries(out, program, err) != 0)
    return -1;
  out->times.n_samples += out->libraries.n_samples_outside;
  out->input = (struct annotate_input){
      .files = &flow->files,
      .counts = &profile->counts,
      .funcs = &profile->funcs,
      .times = &out->times,
      .instances = &out->instances,
      .branches = &out->branches,
      .libraries = &out->libraries,
      .filter = &profile->filter,
      .excluded = &profile->excluded,
      .has_times = profile->has_times,
      .has_counts = profile->has_counts,
      .is_exact = profile->is_exact,
      .rate_hz = profile->rate_hz,
  };
  if (profile->counts.n_lines == 0 && out->times.n_lines == 0 &&
      profile->counts.n_funcs == 0)
    return err_set(err, ERR_INPUT,
                   "%s: profile contains no source lines; compile the image "
                   "with -g",
                   model->objects[0].image.path);
  if (flags & LINE_INPUT_BRANCHES && profile->is_exact &&
      branch_counts_build(flow, &out->branches, err) != 0)
    return -1;
  if (!(flags & LINE_INPUT_BRANCHES) && profile->is_exact &&
      decision_counts_build(flow, &out->branches.decisions, err) != 0)
    return -1;
  return line_profile_check_sources(profile, err) == 0
             ? line_profile_exclude(profile, &out->branches, err)
             : -1;
}

void line_input_release(struct line_input *input) {
  line_times_release(&input->times);
  library_times_release(&input->libraries);
  line_instances_release(&input->instances);
  branch_counts_release(&input->branches);
  line_profile_close(&input->profile);
  *input = (struct line_input){0};
}
