/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/side_read.h"

#include "base/err.h"
#include "gmon/gmon_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

static const char first_word[] = "arcline-side ";
static const char last_line[] = "end";

static const char *const messages[] = {
    [SIDE_BAD_NUMBER] = "missing, malformed or too large number",
    [SIDE_BAD_ADDRESS] = "missing, malformed or too large address",
    [SIDE_BAD_NAME] = "missing name or path, or bad escape in it",
    [SIDE_SLASH] = "name of a gmon file contains a slash; was the file edited?",
    [SIDE_BAD_BUILD_ID] = "malformed build ID",
    [SIDE_EMPTY_RANGE] = "empty address range",
    [SIDE_OBJECT_ORDER] = "object numbers are out of order",
    [SIDE_FRAME_ORDER] = "frame numbers are out of order",
    [SIDE_UNKNOWN_OBJECT] = "object is not listed above",
    [SIDE_UNKNOWN_CALLER] = "caller is not listed above",
    [SIDE_UNKNOWN_FRAME] = "frame is not listed above",
};

static int refuse(const struct side_reader *reader, const char *what) {
  return err_set(reader->err, ERR_INPUT, "%s:%lu: %s", reader->file->path,
                 reader->line, what);
}

/** Read the next line, without its end. Returns false if no complete one is
 * left. */
static bool next_line(struct side_reader *reader, struct side_word *out) {
  const struct gmon_file *const file = reader->file;
  const size_t n_left = file->n_bytes - reader->position;
  // An empty file has no bytes at all.
  const char *const at =
      n_left ? (const char *)file->bytes + reader->position : NULL;
  const char *const end = at ? memchr(at, '\n', n_left) : NULL;
  if (!end)
    return false;
  *out = (struct side_word){at, (size_t)(end - at)};
  reader->position += out->n + 1;
  reader->line++;
  return true;
}

// --- Words ---

static uint8_t read_byte(const char *digits) {
  uint64_t value;
  side_read_number((struct side_word){digits, 2}, 16, &value);
  return (uint8_t)value;
}

static void read_build_id(struct side_word word, struct side_record *out) {
  if (side_word_is(word, "-"))
    return;
  for (size_t i = 0; i < word.n; i += 2)
    out->build_id[out->n_build_id++] = read_byte(word.at + i);
}

/** Undo the escapes of a word; *at is the room for it, then that after it. */
static const char *read_name(struct side_word word, char **at) {
  const char *const name = *at;
  for (size_t i = 0; i < word.n; i++)
    if (word.at[i] == '%') {
      *(*at)++ = (char)read_byte(word.at + i + 1);
      i += 2;
    } else {
      *(*at)++ = word.at[i];
    }
  *(*at)++ = '\0';
  return name;
}

static void read_words(struct side_record *out, char *room) {
  const struct side_word *word = out->values.words;
  for (const struct side_field *field = out->form->fields; field->type; field++)
    if (field->type == 'b')
      read_build_id(*word++, out);
    else if (side_type_is_word(field->type))
      *(out->name ? &out->path : &out->name) = read_name(*word++, &room);
  if (out->form->kind == SIDE_OBJECT && strcmp(out->file, "-") == 0)
    out->file = NULL;
}

// --- Records ---

/** Make room for the names of a line: they only get shorter. */
static int reserve_names(struct side_reader *reader, size_t n_line) {
  const size_t n_needed = n_line + SIDE_MAX_WORDS;
  if (n_needed <= reader->n_text)
    return 0;
  char *const text = realloc(reader->text, n_needed);
  if (!text)
    return err_no_memory(reader->err);
  reader->text = text;
  reader->n_text = n_needed;
  return 0;
}

/** Read the words that follow the first one of a line. */
static int read_record(struct side_reader *reader, const struct side_form *form,
                       struct side_word line, struct side_record *out) {
  *out = (struct side_record){.form = form, .line = reader->line};
  const enum side_wrong wrong = side_form_read(form, line, reader->n_objects,
                                               reader->n_frames, &out->values);
  if (wrong)
    return refuse(reader, messages[wrong]);
  if (reserve_names(reader, line.n))
    return -1;
  read_words(out, reader->text);
  reader->n_objects += form->kind == SIDE_OBJECT;
  reader->n_frames += form->kind == SIDE_FRAME;
  return 1;
}

/** Read lines up to the next record. Returns 1; 0 at the last line; or -1 with
 * *err set. */
static int read_next(struct side_reader *reader, struct side_record *out) {
  struct side_word line;
  while (next_line(reader, &line)) {
    if (side_word_is(line, last_line))
      return reader->position == reader->file->n_bytes
                 ? 0
                 : refuse(reader, "unexpected text after the last line");
    const struct side_form *const form = side_form_find(side_next_word(&line));
    if (form)
      return read_record(reader, form, line, out);
  }
  return err_set(
      reader->err, ERR_INPUT,
      "%s: truncated after line %lu: the last line, `%s', is missing",
      reader->file->path, reader->line, last_line);
}

static int read_version(struct side_reader *reader) {
  const struct gmon_file *const file = reader->file;
  struct side_word line;
  uint64_t version;
  if (!side_is_side_file(file) || !next_line(reader, &line))
    return err_set(reader->err, ERR_INPUT, "%s: not a side file, or truncated",
                   file->path);
  side_next_word(&line);
  if (!side_read_number(side_next_word(&line), 10, &version) || version == 0)
    return refuse(reader, "malformed format version");
  if (version > VERSION)
    return err_set(reader->err, ERR_INPUT,
                   "%s: side file has format version %" PRIu64
                   ", this arcline reads up to %d; use a newer arcline",
                   file->path, version, VERSION);
  return 0;
}

bool side_is_side_file(const struct gmon_file *file) {
  const size_t n = sizeof(first_word) - 1;
  return file->n_bytes >= n && memcmp(file->bytes, first_word, n) == 0;
}

void side_reader_begin(struct side_reader *reader, const struct gmon_file *file,
                       struct err *err) {
  *reader = (struct side_reader){.file = file, .err = err};
  reader->has_failed = read_version(reader) != 0;
}

bool side_reader_next(struct side_reader *reader, struct side_record *out) {
  if (reader->has_failed)
    return false;
  const int more = read_next(reader, out);
  reader->has_failed = more < 0;
  return more > 0;
}

int side_reader_end(struct side_reader *reader) {
  free(reader->text);
  reader->text = NULL;
  return reader->has_failed ? -1 : 0;
}
