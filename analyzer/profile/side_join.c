/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/side_join.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "model/model.h"
#include "profile/profile_join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

// --- Code outside ---

/** Choice of a resolver. */
struct side_choice {
  size_t i_object; // of the program
  uint64_t resolver_vaddr, to_vaddr;
};

static int compare_choices(const void *left, const void *right,
                           const void *context) {
  const struct side_choice *const a = left, *const b = right;
  (void)context;
  if (a->i_object != b->i_object)
    return a->i_object < b->i_object ? -1 : 1;
  return (a->resolver_vaddr > b->resolver_vaddr) -
         (a->resolver_vaddr < b->resolver_vaddr);
}

static int add_choice(void *context, size_t i_side,
                      const struct side_record *record, struct err *err) {
  struct side_join *const join = context;
  const size_t i_object =
      side_join_object(join, i_side, record->resolved.i_object);
  if (i_object == NONE)
    return 0;
  struct side_choice *const choices = array_grow(
      join->choices, join->n_choices, &join->max_choices, sizeof(*choices));
  if (!choices)
    return err_no_memory(err);
  join->choices = choices;
  choices[join->n_choices++] =
      (struct side_choice){.i_object = i_object,
                           .resolver_vaddr = record->resolved.resolver_vaddr,
                           .to_vaddr = record->resolved.to_vaddr};
  return 0;
}

/** Find the function that an object's indirect function resolved to. */
static bool find_choice(const struct side_join *join, size_t i_object,
                        const char *name, uint64_t *vaddr) {
  struct side_choice key = {.i_object = i_object};
  if (join->n_choices == 0 ||
      !functions_by_name_find_resolver(&join->names, i_object, name,
                                       &key.resolver_vaddr))
    return false;
  const size_t i = sorted_find(join->choices, join->n_choices, sizeof(key),
                               &key, compare_choices, NULL);
  if (i == join->n_choices)
    return false;
  *vaddr = join->choices[i].to_vaddr;
  return true;
}

/** Find the function of a name that is private to an object. */
static bool find_own(const struct side_join *join, size_t i_object,
                     const char *name, uint64_t *vaddr) {
  return functions_by_name_find_hidden(&join->names, i_object, name, vaddr) ||
         find_choice(join, i_object, name, vaddr);
}

static int is_inside(const void *context, size_t i_side, size_t i_entry,
                     const char *name) {
  const struct side_join *const join = context;
  const size_t i_caller = side_join_object(join, i_side, i_entry);
  uint64_t vaddr;
  // Calls by unknown callers are left out in any case; so are those of an
  // indirect function whose choice is unknown: the chosen one counts them.
  if (i_caller == NONE || find_own(join, i_caller, name, &vaddr) ||
      functions_by_name_find_resolver(&join->names, i_caller, name, &vaddr))
    return true;
  for (size_t i = 0; i < join->program->n_objects; i++)
    if (functions_by_name_find_offered(&join->names, i, name, &vaddr))
      return true;
  return false;
}

/** The runtime's names are all reserved; GNU gprof's report leaves mcount's
 * time out in any case. */
bool side_join_is_profiler(const struct symbol *symbol) {
  return strncmp(symbol->name, "__arcline_", 10) == 0;
}

static int add_profiler(struct side_join *join, struct err *err) {
  const struct symtab *const symtab = &join->program->symtab;
  size_t i = 0;
  join->i_profiler = outside_profiler(&join->outside);
  if (join->i_profiler != OUTSIDE_NONE)
    return 0;
  while (i < symtab->n_symbols && !side_join_is_profiler(&symtab->symbols[i]))
    i++;
  return i < symtab->n_symbols ? model_add_outside(join->program, "<profiler>",
                                                   NULL, &join->i_profiler, err)
                               : 0;
}

// --- Begin and end ---

/** Add symbols for functions that are not among the program's own. */
static int find_outside(struct side_join *join, struct err *err) {
  if (functions_by_name_init(&join->names, join->program, err) ||
      inputs_read_sides(join->inputs, SIDE_RESOLVED, add_choice, join, err))
    return -1;
  if (merge_sort(join->choices, join->n_choices, sizeof(*join->choices),
                 compare_choices, NULL))
    return err_no_memory(err);
  return outside_init(&join->outside, join->program, is_inside, join, err) ||
                 add_profiler(join, err)
             ? -1
             : 0;
}

int side_join_init(struct side_join *out, struct model *program,
                   struct err *err) {
  const struct inputs *const inputs = &program->inputs;
  *out = (struct side_join){
      .inputs = inputs, .program = program, .i_profiler = NONE};
  int rc = side_maps_init(program, &out->maps, err);
  if (rc == 0 && inputs->n_sides)
    rc = find_outside(out, err);
  if (rc)
    side_join_release(out);
  return rc;
}

size_t side_join_callee(const struct side_join *join, const char *name) {
  const struct model *const program = join->program;
  uint64_t vaddr;
  if (join->inputs->n_sides == 0)
    return NONE;
  for (size_t i = 0; i < program->n_objects; i++)
    if (find_own(join, i, name, &vaddr) ||
        functions_by_name_find_offered(&join->names, i, name, &vaddr))
      return symtab_find(&program->symtab,
                         vaddr + program->objects[i].place.base);
  return outside_named(&join->outside, name);
}

void side_join_release(struct side_join *join) {
  side_maps_release(&join->maps);
  functions_by_name_release(&join->names);
  free(join->choices);
  outside_release(&join->outside);
  *join = (struct side_join){0};
}

// --- Arcs ---

/** Context of side_join_apply(). */
struct work {
  const struct side_join *join;
  struct profile *profile;
  bool *has_time; // per side file: its samples are added
};

/** The symbol at an address of an object, or NONE. */
static size_t symbol_at(const struct side_join *join, size_t i_object,
                        uint64_t vaddr) {
  const struct model *const program = join->program;
  if (i_object == NONE)
    return NONE;
  const struct symtab_object *const place = &program->objects[i_object].place;
  if (vaddr < place->low || vaddr >= place->high)
    return NONE;
  return symtab_find(&program->symtab, vaddr + place->base);
}

static size_t function_at(const struct side_join *join,
                          const struct profile *profile, size_t i_object,
                          uint64_t vaddr) {
  const size_t i_symbol = symbol_at(join, i_object, vaddr);
  if (i_symbol == NONE)
    return NONE;
  const uint32_t i_function = profile_function_of(profile, i_symbol);
  return i_function == PROFILE_NONE ? NONE : i_function;
}

size_t side_join_inlined_at(const struct side_join *join, size_t i_side,
                            size_t i_entry, uint64_t address, uint32_t *symbols,
                            size_t max) {
  if (!join->find_inlined || !join->inputs->sides[i_side].entries[i_entry].file)
    return 0;
  const size_t i_object = side_join_object(join, i_side, i_entry);
  return i_object == NONE ? 0
                          : join->find_inlined(join->inlined_context, i_object,
                                               address, symbols, max);
}

size_t side_join_object(const struct side_join *join, size_t i_side,
                        size_t i_entry) {
  return side_maps_object(&join->maps, i_side, i_entry);
}

bool side_join_is_unknown(const struct side_join *join, size_t i_side,
                          size_t i_entry) {
  return strcmp(join->inputs->sides[i_side].entries[i_entry].path,
                "[unknown]") == 0;
}

uint32_t side_join_function(const struct side_join *join,
                            const struct profile *profile, size_t i_side,
                            size_t i_entry, uint64_t address) {
  const bool is_inside = join->inputs->sides[i_side].entries[i_entry].file;
  const size_t i_symbol =
      is_inside ? function_at(join, profile,
                              side_join_object(join, i_side, i_entry), address)
                : outside_at(&join->outside, i_side, i_entry, address);
  if (i_symbol == NONE)
    return PROFILE_NONE;
  return is_inside && side_join_is_profiler(&profile->symtab->symbols[i_symbol])
             ? (uint32_t)join->i_profiler
             : (uint32_t)i_symbol;
}

/** A callee gets no more calls than it counted: an address may have been that
 * of a function of another library before, which was unloaded. */
static int add_arc(void *context, size_t i_side,
                   const struct side_record *record, struct err *err) {
  struct work *const work = context;
  const size_t *const i_objects = work->join->maps.maps[i_side].i_objects;
  const size_t i_parent = symbol_at(work->join, i_objects[record->arc.i_caller],
                                    record->arc.from_vaddr);
  const size_t i_child =
      function_at(work->join, work->profile, i_objects[record->arc.i_callee],
                  record->arc.self_vaddr);
  if (i_parent == NONE || i_child == NONE)
    return 0;
  const struct symbol_counts *const child = &work->profile->counts[i_child];
  const uint64_t n =
      child->is_counted && record->arc.count > child->outside_calls
          ? child->outside_calls
          : record->arc.count;
  return n ? profile_add_cross_arc(work->profile, (uint32_t)i_parent,
                                   (uint32_t)i_child, n, err)
           : 0;
}

/** A call by name on its way to its callees. */
struct call {
  size_t i_parent;
  uint64_t n_left; // calls that have no callee yet
  size_t i_first;  // the first callee of the name; NONE: none so far
};

/** Give calls to a function of an object, as many as it has from outside. */
static int offer(struct work *work, struct call *call, size_t i_object,
                 uint64_t vaddr, struct err *err) {
  const size_t i_child =
      function_at(work->join, work->profile, i_object, vaddr);
  if (i_child == NONE)
    return 0;
  if (call->i_first == NONE)
    call->i_first = i_child;
  const uint64_t n_outside = work->profile->counts[i_child].outside_calls;
  const uint64_t n = call->n_left < n_outside ? call->n_left : n_outside;
  if (n == 0)
    return 0;
  call->n_left -= n;
  return profile_add_cross_arc(work->profile, (uint32_t)call->i_parent,
                               (uint32_t)i_child, n, err);
}

/** Assign calls to functions of the program, until none are left. */
static int offer_inside(struct work *work, struct call *call,
                        const struct side_map *map, size_t i_caller,
                        const char *name, struct err *err) {
  const struct side_join *const join = work->join;
  uint64_t vaddr;
  if (find_own(join, i_caller, name, &vaddr))
    return offer(work, call, i_caller, vaddr, err);
  for (size_t i = 0; i < join->program->n_objects && call->n_left; i++) {
    const size_t i_object = map->order[i];
    if (functions_by_name_find_offered(&join->names, i_object, name, &vaddr) &&
        offer(work, call, i_object, vaddr, err))
      return -1;
  }
  return 0;
}

/**
 * Calls by name: they go to a function of that name that is private to the
 * caller's object; otherwise callees are tried in the dynamic linker's search
 * order. None gets more calls than it counted: the rest goes to the next one of
 * that name, which is for objects that do not see the first one (RTLD_LOCAL). A
 * function that counted no calls at all, because it is not instrumented, gets
 * all that its callers counted; so does one outside of the program.
 */
static int add_call(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  struct work *const work = context;
  const struct side_map *const map = &work->join->maps.maps[i_side];
  const char *const name = record->name;
  const size_t i_entry = record->call.i_caller;
  const size_t i_caller = map->i_objects[i_entry];
  struct call call = {
      .i_parent = symbol_at(work->join, i_caller, record->call.from_vaddr),
      .n_left = record->call.count,
      .i_first = NONE,
  };
  if (call.i_parent == NONE)
    return 0;
  if (offer_inside(work, &call, map, i_caller, name, err))
    return -1;
  if (call.i_first == NONE)
    call.i_first = outside_callee(&work->join->outside, i_side, i_entry, name);
  if (call.n_left == 0 || call.i_first == NONE ||
      work->profile->counts[call.i_first].is_counted)
    return 0;
  return profile_add_cross_arc(work->profile, (uint32_t)call.i_parent,
                               (uint32_t)call.i_first, call.n_left, err);
}

// --- Time ---

double side_join_ticks_per_sample(const struct side_join *join,
                                  const struct profile *profile,
                                  size_t i_side) {
  return side_maps_ticks_per_sample(&join->maps, &profile->unit, i_side);
}

/** Are samples of a side file to be added to those of the profile? */
static bool has_time(const struct side_join *join, size_t i_side,
                     const struct profile *profile) {
  const struct side_file *const side = &join->inputs->sides[i_side];
  if (side_maps_is_of_other_unit(&join->maps, &profile->unit, i_side))
    warn("%s: samples count %s, those of the profiles %s; time outside of "
         "instrumented code is omitted",
         side->path, side->dimension, profile->unit.dimension);
  return side_join_ticks_per_sample(join, profile, i_side) > 0;
}

static double ticks_of(const struct work *work, size_t i_side,
                       uint64_t n_samples) {
  return (double)n_samples * (double)work->profile->unit.rate_hz /
         (double)work->join->inputs->sides[i_side].rate_hz;
}

static int add_time(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  const struct side_join *const join = work->join;
  const size_t i_entry = record->time.i_object;
  const size_t i_symbol =
      outside_at(&join->outside, i_side, i_entry, record->time.offset);
  (void)err;
  if (work->has_time[i_side] && i_symbol != NONE &&
      !side_maps_is_in_profile(&join->maps, i_side, i_entry))
    profile_add_ticks(work->profile, i_symbol,
                      ticks_of(work, i_side, record->time.n_samples));
  return 0;
}

/** The symbol that has the samples of a place: in line mode a line's. */
static size_t sampled_symbol(const struct work *work, size_t i_side,
                             size_t i_entry, uint64_t address) {
  const struct side_join *const join = work->join;
  const struct side_file *const side = &join->inputs->sides[i_side];
  if (side->entries[i_entry].file)
    return side->rate_hz > 0 &&
                   strcmp(side->dimension, work->profile->unit.dimension) == 0
               ? symbol_at(join, side_join_object(join, i_side, i_entry),
                           address)
               : NONE;
  return work->has_time[i_side] &&
                 !side_maps_is_in_profile(&join->maps, i_side, i_entry)
             ? outside_at(&join->outside, i_side, i_entry, address)
             : NONE;
}

/** Samples in a system call are the kernel's, which was called from there. */
static int add_kernel(void *context, size_t i_side,
                      const struct side_record *record, struct err *err) {
  const struct work *const work = context;
  const struct side_join *const join = work->join;
  const size_t i_kernel = outside_kernel(&join->outside);
  const size_t i_symbol =
      sampled_symbol(work, i_side, record->time.i_object, record->time.offset);
  if (i_kernel == NONE || i_symbol == NONE ||
      side_join_is_profiler(&work->profile->symtab->symbols[i_symbol]))
    return 0;
  const double ticks =
      profile_move_ticks(work->profile, i_symbol, i_kernel,
                         ticks_of(work, i_side, record->time.n_samples));
  return ticks > 0 ? profile_weigh_arc(work->profile, (uint32_t)i_symbol,
                                       (uint32_t)i_kernel, ticks, err)
                   : 0;
}

// --- Applying ---

static int prepare(struct work *work, const struct side_join *join,
                   struct profile *profile, struct err *err) {
  *work = (struct work){
      .join = join,
      .profile = profile,
      .has_time = calloc(join->inputs->n_sides + 1, sizeof(*work->has_time)),
  };
  if (!work->has_time)
    return err_no_memory(err);
  for (size_t i = 0; i < profile->symtab->n_symbols; i++)
    profile->counts[i].is_counted =
        profile->counts[i].calls || profile->counts[i].outside_calls;
  for (size_t i = 0; i < join->inputs->n_sides; i++)
    work->has_time[i] = has_time(join, i, profile);
  return 0;
}

int side_join_apply(const struct side_join *join, struct profile *profile,
                    struct err *err) {
  const struct inputs *const inputs = join->inputs;
  struct work work;
  if (inputs->n_sides == 0)
    return 0;
  int rc = prepare(&work, join, profile, err);
  // Arcs first: their calls are certain.
  if (rc == 0 &&
      (inputs_read_sides(inputs, SIDE_ARC, add_arc, &work, err) ||
       inputs_read_sides(inputs, SIDE_CALL, add_call, &work, err) ||
       inputs_read_sides(inputs, SIDE_TIME, add_time, &work, err) ||
       inputs_read_sides(inputs, SIDE_KERNEL, add_kernel, &work, err)))
    rc = -1;
  free(work.has_time);
  return rc;
}

void side_join_finish(const struct side_join *join, struct profile *profile) {
  const struct symtab *const symtab = profile->symtab;
  if (join->i_profiler == NONE || !join->inputs)
    return;
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    struct symbol_counts *const counts = &profile->counts[i];
    if (counts->ticks == 0 || !side_join_is_profiler(&symtab->symbols[i]))
      continue;
    profile->counts[join->i_profiler].ticks += counts->ticks;
    counts->ticks = 0;
  }
}
