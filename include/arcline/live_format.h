/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defines the layout of live files: memory that a program counts in when it
 * runs with persist=mmap. The runtime maps them; `arcline recover` reads them.
 * Layout only; valid C and C++. docs/FORMAT.md is the normative text.
 *
 * A file is a head, then regions at multiples of ARCLINE_LIVE_ALIGN. The head
 * lists the regions. All fields are in the byte order of the machine that the
 * program runs on, which has pointers of 8 bytes.
 *
 * The program may be killed between any two stores. A region counts once its
 * kind is set, which is the last store to its entry; a region's kind becomes
 * ARCLINE_LIVE_FREE before the memory is used for anything else. */
#ifndef ARCLINE_LIVE_FORMAT_H
#define ARCLINE_LIVE_FORMAT_H

#include <stdint.h>

#define ARCLINE_LIVE_MAGIC "arclive" /* with its NUL */
#define ARCLINE_LIVE_MAGIC_BYTES 8
#define ARCLINE_LIVE_VERSION 3
#define ARCLINE_LIVE_BYTE_ORDER 0x0102030405060708u
#define ARCLINE_LIVE_ALIGN 65536u /* the largest page size */
#define ARCLINE_LIVE_HEAD_BYTES (4 * ARCLINE_LIVE_ALIGN)
#define ARCLINE_LIVE_MAX_REGIONS 6144u
#define ARCLINE_LIVE_MAX_TEXTS 4
#define ARCLINE_LIVE_MAX_NUMBER 0x3fffu /* of an object: 14 bits of an arc */
#define ARCLINE_LIVE_MAX_NAME 256
#define ARCLINE_LIVE_MAX_PATH 4096
#define ARCLINE_LIVE_BUILD_ID_BYTES 20
#define ARCLINE_LIVE_CHUNK_BINS 512 /* bins that share one "touched" byte */

enum arcline_live_kind {
  ARCLINE_LIVE_NONE = 0,     /* being set up, or the program was killed then */
  ARCLINE_LIVE_FREE = 1,     /* no longer used */
  ARCLINE_LIVE_OBJECT = 2,   /* struct arcline_live_object */
  ARCLINE_LIVE_CELLS = 3,    /* u64 per cell: a thread's copy; add up */
  ARCLINE_LIVE_ARCS = 4,     /* struct arcline_live_arc: a thread's table */
  ARCLINE_LIVE_BINS = 5,     /* u64 per bin, then u8 per ARCLINE_LIVE_CHUNK_BINS
                                bins: not all of them are 0. detail: number of
                                the text */
  ARCLINE_LIVE_BASELINE = 6, /* struct arcline_live_baseline */
  ARCLINE_LIVE_EARLY = 7, /* counts from before the object was attached: u64 per
                             cell, then struct arcline_live_arc */
  ARCLINE_LIVE_CALLEES = 8, /* struct arcline_live_callees per call site */
  ARCLINE_LIVE_LOADS = 9,   /* u64 per earlier load: its load_bias; 0: none */
};

/** An entry of the head's list. */
struct arcline_live_region {
  uint32_t kind;   /* enum arcline_live_kind; stored last */
  uint32_t object; /* number of the region that describes the object */
  uint64_t offset; /* in the file; a multiple of ARCLINE_LIVE_ALIGN */
  uint64_t room;   /* bytes that belong to the region */
  uint64_t bytes;  /* of them in use */
  uint64_t detail;
};

struct arcline_live_head {
  char magic[ARCLINE_LIVE_MAGIC_BYTES]; /* stored last, at once; 0, or a file
                                           that is too short for it: the program
                                           has not counted */
  uint32_t version, head_bytes;
  uint64_t byte_order;
  uint32_t pid, rate_hz;
  uint32_t sampling_hz; /* 0: no sampling; gmon.out has rate_hz then */
  uint32_t reserved;
  char dimension[15], abbreviation; /* as in gmon.out */
  uint64_t n_regions;               /* may exceed ARCLINE_LIVE_MAX_REGIONS */
  uint64_t end;                     /* offset of the next region */
  uint64_t n_missing; /* regions that could not be put into the file */
  char name[ARCLINE_LIVE_MAX_NAME]; /* base name of the executable's profile */
  char program[ARCLINE_LIVE_MAX_NAME]; /* its name */
  uint64_t main; /* number of the object that the side file is named after */
  struct arcline_live_region regions[ARCLINE_LIVE_MAX_REGIONS];
};

/** A linked object. An arc's addresses and a callee's are those of its last
 * load. Tables of arcs, EARLY and CALLEES of a load that is not the one that
 * `load` names, or that the baseline has taken over, count for nothing. */
struct arcline_live_object {
  uint64_t load; /* number of the load that they belong to; 0: of none */
  uint64_t load_bias;
  uint64_t baseline; /* number of the BASELINE region, plus 1; 0: none */
  uint64_t n_cells, cells_vaddr;
  uint64_t n_sites;
  uint32_t bin_bytes, n_texts;
  struct {
    uint64_t low_vaddr, high_vaddr;
  } texts[ARCLINE_LIVE_MAX_TEXTS];
  uint8_t build_id[ARCLINE_LIVE_BUILD_ID_BYTES];
  uint16_t n_build_id; /* bytes of it; 0: has none */
  uint16_t number;     /* by which arcs of KEPT name it */
  uint64_t position;   /* among the objects that the dynamic linker lists */
  char suffix[ARCLINE_LIVE_MAX_NAME]; /* of its profile's name */
  char path[ARCLINE_LIVE_MAX_PATH];
};

/** Counts of earlier loads, less those of resets; modulo 2^64. n_cells x u64
 * and n_arcs x struct arcline_live_arc follow; the arcs have link-time
 * addresses. */
struct arcline_live_baseline {
  uint64_t first_load; /* from which on tables of arcs count */
  uint64_t n_cells, n_arcs, reserved;
};

/** An arc; self 0: none. In tables from is the return address, or the address
 * of a call site's record; in KEPT the call's. */
struct arcline_live_arc {
  uint64_t from, self, count;
};

/** The run-time part of struct arcline_site. */
struct arcline_live_callees {
  uint64_t callee, second;
};

#endif
