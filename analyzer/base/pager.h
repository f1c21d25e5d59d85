/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Shows standard output page by page, as git does: by the program in
 * ARCLINE_PAGER or PAGER, by default less, with LESS=FRX unless LESS is set. An
 * empty value, or cat, turns paging off.
 */
#ifndef ARCLINE_PAGER_H
#define ARCLINE_PAGER_H

/** Begin, when all input was read and only formatting is left. If no pager can
 * be run, output is not redirected. */
void pager_begin(void);

/** Flush the output to the pager, and wait until the user ends it. */
void pager_end(void);

#endif
