/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "live_input.h"

#include "arcline/abi.h"
#include "base/err.h"
#include "image/image.h"

#include <stdbool.h>
#include <string.h>

/** A live file that is being built. */
struct maker {
  uint8_t *file;
  struct arcline_live_head *head;
  unsigned flags;
  uint32_t n_regions;
  bool has_image;
  struct image image;
  const char *image_path;
};

// ===--- Contents of the input
// --------------------------------------------===//

static const uint8_t *take(const uint8_t **bytes, size_t *n_bytes, size_t *n) {
  const uint8_t *const at = *bytes;
  if (*n > *n_bytes)
    *n = *n_bytes;
  *bytes += *n;
  *n_bytes -= *n;
  return at;
}

struct live_input live_input_read(const uint8_t *bytes, size_t n_bytes) {
  struct live_input input = {0};
  size_t n_start = LIVE_INPUT_START_BYTES;
  const uint8_t *const start = take(&bytes, &n_bytes, &n_start);

  if (n_start == LIVE_INPUT_START_BYTES) {
    input.n_image = start[0] | (size_t)start[1] << 8;
    input.flags = start[2];
  }
  input.image = take(&bytes, &n_bytes, &input.n_image);
  input.live = bytes;
  input.n_live = n_bytes;
  return input;
}

/** Put the next n bytes at a place; the rest of the file stays zero. */
static void place(uint8_t *at, const uint8_t **bytes, size_t *n_bytes,
                  size_t n) {
  const uint8_t *const from = take(bytes, n_bytes, &n);
  if (n)
    memcpy(at, from, n);
}

//===--- Head and list of regions -----------------------------------------===//

/** Make a text end within its room, without slashes. */
static void fit_name(char *name, size_t room) {
  name[room - 1] = 0;
  for (char *at = name; *at; at++)
    if (*at == '/')
      *at = '_';
}

static void fit_head(struct maker *maker) {
  struct arcline_live_head *const head = maker->head;

  memcpy(head->magic, ARCLINE_LIVE_MAGIC, sizeof(head->magic));
  head->version = ARCLINE_LIVE_VERSION;
  head->head_bytes = ARCLINE_LIVE_HEAD_BYTES;
  head->byte_order = ARCLINE_LIVE_BYTE_ORDER;
  head->rate_hz += head->rate_hz == 0;
  head->dimension[sizeof(head->dimension) - 1] = 0;
  head->program[sizeof(head->program) - 1] = 0;
  fit_name(head->name, sizeof(head->name));
  if (!head->name[0])
    memcpy(head->name, "gmon.out", sizeof("gmon.out"));
  if (head->n_regions > maker->n_regions)
    head->n_regions = maker->n_regions;
  for (uint32_t i = 0; i < head->n_regions; i++) {
    struct arcline_live_region *const region = &head->regions[i];
    region->kind %= ARCLINE_LIVE_LOADS + 1;
    region->object %= maker->n_regions;
    region->offset = ARCLINE_LIVE_HEAD_BYTES + (uint64_t)i * ARCLINE_LIVE_ALIGN;
    region->bytes = region->bytes % ARCLINE_LIVE_ALIGN + 1;
  }
}

//===--- Objects ----------------------------------------------------------===//

static struct arcline_live_object *object_at(const struct maker *maker,
                                             uint32_t i_region) {
  return (struct arcline_live_object *)(maker->file + ARCLINE_LIVE_HEAD_BYTES +
                                        (size_t)i_region * ARCLINE_LIVE_ALIGN);
}

void live_input_fit_object(const struct image *image, const char *path,
                           struct arcline_live_object *object) {
  struct image_range texts[ARCLINE_LIVE_MAX_TEXTS];
  struct image_section section;
  uint64_t n_bytes;

  object->n_texts =
      (uint32_t)image_texts(image, texts, ARCLINE_LIVE_MAX_TEXTS, &n_bytes);
  for (uint32_t i = 0; i < object->n_texts; i++) {
    object->texts[i].low_vaddr = texts[i].low & ~UINT64_C(1);
    object->texts[i].high_vaddr = (texts[i].high + 1) & ~UINT64_C(1);
  }
  object->n_cells = object->n_sites = 0;
  if (image_find_section(image, ARCLINE_SECTION_CELLS, &section)) {
    object->n_cells = section.size_bytes / sizeof(uint64_t);
    object->cells_vaddr = section.vaddr;
  }
  if (image_find_section(image, ARCLINE_SECTION_SITES, &section))
    object->n_sites = section.size_bytes / sizeof(struct arcline_site);
  memcpy(object->build_id, image->build_id, sizeof(object->build_id));
  object->n_build_id = (uint16_t)image->n_build_id;
  memset(object->path, 0, sizeof(object->path));
  strncpy(object->path, path, sizeof(object->path) - 1);
}

static void fit_object(const struct maker *maker, uint32_t i_region) {
  struct arcline_live_object *const object = object_at(maker, i_region);

  maker->head->regions[i_region].bytes = sizeof(*object);
  object->bin_bytes = 2;
  object->number =
      (uint16_t)(object->number * LIVE_INPUT_MAX_REGIONS + i_region);
  fit_name(object->suffix, sizeof(object->suffix));
  if (object->suffix[0])
    object->suffix[0] = '.';
  object->path[sizeof(object->path) - 1] = 0;
  if (maker->has_image)
    live_input_fit_object(&maker->image, maker->image_path, object);
}

/** Make a region as large as its contents. */
static void fit_region(const struct maker *maker, uint32_t i_region) {
  struct arcline_live_region *const regions = maker->head->regions;
  struct arcline_live_region *const region = &regions[i_region];

  // That of the next object, if the named one does not exist.
  for (uint32_t i = 0; i < maker->head->n_regions; i++)
    if (regions[region->object].kind != ARCLINE_LIVE_OBJECT)
      region->object = (region->object + 1) % (uint32_t)maker->head->n_regions;
  if (regions[region->object].kind != ARCLINE_LIVE_OBJECT)
    return;
  struct arcline_live_object *const object = object_at(maker, region->object);
  struct arcline_live_baseline *const baseline =
      (void *)object_at(maker, i_region);
  if (region->kind == ARCLINE_LIVE_BINS) {
    region->detail %= object->n_texts + (object->n_texts == 0);
    region->bytes = ARCLINE_LIVE_ALIGN;
  } else if (region->kind == ARCLINE_LIVE_BASELINE) {
    object->baseline = i_region + 1;
    baseline->n_cells = object->n_cells;
    baseline->n_arcs %= 16;
    region->bytes = ARCLINE_LIVE_ALIGN;
  } else if (region->kind != ARCLINE_LIVE_ARCS) {
    const uint64_t n_bytes = object->n_cells * sizeof(uint64_t);
    if (region->bytes < n_bytes && n_bytes <= ARCLINE_LIVE_ALIGN)
      region->bytes = n_bytes;
  }
}

static void fit_objects(const struct maker *maker) {
  const struct arcline_live_region *const regions = maker->head->regions;
  const uint64_t n = maker->head->n_regions;

  for (uint32_t i = 0; i < n; i++)
    if (regions[i].kind == ARCLINE_LIVE_OBJECT) {
      fit_object(maker, i);
      object_at(maker, i)->baseline = 0;
    }
  for (uint32_t i = 0; i < n; i++)
    if (regions[i].kind > ARCLINE_LIVE_OBJECT)
      fit_region(maker, i);
}

//===--- Arcs -------------------------------------------------------------===//

/** Make an address that of the loaded image. */
static uint64_t fit_address(const struct arcline_live_object *object,
                            uint64_t address) {
  const uint32_t i_text = (uint32_t)(address >> 32) % object->n_texts;
  const uint64_t low = object->texts[i_text].low_vaddr;
  const uint64_t n_bytes = object->texts[i_text].high_vaddr - low;
  const uint64_t vaddr = address - object->load_bias;

  if (vaddr - object->cells_vaddr < ARCLINE_LIVE_ALIGN ||
      vaddr - low < n_bytes || n_bytes == 0)
    return address; // sites are near the cells
  return object->load_bias + low + address % n_bytes;
}

static void fit_arcs(const struct maker *maker) {
  const struct arcline_live_region *const regions = maker->head->regions;

  for (uint32_t i = 0; i < maker->head->n_regions; i++) {
    if (regions[i].kind != ARCLINE_LIVE_ARCS &&
        regions[i].kind != ARCLINE_LIVE_CALLEES)
      continue;
    const struct arcline_live_object *const object =
        object_at(maker, regions[i].object);
    if (regions[regions[i].object].kind != ARCLINE_LIVE_OBJECT ||
        object->n_texts == 0 || object->n_texts > ARCLINE_LIVE_MAX_TEXTS)
      continue;
    uint64_t *const words = (uint64_t *)object_at(maker, i);
    const bool is_arc = regions[i].kind == ARCLINE_LIVE_ARCS;
    for (size_t j = 0; j < LIVE_INPUT_REGION_BYTES / sizeof(*words); j++)
      if (words[j] && !(is_arc && j % 3 == 2))
        words[j] = fit_address(object, words[j]);
  }
}

//===--- The whole --------------------------------------------------------===//

static void fit(struct maker *maker) {
  struct err err = {0};

  if (maker->flags & LIVE_INPUT_RAW_HEAD)
    return; // the rest relies on the list
  fit_head(maker);
  if (maker->flags & LIVE_INPUT_RAW_OBJECTS)
    return;
  maker->has_image = maker->image_path &&
                     image_open(maker->image_path, &maker->image, &err) == 0;
  fit_objects(maker);
  if (!(maker->flags & LIVE_INPUT_RAW_ARCS))
    fit_arcs(maker);
  if (maker->has_image)
    image_close(&maker->image);
}

size_t live_input_make(const struct live_input *input, const char *image_path,
                       uint8_t *out) {
  const uint8_t *bytes = input->live;
  size_t n_bytes = input->n_live;
  size_t n_file = ARCLINE_LIVE_HEAD_BYTES;

  if (n_bytes < LIVE_INPUT_HEAD_BYTES) { // a file that was cut off
    if (n_bytes)
      memcpy(out, bytes, n_bytes);
    return n_bytes;
  }
  memset(out, 0, LIVE_INPUT_MAX_BYTES);
  place(out, &bytes, &n_bytes, LIVE_INPUT_HEAD_BYTES);
  for (; n_bytes && n_file < LIVE_INPUT_MAX_BYTES; n_file += ARCLINE_LIVE_ALIGN)
    place(out + n_file, &bytes, &n_bytes, LIVE_INPUT_REGION_BYTES);
  struct maker maker = {
      .file = out,
      .head = (struct arcline_live_head *)out,
      .flags = input->flags,
      .n_regions =
          (uint32_t)((n_file - ARCLINE_LIVE_HEAD_BYTES) / ARCLINE_LIVE_ALIGN),
      .image_path = image_path,
  };
  if (maker.n_regions)
    fit(&maker);
  return n_file;
}
