/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens a program, for every command: its objects - an executable and any
 * number of shared libraries - with the measurements, lines and symbols of
 * each. Each part is read when it is needed.
 *
 * A command opens one, for all views of it: those of functions
 * (graph_profile.h, inlined.h) and of lines (line_profile.h) borrow it.
 */
#ifndef ARCLINE_MODEL_H
#define ARCLINE_MODEL_H

#include "base/text_file.h"
#include "debug/file_naming.h"
#include "debug/file_table.h"
#include "gmon/gmon_read.h"
#include "image/image.h"
#include "image/symtab.h"
#include "measure/measure.h"
#include "model/inputs.h"
#include "model/model_symbols.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct lines;

struct model_object {
  struct symtab_object place; /* set by model_load_symbols() */
  struct image image;
  struct measure measure;  /* model_read_profiles() */
  struct lines *lines;     /* NULL: not opened yet; model_open_lines() */
  struct symtab own;       /* its symbols alone; model_load_own_symbols() */
  struct file_table known; /* private: names of files that the pass recorded */
  struct file_naming naming; /* private */
};

/** All zero is empty. */
struct model {
  struct inputs inputs;
  struct model_object *objects; /* as in the inputs */
  size_t n_objects;
  bool is_joined;
  bool has_chosen_threads;  /* time is of these alone: thread_choice.h */
  bool is_forced;           /* accept profiles that another image wrote */
  unsigned lines_flags;     /* enum lines_flags; as the next, to be set before
                               lines are read */
  bool has_plain_names;     /* of files: as debug information has them */
  bool keeps_blocks;        /* after flow_load(): for views that show code */
  struct measure_unit unit; /* of all samples */
  struct symtab symtab;     /* of all objects */
  bool is_listed;           /* symbols are of a list: without files and lines */
  struct text_file list;    /* private: its text */
  char **names;             /* generated ones, of symbols */
  size_t n_names, max_names;
};

/** How to read profiles. */
struct model_profiles {
  enum gmon_format format;
  unsigned flags; /* enum measure_flags */
  /* Called with the contents of each file; NULL: not called. */
  void (*on_file)(void *context, const char *path,
                  const struct measure_contents *contents);
  void *context;
};

/**
 * Open the images.
 *
 * inputs     moved into the model, in any case; the caller's is empty then.
 * is_forced  accept profiles and side files that another image wrote.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls model_close(out).
 */
int model_open(struct inputs *inputs, bool is_forced, struct model *out,
               struct err *err);

/**
 * Open the program of a command's operands: inputs_find(), model_open().
 *
 * has_sides  add the side files beside the profiles of a program of one image,
 *            too, which is then one of several objects: inputs_join_sides().
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls model_close(out); the targets of the options' pointers
 *         are borrowed until then.
 */
int model_open_program(const struct inputs_options *options, bool has_sides,
                       struct model *out, struct err *err);

/** Open a program with its side files and read its profiles: the beginning of
 * most commands. flags: enum measure_flags. The rest as
 * model_open_program(). */
int model_open_profiles(const struct inputs_options *options, unsigned flags,
                        struct model *out, struct err *err);

/**
 * Read the profiles of all objects. Once.
 *
 * Errors: those of gmon_open() and measure_add().
 */
int model_read_profiles(struct model *model,
                        const struct model_profiles *options, struct err *err);

/** Open an object's lines, unless they are open. */
int model_open_lines(const struct model *model, struct model_object *object,
                     struct err *err);

/** Number of the object of a side file's entry; SIZE_MAX: none. Of copies of an
 * image, the one with the profile that the file names. */
size_t model_find_object(const struct model *model,
                         const struct side_file *side,
                         const struct side_entry *entry);

/** Close; an empty one may be closed too. */
void model_close(struct model *model);

#endif
