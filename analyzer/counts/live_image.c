/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/live_image.h"

#include "arcline/abi.h"
#include "arcline/offline.h"
#include "base/err.h"
#include "counts/flow_data.h"
#include "image/image.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

// Wider than images of any code model that the pass knows.
#define MAX_SPAN_BYTES ((uint64_t)1 << 35)

// As the runtime does: wider bins for objects with more text than this.
#define MAX_FINE_TEXT ((uint64_t)8 << 20)

// As flow_cells.c has it, which looks at images with functions alone.
#define MAX_ABSENT_CELLS ((uint64_t)1 << 20)

// Data may follow code in a segment without being in the file.
#define MAX_ABSENT_TEXT ((uint64_t)16 << 20)

static const struct {
  const char *name;
  size_t record_bytes, alignment;
} sections[ARCLINE_OFFLINE_N_SECTIONS] = {
    [ARCLINE_OFFLINE_CELLS] = {ARCLINE_SECTION_CELLS, sizeof(uint64_t), 8},
    [ARCLINE_OFFLINE_FUNCS] = {ARCLINE_SECTION_FUNCS,
                               sizeof(struct arcline_func), 8},
    [ARCLINE_OFFLINE_BODIES] = {ARCLINE_SECTION_BODIES,
                                sizeof(struct arcline_body), 4},
    [ARCLINE_OFFLINE_COPIES] = {ARCLINE_SECTION_COPIES,
                                sizeof(struct arcline_copy), 4},
    [ARCLINE_OFFLINE_SITES] = {ARCLINE_SECTION_SITES,
                               sizeof(struct arcline_site), 8},
    [ARCLINE_OFFLINE_DATA] = {ARCLINE_SECTION_DATA, 1, 1},
    [ARCLINE_OFFLINE_ADDRS] = {ARCLINE_SECTION_ADDRS, 4, 4},
};

/** Everything at hand. */
struct loader {
  const struct image *image;
  struct arcline_offline_object *object;
  struct image_section found[ARCLINE_OFFLINE_N_SECTIONS];
  uint64_t low, high; /* the span */
  struct err *err;
};

static int is_other(const struct loader *loader, const char *what) {
  return err_set(loader->err, ERR_INPUT,
                 "%s: %s differ from what the program ran with; give the image "
                 "that was run",
                 loader->image->path, what);
}

static void widen(struct loader *loader, uint64_t low, uint64_t high) {
  if (low < loader->low)
    loader->low = low;
  if (high > loader->high)
    loader->high = high;
}

/** Refuse code that is not in the file: profiles are as large as the code. */
static int check_text_bytes(const struct loader *loader, uint64_t n_bytes) {
  if (n_bytes <= MAX_ABSENT_TEXT + 16 * loader->image->file_bytes)
    return 0;
  return err_set(loader->err, ERR_INPUT,
                 "%s: is damaged: its executable segments claim %ju bytes, far "
                 "more than are in the file; give the image that was run",
                 loader->image->path, (uintmax_t)n_bytes);
}

static int check_texts(struct loader *loader) {
  const struct arcline_live_object *live = loader->object->live;
  uint64_t n_used = 0;
  struct image_range texts[ARCLINE_LIVE_MAX_TEXTS];
  uint64_t n_bytes;
  const size_t n =
      image_texts(loader->image, texts, ARCLINE_LIVE_MAX_TEXTS, &n_bytes);
  const uint64_t mask = live->bin_bytes - 1;

  if (n != live->n_texts ||
      live->bin_bytes != (n_bytes > MAX_FINE_TEXT ? 4 : 2))
    return is_other(loader, "its executable segments");
  for (size_t i = 0; i < n; i++) {
    if (live->texts[i].low_vaddr != (texts[i].low & ~mask) ||
        live->texts[i].high_vaddr != ((texts[i].high + mask) & ~mask))
      return is_other(loader, "its executable segments");
    widen(loader, live->texts[i].low_vaddr, live->texts[i].high_vaddr);
    n_used += live->texts[i].high_vaddr - live->texts[i].low_vaddr;
  }
  return check_text_bytes(loader, n_used);
}

static int find_section(struct loader *loader, size_t i) {
  struct image_section *found = &loader->found[i];

  if (!image_find_section(loader->image, sections[i].name, found))
    *found = (struct image_section){.name = sections[i].name};
  loader->object->sections[i].vaddr = found->vaddr;
  loader->object->sections[i].bytes = found->size_bytes;
  if (found->size_bytes == 0)
    return 0;
  if (found->size_bytes % sections[i].record_bytes != 0 ||
      found->vaddr % sections[i].alignment != 0 ||
      found->vaddr + found->size_bytes < found->vaddr)
    return err_set(loader->err, ERR_INPUT, "%s: section %s is damaged",
                   loader->image->path, sections[i].name);
  if (!found->bytes &&
      (i != ARCLINE_OFFLINE_CELLS || found->size_bytes > MAX_ABSENT_CELLS))
    return err_set(loader->err, ERR_INPUT,
                   "%s: section %s has no contents; give the image that was "
                   "run, not its debug information",
                   loader->image->path, sections[i].name);
  widen(loader, found->vaddr, found->vaddr + found->size_bytes);
  return 0;
}

static int check_sections(const struct loader *loader) {
  const struct arcline_offline_object *object = loader->object;
  const struct arcline_live_object *live = object->live;

  for (size_t i = 0; i < ARCLINE_OFFLINE_N_SECTIONS; i++)
    for (size_t j = 0; j < i; j++)
      if (object->sections[i].bytes && object->sections[j].bytes &&
          (object->sections[i].vaddr - object->sections[j].vaddr <
               object->sections[j].bytes ||
           object->sections[j].vaddr - object->sections[i].vaddr <
               object->sections[i].bytes))
        return err_set(loader->err, ERR_INPUT, "%s: sections %s and %s overlap",
                       loader->image->path, sections[i].name, sections[j].name);
  if (object->sections[ARCLINE_OFFLINE_CELLS].bytes !=
          live->n_cells * sizeof(uint64_t) ||
      (live->n_cells &&
       object->sections[ARCLINE_OFFLINE_CELLS].vaddr != live->cells_vaddr) ||
      object->sections[ARCLINE_OFFLINE_SITES].bytes !=
          live->n_sites * sizeof(struct arcline_site))
    return is_other(loader, "its counters");
  return 0;
}

static int map_span(const struct loader *loader, struct live_image *out) {
  const uint64_t n_bytes = loader->high - loader->low;
  void *memory = MAP_FAILED;

  // Texts are not copied, but take room, so that no two images' addresses are
  // the same.
  if (n_bytes <= MAX_SPAN_BYTES)
    memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return err_set(loader->err, ERR_SYSTEM, "%s: too large to be laid out",
                   loader->image->path);
  *out = (struct live_image){.memory = memory, .n_bytes = n_bytes};
  return 0;
}

static void fill(const struct loader *loader, struct live_image *out) {
  struct arcline_offline_object *object = loader->object;

  // The low bits of addresses stay as they are, so records stay aligned.
  object->bias = (uint64_t)(uintptr_t)out->memory - (loader->low & ~15ull);
  for (size_t i = 0; i < ARCLINE_OFFLINE_N_SECTIONS; i++) {
    const struct image_section *found = &loader->found[i];
    if (found->bytes)
      memcpy((uint8_t *)(uintptr_t)(found->vaddr + object->bias), found->bytes,
             found->n_bytes);
  }
}

/** Check the constant data; then no part of it is decoded more than once. */
static int check_data(const struct loader *loader) {
  struct flow_data flow = {0};
  const int rc = flow_data_add(&flow, loader->image, loader->err);

  flow_data_release(&flow);
  return rc;
}

int live_image_load(const struct image *image,
                    struct arcline_offline_object *object,
                    struct live_image *out, struct err *err) {
  struct loader loader = {
      .image = image, .object = object, .low = UINT64_MAX, .err = err};

  *out = (struct live_image){0};
  if (image->class_bits != 64 ||
      image->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
    return err_set(err, ERR_INPUT,
                   "%s: not an image of a machine with pointers and byte order "
                   "like this one's",
                   image->path);
  if (check_texts(&loader) != 0)
    return -1;
  for (size_t i = 0; i < ARCLINE_OFFLINE_N_SECTIONS; i++)
    if (find_section(&loader, i) != 0)
      return -1;
  loader.high += 16;
  if (check_sections(&loader) != 0 || check_data(&loader) != 0 ||
      map_span(&loader, out) != 0)
    return -1;
  fill(&loader, out);
  return 0;
}

void live_image_release(struct live_image *live) {
  if (live->memory)
    munmap(live->memory, live->n_bytes);
  *live = (struct live_image){0};
}
