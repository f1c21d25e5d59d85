/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/report_tests.h"

#include "base/array.h"
#include "base/err.h"
#include "base/json.h"
#include "debug/source.h"
#include "html/func_list.h"
#include "model/model.h"

#include <stdlib.h>

// --- Sets ---

/** Extend a set by a test that comes after all of it, or is its last one. */
static int add_test(struct report_tests *tests, uint32_t *set, uint32_t test,
                    struct err *err) {
  uint32_t next = (uint32_t)tests->n_sets;

  if (*set != TEST_SET_EMPTY && tests->sets[*set].test == test)
    return 0;
  const int rc = map64_find_or_insert(&tests->next_sets,
                                      (uint64_t)*set << 32 | test, &next, err);
  if (rc < 0)
    return -1;
  if (rc == 0) {
    struct test_set *const sets =
        array_grow(tests->sets, tests->n_sets, &tests->max_sets, sizeof(*sets));
    if (!sets)
      return err_no_memory(err);
    tests->sets = sets;
    sets[tests->n_sets++] = (struct test_set){*set, test};
  }
  *set = next;
  return 0;
}

int report_tests_put_set(const struct report_tests *tests, uint32_t set,
                         struct json *json, struct err *err) {
  bool *const is_in = calloc(tests->index.n_names + 1, sizeof(*is_in));

  if (!is_in)
    return err_no_memory(err);
  for (; set != TEST_SET_EMPTY; set = tests->sets[set].before)
    is_in[tests->sets[set].test] = true;
  json_array_begin(json, NULL);
  for (size_t i = 0, first = 0; i < tests->index.n_names; first = i) {
    while (i < tests->index.n_names && !is_in[i])
      i++;
    if (i == tests->index.n_names)
      break;
    json_integer(json, NULL, i - first);
    for (first = i; i < tests->index.n_names && is_in[i];)
      i++;
    json_integer(json, NULL, i - first);
  }
  json_array_end(json);
  free(is_in);
  return 0;
}

// --- Objects ---

/** Functions of the report and slots of lines, of an object of the index. */
struct object_map {
  uint32_t *funcs; // FUNC_NONE: not in the report; NULL: the object is not
  uint32_t *slots; // NULL: it has no lines
};

struct reading {
  struct report_tests *tests;
  struct object_map *maps; // by object of the index
};

/** Set the slot of each line. files: numbers in the report. */
static int map_lines(struct report_tests *tests,
                     const struct context_object *object, const uint32_t *files,
                     uint32_t *slots, struct err *err) {
  for (size_t i = 0; i < object->n_lines; i++) {
    const struct context_line *const line = &object->lines[i];
    slots[i] = (uint32_t)tests->n_slots;
    const int rc = map64_find_or_insert(
        &tests->line_slots, (uint64_t)files[line->i_file] << 32 | line->line,
        &slots[i], err);
    if (rc < 0)
      return -1;
    if (rc > 0)
      continue;
    uint32_t *const of_slot = array_grow(tests->of_slot, tests->n_slots,
                                         &tests->max_slots, sizeof(*of_slot));
    if (!of_slot)
      return err_no_memory(err);
    tests->of_slot = of_slot;
    of_slot[tests->n_slots++] = TEST_SET_EMPTY;
  }
  return 0;
}

/** Number the files of an object as the report does, which may map their names.
 * Returns NULL with *err set. */
static uint32_t *map_files(const struct context_object *object,
                           struct flow_data *flow, struct err *err) {
  uint32_t *const files = calloc(object->n_files + 1, sizeof(*files));
  bool is_done = files != NULL;

  if (!files)
    err_no_memory(err);
  for (size_t i = 0; is_done && i < object->n_files; i++) {
    char *const name =
        source_map_name(flow->sources, strdup(object->files[i].path));
    is_done =
        name ? file_table_add(&flow->files, NULL, name, &files[i], err) == 0
             : err_no_memory(err) == 0;
    free(name);
  }
  if (is_done)
    return files;
  free(files);
  return NULL;
}

/** Functions of an object are those of its image, in the same order. */
static int map_object(struct report_tests *tests,
                      const struct context_object *object,
                      struct flow_data *flow, const struct flow_image *image,
                      const struct func_list *list, struct object_map *out,
                      struct err *err) {
  if (object->n_funcs != image->n_funcs)
    return 0;
  out->funcs = calloc(object->n_funcs + 1, sizeof(*out->funcs));
  if (!out->funcs)
    return err_no_memory(err);
  for (size_t i = 0; i < object->n_funcs; i++)
    out->funcs[i] =
        func_list_of_flow(list, &flow->funcs[image->first_func + i]);
  if (!object->has_lines)
    return 0;
  tests->has_lines = true;
  out->slots = calloc(object->n_lines + 1, sizeof(*out->slots));
  uint32_t *const files = out->slots ? map_files(object, flow, err) : NULL;
  const int rc = files ? map_lines(tests, object, files, out->slots, err)
                 : !out->slots ? err_no_memory(err)
                               : -1;
  free(files);
  return rc;
}

// --- Runs ---

/** Runs come in order of tests. */
static int add_run(void *context, const struct context_run *run,
                   const uint8_t *bits, struct err *err) {
  const struct reading *const reading = context;
  struct report_tests *const tests = reading->tests;
  const struct context_object *const object =
      &tests->index.objects[run->i_object];
  const struct object_map *const map = &reading->maps[run->i_object];
  const size_t first_line = context_object_first_line(object);

  if (run->i_name == CONTEXT_NO_NAME || !map->funcs)
    return 0;
  for (size_t i = 0; i < object->n_funcs; i++) {
    if (map->funcs[i] == FUNC_NONE || !context_has_bit(bits, i))
      continue;
    uint32_t *const set = &tests->of_func[map->funcs[i]];
    const uint32_t before = *set;
    if (add_test(tests, set, run->i_name, err) != 0)
      return -1;
    tests->n_funcs[run->i_name] += *set != before;
  }
  for (size_t i = 0; map->slots && i < object->n_lines; i++)
    if (context_has_bit(bits, first_line + i) &&
        add_test(tests, &tests->of_slot[map->slots[i]], run->i_name, err) != 0)
      return -1;
  return 0;
}

static int map_objects(struct reading *reading, const struct model *model,
                       struct flow_data *flow, const struct func_list *funcs,
                       struct err *err) {
  const struct context_index *const index = &reading->tests->index;

  for (size_t i = 0; i < model->n_objects && i < flow->n_images; i++) {
    const struct image *const image = &model->objects[i].image;
    const size_t found =
        context_index_find(index, image->build_id, image->n_build_id);
    if (found != SIZE_MAX && !reading->maps[found].funcs &&
        map_object(reading->tests, &index->objects[found], flow,
                   &flow->images[i], funcs, &reading->maps[found], err) != 0)
      return -1;
  }
  return 0;
}

static int read_runs(struct report_tests *tests, const struct model *model,
                     struct flow_data *flow, const struct func_list *funcs,
                     struct err *err) {
  const size_t n = tests->index.n_objects;
  struct reading reading = {tests, calloc(n + 1, sizeof(*reading.maps))};

  tests->n_funcs = calloc(tests->index.n_names + 1, sizeof(*tests->n_funcs));
  tests->of_func = calloc((size_t)funcs->n_funcs + 1, sizeof(*tests->of_func));
  tests->sets = calloc(1, sizeof(*tests->sets));
  tests->n_sets = tests->max_sets = 1; // the empty one
  int rc = reading.maps && tests->n_funcs && tests->of_func && tests->sets
               ? 0
               : err_no_memory(err);
  if (rc == 0)
    rc = map_objects(&reading, model, flow, funcs, err);
  if (rc == 0)
    rc = context_index_visit(&tests->index, add_run, &reading, err);
  for (size_t i = 0; reading.maps && i < n; i++) {
    free(reading.maps[i].funcs);
    free(reading.maps[i].slots);
  }
  free(reading.maps);
  return rc;
}

int report_tests_read(const char *path, const struct model *model,
                      struct flow_data *flow, const struct func_list *funcs,
                      struct report_tests *out, struct err *err) {
  *out = (struct report_tests){0};
  if (!path)
    return 0;
  if (context_index_read(path, &out->index, err) == 0 &&
      read_runs(out, model, flow, funcs, err) == 0)
    return 0;
  report_tests_release(out);
  return -1;
}

uint32_t report_tests_of_line(const struct report_tests *tests, uint32_t i_file,
                              uint32_t line) {
  const uint32_t slot =
      tests->has_lines
          ? map64_find(&tests->line_slots, (uint64_t)i_file << 32 | line)
          : MAP64_NONE;

  return slot == MAP64_NONE ? TEST_SET_EMPTY : tests->of_slot[slot];
}

void report_tests_release(struct report_tests *tests) {
  context_index_release(&tests->index);
  free(tests->n_funcs);
  free(tests->of_func);
  free(tests->sets);
  map64_release(&tests->next_sets);
  map64_release(&tests->line_slots);
  free(tests->of_slot);
  *tests = (struct report_tests){0};
}
