/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of JSON, docs/JSON.md. */
#include "export/export_program.h"

#include "base/in_file.h"
#include "base/json.h"
#include "model/runs.h"
#include "profile/graph_profile.h"
#include "profile/names.h"
#include "profile/programs.h"
#include "profile/threads.h"

#include <math.h>
#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

/** State of writing. */
struct page {
  const struct graph_profile *program;
  struct runs runs;
  struct programs programs;
  struct threads threads;
  const struct callgraph *graph;
  double rate_hz;
  struct names names;
  struct json json;
};

static double in_units(const struct page *page, double ticks) {
  return ticks / page->rate_hz;
}

/** A sampled time, and the bounds of its 95 % confidence interval. */
static void put_sampled(struct page *page, const char *key, bool is_self,
                        double ticks) {
  const struct profile *const profile = &page->program->profile;
  const struct measured sample =
      measured_sample(&page->program->measured, profile->total_ticks, is_self);
  const double error = measured_error(&sample, ticks);
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
  const struct total_time total =
      measured_total(&page->program->measured, graph, i_symbol);
  struct json *const json = &page->json;
  size_t length;
  json_object_begin(json, NULL);
  json_text(json, "name", names_text(&page->names, i_symbol, &length));
  json_text(json, "linkage_name", symbol->name);
  if (symbol->object)
    json_text(json, "object", symbol->object->name);
  json_integer(json, "calls", node->calls);
  json_integer(json, "recursive_calls", node->self_calls);
  put_sampled(page, "self", true, node->ticks);
  json_object_begin(json, "total");
  json_number(json, "time", in_units(page, total.ticks));
  json_bool(json, "is_estimate", total.is_estimate);
  json_object_end(json);
  json_number(json, "propagated",
              in_units(page, node->ticks + node->child_ticks));
  if (page->program->measured.total_ticks > 0) {
    put_sampled(page, "measured", false, counts->inclusive);
    json_bool(json, "differs",
              counts->inclusive > 0 &&
                  measured_differs(&page->program->measured, counts->inclusive,
                                   node->ticks + node->child_ticks));
  }
  json_object_end(json);
}

static void put_arc(struct page *page, const struct profile_arc *arc,
                    double propagated_ticks) {
  struct json *const json = &page->json;
  json_object_begin(json, NULL);
  json_integer(json, "caller", arc->parent);
  json_integer(json, "callee", arc->child);
  json_integer(json, "calls", arc->count);
  json_number(json, "propagated", in_units(page, propagated_ticks));
  if (page->program->measured.total_ticks > 0)
    put_sampled(page, "measured", false, arc->inclusive);
  json_object_end(json);
}

static void put_arcs(struct page *page) {
  const struct callgraph *const graph = page->graph;
  json_array_begin(&page->json, "arcs");
  for (size_t i = 0; i < graph->profile->n_arcs; i++)
    put_arc(page, &graph->profile->arcs[i],
            graph->arcs[i].self_share + graph->arcs[i].child_share);
  for (size_t i = 0; i < graph->profile->n_stack_arcs; i++)
    put_arc(page, &graph->profile->stack_arcs[i], 0);
  json_array_end(&page->json);
}

/** Write the processes that side files recorded. */
static void put_processes(struct page *page, uint64_t n, uint64_t user_us,
                          uint64_t system_us) {
  struct json *const json = &page->json;
  json_integer(json, "processes", n);
  json_object_begin(json, "cpu");
  json_number(json, "user", (double)user_us / 1e6);
  json_number(json, "system", (double)system_us / 1e6);
  json_object_end(json);
}

/** Add the absolute path of an image. */
static void put_path(struct page *page, const char *path) {
  char *const whole = in_file_real(path);
  json_text(&page->json, "path", whole ? whole : path);
  free(whole);
}

/** The programs and libraries, those with most time first. */
static void put_programs(struct page *page) {
  const struct programs *const programs = &page->programs;
  const struct model *const model = page->program->model;
  struct json *const json = &page->json;
  json_array_begin(json, "programs");
  for (size_t i = 0; i < programs->n_programs + programs->n_libraries; i++) {
    const struct program_row *const it = &programs->rows[i];
    json_object_begin(json, NULL);
    put_path(page, model->objects[it->i_object].image.path);
    json_bool(json, "is_library", it->is_library);
    json_number(json, "time", in_units(page, it->ticks));
    if (it->n_processes)
      put_processes(page, it->n_processes, it->user_us, it->system_us);
    json_object_end(json);
  }
  json_array_end(json);
}

/** Threads, those with most time first. */
static void put_threads(struct page *page) {
  struct json *const json = &page->json;
  json_array_begin(json, "threads");
  for (size_t i = 0; i < page->threads.n_rows; i++) {
    const struct thread_row *const it = &page->threads.rows[i];
    json_object_begin(json, NULL);
    if (it->name)
      json_text(json, "name", it->name);
    if (it->id)
      json_integer(json, "id", it->id);
    json_integer(json, "threads", it->n_threads);
    json_number(json, "time", in_units(page, it->ticks));
    if (page->threads.waiting > 0)
      json_number(json, "wait", in_units(page, it->waiting));
    json_object_end(json);
  }
  json_array_end(json);
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
  if (page->runs.n_processes)
    put_processes(page, page->runs.n_processes, page->runs.user_us,
                  page->runs.system_us);
  put_programs(page);
  if (page->threads.n_rows)
    put_threads(page);
  if (measured->total_ticks > 0) {
    json_object_begin(json, "stacks");
    json_number(json, "time", in_units(page, measured->total_ticks));
    json_number(json, "incomplete", in_units(page, measured->cut_ticks));
    json_number(json, "looks", measured->n_stack_signals);
    json_object_end(json);
  }
  json_array_begin(json, "functions");
  for (size_t i = 0; i < page->graph->n_symbols; i++)
    put_function(page, i);
  json_array_end(json);
  put_arcs(page);
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
  int rc = runs_load(program->model, &page.runs, err);
  if (rc == 0)
    rc = programs_load(program->model, &page.programs, err);
  if (rc == 0)
    rc = threads_load(program->model, &page.threads, err);
  if (rc == 0)
    rc = names_init(&page.names, &style, program->graph.profile->symtab, err);
  if (rc == 0) {
    put_program(&page);
    names_release(&page.names);
  }
  threads_release(&page.threads);
  programs_release(&page.programs);
  runs_release(&page.runs);
  return rc;
}
