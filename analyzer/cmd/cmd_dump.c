/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline dump`: prints every record of a gmon file as text, in file order.
 * One record per line; the parts of a record follow it, indented by two blanks.
 * The form is stable: words are only ever added at the end of a line. Side
 * files: dump_side.h.
 *
 *   header version=1 mark=ARC1 build-id=0123456789abcdef
 *   histogram low=0x1000 high=0x2000 bins=2048 rate=100 dimension=seconds
 *       abbreviation=s samples=12        (on one line)
 *     bin 0x1010 3
 *   arc from=0x1234 self=0x1300 count=5
 *   blocks n=10
 *     block 0x1234 5
 *
 * The header of an unmarked file ends after the version; that of an old one is
 * `header version=0 format=bsd` or `format=4.4bsd`. A bin is named by its first
 * address; bins of no samples are left out. Bytes of dimension and abbreviation
 * that are not printable, and blanks, are written \xNN. A rate of 0 means that
 * the file has none.
 */
#include "base/err.h"
#include "base/options.h"
#include "cmd/commands.h"
#include "gmon/pool_file.h"
#include "gmon/side_read.h"
#include "image/image.h"
#include "measure/gmon_open.h"
#include "model/inputs.h"
#include "report/dump_archive.h"
#include "report/dump_pool.h"
#include "report/dump_side.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

enum {
  OPT_CLASS = 1,
  OPT_BYTE_ORDER,
  OPT_FORMAT,
};

static const struct option_spec option_specs[] = {
    {OPT_CLASS, 0, "class", OPTION_ARGUMENT, "32|64",
     "pointer width in bits (default 64)"},
    {OPT_BYTE_ORDER, 0, "byte-order", OPTION_ARGUMENT, "little|big",
     "byte order (default little)"},
    {OPT_FORMAT, 'O', "file-format", OPTION_ARGUMENT, "FORMAT",
     "auto, magic, bsd or 4.4bsd (default auto)"},
    {0},
};

struct dump_options {
  struct gmon_layout layout;
  enum gmon_format format;
  bool has_layout; /* set by an option */
  const char *path;
  const char *image_path; /* or NULL */
};

static int apply(void *context, int id, const char *value, struct err *err) {
  struct dump_options *const options = context;

  switch (id) {
  case OPT_CLASS:
    options->layout.class_bits = value[0] == '3' ? 32 : 64;
    options->has_layout = true;
    return 0;
  case OPT_BYTE_ORDER:
    options->layout.is_big_endian = value[0] == 'b';
    options->has_layout = true;
    return 0;
  default:
    return gmon_format_parse(value, &options->format, err);
  }
}

static int parse(int argc, char **argv, struct dump_options *out,
                 struct err *err) {
  int first;

  *out = (struct dump_options){.layout = {.class_bits = 64}};
  const int rc =
      options_parse(option_specs, argc, argv, apply, out, &first, err);
  if (rc)
    return rc;
  if (argc - first < 1 || argc - first > 2)
    return err_set(err, ERR_USAGE,
                   "no file given, or too many; usage: arcline dump "
                   "[OPTION]... FILE [IMAGE]");
  out->path = argv[first];
  if (argc - first == 2)
    out->image_path = argv[first + 1];
  if (out->image_path && out->has_layout)
    return err_set(err, ERR_USAGE,
                   "%s: --class and --byte-order conflict with an image, which "
                   "defines both; omit one or the other",
                   out->image_path);
  return 0;
}

static void print_escaped(const char *text, size_t n) {
  for (size_t i = 0; i < n && text[i]; i++) {
    unsigned char c = (unsigned char)text[i];
    if (isgraph(c) && c != '\\')
      putchar(c);
    else
      printf("\\x%02x", c);
  }
}

static void print_header(const struct gmon_reader *reader) {
  printf("header version=%" PRIu32, reader->version);
  if (reader->is_old)
    printf(" format=%s", reader->is_bsd44 ? "4.4bsd" : "bsd");
  if (reader->has_mark) {
    printf(" mark=%s build-id=", GMON_ARCLINE_MARK);
    for (size_t i = 0; i < sizeof(reader->build_id); i++)
      printf("%02x", reader->build_id[i]);
  }
  putchar('\n');
}

/** First address of a bin: floor(i_bin * range / n_bins) after low_pc, without
 * overflow of the product. */
static uint64_t bin_vaddr(const struct gmon_histogram *histogram,
                          uint32_t i_bin) {
  uint64_t range = histogram->high_pc - histogram->low_pc;
  uint64_t whole = range / histogram->n_bins;
  uint64_t rest = range % histogram->n_bins;

  return histogram->low_pc + whole * i_bin + rest * i_bin / histogram->n_bins;
}

static void print_histogram(const struct gmon_histogram *histogram) {
  uint64_t n_samples = 0;

  for (uint32_t i = 0; (i = gmon_next_bin(histogram, i)) < histogram->n_bins;
       i++)
    n_samples += gmon_bin(histogram, i);
  printf("histogram low=0x%" PRIx64 " high=0x%" PRIx64 " bins=%" PRIu32
         " rate=%" PRIu32 " dimension=",
         histogram->low_pc, histogram->high_pc, histogram->n_bins,
         histogram->rate_hz);
  print_escaped(histogram->dimension, sizeof(histogram->dimension));
  printf(" abbreviation=");
  print_escaped(&histogram->abbreviation, 1);
  printf(" samples=%" PRIu64 "\n", n_samples);
  for (uint32_t i = 0; (i = gmon_next_bin(histogram, i)) < histogram->n_bins;
       i++)
    printf("  bin 0x%" PRIx64 " %u\n", bin_vaddr(histogram, i),
           gmon_bin(histogram, i));
}

static void print_record(const struct gmon_record *record) {
  struct gmon_blocks blocks;
  struct gmon_block block;

  switch (record->tag) {
  case GMON_TAG_HISTOGRAM:
    print_histogram(&record->histogram);
    break;
  case GMON_TAG_ARC:
    printf("arc from=0x%" PRIx64 " self=0x%" PRIx64 " count=%" PRIu64 "\n",
           record->arc.from_pc, record->arc.self_pc, record->arc.count);
    break;
  case GMON_TAG_BLOCKS:
    blocks = record->blocks;
    printf("blocks n=%" PRIu32 "\n", blocks.n_blocks);
    while (gmon_next_block(&blocks, &block))
      printf("  block 0x%" PRIx64 " %" PRIu64 "\n", block.vaddr, block.count);
    break;
  }
}

static int read_layout_of_image(struct dump_options *options, struct err *err) {
  struct image image;

  if (image_open(options->image_path, &image, err))
    return -1;
  options->layout = gmon_layout_of(&image);
  image_close(&image);
  return 0;
}

static int dump_gmon(const struct dump_options *options,
                     const struct gmon_file *file, struct err *err) {
  struct gmon_reader reader;
  struct gmon_record record;
  int more =
      gmon_reader_init(&reader, file, options->layout, options->format, err);

  if (more == 0) {
    print_header(&reader);
    while ((more = gmon_reader_next(&reader, &record, err)) > 0)
      print_record(&record);
  }
  return more;
}

static int run(int argc, char **argv, struct err *err) {
  struct dump_options options;
  struct gmon_file file;
  int rc = parse(argc, argv, &options, err);

  if (rc)
    return rc;
  if (options.image_path && read_layout_of_image(&options, err))
    return -1;
  if (inputs_operand_at(options.path) == OPERAND_ARCHIVE)
    return dump_archive(options.path, stdout, err);
  if (gmon_file_load(options.path, &file, err))
    return -1;
  rc = side_is_side_file(&file)   ? dump_side(&file, stdout, err)
       : pool_is_pool_file(&file) ? dump_pool(&file, stdout, err)
                                  : dump_gmon(&options, &file, err);
  gmon_file_release(&file);
  return rc;
}

const struct command cmd_dump = {
    .name = "dump",
    .summary = "print the records of a gmon file",
    .synopsis = "[OPTION]... FILE [IMAGE]",
    .description =
        "Print the records of a gmon file or a side file, or the files of an "
        "archive.\n"
        "A gmon file does not contain its pointer width and byte order: they "
        "are those\nof IMAGE, or of the options.\n",
    .examples = "gmon.out prog\ngmon.out.arcline\n",
    .options = option_specs,
    .run = run,
};
