/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Walks call stacks, from within a signal handler: by unwind tables, or by
 * frame pointers if there are none. No data is trusted, and memory is read only
 * through the kernel (os/safe_read.h): whatever the program does to its stacks,
 * the worst result is a stack that ends early. */
#ifndef ARCLINE_RT_UNWIND_H
#define ARCLINE_RT_UNWIND_H

#include "unwind/rules.h"

enum {
  RT_UNWIND_FRAMES = 512, /* most of one stack */
  RT_UNWIND_STACK_BYTES = 8192,
  RT_UNWIND_TABLE_BYTES = 1024,
};

/** The reason for which a stack ends. */
enum rt_unwind_end {
  RT_UNWIND_COMPLETE, /* the last frame is the thread's or coroutine's first */
  RT_UNWIND_DEEP,     /* there are more frames than fit */
  RT_UNWIND_UNKNOWN,  /* at code that has no tables, nor frame pointers */
  RT_UNWIND_BROKEN,   /* memory is unmapped or invalid */
  RT_UNWIND_N_ENDS,
};

/** Room for one stack at a time. */
struct rt_unwind {
  /** The addresses of the frames, the innermost first: the instruction that was
   * interrupted, or the last byte of a call. */
  uint64_t pcs[RT_UNWIND_FRAMES];
  size_t n;
  /* Private from here. */
  struct rt_safe_reader stack, tables;
  struct rt_registers registers;
  struct rt_cfi_room cfi;
  uint8_t context[RT_CPU_CONTEXT_BYTES] __attribute__((aligned(16)));
  uint8_t stack_bytes[RT_UNWIND_STACK_BYTES];
  uint8_t table_bytes[RT_UNWIND_TABLE_BYTES];
};

/** How much of rt_map()'s memory the next one takes, in whole pages. */
size_t rt_unwind_bytes(void);
/** is_start: as in rt_code_init(). Returns 0 or -ENOMEM. Runs: startup. */
int rt_unwind_init(bool is_start);
void rt_unwind_release(void);  /* exit */
void rt_unwind_in_child(void); /* in fork()'s child */

/** Find the frames of the interrupted code: room->pcs, room->n, one at least.
 *
 * context  the handler's third argument.
 *
 * Runs: hook. */
enum rt_unwind_end rt_unwind(struct rt_unwind *room, const void *context);
/** The same for another thread that waits at pc, as far as its stack pointer
 * allows it. Runs: hook. */
enum rt_unwind_end rt_unwind_waiting(struct rt_unwind *room, uint64_t pc,
                                     uint64_t sp);

#endif
