/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records the addresses of objects, now and in earlier loads. */
#include "objects/load_history.h"
#include "objects/link_map.h"
#include "os/os.h"

/* Of what has been unloaded, only the vaddrs of functions are left. */
static bool is_entry(const struct rt_object *object, uint64_t vaddr) {
  const struct rt_image *image = &object->image;

  if (rt_load(&object->state) != RT_ATTACHED) {
    for (size_t i = 0; i < object->loads.n_entries; i++)
      if (object->loads.entries[i] == vaddr)
        return true;
    return false;
  }
  for (const struct arcline_body *body = image->bodies;
       body < image->bodies_end; body++)
    if (body->pc && (uintptr_t)&body->pc + (uintptr_t)(intptr_t)body->pc ==
                        vaddr + object->load_bias)
      return true;
  return false;
}

/* The places that a pc may be. */
struct places {
  uint64_t pc;
  bool is_entry; /* only beginnings of functions */
  size_t n;
  uint64_t end; /* the last one, as an end of an arc; one that is there now is
                   preferred */
  bool is_there;
};

static void look(const struct rt_object *object, uint64_t bias, bool is_there,
                 struct places *places) {
  const uint64_t vaddr = places->pc - bias;

  if (!rt_image_has_text(object, vaddr) ||
      (places->is_entry && !is_entry(object, vaddr)))
    return;
  places->n++;
  if (places->is_there)
    return;
  places->is_there = is_there;
  places->end = solve_outside(object->number, vaddr);
}

static void search_all(struct places *places) {
  for (const struct rt_object *it = rt_objects(); it; it = it->next) {
    const bool is_there = rt_load(&it->state) == RT_ATTACHED;
    if (is_there)
      look(it, it->load_bias, true, places);
    for (size_t i = 0; i < it->loads.n_biases; i++)
      if (!is_there || it->loads.biases[i] != it->load_bias)
        look(it, it->loads.biases[i], false, places);
  }
}

uint64_t rt_load_history_find(uint64_t pc, bool is_callee) {
  struct places places = {.pc = pc};

  search_all(&places);
  if (places.n <= 1)
    return places.end;
  if (!is_callee)
    return 0;
  places = (struct places){.pc = pc, .is_entry = true};
  search_all(&places);
  return places.n == 1 || places.is_there ? places.end : 0;
}

/* The same file has the same functions each time. */
static void remember_entries(struct rt_object *object) {
  const struct rt_image *image = &object->image;
  const size_t n = (size_t)(image->bodies_end - image->bodies);

  if (object->loads.entries || !n)
    return;
  object->loads.entries = rt_map(n * sizeof(*object->loads.entries));
  if (!object->loads.entries)
    return;
  object->loads.entries_bytes = n * sizeof(*object->loads.entries);
  for (const struct arcline_body *body = image->bodies;
       body < image->bodies_end; body++)
    if (body->pc)
      object->loads.entries[object->loads.n_entries++] =
          (uintptr_t)&body->pc + (uintptr_t)(intptr_t)body->pc -
          object->load_bias;
}

void rt_load_history_remember(struct rt_object *object) {
  remember_entries(object);
  for (size_t i = 0; i < object->loads.n_biases; i++)
    if (object->loads.biases[i] == object->load_bias)
      return;
  // If there is no room, the oldest goes.
  if (object->loads.n_biases == RT_OLD_LOADS) {
    for (size_t i = 1; i < RT_OLD_LOADS; i++)
      object->loads.biases[i - 1] = object->loads.biases[i];
    object->loads.n_biases--;
  }
  object->loads.biases[object->loads.n_biases++] = object->load_bias;
}

void rt_load_history_release(struct rt_object *object) {
  rt_unmap(object->loads.entries, object->loads.entries_bytes);
}
