/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/graph_profile.h"

#include "debug/lines.h"

int graph_profile_load(struct graph_profile *program, struct model *model,
                       const struct model_symbols *symbols, struct err *err) {
  struct model_symbols wanted = *symbols;
  program->model = model;
  // Parts of functions are rows of their own, unlike in GNU gprof's report.
  if (model->inputs.n_sides && !(model->lines_flags & LINES_GNU_BUGS))
    wanted.image_flags |= IMAGE_PARTS;
  return model_load_symbols(model, &wanted, err) ||
                 side_join_init(&program->sides, model, err)
             ? -1
             : 0;
}

int graph_profile_add(struct graph_profile *program, unsigned flags,
                      struct err *err) {
  const struct model *const model = program->model;
  struct profile *const profile = &program->profile;
  if (profile_init(profile, &model->symtab, &program->filters, flags, err))
    return -1;
  for (size_t i = 0; i < model->n_objects; i++)
    if (profile_add(profile, &model->objects[i].measure,
                    model->is_joined ? &model->objects[i].place : NULL, err))
      return -1;
  return model->is_joined ? side_join_apply(&program->sides, profile, err) : 0;
}

int graph_profile_measure(struct graph_profile *program, struct err *err) {
  return program->model->is_joined
             ? measured_make(&program->sides, &program->profile,
                             &program->measured, err)
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

int graph_profile_locate(struct graph_profile *program, struct err *err) {
  struct callgraph *const graph = &program->graph;
  struct symbol *const symbols =
      (graph->used ? &graph->used->symtab : &program->model->symtab)->symbols;
  for (size_t i = 0; i < graph->n_symbols; i++)
    if (!symbols[i].file &&
        model_locate_symbol(program->model, &symbols[i], true, err))
      return -1;
  return 0;
}

int graph_profile_open(struct model *model, const struct model_symbols *symbols,
                       struct graph_profile *out, struct err *err) {
  *out = (struct graph_profile){0};
  if (graph_profile_load(out, model, symbols, err) ||
      symspec_resolve(&model->symtab, NULL, 0, &out->filters, err) ||
      graph_profile_add(out, PROFILE_OUTSIDE, err) ||
      graph_profile_measure(out, err)) {
    graph_profile_release(out);
    return -1;
  }
  graph_profile_finish(out);
  return 0;
}

void graph_profile_release(struct graph_profile *program) {
  callgraph_release(&program->graph);
  profile_release(&program->profile);
  symspec_release(&program->filters);
  side_join_release(&program->sides);
  *program = (struct graph_profile){0};
}
