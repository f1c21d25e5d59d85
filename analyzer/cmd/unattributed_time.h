/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Time that a report does not show where it belongs: that of other instrumented
 * objects of the same process, and that which no caller has.
 */
#ifndef ARCLINE_UNATTRIBUTED_TIME_H
#define ARCLINE_UNATTRIBUTED_TIME_H

struct graph_profile;
struct model;

/** Time that is not shown is worth a sentence from here on. */
enum { UNATTRIBUTED_TIME_PERCENT = 20 };

/**
 * Say so, if it is much, and which command shows it. Profiles that cannot be
 * read have no time.
 *
 * n_samples  that are shown.
 */
void unattributed_time_warn(const struct model *model, double n_samples);

/** Say so, if much time is in functions of which no caller is known, as in
 * those that libraries call among themselves, and how callers are measured. */
void unattributed_time_warn_uncalled(const struct graph_profile *program);

#endif
