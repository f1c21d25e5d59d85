/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/raw_profile.h"

#include "base/err.h"
#include "image/image.h"
#include "write/gmon.h"

#include <stdlib.h>

// --- The image ---

// As the runtime does: wider bins for objects with more text than this.
#define MAX_FINE_TEXT ((uint64_t)8 << 20)

// Data may follow code in a segment without being in the file.
#define MAX_ABSENT_TEXT ((uint64_t)16 << 20)

static int is_other(const struct image *image, const char *what,
                    struct err *err) {
  return err_set(
      err, ERR_INPUT,
      "%s: %s differ from those of the image that ran; name the image that ran",
      image->path, what);
}

/** The texts of the image are those of the record, which has whole bins. */
static int check_texts(const struct arcline_live_object *record,
                       const struct image *image, struct const_data *data,
                       struct err *err) {
  struct image_range texts[ARCLINE_LIVE_MAX_TEXTS];
  uint64_t n_bytes;
  const size_t n = image_texts(image, texts, ARCLINE_LIVE_MAX_TEXTS, &n_bytes);
  const uint64_t mask = record->bin_bytes - 1;

  if (n != record->n_texts ||
      record->bin_bytes != (n_bytes > MAX_FINE_TEXT ? 4 : 2))
    return is_other(image, "its executable segments", err);
  for (size_t i = 0; i < n; i++) {
    const struct solve_range text = {texts[i].low & ~mask,
                                     (texts[i].high + mask) & ~mask};
    if (record->texts[i].low_vaddr != text.low ||
        record->texts[i].high_vaddr != text.high)
      return is_other(image, "its executable segments", err);
    data->image.texts[i] = text;
  }
  // Profiles are as large as the code, from its first byte to the last.
  const uint64_t span =
      record->texts[n - 1].high_vaddr - record->texts[0].low_vaddr;
  if (span > MAX_ABSENT_TEXT + 16 * image->file_bytes)
    return err_set(err, ERR_INPUT,
                   "%s: corrupt: executable segments declare %ju bytes, far "
                   "more than the file has; name the image that ran",
                   image->path, (uintmax_t)span);
  return 0;
}

static int check_sections(const struct arcline_live_object *record,
                          const struct image *image,
                          const struct const_data *data, struct err *err) {
  const struct solve_section *cells = &data->image.sections[SOLVE_CELLS];

  if (data->stripped)
    return err_set(err, ERR_INPUT,
                   "%s: section %s has no contents; name the image that ran, "
                   "not its debug file",
                   image->path, data->stripped);
  if (cells->n_bytes != record->n_cells * sizeof(uint64_t) ||
      (record->n_cells && cells->vaddr != record->cells_vaddr) ||
      solve_n_site_records(&data->image) != record->n_sites)
    return is_other(image, "its counters", err);
  return 0;
}

int raw_profile_find_data(const struct arcline_live_object *record,
                          const struct image *image, struct const_data *out,
                          struct err *err) {
  if (const_data_find(image, out, err) != 0 ||
      check_texts(record, image, out, err) != 0 ||
      check_sections(record, image, out, err) != 0)
    return -1;
  out->image.is_library = record->suffix[0] != '\0';
  return 0;
}

// --- The profile ---

// More than any machine counts in months, in all arcs together. Larger counts
// are split into so many records that they would fill the disk, or the memory.
#define MAX_RECORDS ((uint64_t)1 << 22)
#define CALLS_PER_RECORD ((uint64_t)1 << 32)
#define MAX_SAMPLES ((uint64_t)1 << 40)

static bool is_plausible(const struct write_profile *profile) {
  uint64_t n_records = 0;

  for (size_t i = 0; i < profile->n_arcs; i++) {
    const uint64_t count = profile->arcs[i].count;
    n_records += (int64_t)count > 0 ? count / CALLS_PER_RECORD : 0;
    if (n_records > MAX_RECORDS)
      return false;
  }
  for (size_t i = 0; i < profile->n_texts; i++) {
    const struct write_text *text = &profile->texts[i];
    const size_t n_bins = write_n_bins(text, profile->bin_bytes);
    for (size_t bin = 0; text->bins && bin < n_bins; bin++)
      if (text->bins[bin] > MAX_SAMPLES)
        return false;
  }
  return true;
}

/** Leave arcs between objects to the side file. */
static int take_crossing(struct solve_arcs *arcs, struct raw_crossing *out,
                         struct err *err) {
  struct solve_arc *scratch = reallocarray(NULL, arcs->n + 1, sizeof(*scratch));

  out->arcs = reallocarray(NULL, arcs->n + 1, sizeof(*out->arcs));
  if (scratch && out->arcs)
    out->n = solve_arcs_split(arcs->arcs, &arcs->n, out->arcs, scratch);
  free(scratch);
  return scratch && out->arcs ? 0 : err_no_memory(err);
}

static int write_solved(const struct raw_profile *raw,
                        const struct solve_arcs *arcs, struct solver *solver,
                        struct write_sink *sink, struct err *err) {
  const struct arcline_live_object *record = raw->record;
  struct write_text texts[ARCLINE_LIVE_MAX_TEXTS];

  for (size_t i = 0; i < record->n_texts; i++)
    texts[i] = (struct write_text){.low_vaddr = record->texts[i].low_vaddr,
                                   .high_vaddr = record->texts[i].high_vaddr,
                                   .bins = raw->bins[i],
                                   .touched = raw->touched[i]};
  const struct write_profile profile = {
      .build_id = record->build_id,
      .texts = texts,
      .n_texts = record->n_texts,
      .bin_bytes = record->bin_bytes,
      .dimension = raw->dimension,
      .abbreviation = raw->abbreviation,
      .rate = raw->rate_hz,
      .arcs = arcs->arcs,
      .n_arcs = arcs->n,
      .solver = solver,
      .cells = raw->cells,
      .n_cells = record->n_cells,
      .cells_vaddr = record->cells_vaddr,
  };
  if (!is_plausible(&profile))
    return err_set(err, ERR_INPUT, "%s: corrupt: implausibly large counts",
                   raw->path);
  write_gmon(&profile, sink);
  return 0;
}

int raw_profile_write(const struct raw_profile *raw, struct write_sink *sink,
                      struct raw_crossing *crossing, struct err *err) {
  const struct solve_input input = {.image = &raw->data->image,
                                    .cells = raw->cells,
                                    .arcs = raw->arcs,
                                    .n_arcs = raw->n_arcs,
                                    .callee = raw->callee,
                                    .context = raw->context,
                                    .alloc = const_data_alloc,
                                    .free = const_data_free};
  struct solve_arcs arcs = {0};
  struct solver *solver = solve_open(&input);

  *crossing = (struct raw_crossing){0};
  int rc = solver && solve_profile(solver, &arcs) == 0 ? 0 : err_no_memory(err);
  if (rc == 0)
    rc = const_data_check(raw->data, solve_damage(solver), err);
  if (rc == 0)
    rc = take_crossing(&arcs, crossing, err);
  if (rc == 0)
    rc = write_solved(raw, &arcs, solver, sink, err);
  free(arcs.arcs);
  solve_close(solver);
  if (rc) {
    free(crossing->arcs);
    *crossing = (struct raw_crossing){0};
  }
  return rc;
}
