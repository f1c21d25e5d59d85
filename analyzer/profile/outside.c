/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/outside.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "gmon/side_read.h"
#include "image/code_names.h"
#include "image/symtab.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/** An object that is not instrumented, in whichever side files. */
struct outside_object {
  const struct side_entry *entry; // the first record of it
  struct code_names *names;       // NULL: the object is one function
  struct map64 functions;         // by address: index of function
  struct symtab_object *place;    // of its symbols
};

struct outside_function {
  char *text;      // as reports call it
  size_t i_object; // NONE: by name only
  size_t i_symbol;
};

/** Calls by name from an object, however many. */
struct outside_call {
  size_t i_side, i_entry; // of the caller
  char *name;
  size_t i_function;
};

// --- Objects ---

static const char *last_part(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_same(const struct side_entry *a, const struct side_entry *b) {
  return strcmp(a->path, b->path) == 0 && a->n_build_id == b->n_build_id &&
         memcmp(a->build_id, b->build_id, sizeof(a->build_id)) == 0;
}

/** Open an object to name its code. Not without a build-id: the file may be
 * another one by now. */
static int open_names(struct outside_object *object, struct err *err) {
  const struct side_entry *const entry = object->entry;
  if (entry->path[0] != '/' || entry->n_build_id == 0 ||
      code_names_open(entry->path, entry->build_id, entry->n_build_id,
                      &object->names, err) == 0)
    return 0;
  if (err->code == ERR_SYSTEM)
    return -1;
  warn("%s; its functions are reported as one, <%s>", err->text,
       last_part(entry->path));
  *err = (struct err){0};
  return 0;
}

static int add_object(struct outside *outside, const struct side_entry *entry,
                      size_t *i_object, struct err *err) {
  for (*i_object = 0; *i_object < outside->n_objects; ++*i_object)
    if (is_same(outside->objects[*i_object].entry, entry))
      return 0;
  struct outside_object *const objects =
      array_grow(outside->objects, outside->n_objects, &outside->max_objects,
                 sizeof(*objects));
  if (!objects)
    return err_no_memory(err);
  outside->objects = objects;
  struct outside_object *const object = &objects[outside->n_objects];
  *object = (struct outside_object){.entry = entry,
                                    .place = calloc(1, sizeof(*object->place))};
  if (!object->place)
    return err_no_memory(err);
  *object->place = (struct symtab_object){.name = last_part(entry->path),
                                          .i_object = MODEL_OUTSIDE};
  outside->n_objects++;
  return open_names(object, err);
}

static int add_objects(struct outside *outside, const struct inputs *inputs,
                       struct err *err) {
  for (size_t i = 0; i < inputs->n_sides; i++) {
    const struct side_file *const side = &inputs->sides[i];
    outside->i_objects[i] =
        calloc(side->n_entries + 1, sizeof(**outside->i_objects));
    if (!outside->i_objects[i])
      return err_no_memory(err);
    for (size_t j = 0; j < side->n_entries; j++) {
      outside->i_objects[i][j] = NONE;
      const struct side_entry *const entry = &side->entries[j];
      if ((entry->n_samples || (entry->has_frames && !entry->file)) &&
          add_object(outside, &side->entries[j], &outside->i_objects[i][j],
                     err))
        return -1;
    }
  }
  return 0;
}

// --- Functions ---

static const char profiler_path[] = "[profiler]", waiting_path[] = "[waiting]";

/** Name of an object as a function: <libc.so.6>, <[vdso]>, <kernel>. NULL: no
 * memory. */
static char *name_object(const char *path) {
  char *name;
  const char *const part = strcmp(path, "[kernel]") == 0      ? "kernel"
                           : strcmp(path, profiler_path) == 0 ? "profiler"
                           : strcmp(path, waiting_path) == 0  ? "waiting"
                                                              : last_part(path);
  return asprintf(&name, "<%s>", part) < 0 ? NULL : name;
}

/** Find the function at an offset in an object's file. Returns false if there
 * is none: the object as a whole is the function then. */
static bool find_function(const struct outside_object *object, uint64_t offset,
                          struct code_function *out) {
  uint64_t vaddr;
  return object->names && code_names_vaddr(object->names, offset, &vaddr) &&
         code_names_at(object->names, vaddr, out);
}

/** Key of a function in its object: its address. 0, for the object as a whole,
 * is never one, as the file's header is there. */
static uint64_t key_of(bool is_found, const struct code_function *function) {
  return is_found ? function->low : 0;
}

/** Append a function. text: owned from now on, freed on failure. */
static int append(struct outside *outside, size_t i_object, char *text,
                  size_t *i_function, struct err *err) {
  struct outside_function *const functions =
      array_grow(outside->functions, outside->n_functions,
                 &outside->max_functions, sizeof(*functions));
  if (!functions || outside->n_functions >= UINT32_MAX) {
    free(text);
    return err_no_memory(err);
  }
  outside->functions = functions;
  functions[outside->n_functions] = (struct outside_function){
      .text = text, .i_object = i_object, .i_symbol = NONE};
  *i_function = outside->n_functions++;
  return 0;
}

/** Is the name by which a function was called one of its own? It has several,
 * such as open() and open64(). */
static bool is_name_of(const struct outside_object *object, const char *called,
                       const struct code_function *function) {
  uint64_t vaddr;
  return !function->name ||
         (code_names_offered(object->names, called, &vaddr) &&
          vaddr == function->low);
}

/** Add the function at an offset. called: the name by which it was called, used
 * if it is one of its names, or the object has none for it: so it does not
 * depend on samples in the object. NULL: unknown. */
static int add_function(struct outside *outside, size_t i_object,
                        uint64_t offset, const char *called, size_t *i_function,
                        struct err *err) {
  struct outside_object *const object = &outside->objects[i_object];
  struct code_function function;
  const bool is_found = find_function(object, offset, &function);
  const uint64_t key = key_of(is_found, &function);
  const uint32_t i_old = map64_find(&object->functions, key);
  if (i_old != MAP64_NONE) {
    *i_function = i_old;
    return 0;
  }
  char *const text = !is_found ? name_object(object->entry->path)
                     : called && is_name_of(object, called, &function)
                         ? strdup(called)
                         : code_names_text(object->names, &function);
  if (!text)
    return err_no_memory(err);
  return append(outside, i_object, text, i_function, err) ||
                 map64_insert(&object->functions, key, (uint32_t)*i_function,
                              err)
             ? -1
             : 0;
}

/** Add the function at a sampled place. An object whose records have no samples
 * is none; only a forged file has such. */
static int add_sampled(struct outside *outside, size_t i_object,
                       uint64_t offset, struct err *err) {
  size_t i_function;
  return i_object == NONE
             ? 0
             : add_function(outside, i_object, offset, NULL, &i_function, err);
}

// --- Calls by name ---

static int compare_calls(const void *left, const void *right,
                         const void *context) {
  const struct outside_call *const a = left, *const b = right;
  (void)context;
  const int by_name = strcmp(a->name, b->name);
  if (by_name)
    return by_name;
  if (a->i_side != b->i_side)
    return a->i_side < b->i_side ? -1 : 1;
  return (a->i_entry > b->i_entry) - (a->i_entry < b->i_entry);
}

static struct outside_call *find_call(const struct outside *outside,
                                      size_t i_side, size_t i_entry,
                                      const char *name) {
  const struct outside_call key = {
      .i_side = i_side, .i_entry = i_entry, .name = (char *)name};
  const size_t i = sorted_find(outside->calls, outside->n_calls, sizeof(key),
                               &key, compare_calls, NULL);
  return i < outside->n_calls ? &outside->calls[i] : NULL;
}

static int add_call(struct outside *outside, size_t i_side,
                    const struct side_record *record, struct err *err) {
  struct outside_call *const calls = array_grow(
      outside->calls, outside->n_calls, &outside->max_calls, sizeof(*calls));
  if (!calls)
    return err_no_memory(err);
  outside->calls = calls;
  char *const name = strdup(record->name);
  if (!name)
    return err_no_memory(err);
  calls[outside->n_calls++] =
      (struct outside_call){.i_side = i_side,
                            .i_entry = record->call.i_caller,
                            .name = name,
                            .i_function = NONE};
  return 0;
}

static int sort_calls(struct outside *outside, struct err *err) {
  struct outside_call *const calls = outside->calls;
  size_t n_kept = 0;
  if (merge_sort(calls, outside->n_calls, sizeof(*calls), compare_calls, NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < outside->n_calls; i++)
    if (n_kept && compare_calls(&calls[n_kept - 1], &calls[i], NULL) == 0)
      free(calls[i].name);
    else
      calls[n_kept++] = calls[i];
  outside->n_calls = n_kept;
  return 0;
}

/** Keep the callee of a name that the process recorded. */
static int set_target(struct outside *outside, size_t i_side,
                      const struct side_record *record, struct err *err) {
  struct outside_call *const call =
      find_call(outside, i_side, record->target.i_caller, record->name);
  const size_t i_object = outside->i_objects[i_side][record->target.i_object];
  return call && call->i_function == NONE && i_object != NONE &&
                 outside->objects[i_object].names
             ? add_function(outside, i_object, record->target.offset,
                            record->name, &call->i_function, err)
             : 0;
}

/** The function that some object with samples offers under a name, if it took
 * any: for others the name is enough. */
static size_t find_offered(const struct outside *outside, const char *name) {
  for (size_t i = 0; i < outside->n_objects; i++) {
    const struct outside_object *const object = &outside->objects[i];
    struct code_function function;
    uint64_t vaddr;
    if (!object->names || !code_names_offered(object->names, name, &vaddr) ||
        !code_names_at(object->names, vaddr, &function))
      continue;
    const uint32_t i_function = map64_find(&object->functions, function.low);
    return i_function == MAP64_NONE ? NONE : i_function;
  }
  return NONE;
}

/** Guess the callee of calls without a record of it: those of one name, first
 * to end. It is that of other calls of the name; otherwise a function with
 * samples; otherwise one of that name in no known object. */
static int guess_callee(struct outside *outside, size_t first, size_t end,
                        struct err *err) {
  struct outside_call *const calls = outside->calls;
  size_t i_function = NONE;
  for (size_t i = first; i < end && i_function == NONE; i++)
    i_function = calls[i].i_function;
  if (i_function == NONE)
    i_function = find_offered(outside, calls[first].name);
  if (i_function == NONE) {
    char *const text = strdup(calls[first].name);
    if (!text)
      return err_no_memory(err);
    if (append(outside, NONE, text, &i_function, err))
      return -1;
  }
  for (size_t i = first; i < end; i++)
    if (calls[i].i_function == NONE)
      calls[i].i_function = i_function;
  return 0;
}

static int guess_callees(struct outside *outside, struct err *err) {
  for (size_t i = 0, end; i < outside->n_calls; i = end) {
    for (end = i + 1;
         end < outside->n_calls &&
         strcmp(outside->calls[i].name, outside->calls[end].name) == 0;
         end++)
      ;
    if (guess_callee(outside, i, end, err))
      return -1;
  }
  return 0;
}

// --- Symbols ---

static bool is_place(const struct outside *outside,
                     const struct outside_function *function) {
  return function->i_object != NONE &&
         outside->objects[function->i_object].names;
}

static int compare_functions(const void *left, const void *right,
                             const void *context) {
  const struct outside *const outside = context;
  const struct outside_function *const a =
      &outside->functions[*(const size_t *)left];
  const struct outside_function *const b =
      &outside->functions[*(const size_t *)right];
  const int by_text = strcmp(a->text, b->text);
  if (by_text)
    return by_text;
  return is_place(outside, a) - is_place(outside, b);
}

/** Add a symbol for each function. Functions without an address are one per
 * name. */
static int add_symbols(struct outside *outside, struct model *program,
                       struct err *err) {
  const size_t n = outside->n_functions;
  size_t *const order = calloc(n + 1, sizeof(*order));
  int rc = order ? 0 : err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < n; i++)
    order[i] = i;
  if (rc == 0 &&
      merge_sort(order, n, sizeof(*order), compare_functions, outside))
    rc = err_no_memory(err);
  const struct outside_function *last = NULL;
  for (size_t i = 0; rc == 0 && i < n; i++) {
    struct outside_function *const function = &outside->functions[order[i]];
    if (last && !is_place(outside, function) &&
        strcmp(last->text, function->text) == 0)
      function->i_symbol = last->i_symbol;
    else
      rc = model_add_outside(program, function->text,
                             is_place(outside, function)
                                 ? outside->objects[function->i_object].place
                                 : NULL,
                             &function->i_symbol, err);
    last = function;
  }
  free(order);
  return rc;
}

// --- Begin and end ---

/** Context of reading the records of side files. */
struct reading {
  struct outside *outside;
  outside_is_inside *is_inside;
  const void *context;
};

/** Code of other objects that is a caller on call stacks. */
static int add_frame(struct outside *outside, size_t i_side,
                     const struct side_record *record, struct err *err) {
  const size_t i_object = outside->i_objects[i_side][record->frame.i_object];
  size_t i_function;
  return i_object == NONE
             ? 0
             : add_function(outside, i_object, record->frame.address, NULL,
                            &i_function, err);
}

/** Time in system calls, of all code, is one function. */
static int add_kernel(struct outside *outside, struct err *err) {
  if (outside->i_kernel != NONE)
    return 0;
  char *const text = name_object("[kernel]");
  return text ? append(outside, NONE, text, &outside->i_kernel, err)
              : err_no_memory(err);
}

static int add_record(void *context, size_t i_side,
                      const struct side_record *record, struct err *err) {
  const struct reading *const reading = context;
  struct outside *const outside = reading->outside;
  switch (record->form->kind) {
  case SIDE_CALL:
    return reading->is_inside(reading->context, i_side, record->call.i_caller,
                              record->name)
               ? 0
               : add_call(outside, i_side, record, err);
  case SIDE_TARGET:
    return set_target(outside, i_side, record, err);
  case SIDE_FRAME:
    return add_frame(outside, i_side, record, err);
  case SIDE_TIME:
    return add_sampled(outside,
                       outside->i_objects[i_side][record->time.i_object],
                       record->time.offset, err);
  case SIDE_KERNEL:
    return add_kernel(outside, err);
  default:
    return 0;
  }
}

int outside_init(struct outside *out, struct model *program,
                 outside_is_inside *is_inside, const void *context,
                 struct err *err) {
  const struct inputs *const inputs = &program->inputs;
  struct reading reading = {
      .outside = out, .is_inside = is_inside, .context = context};
  *out = (struct outside){
      .i_objects = calloc(inputs->n_sides + 1, sizeof(*out->i_objects)),
      .n_sides = inputs->n_sides,
      .i_kernel = NONE};
  int rc = out->i_objects ? 0 : err_no_memory(err);
  // Targets before times: functions without a name of their own get the one by
  // which they were called.
  if (rc || add_objects(out, inputs, err) ||
      inputs_read_sides(inputs, SIDE_CALL, add_record, &reading, err) ||
      sort_calls(out, err) ||
      inputs_read_sides(inputs, SIDE_TARGET, add_record, &reading, err) ||
      inputs_read_sides(inputs, SIDE_TIME, add_record, &reading, err) ||
      inputs_read_sides(inputs, SIDE_FRAME, add_record, &reading, err) ||
      inputs_read_sides(inputs, SIDE_KERNEL, add_record, &reading, err) ||
      guess_callees(out, err) || add_symbols(out, program, err)) {
    outside_release(out);
    return -1;
  }
  return 0;
}

size_t outside_at(const struct outside *outside, size_t i_side, size_t i_entry,
                  uint64_t offset) {
  const size_t i_object = outside->i_objects[i_side][i_entry];
  struct code_function function;
  if (i_object == NONE)
    return OUTSIDE_NONE;
  const struct outside_object *const object = &outside->objects[i_object];
  const bool is_found = find_function(object, offset, &function);
  const uint32_t i_function =
      map64_find(&object->functions, key_of(is_found, &function));
  return i_function == MAP64_NONE ? OUTSIDE_NONE
                                  : outside->functions[i_function].i_symbol;
}

size_t outside_callee(const struct outside *outside, size_t i_side,
                      size_t i_entry, const char *name) {
  const struct outside_call *const call =
      find_call(outside, i_side, i_entry, name);
  return call ? outside->functions[call->i_function].i_symbol : OUTSIDE_NONE;
}

size_t outside_kernel(const struct outside *outside) {
  return outside->n_functions && outside->i_kernel != NONE
             ? outside->functions[outside->i_kernel].i_symbol
             : OUTSIDE_NONE;
}

/** The function that an object in brackets is. */
static size_t find_bracketed(const struct outside *outside, const char *path) {
  for (size_t i = 0; i < outside->n_functions; i++) {
    const struct outside_function *const function = &outside->functions[i];
    if (function->i_object != NONE &&
        strcmp(outside->objects[function->i_object].entry->path, path) == 0)
      return function->i_symbol;
  }
  return OUTSIDE_NONE;
}

size_t outside_waiting(const struct outside *outside) {
  return find_bracketed(outside, waiting_path);
}

size_t outside_profiler(const struct outside *outside) {
  return find_bracketed(outside, profiler_path);
}

size_t outside_named(const struct outside *outside, const char *name) {
  const struct outside_call key = {.name = (char *)name}; // the first of it
  const size_t i = sorted_count_before(outside->calls, outside->n_calls,
                                       sizeof(key), &key, compare_calls, NULL);
  return i < outside->n_calls && strcmp(outside->calls[i].name, name) == 0
             ? outside->functions[outside->calls[i].i_function].i_symbol
             : OUTSIDE_NONE;
}

void outside_release(struct outside *outside) {
  for (size_t i = 0; i < outside->n_objects; i++) {
    code_names_close(outside->objects[i].names);
    map64_release(&outside->objects[i].functions);
    free(outside->objects[i].place);
  }
  free(outside->objects);
  for (size_t i = 0; outside->i_objects && i < outside->n_sides; i++)
    free(outside->i_objects[i]);
  free(outside->i_objects);
  for (size_t i = 0; i < outside->n_functions; i++)
    free(outside->functions[i].text);
  free(outside->functions);
  for (size_t i = 0; i < outside->n_calls; i++)
    free(outside->calls[i].name);
  free(outside->calls);
  *outside = (struct outside){0};
}
