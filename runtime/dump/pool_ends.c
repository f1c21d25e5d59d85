/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>

#include "dump/pool_ends.h"
#include "objects/objects.h"
#include "os/read_write.h"
#include "os/scratch.h"
#include "solve/arc.h"

_Static_assert((int)RT_MAX_BUILD_ID == (int)ARCLINE_LIVE_BUILD_ID_BYTES,
               "the list has room for a build-id");

enum {
  LIST_BYTES = ARCLINE_POOL_MAX_OTHERS * sizeof(struct arcline_pool_other)
};

static bool read_list(struct rt_pool_ends *ends) {
  const size_t n = (size_t)ends->pool->head->n_others;

  ends->list = rt_alloc(LIST_BYTES);
  if (!ends->list) {
    ends->error = -ENOMEM;
    return false;
  }
  const long rc =
      rt_read_at(ends->pool->fd, ends->list, n * sizeof(*ends->list),
                 ARCLINE_POOL_OTHERS_OFFSET);
  if (rc < 0 || (size_t)rc != n * sizeof(*ends->list))
    ends->error = rc < 0 ? (int)rc : -RT_EINCOMPATIBLE;
  return !ends->error;
}

/* Adds it to the list, whose length is in the head. */
static uint64_t append(struct rt_pool_ends *ends,
                       const struct rt_object *object) {
  const uint64_t i = ends->pool->head->n_others;
  struct arcline_pool_other *other = &ends->list[i];

  if (i == ARCLINE_POOL_MAX_OTHERS)
    return 0;
  rt_copy(other->build_id, object->build_id, sizeof(other->build_id));
  other->n_build_id = (uint32_t)object->n_build_id;
  ends->error = rt_write_at(ends->pool->fd, other, sizeof(*other),
                            ARCLINE_POOL_OTHERS_OFFSET + i * sizeof(*other));
  ends->pool->head->n_others += !ends->error;
  return ends->error ? 0 : i + 1;
}

/* The object's place in the list, or 0. */
static uint64_t find_place(struct rt_pool_ends *ends, uint64_t number) {
  const struct rt_object *object = rt_objects();

  while (object && object->number != number)
    object = object->next;
  if (!object || !object->n_build_id || ends->error ||
      (!ends->list && !read_list(ends)))
    return 0;
  for (uint64_t i = 0; i < ends->pool->head->n_others; i++)
    if (ends->list[i].n_build_id == object->n_build_id &&
        rt_equal(ends->list[i].build_id, object->build_id, object->n_build_id))
      return i + 1;
  return append(ends, object);
}

uint64_t rt_pool_end_of(struct rt_pool_ends *ends, uint64_t end) {
  if (!(end & SOLVE_OUTSIDE))
    return end;
  const uint64_t number = solve_outside_number(end);
  if (number != ends->last_number) {
    ends->last = find_place(ends, number);
    ends->last_number = number;
  }
  return ends->last ? solve_outside(ends->last, solve_outside_vaddr(end))
                    : ARCLINE_POOL_ELSEWHERE;
}

void rt_pool_ends_free(struct rt_pool_ends *ends) {
  rt_free(ends->list, LIST_BYTES);
}
