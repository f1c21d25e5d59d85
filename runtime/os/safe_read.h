/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads memory of this process that may be unmapped, without a fault.
 * Everything runs: hook. */
#ifndef ARCLINE_RT_SAFE_READ_H
#define ARCLINE_RT_SAFE_READ_H

#include "os/os.h"

/** Memory that was read in one go, for reads of one thread at one moment. */
struct rt_safe_reader {
  uint8_t *bytes; /* of the caller */
  size_t room;    /* of bytes; less than a page, or some pages */
  uint64_t at;    /* address of the first one */
  size_t n;
  uint32_t tid; /* of the calling thread; 0: not read yet */
};

static inline void rt_safe_reader_init(struct rt_safe_reader *reader,
                                       uint8_t *bytes, size_t room) {
  *reader = (struct rt_safe_reader){.bytes = bytes, .room = room};
}

/** Register memory that stays mapped until the process ends, such as constant
 * data of objects that the program was started with: it is read without a
 * system call. There is room for some ranges; others are ignored. Runs:
 * startup. */
void rt_safe_read_add_lasting(uint64_t start, uint64_t end);
/** Copy n bytes, at most a quarter of the room, or all of it. Returns false if
 * some are not mapped. */
bool rt_safe_read(struct rt_safe_reader *reader, uint64_t address, void *out,
                  size_t n);
/** Copy a word. */
bool rt_safe_read_word(struct rt_safe_reader *reader, uint64_t address,
                       uint64_t *out);
/** Discard what was read: the memory may have changed. */
static inline void rt_safe_reader_forget(struct rt_safe_reader *reader) {
  reader->n = 0;
}

#endif
