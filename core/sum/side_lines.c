/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sum/side_lines.h"

const struct side_line_kind sum_side_kinds[] = {
    {"cpu", "vv"},
    {"text", "oxx"},
    {"time", "oxv"},
    {"kernel", "oxv"},
    {"arc", "oxoxv"},
    {"call", "oxvs"},
    {"target", "osox"},
    {"resolved", "oxx"},
    {"looks", "v"},
    {"sampled", "v"},
    {"lost", "sv"},
    {"met", "v"},
    {0},
};

/* A file that is being read. */
struct position {
  const char *first, *at, *end;
  const char *line; /* the one read last */
};

static struct position begin(const struct sum_file *file) {
  const char *const first = (const char *)file->bytes;

  return (struct position){first, first, first + file->n_bytes, first};
}

/* Takes the next line that is complete, without its end. */
static bool next_line(struct position *position, struct sum_word *out) {
  const char *at = position->at;

  while (at < position->end && *at != '\n')
    at++;
  if (at == position->end)
    return false;
  *out = (struct sum_word){position->at, (size_t)(at - position->at)};
  position->line = position->at;
  position->at = at + 1;
  return true;
}

static struct sum_word next_word(struct sum_word *line) {
  struct sum_word word = {line->at, 0};

  while (word.n < line->n && word.at[word.n] != ' ')
    word.n++;
  const size_t n_taken = word.n + (word.n < line->n);
  line->at += n_taken;
  line->n -= n_taken;
  return word;
}

int sum_compare_words(struct sum_word a, struct sum_word b) {
  for (size_t i = 0; i < a.n && i < b.n; i++)
    if (a.at[i] != b.at[i])
      return (unsigned char)a.at[i] < (unsigned char)b.at[i] ? -1 : 1;
  return (a.n > b.n) - (a.n < b.n);
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool read_number(struct sum_word word, unsigned base, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < word.n; i++) {
    const unsigned digit = (unsigned)digit_value(word.at[i]);
    if (digit >= base || *out > (UINT64_MAX - digit) / base)
      return false;
    *out = *out * base + digit;
  }
  return word.n > 0;
}

static bool take_number(struct sum_word *line, uint64_t *out) {
  return read_number(next_word(line), 10, out);
}

static bool take_address(struct sum_word *line, uint64_t *out) {
  const struct sum_word word = next_word(line);

  return word.n > 2 && word.at[0] == '0' && word.at[1] == 'x' &&
         read_number((struct sum_word){word.at + 2, word.n - 2}, 16, out);
}

static bool take_name(struct sum_word *line, struct sum_word *out) {
  *out = next_word(line);
  return out->n > 0;
}

/* The object's number in the file. */
static bool take_object(struct sum_word *line, const struct side_lines *lines,
                        uint64_t *out) {
  return take_number(line, out) && *out < lines->n_objects;
}

static bool read_object(struct sum_word line, struct side_lines *out) {
  struct side_object_line *const to = &out->objects[out->n_objects];
  uint64_t number, bias;

  *to = (struct side_object_line){.is_first = !out->n_objects};
  if (!take_number(&line, &number) || number != out->n_objects ||
      !take_name(&line, &to->object.build_id) || !take_address(&line, &bias) ||
      !take_name(&line, &to->object.file) ||
      !take_name(&line, &to->object.path))
    return false;
  out->n_objects++;
  return true;
}

static bool read_frame(struct sum_word line, struct side_lines *out) {
  struct side_frame *const to = &out->frames[out->n_frames];
  uint64_t number, caller;

  *to = (struct side_frame){0};
  if (!take_number(&line, &number) || number != out->n_frames + 1 ||
      !take_number(&line, &caller) || caller > out->n_frames ||
      !take_object(&line, out, &to->i_object) ||
      !take_address(&line, &to->address))
    return false;
  if (caller) {
    to->caller = &out->frames[caller - 1];
    to->depth = to->caller->depth + 1;
  }
  out->n_frames++;
  return true;
}

static bool read_stack(struct sum_word line, struct side_lines *out) {
  uint64_t number, n_samples;

  if (!take_number(&line, &number) || !number || number > out->n_frames ||
      !take_number(&line, &n_samples))
    return false;
  uint64_t *const sum = &out->frames[number - 1].n_samples;
  if (__builtin_add_overflow(*sum, n_samples, sum))
    *sum = UINT64_MAX;
  return true;
}

static bool read_fields(struct sum_word line, uint32_t i_kind,
                        struct side_lines *out) {
  struct side_line *const to = &out->lines[out->n_lines];
  size_t n_keys = 0, n_values = 0;
  bool is_fine = true;

  *to = (struct side_line){.i_kind = i_kind};
  for (const char *field = sum_side_kinds[i_kind].fields; *field && is_fine;
       field++)
    switch (*field) {
    case 'o':
      is_fine = take_object(&line, out, &to->keys[n_keys++]);
      break;
    case 'x':
      is_fine = take_address(&line, &to->keys[n_keys++]);
      break;
    case 's':
      is_fine = take_name(&line, &to->name);
      break;
    default:
      is_fine = take_number(&line, &to->values[n_values++]);
      break;
    }
  out->n_lines += is_fine;
  return is_fine;
}

static bool read_line(struct sum_word line, struct side_lines *out) {
  const struct sum_word word = next_word(&line);
  uint64_t pid;

  if (sum_word_is(word, "object"))
    return read_object(line, out);
  if (sum_word_is(word, "frame"))
    return read_frame(line, out);
  if (sum_word_is(word, "stack"))
    return read_stack(line, out);
  if (sum_word_is(word, "process"))
    return take_number(&line, &pid) && take_name(&line, &out->program);
  if (sum_word_is(word, "processes"))
    return take_number(&line, &out->n_processes);
  if (sum_word_is(word, "clock")) {
    out->clock = line;
    return true;
  }
  for (uint32_t i = 0; sum_side_kinds[i].word; i++)
    if (sum_word_is(word, sum_side_kinds[i].word))
      return read_fields(line, i, out);
  return true; // of a kind that is not added up
}

void sum_side_count(const struct sum_file *file, struct side_lines *out) {
  struct position position = begin(file);
  struct sum_word line;

  *out = (struct side_lines){0};
  while (next_line(&position, &line)) {
    const struct sum_word word = next_word(&line);
    if (sum_word_is(word, "object"))
      out->n_objects++;
    else if (sum_word_is(word, "frame"))
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
  struct sum_word line;

  out->n_objects = out->n_frames = out->n_lines = 0;
  if (!file->n_bytes)
    return 0;
  out->n_processes = 1;
  if (!next_line(&position, &line) || !sum_word_is(line, "arcline-side 1"))
    return refuse(&position, i_file, SUM_NOT_GMON, flaw);
  while (next_line(&position, &line)) {
    if (sum_word_is(line, "end"))
      return 0;
    if (!read_line(line, out))
      return refuse(&position, i_file, SUM_MALFORMED, flaw);
  }
  return refuse(&position, i_file, SUM_CUT_OFF, flaw);
}
