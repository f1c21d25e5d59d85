/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * How the call graph refers to its entries: a number in brackets, or in
 * parentheses if the entry is not printed.
 */
#ifndef ARCLINE_ENTRY_NAME_H
#define ARCLINE_ENTRY_NAME_H

#include <stddef.h>
#include <stdio.h>

struct callgraph;
struct cg_node;
struct name_style;

enum { ENTRY_TAG_BYTES = 16 };

/** Write a node's number, "[1]", to ENTRY_TAG_BYTES at buffer. Returns it. */
const char *entry_tag(const struct cg_node *node, char *buffer);

/** Print a symbol's name, its cycle and its number. */
void entry_print_name(const struct callgraph *graph, size_t i_symbol,
                      const struct name_style *style, FILE *out);

#endif
