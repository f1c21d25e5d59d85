/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds calls and jumps in machine code whose targets are in the instruction:
 * on x86-64, i386 and AArch64.
 */
#ifndef ARCLINE_DISASSEMBLE_H
#define ARCLINE_DISASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;

/** A call, or a jump, conditional or not. */
struct branch {
  uint64_t from_vaddr; /* of the instruction */
  uint64_t to_vaddr;   /* the target; with is_slot: address of a pointer to
                          it */
  bool is_call;        /* returns */
  bool is_slot;
};

/** Called for each branch. Returns 0 to continue. */
typedef int branch_found(void *context, const struct branch *branch);

/** Is code of the image's machine supported? */
bool disassemble_is_known(const struct image *image);

/**
 * Find the branches in a stretch of code, in order.
 *
 * bytes  begin with an instruction. Bytes that are no instruction are skipped.
 *
 * Returns 0, or what `found` returned if that was not 0.
 */
int disassemble_branches(const struct image *image, const uint8_t *bytes,
                         size_t n_bytes, uint64_t vaddr, branch_found *found,
                         void *context);

/**
 * Find the target of the direct call that ends where the bytes end.
 *
 * bytes  any data may precede them; a match need not be a call.
 * vaddr  of the first byte.
 *
 * Returns true and sets *to_vaddr, or false: there is none.
 */
bool disassemble_call_before(const struct image *image, const uint8_t *bytes,
                             size_t n_bytes, uint64_t vaddr,
                             uint64_t *to_vaddr);

/**
 * Find the pointer that a linker's stub jumps through.
 *
 * base_vaddr  image_slots.base_vaddr.
 *
 * Returns true and sets *slot_vaddr, or false: not such a stub.
 */
bool disassemble_stub(const struct image *image, const uint8_t *bytes,
                      size_t n_bytes, uint64_t vaddr, uint64_t base_vaddr,
                      uint64_t *slot_vaddr);

#endif
