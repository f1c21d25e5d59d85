/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/func_list.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/short_name.h"
#include "base/sorted.h"
#include "counts/inlined.h"
#include "counts/line_callers.h"
#include "counts/line_counts.h"
#include "debug/func_names.h"
#include "profile/graph_profile.h"

#include <stdlib.h>
#include <string.h>

// Names of C++ that are longer are shortened.
enum { BRIEF_COLUMNS = 64 };

// --- Functions ---

static int set_text(struct html_func *func, struct err *err) {
  char *const text = func_name_demangle(func->name);
  func->text = text ? text : strdup(func->name);
  func->brief = text ? short_name(text, BRIEF_COLUMNS, true) : NULL;
  return func->text ? 0 : err_no_memory(err);
}

/** Add those of the source. */
static int add_line_funcs(struct func_list *list, struct err *err) {
  const struct line_counts *const counts = list->counts;
  for (uint32_t i = 0; i < counts->n_funcs; i++) {
    struct html_func *const func = &list->funcs[list->n_funcs++];
    list->of_line_func[i] = i;
    *func = (struct html_func){.name = counts->funcs[i].name,
                               .i_symbol = FUNC_NONE,
                               .i_line_func = i,
                               .pos = counts->funcs[i].pos,
                               .n_calls = counts->funcs[i].n_entries};
    if (set_text(func, err))
      return -1;
  }
  return 0;
}

/** Compares a struct line_func with a struct flow_func. */
static int compare_func(const void *left, const void *right,
                        const void *context) {
  const struct line_func *const func = left;
  const struct flow_func *const wanted = right;
  const int order = flow_line_compare(func->pos, wanted->pos);
  (void)context;
  return order ? order : strcmp(func->name, wanted->name);
}

/** Find a function of the source. */
static uint32_t find_line_func(const struct line_counts *counts,
                               const struct flow_func *wanted) {
  const size_t i =
      sorted_find(counts->funcs, counts->n_funcs, sizeof(*counts->funcs),
                  wanted, compare_func, NULL);
  return i < counts->n_funcs ? (uint32_t)i : FUNC_NONE;
}

/** Add the further names of functions of the source. */
static void add_aliases(struct func_list *list, const struct flow_data *flow) {
  for (size_t i = 0; i < flow->n_funcs; i++) {
    const struct flow_func *const func = &flow->funcs[i];
    const uint32_t i_func =
        func->n_aliases ? find_line_func(list->counts, func) : FUNC_NONE;
    for (uint32_t k = 0; i_func != FUNC_NONE && k < func->n_aliases; k++)
      list->aliases[list->n_aliases++] =
          (struct func_name){flow->aliases[func->first_alias + k], i_func};
  }
}

static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct func_name *const a = left, *const b = right;
  (void)context;
  const int order = strcmp(a->name, b->name);
  return order ? order : (a->i_func > b->i_func) - (a->i_func < b->i_func);
}

static int sort_names(struct func_list *list, struct err *err) {
  list->n_names = 0;
  // Of the rows of several objects, links lead to that of the source.
  for (uint32_t i = 0; i < list->n_funcs; i++)
    if (list->funcs[i].i_line_func != FUNC_NONE ||
        !list->funcs[i].is_of_several)
      list->names[list->n_names++] = (struct func_name){list->funcs[i].name, i};
  for (size_t i = 0; i < list->n_aliases; i++)
    list->names[list->n_names++] = (struct func_name){
        list->aliases[i].name, list->of_line_func[list->aliases[i].i_func]};
  return merge_sort(list->names, list->n_names, sizeof(*list->names),
                    compare_names, NULL)
             ? err_no_memory(err)
             : 0;
}

/** The first index of a name, or the index to insert it. */
static size_t find_name(const struct func_list *list, const char *name) {
  const struct func_name key = {.name = name};
  return sorted_count_before(list->names, list->n_names, sizeof(key), &key,
                             compare_names, NULL);
}

/** The source function of a symbol. Of several with the name, as static ones,
 * that in its file, otherwise the first one without a symbol. */
static struct html_func *find_source(struct func_list *list,
                                     const struct symbol *symbol,
                                     uint32_t i_file) {
  struct html_func *found = NULL;
  for (size_t i = find_name(list, symbol->name);
       i < list->n_names && strcmp(list->names[i].name, symbol->name) == 0;
       i++) {
    struct html_func *const func = &list->funcs[list->names[i].i_func];
    if (func->i_symbol == FUNC_NONE && func->pos.i_file == i_file)
      return func;
    if (func->i_symbol == FUNC_NONE && !found)
      found = func;
  }
  return found;
}

/** The calls of a source function are those of all objects that have it, and
 * its row is of one of them: another row has some of the calls. */
static void leave_calls(const struct func_list *list, struct html_func *other) {
  for (size_t i = find_name(list, other->name);
       i < list->n_names && strcmp(list->names[i].name, other->name) == 0;
       i++) {
    struct html_func *const func = &list->funcs[list->names[i].i_func];
    struct html_figures *const others = &func->others;
    if (func->pos.i_file != other->pos.i_file || func->object == other->object)
      continue;
    const uint64_t n =
        other->n_calls < func->n_calls ? other->n_calls : func->n_calls;
    func->n_calls -= n;
    others->n_calls += n;
    others->n_inlined += other->n_inlined;
    others->self += other->self;
    others->total += other->total;
    others->is_estimate |= other->is_estimate;
    func->is_of_several = other->is_of_several = true;
    return;
  }
}

/** Join symbols with the functions of the source, or add them. */
static int add_symbols(struct func_list *list,
                       const struct graph_profile *program,
                       const struct inlined *inlined, struct file_table *files,
                       struct err *err) {
  const struct callgraph *const graph = &program->graph;
  const struct profile *const profile = graph->profile;
  for (uint32_t i = 0; i < graph->n_symbols; i++) {
    const struct symbol *const symbol = &profile->symtab->symbols[i];
    const struct cg_node *const node = &graph->nodes[i];
    const uint64_t n_calls = node->calls + node->self_calls;
    const struct total_time total =
        measured_total(&program->measured, graph, i);
    const char *const object = symbol->object ? symbol->object->name : NULL;
    uint32_t i_file = FUNC_NONE;
    if (symbol->file && file_table_add(files, NULL, symbol->file, &i_file, err))
      return -1;
    struct html_func *func = find_source(list, symbol, i_file);
    const bool is_of_source = func;
    if (!func && n_calls == 0 && node->ticks <= 0 && node->child_ticks <= 0)
      continue;
    if (!func) {
      func = &list->funcs[list->n_funcs++];
      *func = (struct html_func){.name = symbol->name,
                                 .i_line_func = FUNC_NONE,
                                 .object = object,
                                 .pos = {i_file, symbol->line},
                                 .n_calls = n_calls};
      if (set_text(func, err))
        return -1;
    }
    func->i_symbol = graph->used ? graph->used->whole[i] : i;
    func->object = object;
    if (func->i_symbol < inlined->n_symbols)
      func->n_inlined = inlined->n_calls[func->i_symbol];
    func->self = node->ticks;
    func->total = total.ticks;
    func->is_estimate = total.is_estimate;
    if (!is_of_source)
      leave_calls(list, func);
  }
  return 0;
}

static int compare_numbers(double a, double b) { return (a < b) - (a > b); }

static int compare_funcs(const void *left, const void *right,
                         const void *context) {
  const struct html_func *const a = left, *const b = right;
  (void)context;
  if (a->self != b->self)
    return compare_numbers(a->self, b->self);
  if (a->total != b->total)
    return compare_numbers(a->total, b->total);
  if (a->n_calls != b->n_calls)
    return (a->n_calls < b->n_calls) - (a->n_calls > b->n_calls);
  return strcmp(a->text, b->text);
}

static int sort_funcs(struct func_list *list, size_t n_symbols,
                      struct err *err) {
  if (merge_sort(list->funcs, list->n_funcs, sizeof(*list->funcs),
                 compare_funcs, NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < n_symbols; i++)
    list->of_symbol[i] = FUNC_NONE;
  for (uint32_t i = 0; i < list->n_funcs; i++) {
    const struct html_func *const func = &list->funcs[i];
    if (func->i_line_func != FUNC_NONE)
      list->of_line_func[func->i_line_func] = i;
    if (func->i_symbol != FUNC_NONE)
      list->of_symbol[func->i_symbol] = i;
  }
  return sort_names(list, err);
}

// --- Calls ---

uint32_t func_list_find(const struct func_list *list, const char *name,
                        uint32_t i_file) {
  uint32_t found = FUNC_NONE;
  if (!name[0])
    return FUNC_NONE;
  for (size_t i = find_name(list, name);
       i < list->n_names && strcmp(list->names[i].name, name) == 0; i++) {
    const uint32_t i_func = list->names[i].i_func;
    if (list->funcs[i_func].pos.i_file == i_file)
      return i_func;
    if (found == FUNC_NONE)
      found = i_func;
  }
  return found;
}

uint32_t func_list_of_flow(const struct func_list *list,
                           const struct flow_func *func) {
  const uint32_t found = find_line_func(list->counts, func);
  return found == FUNC_NONE ? FUNC_NONE : list->of_line_func[found];
}

/** Group calls by their callees. */
static void group_calls(struct func_list *list) {
  const struct line_counts *const counts = list->counts;
  uint32_t *const first = list->first_call;
  for (uint32_t i = 0; i < counts->n_calls; i++) {
    list->callees[i] = func_list_find(list, counts->calls[i].callee,
                                      counts->calls[i].pos.i_file);
    if (list->callees[i] != FUNC_NONE && counts->calls[i].count > 0)
      first[list->callees[i] + 1]++;
  }
  for (uint32_t i = 0; i < list->n_funcs; i++)
    first[i + 1] += first[i];
  // Each group is filled from its beginning, which moves to its end.
  for (uint32_t i = 0; i < counts->n_calls; i++)
    if (list->callees[i] != FUNC_NONE && counts->calls[i].count > 0)
      list->calls[first[list->callees[i]]++] = i;
  for (uint32_t i = list->n_funcs; i > 0; i--)
    first[i] = first[i - 1];
  first[0] = 0;
}

uint32_t func_list_around(const struct func_list *list, uint32_t i_call) {
  const uint32_t i_func = list->callers[i_call];
  return i_func == LINE_CALLER_NONE ? FUNC_NONE : list->of_line_func[i_func];
}

// --- Begin and end ---

int func_list_build(const struct graph_profile *program,
                    const struct inlined *inlined,
                    const struct line_counts *counts, struct flow_data *flow,
                    struct func_list *out, struct err *err) {
  const size_t n_symbols = program->profile.symtab->n_symbols;
  const size_t n_max = counts->n_funcs + program->graph.n_symbols;
  *out = (struct func_list){.counts = counts};
  if (n_max >= FUNC_NONE || counts->n_calls >= FUNC_NONE)
    return err_no_memory(err);
  out->funcs = calloc(n_max + 1, sizeof(*out->funcs));
  out->of_line_func = calloc(counts->n_funcs + 1, sizeof(*out->of_line_func));
  out->of_symbol = calloc(n_symbols + 1, sizeof(*out->of_symbol));
  out->names = calloc(n_max + flow->n_aliases + 1, sizeof(*out->names));
  out->aliases = calloc(flow->n_aliases + 1, sizeof(*out->aliases));
  out->callees = calloc(counts->n_calls + 1, sizeof(*out->callees));
  out->calls = calloc(counts->n_calls + 1, sizeof(*out->calls));
  out->first_call = calloc(n_max + 2, sizeof(*out->first_call));
  int rc = out->funcs && out->of_line_func && out->of_symbol && out->names &&
                   out->aliases && out->callees && out->calls && out->first_call
               ? 0
               : err_no_memory(err);
  if (rc == 0)
    add_aliases(out, flow);
  if (rc == 0 && (add_line_funcs(out, err) || sort_names(out, err) ||
                  add_symbols(out, program, inlined, &flow->files, err) ||
                  sort_funcs(out, n_symbols, err) ||
                  line_callers_find(counts, &out->callers, err)))
    rc = -1;
  if (rc == 0)
    group_calls(out);
  else
    func_list_release(out);
  return rc;
}

void func_list_release(struct func_list *list) {
  for (uint32_t i = 0; list->funcs && i < list->n_funcs; i++) {
    free(list->funcs[i].text);
    free(list->funcs[i].brief);
  }
  free(list->funcs);
  free(list->of_line_func);
  free(list->of_symbol);
  free(list->names);
  free(list->aliases);
  free(list->callees);
  free(list->callers);
  free(list->calls);
  free(list->first_call);
  *list = (struct func_list){0};
}
