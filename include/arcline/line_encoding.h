/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the encoding of lines and names, which are not loaded with the
 * program: only the analyzer reads them. Numbers, "Z" and the order of a
 * graph's nodes and calls are those of encoding.h.
 *
 * Entries of ARCLINE_SECTION_LINES follow one another, without alignment:
 *
 *   u64 id            of the function; of a list of files: a hash of it and of
 *                     its digests; of a name: arcline_name_hash(); of digests:
 *                     arcline_digests_id()
 *   u64 files         the id of the list of files that "F" is an offset into;
 *                     0: this is such a list; 1: this is a name that is
 *                     shortened where it is loaded, with its NUL; 2: these are
 *                     decisions (arcline/decisions.h); 3: these are digests
 *   u32 n_bytes       that follow
 *
 * Several entries of one id have the same contents. A list of files is
 * NUL-terminated names; offset 0 is the empty one. Digests are the MD5 digests
 * of the files of a list in its order, without the empty name: 16 bytes each,
 * all 0 if the compiler has none. A list of such files alone has no entry of
 * digests. An entry of a function is, encoded,
 *
 *   file F, line      of the definition
 *   n_calls times:
 *     Z(line - line of the definition)
 *     file F
 *   n_nodes times:
 *     n_lines << 1 | is_continued
 *                     is_continued: of the same block as the node before, of
 *                     which it follows alone, or is the other outcome
 *     n_lines times:
 *       Z(line - previous line) << 1 | file_follows
 *                     in order of appearance; "previous" runs through the
 *                     whole graph and starts at the definition's line
 *       [file F]      if file_follows; else the file stays (it starts with the
 *                     definition's)
 *   for each node that several edges of kind ARCLINE_EDGE_BRANCH leave, where
 *   the source chooses between them:
 *     Z(line - previous line) << 1 | file_follows
 *     [file F]
 *     column          0 if unknown
 *   for each node whose code has other lines than those, until the end:
 *     node - previous node
 *     n_lines << 1, and lines as above
 */
#ifndef ARCLINE_LINE_ENCODING_H
#define ARCLINE_LINE_ENCODING_H

#include <stdint.h>

/* Of an entry of ARCLINE_SECTION_LINES. */
#define ARCLINE_LINES_HEAD_BYTES 20
#define ARCLINE_LINES_IS_LIST 0
#define ARCLINE_LINES_IS_NAME 1
#define ARCLINE_LINES_IS_DECISIONS 2
#define ARCLINE_LINES_IS_DIGESTS 3

#define ARCLINE_DIGEST_BYTES 16

/** The id of the digests of a list of files. */
static inline uint64_t arcline_digests_id(uint64_t list_id) {
  return list_id * 0x9e3779b97f4a7c15 + 2;
}

#endif
