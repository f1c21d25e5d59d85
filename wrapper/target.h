/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Determines the machine that clang generates code for, and whether the
 * runtime has a port to it. */
#ifndef ARCLINE_WRAPPER_TARGET_H
#define ARCLINE_WRAPPER_TARGET_H

/**
 * The machine of a program, as `uname -m` names it.
 *
 * triple  of --target; NULL: the machine of this program.
 * width   the last of -m16, -m32, -mx32 and -m64; NULL if there is none.
 *
 * Returns NULL if the runtime has no port to it.
 */
const char *target_machine(const char *triple, const char *width);

/** The machine of this program. */
const char *target_own_machine(void);

#endif
