/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/code_places.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/lines.h"
#include "profile/graph_profile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// --- Places ---

static int append(struct code_places *places, const struct code_place *place,
                  struct err *err) {
  // Users of places use the last two numbers for frames without a place.
  struct code_place *const grown =
      places->n_places >= UINT32_MAX - 2
          ? NULL
          : array_grow(places->places, places->n_places, &places->max_places,
                       sizeof(*grown));
  if (!grown)
    return err_no_memory(err);
  places->places = grown;
  grown[places->n_places++] = *place;
  return 0;
}

int code_places_init(struct code_places *out,
                     const struct graph_profile *program, struct err *err) {
  const struct symtab *const symtab = &program->model->symtab;
  *out = (struct code_places){.program = program};
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    const struct symbol *const symbol = &symtab->symbols[i];
    const struct code_place whole = {.i_symbol = (uint32_t)i,
                                     .line = symbol->line,
                                     .file = symbol->file,
                                     .vaddr =
                                         symtab_vaddr(symbol, symbol->vaddr),
                                     .next = MAP64_NONE};
    if (append(out, &whole, err)) {
      code_places_release(out);
      return -1;
    }
  }
  return 0;
}

static bool is_same_file(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/** Does a symbol have its code in an object? */
static bool is_in(const struct code_places *places, uint32_t i_symbol,
                  size_t i_object) {
  const struct model *const model = places->program->model;
  const struct symtab_object *const object =
      model->symtab.symbols[i_symbol].object;
  return i_object < model->n_objects &&
         (object ? object->i_object == i_object : !model->is_joined);
}

int code_places_find(void *context, uint32_t i_symbol, size_t i_object,
                     uint64_t vaddr, uint32_t *i_place, struct err *err) {
  struct code_places *const places = context;
  const struct model *const model = places->program->model;
  struct line_pos pos;
  *i_place = i_symbol;
  if (!is_in(places, i_symbol, i_object))
    return 0;
  struct model_object *const object = &model->objects[i_object];
  if (model_open_lines(model, object, err))
    return -1;
  (void)lines_find_place(object->lines, vaddr, true, &pos);
  if (pos.i_file == LINES_NO_FILE || pos.line == 0)
    return 0;
  const char *const file = lines_file_name(object->lines, pos.i_file);
  const struct code_place *const whole = &places->places[i_symbol];
  if (whole->line == pos.line && is_same_file(whole->file, file))
    return 0;
  uint32_t known = (uint32_t)places->n_places;
  const int found = map64_find_or_insert(
      &places->index, (uint64_t)i_symbol << 32 | pos.line, &known, err);
  if (found < 0)
    return -1;
  uint32_t last = MAP64_NONE;
  for (uint32_t i = known; found && i != MAP64_NONE;
       last = i, i = places->places[i].next)
    if (is_same_file(places->places[i].file, file)) {
      *i_place = i;
      return 0;
    }
  *i_place = (uint32_t)places->n_places;
  const struct code_place place = {.i_symbol = i_symbol,
                                   .line = pos.line,
                                   .file = file,
                                   .vaddr = vaddr,
                                   .next = MAP64_NONE};
  if (append(places, &place, err))
    return -1;
  if (last != MAP64_NONE)
    places->places[last].next = *i_place;
  return 0;
}

// --- Times ---

struct spread {
  struct code_places *places;
  size_t i_object;
  uint64_t base; // of the object
};

static int add_samples(void *context, uint64_t vaddr, double n_samples,
                       struct err *err) {
  const struct spread *const spread = context;
  struct code_places *const places = spread->places;
  const size_t i_symbol =
      symtab_find(&places->program->model->symtab, vaddr + spread->base);
  uint32_t i_place;
  if (i_symbol == SYMTAB_NONE)
    return 0;
  if (code_places_find(places, (uint32_t)i_symbol, spread->i_object, vaddr,
                       &i_place, err))
    return -1;
  places->places[i_place].ticks += n_samples;
  return 0;
}

int code_places_add_times(struct code_places *places, struct err *err) {
  const struct model *const model = places->program->model;
  for (size_t i = 0; i < model->n_objects; i++) {
    const struct measure *const measure = &model->objects[i].measure;
    struct spread spread = {
        places, i, model->is_joined ? model->objects[i].place.base : 0};
    for (size_t k = 0; k < measure->n_histograms; k++)
      if (bins_spread(&measure->histograms[k], add_samples, &spread, err))
        return -1;
  }
  return 0;
}

void code_places_release(struct code_places *places) {
  free(places->places);
  map64_release(&places->index);
  *places = (struct code_places){0};
}
