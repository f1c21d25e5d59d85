/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Expands response files: an argument @FILE is replaced by the arguments in
 * FILE, as with the GNU tools. Blanks and newlines separate them; single and
 * double quotes and backslashes protect.
 */
#ifndef ARCLINE_RESPONSE_FILE_H
#define ARCLINE_RESPONSE_FILE_H

struct err;

/** A copied command line. All zero is empty. */
struct response_args {
  int argc;
  char **argv; /* ends with NULL */
};

/**
 * Copy a command line, with each @FILE replaced by its contents, in which
 * @FILEs are replaced as well. One that cannot be opened stays as it is, as
 * does argv[0].
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls response_args_release(out).
 * Errors: a FILE that is a folder, a pipe or a device; files that include
 *         themselves; more text than any command line needs; memory.
 */
int response_args_expand(int argc, char **argv, struct response_args *out,
                         struct err *err);

/** Free; an empty one may be released too. The strings of argv go with it. */
void response_args_release(struct response_args *args);

#endif
