/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads side files, record by record: the text that Arcline's runtime leaves
 * beside a gmon.out, with data that gmon has no records for (FORMAT.md, part
 * 5). Independent of images and profiles. Input is untrusted: every word is
 * checked, and memory is at most that of the longest line.
 */
#ifndef ARCLINE_SIDE_READ_H
#define ARCLINE_SIDE_READ_H

#include "write/side_form.h"

struct err;
struct gmon_file;

/** The width of a moment's period that is any time. */
enum { SIDE_ANY_WIDTH = 63 };

/** The end of a side file's name. */
#define SIDE_SUFFIX ".arcline"

/** One record. Strings live until the next one is read. Objects are identified
 * by their numbers, all less than that of the next object record. */
struct side_record {
  const struct side_form *form; /* its kind decides which members are set */
  unsigned long line;           /* of the file, from 1 */
  union {                       /* views of the numbers, in their order */
    struct side_values values;  /* as in the file */
    struct {
      uint64_t pid;
    } process;
    struct {
      uint64_t rate_hz; /* 0: no samples were taken */
    } clock;
    struct {
      uint64_t user_us, system_us;
    } cpu;
    struct {
      uint64_t i_object;
      uint64_t bias; /* of an instrumented one, otherwise 0 */
    } object;
    struct {
      uint64_t i_object;
      uint64_t low, high; /* low < high */
    } text;
    struct {
      uint64_t i_object;
      uint64_t offset; /* in the file; 0 for objects in brackets; a kernel's in
                          an instrumented object: vaddr */
      uint64_t n_samples;
    } time; /* also of SIDE_KERNEL: samples in the kernel on behalf of that
               place */
    struct {
      uint64_t i_caller, from_vaddr, i_callee, self_vaddr, count;
    } arc;
    struct {
      uint64_t i_caller, from_vaddr, count;
    } call;
    struct {
      uint64_t i_caller, i_object;
      uint64_t offset; /* of the callee's entry in the file of i_object */
    } target;
    struct {
      uint64_t i_object;
      uint64_t resolver_vaddr, to_vaddr; /* of an ifunc, and its choice */
    } resolved;
    struct {
      uint64_t tid, n_samples;
    } thread; /* also of SIDE_THREAD_NAME, without samples */
    struct {
      uint64_t i_frame;  /* from 1, in order */
      uint64_t i_caller; /* less than i_frame; 0: there is none */
      uint64_t i_object;
      uint64_t address; /* vaddr in an instrumented object, otherwise offset */
    } frame;
    struct {
      uint64_t i_frame; /* of a frame before */
      uint64_t n_samples;
    } stack;
    struct {
      uint64_t tid;
      uint64_t width, period; /* the samples of [period, period + 1) << width,
                                 in ns since the beginning */
      uint64_t i_frame;       /* of a frame before; 0: of any stack */
      uint64_t n_samples;
    } moment;
    struct {
      uint64_t ns; /* since 1970 */
    } began;
    uint64_t count; /* of records with one number: SIDE_LOST, ... */
  };
  union {
    /** The program or thread, the clock's dimension, the callee's linkage
     * name, or the loss. */
    const char *name;
    const char *file; /* an object's gmon file; NULL: not instrumented */
  };
  /* Of an object. */
  const char *path; /* absolute, or in brackets */
  uint8_t build_id[SIDE_BUILD_ID_BYTES];
  size_t n_build_id; /* bytes; 0: not known */
};

/** Reading position in a file. */
struct side_reader {
  const struct gmon_file *file;
  unsigned long line; /* that was read last, from 1 */
  uint32_t n_objects; /* so far */
  uint32_t n_frames;  /* so far */
  struct err *err;    /* private from here */
  bool has_failed;
  size_t position;
  char *text; /* strings of the record read last */
  size_t n_text;
};

/** Does a file begin as side files of any version do? */
bool side_is_side_file(const struct gmon_file *file);

/**
 * Begin to read a file:
 *
 *   side_reader_begin(&reader, file, err);
 *   while (rc == 0 && side_reader_next(&reader, &record))
 *     rc = ...;
 *   if (side_reader_end(&reader))
 *     rc = -1;
 *
 * file, err  borrowed while the reader is in use.
 *
 * Owns:   caller calls side_reader_end(reader).
 */
void side_reader_begin(struct side_reader *reader, const struct gmon_file *file,
                       struct err *err);

/** Read the next record. Records of unknown kinds are skipped. Returns false
 * after the last line, and on errors. */
bool side_reader_next(struct side_reader *reader, struct side_record *out);

/**
 * Free.
 *
 * Returns 0; or -1 with *err set if reading failed: no side file, or of an
 * unknown version; a record that is malformed or names an object or frame that
 * no line above lists; a file that was cut off; no memory.
 */
int side_reader_end(struct side_reader *reader);

#endif
