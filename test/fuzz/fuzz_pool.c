/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* `arcline dump` and `arcline merge` of a pool, with its image and a side file
   that lists it. Inputs begin as those with live files do (live_input.h); then
   come the start of the pool, its head, and the starts of its chunks. */
#include "arcline/pool_places.h"
#include "base/err.h"
#include "cmd/commands.h"
#include "fuzz.h"
#include "image/image.h"
#include "live_input.h"

#include <stdio.h>
#include <string.h>

enum {
  START_BYTES = 512,
  HEAD_BYTES = 64,
  CHUNK_BYTES = 512, /* of each chunk */
  MAX_CHUNKS = 48,
  MAX_BYTES = ARCLINE_POOL_HEADS_OFFSET + (8 + 2 * MAX_CHUNKS) * 4096,
};

/** Flags beside those of the image. */
enum {
  RAW_START = 1 << 0, /* as it is */
  RAW_OBJECT = 1 << 1,
  RAW_HEAD = 1 << 2,
  CUT_OFF = 1 << 3,
};

/** Put the next n bytes at a place. */
static void place(uint8_t *at, size_t n, struct live_input *input) {
  if (n > input->n_live)
    n = input->n_live;
  memcpy(at, input->live, n);
  input->live += n;
  input->n_live -= n;
}

static void fit_start(struct arcline_pool_start *start) {
  memcpy(start->magic, ARCLINE_POOL_MAGIC, sizeof(start->magic));
  start->version = ARCLINE_POOL_VERSION;
  start->byte_order = ARCLINE_POOL_BYTE_ORDER;
  start->rate_hz += start->rate_hz == 0;
  start->dimension[sizeof(start->dimension) - 1] = 0;
  start->n_program = sizeof(start->program);
  start->object.suffix[0] = 0;
}

static void fit_object(struct arcline_pool_start *start, const char *path) {
  struct image image;
  struct err ignored;
  if (image_open(path, &image, &ignored))
    return;
  live_input_fit_object(&image, path, &start->object);
  start->object.bin_bytes = 2;
  start->object.number = 0;
  memcpy(start->id, image.build_id, sizeof(start->id));
  memcpy(start->program, image.build_id, sizeof(start->program));
  image_close(&image);
}

static void fit_head(struct arcline_pool_head *head,
                     const struct arcline_pool_places *places) {
  head->n_others %= 4;
  head->n_slots = head->n_slots % 3 * 128;
  head->first_arc_chunk = places->n_chunks;
  head->n_bytes = 0;
  head->checksum = arcline_pool_checksum(places, head);
}

/** Bins of many samples make gmon files of many histograms, arcs of many calls
 * such of many records. */
static void limit_arcs(struct arcline_pool_arc *arcs) {
  for (size_t i = 0; i < 4096 / sizeof(*arcs); i++)
    arcs[i].count %= (uint64_t)1
                     << (arcs[i].from == ARCLINE_POOL_SAMPLES ? 20 : 40);
}

static void limit_cells(const struct arcline_live_object *object,
                        uint64_t chunk, uint64_t *words) {
  for (uint64_t i = 0; i < ARCLINE_POOL_CHUNK_WORDS; i++) {
    const uint64_t at = chunk * ARCLINE_POOL_CHUNK_WORDS + i;
    if (at >= ARCLINE_POOL_FIGURES &&
        at - ARCLINE_POOL_FIGURES < object->n_cells)
      words[i] %= (uint64_t)1 << 40;
  }
}

/** Make the pool; returns how many bytes it has. */
static size_t make_pool(struct live_input *input, const char *image_path,
                        uint8_t *file) {
  struct arcline_pool_start *const start = (void *)file;
  struct arcline_pool_head *const head =
      (void *)(file + ARCLINE_POOL_HEADS_OFFSET);
  struct arcline_pool_places places;

  memset(file, 0, MAX_BYTES);
  place(file, START_BYTES, input);
  place((uint8_t *)head, HEAD_BYTES, input);
  if (!(input->flags & RAW_START))
    fit_start(start);
  if (!(input->flags & RAW_OBJECT))
    fit_object(start, image_path);
  if (arcline_pool_find_places(&start->object, &places) ||
      places.data > MAX_BYTES)
    return MAX_BYTES;
  for (uint64_t i = 0; i < MAX_CHUNKS && input->n_live; i++) {
    const uint64_t at = arcline_pool_offset(&places, i, 0);
    if (at + 4096 > MAX_BYTES)
      break;
    place(file + at, CHUNK_BYTES, input);
    if (i >= places.n_chunks)
      limit_arcs((void *)(file + at));
    else
      limit_cells(&start->object, i, (void *)(file + at));
  }
  if (!(input->flags & RAW_HEAD))
    fit_head(head, &places);
  return input->flags & CUT_OFF ? places.data : MAX_BYTES;
}

/** Write a side file with the object of the image. */
static size_t make_side(const char *image_path, char *text, size_t room) {
  struct image image;
  struct err ignored;
  size_t n = (size_t)snprintf(
      text, room,
      "arcline-side 1\nprocess 0 prog\nclock seconds 100\nobject 0 ");
  if (image_open(image_path, &image, &ignored))
    return 0;
  for (size_t i = 0; i < image.n_build_id; i++)
    n += (size_t)snprintf(text + n, room - n, "%02x", image.build_id[i]);
  image_close(&image);
  return n + (size_t)snprintf(text + n, room - n, "%s 0x0 pool %s\nend\n",
                              image.n_build_id ? "" : "-", image_path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  static _Alignas(8) uint8_t file[MAX_BYTES];
  static char text[1024];
  static int is_linked;
  char *dump[] = {"dump", "in/pool", NULL};
  char *merge[] = {"merge", "-o", "out", "in/pool", "in/pool.arcline", NULL};
  struct live_input input = live_input_read(bytes, n_bytes);
  struct err err = {0};

  fuzz_folder_enter();
  const char *const image = fuzz_file(0, input.image, input.n_image);
  fuzz_file(1, file, make_pool(&input, image, file));
  fuzz_file(2, (uint8_t *)text, make_side(image, text, sizeof(text)));
  if (!is_linked) {
    fuzz_folder_link(1, "pool");
    fuzz_folder_link(2, "pool.arcline");
    is_linked = 1;
  }
  cmd_dump.run(2, dump, &err);
  cmd_merge.run(5, merge, &err);
  fuzz_folder_leave();
  return 0;
}
