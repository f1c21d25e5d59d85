/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Shows standard output page by page, as git does: by what ARCLINE_PAGER or
 * PAGER says, else by less, with LESS=FRX unless the user has options of his
 * own. An empty one, or cat, is none.
 */
#ifndef ARCLINE_PAGER_H
#define ARCLINE_PAGER_H

/** Begin, once all is known that is printed. Without a pager that can be run,
 * output goes where it went. */
void pager_begin(void);

/** Hand over what was printed, and wait until the user has seen it. */
void pager_end(void);

#endif
