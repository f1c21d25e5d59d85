/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defines the layout of pools: files to which all processes of an executable
 * or library add their unsolved counts. The runtime writes them, the analyzer
 * reads them. Layout only; valid C and C++. docs/FORMAT.md is the normative
 * text.
 *
 * A pool is a start, a list of other objects, two heads, and words: counts of
 * 8 bytes, in chunks. There are two copies of each chunk; the head selects the
 * one that counts. A process writes the other copies, then the other head: a
 * kill at any moment leaves all of its counts, or none. Bytes that were never
 * written are zero.
 *
 * All fields are in the byte order of the machine that the program runs on,
 * which has pointers of 8 bytes. */
#ifndef ARCLINE_POOL_FORMAT_H
#define ARCLINE_POOL_FORMAT_H

#include "arcline/live_format.h"

#define ARCLINE_POOL_MAGIC "arcpool" /* with its NUL */
#define ARCLINE_POOL_MAGIC_BYTES 8
#define ARCLINE_POOL_VERSION 2
#define ARCLINE_POOL_BYTE_ORDER 0x01020304u
#define ARCLINE_POOL_MAX_OTHERS 256u
#define ARCLINE_POOL_CHUNK_WORDS 512u
#define ARCLINE_POOL_CHUNK_BYTES 4096u
#define ARCLINE_POOL_BLOCK 16u           /* chunks */
#define ARCLINE_POOL_ARC_CHUNKS 16384u   /* at most, of all tables of arcs */
#define ARCLINE_POOL_MAX_CHUNKS 1048576u /* of all: 4 GiB */
#define ARCLINE_POOL_ARC_WORDS 4u
#define ARCLINE_POOL_FIGURES 64u /* words before the cells */

/** The words before the cells: what the side file of the object does not have.
 * From ARCLINE_POOL_NOTES on, each word that is not 0 is a hash of lines that
 * the side file has: processes with these lines alone add to the words before
 * it, and leave the side file as it is. */
enum arcline_pool_figure {
  ARCLINE_POOL_PROCESSES,
  ARCLINE_POOL_USER_US, /* their CPU time */
  ARCLINE_POOL_SYSTEM_US,
  ARCLINE_POOL_UNKNOWN,  /* samples, as the side file has them of [unknown] */
  ARCLINE_POOL_PROFILER, /* and of [profiler] */
  ARCLINE_POOL_N_FIGURES,
  ARCLINE_POOL_NOTES = 8
};

/* Offsets of parts in the file. */
#define ARCLINE_POOL_OTHERS_OFFSET 8192u
#define ARCLINE_POOL_HEADS_OFFSET 16384u

/** At the start of the file; never changed. The object's load, load_bias,
 * baseline, number and position are 0. */
struct arcline_pool_start {
  char magic[ARCLINE_POOL_MAGIC_BYTES];
  uint8_t id[8]; /* the first bytes of the object's build-id */
  uint32_t version, byte_order;
  uint32_t rate_hz;
  char dimension[15], abbreviation; /* as in gmon.out */
  uint32_t n_program;
  uint8_t program[ARCLINE_LIVE_BUILD_ID_BYTES]; /* build-id, of n_program bytes,
                                   of the program whose side file gets calls of
                                   other objects */
  struct arcline_live_object object;
};

/** Another object, which arcs name by its place in the list, from 1 on. */
struct arcline_pool_other {
  uint8_t build_id[ARCLINE_LIVE_BUILD_ID_BYTES];
  uint32_t n_build_id;
};

/** A head; the bits follow. The valid one with the larger sequence counts. One
 * of zeros alone is valid. Of bits after the last chunk nothing is written. */
struct arcline_pool_head {
  uint64_t checksum; /* of the words that follow, arcline_pool_checksum() */
  uint64_t sequence; /* additions so far */
  uint64_t n_others;
  uint64_t n_arcs;  /* slots in use */
  uint64_t n_slots; /* a power of two, or 0 */
  uint64_t first_arc_chunk;
  uint64_t n_bytes; /* of the file, at least */
  uint64_t reserved;
  /* uint64_t bits[]: which copy of a chunk counts, from bit 0 on */
};

/** A slot of the table of arcs. Free if from and self are 0. Ends are those of
 * core/solve/arc.h, with the other object's place instead of its number;
 * ARCLINE_POOL_ELSEWHERE: in no instrumented object. If from is
 * ARCLINE_POOL_SAMPLES it is a bin: its first vaddr, and its samples. */
struct arcline_pool_arc {
  uint64_t from, self, count, reserved;
};

#define ARCLINE_POOL_ELSEWHERE ((uint64_t)1 << 63)
#define ARCLINE_POOL_SAMPLES ((uint64_t)3 << 62)

#endif
