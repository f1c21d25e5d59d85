/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What objects that were compiled with plain -pg call. On x86-64, mcount is
   called behind a function's prologue and __fentry__ as its first instruction,
   in either case before the arguments have left their registers: every register
   is preserved. Elsewhere _mcount is an ordinary function.

   The names are hidden: each object calls those that were linked into it. Where
   a library exports them, the linker is content with these, and leaves the rest
   of this library out of the program. Objects that are linked without it find
   libc's, which count nothing. */
#include "hooks/object.h"

void __monstartup(unsigned long low_pc, unsigned long high_pc);

/* gcrt1.o calls it before any constructor, so there is nothing to do. It stands
   here so that whoever is linked with -pg gets the rest of this file, too. */
void __monstartup(unsigned long low_pc, unsigned long high_pc) {
  (void)low_pc;
  (void)high_pc;
}

#if defined(__x86_64__)
#include <cpuid.h>

enum {
  STATE_BYTES = 16384,   /* more than XSAVE writes on any machine */
  SSE_AVX_AVX512 = 0xe6, /* bits of the state components */
};

/* Preserves all but general registers. */
void rt_mcount_slowly(uint64_t from, uint64_t self);

static bool has_xsave(void) {
  static uint8_t answer; /* 0: not asked yet; 1: no; 2: yes */
  unsigned a, b, c = 0, d;

  if (!answer)
    answer = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE ? 2 : 1;
  return answer == 2;
}

/* Joining calls libc, which may have been compiled to use vector registers. It
   happens once per thread; the state is too large for the stacks of signal
   handlers. */
static void join(void) {
  uint8_t *const state = rt_map(STATE_BYTES);

  if (!state)
    return;
  if (has_xsave()) {
    __asm__ volatile("xsave (%0)"
                     :
                     : "r"(state), "a"(SSE_AVX_AVX512), "d"(0)
                     : "memory");
    rt_join_arcs();
    __asm__ volatile("xrstor (%0)"
                     :
                     : "r"(state), "a"(SSE_AVX_AVX512), "d"(0)
                     : "memory");
  } else {
    __asm__ volatile("fxsave (%0)" : : "r"(state) : "memory");
    rt_join_arcs();
    __asm__ volatile("fxrstor (%0)" : : "r"(state) : "memory");
  }
  rt_unmap(state, STATE_BYTES);
}

void rt_mcount_slowly(uint64_t from, uint64_t self) {
  if (rt_load(&__arcline_ready) && !rt_thread_arcs)
    join();
  rt_count_joined(from, self);
}

/* mcount_x86_64.S is rt_count_arc() in three registers, with these numbers: */
_Static_assert(RT_FIRST_ARCS == 8192 && RT_HEADER_SPAN == 65536 &&
                   sizeof(struct rt_arc) == 24 &&
                   offsetof(struct rt_arc, self) == 8 &&
                   offsetof(struct rt_arc, count) == 16,
               "mcount looks where rt_count_arc() would");
#elif defined(__aarch64__)
void _mcount(void);

/* A return address as it was before the caller signed it. */
static inline uintptr_t strip(uintptr_t pc) {
  register uintptr_t x30 __asm__("x30") = pc;

  __asm__("hint 7" : "+r"(x30)); // xpaclri
  return x30;
}

/* gcc and clang 22 pass the return address, clang 16 and 19 nothing; but with
   -pg all keep a frame, whose first words are the caller's frame and that
   address. */
void _mcount(void) {
  const uintptr_t *const mine = __builtin_frame_address(0);
  const uintptr_t *const callers = (const uintptr_t *)*mine;

  rt_count_arc(strip(callers[1]), (uintptr_t)__builtin_return_address(0));
}
#else
void _mcount(const void *return_pc);

void _mcount(const void *return_pc) {
  rt_count_arc((uintptr_t)return_pc, (uintptr_t)__builtin_return_address(0));
}
#endif
