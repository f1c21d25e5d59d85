/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the types that a profile consists of: profile.h.
 */
#ifndef ARCLINE_PROFILE_PARTS_H
#define ARCLINE_PROFILE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Counts of one symbol; same index as in the symbol table. */
struct symbol_counts {
  double ticks;           /* self time, in samples */
  uint64_t calls;         /* after profile_finish() without self_calls */
  uint64_t self_calls;    /* direct recursion; set by profile_finish() */
  uint64_t outside_calls; /* unknown callers'; profile_finish() adds them */
  double weight; /* of all arcs to it; if not 0, callers share its time by that
                    instead of by calls */
  double inclusive; /* inclusive time, measured by call stacks */
  double waiting;   /* of it, time in which the thread waited */
  bool has_stacks;  /* its object is on call stacks, so that it is measured */
  bool is_counted;  /* gmon files have calls of it; set by side_join_apply() */
  uint32_t first_block; /* in profile.blocks; PROFILE_NONE: none */
  uint32_t last_block;
};

#define PROFILE_NONE UINT32_MAX

/** Calls from one symbol to another. In line mode the parent is a line. */
struct profile_arc {
  uint32_t parent; /* index of symbol */
  uint32_t child;
  uint64_t count;
  double weight;    /* measured time, in ticks; 0: not measured */
  double inclusive; /* ticks of the callee and of all that it called, as call
                       stacks measured them for these calls */
};

/** A basic block; blocks of one symbol are chained in order of appearance. */
struct profile_block {
  uint64_t vaddr;
  uint64_t count;
  uint32_t next;   /* block of the same symbol; PROFILE_NONE: the last */
  bool is_outside; /* of all symbols: in no chain */
};

#endif
