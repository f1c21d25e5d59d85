/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "dump/file.h"
#include "dump/pool.h"
#include "dump/pool_arcs.h"
#include "dump/pool_lock.h"
#include "dump/pool_sites.h"
#include "objects/link_map.h"
#include "os/read_write.h"
#include "os/scratch.h"
#include "sample/sampler.h"

_Static_assert(sizeof(struct arcline_pool_start) <= ARCLINE_POOL_OTHERS_OFFSET,
               "the start has room");

enum { MAX_TRIES = 16 };

// --- The start of the file ---

static void describe(const struct rt_object *object,
                     struct arcline_live_object *out) {
  const struct rt_image *image = &object->image;

  out->n_cells = object->n_cells;
  out->cells_vaddr = (uint64_t)(uintptr_t)image->cells - object->load_bias;
  out->n_sites = (uint64_t)(image->sites_end - image->sites);
  out->bin_bytes = object->bin_bytes;
  out->n_texts = (uint32_t)object->n_texts;
  for (size_t i = 0; i < object->n_texts; i++) {
    out->texts[i].low_vaddr = object->texts[i].low_vaddr;
    out->texts[i].high_vaddr = object->texts[i].high_vaddr;
  }
  rt_copy(out->build_id, object->build_id, sizeof(out->build_id));
  out->n_build_id = (uint16_t)object->n_build_id;
}

/* Makes what all processes of the object agree upon, but for the program. */
static void make_start(const struct rt_pool_part *part,
                       struct arcline_pool_start *out) {
  static const char magic[ARCLINE_POOL_MAGIC_BYTES] = ARCLINE_POOL_MAGIC;
  const struct rt_clock *clock = rt_sampler_clock();
  struct rt_str dimension = {.text = out->dimension,
                             .room = sizeof(out->dimension)};

  rt_copy(out->magic, magic, sizeof(out->magic));
  rt_copy(out->id, part->object->build_id, sizeof(out->id));
  out->version = ARCLINE_POOL_VERSION;
  out->byte_order = ARCLINE_POOL_BYTE_ORDER;
  out->rate_hz = clock->rate;
  rt_str_add(&dimension, clock->dimension);
  out->abbreviation = clock->abbreviation;
  describe(part->object, &out->object);
}

/* Puts all that is before the chunks: the heads are zero at first. */
static int put_start(const void *what, struct write_sink *sink) {
  const struct rt_pool_part *part = what;
  struct arcline_pool_start *start = rt_alloc(ARCLINE_POOL_OTHERS_OFFSET);
  struct arcline_pool_places places;

  if (!start) {
    sink->error = -ENOMEM;
    return sink->error;
  }
  make_start(part, start);
  if (arcline_pool_find_places(&start->object, &places)) {
    rt_free(start, ARCLINE_POOL_OTHERS_OFFSET);
    sink->error = -EFBIG;
    return sink->error;
  }
  rt_copy(start->object.suffix, part->object->suffix,
          sizeof(start->object.suffix));
  rt_object_path(part->object, start->object.path);
  if (part->main) {
    start->n_program = (uint32_t)part->main->n_build_id;
    rt_copy(start->program, part->main->build_id, sizeof(start->program));
  }
  write_sink_put(sink, start, ARCLINE_POOL_OTHERS_OFFSET);
  sink->put_zeros(sink, (size_t)(places.data - ARCLINE_POOL_OTHERS_OFFSET));
  rt_free(start, ARCLINE_POOL_OTHERS_OFFSET);
  return sink->error;
}

/* The bytes of the start that make_start() makes. */
enum { N_BYTES = offsetof(struct arcline_pool_start, object.suffix) };

/* Is it a pool of this object, with samples of this rate? */
static int check_start(long fd, struct arcline_pool_start *own) {
  struct arcline_pool_start *there = rt_alloc(N_BYTES);

  if (!there)
    return -ENOMEM;
  const long n = rt_read_at(fd, there, N_BYTES, 0);
  // The program is that of the process that was first.
  own->n_program = there->n_program;
  rt_copy(own->program, there->program, sizeof(own->program));
  const bool is_same = n == N_BYTES && rt_equal(own, there, N_BYTES);
  rt_free(there, N_BYTES);
  if (n < 0)
    return n == -ESPIPE || n == -EISDIR ? -RT_EFTYPE : (int)n;
  return is_same ? 0 : -RT_EINCOMPATIBLE;
}

// --- Counts ---

/* Calls visit on each bin with samples of a text. Returns what that does; 0: it
   goes on. */
static int
each_bin(const struct rt_profile *profile, const struct rt_text *text,
         int (*visit)(void *context, uint64_t vaddr, uint64_t n_samples),
         void *context) {
  const size_t n_bins =
      rt_load(&text->is_sampled) ? rt_text_n_bins(text, profile->bin_bytes) : 0;
  int rc = 0;

  for (size_t i = 0; text->bins && i < n_bins && !rc; i++) {
    if (!rt_load(&text->touched[i / RT_CHUNK_BINS])) {
      i += RT_CHUNK_BINS - 1;
      continue;
    }
    const uint64_t n_samples =
        __atomic_load_n(&text->bins[i], __ATOMIC_RELAXED);
    if (n_samples)
      rc = visit(context, text->low_vaddr + i * profile->bin_bytes, n_samples);
  }
  return rc;
}

static int count_bin(void *context, uint64_t vaddr, uint64_t n_samples) {
  size_t *n = context;

  (void)vaddr;
  (void)n_samples;
  ++*n;
  return 0;
}

static int add_bin(void *context, uint64_t vaddr, uint64_t n_samples) {
  return rt_pool_arcs_add_bin(context, vaddr, n_samples);
}

static int add_arc(void *context, const struct solve_arc *arc) {
  return rt_pool_arcs_add(context, arc);
}

static int add_all(const struct rt_profile *profile,
                   const struct rt_pool_sites *sites,
                   struct rt_pool_arcs *arcs) {
  int rc = rt_pool_sites_each_arc(sites, add_arc, arcs);

  for (size_t i = 0; i < profile->n_texts && !rc; i++)
    rc = each_bin(profile, &profile->texts[i], add_bin, arcs);
  return rc;
}

/* Samples that come meanwhile may be of further bins. */
enum { MORE_BINS = 64 };

static int add_arcs(const struct rt_profile *profile,
                    const struct rt_pool_sites *sites,
                    struct rt_pool_ends *ends) {
  size_t n = rt_pool_sites_n_arcs(sites), n_bins = 0;
  struct rt_pool_arcs arcs;

  for (size_t i = 0; i < profile->n_texts; i++)
    each_bin(profile, &profile->texts[i], count_bin, &n_bins);
  n += n_bins ? n_bins + MORE_BINS : 0;
  int rc = rt_pool_arcs_begin(ends, n, &arcs);
  if (!rc && n)
    rc = add_all(profile, sites, &arcs);
  if (!rc)
    rc = rt_pool_arcs_store(&arcs);
  rt_pool_arcs_end(&arcs);
  return rc;
}

static int add_cells(const struct rt_profile *profile, struct rt_pool *pool) {
  return rt_pool_add_words(pool, ARCLINE_POOL_FIGURES, profile->cells,
                           profile->n_cells, profile->touched);
}

static int add_counts(const struct rt_pool_part *part, struct rt_pool *pool) {
  struct rt_profile *profile = part->profile;
  struct rt_pool_ends ends = {.pool = pool};
  struct rt_pool_sites sites;

  if (part->has_cells_only)
    return add_cells(profile, pool);
  int rc = rt_pool_sites_compare(part->object, profile, &ends, &sites);
  if (!rc)
    rc = add_cells(profile, pool);
  if (!rc)
    rc = rt_pool_sites_fix_cells(&sites, pool);
  if (!rc)
    rc = add_arcs(profile, &sites, &ends);
  rt_pool_sites_free(&sites);
  rt_pool_ends_free(&ends);
  return rc;
}

// --- The file ---

static int add_figures(struct rt_pool *pool) {
  return rt_pool_add_words(pool, ARCLINE_POOL_FIGURES, NULL, 0, NULL);
}

/* Adds to the file, which is locked. */
static int add_to(long fd, const struct rt_pool_part *part) {
  struct arcline_pool_start *start = rt_alloc(N_BYTES);
  struct rt_pool pool;

  if (!start)
    return -ENOMEM;
  make_start(part, start);
  int rc = check_start(fd, start);
  if (!rc) {
    rc = rt_pool_begin(fd, &start->object, &pool);
    pool.figures = part->figures;
    if (!rc)
      rc = part->profile ? add_counts(part, &pool) : add_figures(&pool);
    if (!rc && (part->profile || part->figures->is_added))
      rc = rt_pool_commit(&pool);
    if (rc && part->figures)
      part->figures->is_added = false;
    rt_pool_end(&pool);
  }
  rt_free(start, N_BYTES);
  return rc;
}

static bool has_no_locks(int rc) {
  return rc == -ENOLCK || rc == -EOPNOTSUPP || rc == -ENOSYS || rc == -EBADF;
}

/* Was the file removed before it was locked? Then counts in it are lost. */
static bool is_removed(long fd) {
  struct stat status;

  return rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0) == 0 &&
         status.st_nlink == 0;
}

static int try_to_add(const char *path, const struct rt_pool_part *part) {
  long fd = rt_pool_open(path, O_RDWR);

  if (fd == -ENOENT && part->profile) {
    const int rc = rt_file_create(path, put_start, part);
    if (rc && rc != -EEXIST)
      return rc;
    fd = rt_pool_open(path, O_RDWR);
  }
  if (fd < 0)
    return (int)fd;
  uint64_t until_ns = 0;
  int rc = rt_pool_lock(fd, &until_ns);
  if (!rc && part->has_cells_only && is_removed(fd))
    rc = -ENOENT;
  if (!rc || (part->is_own && has_no_locks(rc)))
    rc = add_to(fd, part);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return rc;
}

int rt_pool_add(const char *path, const struct rt_pool_part *part) {
  int rc = try_to_add(path, part);

  // arcline tests removes files of contexts, and their folders.
  for (int i = 1; i < MAX_TRIES && part->has_cells_only && rc == -ENOENT; i++)
    rc = try_to_add(path, part);
  return rc;
}
