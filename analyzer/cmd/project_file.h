/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads a project's arcline.ini: options that its commands get on every run,
 * before those of the command line. A key is the long name of an option; keys
 * before the first section are common options, for each command that has them;
 * a section [COMMAND] has options of that command. `profiles` is the folder
 * that commands without operands read.
 *
 * Names of files and folders are relative to the file's folder.
 */
#ifndef ARCLINE_PROJECT_FILE_H
#define ARCLINE_PROJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct command;
struct err;

/** A key and its value. */
struct project_setting {
  const struct command *command; /* NULL: all that have the option */
  char *key;
  char *word;    /* as of a command line: --key=value; NULL: nothing to pass */
  char *value;   /* as in the file */
  unsigned line; /* of the file */
};

/** All zero: there is no file. */
struct project_file {
  char *path; /* NULL: there is none */
  struct project_setting *settings;
  size_t n_settings, max_settings;
  char *profiles; /* folder; NULL: none is named */
};

/**
 * Find and read the file: that of the environment variable ARCLINE_CONFIG (none
 * if it is empty), or arcline.ini in the working directory or the nearest one
 * above that has it. A file that another user owns is ignored with a warning:
 * it might name a file to overwrite.
 *
 * table  all commands, ended by NULL; borrowed by *out.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls project_file_release(out).
 * Errors: a line that is no section, key or comment; an unknown section or key;
 *         a value that the option does not accept; no memory.
 */
int project_file_find(const struct command *const *table,
                      struct project_file *out, struct err *err);

/** Does a setting apply to a command? */
bool project_setting_is_for(const struct project_setting *setting,
                            const struct command *command);

/**
 * Insert the words of a command after argv[0].
 *
 * Returns 0 and a new argv, whose words are borrowed; or -1 with *err set (no
 * memory).
 * Owns:   caller frees *out_argv.
 */
int project_file_arguments(const struct project_file *file,
                           const struct command *command, int argc, char **argv,
                           int *out_argc, char ***out_argv, struct err *err);

/** The setting that a word of project_file_arguments() is from; NULL: none. */
const struct project_setting *
project_file_setting_of(const struct project_file *file, const char *word);

/** Free; an empty one may be released too. */
void project_file_release(struct project_file *file);

#endif
