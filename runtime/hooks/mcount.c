/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Defines the functions that objects compiled with plain -pg call. On x86-64,
   mcount is called after a function's prologue and __fentry__ as its first
   instruction, in either case before the arguments have left their registers:
   every register is preserved. On other CPUs _mcount is an ordinary function.

   The names are hidden: each object calls those that were linked into it. If a
   library exported them, the linker would use these, and leave the rest of the
   runtime out of the program. Objects that are linked without the runtime find
   the functions of libc, which count nothing. */
#include "hooks/object.h"

void __monstartup(unsigned long low_pc, unsigned long high_pc);

/* gcrt1.o calls it before any constructor, when there is nothing to do. It is
   in this file so that the linker takes the file into programs linked with
   -pg. */
void __monstartup(unsigned long low_pc, unsigned long high_pc) {
  (void)low_pc;
  (void)high_pc;
}

#if RT_CPU_HOOKS_ARE_ASSEMBLY
/* Joining calls libc, which may have been compiled to use vector registers. It
   happens once per thread; the state is too large for the stacks of signal
   handlers. */
static void attach_thread(void) {
  void *const state = rt_map(RT_CPU_STATE_BYTES);

  if (!state)
    return;
  rt_cpu_call_saving(state, rt_attach_thread_arcs);
  rt_unmap(state, RT_CPU_STATE_BYTES);
}

void rt_mcount_slowly(uint64_t from, uint64_t self) {
  if (rt_is_ready() && !rt_find_arcs())
    attach_thread();
  rt_count_attached(from, self);
}

/* The assembly (cpu/x86_64_arcs.inc) has these numbers: */
_Static_assert(RT_FIRST_ARCS == 8192 && RT_ARC_PROBES == 8 &&
                   RT_HEADER_SPAN == 65536 && sizeof(struct solve_arc) == 24 &&
                   offsetof(struct solve_arc, self) == 8 &&
                   offsetof(struct solve_arc, count) == 16,
               "assembly looks where rt_count_arc() would");
#else
void _mcount(const void *return_pc);

void _mcount(const void *return_pc) {
  rt_count_arc(rt_cpu_mcount_caller(return_pc),
               (uintptr_t)__builtin_return_address(0));
}
#endif
