/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Warns of time that a report does not attribute: time of other instrumented
 * objects of the same process, and time of functions without a known caller.
 */
#ifndef ARCLINE_UNATTRIBUTED_TIME_H
#define ARCLINE_UNATTRIBUTED_TIME_H

#include <stdbool.h>

struct graph_profile;
struct model;

/** Less is not worth a warning. */
enum { UNATTRIBUTED_TIME_PERCENT = 20, UNATTRIBUTED_TIME_SAMPLES = 10 };

/** Are the samples that are not shown a large part of n_samples? Few of them do
 * not count: most are in the start of programs, if not there by chance. */
bool unattributed_time_is_much(double n_hidden, double n_samples);

/**
 * Warn if much time is in other objects, and name the command that shows it.
 * Profiles that cannot be read have no time.
 *
 * n_samples  that are shown.
 */
void unattributed_time_warn(const struct model *model, double n_samples);

/** Warn if much time is in functions without a known caller, such as those that
 * libraries call among themselves, and name the option that measures callers.
 */
void unattributed_time_warn_uncalled(const struct graph_profile *program);

#endif
