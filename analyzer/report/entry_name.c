/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/entry_name.h"

#include "profile/callgraph.h"
#include "report/names.h"

#include <inttypes.h>

const char *entry_tag(const struct cg_node *node, char *buffer) {
  snprintf(buffer, ENTRY_TAG_BYTES,
           node->is_printed ? "[%" PRIu32 "]" : "(%" PRIu32 ")", node->index);
  return buffer;
}

void entry_print_name(const struct callgraph *graph, size_t i_symbol,
                      const struct name_style *style, FILE *out) {
  const struct cg_node *node = &graph->nodes[i_symbol];
  char tag[ENTRY_TAG_BYTES];

  names_print(style, &graph->profile->symtab->symbols[i_symbol], out);
  if (node->cycle)
    fprintf(out, " <cycle %" PRIu32 ">", node->cycle);
  if (node->index != 0)
    fprintf(out, " %s", entry_tag(node, tag));
}
