/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds reasons for an empty or odd profile: each finding is a line with the
 * reason and advice. All checks return 0, or -1 with *err set (no memory); all
 * other errors are findings.
 */
#ifndef ARCLINE_DOCTOR_H
#define ARCLINE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct err;
struct inputs_options;

/** All zero: nothing was checked. */
struct doctor {
  size_t n_findings;
};

/** Print a finding: "subject: what; advice". */
void doctor_find(struct doctor *doctor, const char *subject, const char *what,
                 const char *advice);

/** Make a finding of an error, unless it is of the system. */
int doctor_find_error(struct doctor *doctor, struct err *err);

/** Check an executable or library: is it instrumented, has it debug
 * information? */
int doctor_check_image(struct doctor *doctor, const char *path,
                       struct err *err);

/** Check profiles and side files, named as for other commands, and their
 * images. */
int doctor_check_profiles(struct doctor *doctor,
                          const struct inputs_options *options,
                          struct err *err);

/** Has a file the name that the runtime gives to the file of its messages, next
 * to profiles of many processes? */
bool doctor_is_log(const char *path);

/** Print the messages in it. */
void doctor_print_log(struct doctor *doctor, const char *path);

/** The same of the one beside a profile or side file, or in a folder, if there
 * is one. */
int doctor_print_log_of(struct doctor *doctor, const char *profile,
                        struct err *err);

/** Check a running program. */
int doctor_check_process(struct doctor *doctor, pid_t pid, struct err *err);

#endif
