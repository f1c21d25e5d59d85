/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads options that several commands have, with one name and one meaning. A
 * command has a line in its table for each group, and passes options that are
 * not its own to common_options_apply().
 */
#ifndef ARCLINE_COMMON_OPTIONS_H
#define ARCLINE_COMMON_OPTIONS_H

#include "base/options.h"
#include "cmd/project_root.h"
#include "debug/source.h"
#include "debug/source_filter.h"
#include "model/inputs.h"
#include "model/newest.h"

struct err;
struct model;

/** Ids after those of commands. */
enum {
  OPT_IMAGES = 200,
  OPT_FORCE,
  OPT_DIRECTORIES,
  OPT_PATH_MAP,
  OPT_INCLUDE,
  OPT_EXCLUDE,
  OPT_INCLUDE_FUNCTION,
  OPT_EXCLUDE_FUNCTION,
  OPT_ROOT,
  OPT_MARKER,
  OPT_NO_MARKERS,
  OPT_COLOR,
  OPT_NO_PAGER,
};

/** Of commands that read profiles. */
// clang-format off
#define OPTIONS_OF_INPUTS                                                      \
  {OPT_IMAGES, 0, "images", OPTION_ARGUMENT, "FOLDER",                         \
   "search FOLDER for images, too, by build ID"},                              \
  {OPT_FORCE, 0, "force", OPTION_NO_ARGUMENT, NULL,                            \
   "ignore build IDs that differ"}

/** Of commands that name source files. */
#define OPTION_OF_PATH_MAP                                                     \
  {OPT_PATH_MAP, 0, "path-map", OPTION_ARGUMENT, "FROM=TO",                    \
   "replace prefix FROM of source paths by TO"}

/** Of commands that print coverage. */
#define OPTIONS_OF_COVERAGE                                                    \
  {OPT_INCLUDE, 0, "include", OPTION_ARGUMENT, "PATTERN",                      \
   "cover only source files that match"},                                      \
  {OPT_EXCLUDE, 0, "exclude", OPTION_ARGUMENT, "PATTERN",                      \
   "do not cover source files that match"},                                    \
  {OPT_INCLUDE_FUNCTION, 0, "include-function", OPTION_ARGUMENT, "NAME",       \
   "cover only functions of this name"},                                       \
  {OPT_EXCLUDE_FUNCTION, 0, "exclude-function", OPTION_ARGUMENT, "NAME",       \
   "do not cover functions of this name"},                                     \
  {OPT_ROOT, 0, "root", OPTION_ARGUMENT, "FOLDER",                             \
   "cover only source files below FOLDER; / for all"},                         \
  {OPT_MARKER, 0, "marker", OPTION_ARGUMENT, "KIND=TEXT",                      \
   "exclude code by comments with TEXT, too"},                                 \
  {OPT_NO_MARKERS, 0, "no-markers", OPTION_NO_ARGUMENT, NULL,                  \
   "ignore LCOV_EXCL_LINE and similar comments"}

/** Of commands that show source text. */
#define OPTIONS_OF_SOURCES                                                     \
  {OPT_DIRECTORIES, 'I', "directory-path", OPTION_ARGUMENT, "DIRS",            \
   "search these directories for source files"},                               \
  OPTION_OF_PATH_MAP

/** Of commands that print for people. */
#define OPTION_OF_COLOR                                                        \
  {OPT_COLOR, 0, "color", OPTION_ARGUMENT, "auto|always|never",                \
   "use colours (default auto: on a terminal)"}

/** Of commands that print more than a screen. */
#define OPTIONS_OF_PAGER                                                       \
  {OPT_NO_PAGER, 0, "no-pager", OPTION_NO_ARGUMENT, NULL,                      \
   "do not use a pager"}
// clang-format on

/** Operands of commands that read profiles, for their --help. */
#define OPERANDS_OF_INPUTS                                                     \
  "Without operands, reads the newest profile in the current folder; with an " \
  "IMAGE\nalone, the newest profile of that image. Several profiles are "      \
  "added up. Several\nIMAGEs, each with its profiles, are one program; a "     \
  "SIDE-FILE (gmon.out.arcline)\nnames them itself.\n"

/** Values of these options. All zero is their default. */
struct common_options {
  struct inputs_options inputs;
  struct source_paths sources;
  struct source_filter filter; /* of coverage */
  const char *root_name;       /* --root; or NULL */
  struct project_root root;    /* common_options_find_root() */
  const char *color;           /* or NULL: terminal_has_color() */
  bool is_without_pager;
  struct newest newest; /* common_options_open() */
};

/** Take such an option; others are none. Returns 0, or -1 with *err set. */
int common_options_apply(struct common_options *options, int id,
                         const char *value, struct err *err);

/** Take operands as images, profiles and side files; borrowed. */
void common_options_take_operands(struct common_options *options,
                                  char **operands, int n_operands);

/** Find the project's folder and hand it to the filter. Returns 0, or -1 with
 * *err set (no memory). */
int common_options_find_root(struct common_options *options, struct err *err);

/**
 * Open the program of a command and read its profiles: model_open_profiles().
 * Operands that the user left out are found: the newest profile, and its image.
 *
 * command  its name, for the error.
 * flags    enum measure_flags.
 *
 * Returns 0; or -1 with *err set and *out empty. See newest_complete(), too.
 * Owns:   caller calls model_close(out), before common_options_release().
 */
int common_options_open(struct common_options *options, const char *command,
                        unsigned flags, struct model *out, struct err *err);

/** Show output from now on page by page, if it is for a terminal and no option
 * prevents it; until pager_end(). */
void common_options_begin_pager(const struct common_options *options);

/** Free; the operands may be in use until inputs_release(). */
void common_options_release(struct common_options *options);

#endif
