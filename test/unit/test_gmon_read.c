/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of gmon files: every layout, and files cut at every byte. */
#include <stdlib.h>

#include "base/err.h"
#include "made_gmon.h"

static void put_header(struct builder *builder, uint32_t version) {
  put_text(builder, "gmon", 4);
  put(builder, version, 4);
  put_text(builder, "ARC1\1\2\3\4\5\6\7\10", 12);
}

static void put_histogram(struct builder *builder) {
  put(builder, GMON_TAG_HISTOGRAM, 1);
  put_pointer(builder, 0x1000);
  put_pointer(builder, 0x1006);
  put(builder, 3, 4);
  put(builder, 100, 4);
  put_text(builder, "seconds\0\0\0\0\0\0\0\0s", 16);
  put(builder, 1, 2);
  put(builder, 0, 2);
  put(builder, 0xfffe, 2);
}

static void put_arc(struct builder *builder) {
  put(builder, GMON_TAG_ARC, 1);
  put_pointer(builder, 0x1004);
  put_pointer(builder, 0x1000);
  put(builder, 0xfffffffe, 4);
}

static void put_blocks(struct builder *builder) {
  put(builder, GMON_TAG_BLOCKS, 1);
  put(builder, 2, 4);
  put_pointer(builder, 0x1000);
  put_pointer(builder, 7);
  put_pointer(builder, 0x1002);
  put_pointer(builder, 0xffffffff);
}

/** Read a copy of exactly n bytes, so that a sanitizer detects reads beyond.
 * Returns the number of records, or -1. */
static int read_all(const struct builder *builder, size_t n,
                    enum gmon_format format, struct err *err) {
  uint8_t *copy = malloc(n ? n : 1);
  assert_non_null(copy);
  memcpy(copy, builder->bytes, n);
  const struct gmon_file file = {.path = "x", .bytes = copy, .n_bytes = n};
  struct gmon_reader reader;
  struct gmon_record record;
  int n_records = 0;
  int more = gmon_reader_init(&reader, &file, builder->layout, format, err);
  while (more == 0 && (more = gmon_reader_next(&reader, &record, err)) > 0) {
    struct gmon_block block;
    n_records++;
    if (record.tag == GMON_TAG_BLOCKS)
      while (gmon_next_block(&record.blocks, &block))
        ;
    more = 0;
  }
  free(copy);
  return more < 0 ? -1 : n_records;
}

static const struct gmon_layout layouts[] = {
    {32, false}, {32, true}, {64, false}, {64, true}};

enum { N_LAYOUTS = 4 };

static void reads_every_layout(void **state) {
  (void)state;
  for (int i = 0; i < N_LAYOUTS; i++) {
    struct builder builder = {.layout = layouts[i]};
    struct err err = {0};
    struct gmon_reader reader;
    struct gmon_record record;
    struct gmon_block block;
    put_header(&builder, 1);
    put_histogram(&builder);
    put_arc(&builder);
    put_blocks(&builder);
    const struct gmon_file file = {"x", builder.bytes, builder.n_bytes};

    assert_int_equal(
        gmon_reader_init(&reader, &file, layouts[i], GMON_FORMAT_AUTO, &err),
        0);
    assert_true(reader.has_mark);
    assert_memory_equal(reader.build_id, "\1\2\3\4\5\6\7\10", 8);

    assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
    assert_int_equal(record.tag, GMON_TAG_HISTOGRAM);
    assert_int_equal(record.offset, GMON_HEADER_BYTES);
    assert_int_equal(record.histogram.low_pc, 0x1000);
    assert_int_equal(record.histogram.high_pc, 0x1006);
    assert_int_equal(record.histogram.n_bins, 3);
    assert_string_equal(record.histogram.dimension, "seconds");
    assert_int_equal(gmon_bin(&record.histogram, 0), 1);
    assert_int_equal(gmon_bin(&record.histogram, 2), 0xfffe);

    assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
    assert_int_equal(record.tag, GMON_TAG_ARC);
    assert_int_equal(record.arc.from_pc, 0x1004);
    assert_int_equal(record.arc.count, 0xfffffffe);

    assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
    assert_true(gmon_next_block(&record.blocks, &block));
    assert_true(gmon_next_block(&record.blocks, &block));
    assert_int_equal(block.vaddr, 0x1002);
    assert_int_equal(block.count, 0xffffffff);
    assert_false(gmon_next_block(&record.blocks, &block));
    assert_int_equal(gmon_reader_next(&reader, &record, &err), 0);
  }
}

static void blocks_of_version_0_have_names(void **state) {
  struct builder builder = {.layout = {64, false}};
  struct err err = {0};
  struct gmon_reader reader;
  struct gmon_record record;
  struct gmon_block block;

  (void)state;
  put_header(&builder, 0);
  put(&builder, GMON_TAG_BLOCKS, 1);
  put(&builder, 2, 4);
  put_text(&builder, "label", 6);
  for (uint64_t i = 0; i < 2; i++) {
    put(&builder, 5 + i, 8);
    put(&builder, 0x1000 + i, 8);
    put_text(&builder, "file.c", 7);
    put_text(&builder, "function", 9);
    put(&builder, 12, 4);
  }
  const struct gmon_file file = {"x", builder.bytes, builder.n_bytes};
  assert_int_equal(
      gmon_reader_init(&reader, &file, builder.layout, GMON_FORMAT_AUTO, &err),
      0);
  assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
  assert_true(gmon_next_block(&record.blocks, &block));
  assert_true(gmon_next_block(&record.blocks, &block));
  assert_int_equal(block.vaddr, 0x1001);
  assert_int_equal(block.count, 6);
  for (size_t n = GMON_HEADER_BYTES + 1; n < builder.n_bytes; n++)
    assert_int_equal(read_all(&builder, n, GMON_FORMAT_AUTO, &err), -1);
}

static void old_formats_are_told_apart(void **state) {
  (void)state;
  for (int i = 0; i < 2 * N_LAYOUTS; i++) {
    struct builder builder = {.layout = layouts[i / 2]};
    struct err err = {0};
    struct gmon_reader reader;
    struct gmon_record record;
    bool is_44 = i % 2;
    unsigned header_bytes =
        2 * (builder.layout.class_bits / 8) + 4 + (is_44 ? 20 : 0);
    put_pointer(&builder, 0x1000);
    put_pointer(&builder, 0x1010);
    put(&builder, header_bytes + 2 * 8, 4);
    if (is_44) {
      put(&builder, GMON_BSD44_MAGIC, 4);
      put(&builder, 250, 4);
      put(&builder, 0, 8);
      put(&builder, 0, 4);
    }
    for (int bin = 0; bin < 8; bin++)
      put(&builder, (uint64_t)bin, 2);
    put_pointer(&builder, 0x1004);
    put_pointer(&builder, 0x1000);
    put_pointer(&builder, 0x12345678);
    put(&builder, 0xff, 1); // less than an arc: ignored
    const struct gmon_file file = {"x", builder.bytes, builder.n_bytes};

    assert_int_equal(gmon_reader_init(&reader, &file, builder.layout,
                                      GMON_FORMAT_AUTO, &err),
                     0);
    assert_true(reader.is_old);
    assert_int_equal(reader.is_bsd44, is_44);
    assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
    assert_int_equal(record.histogram.n_bins, 8);
    assert_int_equal(record.histogram.rate_hz, is_44 ? 250 : 0);
    assert_int_equal(gmon_bin(&record.histogram, 7), 7);
    assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
    assert_int_equal(record.arc.count, 0x12345678);
    assert_int_equal(gmon_reader_next(&reader, &record, &err), 0);
  }
}

static void cut_files_are_refused(void **state) {
  (void)state;
  for (int i = 0; i < N_LAYOUTS; i++) {
    struct builder builder = {.layout = layouts[i]};
    struct err err = {0};
    size_t ends[4];
    put_header(&builder, 1);
    ends[0] = builder.n_bytes;
    put_histogram(&builder);
    ends[1] = builder.n_bytes;
    put_arc(&builder);
    ends[2] = builder.n_bytes;
    put_blocks(&builder);
    ends[3] = builder.n_bytes;

    for (size_t n = 0; n <= builder.n_bytes; n++) {
      int expected = -1;
      for (int j = 0; j < 4; j++)
        if (n == ends[j])
          expected = j;
      assert_int_equal(read_all(&builder, n, GMON_FORMAT_MAGIC, &err),
                       expected);
    }
  }
}

static void huge_sizes_are_refused_at_once(void **state) {
  struct builder builder = {.layout = {64, false}};
  struct err err = {0};

  (void)state;
  put_header(&builder, 1);
  put_histogram(&builder);
  memset(&builder.bytes[GMON_HEADER_BYTES + 17], 0xff, 4);
  assert_int_equal(read_all(&builder, builder.n_bytes, GMON_FORMAT_AUTO, &err),
                   -1);
  assert_string_equal(err.text,
                      "x: truncated: the histogram record at offset 20 "
                      "declares 4294967295 bins, but only 6 bytes follow");

  builder.n_bytes = 0;
  put_header(&builder, 1);
  put_blocks(&builder);
  memset(&builder.bytes[GMON_HEADER_BYTES + 1], 0xff, 4);
  assert_int_equal(read_all(&builder, builder.n_bytes, GMON_FORMAT_AUTO, &err),
                   -1);
  assert_string_equal(err.text,
                      "x: truncated: the block record at offset 20 declares "
                      "4294967295 blocks, but only 32 bytes follow");
}

static void random_bytes_never_read_outside(void **state) {
  unsigned random = 7;

  (void)state;
  for (int round = 0; round < 20000; round++) {
    struct builder builder = {.layout = layouts[round % N_LAYOUTS]};
    struct err err = {0};
    put_header(&builder, round % 3 != 0);
    put_histogram(&builder);
    put_arc(&builder);
    put_blocks(&builder);
    for (int change = 0; change < 4; change++) {
      random = random * 1103515245 + 12345;
      builder.bytes[(random >> 8) % builder.n_bytes] = (uint8_t)(random >> 24);
    }
    size_t n = (random >> 4) % (builder.n_bytes + 1);
    read_all(&builder, n, (enum gmon_format)(round % 4), &err);
  }
}

static void missing_file_is_an_error(void **state) {
  struct gmon_file file;
  struct err err = {0};

  (void)state;
  assert_int_equal(gmon_file_load("no/such/file", &file, &err), -1);
  assert_string_equal(err.text,
                      "no/such/file: cannot open: No such file or directory");
  assert_int_equal(gmon_file_load("/", &file, &err), -1);
  assert_string_equal(err.text, "/: cannot open: Is a directory");
  gmon_file_release(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_layout),
      cmocka_unit_test(blocks_of_version_0_have_names),
      cmocka_unit_test(old_formats_are_told_apart),
      cmocka_unit_test(cut_files_are_refused),
      cmocka_unit_test(huge_sizes_are_refused_at_once),
      cmocka_unit_test(random_bytes_never_read_outside),
      cmocka_unit_test(missing_file_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
