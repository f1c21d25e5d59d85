/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The objects of a program - its executable and any number of shared libraries
 * - and one table of the symbols of them all. Each object has a place of its
 * own among the addresses of the table, so that none collide; a program of one
 * object that was not joined with others keeps its addresses.
 */
#ifndef ARCLINE_PROGRAM_H
#define ARCLINE_PROGRAM_H

#include "base/text_file.h"
#include "image/image.h"
#include "image/symtab.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct file_map;
struct inputs;
struct lines;

struct program_object {
  struct symtab_object place; /* set by program_load_symbols() */
  struct image image;
  struct lines *lines; /* NULL: not opened yet */
};

/** All zero is empty. */
struct program {
  struct program_object *objects; /* as in the inputs */
  size_t n_objects;
  bool is_joined;
  unsigned lines_flags; /* enum lines_flags */
  struct symtab symtab;
  bool is_listed;        /* symbols are of a list: without files and lines */
  struct text_file list; /* private: its text */
  char **names;          /* made up ones, of symbols */
  size_t n_names, max_names;
};

/** How much to find out about symbols. */
struct program_symbols {
  unsigned image_flags;       /* enum image_symbol_flags */
  bool has_files;             /* locate all functions */
  bool has_lines;             /* add lines; needs has_files */
  const struct file_map *map; /* for image_load_symbols() */
  const char *list_path; /* take symbols from this list (symbol_list.h), of one
                            image only, and nothing more; NULL: from images */
  bool is_gnu_bugs;      /* do without split debug information, too */
};

/**
 * Open the images.
 *
 * inputs  borrowed until program_close().
 *
 * Returns 0; or -1 with *err set and *out empty.
 */
int program_open(const struct inputs *inputs, struct program *out,
                 struct err *err);

/**
 * Fill the table of symbols.
 *
 * Errors: those of the images; addresses for which there is no room.
 */
int program_load_symbols(struct program *program,
                         const struct program_symbols *options,
                         struct err *err);

/**
 * Add a symbol for what is known by name only: code outside of all objects.
 *
 * name  copied.
 *
 * Returns 0 and sets *i_symbol; or -1 with *err set (no memory). Only in a
 * joined program, after program_load_symbols().
 */
int program_add_outside(struct program *program, const char *name,
                        size_t *i_symbol, struct err *err);

/** Set file and line of a symbol, be it in the table or a copy, if they are
 * known. Returns 0 or -1. */
int program_locate_symbol(struct program *program, struct symbol *symbol,
                          struct err *err);

/** Set file and line of all symbols, as far as they are known. */
int program_locate(struct program *program, struct err *err);

/** Close; an empty one may be closed too. */
void program_close(struct program *program);

#endif
