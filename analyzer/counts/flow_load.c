/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_load.h"

#include "base/array.h"
#include "counts/flow_read.h"
#include "debug/source_filter.h"
#include "model/model.h"
#include "solve/flow.h"

#include <stdbool.h>

/** Nothing is added any more. */
static void trim(struct flow_data *flow) {
  flow->funcs = array_trim(flow->funcs, flow->n_funcs, sizeof(*flow->funcs));
  flow->nodes = array_trim(flow->nodes, flow->n_nodes, sizeof(*flow->nodes));
  flow->edges = array_trim(flow->edges, flow->n_edges, sizeof(*flow->edges));
  flow->lines = array_trim(flow->lines, flow->n_lines, sizeof(*flow->lines));
  flow->calls = array_trim(flow->calls, flow->n_calls, sizeof(*flow->calls));
  flow->choices =
      array_trim(flow->choices, flow->n_choices, sizeof(*flow->choices));
  flow->aliases =
      array_trim(flow->aliases, flow->n_aliases, sizeof(*flow->aliases));
}

static int load(struct model *model, struct flow_data *flow, struct err *err) {
  bool is_exact = false;

  for (size_t i = 0; i < model->n_objects; i++) {
    struct model_object *const object = &model->objects[i];
    if (flow_read_begin(flow, &object->image, err) != 0)
      return -1;
    // Graphs take much memory: not together with blocks.
    flow_data_take(flow, i, &object->measure);
    is_exact = is_exact || flow->images[i].is_exact;
    if (flow->images[i].is_exact && !model->keeps_blocks)
      measure_drop_blocks(&object->measure);
    if (flow_read_graphs(flow, &object->image, err) != 0)
      return -1;
  }
  trim(flow);
  return is_exact ? flow_data_solve(flow, err) : 0;
}

int flow_load(struct model *model, struct flow_data *out, struct err *err) {
  const struct source_filter *const filter = model->inputs.filter;
  *out = (struct flow_data){.sources = model->inputs.sources,
                            .files.follows_links = true,
                            .files.root = filter ? &filter->root : NULL};
  if (load(model, out, err) == 0)
    return 0;
  flow_data_release(out);
  return -1;
}
