/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads options that several commands have, with one name and one meaning. A
 * command has a line in its table for each group, and passes options that are
 * not its own to common_options_apply().
 */
#ifndef ARCLINE_COMMON_OPTIONS_H
#define ARCLINE_COMMON_OPTIONS_H

#include "base/archive.h"
#include "cmd/common_option_specs.h"
#include "cmd/project_root.h"
#include "debug/source.h"
#include "debug/source_filter.h"
#include "model/inputs.h"
#include "model/newest.h"
#include "model/thread_choice.h"

struct err;
struct model;

/** Values of these options. All zero is their default. */
struct common_options {
  struct inputs_options inputs;
  struct source_paths sources;
  struct source_filter filter; /* of coverage */
  struct thread_choice threads;
  const char *root_name;    /* --root; or NULL */
  struct project_root root; /* common_options_find_root() */
  const char *color;        /* or NULL: terminal_has_color() */
  bool is_without_pager;
  struct newest newest;   /* common_options_open() */
  struct archive archive; /* common_options_open_archive() */
};

/** Take such an option; others are none. Returns 0, or -1 with *err set. */
int common_options_apply(struct common_options *options, int id,
                         const char *value, struct err *err);

/** Take operands as images, profiles and side files; borrowed. */
void common_options_take_operands(struct common_options *options,
                                  char **operands, int n_operands);

/** Find the project's folder, or that of an archive if it is open, and hand it
 * to the filter. Returns 0, or -1 with *err set (no memory). */
int common_options_find_root(struct common_options *options,
                             const struct archive *archive, struct err *err);

/** The name by which an archive records an option that its readers get, too;
 * NULL: they do not. */
const char *common_options_name(int id);

/**
 * Read an archive: its files are used from now on.
 *
 * options  get those that the archive records.
 * sources  get the maps of names among them.
 *
 * Returns 0; or -1 with *err set and *out closed.
 * Owns:   caller calls archive_close(out) after common_options_release().
 */
int common_options_read_archive(struct common_options *options,
                                struct source_paths *sources, const char *path,
                                struct archive *out, struct err *err);

/** Read the archive that is the only operand, if it is one; the operands are
 * those of which it was made then. Returns 0, or -1 with *err set. */
int common_options_open_archive(struct common_options *options,
                                struct err *err);

/**
 * Open the program of a command and read its profiles: model_open_profiles().
 * An archive is opened. Operands that the user left out are found: the newest
 * profile, and its image.
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
