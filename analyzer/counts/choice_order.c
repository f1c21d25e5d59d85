/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/choice_order.h"

#include "counts/flow_data.h"

#include <stdbool.h>
#include <string.h>

static int compare_positions(const struct choice_place *a,
                             const struct choice_place *b) {
  const int order = flow_line_compare(a->pos, b->pos);

  return order ? order : choice_compare_numbers(a->column, b->column);
}

int choice_place_compare(const struct choice_place *a,
                         const struct choice_place *b) {
  const int order = compare_positions(a, b);

  return order ? order
               : choice_compare_numbers((uintptr_t)a->func, (uintptr_t)b->func);
}

/** The part of a name that instances of one function share. */
static const char *family(const char *name) {
  const bool is_mangled =
      strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0;

  return is_mangled ? "" : name;
}

int choice_place_compare_instances(const struct choice_place *a,
                                   const struct choice_place *b) {
  int order = compare_positions(a, b);

  if (order == 0)
    order = flow_line_compare(a->func->pos, b->func->pos);
  if (order == 0)
    order = strcmp(family(a->func->name), family(b->func->name));
  if (order == 0)
    order = choice_compare_numbers(a->number, b->number);
  return order;
}
