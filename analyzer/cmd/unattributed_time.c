/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/unattributed_time.h"

#include "base/err.h"
#include "gmon/gmon_read.h"
#include "gmon/pool_file.h"
#include "measure/gmon_open.h"
#include "model/model.h"
#include "profile/graph_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double sum_bins(const struct gmon_histogram *histogram) {
  double n_samples = 0;
  uint32_t i = 0;
  while ((i = gmon_next_bin(histogram, i)) < histogram->n_bins)
    n_samples += gmon_bin(histogram, i++);
  return n_samples;
}

static void add_bin(void *context, const struct arcline_pool_arc *arc) {
  if (arc->from == ARCLINE_POOL_SAMPLES)
    *(double *)context += (double)arc->count;
}

/** All samples of a profile; 0 if it cannot be read. */
static double sum_profile(const char *path, struct gmon_layout layout) {
  struct gmon_file file;
  struct gmon_reader reader;
  struct gmon_record record;
  struct pool_file pool;
  struct err ignored;
  double n_samples = 0;
  if (gmon_file_load(path, &file, &ignored))
    return 0;
  if (pool_is_pool_file(&file)) {
    if (pool_file_read(&file, &pool, &ignored) == 0)
      pool_file_each_arc(&pool, add_bin, &n_samples);
  } else if (gmon_reader_init(&reader, &file, layout, GMON_FORMAT_AUTO,
                              &ignored) == 0) {
    while (gmon_reader_next(&reader, &record, &ignored) > 0)
      if (record.tag == GMON_TAG_HISTOGRAM)
        n_samples += sum_bins(&record.histogram);
  }
  gmon_file_release(&file);
  return n_samples;
}

/** Samples of an instrumented object that a side file lists. */
static double sum_entry(const struct model *model, const struct side_file *side,
                        const struct side_entry *entry) {
  const char *const slash = strrchr(side->path, '/');
  const int n_folder = slash ? (int)(slash + 1 - side->path) : 0;
  char *path;
  if (asprintf(&path, "%.*s%s", n_folder, side->path, entry->file) < 0)
    return 0;
  const double n_samples =
      sum_profile(path, gmon_layout_of(&model->objects[0].image));
  free(path);
  return n_samples;
}

bool unattributed_time_is_much(double n_hidden, double n_samples) {
  return n_hidden >= UNATTRIBUTED_TIME_SAMPLES &&
         100 * n_hidden > UNATTRIBUTED_TIME_PERCENT * n_samples;
}

void unattributed_time_warn(const struct model *model, double n_samples) {
  double n_hidden = 0, n_most = 0;
  const char *most = "";
  for (size_t i = 0; i < model->inputs.n_sides; i++) {
    const struct side_file *const side = &model->inputs.sides[i];
    for (size_t j = 0; j < side->n_entries; j++) {
      const struct side_entry *const entry = &side->entries[j];
      if (!entry->file || model_find_object(model, side, entry) != SIZE_MAX)
        continue;
      const double n = sum_entry(model, side, entry);
      n_hidden += n;
      if (n > n_most) {
        n_most = n;
        most = basename(entry->path);
      }
    }
  }
  const double n_all = n_samples + n_hidden;
  if (unattributed_time_is_much(n_hidden, n_all))
    warn("%.0f %% of the samples are in other instrumented objects, most of "
         "them in %s; `arcline gprof %s' reports all of them as one program",
         100 * n_hidden / n_all, most, model->inputs.sides[0].path);
}

/** Is it no function of the program: unknown code, or the profiler's own? */
static bool is_no_function(const struct symbol *symbol) {
  return strcmp(symbol->name, "<[unknown]>") == 0 ||
         strcmp(symbol->name, "<profiler>") == 0;
}

static bool is_uncalled(const struct callgraph *graph, size_t i_symbol) {
  return graph->by_child.starts[i_symbol] ==
             graph->by_child.starts[i_symbol + 1] &&
         graph->profile->counts[i_symbol].calls == 0 &&
         !is_no_function(&graph->profile->symtab->symbols[i_symbol]);
}

void unattributed_time_warn_uncalled(const struct graph_profile *program) {
  const struct callgraph *const graph = &program->graph;
  double ticks = 0;
  if (program->model->inputs.n_sides == 0 || program->measured.total_ticks > 0)
    return;
  for (size_t i = 0; i < graph->n_symbols; i++)
    if (is_uncalled(graph, i))
      ticks += graph->nodes[i].ticks + graph->nodes[i].child_ticks;
  if (unattributed_time_is_much(ticks, program->profile.total_ticks))
    warn("%.0f %% of the time is in functions without a known caller, such as "
         "callbacks of libraries; run with ARCLINE_OPTIONS=stacks=on to record "
         "callers",
         100 * ticks / program->profile.total_ticks);
}
