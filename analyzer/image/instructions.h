/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Disassembles machine code into text, an instruction at a time: x86 by Zydis,
 * in AT&T syntax; AArch64 by capstone, if that is installed. Capstone is loaded
 * on demand, since linking with it would add a millisecond to each start.
 */
#ifndef ARCLINE_INSTRUCTIONS_H
#define ARCLINE_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct image;

struct instruction {
  uint64_t vaddr;
  size_t n_bytes;
  const char *text; /* until the next one; "(bad)": not an instruction */
};

/** Called for each instruction. Returns 0 to continue. */
typedef int instruction_found(void *context,
                              const struct instruction *instruction);

/** Can code of the image's machine be listed? Returns 0, or -1 with *err set.
 */
int instructions_check(const struct image *image, struct err *err);

/**
 * List the instructions in a stretch of code, in order.
 *
 * image  accepted by instructions_check().
 * bytes  begin with an instruction.
 *
 * Returns 0, or what `found` returned if that was not 0.
 */
int instructions_list(const struct image *image, const uint8_t *bytes,
                      size_t n_bytes, uint64_t vaddr, instruction_found *found,
                      void *context);

#endif
