/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of objects. */
#include "objects/objects.h"

static struct rt_object *objects;
static unsigned n_objects;

struct rt_object *rt_objects(void) { return rt_load(&objects); }

void rt_objects_number(struct rt_object *object) {
  object->number = __atomic_add_fetch(&n_objects, 1, __ATOMIC_RELAXED);
}

void rt_objects_add(struct rt_object *object) {
  object->next = rt_objects();
  while (!rt_cas(&objects, &object->next, object))
    continue;
}

void rt_objects_replace(struct rt_object *first) {
  objects = first;
  n_objects = first ? first->number : 0;
}
