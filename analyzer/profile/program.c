/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/program.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "debug/lines.h"
#include "image/symbol_list.h"
#include "image/symtab_lines.h"
#include "model/inputs.h"

#include <stdlib.h>
#include <string.h>

// Objects lie apart by this at least, and as far from its multiples as alone.
#define ALIGNMENT ((uint64_t)1 << 24)

// All addresses of a joined table are below.
#define ADDRESS_LIMIT ((uint64_t)1 << 62)

int program_open(const struct inputs *inputs, struct program *out,
                 struct err *err) {
  *out = (struct program){
      .objects = calloc(inputs->n_objects, sizeof *out->objects),
      .is_joined = inputs->is_joined,
  };
  if (!out->objects)
    return err_no_memory(err);
  for (size_t i = 0; i < inputs->n_objects; i++) {
    if (image_open(inputs->objects[i].image_path, &out->objects[i].image,
                   err)) {
      program_close(out);
      return -1;
    }
    out->n_objects++;
  }
  return 0;
}

void program_close(struct program *program) {
  symtab_release(&program->symtab);
  for (size_t i = 0; i < program->n_objects; i++) {
    lines_close(program->objects[i].lines);
    image_close(&program->objects[i].image);
  }
  free(program->objects);
  for (size_t i = 0; i < program->n_names; i++)
    free(program->names[i]);
  free(program->names);
  text_file_release(&program->list);
  *program = (struct program){0};
}

// --- Places ---

static const char *last_part(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/** Where the addresses above all symbols of the table begin. */
static uint64_t next_place(const struct program *program) {
  uint64_t end = 0;
  for (size_t i = 0; i < program->n_objects; i++) {
    const struct symtab_object *const place = &program->objects[i].place;
    if (place->name && place->high + place->base > end)
      end = place->high + place->base;
  }
  return (end + 2 * ALIGNMENT) & ~(ALIGNMENT - 1);
}

/** Give an object its place. The first one keeps its addresses. */
static int place_object(struct program *program, size_t i_object,
                        struct err *err) {
  struct program_object *const object = &program->objects[i_object];
  const struct image *const image = &object->image;
  const uint64_t place = i_object ? next_place(program) : 0;
  const uint64_t origin = i_object ? image->low_vaddr & ~(ALIGNMENT - 1) : 0;
  if (image->high_vaddr - origin >= ADDRESS_LIMIT ||
      place >= ADDRESS_LIMIT - (image->high_vaddr - origin))
    return err_set(err, ERR_INPUT,
                   "%s: its addresses, 0x%llx to 0x%llx, leave no room for "
                   "those of other objects; report it alone",
                   image->path, (unsigned long long)image->low_vaddr,
                   (unsigned long long)image->high_vaddr);
  object->place = (struct symtab_object){
      .name = last_part(image->path),
      .i_object = i_object,
      .base = place - origin,
      .low = image->low_vaddr,
      .high = image->high_vaddr,
  };
  return 0;
}

// --- Symbols ---

static int open_lines(const struct program *program,
                      struct program_object *object, struct err *err) {
  return object->lines ? 0
                       : lines_open(object->image.path, program->lines_flags,
                                    &object->lines, err);
}

static int load_object(const struct program *program,
                       struct program_object *object,
                       const struct program_symbols *options,
                       struct symtab *out, struct err *err) {
  const struct image *const image = &object->image;
  if (image_load_symbols(image, options->image_flags, options->map, out, err))
    return -1;
  if (options->has_files) {
    if (open_lines(program, object, err))
      return -1;
    symtab_lines_locate(out, object->lines);
  }
  return options->has_lines
             ? symtab_lines_add(out, object->lines, image->text_vaddr,
                                image->text_vaddr + image->text_bytes, err)
             : 0;
}

static int compare_files(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct symbol *const *const left = left_ptr;
  const struct symbol *const *const right = right_ptr;
  (void)context;
  return (*left)->file == (*right)->file
             ? 0
             : strcmp((*left)->file, (*right)->file);
}

/** Equal names of files are the same pointer within an object (lines.h): let
 * them be so in the whole table. */
static int unify_files(struct symtab *symtab, struct err *err) {
  struct symbol **const located =
      calloc(symtab->n_symbols + 1, sizeof *located);
  if (!located)
    return err_no_memory(err);
  size_t n_located = 0;
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symtab->symbols[i].file)
      located[n_located++] = &symtab->symbols[i];
  const int rc =
      merge_sort(located, n_located, sizeof *located, compare_files, NULL)
          ? err_no_memory(err)
          : 0;
  for (size_t i = 1; rc == 0 && i < n_located; i++)
    if (compare_files(&located[i - 1], &located[i], NULL) == 0)
      located[i]->file = located[i - 1]->file;
  free(located);
  return rc;
}

int program_load_symbols(struct program *program,
                         const struct program_symbols *options,
                         struct err *err) {
  program->lines_flags =
      LINES_GNU | (options->is_gnu_bugs ? LINES_NO_SPLIT : 0);
  if (options->list_path) {
    const struct image *const image = &program->objects[0].image;
    program->is_listed = true;
    return symbol_list_load(options->list_path,
                            image->text_vaddr + image->text_bytes - 1,
                            &program->list, &program->symtab, err);
  }
  if (!program->is_joined)
    return load_object(program, &program->objects[0], options, &program->symtab,
                       err);
  for (size_t i = 0; i < program->n_objects; i++) {
    struct symtab symtab = {0};
    int rc = load_object(program, &program->objects[i], options, &symtab, err);
    if (rc == 0)
      rc = place_object(program, i, err);
    if (rc == 0)
      rc = symtab_append(&program->symtab, &symtab, &program->objects[i].place,
                         err);
    symtab_release(&symtab);
    if (rc)
      return -1;
  }
  return unify_files(&program->symtab, err);
}

int program_add_outside(struct program *program, const char *name,
                        size_t *i_symbol, struct err *err) {
  struct symtab *const symtab = &program->symtab;
  char **const names = array_grow(program->names, program->n_names,
                                  &program->max_names, sizeof *names);
  if (!names)
    return err_no_memory(err);
  program->names = names;
  char *const copy = strdup(name);
  if (!copy)
    return err_no_memory(err);
  // No two at one address.
  const uint64_t vaddr = next_place(program) + 2 * program->n_names;
  names[program->n_names++] = copy;
  const struct symbol symbol = {
      .vaddr = vaddr, .last = vaddr + 1, .name = copy, .is_func = true};
  if (symtab_add(symtab, &symbol, err))
    return -1;
  *i_symbol = symtab->n_symbols - 1;
  return 0;
}

int program_locate_symbol(struct program *program, struct symbol *symbol,
                          struct err *err) {
  struct line_pos pos;
  if (program->is_listed || (program->is_joined && !symbol->object))
    return 0;
  struct program_object *const object =
      &program->objects[symbol->object ? symbol->object->i_object : 0];
  if (open_lines(program, object, err))
    return -1;
  if (!lines_find_place(object->lines, symtab_vaddr(symbol, symbol->vaddr),
                        &pos))
    return 0;
  symbol->file = lines_file_name(object->lines, pos.i_file);
  symbol->line = pos.line;
  return 0;
}

int program_locate(struct program *program, struct err *err) {
  for (size_t i = 0; i < program->symtab.n_symbols; i++)
    if (program_locate_symbol(program, &program->symtab.symbols[i], err))
      return -1;
  return program->is_joined ? unify_files(&program->symtab, err) : 0;
}
