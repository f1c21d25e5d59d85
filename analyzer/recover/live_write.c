/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Solves the sums of a live file, and writes profiles and side file. */
#include "base/err.h"
#include "recover/file_sink.h"
#include "recover/live_program.h"
#include "recover/live_sums.h"
#include "recover/raw_profile.h"
#include "write/side_text.h"

#include <stdlib.h>

// --- Profiles ---

/** Context of callee(), by which the solver identifies callees. */
struct callee_context {
  const struct live_program *program;
  const struct live_part *part;
};

static uint64_t callee(const void *context, size_t i_site, bool is_second) {
  const struct callee_context *callees = context;

  return live_sums_callee(callees->program, callees->part, i_site, is_second);
}

/** Solve the sums, and write the profile. */
static int solve_and_write(const struct live_program *program,
                           struct live_part *part, const struct live_sums *sums,
                           FILE *stream, struct err *err) {
  const struct arcline_live_head *head = &program->file->head;
  const struct arcline_live_object *record = &part->object->record;
  const struct callee_context callees = {program, part};
  struct raw_profile raw = {.path = program->file->path,
                            .record = record,
                            .data = &part->data,
                            .dimension = head->dimension,
                            .abbreviation = head->abbreviation,
                            .rate_hz = head->rate_hz,
                            .cells = sums->cells,
                            .arcs = sums->arcs,
                            .n_arcs = sums->n_arcs,
                            .callee = callee,
                            .context = &callees};
  struct file_sink file;

  for (size_t i = 0; i < record->n_texts; i++) {
    raw.bins[i] = part->object->bins[i];
    raw.touched[i] = part->object->touched[i];
  }
  if (file_sink_begin(&file, stream, err) != 0)
    return -1;
  struct raw_crossing crossing;
  const int rc = raw_profile_write(&raw, &file.sink, &crossing, err);
  free(part->crossing);
  part->crossing = crossing.arcs;
  part->n_crossing = crossing.n;
  struct err ignored;
  return file_sink_end(&file, rc ? &ignored : err) || rc ? -1 : 0;
}

int live_program_write(struct live_program *program, size_t i, FILE *stream,
                       struct err *err) {
  struct live_part *part = &program->parts[i];
  struct live_sums sums;

  int rc = live_sums_make(program, part, &sums, err);
  if (rc == 0)
    rc = solve_and_write(program, part, &sums, stream, err);
  live_sums_release(&sums);
  return rc;
}

// --- Side file ---

/** The parts in the order in which the dynamic linker searched for symbols;
 * those that had been unloaded are last. */
static int compare_parts(const void *left, const void *right) {
  const struct live_object *a =
      (*(const struct live_part *const *)left)->object;
  const struct live_object *b =
      (*(const struct live_part *const *)right)->object;

  if (a->is_loaded != b->is_loaded)
    return a->is_loaded ? -1 : 1;
  if (a->record.position != b->record.position)
    return a->record.position < b->record.position ? -1 : 1;
  return (a->record.number > b->record.number) -
         (a->record.number < b->record.number);
}

static int put_object(struct write_sink *sink,
                      const struct live_program *program,
                      const struct live_part *part, size_t index) {
  const struct arcline_live_object *record = &part->object->record;
  char *file = NULL;

  if (asprintf(&file, "%s%s", program->file->head.name, record->suffix) < 0)
    return -1;
  const struct write_object object = {.index = index,
                                      .build_id = record->build_id,
                                      .n_build_id = record->n_build_id,
                                      .load_bias = record->load_bias,
                                      .file = file,
                                      .path = record->path};
  write_side_object(sink, &object);
  free(file);
  for (size_t i = 0; i < record->n_texts; i++)
    write_side_range(sink, index, record->texts[i].low_vaddr,
                     record->texts[i].high_vaddr);
  return 0;
}

static void put_calls(struct write_sink *sink, const struct live_part *part,
                      size_t index, const size_t *index_of) {
  const struct solve_section *data = &part->data.image.sections[SOLVE_DATA];

  for (size_t i = 0; i < part->n_crossing; i++) {
    const struct solve_arc *arc = &part->crossing[i];
    const char *name =
        (const char *)data->bytes + solve_outside_name(arc->self);
    write_side_call(sink, index, arc, index_of, ARCLINE_LIVE_MAX_NUMBER + 1,
                    arc->self & SOLVE_OUTSIDE_NAMED ? name : "");
  }
}

static int put_all(struct write_sink *sink, const struct live_program *program,
                   const struct live_part **order, size_t *index_of) {
  const struct arcline_live_head *head = &program->file->head;

  for (size_t i = 0; i < program->n_parts; i++)
    order[i] = &program->parts[i];
  qsort(order, program->n_parts, sizeof(*order), compare_parts);
  for (size_t i = 0; i < program->n_parts; i++)
    index_of[order[i]->object->record.number] = i;
  write_side_begin(sink);
  write_side_process(sink, head->pid, head->program);
  write_side_clock(sink, head->dimension,
                   head->sampling_hz ? head->rate_hz : 0);
  for (size_t i = 0; i < program->n_parts; i++)
    if (put_object(sink, program, order[i], i) != 0)
      return -1;
  for (size_t i = 0; i < program->n_parts; i++)
    put_calls(sink, order[i], i, index_of);
  write_side_end(sink);
  return 0;
}

int live_program_write_side(const struct live_program *program, FILE *stream,
                            struct err *err) {
  const struct live_part **order =
      reallocarray(NULL, program->n_parts + 1, sizeof(*order));
  size_t *index_of = calloc(ARCLINE_LIVE_MAX_NUMBER + 1, sizeof(*index_of));
  struct file_sink file;
  int rc = order && index_of ? file_sink_begin(&file, stream, err)
                             : err_no_memory(err);

  if (rc == 0) {
    const int put_rc = put_all(&file.sink, program, order, index_of);
    rc = file_sink_end(&file, err);
    if (put_rc != 0)
      rc = err_no_memory(err);
  }
  free(order);
  free(index_of);
  return rc;
}
