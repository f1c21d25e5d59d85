/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Specifies options that several commands have: lines for the tables of these.
 * Their values are in common_options.h.
 */
#ifndef ARCLINE_COMMON_OPTION_SPECS_H
#define ARCLINE_COMMON_OPTION_SPECS_H

#include "base/options.h"

/** Ids after those of commands. */
enum {
  OPT_IMAGES = 200,
  OPT_FORCE,
  OPT_DIRECTORIES,
  OPT_PATH_MAP,
  OPT_ALSO,
  OPT_INCLUDE,
  OPT_EXCLUDE,
  OPT_INCLUDE_FUNCTION,
  OPT_EXCLUDE_FUNCTION,
  OPT_ROOT,
  OPT_MARKER,
  OPT_NO_MARKERS,
  OPT_THREAD,
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
  {OPT_ALSO, 0, "also", OPTION_ARGUMENT, "IMAGE",                              \
   "cover IMAGE, which has not run, too; or a folder"},                        \
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

/** Of commands that show time. */
#define OPTION_OF_THREADS                                                      \
  {OPT_THREAD, 0, "thread", OPTION_ARGUMENT, "NAME",                           \
   "show only the time of threads of this name or ID"}

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

#endif
