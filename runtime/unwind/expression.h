/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Evaluates expressions in unwind tables: linkers write them for procedure
 * linkage tables, compilers for functions that align their stack. */
#ifndef ARCLINE_RT_EXPRESSION_H
#define ARCLINE_RT_EXPRESSION_H

#include "unwind/cursor.h"
#include "unwind/registers.h"

/**
 * Compute an expression.
 *
 * code       what is left of the cursor.
 * registers  of the frame.
 * memory     what it may read.
 * initial    what the stack of values begins with, or NULL.
 *
 * Returns whether that was possible: false if it asks for what is not known or
 * not there, jumps, or is longer than compilers make them. Runs: hook.
 * Source: DWARF 5, 2.5 and 6.4.2.
 */
bool rt_expression(struct rt_cursor *code, const struct rt_registers *registers,
                   struct rt_safe_reader *memory, const uint64_t *initial,
                   uint64_t *out);

#endif
