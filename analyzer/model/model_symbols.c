/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/model_symbols.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "debug/lines.h"
#include "image/symbol_list.h"
#include "image/symtab_lines.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

// Objects are at least this far apart, and keep their offset from its
// multiples.
#define ALIGNMENT ((uint64_t)1 << 24)

// All addresses of a joined table are below.
#define ADDRESS_LIMIT ((uint64_t)1 << 62)

// --- Places ---

/** An aligned address above all objects of the table, for the next one. */
static uint64_t next_place(const struct model *model) {
  uint64_t end = model->is_joined ? 0 : model->objects[0].image.high_vaddr;
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct symtab_object *const place = &model->objects[i].place;
    if (place->name && place->high + place->base > end)
      end = place->high + place->base;
  }
  return (end + 2 * ALIGNMENT) & ~(ALIGNMENT - 1);
}

/** Give an object its place. The first one keeps its addresses. */
static int place_object(struct model *model, size_t i_object, struct err *err) {
  struct model_object *const object = &model->objects[i_object];
  const struct image *const image = &object->image;
  const uint64_t place = i_object ? next_place(model) : 0;
  const uint64_t origin = i_object ? image->low_vaddr & ~(ALIGNMENT - 1) : 0;
  if (image->high_vaddr - origin >= ADDRESS_LIMIT ||
      place >= ADDRESS_LIMIT - (image->high_vaddr - origin))
    return err_set(err, ERR_INPUT,
                   "%s: addresses, 0x%llx to 0x%llx, leave no space for other "
                   "objects; report it alone",
                   image->path, (unsigned long long)image->low_vaddr,
                   (unsigned long long)image->high_vaddr);
  object->place = (struct symtab_object){
      .name = basename(image->path),
      .i_object = i_object,
      .base = place - origin,
      .low = image->low_vaddr,
      .high = image->high_vaddr,
  };
  return 0;
}

// --- Symbols ---

static int load_object(const struct model *model, struct model_object *object,
                       const struct model_symbols *options, struct symtab *out,
                       struct err *err) {
  const struct image *const image = &object->image;
  if (image_load_symbols(image, options->image_flags, options->map, out, err))
    return -1;
  if (options->has_files) {
    if (model_open_lines(model, object, err))
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

/** Equal names of files are the same pointer within an object (lines.h): make
 * them so in the whole table. */
static int unify_files(struct symtab *symtab, struct err *err) {
  struct symbol **const located =
      calloc(symtab->n_symbols + 1, sizeof(*located));
  if (!located)
    return err_no_memory(err);
  size_t n_located = 0;
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symtab->symbols[i].file)
      located[n_located++] = &symtab->symbols[i];
  const int rc =
      merge_sort(located, n_located, sizeof(*located), compare_files, NULL)
          ? err_no_memory(err)
          : 0;
  for (size_t i = 1; rc == 0 && i < n_located; i++)
    if (compare_files(&located[i - 1], &located[i], NULL) == 0)
      located[i]->file = located[i - 1]->file;
  free(located);
  return rc;
}

int model_load_symbols(struct model *model, const struct model_symbols *options,
                       struct err *err) {
  if (options->list_path) {
    const struct image *const image = &model->objects[0].image;
    model->is_listed = true;
    return symbol_list_load(options->list_path,
                            image->text_vaddr + image->text_bytes - 1,
                            &model->list, &model->symtab, err);
  }
  if (!model->is_joined)
    return load_object(model, &model->objects[0], options, &model->symtab, err);
  for (size_t i = 0; i < model->n_objects; i++) {
    struct symtab symtab = {0};
    int rc = load_object(model, &model->objects[i], options, &symtab, err);
    if (rc == 0)
      rc = place_object(model, i, err);
    if (rc == 0)
      rc =
          symtab_append(&model->symtab, &symtab, &model->objects[i].place, err);
    symtab_release(&symtab);
    if (rc)
      return -1;
  }
  return unify_files(&model->symtab, err);
}

/** Add a symbol after all others. name: copied. */
static int add_made_up(struct model *model, const struct symbol *made_up,
                       size_t *i_symbol, struct err *err) {
  struct symtab *const symtab = &model->symtab;
  char **const names = array_grow(model->names, model->n_names,
                                  &model->max_names, sizeof(*names));
  if (!names)
    return err_no_memory(err);
  model->names = names;
  char *const copy = strdup(made_up->name);
  if (!copy)
    return err_no_memory(err);
  // No two at one address.
  const uint64_t vaddr = next_place(model) + 2 * model->n_names;
  names[model->n_names++] = copy;
  struct symbol symbol = *made_up;
  symbol.vaddr = vaddr;
  symbol.last = vaddr + 1;
  symbol.name = copy;
  symbol.is_func = true;
  if (symtab_add(symtab, &symbol, err))
    return -1;
  *i_symbol = symtab->n_symbols - 1;
  return 0;
}

int model_add_outside(struct model *model, const char *name,
                      const struct symtab_object *object, size_t *i_symbol,
                      struct err *err) {
  const struct symbol symbol = {.name = name, .object = object};
  return add_made_up(model, &symbol, i_symbol, err);
}

int model_add_inlined(struct model *model, size_t i_object, const char *name,
                      const char *file, uint32_t line, size_t *i_symbol,
                      struct err *err) {
  const struct symbol symbol = {
      .name = name,
      .file = file,
      .line = line,
      .object = model->is_joined ? &model->objects[i_object].place : NULL};
  return add_made_up(model, &symbol, i_symbol, err);
}

int model_locate_symbol(struct model *model, struct symbol *symbol,
                        bool needs_line, struct err *err) {
  struct line_pos pos;
  if (model->is_listed || (model->is_joined && !symbol->object) ||
      (symbol->object && symbol->object->i_object == MODEL_OUTSIDE))
    return 0;
  struct model_object *const object =
      &model->objects[symbol->object ? symbol->object->i_object : 0];
  if (model_open_lines(model, object, err))
    return -1;
  if (!lines_find_place(object->lines, symtab_vaddr(symbol, symbol->vaddr),
                        needs_line, &pos))
    return 0;
  symbol->file = lines_file_name(object->lines, pos.i_file);
  symbol->line = needs_line ? pos.line : 0;
  return 0;
}

int model_locate(struct model *model, struct err *err) {
  for (size_t i = 0; i < model->symtab.n_symbols; i++)
    if (model_locate_symbol(model, &model->symtab.symbols[i], true, err))
      return -1;
  return model->is_joined ? unify_files(&model->symtab, err) : 0;
}

int model_load_own_symbols(struct model_object *object, struct err *err) {
  return object->own.n_symbols
             ? 0
             : image_load_symbols(&object->image, 0, NULL, &object->own, err);
}
