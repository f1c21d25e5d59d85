/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of objects. */
#include "objects/objects.h"
#include "arcline/gmon_format.h"

enum { MAX_COPIES = 1000 /* of a library that get names of their own */ };

static struct rt_object *objects;
static unsigned n_objects;

struct rt_object *rt_objects(void) {
  return rt_load(&objects);
}

void rt_objects_number(struct rt_object *object) {
  object->number = __atomic_add_fetch(&n_objects, 1, __ATOMIC_RELAXED);
}

void rt_objects_add(struct rt_object *object) {
  object->next = rt_objects();
  while (!rt_cas(&objects, &object->next, object))
    continue;
}

size_t rt_object_bins_bytes(const struct rt_object *object, size_t i_text) {
  const size_t n_bins =
      rt_text_n_bins(&object->texts[i_text], object->bin_bytes);

  return n_bins * sizeof(*object->texts->bins) + n_bins / RT_CHUNK_BINS + 1;
}

/* Appends a dot and the first bytes of the object's build-id, if it has one. */
static void add_id(const struct rt_object *object, struct rt_str *out) {
  static const char digits[] = "0123456789abcdef";

  if (!object->n_build_id)
    return;
  rt_str_add(out, ".");
  for (size_t i = 0; i < GMON_ARCLINE_BUILD_ID_BYTES; i++) {
    rt_str_add_n(out, &digits[object->build_id[i] >> 4], 1);
    rt_str_add_n(out, &digits[object->build_id[i] & 15], 1);
  }
}

void rt_object_module(const struct rt_object *object, struct rt_str *out) {
  rt_str_add(out, object->path + rt_folder_length(object->path));
  add_id(object, out);
}

bool rt_object_is_same_file(const struct rt_object *a,
                            const struct rt_object *b) {
  if (a->n_cells != b->n_cells || a->n_texts != b->n_texts ||
      a->bin_bytes != b->bin_bytes ||
      !rt_equal(a->build_id, b->build_id, sizeof(a->build_id)) ||
      !rt_equal(a->suffix, b->suffix, sizeof(a->suffix)))
    return false;
  for (size_t i = 0; i < a->n_texts; i++)
    if (a->texts[i].low_vaddr != b->texts[i].low_vaddr ||
        a->texts[i].high_vaddr != b->texts[i].high_vaddr)
      return false;
  return true;
}

static bool is_taken(const struct rt_object *like) {
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_equal(it->suffix, like->suffix, sizeof(it->suffix)) &&
        (rt_load(&it->state) != RT_DETACHED ||
         !rt_object_is_same_file(it, like)))
      return true;
  return false;
}

void rt_object_set_apart(struct rt_object *library) {
  const size_t n_name = rt_length(library->suffix);

  for (uint64_t i = 1; i < MAX_COPIES && is_taken(library); i++) {
    struct rt_str suffix = {.text = library->suffix,
                            .length = n_name,
                            .room = sizeof(library->suffix)};
    rt_zero(library->suffix + n_name, sizeof(library->suffix) - n_name);
    add_id(library, &suffix);
    if (i == 1 && library->n_build_id)
      continue;
    rt_str_add(&suffix, ".");
    rt_str_add_number(&suffix, i);
  }
}

void rt_objects_replace(struct rt_object *first) {
  objects = first;
  n_objects = first ? first->number : 0;
}
