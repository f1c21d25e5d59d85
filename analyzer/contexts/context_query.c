/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/context_query.h"

#include "base/err.h"
#include "debug/source.h"
#include "debug/source_pattern.h"
#include "debug/wanted_func.h"

#include <stdlib.h>
#include <string.h>

int context_query_begin(const struct context_index *index,
                        struct context_query *out, struct err *err) {
  *out = (struct context_query){
      .index = index,
      .masks = calloc(index->n_objects + 1, sizeof(*out->masks))};
  if (!out->masks)
    return err_no_memory(err);
  for (size_t i = 0; i < index->n_objects; i++) {
    out->masks[i] = calloc(context_object_bytes(&index->objects[i]) + 1, 1);
    if (!out->masks[i]) {
      context_query_release(out);
      return err_no_memory(err);
    }
  }
  return 0;
}

void context_query_release(struct context_query *query) {
  for (size_t i = 0; query->masks && i < query->index->n_objects; i++)
    free(query->masks[i]);
  free(query->masks);
  *query = (struct context_query){0};
}

// --- Functions and lines ---

static void add_bit(struct context_query *query, size_t i_object, size_t bit) {
  query->n_wanted += !context_has_bit(query->masks[i_object], bit);
  context_set_bit(query->masks[i_object], bit);
}

void context_query_add(struct context_query *query, size_t i_object,
                       size_t i_func) {
  add_bit(query, i_object, i_func);
}

int context_query_add_name(struct context_query *query, const char *name,
                           struct err *err) {
  const struct context_index *const index = query->index;
  struct wanted_hints hints = {0};
  struct wanted_func wanted;
  bool is_found = false;

  if (wanted_func_parse(name, &wanted) != 0)
    return err_no_memory(err);
  for (size_t i = 0; i < index->n_objects; i++)
    for (size_t k = 0; k < index->objects[i].n_funcs; k++) {
      if (!index->objects[i].is_current)
        continue;
      if (wanted_func_fits(&wanted, index->objects[i].funcs[k].name)) {
        context_query_add(query, i, k);
        is_found = true;
      } else if (!is_found) {
        wanted_hints_offer(&hints, &wanted, index->objects[i].funcs[k].name);
      }
    }
  const int rc =
      is_found ? 0 : wanted_hints_refuse(&hints, &wanted, "tests", err);
  wanted_hints_release(&hints);
  wanted_func_release(&wanted);
  return rc;
}

static void add_line_of(struct context_query *query, size_t i_object,
                        size_t i_func, const bool *is_file, uint32_t line) {
  const struct context_object *const object = &query->index->objects[i_object];
  const struct context_func *const func = &object->funcs[i_func];

  for (size_t i = 0; i < func->n_lines; i++) {
    const struct context_line *const at = &object->lines[func->first_line + i];
    if (at->line != line || !is_file[at->i_file])
      continue;
    if (object->has_lines)
      add_bit(query, i_object,
              context_object_first_line(object) + func->first_line + i);
    else
      add_bit(query, i_object, i_func);
    query->is_by_function |= !object->has_lines;
  }
}

/** Is it the file of a name that was compiled, perhaps by another name of its
 * folder? */
static bool is_file_of(const char *file, const char *compiled) {
  if (source_matches(file, compiled))
    return true;
  char *const real =
      source_pattern_has_folder(file) ? source_real(compiled) : NULL;
  const bool is_same = real && source_matches(file, real);
  free(real);
  return is_same;
}

int context_query_add_line(struct context_query *query, const char *file,
                           uint32_t line, struct err *err) {
  const struct context_index *const index = query->index;
  const size_t n_before = query->n_wanted;
  bool has_file = false;

  for (size_t i = 0; i < index->n_objects; i++) {
    const struct context_object *const object = &index->objects[i];
    bool *const is_file = calloc(object->n_files + 1, sizeof(*is_file));
    if (!is_file)
      return err_no_memory(err);
    for (size_t k = 0; k < object->n_files; k++) {
      is_file[k] = is_file_of(file, object->files[k].path);
      has_file |= is_file[k];
    }
    for (size_t k = 0; object->is_current && k < object->n_funcs; k++)
      add_line_of(query, i, k, is_file, line);
    free(is_file);
  }
  if (query->n_wanted > n_before)
    return 0;
  return has_file ? err_set(err, ERR_INPUT, "%s:%u: no code at this line", file,
                            line)
                  : err_set(err, ERR_INPUT,
                            "%s: no function of the tested programs is in this "
                            "file",
                            file);
}

// --- Contexts ---

static int begin_hits(const struct context_index *index,
                      struct context_hits *out, struct err *err) {
  *out = (struct context_hits){
      .has_run = calloc(index->n_names + 1, sizeof(*out->has_run)),
      .n = index->n_names};
  return out->has_run ? 0 : err_no_memory(err);
}

void context_hits_release(struct context_hits *hits) {
  free(hits->has_run);
  *hits = (struct context_hits){0};
}

static void set_hit(struct context_hits *hits, uint32_t i_name) {
  if (i_name == CONTEXT_NO_NAME)
    hits->has_none = true;
  else
    hits->has_run[i_name] = true;
}

struct search {
  const struct context_query *query;
  struct context_hits *out;
};

static int search_run(void *context, const struct context_run *run,
                      const uint8_t *bits, struct err *err) {
  const struct search *const search = context;
  const struct context_object *const object =
      &search->query->index->objects[run->i_object];
  const uint8_t *const mask = search->query->masks[run->i_object];
  const size_t n = context_object_bytes(object);

  (void)err;
  for (size_t i = 0; i < n; i++)
    if (bits[i] & mask[i]) {
      set_hit(search->out, run->i_name);
      break;
    }
  return 0;
}

int context_query_run(const struct context_query *query,
                      struct context_hits *out, struct err *err) {
  struct search search = {query, out};

  if (begin_hits(query->index, out, err) != 0)
    return -1;
  if (context_index_visit(query->index, search_run, &search, err) == 0)
    return 0;
  context_hits_release(out);
  return -1;
}

/** Has the context of a run one of the current build of the same path? Runs are
 * in order of names. */
static bool has_current(const struct context_index *index, size_t i_run) {
  const struct context_run *const run = &index->runs[i_run];
  const char *const path = index->objects[run->i_object].path;
  size_t i = i_run;

  while (i > 0 && index->runs[i - 1].i_name == run->i_name)
    i--;
  for (; i < index->n_runs && index->runs[i].i_name == run->i_name; i++) {
    const struct context_object *const object =
        &index->objects[index->runs[i].i_object];
    if (object->is_current && strcmp(object->path, path) == 0)
      return true;
  }
  return false;
}

int context_find_stale(const struct context_index *index,
                       struct context_hits *out, struct err *err) {
  if (begin_hits(index, out, err) != 0)
    return -1;
  for (size_t i = 0; i < index->n_runs; i++)
    if (!index->objects[index->runs[i].i_object].is_current &&
        index->runs[i].i_name != CONTEXT_NO_NAME && !has_current(index, i))
      set_hit(out, index->runs[i].i_name);
  return 0;
}
