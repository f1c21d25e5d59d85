/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/export_program.h"

#include "base/json.h"
#include "model/runs.h"
#include "profile/graph_profile.h"
#include "report/names.h"

#include <math.h>

enum { SCHEMA_VERSION = 1 };

/** What is written, and where. */
struct page {
  const struct graph_profile *program;
  struct runs runs;
  const struct callgraph *graph;
  double rate_hz;
  struct names names;
  struct json json;
};

static double in_units(const struct page *page, double ticks) {
  return ticks / page->rate_hz;
}

/** A sampled time, and the bounds between which it lies 19 times of 20. */
static void put_sampled(struct page *page, const char *key, double ticks) {
  const struct profile *const profile = &page->program->profile;
  struct measured measured = page->program->measured;
  // Without stacks nobody tells how many samples came at once: each counts.
  if (measured.total_ticks <= 0)
    measured = (struct measured){.total_ticks = profile->total_ticks,
                                 .n_looks = profile->total_ticks};
  const double error = measured_error(&measured, ticks);
  struct json *const json = &page->json;
  json_object_begin(json, key);
  json_number(json, "time", in_units(page, ticks));
  json_number(json, "low", in_units(page, fmax(ticks - error, 0)));
  json_number(json, "high", in_units(page, ticks + error));
  json_object_end(json);
}

static void put_function(struct page *page, size_t i_symbol) {
  const struct callgraph *const graph = page->graph;
  const struct cg_node *const node = &graph->nodes[i_symbol];
  const struct symbol_counts *const counts = &graph->profile->counts[i_symbol];
  const struct symbol *const symbol =
      &graph->profile->symtab->symbols[i_symbol];
  struct json *const json = &page->json;
  size_t length;
  json_object_begin(json, NULL);
  json_text(json, "name", names_text(&page->names, i_symbol, &length));
  json_text(json, "linkage_name", symbol->name);
  if (symbol->object)
    json_text(json, "object", symbol->object->name);
  json_integer(json, "calls", node->calls);
  json_integer(json, "recursive_calls", node->self_calls);
  put_sampled(page, "self", node->ticks);
  json_number(json, "propagated",
              in_units(page, node->ticks + node->child_ticks));
  if (page->program->measured.total_ticks > 0) {
    put_sampled(page, "measured", counts->inclusive);
    json_bool(json, "differs",
              counts->inclusive > 0 &&
                  measured_differs(&page->program->measured, counts->inclusive,
                                   node->ticks + node->child_ticks));
  }
  json_object_end(json);
}

static void put_arc(struct page *page, size_t i_arc) {
  const struct profile_arc *const arc = &page->graph->profile->arcs[i_arc];
  const struct cg_arc *const shares = &page->graph->arcs[i_arc];
  struct json *const json = &page->json;
  json_object_begin(json, NULL);
  json_integer(json, "caller", arc->parent);
  json_integer(json, "callee", arc->child);
  json_integer(json, "calls", arc->count);
  json_number(json, "propagated",
              in_units(page, shares->self_share + shares->child_share));
  json_object_end(json);
}

/** What side files tell of the processes. */
static void put_runs(struct page *page) {
  const struct runs *const runs = &page->runs;
  struct json *const json = &page->json;
  if (runs->n_processes == 0)
    return;
  json_integer(json, "processes", runs->n_processes);
  json_object_begin(json, "cpu");
  json_number(json, "user", (double)runs->user_us / 1e6);
  json_number(json, "system", (double)runs->system_us / 1e6);
  json_object_end(json);
}

static void put_program(struct page *page) {
  const struct profile *const profile = &page->program->profile;
  const struct measured *const measured = &page->program->measured;
  struct json *const json = &page->json;
  json_object_begin(json, NULL);
  json_text(json, "format", "arcline-functions");
  json_integer(json, "version", SCHEMA_VERSION);
  json_text(json, "unit", profile->unit.dimension);
  json_number(json, "time", in_units(page, profile->total_ticks));
  put_runs(page);
  if (measured->total_ticks > 0) {
    json_object_begin(json, "stacks");
    json_number(json, "time", in_units(page, measured->total_ticks));
    json_number(json, "incomplete", in_units(page, measured->cut_ticks));
    json_number(json, "looks", measured->n_looks);
    json_object_end(json);
  }
  json_array_begin(json, "functions");
  for (size_t i = 0; i < page->graph->n_symbols; i++)
    put_function(page, i);
  json_array_end(json);
  json_array_begin(json, "arcs");
  for (size_t i = 0; i < page->graph->profile->n_arcs; i++)
    put_arc(page, i);
  json_array_end(json);
  json_object_end(json);
}

int export_json(const struct graph_profile *program, FILE *out,
                struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  const uint32_t rate_hz = program->profile.unit.rate_hz;
  struct page page = {.program = program,
                      .graph = &program->graph,
                      .rate_hz = rate_hz ? rate_hz : 1,
                      .json = {.stream = out}};
  if (runs_load(&program->model, &page.runs, err))
    return -1;
  const int rc =
      names_init(&page.names, &style, program->graph.profile->symtab, err);
  if (rc == 0) {
    put_program(&page);
    names_release(&page.names);
  }
  runs_release(&page.runs);
  return rc;
}
