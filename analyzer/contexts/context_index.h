/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the index of a suite's contexts (arcline/context_format.h): for each
 * test, the functions that it ran in each executable and library, and the lines
 * if they were asked for. Every size is checked before it is used.
 *
 * Of several builds of an object, the one that ran last is current; runs of the
 * others are stale.
 */
#ifndef ARCLINE_CONTEXT_INDEX_H
#define ARCLINE_CONTEXT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/context_format.h"
#include "gmon/gmon_file.h"

struct err;

/** A source file. */
struct context_file {
  const char *path;
  const char *version; /* name of its contents in git; "": unknown */
};

struct context_line {
  uint32_t i_file; /* of the object's files */
  uint32_t line;
};

struct context_func {
  const char *name; /* linkage name */
  struct context_line pos;
  uint32_t first_line, n_lines; /* of its code, in the object's lines */
  bool is_made;                 /* by the compiler */
};

/** A build of an executable or library. */
struct context_object {
  const char *path;
  const uint8_t *build_id;
  size_t n_build_id;
  bool has_lines;  /* runs have a bit for each line, too */
  bool is_current; /* no other build of that path ran later */
  struct context_file *files;
  size_t n_files;
  struct context_func *funcs;
  size_t n_funcs;
  struct context_line *lines;
  size_t n_lines;
  char *owned_path; /* private, as is the rest */
  uint8_t *plain;
  size_t n_plain;
};

#define CONTEXT_NO_NAME UINT32_MAX

/** A context's record of an object. */
struct context_run {
  uint32_t i_name; /* of the names; CONTEXT_NO_NAME: processes without one */
  uint32_t i_object;
  uint64_t state;
  size_t first_byte, n_bytes; /* private: compressed */
};

/** All zero is empty. */
struct context_index {
  struct gmon_file file;
  struct context_object *objects;
  size_t n_objects, max_objects;
  struct context_run *runs; /* in order of name and object, then as recorded */
  size_t n_runs, max_runs;
  const char **names; /* of contexts, sorted */
  size_t n_names;
  size_t n_valid; /* bytes of the file without a record that is cut off */
  char **owned;   /* private: names of runs */
};

/**
 * Read an index.
 *
 * path  kept by pointer. A missing file is an empty index.
 *
 * Returns 0; or -1 with *err set and *out empty. A record that is cut off at
 * the end is absent: the process that wrote it was killed.
 * Owns:   caller calls context_index_release(out).
 * Errors: unreadable, another version, damaged; no memory.
 */
int context_index_read(const char *path, struct context_index *out,
                       struct err *err);

/** Index of the first bit of lines in the bits of a run; those of functions
 * begin at 0. */
size_t context_object_first_line(const struct context_object *object);

/** Bytes of all bits. */
size_t context_object_bytes(const struct context_object *object);

static inline bool context_has_bit(const uint8_t *bits, size_t i) {
  return bits[i / 8] >> i % 8 & 1;
}

static inline void context_set_bit(uint8_t *bits, size_t i) {
  bits[i / 8] |= (uint8_t)(1 << i % 8);
}

/** Called with what a context has run in an object; run: the last one of
 * several. Returns 0, or -1 with *err set. */
typedef int context_visit(void *context, const struct context_run *run,
                          const uint8_t *bits, struct err *err);

/** Visit each context and object once, in order of names and objects; processes
 * without a context come last. Returns 0, or -1 with *err set: that of the
 * function, damage, no memory. */
int context_index_visit(const struct context_index *index, context_visit *visit,
                        void *context, struct err *err);

/** Number of the object of a build-id; SIZE_MAX: there is none. */
size_t context_index_find(const struct context_index *index,
                          const uint8_t *build_id, size_t n_build_id);

/** Free; an empty one may be released too. */
void context_index_release(struct context_index *index);

#endif
