/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/gmon_open.h"

#include "base/err.h"
#include "image/image.h"
#include "recover/pool_profile.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 2 * GMON_ARCLINE_BUILD_ID_BYTES + 1 };

static void format_id(const uint8_t *id, char *out) {
  for (size_t i = 0; i < GMON_ARCLINE_BUILD_ID_BYTES; i++)
    snprintf(out + 2 * i, 3, "%02x", id[i]);
}

/** Check the first bytes of a build-id. */
static int check_build_id(const struct image *image, const char *path,
                          const uint8_t *build_id, struct err *err) {
  char found[TEXT_BYTES], expected[TEXT_BYTES];

  // An image may have a shorter id, or none: the rest of it is zeros, and so
  // it is in the mark.
  if (memcmp(build_id, image->build_id, GMON_ARCLINE_BUILD_ID_BYTES) == 0)
    return 0;
  format_id(build_id, found);
  format_id(image->build_id, expected);
  return err_set(err, ERR_INPUT,
                 "%s: build ID %s... differs from that of image %s, %s...; "
                 "name the image that ran, or use --force",
                 path, found, image->path, expected);
}

/** Solve a pool. */
static int replace_pool(const struct image *image, struct gmon_file *file,
                        bool is_forced, struct err *err) {
  const struct arcline_pool_start *const start = (const void *)file->bytes;

  if (!pool_is_pool_file(file))
    return 0;
  if (!is_forced && file->n_bytes >= sizeof(*start) &&
      check_build_id(image, file->path, start->id, err))
    return -1;
  return pool_profile_replace(file, image, NULL, err);
}

// --- Profiles without a mark ---

enum {
  MAX_TEXTS = 16,            // executable segments of an image
  MAX_RECORDS = 10000,       // examined
  MIN_FAR_PERCENT_ARCS = 50, // shared libraries may be called and counted
  MIN_FAR_PERCENT_SAMPLES = 5,
};

/** The code of an image, and the arcs and samples of a profile outside of
 * it. */
struct far {
  struct image_range texts[MAX_TEXTS];
  size_t n_texts;
  uint64_t n_arcs, n_far_arcs;
  uint64_t n_samples, n_far_samples;
};

static bool is_far(const struct far *far, uint64_t pc) {
  for (size_t i = 0; i < far->n_texts; i++)
    if (pc >= far->texts[i].low && pc < far->texts[i].high)
      return false;
  return true;
}

static void count_bins(struct far *far,
                       const struct gmon_histogram *histogram) {
  if (histogram->n_bins == 0 || histogram->high_pc < histogram->low_pc)
    return;
  const uint64_t bytes = histogram->high_pc - histogram->low_pc;
  const double bin_bytes = (double)bytes / histogram->n_bins;
  for (uint32_t i = 0; (i = gmon_next_bin(histogram, i)) < histogram->n_bins;
       i++) {
    const uint16_t n_samples = gmon_bin(histogram, i);
    const uint64_t pc = histogram->low_pc + (uint64_t)(i * bin_bytes);
    far->n_samples += n_samples;
    if (is_far(far, pc))
      far->n_far_samples += n_samples;
  }
}

/**
 * Warn if a profile seems to be of another program: many of its samples, or
 * most of its calls, are at addresses without code in the image.
 *
 * reader  at the first record; a copy.
 */
static void warn_if_foreign(const struct image *image,
                            struct gmon_reader reader) {
  struct far far = {.n_texts = 0};
  struct gmon_record record;
  struct err ignored;
  uint64_t n_bytes;

  far.n_texts = image_texts(image, far.texts, MAX_TEXTS, &n_bytes);
  for (int i = 0; far.n_texts > 0 && i < MAX_RECORDS &&
                  gmon_reader_next(&reader, &record, &ignored) > 0;
       i++) {
    if (record.tag == GMON_TAG_ARC) {
      far.n_arcs++;
      far.n_far_arcs += is_far(&far, record.arc.self_pc);
    } else if (record.tag == GMON_TAG_HISTOGRAM) {
      count_bins(&far, &record.histogram);
    }
  }
  if (far.n_far_samples * 100 > far.n_samples * MIN_FAR_PERCENT_SAMPLES)
    warn("%s: %llu of %llu samples are outside of the code of %s; is this the "
         "profile of another program?",
         reader.file->path, (unsigned long long)far.n_far_samples,
         (unsigned long long)far.n_samples, image->path);
  else if (far.n_far_arcs * 100 > far.n_arcs * MIN_FAR_PERCENT_ARCS)
    warn("%s: %llu of %llu callees are outside of the code of %s; is this the "
         "profile of another program?",
         reader.file->path, (unsigned long long)far.n_far_arcs,
         (unsigned long long)far.n_arcs, image->path);
}

struct gmon_layout gmon_layout_of(const struct image *image) {
  return (struct gmon_layout){
      .class_bits = image->class_bits,
      .is_big_endian = image->is_big_endian,
  };
}

int gmon_open(const struct image *image, const char *path,
              enum gmon_format format, bool is_forced, struct gmon_file *file,
              struct gmon_reader *reader, struct err *err) {
  if (gmon_file_load(path, file, err))
    return -1;
  if (replace_pool(image, file, is_forced, err) == 0 &&
      gmon_reader_init(reader, file, gmon_layout_of(image), format, err) == 0 &&
      (is_forced || !reader->has_mark ||
       check_build_id(image, path, reader->build_id, err) == 0)) {
    if (!reader->has_mark && !is_forced)
      warn_if_foreign(image, *reader);
    return 0;
  }
  gmon_file_release(file);
  return -1;
}
