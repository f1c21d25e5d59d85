/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Decodes calls in the code of a program: the function that each leads to,
 * directly or by the linker's stubs. A frame of a call stack returns to the
 * instruction after such a call; if the function that was called is not the
 * next frame, it ended in a jump to another one (a tail call).
 */
#ifndef ARCLINE_CALL_DECODER_H
#define ARCLINE_CALL_DECODER_H

#include <stddef.h>
#include <stdint.h>

struct call_code;
struct err;
struct side_join;

/** All zero is empty. */
struct call_decoder {
  const struct side_join *join; /* private, like all below */
  struct call_code *codes;      /* by object; read when they are asked for */
};

/**
 * join  borrowed until call_decoder_release().
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 */
int call_decoder_init(const struct side_join *join, struct call_decoder *out,
                      struct err *err);

/**
 * The symbol of the function that a call leads to.
 *
 * i_object    of the program; SIZE_MAX: none.
 * last_vaddr  of the call's last byte.
 *
 * Returns 0 and sets *i_symbol, to SIZE_MAX if there is no such call or its
 * callee is not in the code; or -1 with *err set (no memory).
 */
int call_decoder_find(const struct call_decoder *targets, size_t i_object,
                      uint64_t last_vaddr, size_t *i_symbol, struct err *err);

/** Is a place in the linker's stubs? Returns 1 or 0; or -1 with *err set. */
int call_decoder_is_stub(const struct call_decoder *targets, size_t i_object,
                         uint64_t vaddr, struct err *err);

/** Free; an empty one may be released too. */
void call_decoder_release(struct call_decoder *targets);

#endif
