/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/body_names.h"

#include "arcline/name_hash.h"
#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "image/code_extents.h"
#include "image/const_data.h"
#include "image/image.h"
#include "image/image_elf.h"
#include "image/line_data.h"
#include "image/symtab.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** The table that functions are appended to. */
struct adding {
  const struct image *image;
  struct symtab *table;
  struct map64 starts; // addresses at which functions of the table begin
  struct line_data names;
  bool has_names; // `names` was opened, or cannot be
  struct err *err;
};

/** Record that a function begins at vaddr. Returns 1 if one was recorded there,
 * 0 if not, or -1. */
static int note_start(struct adding *adding, uint64_t vaddr) {
  uint32_t value = 0;
  return map64_find_or_insert(&adding->starts, vaddr, &value, adding->err);
}

/** Name a function by its address; the image owns the name. NULL: no memory. */
static const char *address_name(struct adding *adding, uint64_t vaddr) {
  struct image_elf *const elf = adding->image->elf;
  char **const names = array_grow(elf->made_names, elf->n_made_names,
                                  &elf->max_made_names, sizeof(*names));
  const char *const slash = strrchr(adding->image->path, '/');
  char *name;
  if (names)
    elf->made_names = names;
  if (!names || asprintf(&name, "%s+0x%" PRIx64,
                         slash ? slash + 1 : adding->image->path, vaddr) < 0) {
    err_no_memory(adding->err);
    return NULL;
  }
  return names[elf->n_made_names++] = name;
}

/** The full name of a string of the constant data; NULL: it is no longer in the
 * image. Returns 0, or -1 (no memory). */
static int full_name(struct adding *adding, const char *string,
                     const char **out) {
  struct err missing = {0};
  *out = string;
  if (!arcline_name_is_short(string))
    return 0;
  if (!adding->has_names &&
      line_data_open(adding->image, &adding->names, &missing)) {
    line_data_release(&adding->names);
    if (missing.code == ERR_SYSTEM) {
      *adding->err = missing;
      return -1;
    }
  }
  adding->has_names = true;
  *out = line_data_name(&adding->names, string, &missing);
  return 0;
}

/** Append the function of a body record, unless its code is gone or it has a
 * symbol. */
static int add_body(struct adding *adding, const struct solve_image *data,
                    size_t i_body, size_t *n_added) {
  const struct solve_section *const section = &data->sections[SOLVE_BODIES];
  const struct arcline_body *const body = &solve_body_records(data)[i_body];
  const uint64_t vaddr = solve_target(section, &body->pc);
  const struct solve_slots slots = solve_body_slots(data, body);
  struct solve_body_data parts;
  struct solve_func_record record;
  if (solve_read_body(data, body, &parts) != SOLVE_FINE || !parts.own)
    return 0;
  const uint32_t i_func = solve_slot_func(data, &slots, parts.own - 1);
  if (i_func == SOLVE_NONE || !solve_has_text(data, vaddr) ||
      solve_read_func(data, i_func, &record) != SOLVE_FINE)
    return 0;
  const int rc = note_start(adding, vaddr);
  if (rc)
    return rc < 0 ? -1 : 0;
  const char *name;
  if (full_name(adding, record.strings + record.head.name, &name) ||
      (!name && !(name = address_name(adding, vaddr))))
    return -1;
  const struct symbol symbol = {
      .vaddr = vaddr,
      .name = name,
      .is_func = true,
      .is_static = solve_func_records(data)[i_func].flags & ARCLINE_FUNC_LOCAL,
  };
  ++*n_added;
  return symtab_add(adding->table, &symbol, adding->err);
}

/** Append the functions of .eh_frame, so that addresses in functions without a
 * name are not attributed to the function before. */
static int add_extents(struct adding *adding) {
  struct code_extents extents;
  if (code_extents_load(adding->image, &extents, adding->err))
    return -1;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < extents.n_extents; i++) {
    struct symbol symbol = {
        .vaddr = extents.extents[i].low, .is_func = true, .is_static = true};
    rc = note_start(adding, symbol.vaddr);
    if (rc > 0) {
      rc = 0;
      continue;
    }
    if (rc == 0 && !(symbol.name = address_name(adding, symbol.vaddr)))
      rc = -1;
    if (rc == 0)
      rc = symtab_add(adding->table, &symbol, adding->err);
  }
  code_extents_release(&extents);
  return rc;
}

int body_names_add(const struct image *image, bool is_stripped,
                   struct symtab *table, size_t *n_added, struct err *err) {
  struct adding adding = {.image = image, .table = table, .err = err};
  struct const_data data;
  struct err unusable = {0};
  *n_added = 0;
  if (const_data_find(image, &data, &unusable) ||
      solve_n_func_records(&data.image) == 0)
    return 0;
  int rc = 0;
  for (size_t i = 0; rc >= 0 && i < table->n_symbols; i++)
    rc = note_start(&adding, table->symbols[i].vaddr);
  rc = rc < 0 ? -1 : 0;
  const size_t n_bodies = solve_n_body_records(&data.image);
  for (size_t i = 0; rc == 0 && i < n_bodies; i++)
    rc = add_body(&adding, &data.image, i, n_added);
  if (rc == 0 && *n_added && is_stripped)
    rc = add_extents(&adding);
  map64_release(&adding.starts);
  line_data_release(&adding.names);
  return rc;
}
