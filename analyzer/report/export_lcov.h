/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Line, function and branch counts as lcov's tracefile (".info"), which
 * genhtml and most services for test coverage read. Functions have their
 * linkage names, as from lcov's own collector.
 */
#ifndef ARCLINE_EXPORT_LCOV_H
#define ARCLINE_EXPORT_LCOV_H

#include "report/export.h"

/**
 * Write a tracefile: one section per file that has lines, in order of name.
 *
 * By default branches that choose the handler of an exception are left out:
 * nobody wrote them, and older readers cannot tell them from others.
 *
 * Source: geninfo(1), "FILES".
 */
export_writer export_lcov;

#endif
