/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the command line of `arcline gprof`: GNU gprof's options, and a few of
 * ours.
 */
#ifndef ARCLINE_GPROF_OPTIONS_H
#define ARCLINE_GPROF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/response_file.h"
#include "cmd/common_options.h"
#include "gmon/gmon_read.h"
#include "gprof/gprof.h"
#include "profile/symspec.h"

struct err;

/** Reports and files to write; a set of them. */
enum gprof_style {
  STYLE_FLAT = 1 << 0,
  STYLE_GRAPH = 1 << 1,
  STYLE_SOURCE = 1 << 2, /* annotated source */
  STYLE_EXEC = 1 << 3,   /* execution counts */
  STYLE_INFO = 1 << 4,   /* contents of each file */
  STYLE_SUM = 1 << 5,    /* gmon.sum */
  STYLE_FUNCTION_ORDER = 1 << 6,
  STYLE_FILE_ORDER = 1 << 7,
};

/** The parsed command line. Strings are borrowed from args. */
struct gprof_options {
  struct common_options common;
  struct response_args args; /* the command line, with response files read */
  unsigned styles;           /* asked for; enum gprof_style */
  unsigned mentioned;        /* asked for or against: no longer on by default */
  bool is_by_line;
  bool is_static_calls;  /* calls in the code are arcs, too */
  unsigned trace_topics; /* enum trace_topic */
  bool is_without_side;  /* side files beside profiles are passed over */
  long gnu_bugs;         /* GNU gprof's mistakes are wanted, too: those of
                            release 2.X, from 40; 0: none */
  unsigned symbol_flags; /* enum image_symbol_flags */
  const char *map_path;  /* of symbols to object files, or NULL */
  const char *list_path; /* of symbols, or NULL */
  enum gmon_format format;
  struct gprof_layout layout;
  struct symspec *specs; /* in order of appearance */
  size_t n_specs;
  bool is_every_line;      /* annotated source: label every line */
  bool is_separate_files;  /* annotated source: one file for each */
  unsigned long min_count; /* annotated source: less is marked */
  unsigned table_length;   /* annotated source: lines of the table */
};

/** The options, for parsing, --help and the manual page. */
extern const struct option_spec gprof_option_specs[];

/**
 * Read the command line.
 *
 * argv  copied.
 *
 * Returns the result of options_parse(); *out is released unless that is 0.
 * Owns:   caller releases *out.
 */
int gprof_options_parse(int argc, char **argv, struct gprof_options *out,
                        struct err *err);

/** Free; released options are empty. */
void gprof_options_release(struct gprof_options *options);

#endif
