/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What may be why a profile is empty or odd: each finding is a line that says
 * what, and what to do. All that look return 0, or -1 with *err set (no
 * memory); whatever else goes wrong is a finding.
 */
#ifndef ARCLINE_DOCTOR_H
#define ARCLINE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct err;
struct inputs_options;

/** All zero: nothing was looked at. */
struct doctor {
  size_t n_findings;
};

/** Print a finding: "subject: what; advice". */
void doctor_find(struct doctor *doctor, const char *subject, const char *what,
                 const char *advice);

/** Make a finding of an error, unless it is of the system. */
int doctor_find_error(struct doctor *doctor, struct err *err);

/** Look at an executable or library: is it instrumented, has it debug
 * information? */
int doctor_look_at_image(struct doctor *doctor, const char *path,
                         struct err *err);

/** Look at profiles and side files, as other commands take them, and at what
 * they are of. */
int doctor_look_at_profiles(struct doctor *doctor,
                            const struct inputs_options *options,
                            struct err *err);

/** Whether a file has that name which the runtime gives to the one that its
 * messages are in, beside profiles of many processes. */
bool doctor_is_log(const char *path);

/** Print the messages in it. */
void doctor_look_at_log(struct doctor *doctor, const char *path);

/** The same of the one beside a profile or side file, or in a folder, if there
 * is one. */
int doctor_look_for_log(struct doctor *doctor, const char *profile,
                        struct err *err);

/** Look at a running program. */
int doctor_look_at_process(struct doctor *doctor, pid_t pid, struct err *err);

#endif
