/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds bodies of functions in a source file, and checks whether a change is in
 * them alone: then it has no effect unless one of these functions runs. In case
 * of doubt it is not.
 */
#ifndef ARCLINE_C_BODIES_H
#define ARCLINE_C_BODIES_H

#include "contexts/c_text.h"

/** The body of a function: offsets of its braces. */
struct c_body {
  size_t open, close;
  bool is_constant; /* the compiler may compute its value or type */
  bool is_lambda;
};

/**
 * Find the body of the function that is defined at a line, from 1.
 *
 * Returns false if there is none, or if it is not sure.
 */
bool c_body_find(const struct c_text *text, const size_t *line_starts,
                 size_t n_lines, uint32_t line, struct c_body *out);

/** A change: bytes of the old text that bytes of the new one replace. */
struct c_change {
  size_t old_first, old_end;
  size_t new_first, new_end;
};

/** Leave out the bytes at both ends that are the same. */
void c_change_trim(const struct c_text *old, const struct c_text *new,
                   struct c_change *change);

enum c_effect {
  C_NO_EFFECT, /* comments and blanks */
  C_LOCAL,     /* code of which the texts before and after are independent */
  C_ANY,       /* of a directive, an unbalanced brace, and so on */
};

/** Classify a change, trimmed. */
enum c_effect c_change_effect(const struct c_text *old,
                              const struct c_text *new,
                              const struct c_change *change);

/** Is a change, local and trimmed, in the body? is_new: the body is of the new
 * text. */
bool c_body_has(const struct c_body *body, const struct c_text *old,
                const struct c_text *new, const struct c_change *change,
                bool is_new);

#endif
