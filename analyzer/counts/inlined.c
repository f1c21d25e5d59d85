/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/inlined.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sorted.h"
#include "debug/lines.h"
#include "measure/measure.h"
#include "profile/profile_join.h"

#include <stdlib.h>
#include <string.h>

// Functions that are inlined in one another are looked up no deeper.
enum { MAX_DEPTH = 64 };

#define NO_FUNC SIZE_MAX

/** A function that has run, or has time where it was inlined. */
struct inlined_name {
  size_t i_object;
  const char *name;
  struct flow_line pos; /* line 0: unknown */
  size_t i_func;        /* in the flow graphs; NO_FUNC: it has none */
  uint64_t vaddr;       /* of its own code; 0: none */
  uint64_t n_inlined;   /* calls that were inlined */
  uint32_t i_symbol;    /* once there are symbols; or PROFILE_NONE */
};

/** Time of a function inlined at a place. */
struct inlined_time {
  size_t i_object;
  uint64_t vaddr;
  const char *name;
  const char *caller; /* around it there; NULL: the code's own function */
  double ticks;
};

/** State of inlined_open(), besides the result. */
struct work {
  const struct flow_data *flow;
  struct graph_profile *program;
  struct inlined *out;
  size_t i_object;     // of the copies that are visited
  uint64_t *n_inlined; // by function of the graphs
  uint64_t *n_left;    // by symbol: entries of it that no arc has yet
  uint32_t *symbols;   // by function of the graphs; PROFILE_NONE: none
  struct err *err;
  bool has_failed;
};

static bool is_everywhere(const struct inlined_name *name) {
  return name->vaddr == 0;
}

// --- What was counted ---

/** Call visit for each copy of a function in code that has run. */
static void visit_copies(struct work *work,
                         void (*visit)(void *context,
                                       const struct solve_copy_counts *copy)) {
  const struct flow_data *const flow = work->flow;
  for (size_t i = 0; i < flow->n_images; i++) {
    work->i_object = i;
    if (flow->images[i].is_exact && flow->images[i].solver)
      solve_visit_copies(flow->images[i].solver, visit, work);
  }
}

static void count_copy(void *context, const struct solve_copy_counts *copy) {
  struct work *const work = context;
  const size_t first = work->flow->images[work->i_object].first_func;
  if (!copy->is_own)
    work->n_inlined[first + copy->i_func] += copy->n_entries;
}

// --- Names ---

static int add_name(struct inlined *inlined, const struct inlined_name *name,
                    struct err *err) {
  struct inlined_name *const names = array_grow(
      inlined->names, inlined->n_names, &inlined->max_names, sizeof(*names));
  if (!names)
    return err_no_memory(err);
  inlined->names = names;
  names[inlined->n_names++] = *name;
  return 0;
}

/** Name the functions of the graphs that have run. */
static int name_counted(struct work *work, struct err *err) {
  const struct flow_data *const flow = work->flow;
  work->n_inlined = calloc(flow->n_funcs + 1, sizeof(*work->n_inlined));
  if (!work->n_inlined)
    return err_no_memory(err);
  visit_copies(work, count_copy);
  for (size_t i = 0; i < flow->n_images; i++) {
    const struct flow_image *const image = &flow->images[i];
    for (size_t k = 0; k < image->n_funcs && image->solver; k++) {
      const size_t i_func = image->first_func + k;
      const struct flow_func *const func = &flow->funcs[i_func];
      const struct inlined_name name = {.i_object = i,
                                        .name = func->name,
                                        .pos = func->pos,
                                        .i_func = i_func,
                                        .vaddr =
                                            solve_func_vaddr(image->solver, k),
                                        .n_inlined = work->n_inlined[i_func],
                                        .i_symbol = PROFILE_NONE};
      if (func->n_entries && add_name(work->out, &name, err))
        return -1;
    }
  }
  return 0;
}

static int add_time(struct inlined *inlined, const struct inlined_time *time,
                    struct err *err) {
  struct inlined_time *const times = array_grow(
      inlined->times, inlined->n_times, &inlined->max_times, sizeof(*times));
  if (!times)
    return err_no_memory(err);
  inlined->times = times;
  times[inlined->n_times++] = *time;
  return 0;
}

/** The object that samples are in. */
struct spread {
  struct work *work;
  size_t i_object;
};

/** Find the part of samples that is in inlined code. */
static int spread_samples(void *context, uint64_t vaddr, double n_samples,
                          struct err *err) {
  const struct spread *const spread = context;
  struct work *const work = spread->work;
  const char *names[MAX_DEPTH];
  const size_t n =
      lines_find_inlined(work->program->model->objects[spread->i_object].lines,
                         vaddr, names, MAX_DEPTH);
  const struct inlined_time time = {.i_object = spread->i_object,
                                    .vaddr = vaddr,
                                    .name = names[0],
                                    .caller = n > 2 ? names[1] : NULL,
                                    .ticks = n_samples};
  return n > 1 && *names[0] ? add_time(work->out, &time, err) : 0;
}

static int find_times(struct work *work, struct err *err) {
  struct model *const model = work->program->model;
  for (size_t i = 0; i < model->n_objects; i++) {
    struct model_object *const object = &model->objects[i];
    const struct measure *const measure = &object->measure;
    if (model_open_lines(model, object, err))
      return -1;
    struct spread spread = {work, i};
    for (size_t j = 0; j < measure->n_histograms; j++)
      if (bins_spread(&measure->histograms[j], spread_samples, &spread, err))
        return -1;
  }
  return 0;
}

/** By object and name. */
static int compare_keys(const void *left, const void *right,
                        const void *context) {
  const struct inlined_name *const a = left, *const b = right;
  (void)context;
  if (a->i_object != b->i_object)
    return a->i_object < b->i_object ? -1 : 1;
  return strcmp(a->name, b->name);
}

/** By object and name; then those that were inlined come first, by place. */
static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct inlined_name *const a = left, *const b = right;
  const int rc = compare_keys(left, right, context);
  if (rc)
    return rc;
  if (!a->n_inlined != !b->n_inlined)
    return a->n_inlined ? -1 : 1;
  if (is_everywhere(a) != is_everywhere(b))
    return is_everywhere(a) ? -1 : 1;
  if (a->pos.i_file != b->pos.i_file)
    return a->pos.i_file < b->pos.i_file ? -1 : 1;
  return a->pos.line < b->pos.line ? -1 : a->pos.line > b->pos.line;
}

static int sort_names(struct inlined *inlined, struct err *err) {
  return merge_sort(inlined->names, inlined->n_names, sizeof(*inlined->names),
                    compare_names, NULL)
             ? err_no_memory(err)
             : 0;
}

/** The first of the functions with a name; NULL: none. */
static struct inlined_name *find_name(const struct inlined *inlined,
                                      size_t i_object, const char *name) {
  const struct inlined_name key = {.i_object = i_object, .name = name};
  const size_t i = sorted_find(inlined->names, inlined->n_names, sizeof(key),
                               &key, compare_keys, NULL);
  return i < inlined->n_names ? &inlined->names[i] : NULL;
}

static int compare_times(const void *left, const void *right,
                         const void *context) {
  const struct inlined_time *const a = left, *const b = right;
  (void)context;
  return a->i_object != b->i_object ? (a->i_object < b->i_object ? -1 : 1)
                                    : strcmp(a->name, b->name);
}

/** Name the functions that have time where they were inlined, but no graph. */
static int name_timed(struct work *work, struct err *err) {
  struct inlined *const out = work->out;
  const size_t n_counted = out->n_names;
  if (merge_sort(out->times, out->n_times, sizeof(*out->times), compare_times,
                 NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < out->n_times; i++) {
    const struct inlined_time *const time = &out->times[i];
    const bool is_again = i > 0 && compare_times(time - 1, time, NULL) == 0;
    const struct inlined counted = {.names = out->names, .n_names = n_counted};
    if (is_again || find_name(&counted, time->i_object, time->name))
      continue;
    const struct inlined_name name = {.i_object = time->i_object,
                                      .name = time->name,
                                      .i_func = NO_FUNC,
                                      .i_symbol = PROFILE_NONE};
    if (add_name(out, &name, err))
      return -1;
  }
  return out->n_names > n_counted ? sort_names(out, err) : 0;
}

// --- Symbols ---

static uint32_t symbol_at(const struct model *model, size_t i_object,
                          uint64_t vaddr) {
  const uint64_t base =
      model->is_joined ? model->objects[i_object].place.base : 0;
  const size_t i_symbol = symtab_find(&model->symtab, vaddr + base);
  return i_symbol == SYMTAB_NONE ? PROFILE_NONE : (uint32_t)i_symbol;
}

/** Is it the same function as another one, from another unit? */
static bool is_same(const struct inlined_name *a,
                    const struct inlined_name *b) {
  return is_everywhere(a) && is_everywhere(b) && a->i_object == b->i_object &&
         strcmp(a->name, b->name) == 0 && a->pos.i_file == b->pos.i_file &&
         a->pos.line == b->pos.line;
}

/** Give a function that has no graph the symbol of its name, if there is one.
 */
static uint32_t symbol_named(const struct model *model,
                             const struct inlined_name *name) {
  const struct symtab *const own = &model->objects[name->i_object].own;
  for (size_t i = 0; i < own->n_symbols; i++)
    if (strcmp(own->symbols[i].name, name->name) == 0)
      return symbol_at(model, name->i_object, own->symbols[i].vaddr);
  return PROFILE_NONE;
}

static int add_symbols(struct work *work, struct err *err) {
  struct model *const model = work->program->model;
  struct inlined *const out = work->out;
  out->first_made = model->symtab.n_symbols;
  for (size_t i = 0; i < out->n_names; i++) {
    struct inlined_name *const name = &out->names[i];
    size_t i_symbol;
    if (!is_everywhere(name)) {
      name->i_symbol = symbol_at(model, name->i_object, name->vaddr);
      continue;
    }
    if (i > 0 && is_same(name - 1, name)) {
      name->i_symbol = name[-1].i_symbol;
      continue;
    }
    if (name->i_func == NO_FUNC) {
      if (model_load_own_symbols(&model->objects[name->i_object], err))
        return -1;
      name->i_symbol = symbol_named(model, name);
      if (name->i_symbol != PROFILE_NONE)
        continue;
    }
    const char *const file =
        name->pos.line ? work->flow->files.names[name->pos.i_file] : NULL;
    if (model_add_inlined(model, name->i_object, name->name, file,
                          name->pos.line, &i_symbol, err))
      return -1;
    name->i_symbol = (uint32_t)i_symbol;
  }
  return 0;
}

/** Note which symbol each function of the graphs has. */
static int index_symbols(struct work *work, struct err *err) {
  struct inlined *const out = work->out;
  const size_t n_funcs = work->flow->n_funcs;
  out->n_symbols = work->program->model->symtab.n_symbols;
  out->n_calls = calloc(out->n_symbols + 1, sizeof(*out->n_calls));
  work->n_left = calloc(out->n_symbols + 1, sizeof(*work->n_left));
  work->symbols = reallocarray(NULL, n_funcs + 1, sizeof(*work->symbols));
  if (!out->n_calls || !work->n_left || !work->symbols)
    return err_no_memory(err);
  for (size_t i = 0; i < n_funcs; i++)
    work->symbols[i] = PROFILE_NONE;
  for (size_t i = 0; i < out->n_names; i++) {
    const struct inlined_name *const name = &out->names[i];
    if (name->i_symbol == PROFILE_NONE || name->i_func == NO_FUNC)
      continue;
    work->symbols[name->i_func] = name->i_symbol;
    out->n_calls[name->i_symbol] += name->n_inlined;
    if (is_everywhere(name))
      work->n_left[name->i_symbol] += work->flow->funcs[name->i_func].n_entries;
  }
  return 0;
}

// --- Calls and time ---

/** The function that a call names: of several, one of the same file, otherwise
 * the first. */
static const struct inlined_name *find_callee(const struct work *work,
                                              const struct flow_func *caller,
                                              size_t i_object,
                                              const char *callee) {
  const struct inlined *const inlined = work->out;
  const struct inlined_name *const first = find_name(inlined, i_object, callee);
  const struct inlined_name *const end = inlined->names + inlined->n_names;
  for (const struct inlined_name *at = first;
       at && at < end && at->i_object == i_object &&
       strcmp(at->name, callee) == 0;
       at++)
    if (at->pos.i_file == caller->pos.i_file)
      return at;
  return first;
}

/** Add the calls of functions that were inlined everywhere. */
static int add_calls_of(struct work *work, size_t i_object,
                        const struct flow_func *func, uint32_t i_caller,
                        struct err *err) {
  const struct flow_data *const flow = work->flow;
  for (uint32_t i = 0; i < func->n_calls; i++) {
    const struct flow_call *const call = &flow->calls[func->first_call + i];
    if (call->count == 0 || *call->callee == '\0')
      continue;
    const struct inlined_name *const callee =
        find_callee(work, func, i_object, call->callee);
    if (!callee || !is_everywhere(callee) || callee->i_symbol == PROFILE_NONE)
      continue;
    // No more than there are, should two functions of a name be confused.
    uint64_t *const n_left = &work->n_left[callee->i_symbol];
    const uint64_t n = call->count < *n_left ? call->count : *n_left;
    *n_left -= n;
    if (n && profile_add_cross_arc(&work->program->profile, i_caller,
                                   callee->i_symbol, n, err))
      return -1;
  }
  return 0;
}

static int add_calls(struct work *work, struct err *err) {
  const struct inlined *const out = work->out;
  struct symbol_counts *const counts = work->program->profile.counts;
  for (size_t i = 0; i < work->flow->n_images; i++) {
    const struct flow_image *const image = &work->flow->images[i];
    for (size_t k = 0; k < image->n_funcs && image->is_exact; k++) {
      const size_t i_func = image->first_func + k;
      if (work->symbols[i_func] != PROFILE_NONE &&
          add_calls_of(work, i, &work->flow->funcs[i_func],
                       work->symbols[i_func], err))
        return -1;
    }
  }
  for (size_t i = 0; i < out->n_symbols; i++) {
    counts[i].outside_calls += work->n_left[i];
    counts[i].is_counted |= out->n_calls[i] > 0;
  }
  return 0;
}

/** Have calls that an inlined copy made be those of its function. Profiles have
 * them at the function around it, if it has no code of its own. */
static void move_calls(void *context, const struct solve_copy_counts *copy) {
  struct work *const work = context;
  const struct flow_data *const flow = work->flow;
  const size_t i_object = work->i_object;
  const size_t i_func = flow->images[i_object].first_func + copy->i_func;
  const struct flow_func *const func = &flow->funcs[i_func];
  const uint32_t i_symbol = work->symbols[i_func];
  if (copy->is_own || work->has_failed || i_symbol == PROFILE_NONE ||
      solve_func_vaddr(flow->images[i_object].solver, copy->i_func))
    return;
  const uint32_t i_host =
      symbol_at(work->program->model, i_object, copy->body_vaddr);
  for (uint32_t i = 0; i < func->n_calls && i_host != PROFILE_NONE; i++) {
    const struct flow_call *const call = &flow->calls[func->first_call + i];
    const uint64_t n = copy->counts[call->node];
    if (n == 0 || *call->callee == '\0')
      continue;
    const struct inlined_name *const callee =
        find_callee(work, func, i_object, call->callee);
    if (callee && is_everywhere(callee))
      continue;
    const size_t i_callee =
        callee ? callee->i_symbol
               : side_join_callee(&work->program->sides, call->callee);
    if (i_callee < work->out->n_symbols &&
        profile_move_calls(&work->program->profile, i_host, i_symbol,
                           (uint32_t)i_callee, n, work->err))
      work->has_failed = true;
  }
}

static int move_time(struct work *work, const struct inlined_time *time,
                     struct err *err) {
  const struct inlined *const out = work->out;
  struct profile *const profile = &work->program->profile;
  const struct inlined_name *const name =
      find_name(out, time->i_object, time->name);
  const struct inlined_name *const around =
      time->caller ? find_name(out, time->i_object, time->caller) : NULL;
  const uint32_t i_host =
      symbol_at(work->program->model, time->i_object, time->vaddr);
  if (!name || name->i_symbol == PROFILE_NONE || i_host == PROFILE_NONE ||
      name->i_symbol == i_host)
    return 0;
  profile_move_ticks(profile, i_host, name->i_symbol, time->ticks);
  // No counter has its calls: the functions around it have the time.
  const uint32_t i_caller =
      around && around->i_symbol != PROFILE_NONE ? around->i_symbol : i_host;
  return name->i_func == NO_FUNC
             ? profile_weigh_arc(profile, i_caller, name->i_symbol, time->ticks,
                                 err)
             : 0;
}

static int move_times(struct work *work, struct err *err) {
  for (size_t i = 0; i < work->out->n_times; i++)
    if (move_time(work, &work->out->times[i], err))
      return -1;
  return 0;
}

static int apply(struct work *work, struct err *err) {
  work->err = err;
  if (add_calls(work, err))
    return -1;
  visit_copies(work, move_calls);
  return work->has_failed || move_times(work, err) ? -1 : 0;
}

// --- Call stacks ---

static size_t find_in_stack(void *context, size_t i_object, uint64_t vaddr,
                            uint32_t *symbols, size_t max) {
  const struct inlined *const inlined = context;
  const char *names[MAX_DEPTH];
  size_t n_symbols = 0;
  const size_t n = lines_find_inlined(inlined->model->objects[i_object].lines,
                                      vaddr, names, MAX_DEPTH);
  for (size_t i = 0; i + 1 < n && n_symbols < max; i++) {
    const struct inlined_name *const name =
        find_name(inlined, i_object, names[i]);
    if (name && name->i_symbol != PROFILE_NONE)
      symbols[n_symbols++] = name->i_symbol;
  }
  return n_symbols;
}

// --- All together ---

static int open_program(struct model *model,
                        const struct model_symbols *symbols, struct work *work,
                        struct err *err) {
  struct graph_profile *const program = work->program;
  program->model = model;
  if (name_counted(work, err) || sort_names(work->out, err) ||
      find_times(work, err) || name_timed(work, err) ||
      graph_profile_load(program, model, symbols, err) ||
      add_symbols(work, err) || index_symbols(work, err) ||
      symspec_resolve(&model->symtab, NULL, 0, &program->filters, err) ||
      graph_profile_add(program, PROFILE_OUTSIDE, err) || apply(work, err))
    return -1;
  work->out->model = model;
  program->sides.find_inlined = find_in_stack;
  program->sides.inlined_context = work->out;
  if (graph_profile_measure(program, err))
    return -1;
  graph_profile_finish(program);
  return graph_profile_build(program, 0, err);
}

int inlined_open(struct model *model, const struct flow_data *flow,
                 const struct model_symbols *symbols,
                 struct graph_profile *program, struct inlined *out,
                 struct err *err) {
  struct work work = {.flow = flow, .program = program, .out = out};
  *program = (struct graph_profile){0};
  *out = (struct inlined){0};
  const int rc = open_program(model, symbols, &work, err);
  free(work.n_inlined);
  free(work.n_left);
  free(work.symbols);
  if (rc) {
    graph_profile_release(program);
    inlined_release(out);
  }
  return rc;
}

enum inlined_kind inlined_kind_of(const struct inlined *inlined,
                                  const struct callgraph *graph,
                                  size_t i_symbol) {
  const struct cg_node *const node = &graph->nodes[i_symbol];
  const size_t i = graph->used ? graph->used->whole[i_symbol] : i_symbol;
  if (i >= inlined->n_symbols)
    return INLINED_NOWHERE;
  if (i >= inlined->first_made)
    return INLINED_ALWAYS;
  return inlined->n_calls[i] == 0 ? INLINED_NOWHERE
         : inlined->n_calls[i] < node->calls + node->self_calls
             ? INLINED_PARTLY
             : INLINED_ALWAYS;
}

void inlined_release(struct inlined *inlined) {
  free(inlined->n_calls);
  free(inlined->names);
  free(inlined->times);
  *inlined = (struct inlined){0};
}
