/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The reader of archives, and a program of which all files are in one. The
   checksums of headers are made right, so that most changes are beyond them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/tar_format.h"
#include "debug/source_filter.h"
#include "fuzz.h"
#include "model/model.h"
#include "profile/graph_profile.h"

/** Correct all headers. */
static void repair(uint8_t *bytes, size_t n_bytes) {
  static const struct tar_header zeros;
  size_t at = 0;

  while (n_bytes - at >= sizeof(struct tar_header)) {
    struct tar_header header;
    char size[sizeof(header.size) + 1] = "";
    memcpy(&header, bytes + at, sizeof(header));
    if (memcmp(&header, &zeros, sizeof(header)) == 0)
      return;
    memcpy(header.magic, TAR_MAGIC, sizeof(header.magic));
    snprintf(header.checksum, 7, "%06o", tar_checksum(&header));
    header.checksum[7] = ' ';
    memcpy(bytes + at, &header, sizeof(header));
    memcpy(size, header.size, sizeof(header.size));
    const unsigned long n = strtoul(size, NULL, 8);
    at += sizeof(header);
    if (n > n_bytes - at)
      return;
    at += (n + TAR_BLOCK_BYTES - 1) / TAR_BLOCK_BYTES * TAR_BLOCK_BYTES;
    if (at > n_bytes)
      return;
  }
}

/** Read the program, as commands do. */
static void read_program(const struct archive *archive) {
  static const struct source_filter filter;
  const struct inputs_options options = {.operands = archive->operands.list,
                                         .n_operands = archive->operands.n,
                                         .filter = &filter};
  const struct model_symbols symbols = {.has_files = true};
  struct graph_profile program = {0};
  struct model model;
  struct err err = {0};

  if (model_open_profiles(&options, MEASURE_BLOCKS, &model, &err))
    return;
  if (graph_profile_open(&model, &symbols, &program, &err) == 0)
    graph_profile_build(&program, 0, &err);
  graph_profile_release(&program);
  model_close(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  struct archive archive;
  struct err err = {0};
  uint8_t *const copy = fuzz_copy(bytes, n_bytes, 0);

  repair(copy, n_bytes);
  if (archive_open(fuzz_file(0, copy, n_bytes), &archive, &err) == 0) {
    in_file_use(&archive.files);
    read_program(&archive);
    archive_close(&archive);
  }
  free(copy);
  return 0;
}
