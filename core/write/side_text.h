/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the lines of a side file; docs/FORMAT.md, "Side file", describes
 * their meaning and order. */
#ifndef ARCLINE_WRITE_SIDE_TEXT_H
#define ARCLINE_WRITE_SIDE_TEXT_H

#include "solve/arc.h"
#include "write/sink.h"

/** An object, whether it is instrumented or not. */
struct write_object {
  size_t index;
  const uint8_t *build_id;
  size_t n_build_id; /* 0: none, or unknown */
  uint64_t load_bias;
  const char *file; /* base name of its gmon file, or "-" */
  const char *path;
};

/* Pieces of lines; each begins with a space, but for texts. */
void write_side_text(struct write_sink *sink, const char *text);
void write_side_number(struct write_sink *sink, uint64_t number);
void write_side_address(struct write_sink *sink, uint64_t address);
/** A path or name, as one word. */
void write_side_word(struct write_sink *sink, const char *text);

/* Lines. */
void write_side_begin(struct write_sink *sink);
void write_side_process(struct write_sink *sink, uint64_t pid,
                        const char *program);
/** rate: 0 if there are no samples. */
void write_side_clock(struct write_sink *sink, const char *dimension,
                      uint64_t rate);
void write_side_object(struct write_sink *sink,
                       const struct write_object *object);
void write_side_range(struct write_sink *sink, size_t index, uint64_t low_vaddr,
                      uint64_t high_vaddr);
/** A call between objects, unless its count is 0 or below.
 *
 * index     of the object whose profile it was taken out of.
 * index_of  index of each object by its number; n_numbers of them.
 * name      of the callee; used if only the name is known. */
void write_side_call(struct write_sink *sink, size_t index,
                     const struct solve_arc *arc, const size_t *index_of,
                     size_t n_numbers, const char *name);
void write_side_end(struct write_sink *sink);

#endif
