/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/order.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "image/file_map.h"
#include "profile/arc_order.h"

#include <stdlib.h>
#include <string.h>

static struct arc_order_graph graph_of(const struct profile *profile) {
  return (struct arc_order_graph){
      .n_symbols = profile->symtab->n_symbols,
      .n_nodes = profile->symtab->n_symbols,
      .arcs = profile->arcs,
      .n_arcs = profile->n_arcs,
  };
}

static void print_order(const struct profile *profile,
                        const struct arc_order *order, FILE *out) {
  for (size_t i = 0; i < order->n_nodes; i++)
    fprintf(out, "%s\n", profile->symtab->symbols[order->nodes[i]].name);
}

int gprof_function_order(const struct profile *profile, bool is_gnu, FILE *out,
                         struct err *err) {
  const struct arc_order_graph graph = graph_of(profile);
  struct arc_order order;

  if (arc_order_functions(&graph, is_gnu, &order, err))
    return -1;
  print_order(profile, &order, out);
  arc_order_release(&order);
  return 0;
}

// --- Object files ---

/** Print the files of the map that have no symbol. */
static int print_absent(const struct profile *profile,
                        const struct file_map *map, FILE *out,
                        struct err *err) {
  const struct symtab *const symtab = profile->symtab;
  const char **const present = calloc(symtab->n_symbols + 1, sizeof(*present));
  size_t n_present = 0;

  if (!present)
    return err_no_memory(err);
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symtab->symbols[i].is_file)
      present[n_present++] = symtab->symbols[i].name;
  const int rc = merge_sort(present, n_present, sizeof(*present),
                            sorted_compare_names, NULL)
                     ? err_no_memory(err)
                     : 0;
  size_t i_present = 0;
  for (size_t i = 0; rc == 0 && i < map->n_files; i++) {
    while (i_present < n_present &&
           strcmp(present[i_present], map->files[i]) < 0)
      i_present++;
    if (i_present == n_present ||
        strcmp(present[i_present], map->files[i]) != 0)
      fprintf(out, "%s\n", map->files[i]);
  }
  free(present);
  return rc;
}

int gprof_file_order(const struct profile *profile, const struct file_map *map,
                     FILE *out, struct err *err) {
  const struct arc_order_graph graph = graph_of(profile);
  bool *const is_file = calloc(graph.n_nodes + 1, sizeof(*is_file));
  struct arc_order order;

  if (!is_file)
    return err_no_memory(err);
  for (size_t i = 0; i < graph.n_nodes; i++)
    is_file[i] = profile->symtab->symbols[i].is_file;
  int rc = arc_order_files(&graph, is_file, &order, err);
  if (rc == 0) {
    print_order(profile, &order, out);
    rc = print_absent(profile, map, out, err);
    arc_order_release(&order);
  }
  free(is_file);
  return rc;
}
