/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sum/side_lines.h"

/* A file that is being read. */
struct position {
  const char *first, *at, *end;
  const char *line; /* the one read last */
};

static struct position begin(const struct sum_file *file) {
  const char *const first = file->n_bytes ? (const char *)file->bytes : "";

  return (struct position){first, first, first + file->n_bytes, first};
}

/* Reads the next complete line, without its end. */
static bool next_line(struct position *position, struct side_word *out) {
  const char *at = position->at;

  while (at < position->end && *at != '\n')
    at++;
  if (at == position->end)
    return false;
  *out = (struct side_word){position->at, (size_t)(at - position->at)};
  position->line = position->at;
  position->at = at + 1;
  return true;
}

int sum_compare_words(struct side_word a, struct side_word b) {
  for (size_t i = 0; i < a.n && i < b.n; i++)
    if (a.at[i] != b.at[i])
      return (unsigned char)a.at[i] < (unsigned char)b.at[i] ? -1 : 1;
  return (a.n > b.n) - (a.n < b.n);
}

static void add_object(const struct side_values *values,
                       struct side_lines *out) {
  const struct side_word *const words = values->words;

  out->objects[out->n_objects] = (struct side_object_line){
      .object = {.build_id = words[0], .file = words[1], .path = words[2]},
      .is_first = !out->n_objects};
  out->n_objects++;
}

static void add_frame(const struct side_values *values,
                      struct side_lines *out) {
  const uint64_t caller = values->numbers[1];
  struct side_frame *const to = &out->frames[out->n_frames++];

  *to = (struct side_frame){.i_object = values->numbers[2],
                            .address = values->numbers[3]};
  if (caller) {
    to->caller = &out->frames[caller - 1];
    to->depth = to->caller->depth + 1;
  }
}

static void add_stack(const struct side_values *values,
                      struct side_lines *out) {
  uint64_t *const sum = &out->frames[values->numbers[0] - 1].n_samples;

  if (__builtin_add_overflow(*sum, values->numbers[1], sum))
    *sum = UINT64_MAX;
}

static void add_line(const struct side_form *form,
                     const struct side_values *values, struct side_lines *out) {
  struct side_line *const to = &out->lines[out->n_lines++];

  *to = (struct side_line){.form = form, .name = values->words[0]};
  for (size_t i = 0; i < SIDE_MAX_FIELDS; i++)
    to->numbers[i] = values->numbers[i];
}

static void add_record(const struct side_form *form,
                       const struct side_values *values,
                       struct side_lines *out) {
  switch (form->kind) {
  case SIDE_PROCESS:
    out->program = values->words[0];
    break;
  case SIDE_PROCESSES:
    out->n_processes = values->numbers[0];
    break;
  case SIDE_CLOCK:
    out->dimension = values->words[0];
    out->rate_hz = values->numbers[0];
    break;
  case SIDE_OBJECT:
    add_object(values, out);
    break;
  case SIDE_FRAME:
    add_frame(values, out);
    break;
  case SIDE_STACK:
    add_stack(values, out);
    break;
  default:
    if (form->sum == SIDE_SUM_LINES)
      add_line(form, values, out);
  }
}

/* Unknown kinds are skipped. */
static bool read_line(struct side_word line, struct side_lines *out) {
  const struct side_form *const form = side_form_find(side_next_word(&line));
  struct side_values values = {0};

  if (!form)
    return true;
  if (side_form_read(form, line, out->n_objects, out->n_frames, &values))
    return false;
  add_record(form, &values, out);
  return true;
}

void sum_side_count(const struct sum_file *file, struct side_lines *out) {
  struct position position = begin(file);
  struct side_word line;

  *out = (struct side_lines){0};
  while (next_line(&position, &line)) {
    const struct side_word word = side_next_word(&line);
    if (side_word_is(word, "object"))
      out->n_objects++;
    else if (side_word_is(word, "frame"))
      out->n_frames++;
    else
      out->n_lines++;
  }
}

static int refuse(const struct position *position, size_t i_file,
                  enum sum_reason reason, struct sum_flaw *flaw) {
  *flaw = (struct sum_flaw){reason, i_file,
                            (uint64_t)(position->line - position->first)};
  return -1;
}

int sum_side_read(const struct sum_file *file, size_t i_file,
                  struct side_lines *out, struct sum_flaw *flaw) {
  struct position position = begin(file);
  struct side_word line;

  out->n_objects = out->n_frames = out->n_lines = 0;
  if (!file->n_bytes)
    return 0;
  out->n_processes = 1;
  if (!next_line(&position, &line) || !side_word_is(line, "arcline-side 1"))
    return refuse(&position, i_file, SUM_NOT_GMON, flaw);
  while (next_line(&position, &line)) {
    if (side_word_is(line, "end"))
      return 0;
    if (!read_line(line, out))
      return refuse(&position, i_file, SUM_MALFORMED, flaw);
  }
  return refuse(&position, i_file, SUM_CUT_OFF, flaw);
}
