/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/side_read.h"

#include "base/err.h"
#include "gmon/gmon_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, MAX_STRINGS = 2, MAX_NUMBERS = 5 };

static const char first_word[] = "arcline-side ";
static const char last_line[] = "end";

/** A piece of the file. */
struct span {
  const char *at;
  size_t n;
};

/** What the words of a kind of record are, after the first one. */
struct grammar {
  const char *word;
  enum side_kind kind;
  const char *fields; // one letter per word; see read_field()
};

static const struct grammar grammars[] = {
    {"process", SIDE_PROCESS, "ds"}, {"clock", SIDE_CLOCK, "sd"},
    {"cpu", SIDE_CPU, "dd"},         {"object", SIDE_OBJECT, "nbxss"},
    {"text", SIDE_TEXT, "oxx"},      {"time", SIDE_TIME, "oxd"},
    {"arc", SIDE_ARC, "oxoxd"},      {"call", SIDE_CALL, "oxds"},
    {"target", SIDE_TARGET, "osox"}, {"resolved", SIDE_RESOLVED, "oxx"},
    {"thread", SIDE_THREAD, "dd"},   {"frame", SIDE_FRAME, "gcox"},
    {"stack", SIDE_STACK, "fd"},     {"lost", SIDE_LOST, "sd"},
    {"looks", SIDE_LOOKS, "d"},      {"sampled", SIDE_SAMPLED, "d"},
    {"met", SIDE_MET, "d"},          {"processes", SIDE_PROCESSES, "d"},
    {"kernel", SIDE_KERNEL, "oxd"},
};

enum { N_GRAMMARS = sizeof(grammars) / sizeof(grammars[0]) };

/** The words of a record, read. */
struct fields {
  uint64_t numbers[MAX_NUMBERS];
  const char *strings[MAX_STRINGS];
  unsigned n_numbers, n_strings;
  uint8_t build_id[SIDE_BUILD_ID_BYTES];
  size_t n_build_id;
};

static int refuse(const struct side_reader *reader, struct err *err,
                  const char *what) {
  return err_set(err, ERR_INPUT, "%s, line %lu: %s", reader->file->path,
                 reader->line, what);
}

// --- Lines and words ---

/** Take the next line, without its end. Returns false if there is none that is
 * complete. */
static bool next_line(struct side_reader *reader, struct span *out) {
  const struct gmon_file *const file = reader->file;
  const size_t n_left = file->n_bytes - reader->position;
  // An empty file has no bytes at all.
  const char *const at =
      n_left ? (const char *)file->bytes + reader->position : NULL;
  const char *const end = at ? memchr(at, '\n', n_left) : NULL;
  if (!end)
    return false;
  *out = (struct span){at, (size_t)(end - at)};
  reader->position += out->n + 1;
  reader->line++;
  return true;
}

static bool is_text(struct span span, const char *text) {
  return span.n == strlen(text) && memcmp(span.at, text, span.n) == 0;
}

/** Take the next word off a line; empty at the end. */
static struct span next_word(struct span *line) {
  const char *const blank = line->n ? memchr(line->at, ' ', line->n) : NULL;
  const struct span word = {line->at,
                            blank ? (size_t)(blank - line->at) : line->n};
  const size_t n_taken = word.n + (blank != NULL);
  line->at += n_taken;
  line->n -= n_taken;
  return word;
}

// --- Fields ---

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** Read a whole number. Returns false if the word is none, or too large. */
static bool read_number(struct span word, unsigned base, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < word.n; i++) {
    const int digit = digit_value(word.at[i]);
    if (digit < 0 || (unsigned)digit >= base ||
        *out > (UINT64_MAX - (unsigned)digit) / base)
      return false;
    *out = *out * base + (unsigned)digit;
  }
  return word.n > 0;
}

static bool read_address(struct span word, uint64_t *out) {
  return word.n > 2 && word.at[0] == '0' && word.at[1] == 'x' &&
         read_number((struct span){word.at + 2, word.n - 2}, 16, out);
}

static bool read_build_id(struct span word, struct fields *out) {
  if (is_text(word, "-"))
    return true;
  if (word.n == 0 || word.n % 2 || word.n / 2 > sizeof(out->build_id))
    return false;
  for (size_t i = 0; i < word.n; i += 2) {
    uint64_t byte;
    if (!read_number((struct span){word.at + i, 2}, 16, &byte))
      return false;
    out->build_id[out->n_build_id++] = (uint8_t)byte;
  }
  return true;
}

/** Undo the escapes of a word; *at is where it goes, then behind it. */
static bool read_string(struct span word, char **at, const char **out) {
  *out = *at;
  for (size_t i = 0; i < word.n; i++) {
    const unsigned char byte = (unsigned char)word.at[i];
    uint64_t value = byte;
    if (byte <= ' ' || byte == 0x7f)
      return false;
    if (byte == '%') {
      if (word.n - i < 3 ||
          !read_number((struct span){word.at + i + 1, 2}, 16, &value) ||
          value == 0)
        return false;
      i += 2;
    }
    *(*at)++ = (char)value;
  }
  *(*at)++ = '\0';
  return word.n > 0;
}

/** Is a number wrong that stands for an object or frame? Returns NULL, or what
 * is wrong. */
static const char *check_number(const struct side_reader *reader, char field,
                                uint64_t number) {
  switch (field) {
  case 'o':
    return number < reader->n_objects
               ? NULL
               : "it names an object that no line above lists";
  case 'n':
    if (number != reader->n_objects)
      return "objects are not numbered in order";
    return number < UINT32_MAX ? NULL : "too many objects";
  case 'g':
    if (number != (uint64_t)reader->n_frames + 1)
      return "frames are not numbered in order";
    return number < UINT32_MAX ? NULL : "too many frames";
  case 'c':
    return number <= reader->n_frames
               ? NULL
               : "it names a caller that no line above lists";
  case 'f':
    return number != 0 && number <= reader->n_frames
               ? NULL
               : "it names a frame that no line above lists";
  default:
    return NULL;
  }
}

/** Read a word: d decimal number, x address, s string, b build-id, o number of
 * an object, n that of the next one, f of a frame, c the same or 0, g that of
 * the next one. Returns NULL, or what is wrong. */
static const char *read_field(const struct side_reader *reader, char field,
                              struct span word, char **strings,
                              struct fields *out) {
  if (field == 's')
    return read_string(word, strings, &out->strings[out->n_strings++])
               ? NULL
               : "a name or path is missing or not escaped as it must be";
  if (field == 'b')
    return read_build_id(word, out) ? NULL : "the build-id is malformed";
  uint64_t *const number = &out->numbers[out->n_numbers++];
  if (field == 'x')
    return read_address(word, number)
               ? NULL
               : "an address is missing, malformed or too large";
  if (!read_number(word, 10, number))
    return "a number is missing, malformed or too large";
  return check_number(reader, field, *number);
}

// --- Records ---

static void fill_record(enum side_kind kind, const struct fields *fields,
                        struct side_record *out) {
  const uint64_t *const numbers = fields->numbers;
  const char *const *const strings = fields->strings;
  switch (kind) {
  case SIDE_PROCESS:
    out->process.pid = numbers[0];
    out->process.name = strings[0];
    break;
  case SIDE_CLOCK:
    out->clock.dimension = strings[0];
    out->clock.rate_hz = numbers[0];
    break;
  case SIDE_CPU:
    out->cpu.user_us = numbers[0];
    out->cpu.system_us = numbers[1];
    break;
  case SIDE_OBJECT:
    out->object.i_object = (uint32_t)numbers[0];
    memcpy(out->object.build_id, fields->build_id, sizeof(fields->build_id));
    out->object.n_build_id = fields->n_build_id;
    out->object.bias = numbers[1];
    out->object.file = strcmp(strings[0], "-") == 0 ? NULL : strings[0];
    out->object.path = strings[1];
    break;
  case SIDE_TEXT:
    out->text.i_object = (uint32_t)numbers[0];
    out->text.low = numbers[1];
    out->text.high = numbers[2];
    break;
  case SIDE_TIME:
  case SIDE_KERNEL:
    out->time.i_object = (uint32_t)numbers[0];
    out->time.offset = numbers[1];
    out->time.n_samples = numbers[2];
    break;
  case SIDE_ARC:
    out->arc.i_caller = (uint32_t)numbers[0];
    out->arc.from_vaddr = numbers[1];
    out->arc.i_callee = (uint32_t)numbers[2];
    out->arc.self_vaddr = numbers[3];
    out->arc.count = numbers[4];
    break;
  case SIDE_CALL:
    out->call.i_caller = (uint32_t)numbers[0];
    out->call.from_vaddr = numbers[1];
    out->call.count = numbers[2];
    out->call.name = strings[0];
    break;
  case SIDE_TARGET:
    out->target.i_caller = (uint32_t)numbers[0];
    out->target.name = strings[0];
    out->target.i_object = (uint32_t)numbers[1];
    out->target.offset = numbers[2];
    break;
  case SIDE_RESOLVED:
    out->resolved.i_object = (uint32_t)numbers[0];
    out->resolved.resolver_vaddr = numbers[1];
    out->resolved.to_vaddr = numbers[2];
    break;
  case SIDE_THREAD:
    out->thread.tid = numbers[0];
    out->thread.n_samples = numbers[1];
    break;
  case SIDE_FRAME:
    out->frame.i_frame = (uint32_t)numbers[0];
    out->frame.i_caller = (uint32_t)numbers[1];
    out->frame.i_object = (uint32_t)numbers[2];
    out->frame.address = numbers[3];
    break;
  case SIDE_STACK:
    out->stack.i_frame = (uint32_t)numbers[0];
    out->stack.n_samples = numbers[1];
    break;
  case SIDE_LOOKS:
    out->n_looks = numbers[0];
    break;
  case SIDE_SAMPLED:
    out->n_sampled = numbers[0];
    break;
  case SIDE_LOST:
    out->lost.what = strings[0];
    out->lost.count = numbers[0];
    break;
  case SIDE_MET:
    out->n_met = numbers[0];
    break;
  case SIDE_PROCESSES:
    out->n_processes = numbers[0];
    break;
  }
}

/** Make room for the strings of a line: they only get shorter. */
static int reserve_strings(struct side_reader *reader, size_t n_line,
                           struct err *err) {
  const size_t n_needed = n_line + MAX_STRINGS;
  if (n_needed <= reader->n_text)
    return 0;
  char *const text = realloc(reader->text, n_needed);
  if (!text)
    return err_no_memory(err);
  reader->text = text;
  reader->n_text = n_needed;
  return 0;
}

/** Read the words that follow the first one of a line. */
static int read_record(struct side_reader *reader,
                       const struct grammar *grammar, struct span line,
                       struct side_record *out, struct err *err) {
  struct fields fields = {0};
  if (reserve_strings(reader, line.n, err))
    return -1;
  char *strings = reader->text;
  for (const char *field = grammar->fields; *field; field++) {
    const char *const wrong =
        read_field(reader, *field, next_word(&line), &strings, &fields);
    if (wrong)
      return refuse(reader, err, wrong);
  }
  *out = (struct side_record){.kind = grammar->kind, .line = reader->line};
  fill_record(grammar->kind, &fields, out);
  if (out->kind == SIDE_TEXT && out->text.low >= out->text.high)
    return refuse(reader, err, "the range of text is empty");
  reader->n_objects += out->kind == SIDE_OBJECT;
  reader->n_frames += out->kind == SIDE_FRAME;
  return 1;
}

bool side_is_side_file(const struct gmon_file *file) {
  const size_t n = sizeof(first_word) - 1;
  return file->n_bytes >= n && memcmp(file->bytes, first_word, n) == 0;
}

int side_reader_init(struct side_reader *reader, const struct gmon_file *file,
                     struct err *err) {
  struct span line;
  uint64_t version;
  *reader = (struct side_reader){.file = file};
  if (!side_is_side_file(file) || !next_line(reader, &line))
    return err_set(err, ERR_INPUT, "%s: not a side file of Arcline, or cut off",
                   file->path);
  next_word(&line);
  if (!read_number(next_word(&line), 10, &version) || version == 0)
    return refuse(reader, err, "the format version is malformed");
  if (version > VERSION)
    return err_set(err, ERR_INPUT,
                   "%s: a side file of format version %" PRIu64
                   "; this arcline knows no newer one than %d",
                   file->path, version, VERSION);
  return 0;
}

int side_reader_next(struct side_reader *reader, struct side_record *out,
                     struct err *err) {
  struct span line;
  while (next_line(reader, &line)) {
    struct span rest = line;
    const struct span word = next_word(&rest);
    if (is_text(line, last_line))
      return reader->position == reader->file->n_bytes
                 ? 0
                 : refuse(reader, err, "something follows the last line");
    for (unsigned i = 0; i < N_GRAMMARS; i++)
      if (is_text(word, grammars[i].word))
        return read_record(reader, &grammars[i], rest, out, err);
  }
  return err_set(err, ERR_INPUT,
                 "%s: cut off after line %lu: the last line, `%s', is missing",
                 reader->file->path, reader->line, last_line);
}

void side_reader_release(struct side_reader *reader) {
  free(reader->text);
  *reader = (struct side_reader){0};
}
