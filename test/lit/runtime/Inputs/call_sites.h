/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Calls that are not counted by mcount: the counterpart of instrument.h for
 * three functions whose arcs are derived.
 *
 *   CALL_SITES_DATA  at file scope: the functions and their constant data
 *   call_any(f)      calls f through a pointer, then call_f() by name
 *   call_f, call_g   functions that count how often they are entered
 */
#ifndef CALL_SITES_H
#define CALL_SITES_H

#include "instrument.h"

#pragma GCC visibility push(hidden)
void __arcline_indirect(struct arcline_site *site, const void *callee);
extern uint64_t call_cells[3];
extern struct arcline_site call_site;
void call_any(void (*callee)(void));
void call_f(void);
void call_g(void);
#pragma GCC visibility pop

/* A function with one node: name, rest of its graph, cell. */
#define CALL_SITES_FUNC(name, string, calls, i_cell)                           \
  ".pushsection __arcline_data,\"a\"\n"                                        \
  "1: .byte " string ", 1, 2, 0,  43, 20,  " calls "\n"                        \
  "2:\n"                                                                       \
  ".balign 4\n"                                                                \
  "6: .long 1, 3f - .\n"                                                       \
  ".popsection\n"                                                              \
  ".pushsection __arcline_plan,\"aw\"\n"                                       \
  "5: .byte 1, 1, 0, 0\n"                                                      \
  ".popsection\n"                                                              \
  ".pushsection __arcline_func,\"a\"\n"                                        \
  ".balign 8\n"                                                                \
  "3: .quad 42\n"                                                              \
  ".long 1b - .\n.long 2b - 1b\n"                                              \
  ".long call_strings - .\n.long call_strings_end - call_strings\n"            \
  ".long 1\n.short 9, 4\n"                                                     \
  ".popsection\n"                                                              \
  ".pushsection __arcline_body,\"a\"\n"                                        \
  ".balign 4\n"                                                                \
  "4: .long " name " - .\n.long 6b - .\n"                                      \
  ".long call_cells + 8 * " i_cell " - .\n.long 1\n"                           \
  ".long 5b - ., 4\n"                                                          \
  ".popsection\n"

#define CALL_SITES_DATA                                                        \
  __asm__(".pushsection __arcline_cnts,\"aw\"\n"                               \
          ".balign 8\n.hidden call_cells\n.globl call_cells\n"                 \
          "call_cells: .quad 0, 0, 0\n"                                        \
          ".popsection\n"                                                      \
          ".pushsection __arcline_data,\"a\"\n"                                \
          "call_strings: .asciz \"\", \"call_f\", \"call_g\", \"call_any\"\n"  \
          "call_strings_end:\n"                                                \
          ".popsection\n" CALL_SITES_FUNC("call_f", "1", "0", "0")             \
              CALL_SITES_FUNC("call_g", "8", "0", "1") CALL_SITES_FUNC(        \
                  "call_any", "15", "2,  0, 0,  0, 1",                         \
                  "2") ".pushsection __arcline_site,\"aw\"\n"                  \
                       ".balign 8\n.hidden call_site\n.globl call_site\n"      \
                       "call_site: .quad 0, 0\n.long 4b - .\n.long 0, 0, 0\n"  \
                       ".popsection\n");                                       \
  NOINLINE void call_f(void) { count(&call_cells[0]); }                        \
  NOINLINE void call_g(void) { count(&call_cells[1]); }                        \
  NOINLINE void call_any(void (*callee)(void)) {                               \
    count(&call_cells[2]);                                                     \
    if (call_site.callee != (uintptr_t)callee)                                 \
      __arcline_indirect(&call_site, (const void *)(uintptr_t)callee);         \
    callee();                                                                  \
    call_f();                                                                  \
  }

#endif
