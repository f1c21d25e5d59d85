/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Evaluates expressions in unwind tables: linkers write them for procedure
 * linkage tables, compilers for functions that align their stack. */
#ifndef ARCLINE_RT_EXPRESSION_H
#define ARCLINE_RT_EXPRESSION_H

#include "unwind/cursor.h"
#include "unwind/registers.h"

/** Compute an expression.
 *
 * code       the rest of the cursor.
 * registers  of the frame.
 * memory     that it may read.
 * initial    first value on the stack, or NULL.
 *
 * Returns false if it needs an unknown register or unmapped memory, jumps, or
 * is longer than compilers make them. Runs: hook. Source: DWARF 5, 2.5 and
 * 6.4.2. */
bool rt_expression(struct rt_cursor *code, const struct rt_registers *registers,
                   struct rt_safe_reader *memory, const uint64_t *initial,
                   uint64_t *out);

#endif
