/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of speedscope: a profile of time by call stacks, if there
 * are any, and one of calls, which are exact, by caller and callee. */
#include "export/export_program.h"

#include "base/err.h"
#include "base/json.h"
#include "base/map64.h"
#include "export/stacks.h"
#include "profile/graph_profile.h"

#include <stdlib.h>

struct page {
  const struct graph_profile *program;
  struct json json;
  struct export_stacks stacks; // empty: there are none
  struct names names;          // without stacks
  struct map64 index;          // symbol or kind of frame -> number
  uint32_t n_frames;
};

/** Key of a frame in the index. */
static uint64_t key_of(uint32_t i_symbol, bool is_cut) {
  return (uint64_t)is_cut << 32 | i_symbol;
}

/** Write the frame of a function, unless that is done. Frames of one function
 * are one. name: NULL: the symbol's. */
static int put_frame(struct page *page, uint32_t i_symbol, bool is_cut,
                     const char *name, struct err *err) {
  const struct symbol *const symbols = page->program->profile.symtab->symbols;
  struct names *const names =
      page->stacks.program ? &page->stacks.names : &page->names;
  const uint64_t key = key_of(i_symbol, is_cut);
  struct json *const json = &page->json;
  size_t length;
  if (map64_find(&page->index, key) != MAP64_NONE)
    return 0;
  json_object_begin(json, NULL);
  json_text(json, "name", name ? name : names_text(names, i_symbol, &length));
  if (!is_cut && i_symbol != PROFILE_NONE && symbols[i_symbol].file) {
    json_text(json, "file", symbols[i_symbol].file);
    if (symbols[i_symbol].line > 0)
      json_integer(json, "line", symbols[i_symbol].line);
  }
  json_object_end(json);
  return map64_insert(&page->index, key, page->n_frames++, err);
}

/** Write all frames, which the profiles refer to by number. */
static int put_frames(struct page *page, struct err *err) {
  const struct profile *const profile = &page->program->profile;
  int rc = 0;
  json_array_begin(&page->json, "frames");
  for (size_t i = 1; rc == 0 && i < page->stacks.tree.n_frames; i++) {
    const struct stack_frame *const frame = &page->stacks.tree.frames[i];
    rc = put_frame(page, frame->i_symbol, frame->is_cut,
                   export_stacks_name(&page->stacks, i), err);
  }
  for (size_t i = 0; rc == 0 && i < profile->n_arcs; i++)
    if (profile->arcs[i].count > 0)
      rc = put_frame(page, profile->arcs[i].parent, false, NULL, err) ||
                   put_frame(page, profile->arcs[i].child, false, NULL, err)
               ? -1
               : 0;
  for (size_t i = 0; rc == 0 && i < profile->symtab->n_symbols; i++)
    if (profile->counts[i].outside_calls > 0)
      rc = put_frame(page, (uint32_t)i, false, NULL, err);
  json_array_end(&page->json);
  return rc;
}

static void put_number(struct page *page, uint32_t i_symbol, bool is_cut) {
  json_integer(&page->json, NULL,
               map64_find(&page->index, key_of(i_symbol, is_cut)));
}

static void begin_profile(struct page *page, const char *name,
                          const char *unit) {
  json_object_begin(&page->json, NULL);
  json_text(&page->json, "type", "sampled");
  json_text(&page->json, "name", name);
  json_text(&page->json, "unit", unit);
}

static void end_profile(struct page *page, uint64_t total) {
  json_integer(&page->json, "startValue", 0);
  json_integer(&page->json, "endValue", total);
  json_object_end(&page->json);
}

/** Stacks of a profile in the file. */
enum kind { KIND_ALL, KIND_CPU, KIND_WAITS, N_KINDS };

static bool is_of(const struct export_stacks *stacks, size_t i_frame,
                  enum kind kind) {
  return export_stacks_time(stacks, i_frame) > 0 &&
         (kind == KIND_ALL ||
          export_stacks_is_wait(stacks, i_frame) == (kind == KIND_WAITS));
}

static void put_times(struct page *page, enum kind kind) {
  const char *const names[N_KINDS] = {
      page->program->model->objects[0].image.path, "on a CPU", "waiting"};
  struct export_stacks *const stacks = &page->stacks;
  struct json *const json = &page->json;
  const size_t n_frames = stacks->tree.n_frames;
  uint64_t total = 0;
  begin_profile(page, names[kind], export_stacks_unit(stacks));
  json_array_begin(json, "samples");
  for (size_t i = 1; i < n_frames; i++) {
    if (!is_of(stacks, i, kind))
      continue;
    json_array_begin(json, NULL);
    export_stacks_find_path(stacks, i);
    for (size_t k = 0; k < stacks->n_path; k++) {
      const struct stack_frame *const frame =
          &stacks->tree.frames[stacks->path[k]];
      put_number(page, frame->i_symbol, frame->is_cut);
    }
    json_array_end(json);
  }
  json_array_end(json);
  json_array_begin(json, "weights");
  for (size_t i = 1; i < n_frames; i++) {
    if (!is_of(stacks, i, kind))
      continue;
    json_integer(json, NULL, export_stacks_time(stacks, i));
    total += export_stacks_time(stacks, i);
  }
  json_array_end(json);
  end_profile(page, total);
}

/** Write each caller and callee as a stack of two frames, and calls by unknown
 * callers as one of one frame. */
static void put_calls(struct page *page) {
  const struct profile *const profile = &page->program->profile;
  struct json *const json = &page->json;
  uint64_t total = 0;
  begin_profile(page, "calls", "none");
  json_array_begin(json, "samples");
  for (size_t i = 0; i < profile->n_arcs; i++)
    if (profile->arcs[i].count > 0) {
      json_array_begin(json, NULL);
      put_number(page, profile->arcs[i].parent, false);
      put_number(page, profile->arcs[i].child, false);
      json_array_end(json);
    }
  for (size_t i = 0; i < profile->symtab->n_symbols; i++)
    if (profile->counts[i].outside_calls > 0) {
      json_array_begin(json, NULL);
      put_number(page, (uint32_t)i, false);
      json_array_end(json);
    }
  json_array_end(json);
  json_array_begin(json, "weights");
  for (size_t i = 0; i < profile->n_arcs; i++) {
    if (profile->arcs[i].count > 0)
      json_integer(json, NULL, profile->arcs[i].count);
    total += profile->arcs[i].count;
  }
  for (size_t i = 0; i < profile->symtab->n_symbols; i++) {
    if (profile->counts[i].outside_calls > 0)
      json_integer(json, NULL, profile->counts[i].outside_calls);
    total += profile->counts[i].outside_calls;
  }
  json_array_end(json);
  end_profile(page, total);
}

static int put_all(struct page *page, struct err *err) {
  struct json *const json = &page->json;
  json_object_begin(json, NULL);
  json_text(json, "$schema",
            "https://www.speedscope.app/file-format-schema.json");
  json_text(json, "exporter", "arcline");
  json_object_begin(json, "shared");
  const int rc = put_frames(page, err);
  json_object_end(json);
  json_array_begin(json, "profiles");
  const int n_kinds = !page->stacks.program    ? 0
                      : page->stacks.has_waits ? N_KINDS
                                               : 1;
  for (int kind = KIND_ALL; kind < n_kinds; kind++)
    put_times(page, (enum kind)kind);
  put_calls(page);
  json_array_end(json);
  json_object_end(json);
  return rc;
}

int export_speedscope(const struct graph_profile *program, FILE *out,
                      struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  struct page page = {.program = program, .json = {.stream = out}};
  const bool has_stacks = program->measured.total_ticks > 0;
  int rc = has_stacks
               ? export_stacks_init(&page.stacks, program, NULL, err)
               : names_init(&page.names, &style, program->profile.symtab, err);
  if (rc == 0)
    rc = put_all(&page, err);
  map64_release(&page.index);
  if (!has_stacks && page.names.symtab)
    names_release(&page.names);
  if (page.stacks.program)
    export_stacks_release(&page.stacks);
  return rc;
}
