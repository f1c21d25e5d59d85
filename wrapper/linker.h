/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Identifies the linker that a compiler runs. */
#ifndef ARCLINE_WRAPPER_LINKER_H
#define ARCLINE_WRAPPER_LINKER_H

#include <stdbool.h>

#include "args.h"

/**
 * Is the linker GNU ld, of a version that drops a section together with the one
 * that it is linked to (SHF_LINK_ORDER)? Others are gold, lld, mold and GNU ld
 * before 2.35.
 *
 * compiler  is run to print the link that it would run, as is the linker to
 *           print its version; both take 40 ms.
 * args      of the compiler.
 */
bool linker_is_gnu_ld(const char *compiler, const struct args *args);

#endif
