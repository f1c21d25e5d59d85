/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Maps addresses to code of this process and to its unwind tables. The map is
 * read from /proc, which needs no lock and shows mappings of any origin; it may
 * be out of date. */
#ifndef ARCLINE_RT_CODE_MAP_H
#define ARCLINE_RT_CODE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct rt_code_range {
  uint64_t start, end;
  uint64_t index; /* address of .eh_frame_hdr, or 0 */
};

/** Code as it was found at one time. */
struct rt_code {
  uint32_t generation; /* its number */
  uint32_t n, n_room;
  struct rt_code_range *ranges; /* by start */
};

size_t rt_code_bytes(void); /* as rt_unwind_bytes() */
/** is_start: the program starts; what the executable needs is loaded, and
 * stays. Returns 0 or -ENOMEM. Runs: startup. */
int rt_code_init(bool is_start);
void rt_code_release(void);  /* exit */
void rt_code_in_child(void); /* in fork()'s child */
/** The present map; it does not change until rt_code_leave(). Runs: hook. */
struct rt_code *rt_code_enter(void);
void rt_code_leave(struct rt_code *code); /* hook */
/** The range around pc, or NULL. Runs: hook. */
const struct rt_code_range *rt_code_find(const struct rt_code *code,
                                         uint64_t pc);
/** The reason to read the map again. */
enum rt_code_doubt {
  RT_CODE_ELSEWHERE, /* a pc was in no range */
  RT_CODE_CHANGED,   /* something was inconsistent */
  RT_CODE_N_DOUBTS,
};

/** Read the map again; for the same reason less and less often as long as
 * nothing changes. The caller is in no rt_code_enter(). Returns whether the map
 * has changed. Runs: hook. */
bool rt_code_refresh(enum rt_code_doubt doubt);

#endif
