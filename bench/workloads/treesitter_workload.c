/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A deterministic Tree-sitter workload: C is made, parsed, walked through, and
 * parsed again after edits.
 *
 *   treesitter_workload [SCALE]    SCALE sources of 300 functions
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tree_sitter/api.h>

#include "made_data.h"

enum { SOURCE_BYTES = 256 * 1024, N_FUNCTIONS = 300, N_EDITS = 20 };

const TSLanguage *tree_sitter_c(void);

static size_t make_source(char *out, size_t room, uint32_t *random) {
  size_t n = 0;
  uint32_t numbers[6]; /* arguments are evaluated in an unspecified order */

  for (int i = 0; i < N_FUNCTIONS; i++) {
    for (int j = 0; j < 6; j++)
      numbers[j] = next_random(random, 100000);
    n += (size_t)snprintf(
        out + n, room - n,
        "/* Function %d. */\n"
        "static unsigned f%d(struct arc *arc, int n) {\n"
        "  unsigned sum = %uu;\n"
        "  for (int i = 0; i < n; i++) {\n"
        "    if (arc[i].calls > %u && (sum & 0x%xu))\n"
        "      sum += arc[i].self * %u.5f;\n"
        "    else\n"
        "      switch (n %% 3) {\n"
        "      case 0: sum ^= f%u(arc + i, n - 1); break;\n"
        "      default: return sum ? (unsigned)-1 : \"%u\"[0];\n"
        "      }\n"
        "  }\n"
        "  return sum;\n"
        "}\n\n",
        i, i, numbers[0], numbers[1], numbers[2], numbers[3],
        numbers[4] % (uint32_t)(i + 1), numbers[5]);
  }
  return n;
}

/** Adds each node's kind and place. */
static uint64_t walk(const TSTree *tree, uint64_t check) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));

  for (int more = 1; more;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    check = check * 31 + ts_node_symbol(node) + ts_node_start_byte(node);
    if (ts_tree_cursor_goto_first_child(&cursor))
      continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor))
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        more = 0;
        break;
      }
  }
  ts_tree_cursor_delete(&cursor);
  return check;
}

/** A digit becomes another one: nothing moves. */
static void edit(TSTree *tree, char *source, size_t n, uint32_t *random) {
  const size_t start = next_random(random, (uint32_t)(n / 2));
  const size_t at = start + strcspn(source + start, "0123456789");
  const TSPoint point = {0, (uint32_t)at};
  const TSInputEdit change = {
      (uint32_t)at, (uint32_t)at + 1, (uint32_t)at + 1, point, point, point};

  source[at] = (char)('1' + next_random(random, 9));
  ts_tree_edit(tree, &change);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  char *const source = malloc(SOURCE_BYTES);
  TSParser *const parser = ts_parser_new();
  uint32_t random = 20261123;
  uint64_t check = 0;

  if (!source || !ts_parser_set_language(parser, tree_sitter_c())) {
    fprintf(stderr, "treesitter_workload: no language\n");
    return 1;
  }
  for (int i = 0; i < scale; i++) {
    const size_t n = make_source(source, SOURCE_BYTES, &random);
    TSTree *tree = ts_parser_parse_string(parser, NULL, source, (uint32_t)n);
    check = walk(tree, check);
    for (int j = 0; j < N_EDITS; j++) {
      edit(tree, source, n, &random);
      TSTree *const next =
          ts_parser_parse_string(parser, tree, source, (uint32_t)n);
      ts_tree_delete(tree);
      tree = next;
    }
    check = walk(tree, check);
    ts_tree_delete(tree);
  }
  ts_parser_delete(parser);
  free(source);
  printf("checksum %016llx\n", (unsigned long long)check);
  return 0;
}
