/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Time that a report of one image does not show: that of other instrumented
 * objects of the same process.
 */
#ifndef ARCLINE_HIDDEN_TIME_H
#define ARCLINE_HIDDEN_TIME_H

struct model;

/** Time that is not shown is worth a sentence from here on. */
enum { HIDDEN_TIME_PERCENT = 20 };

/**
 * Say so, if it is much, and which command shows it. Profiles that cannot be
 * read have no time.
 *
 * n_samples  that are shown.
 */
void hidden_time_tell(const struct model *model, double n_samples);

#endif
