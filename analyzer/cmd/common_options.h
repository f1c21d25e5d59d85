/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Options that several commands have, with one name and one meaning. A command
 * puts a line of its table for each group, and leaves what it does not know to
 * common_options_apply().
 */
#ifndef ARCLINE_COMMON_OPTIONS_H
#define ARCLINE_COMMON_OPTIONS_H

#include "base/options.h"
#include "debug/source.h"
#include "model/inputs.h"

struct err;

/** Ids behind those of commands. */
enum {
  OPT_IMAGES = 200,
  OPT_FORCE,
  OPT_DIRECTORIES,
  OPT_PATH_MAP,
  OPT_COLOR,
};

/** Of commands that read profiles. */
// clang-format off
#define OPTIONS_OF_INPUTS                                                      \
  {OPT_IMAGES, 0, "images", OPTION_ARGUMENT, "FOLDER",                         \
   "look for executables and libraries here, too, by build-id"},               \
  {OPT_FORCE, 0, "force", OPTION_NO_ARGUMENT, NULL,                            \
   "accept profiles that another image wrote"}

/** Of commands that show source text. */
#define OPTIONS_OF_SOURCES                                                     \
  {OPT_DIRECTORIES, 'I', "directory-path", OPTION_ARGUMENT, "DIRS",            \
   "look for source files in these directories, separated by colons"},         \
  {OPT_PATH_MAP, 0, "path-map", OPTION_ARGUMENT, "FROM=TO",                    \
   "sources that were compiled below FROM are now below TO"}

/** Of commands that print for people. */
#define OPTION_OF_COLOR                                                        \
  {OPT_COLOR, 0, "color", OPTION_ARGUMENT, "auto|always|never",                \
   "use colours; auto (default): on terminals"}
// clang-format on

/** What these options say. All zero is their default. */
struct common_options {
  struct inputs_options inputs;
  struct source_paths sources;
  const char *color; /* or NULL: terminal_has_color() */
};

/** Take such an option; others are none. Returns 0, or -1 with *err set. */
int common_options_apply(struct common_options *options, int id,
                         const char *value, struct err *err);

/** Take operands as images, profiles and side files; borrowed. */
void common_options_take_operands(struct common_options *options,
                                  char **operands, int n_operands);

/** Free; the operands may be in use until inputs_release(). */
void common_options_release(struct common_options *options);

#endif
