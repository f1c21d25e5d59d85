/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defines where counts of contexts are: the folders that processes add to when
 * ARCLINE_CONTEXT names a test, and the layout of the index that `arcline
 * tests` makes of them. docs/FORMAT.md is the normative text. */
#ifndef ARCLINE_CONTEXT_FORMAT_H
#define ARCLINE_CONTEXT_FORMAT_H

#include <stdint.h>

/* In the folder of out=: pools of all contexts together. Each context has a
   folder in it until its counts are in the index. */
#define ARCLINE_CONTEXTS_FOLDER "arcline.contexts"
#define ARCLINE_CONTEXTS_INDEX "index"

#define ARCLINE_CONTEXT_MAX_BYTES 1024 /* of its folder, with a NUL */
#define ARCLINE_CONTEXT_PART_BYTES 200 /* of each part of that */

#define ARCLINE_CONTEXT_MAGIC "arcctx" /* with two NULs */
#define ARCLINE_CONTEXT_MAGIC_BYTES 8
#define ARCLINE_CONTEXT_VERSION 1
#define ARCLINE_CONTEXT_START_BYTES 16 /* magic, u32 version, u32 0 */

enum arcline_context_kind {
  ARCLINE_CONTEXT_OBJECT = 1, /* an executable or library */
  ARCLINE_CONTEXT_RUN = 2,    /* the functions that a context has run in it */
};

enum { ARCLINE_CONTEXT_HAS_LINES = 1 }; /* flag of an object */

/** The head of a record in the index; its name and its bytes follow. All
 * numbers are little-endian. */
struct arcline_context_head {
  uint32_t head_checksum; /* of the rest of the head: CRC-32 */
  uint32_t kind;
  uint32_t object;   /* of a run: number of its record among objects, from 0 */
  uint32_t n_name;   /* of an object: its path; of a run: the context, or 0 for
                        processes without one */
  uint32_t n_bytes;  /* in zlib's format */
  uint32_t n_plain;  /* the same, uncompressed */
  uint32_t checksum; /* of name and bytes: CRC-32 */
  uint64_t state; /* of a run without a context: hash of the name and sequence
                     of the pool */
};
#define ARCLINE_CONTEXT_HEAD_BYTES 36

static inline int arcline_context_is_plain(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || byte == '-' ||
         byte == '+' || byte == '=' || byte == ',' || byte == '@' ||
         byte == '.' || byte == '[' || byte == ']';
}

/** Is it the name of the index? */
static inline int arcline_context_is_index(const char *name) {
  static const char index[] = ARCLINE_CONTEXTS_INDEX;
  unsigned i = 0;

  while (index[i] && name[i] == index[i])
    i++;
  return !index[i] && !name[i];
}

/** Make the name of a context's folder. Bytes that are not plain are %XX, as is
 * a period at the start of a part, and the first byte of the name that the
 * index beside it has.
 *
 * out  ARCLINE_CONTEXT_MAX_BYTES.
 *
 * Returns its length; 0: the name is empty or too long. */
static inline unsigned arcline_context_folder(const char *name, char *out) {
  static const char digits[] = "0123456789ABCDEF";
  const int is_index = arcline_context_is_index(name);
  unsigned n = 0, n_part = 0;

  for (; *name; name++) {
    const unsigned char byte = (unsigned char)*name;
    if (n + 5 > ARCLINE_CONTEXT_MAX_BYTES) {
      out[0] = 0;
      return 0;
    }
    if (n_part + 3 > ARCLINE_CONTEXT_PART_BYTES) {
      out[n++] = '/';
      n_part = 0;
    }
    if (arcline_context_is_plain(byte) && (byte != '.' || n_part) &&
        (n > 0 || !is_index)) {
      out[n++] = (char)byte;
      n_part++;
      continue;
    }
    out[n++] = '%';
    out[n++] = digits[byte >> 4];
    out[n++] = digits[byte & 15];
    n_part += 3;
  }
  out[n] = 0;
  return n;
}

#endif
