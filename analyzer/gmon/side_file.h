/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads a side file as a whole: checks it from the first line to the last, and
 * keeps its objects in memory. Arcs and calls are not kept: callers that need
 * them read the file again (side_read.h).
 */
#ifndef ARCLINE_SIDE_FILE_H
#define ARCLINE_SIDE_FILE_H

#include "gmon/gmon_read.h"
#include "gmon/side_read.h"

#include <stdbool.h>

struct err;

/** Length of a name of n bytes without SIDE_SUFFIX; n if it does not end so. */
size_t side_stem_length(const char *name, size_t n);

/** An object that the file lists. */
struct side_entry {
  char *path;
  char *file; /* its gmon file, a name without slash; NULL: not instrumented */
  uint8_t build_id[SIDE_BUILD_ID_BYTES];
  size_t n_build_id;  /* 0: not known */
  uint64_t n_samples; /* outside of instrumented code */
  bool has_frames;    /* of call stacks */
  bool is_left_out;   /* by the caller: there is no image of it */
};

/** All zero is empty. */
struct side_file {
  char *path;
  struct gmon_file bytes;
  struct side_entry *entries; /* by number */
  size_t n_entries;
  size_t max_entries;  /* private */
  uint64_t pid;        /* of the process; 0: not known, or of several */
  char *program;       /* its name */
  bool has_first_name; /* a record names its first thread */
  uint64_t n_processes;
  uint64_t user_us, system_us;              /* their CPU time; 0: not known */
  uint64_t rate_hz;                         /* of samples; 0: there are none */
  char dimension[GMON_DIMENSION_BYTES + 1]; /* of their unit */
};

/**
 * Read a side file.
 *
 * path  copied.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls side_file_release(out).
 * Errors: unreadable; those of side_reader_next(); no memory.
 */
int side_file_load(const char *path, struct side_file *out, struct err *err);

/**
 * Replace the bytes by others, which are copied, and read these.
 *
 * Returns 0; or -1 with *err set: those of side_file_load().
 */
int side_file_replace(struct side_file *side, const uint8_t *bytes,
                      size_t n_bytes, struct err *err);

/**
 * Replace the bytes by others with the same objects, whose names stay where
 * they are.
 *
 * Returns 0; or -1 with *err set: those of side_file_load().
 */
int side_file_refill(struct side_file *side, const uint8_t *bytes,
                     size_t n_bytes, struct err *err);

/** Name of a thread without a record of it, as the only one of a process has
 * none: the first thread has that of the program. NULL: not known. */
const char *side_file_thread_name(const struct side_file *side, uint64_t tid);

/** Free; an empty one may be released too. */
void side_file_release(struct side_file *side);

#endif
