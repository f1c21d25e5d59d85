/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reports code that coverage leaves out, for commands whose output has no
 * place for it. */
#ifndef ARCLINE_COVERAGE_NOTES_H
#define ARCLINE_COVERAGE_NOTES_H

struct line_profile;

/** Warn if no source file of the project can be read, so that comments exclude
 * nothing. profile: line_profile_exclude() was called. */
void coverage_notes_warn(const struct line_profile *profile);

/** The same, and print the number of files outside of the project, and of
 * lines, functions and branches that comments and names exclude, to stderr;
 * nothing if there are none. */
void coverage_notes_print(const struct line_profile *profile);

#endif
