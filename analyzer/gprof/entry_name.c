/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/entry_name.h"

#include "base/row.h"
#include "profile/callgraph.h"
#include "profile/names.h"

size_t entry_tag_length(const struct cg_node *node) {
  size_t length = 3;

  for (uint32_t rest = node->index; rest >= 10; rest /= 10)
    length++;
  return length;
}

void entry_add_tag(struct row *row, const struct cg_node *node) {
  row_add(row, node->is_printed ? "[" : "(", 1);
  row_add_number(row, node->index, 0);
  row_add(row, node->is_printed ? "]" : ")", 1);
}

void entry_add_cut_tag(struct row *row, const struct cg_node *node,
                       size_t max_length) {
  const size_t length = entry_tag_length(node);
  uint32_t number = node->index;

  if (length <= max_length) {
    entry_add_tag(row, node);
    return;
  }
  for (size_t n_digits = length - 2; n_digits > max_length - 1; n_digits--)
    number /= 10;
  row_add(row, node->is_printed ? "[" : "(", 1);
  row_add_number(row, number, 0);
}

void entry_add_name(struct row *row, const struct callgraph *graph,
                    size_t i_symbol, struct names *names) {
  const struct cg_node *node = &graph->nodes[i_symbol];
  size_t length;
  const char *const text = names_text(names, i_symbol, &length);

  row_add(row, text, length);
  if (node->cycle) {
    ROW_ADD(row, " <cycle ");
    row_add_number(row, node->cycle, 0);
    ROW_ADD(row, ">");
  }
  if (node->index != 0) {
    ROW_ADD(row, " ");
    entry_add_tag(row, node);
  }
}
