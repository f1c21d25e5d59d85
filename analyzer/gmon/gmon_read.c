/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/gmon_read.h"

#include "base/err.h"

#include <endian.h>
#include <string.h>

// Bytes of a block of version 0: count, address, two names, line.
enum { BLOCK_0_NUMBERS_BYTES = 16, BLOCK_0_LINE_BYTES = 4 };

int gmon_format_parse(const char *text, enum gmon_format *out,
                      struct err *err) {
  switch (text[0]) {
  case 'a':
    *out = GMON_FORMAT_AUTO;
    return 0;
  case 'm':
    *out = GMON_FORMAT_MAGIC;
    return 0;
  case 'b':
    *out = GMON_FORMAT_BSD;
    return 0;
  case '4':
    *out = GMON_FORMAT_BSD44;
    return 0;
  case 'p':
    return err_set(err, ERR_USAGE,
                   "-O %s: files of prof(1) are not supported; use auto, "
                   "magic, bsd or 4.4bsd",
                   text);
  default:
    return err_set(err, ERR_USAGE,
                   "-O %s: unknown file format; use auto, magic, bsd or 4.4bsd",
                   text);
  }
}

// --- Numbers ---

static inline uint64_t load(const uint8_t *at, unsigned n_bytes,
                            bool is_big_endian) {
  uint64_t value = 0;

  // The width in nearly all files, in one load.
  if (n_bytes == sizeof(value)) {
    memcpy(&value, at, sizeof(value));
    return is_big_endian ? be64toh(value) : le64toh(value);
  }
  for (unsigned i = 0; i < n_bytes; i++)
    value = value << 8 | at[is_big_endian ? i : n_bytes - 1 - i];
  return value;
}

/** A bounds-checked position within one record. Bad stays bad and reads 0. */
struct cursor {
  const uint8_t *at;
  size_t n_left;
  struct gmon_layout layout;
  bool is_bad;
};

static const uint8_t *take(struct cursor *cursor, uint64_t n_bytes) {
  if (cursor->is_bad || n_bytes > cursor->n_left) {
    cursor->is_bad = true;
    return NULL;
  }
  const uint8_t *at = cursor->at;
  cursor->at += n_bytes;
  cursor->n_left -= n_bytes;
  return at;
}

static uint64_t take_number(struct cursor *cursor, unsigned n_bytes) {
  const uint8_t *at = take(cursor, n_bytes);

  return at ? load(at, n_bytes, cursor->layout.is_big_endian) : 0;
}

static uint32_t take_u32(struct cursor *cursor) {
  return (uint32_t)take_number(cursor, 4);
}

static uint64_t take_pointer(struct cursor *cursor) {
  return take_number(cursor, cursor->layout.class_bits / 8);
}

static struct cursor cursor_at(const struct gmon_reader *reader,
                               size_t position) {
  return (struct cursor){
      .at = reader->file->bytes + position,
      .n_left = reader->file->n_bytes - position,
      .layout = reader->layout,
  };
}

uint16_t gmon_bin(const struct gmon_histogram *histogram, uint32_t i_bin) {
  return (uint16_t)load(histogram->bins.at + 2 * (size_t)i_bin, 2,
                        histogram->bins.is_big_endian);
}

uint32_t gmon_next_bin(const struct gmon_histogram *histogram, uint32_t i_bin) {
  enum { AT_ONCE = 32, PER_WORD = 4 };
  static const uint8_t zeros[2 * AT_ONCE];
  const uint8_t *const at = histogram->bins.at;
  uint32_t i = i_bin;
  uint64_t word = 0;

  while (i + (uint64_t)AT_ONCE <= histogram->n_bins &&
         memcmp(at + 2 * (size_t)i, zeros, sizeof(zeros)) == 0)
    i += AT_ONCE;
  for (; i + (uint64_t)PER_WORD <= histogram->n_bins; i += PER_WORD) {
    memcpy(&word, at + 2 * (size_t)i, sizeof(word));
    if (word)
      break;
  }
  while (i < histogram->n_bins && !at[2 * (size_t)i] && !at[2 * (size_t)i + 1])
    i++;
  return i;
}

// --- Header ---

/** Bytes of an old header, with the extension of 4.4BSD or without. */
static size_t old_header_bytes(const struct gmon_layout *layout,
                               bool is_bsd44) {
  size_t pointer = layout->class_bits / 8;
  size_t bytes = 2 * pointer + 4;

  return is_bsd44 ? bytes + 20 : bytes;
}

static int begin_old(struct gmon_reader *reader, enum gmon_format format,
                     struct err *err) {
  const struct gmon_file *file = reader->file;
  size_t plain_bytes = old_header_bytes(&reader->layout, false);

  reader->is_old = true;
  if (file->n_bytes < plain_bytes)
    return err_set(err, ERR_INPUT,
                   "%s: not a gmon file: %zu bytes, the header alone has %zu",
                   file->path, file->n_bytes, plain_bytes);
  if (file->n_bytes >= old_header_bytes(&reader->layout, true))
    reader->is_bsd44 = load(file->bytes + plain_bytes, 4,
                            reader->layout.is_big_endian) == GMON_BSD44_MAGIC;
  if (format == GMON_FORMAT_BSD44 && !reader->is_bsd44)
    return err_set(
        err, ERR_INPUT,
        "%s: not a gmon file of 4.4BSD: no magic number at offset %zu",
        file->path, plain_bytes);
  return 0;
}

int gmon_reader_init(struct gmon_reader *reader, const struct gmon_file *file,
                     struct gmon_layout layout, enum gmon_format format,
                     struct err *err) {
  *reader = (struct gmon_reader){.file = file, .layout = layout};
  bool has_magic = file->n_bytes >= GMON_MAGIC_BYTES &&
                   memcmp(file->bytes, GMON_MAGIC, GMON_MAGIC_BYTES) == 0;
  if (format == GMON_FORMAT_BSD || format == GMON_FORMAT_BSD44 ||
      (format == GMON_FORMAT_AUTO && !has_magic &&
       file->n_bytes >= GMON_HEADER_BYTES))
    return begin_old(reader, format, err);
  if (file->n_bytes < GMON_HEADER_BYTES)
    return err_set(err, ERR_INPUT,
                   "%s: not a gmon file: %zu bytes, the header alone has %d",
                   file->path, file->n_bytes, GMON_HEADER_BYTES);
  if (!has_magic)
    return err_set(err, ERR_INPUT, "%s: not a gmon file: no \"%s\" at offset 0",
                   file->path, GMON_MAGIC);
  reader->version =
      (uint32_t)load(file->bytes + GMON_MAGIC_BYTES, 4, layout.is_big_endian);
  if (reader->version > GMON_VERSION)
    return err_set(err, ERR_INPUT,
                   "%s: unknown version %u at offset %d, expected 0 or %d; is "
                   "the byte order that of the image?",
                   file->path, reader->version, GMON_MAGIC_BYTES, GMON_VERSION);
  const uint8_t *spare = file->bytes + GMON_SPARE_OFFSET;
  if (memcmp(spare, GMON_ARCLINE_MARK, GMON_ARCLINE_MARK_BYTES) == 0) {
    reader->has_mark = true;
    memcpy(reader->build_id, spare + GMON_ARCLINE_MARK_BYTES,
           sizeof(reader->build_id));
  }
  reader->position = GMON_HEADER_BYTES;
  return 0;
}

// --- Old formats ---

static int next_old_histogram(struct gmon_reader *reader,
                              struct gmon_record *out, struct err *err) {
  struct cursor cursor = cursor_at(reader, 0);
  struct gmon_histogram *histogram = &out->histogram;
  size_t header_bytes = old_header_bytes(&reader->layout, reader->is_bsd44);
  // The oldest format has no magic: a file of no other format is taken for it.
  const char *doubt = reader->is_bsd44 ? "corrupt: "
                                       : "not a gmon file: no \"gmon\" at "
                                         "offset 0, and as a file of 4.2BSD, ";

  *out = (struct gmon_record){.tag = GMON_TAG_HISTOGRAM};
  histogram->low_pc = take_pointer(&cursor);
  histogram->high_pc = take_pointer(&cursor);
  uint32_t n_bytes = take_u32(&cursor);
  if (reader->is_bsd44) {
    take_u32(&cursor); // the mark
    histogram->rate_hz = take_u32(&cursor);
    take(&cursor, 12);
  }
  if (n_bytes < header_bytes)
    return err_set(err, ERR_INPUT,
                   "%s: %sheader at offset 0 declares %u bytes for itself and "
                   "the samples, the header alone has %zu",
                   reader->file->path, doubt, n_bytes, header_bytes);
  histogram->n_bins = (uint32_t)((n_bytes - header_bytes) / 2);
  strcpy(histogram->dimension, "seconds");
  histogram->abbreviation = 's';
  histogram->bins.is_big_endian = reader->layout.is_big_endian;
  size_t n_left = cursor.n_left;
  histogram->bins.at = take(&cursor, 2 * (uint64_t)histogram->n_bins);
  if (cursor.is_bad)
    return err_set(
        err, ERR_INPUT,
        "%s: %sheader at offset 0 declares %u bins, but only %zu bytes follow",
        reader->file->path, doubt, histogram->n_bins, n_left);
  if (histogram->n_bins > 0 && histogram->high_pc <= histogram->low_pc)
    return err_set(
        err, ERR_INPUT,
        "%s: %sheader at offset 0 has a bad address range, 0x%llx to 0x%llx",
        reader->file->path, doubt, (unsigned long long)histogram->low_pc,
        (unsigned long long)histogram->high_pc);
  reader->position = reader->file->n_bytes - cursor.n_left;
  return 1;
}

static int next_old_arc(struct gmon_reader *reader, struct gmon_record *out) {
  struct cursor cursor = cursor_at(reader, reader->position);

  *out = (struct gmon_record){.tag = GMON_TAG_ARC, .offset = reader->position};
  out->arc.from_pc = take_pointer(&cursor);
  out->arc.self_pc = take_pointer(&cursor);
  out->arc.count = take_pointer(&cursor);
  // Arcs continue to the end of the file, even if the last one is incomplete.
  if (cursor.is_bad)
    return 0;
  reader->position = reader->file->n_bytes - cursor.n_left;
  return 1;
}

// --- New format ---

/** "record at offset N is cut short". Returns -1. */
static int cut_short(const struct gmon_reader *reader, const char *kind,
                     uint64_t offset, struct err *err) {
  return err_set(err, ERR_INPUT,
                 "%s: truncated: the %s record at offset %llu extends past the "
                 "end of the file at %zu",
                 reader->file->path, kind, (unsigned long long)offset,
                 reader->file->n_bytes);
}

static int read_histogram(struct gmon_reader *reader, struct cursor *cursor,
                          struct gmon_record *out, struct err *err) {
  struct gmon_histogram *histogram = &out->histogram;

  histogram->low_pc = take_pointer(cursor);
  histogram->high_pc = take_pointer(cursor);
  histogram->n_bins = take_u32(cursor);
  histogram->rate_hz = take_u32(cursor);
  const uint8_t *dimension = take(cursor, GMON_DIMENSION_BYTES);
  histogram->abbreviation = (char)take_number(cursor, 1);
  if (cursor->is_bad)
    return cut_short(reader, "histogram", out->offset, err);
  memcpy(histogram->dimension, dimension, GMON_DIMENSION_BYTES);
  histogram->dimension[GMON_DIMENSION_BYTES] = '\0';
  histogram->bins.is_big_endian = reader->layout.is_big_endian;
  size_t n_left = cursor->n_left;
  histogram->bins.at = take(cursor, 2 * (uint64_t)histogram->n_bins);
  if (cursor->is_bad)
    return err_set(err, ERR_INPUT,
                   "%s: truncated: the histogram record at offset %llu "
                   "declares %u bins, but only %zu bytes follow",
                   reader->file->path, (unsigned long long)out->offset,
                   histogram->n_bins, n_left);
  if (histogram->n_bins > 0 && histogram->high_pc <= histogram->low_pc)
    return err_set(err, ERR_INPUT,
                   "%s: bad histogram record at offset %llu: its end, 0x%llx, "
                   "is not after its start, 0x%llx",
                   reader->file->path, (unsigned long long)out->offset,
                   (unsigned long long)histogram->high_pc,
                   (unsigned long long)histogram->low_pc);
  return 0;
}

/** Skip a NUL-terminated string. */
static void skip_string(struct cursor *cursor) {
  const uint8_t *end =
      cursor->n_left ? memchr(cursor->at, '\0', cursor->n_left) : NULL;

  if (end)
    take(cursor, (uint64_t)(end - cursor->at) + 1);
  else
    cursor->is_bad = true;
}

static int read_blocks(struct gmon_reader *reader, struct cursor *cursor,
                       struct gmon_record *out, struct err *err) {
  struct gmon_blocks *blocks = &out->blocks;

  blocks->n_blocks = take_u32(cursor);
  blocks->layout = reader->layout;
  blocks->is_version_0 = reader->version == 0;
  if (blocks->is_version_0)
    skip_string(cursor);
  blocks->at = cursor->at;
  if (!blocks->is_version_0) {
    uint64_t block_bytes = 2 * (reader->layout.class_bits / 8);
    size_t n_left = cursor->n_left;
    if (!cursor->is_bad && !take(cursor, block_bytes * blocks->n_blocks))
      return err_set(err, ERR_INPUT,
                     "%s: truncated: the block record at offset %llu declares "
                     "%u blocks, but only %zu bytes follow",
                     reader->file->path, (unsigned long long)out->offset,
                     blocks->n_blocks, n_left);
  }
  for (uint32_t i = 0; blocks->is_version_0 && i < blocks->n_blocks; i++) {
    take(cursor, BLOCK_0_NUMBERS_BYTES);
    skip_string(cursor);
    skip_string(cursor);
    if (!take(cursor, BLOCK_0_LINE_BYTES))
      break;
  }
  if (cursor->is_bad)
    return cut_short(reader, "block", out->offset, err);
  return 0;
}

int gmon_reader_next(struct gmon_reader *reader, struct gmon_record *out,
                     struct err *err) {
  bool has_begun = reader->has_begun;

  reader->has_begun = true;
  if (reader->is_old)
    return has_begun ? next_old_arc(reader, out)
                     : next_old_histogram(reader, out, err);
  struct cursor cursor = cursor_at(reader, reader->position);
  if (cursor.n_left == 0)
    return 0;
  *out = (struct gmon_record){.offset = reader->position};
  uint8_t tag = (uint8_t)take_number(&cursor, 1);
  out->tag = tag;
  int rc = 0;
  switch (tag) {
  case GMON_TAG_HISTOGRAM:
    rc = read_histogram(reader, &cursor, out, err);
    break;
  case GMON_TAG_ARC:
    out->arc.from_pc = take_pointer(&cursor);
    out->arc.self_pc = take_pointer(&cursor);
    out->arc.count = take_u32(&cursor);
    if (cursor.is_bad)
      rc = cut_short(reader, "arc", out->offset, err);
    break;
  case GMON_TAG_BLOCKS:
    rc = read_blocks(reader, &cursor, out, err);
    break;
  default:
    rc =
        err_set(err, ERR_INPUT,
                "%s: unknown record tag %u at offset %llu; the file is "
                "corrupt, or the image has another byte order or pointer width",
                reader->file->path, tag, (unsigned long long)out->offset);
  }
  reader->position = reader->file->n_bytes - cursor.n_left;
  return rc ? -1 : 1;
}

bool gmon_next_block(struct gmon_blocks *blocks, struct gmon_block *out) {
  const struct gmon_layout *layout = &blocks->layout;

  if (blocks->n_blocks == 0)
    return false;
  blocks->n_blocks--;
  // Bounds were checked when the record was read.
  if (blocks->is_version_0) {
    out->count = load(blocks->at, 8, layout->is_big_endian);
    out->vaddr = load(blocks->at + 8, 8, layout->is_big_endian);
    const char *name = (const char *)blocks->at + BLOCK_0_NUMBERS_BYTES;
    name += strlen(name) + 1;
    name += strlen(name) + 1;
    blocks->at = (const uint8_t *)name + BLOCK_0_LINE_BYTES;
  } else {
    unsigned pointer = layout->class_bits / 8;
    out->vaddr = load(blocks->at, pointer, layout->is_big_endian);
    out->count = load(blocks->at + pointer, pointer, layout->is_big_endian);
    blocks->at += 2 * pointer;
  }
  return true;
}
