/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads and writes the files of `arcline gprof -A`: finds the source of each
 * file of the report and prints it to standard output, or to a file of its own.
 */
#ifndef ARCLINE_ANNOTATED_FILES_H
#define ARCLINE_ANNOTATED_FILES_H

#include <stdbool.h>

struct err;
struct profile;
struct gprof_output;
struct annotated_source_options;
struct source_paths;

/**
 * Print the annotated source of all files of a profile.
 *
 * separate_files  each file NAME goes to NAME-ann in the working directory.
 *
 * A source file that cannot be found is a warning. Returns 0; or -1 with *err
 * set (no memory, a file that cannot be written).
 */
int annotated_files_print(const struct profile *profile,
                          const struct annotated_source_options *options,
                          const struct source_paths *paths, bool separate_files,
                          struct gprof_output *output, struct err *err);

#endif
