/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of callgrind. */
#include "export/export_program.h"

#include "base/err.h"
#include "debug/file_table.h"
#include "profile/graph_profile.h"
#include "profile/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/** State of writing. A name is written once, and its number from then on. */
struct page {
  const struct graph_profile *program;
  const struct callgraph *graph;
  FILE *out;
  double unit_per_tick;
  struct names names;
  struct file_table files;
  uint32_t *file_of; /* by symbol */
  uint32_t i_no_file;
  bool *has_file;   /* by file: written? */
  bool *has_object; /* by object of the program; the last: no object */
  bool *has_name;   /* by symbol */
};

static const char no_name[] = "???";

static uint64_t in_units(const struct page *page, double ticks) {
  return ticks > 0 ? (uint64_t)llround(ticks * page->unit_per_tick) : 0;
}

static const struct symbol *symbol_of(const struct page *page,
                                      uint32_t i_symbol) {
  return &page->graph->profile->symtab->symbols[i_symbol];
}

/** Print a name; it must not end its line. */
static void print_text(const char *text, FILE *out) {
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
  }
}

/** Print "key=(number)", and the name if it is the first time. */
static void print_name(const struct page *page, const char *key, size_t number,
                       bool *is_written, const char *name) {
  fprintf(page->out, "%s=(%zu)", key, number + 1);
  if (!*is_written) {
    fputc(' ', page->out);
    print_text(name, page->out);
  }
  fputc('\n', page->out);
  *is_written = true;
}

static void print_object(struct page *page, const char *key,
                         uint32_t i_symbol) {
  const struct symtab_object *const object = symbol_of(page, i_symbol)->object;
  const struct model *const model = page->program->model;
  // Without an object: code of the program if it is the only object, otherwise
  // of no object.
  size_t number = object             ? object->i_object
                  : model->is_joined ? model->n_objects
                                     : 0;
  const char *name = no_name;
  if (number < model->n_objects)
    name = model->objects[number].image.path;
  else
    number = model->n_objects;
  print_name(page, key, number, &page->has_object[number], name);
}

/** Print object, file and name of a function. */
static void print_function(struct page *page, uint32_t i_symbol,
                           const char *const keys[3]) {
  const uint32_t i_file = page->file_of[i_symbol];
  size_t length;
  print_object(page, keys[0], i_symbol);
  print_name(page, keys[1], i_file, &page->has_file[i_file],
             page->files.names[i_file]);
  print_name(page, keys[2], i_symbol, &page->has_name[i_symbol],
             names_text(&page->names, i_symbol, &length));
}

/** Time of the calls of an arc. Viewers add it to the caller's own time: within
 * a cycle this would count the same time several times. */
static double arc_ticks(const struct page *page,
                        const struct profile_arc *arc) {
  return callgraph_is_internal(page->graph, arc)
             ? 0
             : measured_arc(&page->program->measured, page->graph, arc);
}

/** Print calls of the function at hand; 0 calls are those of call stacks alone,
 * as among libraries. To callgrind_annotate, the time of no call is the
 * caller's own. */
static void print_calls(struct page *page, const struct profile_arc *arc,
                        double ticks) {
  static const char *const callee_keys[] = {"cob", "cfi", "cfn"};
  print_function(page, arc->child, callee_keys);
  fprintf(page->out, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32 " %" PRIu64 "\n",
          arc->count ? arc->count : 1, symbol_of(page, arc->child)->line,
          symbol_of(page, arc->parent)->line, in_units(page, ticks));
}

/** Function by function: own time, then its calls. */
static void print_functions(struct page *page) {
  static const char *const own_keys[] = {"ob", "fl", "fn"};
  const struct callgraph *const graph = page->graph;
  const struct cg_groups *const counted = &graph->by_parent;
  const struct cg_groups *const others = &graph->stacks_by_parent;
  for (uint32_t i = 0; i < graph->n_symbols; i++) {
    const uint32_t line = symbol_of(page, i)->line;
    fputc('\n', page->out);
    print_function(page, i, own_keys);
    fprintf(page->out, "%" PRIu32 " %" PRIu64 "\n", line,
            in_units(page, graph->nodes[i].ticks));
    for (uint32_t k = counted->starts[i]; k < counted->starts[i + 1]; k++) {
      const uint32_t i_arc = counted->arcs[k];
      const struct profile_arc *const arc = &graph->profile->arcs[i_arc];
      if (arc->count || arc->weight > 0)
        print_calls(page, arc, arc_ticks(page, arc));
    }
    for (uint32_t k = others->starts[i]; k < others->starts[i + 1]; k++) {
      const struct profile_arc *const arc =
          &graph->profile->stack_arcs[others->arcs[k]];
      print_calls(page, arc, arc_ticks(page, arc));
    }
  }
}

/** Calls by unknown callers. Callers that are on stacks have one each. */
static uint64_t n_unknown_calls(const struct callgraph *graph,
                                size_t i_symbol) {
  const uint32_t *const starts = &graph->stacks_by_child.starts[i_symbol];
  const uint64_t n_on_stacks = starts[1] - starts[0];
  const uint64_t n_calls = graph->profile->counts[i_symbol].outside_calls;
  return n_calls > n_on_stacks ? n_calls - n_on_stacks : 0;
}

/** Calls by unknown callers, as those of one more function. Otherwise viewers
 * would show fewer calls of a function than there were. */
static void print_unknown_caller(struct page *page) {
  static const char *const callee_keys[] = {"cob", "cfi", "cfn"};
  const struct callgraph *const graph = page->graph;
  bool is_begun = false;
  for (uint32_t i = 0; i < graph->n_symbols; i++) {
    const uint64_t n_calls = n_unknown_calls(graph, i);
    if (n_calls == 0)
      continue;
    if (!is_begun) {
      bool is_named = false;
      const size_t i_object = page->program->model->n_objects;
      fputc('\n', page->out);
      print_name(page, "ob", i_object, &page->has_object[i_object], no_name);
      print_name(page, "fl", page->i_no_file, &page->has_file[page->i_no_file],
                 no_name);
      print_name(page, "fn", graph->n_symbols, &is_named, "(unknown)");
      fputs("0 0\n", page->out);
      is_begun = true;
    }
    print_function(page, i, callee_keys);
    fprintf(page->out, "calls=%" PRIu64 " %" PRIu32 "\n0 %" PRIu64 "\n",
            n_calls, symbol_of(page, i)->line,
            in_units(page, measured_outside(graph, i)));
  }
}

static int find_files(struct page *page, struct err *err) {
  for (uint32_t i = 0; i < page->graph->n_symbols; i++) {
    const char *const file = symbol_of(page, i)->file;
    if (file_table_add(&page->files, NULL, file ? file : no_name,
                       &page->file_of[i], err))
      return -1;
  }
  return file_table_add(&page->files, NULL, no_name, &page->i_no_file, err);
}

static void print_page(struct page *page) {
  const bool is_time = page->program->profile.unit.rate_hz > 0;
  uint64_t total = 0;
  for (size_t i = 0; i < page->graph->n_symbols; i++)
    total += in_units(page, page->graph->nodes[i].ticks);
  // The description of an event comes before the list, for callgrind_annotate.
  fprintf(page->out, "# callgrind format\nversion: 1\ncreator: arcline\n"
                     "cmd: ");
  print_text(page->program->model->objects[0].image.path, page->out);
  fprintf(page->out, "\npositions: line\n");
  fprintf(page->out, is_time ? "event: us : Self time (microseconds)\n"
                               "events: us\n"
                             : "event: Samples : Samples\nevents: Samples\n");
  fprintf(page->out, "summary: %" PRIu64 "\n", total);
  print_functions(page);
  print_unknown_caller(page);
  fprintf(page->out, "\ntotals: %" PRIu64 "\n", total);
}

int export_callgrind(const struct graph_profile *program, FILE *out,
                     struct err *err) {
  const struct name_style style = {.demangle = NAMES_ANY};
  const uint32_t rate_hz = program->profile.unit.rate_hz;
  const size_t n_symbols = program->graph.n_symbols;
  struct page page = {.program = program,
                      .graph = &program->graph,
                      .out = out,
                      .unit_per_tick = rate_hz ? 1e6 / rate_hz : 1};
  if (names_init(&page.names, &style, program->graph.profile->symtab, err))
    return -1;
  page.file_of = calloc(n_symbols + 1, sizeof(*page.file_of));
  page.has_file = calloc(n_symbols + 2, sizeof(*page.has_file));
  page.has_name = calloc(n_symbols + 1, sizeof(*page.has_name));
  page.has_object =
      calloc(program->model->n_objects + 1, sizeof(*page.has_object));
  int rc = page.file_of && page.has_file && page.has_name && page.has_object
               ? find_files(&page, err)
               : err_no_memory(err);
  if (rc == 0)
    print_page(&page);
  file_table_release(&page.files);
  free(page.file_of);
  free(page.has_file);
  free(page.has_name);
  free(page.has_object);
  names_release(&page.names);
  return rc;
}
