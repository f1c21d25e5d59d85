/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads side files, record by record: the text that Arcline's runtime leaves
 * beside a gmon.out, with what gmon cannot hold (FORMAT.md, part 5). Knows
 * nothing of images and of profiles. Nothing is believed: every word is
 * checked, and memory is no more than that of the longest line.
 */
#ifndef ARCLINE_SIDE_READ_H
#define ARCLINE_SIDE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gmon_file;

/** What the name of a side file ends with. */
#define SIDE_SUFFIX ".arcline"

enum { SIDE_BUILD_ID_BYTES = 64 };

enum side_kind {
  SIDE_PROCESS,
  SIDE_CLOCK,
  SIDE_CPU,
  SIDE_OBJECT,
  SIDE_TEXT,
  SIDE_TIME,
  SIDE_KERNEL,
  SIDE_ARC,
  SIDE_CALL,
  SIDE_TARGET,
  SIDE_RESOLVED,
  SIDE_THREAD,
  SIDE_FRAME,
  SIDE_STACK,
  SIDE_LOOKS,
  SIDE_SAMPLED,
  SIDE_LOST,
  SIDE_MET,
  SIDE_PROCESSES,
};

/** An object of the process, instrumented or not. */
struct side_object {
  uint32_t i_object;
  uint8_t build_id[SIDE_BUILD_ID_BYTES];
  size_t n_build_id; /* bytes; 0: not known */
  uint64_t bias;     /* of an instrumented one, else 0 */
  const char *file;  /* name of its gmon file; NULL: not instrumented */
  const char *path;  /* absolute, or in brackets */
};

/** One record. Strings live until the next one is read. Objects are told by
 * their numbers, all less than that of the next object record. */
struct side_record {
  enum side_kind kind; /* tells which member is set */
  unsigned long line;  /* of the file, from 1 */
  union {
    struct {
      uint64_t pid;
      const char *name;
    } process;
    struct {
      const char *dimension;
      uint64_t rate_hz; /* 0: no samples were taken */
    } clock;
    struct {
      uint64_t user_us, system_us;
    } cpu;
    struct side_object object;
    struct {
      uint32_t i_object;
      uint64_t low, high; /* low < high */
    } text;
    struct {
      uint32_t i_object;
      uint64_t offset; /* in the file; 0 for objects in brackets; a kernel's in
                          an instrumented object: vaddr */
      uint64_t n_samples;
    } time; /* also of SIDE_KERNEL: those of a place that the kernel took */
    struct {
      uint32_t i_caller, i_callee;
      uint64_t from_vaddr, self_vaddr;
      uint64_t count;
    } arc;
    struct {
      uint32_t i_caller;
      uint64_t from_vaddr;
      uint64_t count;
      const char *name; /* linkage name of the callee */
    } call;
    struct {
      uint32_t i_caller, i_object;
      const char *name; /* linkage name that is called */
      uint64_t offset;  /* of the callee's entry in the file of i_object */
    } target;
    struct {
      uint32_t i_object;
      uint64_t resolver_vaddr, to_vaddr; /* of an ifunc, and what it chose */
    } resolved;
    struct {
      uint64_t tid;
      uint64_t n_samples;
    } thread;
    struct {
      uint32_t i_frame;  /* from 1, in order */
      uint32_t i_caller; /* less than i_frame; 0: there is none */
      uint32_t i_object;
      uint64_t address; /* vaddr in an instrumented object, else offset */
    } frame;
    struct {
      uint32_t i_frame; /* of a frame before */
      uint64_t n_samples;
    } stack;
    uint64_t n_looks;
    uint64_t n_sampled;
    struct {
      const char *what;
      uint64_t count;
    } lost;
    uint64_t n_met; /* threads that began unannounced */
    uint64_t n_processes;
  };
};

/** Reading position in a file. */
struct side_reader {
  const struct gmon_file *file;
  unsigned long line; /* that was read last, from 1 */
  uint32_t n_objects; /* so far */
  uint32_t n_frames;  /* so far */
  size_t position;    /* private from here */
  char *text;         /* strings of the record read last */
  size_t n_text;
};

/** Does a file begin as side files do, of whatever version? */
bool side_is_side_file(const struct gmon_file *file);

/**
 * Read the first line.
 *
 * file  borrowed while the reader is in use.
 *
 * Errors: no side file, unknown version.
 * Owns:   caller calls side_reader_release(reader), after an error, too.
 */
int side_reader_init(struct side_reader *reader, const struct gmon_file *file,
                     struct err *err);

/**
 * Read the next record. Records of unknown kinds are passed over.
 *
 * Returns 1; 0 at the last line; -1 with *err set: a record that is malformed
 * or names an object or frame that no line above lists, a file that was cut
 * off, no memory.
 */
int side_reader_next(struct side_reader *reader, struct side_record *out,
                     struct err *err);

/** Free; a released reader is empty. */
void side_reader_release(struct side_reader *reader);

#endif
