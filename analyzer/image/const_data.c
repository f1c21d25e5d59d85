/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/const_data.h"

#include "base/err.h"
#include "image/image.h"

#include <stdlib.h>

// A cell is within reach of the signed 32 bits that point to it.
#define MAX_CELLS_BYTES ((uint64_t)1 << 31)

// Compilers write cells to the file, as zeros. If they are missing, a number
// above this is rejected, since memory for their counts is allocated.
#define MAX_ABSENT_BYTES ((uint64_t)1 << 20)

static const struct {
  const char *name;
  const char *what; // one of its records
  size_t record_bytes, alignment;
} sections[SOLVE_N_SECTIONS] = {
    [SOLVE_CELLS] = {ARCLINE_SECTION_CELLS, "cell", sizeof(uint64_t), 8},
    [SOLVE_FUNCS] = {ARCLINE_SECTION_FUNCS, "function",
                     sizeof(struct arcline_func), 8},
    [SOLVE_BODIES] = {ARCLINE_SECTION_BODIES, "body",
                      sizeof(struct arcline_body), 4},
    [SOLVE_SITES] = {ARCLINE_SECTION_SITES, "call site",
                     sizeof(struct arcline_site), 8},
    [SOLVE_PLANS] = {ARCLINE_SECTION_PLANS, "byte", 1, 1},
    [SOLVE_DATA] = {ARCLINE_SECTION_DATA, "byte", 1,
                    _Alignof(struct arcline_unit)},
};

static int check_cells(const struct image *image,
                       const struct image_section *section, struct err *err) {
  if (section->size_bytes > MAX_CELLS_BYTES)
    return err_set(err, ERR_INPUT,
                   "%s: section " ARCLINE_SECTION_CELLS " is implausibly large",
                   image->path);
  if (!section->bytes && section->size_bytes > MAX_ABSENT_BYTES)
    return err_set(err, ERR_INPUT,
                   "%s: section " ARCLINE_SECTION_CELLS
                   " is corrupt: %ju bytes of it are not in the file; name the "
                   "image that ran",
                   image->path, (uintmax_t)section->size_bytes);
  return 0;
}

static int find_section(const struct image *image, enum solve_section_id id,
                        struct const_data *data, struct err *err) {
  struct solve_section *out = &data->image.sections[id];
  // Absent sections point here, so that no pointer is NULL.
  static const uint64_t nothing;
  struct image_section found;

  *out = (struct solve_section){.bytes = (const uint8_t *)&nothing};
  if (!image_find_section(image, sections[id].name, &found))
    return 0;
  out->vaddr = found.vaddr;
  if (id == SOLVE_CELLS) {
    out->n_bytes = (size_t)(found.size_bytes & ~(uint64_t)7);
    return check_cells(image, &found, err);
  }
  if (!found.bytes && found.size_bytes > 0)
    data->stripped = sections[id].name;
  if (!found.bytes || found.n_bytes == 0)
    return 0;
  if (found.n_bytes % sections[id].record_bytes != 0)
    return err_set(err, ERR_INPUT,
                   "%s: section %s has %zu bytes, not a multiple of %zu",
                   image->path, sections[id].name, found.n_bytes,
                   sections[id].record_bytes);
  if ((uintptr_t)found.bytes % sections[id].alignment != 0)
    return err_set(err, ERR_INPUT,
                   "%s: section %s is corrupt: not aligned to %zu bytes; name "
                   "the image that ran",
                   image->path, sections[id].name, sections[id].alignment);
  out->bytes = found.bytes;
  out->n_bytes = found.n_bytes;
  return 0;
}

static void find_texts(const struct image *image, struct solve_image *out) {
  struct image_range texts[SOLVE_MAX_TEXTS];
  uint64_t n_bytes;

  out->n_texts = image_texts(image, texts, SOLVE_MAX_TEXTS, &n_bytes);
  for (size_t i = 0; i < out->n_texts; i++)
    out->texts[i] = (struct solve_range){texts[i].low, texts[i].high};
  if (out->n_texts == 0)
    out->texts[out->n_texts++] = (struct solve_range){0, 0};
}

int const_data_find(const struct image *image, struct const_data *out,
                    struct err *err) {
  const struct solve_section *found = out->image.sections;

  *out = (struct const_data){.path = image->path};
  for (enum solve_section_id i = 0; i < SOLVE_N_SECTIONS; i++)
    if (find_section(image, i, out, err) != 0)
      return -1;
  find_texts(image, &out->image);
  if (found[SOLVE_FUNCS].n_bytes == 0)
    return 0;
  if (found[SOLVE_DATA].n_bytes == 0)
    return err_set(err, ERR_INPUT,
                   "%s: has section " ARCLINE_SECTION_FUNCS
                   " but not " ARCLINE_SECTION_DATA
                   "; name the image as the linker wrote it",
                   image->path);
  if (image->class_bits != 64 ||
      image->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
    return err_set(
        err, ERR_INPUT,
        "%s: image has another pointer width or byte order than this machine",
        image->path);
  return 0;
}

static const char *describe(enum solve_reason reason) {
  switch (reason) {
  case SOLVE_GRAPH_OUTSIDE:
    return "graph is outside of the section";
  case SOLVE_STRINGS_OUTSIDE:
    return "strings are outside of the section";
  case SOLVE_STRINGS_OPEN:
    return "strings are not terminated";
  case SOLVE_GRAPH_HEAD:
    return "bad header of the graph";
  case SOLVE_NAME_OUTSIDE:
    return "name is outside of the strings";
  case SOLVE_MANY_COUNTERS:
    return "too many counters";
  case SOLVE_ALIASES:
    return "aliases are truncated";
  case SOLVE_GRAPH:
    return "counters do not determine all counts";
  case SOLVE_NO_FUNC:
    return "belongs to no function";
  case SOLVE_NO_COPY:
    return "has a copy of no function";
  case SOLVE_CELLS_OUTSIDE:
    return "cells are outside of the section";
  case SOLVE_CELLS_OVERLAP:
    return "cells overlap those of another record";
  case SOLVE_DATA_OUTSIDE:
    return "data is outside of the section";
  case SOLVE_DATA_OPEN:
    return "data is truncated";
  case SOLVE_PLAN_HEAD:
    return "bad header of the plan";
  case SOLVE_PLAN:
    return "plan is truncated, out of range or has too few cells";
  case SOLVE_EDGES_OUTSIDE:
    return "edges are outside of the plan";
  case SOLVE_TERMS:
    return "terms are truncated or out of range";
  case SOLVE_OVERLAP:
    return "parts are shared with other records";
  case SOLVE_VERSION:
  case SOLVE_FINE:
    break;
  }
  return "";
}

int const_data_check(const struct const_data *data, struct solve_damage damage,
                     struct err *err) {
  if (damage.reason == SOLVE_FINE)
    return 0;
  if (damage.reason == SOLVE_VERSION)
    return err_set(err, ERR_INPUT,
                   "%s: constant data of function record %zu has version %u, "
                   "this arcline reads version %d; rebuild the image, or use "
                   "the arcline that belongs to its compiler",
                   data->path, damage.i_record,
                   solve_func_records(&data->image)[damage.i_record].version,
                   ARCLINE_ABI_VERSION);
  return err_set(err, ERR_INPUT,
                 "%s: constant data of %s record %zu is corrupt: %s",
                 data->path, sections[damage.section].what, damage.i_record,
                 describe(damage.reason));
}

void *const_data_alloc(size_t n_bytes, size_t n_used) {
  (void)n_used;
  return calloc(n_bytes ? n_bytes : 1, 1);
}

void const_data_free(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}
