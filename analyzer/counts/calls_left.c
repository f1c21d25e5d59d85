/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/calls_left.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "model/model.h"

#include <stdlib.h>

static int compare(const void *left, const void *right, const void *context) {
  const struct function_calls *const a = left, *const b = right;
  (void)context;
  if (a->i_object != b->i_object)
    return a->i_object < b->i_object ? -1 : 1;
  return (a->vaddr > b->vaddr) - (a->vaddr < b->vaddr);
}

static int add_object(struct calls_left *left, size_t i_object,
                      const struct measure *measure) {
  for (size_t i = 0; i < measure->n_arcs; i++) {
    const struct measure_arc *const arc = &measure->arcs[i];
    if (arc->count == 0)
      continue;
    struct function_calls *const functions =
        array_grow(left->functions, left->n, &left->max, sizeof(*functions));
    if (!functions)
      return -1;
    left->functions = functions;
    functions[left->n++] = (struct function_calls){
        i_object, arc->self_pc, arc->from_pc ? 0 : arc->count};
  }
  return 0;
}

/** Make one entry of those of a function. */
static void join(struct calls_left *left) {
  struct function_calls *const all = left->functions;
  size_t n = 0;
  for (size_t i = 0; i < left->n; i++)
    if (n > 0 && compare(&all[n - 1], &all[i], NULL) == 0)
      all[n - 1].n_left += all[i].n_left;
    else
      all[n++] = all[i];
  left->n = n;
}

int calls_left_collect(const struct model *model, struct calls_left *out,
                       struct err *err) {
  *out = (struct calls_left){0};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < model->n_objects; i++)
    rc = add_object(out, i, &model->objects[i].measure);
  if (rc == 0)
    rc = merge_sort(out->functions, out->n, sizeof(*out->functions), compare,
                    NULL);
  if (rc == 0) {
    join(out);
    return 0;
  }
  calls_left_release(out);
  return err_no_memory(err);
}

uint64_t calls_left_take(struct calls_left *left, size_t i_object,
                         uint64_t vaddr, uint64_t n) {
  const struct function_calls key = {.i_object = i_object, .vaddr = vaddr};
  const size_t i =
      sorted_find(left->functions, left->n, sizeof(key), &key, compare, NULL);
  if (i == left->n)
    return n;
  n = n < left->functions[i].n_left ? n : left->functions[i].n_left;
  left->functions[i].n_left -= n;
  return n;
}

void calls_left_release(struct calls_left *left) {
  free(left->functions);
  *left = (struct calls_left){0};
}
