/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Numbers places in the functions of a program: a function and a source line of
 * its code. Code that was inlined into a function has its own lines, even in
 * another file.
 */
#ifndef ARCLINE_CODE_PLACES_H
#define ARCLINE_CODE_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/map64.h"
#include "profile/stack_tree.h"

struct err;
struct graph_profile;

struct code_place {
  uint32_t i_symbol; /* of the model */
  uint32_t line;     /* 0: unknown */
  const char *file;  /* NULL: unknown */
  uint64_t vaddr;    /* link-time: of some code there */
  double ticks;      /* of samples that histograms have there */
  uint32_t next;     /* private: of the same symbol and line */
};

/** All zero is empty. */
struct code_places {
  const struct graph_profile *program;
  struct code_place *places; /* those of whole functions first, by symbol */
  size_t n_places, max_places;
  struct map64 index; /* private: symbol and line -> a place */
};

/**
 * Begin with the places of whole functions.
 *
 * program  its symbols have files and lines; borrowed until
 *          code_places_release().
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 */
int code_places_init(struct code_places *out,
                     const struct graph_profile *program, struct err *err);

/** The place of a vaddr of an object that is in a function: find() of struct
 * stack_places, with struct code_places as context. That of the whole function,
 * if there is no line. */
int code_places_find(void *context, uint32_t i_symbol, size_t i_object,
                     uint64_t vaddr, uint32_t *i_place, struct err *err);

/** Add the samples of all histograms to the places that they are in. Returns 0,
 * or -1 with *err set (an object's debug information; no memory). */
int code_places_add_times(struct code_places *places, struct err *err);

/** Free; an empty one may be released too. */
void code_places_release(struct code_places *places);

#endif
