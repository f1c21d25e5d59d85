/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/pool_profile.h"

#include "base/err.h"
#include "gmon/gmon_file.h"
#include "image/image.h"
#include "image/image_index.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = INT32_MAX }; // of a bin in a gmon file

// A bin of more samples needs a further histogram, and all are in memory.
#define MAX_HISTOGRAM_BYTES ((uint64_t)4 << 30)
enum { SAMPLES_PER_HISTOGRAM = UINT16_MAX };

/** The counts of a pool, as the solver takes them. */
struct sums {
  const struct pool_file *pool;
  uint64_t *cells;
  struct arcline_live_callees *callees;
  struct solve_arc *arcs;
  size_t n_arcs;
  uint64_t *bins[ARCLINE_LIVE_MAX_TEXTS];
  uint8_t *touched[ARCLINE_LIVE_MAX_TEXTS];
};

static void release(struct sums *sums) {
  for (size_t i = 0; i < ARCLINE_LIVE_MAX_TEXTS; i++) {
    free(sums->bins[i]);
    free(sums->touched[i]);
  }
  free(sums->cells);
  free(sums->callees);
  free(sums->arcs);
}

/** An end of an arc; one that the list of objects has no place for is in no
 * instrumented object. */
static uint64_t check_end(const struct sums *sums, uint64_t end) {
  if (!(end & SOLVE_OUTSIDE))
    return end;
  const uint64_t number = solve_outside_number(end);
  return end & SOLVE_OUTSIDE_NAMED || number == 0 ||
                 number > sums->pool->head->n_others
             ? 0
             : end;
}

static uint64_t callee(const void *context, size_t i_site, bool is_second) {
  const struct sums *const sums = context;
  const struct arcline_live_callees *const site = &sums->callees[i_site];

  return check_end(sums, is_second ? site->second : site->callee);
}

static void add_samples(struct sums *sums, const struct arcline_pool_arc *bin) {
  const struct arcline_live_object *const record = &sums->pool->start.object;

  for (uint32_t i = 0; i < record->n_texts; i++) {
    if (bin->self < record->texts[i].low_vaddr ||
        bin->self >= record->texts[i].high_vaddr)
      continue;
    const uint64_t i_bin =
        (bin->self - record->texts[i].low_vaddr) / record->bin_bytes;
    uint64_t *const n = &sums->bins[i][i_bin];
    *n = bin->count > MAX_SAMPLES - *n ? MAX_SAMPLES : *n + bin->count;
    sums->touched[i][i_bin / ARCLINE_LIVE_CHUNK_BINS] = 1;
  }
}

static void count_arc(void *context, const struct arcline_pool_arc *arc) {
  (void)arc;
  ++*(size_t *)context;
}

static void take_arc(void *context, const struct arcline_pool_arc *arc) {
  struct sums *const sums = context;

  if (arc->from == ARCLINE_POOL_SAMPLES)
    add_samples(sums, arc);
  else
    sums->arcs[sums->n_arcs++] =
        (struct solve_arc){.from = check_end(sums, arc->from),
                           .self = check_end(sums, arc->self),
                           .count = arc->count};
}

static int read_arcs(struct sums *sums) {
  size_t n = 0;

  pool_file_each_arc(sums->pool, count_arc, &n);
  sums->arcs = reallocarray(NULL, n + 1, sizeof(*sums->arcs));
  struct solve_arc *scratch = reallocarray(NULL, n + 1, sizeof(*scratch));
  if (sums->arcs && scratch) {
    pool_file_each_arc(sums->pool, take_arc, sums);
    sums->n_arcs = solve_arcs_merge(sums->arcs, sums->n_arcs, scratch);
  }
  free(scratch);
  return sums->arcs && scratch ? 0 : -1;
}

/** The sizes in the record are those of the image. */
static int read_sums(struct sums *sums) {
  const struct pool_file *const pool = sums->pool;
  const struct arcline_live_object *const record = &pool->start.object;

  sums->cells = calloc(record->n_cells + 1, sizeof(*sums->cells));
  sums->callees = calloc(record->n_sites + 1, sizeof(*sums->callees));
  if (!sums->cells || !sums->callees)
    return -1;
  for (uint32_t i = 0; i < record->n_texts; i++) {
    const uint64_t n =
        (record->texts[i].high_vaddr - record->texts[i].low_vaddr) /
        record->bin_bytes;
    sums->bins[i] = calloc(n + 1, sizeof(*sums->bins[i]));
    sums->touched[i] = calloc(n / ARCLINE_LIVE_CHUNK_BINS + 1, 1);
    if (!sums->bins[i] || !sums->touched[i])
      return -1;
  }
  pool_file_copy(pool, ARCLINE_POOL_FIGURES, record->n_cells, sums->cells);
  pool_file_copy(pool, pool->places.callees, 2 * record->n_sites,
                 (uint64_t *)sums->callees);
  return read_arcs(sums);
}

/** Can the bins be those of processes? */
static bool is_plausible(const struct sums *sums) {
  const struct arcline_live_object *const record = &sums->pool->start.object;
  uint64_t n_bytes = 0;

  for (uint32_t i = 0; i < record->n_texts; i++) {
    const uint64_t n =
        (record->texts[i].high_vaddr - record->texts[i].low_vaddr) /
        record->bin_bytes;
    uint64_t most = 0;
    for (uint64_t j = 0; j < n; j++)
      most = sums->bins[i][j] > most ? sums->bins[i][j] : most;
    n_bytes += (most / SAMPLES_PER_HISTOGRAM + 1) * n * sizeof(uint16_t);
  }
  return n_bytes <= MAX_HISTOGRAM_BYTES;
}

static int write(struct sums *sums, struct pool_profile *out, struct err *err) {
  const struct arcline_pool_start *const start = &sums->pool->start;
  struct raw_profile raw = {.path = sums->pool->bytes->path,
                            .record = &start->object,
                            .data = &out->data,
                            .dimension = start->dimension,
                            .abbreviation = start->abbreviation,
                            .rate_hz = start->rate_hz,
                            .cells = sums->cells,
                            .arcs = sums->arcs,
                            .n_arcs = sums->n_arcs,
                            .callee = callee,
                            .context = sums};

  for (size_t i = 0; i < ARCLINE_LIVE_MAX_TEXTS; i++) {
    raw.bins[i] = sums->bins[i];
    raw.touched[i] = sums->touched[i];
  }
  if (!is_plausible(sums))
    return err_set(err, ERR_INPUT, "%s: corrupt: implausibly many samples",
                   raw.path);
  if (byte_sink_begin(&out->bytes))
    return err_no_memory(err);
  const int rc = raw_profile_write(&raw, &out->bytes.sink, &out->crossing, err);
  return rc == 0 && out->bytes.sink.error ? err_no_memory(err) : rc;
}

int pool_profile_make(const struct pool_file *pool, const struct image *image,
                      struct pool_profile *out, struct err *err) {
  struct sums sums = {.pool = pool};

  *out = (struct pool_profile){0};
  int rc = raw_profile_find_data(&pool->start.object, image, &out->data, err);
  if (rc == 0 && read_sums(&sums))
    rc = err_no_memory(err);
  if (rc == 0)
    rc = write(&sums, out, err);
  release(&sums);
  if (rc)
    pool_profile_release(out);
  return rc;
}

void pool_profile_release(struct pool_profile *profile) {
  byte_sink_release(&profile->bytes);
  free(profile->crossing.arcs);
  *profile = (struct pool_profile){0};
}

// --- In the place of a pool ---

static int replace(struct gmon_file *file, const struct pool_file *pool,
                   const struct image *image, struct err *err) {
  struct pool_profile profile;

  if (pool_profile_make(pool, image, &profile, err))
    return -1;
  free(file->bytes);
  file->bytes = profile.bytes.sink.first;
  file->n_bytes = byte_sink_file(&profile.bytes).n_bytes;
  profile.bytes = (struct write_byte_sink){0};
  pool_profile_release(&profile);
  return 0;
}

/** Open the image at a path if it has the build-id of the pool. Returns 0, or
 * -1 with *err set. */
static int open_own(const char *path, const struct pool_file *pool,
                    struct image *out, struct err *err) {
  const struct arcline_live_object *const record = &pool->start.object;

  if (image_open(path, out, err))
    return err_prefix(err, "%s", pool->bytes->path);
  if (memcmp(out->build_id, record->build_id, record->n_build_id) == 0)
    return 0;
  image_close(out);
  return err_set(err, ERR_INPUT, "%s: build ID differs from that of image %s",
                 pool->bytes->path, path);
}

/** Find the image where it was, or in a folder. */
static int open_found(const struct pool_file *pool, struct image_index *images,
                      struct image *out, struct err *err) {
  const struct arcline_live_object *const record = &pool->start.object;
  const char *path = NULL;
  struct err failure;

  if (open_own(record->path, pool, out, err) == 0)
    return 0;
  if (!images || err->code != ERR_INPUT)
    return -1;
  if (image_index_find(images, record->build_id, record->n_build_id, &path,
                       &failure)) {
    *err = failure;
    return -1;
  }
  if (path)
    return open_own(path, pool, out, err);
  failure = *err;
  return err_set(err, ERR_INPUT, "%s; %s", failure.text,
                 images->folder
                     ? "--images=FOLDER contains no image with this build ID"
                     : "use --images=FOLDER to find it elsewhere");
}

int pool_profile_replace(struct gmon_file *file, const struct image *image,
                         struct image_index *images, struct err *err) {
  struct pool_file pool;
  struct image found;

  if (!pool_is_pool_file(file))
    return 0;
  if (pool_file_read(file, &pool, err))
    return -1;
  if (image && image_has_code(image))
    return replace(file, &pool, image, err);
  if (open_found(&pool, images, &found, err))
    return -1;
  const int rc = replace(file, &pool, &found, err);
  image_close(&found);
  return rc;
}
