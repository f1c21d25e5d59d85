/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/call_sites.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"

#include <stdlib.h>

int call_sites_add(struct call_sites *sites, uint64_t from_pc, uint64_t self_pc,
                   uint64_t count, struct err *err) {
  struct call_site *const grown = array_grow(sites->sites, sites->n_sites,
                                             &sites->max_sites, sizeof(*grown));

  if (!grown)
    return err_no_memory(err);
  sites->sites = grown;
  grown[sites->n_sites] =
      (struct call_site){from_pc, self_pc, count, sites->n_sites};
  sites->n_sites++;
  return 0;
}

static int compare_addresses(const void *left_ptr, const void *right_ptr,
                             const void *context) {
  const struct call_site *const left = left_ptr;
  const struct call_site *const right = right_ptr;

  (void)context;
  if (left->from_pc != right->from_pc)
    return left->from_pc < right->from_pc ? -1 : 1;
  return (left->self_pc > right->self_pc) - (left->self_pc < right->self_pc);
}

static int compare_orders(const void *left_ptr, const void *right_ptr,
                          const void *context) {
  const struct call_site *const left = left_ptr;
  const struct call_site *const right = right_ptr;

  (void)context;
  return (left->order > right->order) - (left->order < right->order);
}

int call_sites_join(struct call_sites *sites, struct err *err) {
  struct call_site *const array = sites->sites;
  size_t n_joined = 0;

  // Equal ones keep their order: the first one of them comes first.
  if (merge_sort(array, sites->n_sites, sizeof(*array), compare_addresses,
                 NULL))
    return err_no_memory(err);
  for (size_t i = 0; i < sites->n_sites; i++)
    if (n_joined > 0 &&
        compare_addresses(&array[n_joined - 1], &array[i], NULL) == 0)
      array[n_joined - 1].count += array[i].count;
    else
      array[n_joined++] = array[i];
  sites->n_sites = n_joined;
  if (merge_sort(array, n_joined, sizeof(*array), compare_orders, NULL))
    return err_no_memory(err);
  // What is added from now on goes behind.
  for (size_t i = 0; i < n_joined; i++)
    array[i].order = i;
  return 0;
}

void call_sites_release(struct call_sites *sites) {
  free(sites->sites);
  *sites = (struct call_sites){0};
}
