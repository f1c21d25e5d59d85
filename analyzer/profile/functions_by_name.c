/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/functions_by_name.h"

#include "base/err.h"
#include "base/sorted.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/** Object and name of a function. */
struct key {
  size_t i_object;
  const char *name;
};

/** Compares an index of a symbol with a key. */
static int compare_key(const void *left, const void *right,
                       const void *context) {
  const struct symbol *const symbols = context;
  const struct symbol *const symbol = &symbols[*(const size_t *)left];
  const struct key *const key = right;
  if (symbol->object->i_object != key->i_object)
    return symbol->object->i_object < key->i_object ? -1 : 1;
  return strcmp(symbol->name, key->name);
}

static int compare_symbols(const void *left, const void *right,
                           const void *context) {
  const struct symbol *const symbols = context;
  const struct symbol *const other = &symbols[*(const size_t *)right];
  const struct key key = {other->object->i_object, other->name};
  return compare_key(left, &key, context);
}

int functions_by_name_init(struct functions_by_name *out,
                           const struct model *model, struct err *err) {
  const struct symtab *const symtab = &model->symtab;
  *out = (struct functions_by_name){
      .model = model,
      .dynamic = calloc(model->n_objects + 1, sizeof(*out->dynamic)),
      .ifuncs = calloc(model->n_objects + 1, sizeof(*out->ifuncs)),
      .by_name = calloc(symtab->n_symbols + 1, sizeof(*out->by_name)),
  };
  if (!out->dynamic || !out->ifuncs || !out->by_name)
    goto no_memory;
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct image *const image = &model->objects[i].image;
    if (dyn_names_load(image, &out->dynamic[i], err) ||
        dyn_names_load_ifuncs(image, &out->ifuncs[i], err)) {
      functions_by_name_release(out);
      return -1;
    }
  }
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symtab->symbols[i].is_func && symtab->symbols[i].object)
      out->by_name[out->n_by_name++] = i;
  if (merge_sort(out->by_name, out->n_by_name, sizeof(*out->by_name),
                 compare_symbols, symtab->symbols) == 0)
    return 0;
no_memory:
  functions_by_name_release(out);
  return err_no_memory(err);
}

bool functions_by_name_find_offered(const struct functions_by_name *names,
                                    size_t i_object, const char *name,
                                    uint64_t *vaddr) {
  return dyn_names_find(&names->dynamic[i_object], name, vaddr);
}

bool functions_by_name_find_hidden(const struct functions_by_name *names,
                                   size_t i_object, const char *name,
                                   uint64_t *vaddr) {
  const struct symbol *const symbols = names->model->symtab.symbols;
  if (functions_by_name_find_offered(names, i_object, name, vaddr))
    return false;
  const struct key key = {i_object, name};
  const size_t i =
      sorted_find(names->by_name, names->n_by_name, sizeof(*names->by_name),
                  &key, compare_key, symbols);
  if (i == names->n_by_name)
    return false;
  const struct symbol *const found = &symbols[names->by_name[i]];
  *vaddr = symtab_vaddr(found, found->vaddr);
  return true;
}

bool functions_by_name_find_resolver(const struct functions_by_name *names,
                                     size_t i_object, const char *name,
                                     uint64_t *vaddr) {
  return dyn_names_find(&names->ifuncs[i_object], name, vaddr);
}

static void release_all(struct dyn_names *all, size_t n) {
  for (size_t i = 0; all && i < n; i++)
    dyn_names_release(&all[i]);
  free(all);
}

void functions_by_name_release(struct functions_by_name *names) {
  const size_t n = names->model ? names->model->n_objects : 0;
  release_all(names->dynamic, n);
  release_all(names->ifuncs, n);
  free(names->by_name);
  *names = (struct functions_by_name){0};
}
