/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/graph_profile.h"

int graph_profile_load(struct graph_profile *program,
                       const struct model_symbols *symbols, struct err *err) {
  struct model *const model = &program->model;
  struct model_symbols wanted = *symbols;
  // Parts of functions are rows of their own, unlike in GNU gprof's report.
  if (model->inputs.n_sides && !symbols->is_gnu_bugs)
    wanted.image_flags |= IMAGE_PARTS;
  return model_load_symbols(model, &wanted, err) ||
                 side_join_init(&program->sides, model, err)
             ? -1
             : 0;
}

int graph_profile_add(struct graph_profile *program, unsigned flags,
                      struct err *err) {
  struct model *const model = &program->model;
  struct profile *const profile = &program->profile;
  if (profile_init(profile, &model->symtab, &program->filters,
                   flags | (model->is_joined ? PROFILE_JOINED : 0), err))
    return -1;
  for (size_t i = 0; i < model->n_objects; i++)
    if (profile_add(profile, &model->objects[i].measure,
                    model->is_joined ? &model->objects[i].place : NULL, err))
      return -1;
  return model->is_joined ? side_join_apply(&program->sides, profile, err) : 0;
}

int graph_profile_measure(struct graph_profile *program, struct err *err) {
  return program->model.is_joined
             ? measured_make(&program->sides, &program->profile,
                             &program->measured, err)
             : 0;
}

int graph_profile_read(struct graph_profile *program,
                       const struct model_profiles *profiles, unsigned flags,
                       bool has_measured, struct err *err) {
  return model_read_profiles(&program->model, profiles, err) ||
                 graph_profile_add(program, flags, err) ||
                 (has_measured && graph_profile_measure(program, err))
             ? -1
             : 0;
}

void graph_profile_finish(struct graph_profile *program) {
  profile_finish(&program->profile);
  side_join_finish(&program->sides, &program->profile);
}

int graph_profile_build(struct graph_profile *program, unsigned flags,
                        struct err *err) {
  return callgraph_build(&program->profile, flags, &program->graph, err);
}

int graph_profile_open(const struct inputs_options *options,
                       const struct model_symbols *symbols,
                       struct graph_profile *out, struct err *err) {
  const struct model_profiles profiles = {.format = GMON_FORMAT_AUTO};
  struct inputs inputs;
  *out = (struct graph_profile){0};
  if (inputs_find(options, &inputs, err) ||
      model_open(&inputs, options->is_forced, &out->model, err))
    return -1;
  if (model_join_sides(&out->model, err) ||
      graph_profile_load(out, symbols, err) ||
      symspec_resolve(&out->model.symtab, NULL, 0, &out->filters, err) ||
      graph_profile_read(out, &profiles, 0, true, err)) {
    graph_profile_release(out);
    return -1;
  }
  graph_profile_finish(out);
  if (graph_profile_build(out, 0, err)) {
    graph_profile_release(out);
    return -1;
  }
  return 0;
}

void graph_profile_release(struct graph_profile *program) {
  callgraph_release(&program->graph);
  profile_release(&program->profile);
  symspec_release(&program->filters);
  side_join_release(&program->sides);
  model_close(&program->model);
  *program = (struct graph_profile){0};
}
