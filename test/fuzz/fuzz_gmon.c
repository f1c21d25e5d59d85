/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of gmon files, and the code that joins them with symbols. The
   first byte chooses format, byte order and pointer width; the rest is the
   file. */
#include "base/err.h"
#include "fuzz.h"
#include "gmon/gmon_read.h"
#include "profile/callgraph.h"
#include "profile/profile.h"

#include <stdlib.h>

/* As in the seeds: functions of 16 bytes from 0x1000 on. */
enum { TEXT_LOW = 0x1000, FUNC_BYTES = 16, N_FUNCS = 32 };

static void read_all(const struct gmon_file *file, struct gmon_layout layout,
                     enum gmon_format format) {
  struct gmon_reader reader;
  struct gmon_record record;
  struct err err = {0};
  volatile uint64_t sum = 0;

  if (gmon_reader_init(&reader, file, layout, format, &err))
    return;
  while (gmon_reader_next(&reader, &record, &err) > 0) {
    struct gmon_block block;
    switch (record.tag) {
    case GMON_TAG_HISTOGRAM:
      for (uint32_t i = 0; i < record.histogram.n_bins; i++)
        sum += gmon_bin(&record.histogram, i);
      break;
    case GMON_TAG_BLOCKS:
      while (gmon_next_block(&record.blocks, &block))
        sum += block.count;
      break;
    case GMON_TAG_ARC:
      break;
    }
  }
}

static void join(const struct gmon_file *file, struct gmon_layout layout,
                 enum gmon_format format, unsigned flags) {
  struct symtab symtab = {0};
  struct symspec_tables filters = {0};
  struct gmon_reader reader;
  struct profile profile;
  struct measure measure = {.flags = flags};
  struct measure_contents contents;
  struct callgraph graph;
  struct err err = {0};

  for (uint64_t i = 0; i < N_FUNCS; i++)
    symtab_add(&symtab,
               &(struct symbol){.vaddr = TEXT_LOW + i * FUNC_BYTES,
                                .name = "f",
                                .is_func = i % 4 != 3},
               &err);
  if (symtab_finish(&symtab, TEXT_LOW + N_FUNCS * FUNC_BYTES - 1, &err) == 0 &&
      profile_init(&profile, &symtab, &filters, 0, &err) == 0) {
    if (gmon_reader_init(&reader, file, layout, format, &err) == 0 &&
        measure_add(&measure, &reader, &contents, &err) == 0 &&
        profile_add(&profile, &measure, NULL, &err) == 0) {
      profile_finish(&profile);
      if (callgraph_build(&profile, 0, &graph, &err) == 0)
        callgraph_release(&graph);
    }
    profile_release(&profile);
  }
  measure_release(&measure);
  symtab_release(&symtab);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  const unsigned choice = fuzz_take(&bytes, &n_bytes);
  const struct gmon_layout layout = {
      .class_bits = choice & 1 ? 32 : 64,
      .is_big_endian = choice & 2,
  };
  const enum gmon_format format = choice >> 2 & 3;
  struct gmon_file file = {
      .path = "input",
      .bytes = fuzz_copy(bytes, n_bytes, 0),
      .n_bytes = n_bytes,
  };

  read_all(&file, layout, format);
  join(&file, layout, format, choice & 16 ? MEASURE_BLOCKS : 0);
  gmon_file_release(&file);
  return 0;
}
