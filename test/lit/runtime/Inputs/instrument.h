/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Instrumentation by hand, so that tests of the runtime need no pass: the parts
 * of instrumented code that abi.h requires, as macros.
 *
 *   CALLED(f)    first statement of function f: counts the arc to it
 *   PICK_DATA    at file scope: the constant data of pick()
 *   pick(c)      a function with three blocks and two counters: the entry, the
 *                one that is left out if c is 0, and the end
 */
#ifndef INSTRUMENT_H
#define INSTRUMENT_H

#include <stdint.h>

#include "arcline/abi.h"

#pragma GCC visibility push(hidden)
#if defined(__PIC__) && !defined(__PIE__)
extern intptr_t __arcline_slot;
#else
extern uint8_t __arcline_ready;
extern __thread intptr_t __arcline_bias
    __attribute__((tls_model("initial-exec")));
#endif
intptr_t __arcline_bias_slow(void);
void __arcline_mcount(const void *return_pc, const void *self_pc);
extern uint64_t pick_counters[2];
void pick(int c);
#pragma GCC visibility pop

#define NOINLINE __attribute__((noinline, noclone))

#define CALLED(f)                                                              \
  __arcline_mcount(__builtin_return_address(0), (const void *)(uintptr_t)(f))

static inline void count(uint64_t *counter) {
  intptr_t bias = 0;

#if defined(__PIC__) && !defined(__PIE__)
  if (__arcline_slot)
    bias = *(intptr_t *)((char *)__builtin_thread_pointer() + __arcline_slot);
#else
  if (__arcline_ready)
    bias = __arcline_bias;
#endif
  if (!bias)
    bias = __arcline_bias_slow();
  counter = (uint64_t *)((intptr_t)counter + bias);
#if defined(__x86_64__) && !defined(RT_NO_ASSEMBLY)
  __asm__ volatile("incq %0" : "+m"(*counter));
#else
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
#endif
}

/* Nodes 0, 1, 2; EXIT is 3. Edges: EXIT->0, 0->1 with counter 0, 0->2, 1->2,
   2->EXIT with counter 1. Then a dead address, one of node 1 that comes second
   and must be left out, and one at an address that is taken. */
#define PICK_DATA                                                              \
  __asm__(".pushsection __arcline_cnts,\"aw\"\n"                               \
          ".balign 8\n.hidden pick_counters\n.globl pick_counters\n"           \
          "pick_counters: .quad 0, 0\n"                                        \
          ".popsection\n"                                                      \
          ".pushsection __arcline_data,\"a\"\n"                                \
          "pick_graph: .byte 1, 3, 5, 0,  35, 57, 97, 48, 28,  0\n"            \
          "pick_graph_end:\n"                                                  \
          "pick_strings: .asciz \"\", \"pick\"\n"                              \
          "pick_strings_end:\n"                                                \
          ".balign 4\n"                                                        \
          "pick_unit: .long 1, pick_func - .\n"                                \
          ".popsection\n"                                                      \
          ".pushsection __arcline_plan,\"aw\"\n"                               \
          "pick_data: .byte 1, 1, 0, 0,  0, 5\n"                               \
          ".long -1, 0, pick_1 - pick, pick_2 - pick, pick_2 - pick\n"         \
          ".byte 0, 0, 2, 0, 2\n"                                              \
          "pick_data_end:\n"                                                   \
          ".popsection\n"                                                      \
          ".pushsection __arcline_func,\"a\"\n"                                \
          ".balign 8\n"                                                        \
          "pick_func: .quad 42\n"                                              \
          ".long pick_graph - .\n.long pick_graph_end - pick_graph\n"          \
          ".long pick_strings - .\n.long pick_strings_end - pick_strings\n"    \
          ".long 2\n.short 9, 0\n"                                             \
          ".popsection\n"                                                      \
          ".pushsection __arcline_body,\"a\"\n"                                \
          ".balign 4\n"                                                        \
          ".long pick - .\n.long pick_unit - .\n"                              \
          ".long pick_counters - ., 2\n"                                       \
          ".long pick_data - .\n.long pick_data_end - pick_data\n"             \
          ".popsection\n");                                                    \
  NOINLINE void pick(int c) {                                                  \
    CALLED(pick);                                                              \
    if (c) {                                                                   \
      __asm__ volatile("pick_1:");                                             \
      count(&pick_counters[0]);                                                \
    }                                                                          \
    __asm__ volatile("pick_2:");                                               \
    count(&pick_counters[1]);                                                  \
  }

#endif
