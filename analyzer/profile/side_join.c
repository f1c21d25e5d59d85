/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/side_join.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "model/model.h"
#include "profile/callee_names.h"
#include "profile/profile_join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/** What the objects of a side file are here; indices by number of object. */
struct side_map {
  size_t *i_objects; // in the program; NONE: not in it
  size_t *i_symbols; // that stand for the object's time; NONE: took none
  size_t *order;     // the program's objects, as the file lists them
  size_t n_listed;   // of them; behind are those that it does not list
};

// --- Which object is which ---

static const char *last_part(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/** The image at an object's own path is another one than was run. */
static int check_path(const struct side_join *join, const char *side_path,
                      const struct side_entry *entry, struct err *err) {
  for (size_t i = 0; i < join->program->n_objects; i++)
    if (strcmp(join->program->objects[i].image.path, entry->path) == 0)
      return err_set(err, ERR_INPUT,
                     "%s: %s has another build-id than when it was run; give "
                     "the image that was run, or --force",
                     side_path, entry->path);
  return 0;
}

static bool is_in_order(const struct side_map *map, size_t i_object) {
  for (size_t i = 0; i < map->n_listed; i++)
    if (map->order[i] == i_object)
      return true;
  return false;
}

// --- Time ---

/** An object that took time outside of instrumented code. */
struct outsider {
  char *name; // of the symbol
  size_t i_side, i_entry;
};

static int compare_outsiders(const void *left, const void *right,
                             const void *context) {
  (void)context;
  return strcmp(((const struct outsider *)left)->name,
                ((const struct outsider *)right)->name);
}

/** What an object is called as a function: <libc.so.6>, <[vdso]>, <kernel>.
 * NULL: no memory. */
static char *name_outsider(const char *path) {
  char *name;
  const char *const part =
      strcmp(path, "[kernel]") == 0 ? "kernel" : last_part(path);
  return asprintf(&name, "<%s>", part) < 0 ? NULL : name;
}

/** Add a symbol for each name. */
static int add_symbols(struct side_join *join, struct outsider *outsiders,
                       size_t n_outsiders, struct err *err) {
  if (merge_sort(outsiders, n_outsiders, sizeof *outsiders, compare_outsiders,
                 NULL))
    return err_no_memory(err);
  size_t i_symbol = NONE;
  for (size_t i = 0; i < n_outsiders; i++) {
    const struct outsider *const outsider = &outsiders[i];
    if ((i == 0 || strcmp(outsider->name, outsiders[i - 1].name) != 0) &&
        model_add_outside(join->program, outsider->name, &i_symbol, err))
      return -1;
    join->maps[outsider->i_side].i_symbols[outsider->i_entry] = i_symbol;
  }
  return 0;
}

static int add_outsiders(struct side_join *join, struct err *err) {
  const struct inputs *const inputs = join->inputs;
  size_t n_entries = 0;
  for (size_t i = 0; i < inputs->n_sides; i++)
    n_entries += inputs->sides[i].n_entries;
  struct outsider *const outsiders = calloc(n_entries + 1, sizeof *outsiders);
  if (!outsiders)
    return err_no_memory(err);
  size_t n_outsiders = 0;
  int rc = 0;
  for (size_t i = 0; i < inputs->n_sides; i++)
    for (size_t j = 0; rc == 0 && j < inputs->sides[i].n_entries; j++) {
      const struct side_entry *const entry = &inputs->sides[i].entries[j];
      if (entry->n_samples == 0)
        continue;
      char *const name = name_outsider(entry->path);
      if (name)
        outsiders[n_outsiders++] = (struct outsider){name, i, j};
      else
        rc = err_no_memory(err);
    }
  if (rc == 0)
    rc = add_symbols(join, outsiders, n_outsiders, err);
  for (size_t i = 0; i < n_outsiders; i++)
    free(outsiders[i].name);
  free(outsiders);
  return rc;
}

// --- Begin and end ---

static int map_side(struct side_join *join, size_t i_side, struct err *err) {
  const struct side_file *const side = &join->inputs->sides[i_side];
  struct side_map *const map = &join->maps[i_side];
  map->i_objects = calloc(side->n_entries + 1, sizeof *map->i_objects);
  map->i_symbols = calloc(side->n_entries + 1, sizeof *map->i_symbols);
  map->order = calloc(join->program->n_objects + 1, sizeof *map->order);
  if (!map->i_objects || !map->i_symbols || !map->order)
    return err_no_memory(err);
  for (size_t i = 0; i < side->n_entries; i++) {
    const struct side_entry *const entry = &side->entries[i];
    const size_t i_object = model_find_object(join->program, entry);
    map->i_objects[i] = i_object;
    map->i_symbols[i] = NONE;
    if (i_object == NONE) {
      if (entry->file && check_path(join, side->path, entry, err))
        return -1;
    } else if (!is_in_order(map, i_object)) {
      map->order[map->n_listed++] = i_object;
    }
  }
  size_t n_order = map->n_listed;
  for (size_t i = 0; i < join->program->n_objects; i++)
    if (!is_in_order(map, i))
      map->order[n_order++] = i;
  return 0;
}

int side_join_init(struct side_join *out, struct model *program,
                   struct err *err) {
  const struct inputs *const inputs = &program->inputs;
  *out = (struct side_join){
      .inputs = inputs,
      .program = program,
      .maps = calloc(inputs->n_sides + 1, sizeof *out->maps),
  };
  int rc = out->maps ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < inputs->n_sides; i++)
    rc = map_side(out, i, err);
  if (rc == 0)
    rc = add_outsiders(out, err);
  if (rc)
    side_join_release(out);
  return rc;
}

void side_join_release(struct side_join *join) {
  for (size_t i = 0; join->maps && i < join->inputs->n_sides; i++) {
    free(join->maps[i].i_objects);
    free(join->maps[i].i_symbols);
    free(join->maps[i].order);
  }
  free(join->maps);
  *join = (struct side_join){0};
}

// --- Arcs ---

/** What applying needs. */
struct work {
  const struct side_join *join;
  const struct side_map *map; // of the file being read
  struct profile *profile;
  struct callee_names names;
  bool *is_counted; // per symbol: gmon files tell calls of it
};

/** The symbol at an address of an object, or NONE. */
static size_t symbol_at(const struct work *work, size_t i_object,
                        uint64_t vaddr) {
  const struct model *const program = work->join->program;
  if (i_object == NONE)
    return NONE;
  const struct symtab_object *const place = &program->objects[i_object].place;
  if (vaddr < place->low || vaddr >= place->high)
    return NONE;
  return symtab_find(&program->symtab, vaddr + place->base);
}

static size_t function_at(const struct work *work, size_t i_object,
                          uint64_t vaddr) {
  const size_t i_symbol = symbol_at(work, i_object, vaddr);
  if (i_symbol == NONE)
    return NONE;
  const uint32_t i_function = profile_function_of(work->profile, i_symbol);
  return i_function == PROFILE_NONE ? NONE : i_function;
}

static int add_arc(struct work *work, const struct side_record *record,
                   struct err *err) {
  const size_t *const i_objects = work->map->i_objects;
  const size_t i_parent =
      symbol_at(work, i_objects[record->arc.i_caller], record->arc.from_vaddr);
  const size_t i_child = function_at(work, i_objects[record->arc.i_callee],
                                     record->arc.self_vaddr);
  if (i_parent == NONE || i_child == NONE)
    return 0;
  return profile_add_cross_arc(work->profile, (uint32_t)i_parent,
                               (uint32_t)i_child, record->arc.count, err);
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
  const size_t i_child = function_at(work, i_object, vaddr);
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

/**
 * Calls by name: of the caller's own function if it keeps one of that name to
 * itself; else callees are tried in the order in which the dynamic linker looks
 * for names. None is given more calls than it counted: what is left goes to the
 * next one, which has the name for those who do not see the first one
 * (RTLD_LOCAL). Only one that counted no calls at all, because it is not
 * instrumented, is believed to have been called as often as its callers say.
 */
static int add_call(struct work *work, const struct side_record *record,
                    struct err *err) {
  const char *const name = record->call.name;
  const size_t i_caller = work->map->i_objects[record->call.i_caller];
  struct call call = {
      .i_parent = symbol_at(work, i_caller, record->call.from_vaddr),
      .n_left = record->call.count,
      .i_first = NONE,
  };
  uint64_t vaddr;
  if (call.i_parent == NONE)
    return 0;
  if (callee_names_find_hidden(&work->names, i_caller, name, &vaddr)) {
    if (offer(work, &call, i_caller, vaddr, err))
      return -1;
  } else {
    for (size_t i = 0; i < work->join->program->n_objects && call.n_left; i++) {
      const size_t i_object = work->map->order[i];
      if (callee_names_find_offered(&work->names, i_object, name, &vaddr) &&
          offer(work, &call, i_object, vaddr, err))
        return -1;
    }
  }
  if (call.n_left == 0 || call.i_first == NONE ||
      work->is_counted[call.i_first])
    return 0;
  return profile_add_cross_arc(work->profile, (uint32_t)call.i_parent,
                               (uint32_t)call.i_first, call.n_left, err);
}

// --- Applying ---

/** Take arcs, or calls, from all side files. */
static int read_arcs(struct work *work, enum side_kind kind, struct err *err) {
  const struct inputs *const inputs = work->join->inputs;
  for (size_t i = 0; i < inputs->n_sides; i++) {
    struct side_reader reader;
    struct side_record record;
    work->map = &work->join->maps[i];
    int rc = side_reader_init(&reader, &inputs->sides[i].bytes, err);
    while (rc == 0) {
      const int more = side_reader_next(&reader, &record, err);
      if (more <= 0) {
        rc = more;
        break;
      }
      if (record.kind == kind)
        rc = kind == SIDE_ARC ? add_arc(work, &record, err)
                              : add_call(work, &record, err);
    }
    side_reader_release(&reader);
    if (rc)
      return -1;
  }
  return 0;
}

/** Did an earlier side file tell the time of the same process? Each runtime in
 * it writes one, with objects of its own. */
static bool is_of_earlier_process(const struct side_join *join, size_t i_side) {
  const struct side_file *const sides = join->inputs->sides;
  const struct side_map *const map = &join->maps[i_side];
  for (size_t i = 0; i < i_side; i++) {
    bool has_common = sides[i].pid != sides[i_side].pid;
    for (size_t j = 0; j < map->n_listed && !has_common; j++)
      has_common = is_in_order(&join->maps[i], map->order[j]);
    if (!has_common)
      return true;
  }
  return false;
}

/** Are the samples of an entry told elsewhere? So they are if the object has a
 * runtime of its own, which took samples as well. */
static bool is_told_elsewhere(const struct side_join *join, size_t i_side,
                              size_t i_entry) {
  const size_t i_object = join->maps[i_side].i_objects[i_entry];
  return !join->inputs->sides[i_side].entries[i_entry].file &&
         i_object != NONE &&
         measure_has_samples(&join->program->objects[i_object].measure);
}

static void add_time(const struct side_join *join, size_t i_side,
                     struct profile *profile) {
  const struct side_file *const side = &join->inputs->sides[i_side];
  if (side->rate_hz == 0 || !profile->unit.is_known ||
      is_of_earlier_process(join, i_side))
    return;
  if (strcmp(side->dimension, profile->unit.dimension) != 0) {
    warn("%s: its clock counts %s, and the profiles %s; time outside of them "
         "is left out",
         side->path, side->dimension, profile->unit.dimension);
    return;
  }
  const double scale = (double)profile->unit.rate_hz / (double)side->rate_hz;
  for (size_t i = 0; i < side->n_entries; i++)
    if (join->maps[i_side].i_symbols[i] != NONE &&
        !is_told_elsewhere(join, i_side, i))
      profile_add_ticks(profile, join->maps[i_side].i_symbols[i],
                        (double)side->entries[i].n_samples * scale);
}

int side_join_apply(const struct side_join *join, struct profile *profile,
                    struct err *err) {
  const size_t n_symbols = profile->symtab->n_symbols;
  if (join->inputs->n_sides == 0)
    return 0;
  struct work work = {
      .join = join,
      .profile = profile,
      .is_counted = calloc(n_symbols + 1, sizeof *work.is_counted),
  };
  if (!work.is_counted)
    return err_no_memory(err);
  for (size_t i = 0; i < n_symbols; i++)
    work.is_counted[i] =
        profile->counts[i].calls || profile->counts[i].outside_calls;
  // Arcs first: what they take is certain.
  int rc = callee_names_init(&work.names, join->program, err);
  if (rc == 0)
    rc = read_arcs(&work, SIDE_ARC, err) || read_arcs(&work, SIDE_CALL, err)
             ? -1
             : 0;
  for (size_t i = 0; rc == 0 && i < join->inputs->n_sides; i++)
    add_time(join, i, profile);
  callee_names_release(&work.names);
  free(work.is_counted);
  return rc;
}
