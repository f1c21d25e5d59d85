/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Appends to the index of a suite's contexts, one process at a time. A process
 * that is killed leaves a record that is cut off, which the next one removes.
 */
#ifndef ARCLINE_CONTEXT_WRITER_H
#define ARCLINE_CONTEXT_WRITER_H

#include "contexts/context_index.h"

struct err;

/** All zero except the descriptors: closed. */
struct context_writer {
  struct context_index index; /* as it was when it was locked */
  char *path;
  size_t n_objects; /* in the file now */
  int lock_fd, fd;  /* -1: none */
  uint64_t end;
};

#define CONTEXT_WRITER_CLOSED                                                  \
  (struct context_writer) { .lock_fd = -1, .fd = -1 }

/**
 * Lock the folder of contexts, wait for other processes to end that, and read
 * the index.
 *
 * Returns 0; or -1 with *err set and *out closed.
 * Owns:   caller calls context_writer_close(out).
 */
int context_writer_open(const char *folder, struct context_writer *out,
                        struct err *err);

/** A record to write. */
struct context_record {
  enum arcline_context_kind kind;
  uint32_t object;
  const char *name;
  const void *plain;
  size_t n_plain;
  uint64_t state;
};

/** Append a record. Returns 0, or -1 with *err set. */
int context_writer_add(struct context_writer *writer,
                       const struct context_record *record, struct err *err);

/**
 * Write the index again without repeated and stale runs, if these are most of
 * it. The newest stale run of a context stays if it has no other one of that
 * path, since it is reported. Returns 0, or -1 with *err set and the index as
 * it was.
 */
int context_writer_shrink(struct context_writer *writer, struct err *err);

void context_writer_close(struct context_writer *writer);

#endif
