/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads memory of this process that may not be there, or no longer: no fault,
 * whatever the address. Everything runs: hook. */
#ifndef ARCLINE_RT_PEEK_H
#define ARCLINE_RT_PEEK_H

#include "os/os.h"

/** A window of memory, as it was when it was read. */
struct rt_peek {
  uint8_t *bytes; /* of the caller */
  size_t room;    /* of bytes; less than a page, or some of them */
  uint64_t at;    /* address of the first one */
  size_t n;
  uint32_t tid; /* of the calling thread; 0: not asked yet */
};

/** An empty window. What follows are looks of one thread, and of one moment. */
static inline void rt_peek_init(struct rt_peek *peek, uint8_t *bytes,
                                size_t room) {
  *peek = (struct rt_peek){.bytes = bytes, .room = room};
}

/** Memory that stays as long as the process does, such as constant data of what
 * the program was started with: it is copied without the kernel. Some are
 * remembered, others are not. Runs: startup. */
void rt_peek_lasts(uint64_t start, uint64_t end);
/** Copy n bytes, at most a quarter of the room; false: some are not there. */
bool rt_peek(struct rt_peek *peek, uint64_t address, void *out, size_t n);
/** The same, for a word. */
bool rt_peek_word(struct rt_peek *peek, uint64_t address, uint64_t *out);
/** Forget what was read: the memory may have changed. */
static inline void rt_peek_forget(struct rt_peek *peek) { peek->n = 0; }

#endif
