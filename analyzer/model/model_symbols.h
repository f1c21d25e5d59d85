/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Loads the symbols of a program (model.h).
 *
 * One table has the symbols of all objects: each object has its own range of
 * addresses, so that none collide; a program of one object that was not joined
 * with others keeps its addresses. The table is filled once, in this order:
 * model_load_symbols(), with all that any view needs of symbols;
 * model_add_outside(), of side files, by side_join_init(); model_add_inlined(),
 * by inlined_open(). After that no symbol is added, as views index their data
 * by symbol. Symbols of one object alone (model_load_own_symbols()) are in a
 * table of their own, to which this does not apply.
 */
#ifndef ARCLINE_MODEL_SYMBOLS_H
#define ARCLINE_MODEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct file_map;
struct model;
struct model_object;
struct symbol;
struct symtab_object;

/** The data to be loaded for symbols. */
struct model_symbols {
  unsigned image_flags;       /* enum image_symbol_flags */
  bool has_files;             /* locate all functions */
  bool has_lines;             /* add lines; needs has_files */
  const struct file_map *map; /* for image_load_symbols() */
  const char *list_path; /* read symbols from this list (symbol_list.h), of one
                            image only, and no other data; NULL: from images */
};

/** Load the symbols of an object, as in its image, unless they are loaded. */
int model_load_own_symbols(struct model_object *object, struct err *err);

/**
 * Fill the table of symbols.
 *
 * Errors: those of the images; no room for addresses.
 */
int model_load_symbols(struct model *model, const struct model_symbols *options,
                       struct err *err);

/** i_object of a place outside of all objects. */
#define MODEL_OUTSIDE SIZE_MAX

/**
 * Add a symbol for code outside of all objects.
 *
 * name    copied.
 * object  that it is in, for reports; its i_object is MODEL_OUTSIDE. Borrowed
 *         until model_close(). NULL: unknown.
 *
 * Returns 0 and sets *i_symbol; or -1 with *err set (no memory). Only in a
 * joined program, after model_load_symbols().
 */
int model_add_outside(struct model *model, const char *name,
                      const struct symtab_object *object, size_t *i_symbol,
                      struct err *err);

/**
 * Add a symbol for a function of an object that has no code of its own, because
 * it was inlined everywhere. After model_load_symbols(); it covers no address.
 *
 * file  and line of its definition; borrowed; NULL: unknown.
 *
 * Returns 0 and sets *i_symbol; or -1 with *err set (no memory).
 */
int model_add_inlined(struct model *model, size_t i_object, const char *name,
                      const char *file, uint32_t line, size_t *i_symbol,
                      struct err *err);

/** Set file and line of a symbol, in the table or a copy, if they are known;
 * only the file unless needs_line. Returns 0 or -1. */
int model_locate_symbol(struct model *model, struct symbol *symbol,
                        bool needs_line, struct err *err);

/** Set file and line of all symbols, as far as they are known. */
int model_locate(struct model *model, struct err *err);

#endif
