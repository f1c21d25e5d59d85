/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes references to entries of the call graph: a number in brackets, or in
 * parentheses if the entry is not printed.
 */
#ifndef ARCLINE_ENTRY_NAME_H
#define ARCLINE_ENTRY_NAME_H

#include <stddef.h>

struct callgraph;
struct cg_node;
struct names;
struct row;

/** Number of characters of a node's number: "[1]" is 3. */
size_t entry_tag_length(const struct cg_node *node);

/** Append a node's number. */
void entry_add_tag(struct row *row, const struct cg_node *node);

/** Append a node's number, or as many characters of it as may be: at least 2.
 */
void entry_add_cut_tag(struct row *row, const struct cg_node *node,
                       size_t max_length);

/** Append a symbol's name, its cycle and its number. */
void entry_add_name(struct row *row, const struct callgraph *graph,
                    size_t i_symbol, struct names *names);

#endif
