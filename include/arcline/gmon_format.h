/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the layout of new-format gmon.out files: magic, tags, field sizes.
 * The runtime writes them; the analyzer and GNU gprof read them. Layout only;
 * valid C and C++. docs/FORMAT.md is the normative text.
 *
 * A file is a header followed by records. A record is a one-byte tag and a
 * body; nothing is aligned or padded. Numbers are in the byte order of the
 * profiled image; "ptr" is 4 or 8 bytes wide, depending on the image's ELF
 * class.
 *
 *   header     "gmon", u32 version, 12 spare bytes
 *   histogram  ptr low_pc, ptr high_pc, u32 n_bins, u32 rate_hz,
 *              char dimension[15], char abbreviation, n_bins x u16
 *   arc        ptr from_pc, ptr self_pc, u32 count
 *   blocks     u32 n, n x (ptr address, ptr count)
 *
 * Addresses are link-time addresses (load bias removed). Counts too large for
 * their field are spread over several records, which every reader adds up.
 */
#ifndef ARCLINE_GMON_FORMAT_H
#define ARCLINE_GMON_FORMAT_H

#define GMON_MAGIC "gmon"
#define GMON_MAGIC_BYTES 4
#define GMON_VERSION 1
#define GMON_HEADER_BYTES 20
#define GMON_SPARE_OFFSET 8
#define GMON_SPARE_BYTES 12

enum gmon_tag {
  GMON_TAG_HISTOGRAM = 0,
  GMON_TAG_ARC = 1,
  GMON_TAG_BLOCKS = 2,
};

#define GMON_DIMENSION_BYTES 15

/*
 * Arcline's mark in the spare bytes: "ARC1", then the first 8 bytes of the
 * image's GNU build-id (zeros if it has none).
 */
#define GMON_ARCLINE_MARK "ARC1"
#define GMON_ARCLINE_MARK_BYTES 4
#define GMON_ARCLINE_BUILD_ID_BYTES 8

#define ARCLINE_MAX_RATE_HZ 10000 /* of hz=; a file may have another rate */

/* 4.4BSD files: u32 at offset 2 * ptr + 4 of the old header. */
#define GMON_BSD44_MAGIC 0x00051879

#endif
