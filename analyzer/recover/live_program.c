/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/live_program.h"

#include "base/array.h"
#include "base/err.h"

#include <stdlib.h>

// As the runtime does: wider bins for objects with more text than this.
#define MAX_FINE_TEXT ((uint64_t)8 << 20)

// Data may follow code in a segment without being in the file.
#define MAX_ABSENT_TEXT ((uint64_t)16 << 20)

static int is_other(const struct live_part *part, const char *what,
                    struct err *err) {
  return err_set(err, ERR_INPUT,
                 "%s: %s differ from what the program ran with; give the image "
                 "that was run",
                 part->image.path, what);
}

/** The texts of the image are those of the record, which has whole bins. */
static int check_texts(struct live_part *part, struct err *err) {
  const struct arcline_live_object *record = &part->object->record;
  struct image_range texts[ARCLINE_LIVE_MAX_TEXTS];
  uint64_t n_bytes;
  const size_t n =
      image_texts(&part->image, texts, ARCLINE_LIVE_MAX_TEXTS, &n_bytes);
  const uint64_t mask = record->bin_bytes - 1;

  if (n != record->n_texts ||
      record->bin_bytes != (n_bytes > MAX_FINE_TEXT ? 4 : 2))
    return is_other(part, "its executable segments", err);
  for (size_t i = 0; i < n; i++) {
    const struct solve_range text = {texts[i].low & ~mask,
                                     (texts[i].high + mask) & ~mask};
    if (record->texts[i].low_vaddr != text.low ||
        record->texts[i].high_vaddr != text.high)
      return is_other(part, "its executable segments", err);
    part->data.image.texts[i] = text;
  }
  // Profiles are as large as the code, from its first byte to the last.
  const uint64_t span =
      record->texts[n - 1].high_vaddr - record->texts[0].low_vaddr;
  if (span > MAX_ABSENT_TEXT + 16 * part->image.file_bytes)
    return err_set(
        err, ERR_INPUT,
        "%s: is damaged: its executable segments claim %ju bytes, far "
        "more than are in the file; give the image that was run",
        part->image.path, (uintmax_t)span);
  return 0;
}

static int check_sections(const struct live_part *part, struct err *err) {
  const struct arcline_live_object *record = &part->object->record;
  const struct solve_section *cells = &part->data.image.sections[SOLVE_CELLS];

  if (part->data.stripped)
    return err_set(err, ERR_INPUT,
                   "%s: section %s has no contents; give the image that was "
                   "run, not its debug information",
                   part->image.path, part->data.stripped);
  if (cells->n_bytes != record->n_cells * sizeof(uint64_t) ||
      (record->n_cells && cells->vaddr != record->cells_vaddr) ||
      solve_n_site_records(&part->data.image) != record->n_sites)
    return is_other(part, "its counters", err);
  return 0;
}

int live_program_add(struct live_program *program,
                     const struct live_object *object,
                     const struct image *image, struct err *err) {
  struct live_part *parts = array_grow(program->parts, program->n_parts,
                                       &program->max_parts, sizeof(*parts));

  if (!parts) {
    struct image closed = *image;
    image_close(&closed);
    return err_no_memory(err);
  }
  program->parts = parts;
  struct live_part *part = &parts[program->n_parts];
  *part = (struct live_part){.object = object, .image = *image};
  if (const_data_find(&part->image, &part->data, err) == 0 &&
      check_texts(part, err) == 0 && check_sections(part, err) == 0) {
    part->data.image.is_library = object->record.suffix[0] != '\0';
    program->n_parts++;
    return 0;
  }
  image_close(&part->image);
  return -1;
}

void live_program_release(struct live_program *program) {
  for (size_t i = 0; i < program->n_parts; i++) {
    free(program->parts[i].crossing);
    image_close(&program->parts[i].image);
  }
  free(program->parts);
  *program = (struct live_program){0};
}
