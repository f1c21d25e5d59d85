/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Hides the differences between CPUs: a port to a new one supplies the
 * functions and constants of port.h. This is the lowest folder, so it uses no
 * other; no other file checks the CPU that it is compiled for.
 *
 * A port is a header and a source, named as `uname -m` names the CPU, and a
 * line where this file includes them and one in runtime/CMakeLists.txt. os/os.h
 * explains "Runs:". */
#ifndef ARCLINE_RT_CPU_H
#define ARCLINE_RT_CPU_H

#include "cpu/port.h"

#if defined(__x86_64__)
#include "cpu/x86_64.h"
#elif defined(__aarch64__)
#include "cpu/aarch64.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "cpu/riscv64.h"
#else
#error "the runtime has no port to this CPU: see runtime/cpu/port.h"
#endif

/** Add 1 in a way that a signal handler on the same thread cannot split. Runs:
 * hook. RT_NO_ASSEMBLY lets ThreadSanitizer see it. */
static inline void rt_cpu_bump(uint64_t *count) {
#if defined(RT_CPU_BUMP) && !defined(RT_NO_ASSEMBLY)
  RT_CPU_BUMP(count);
#else
  __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
#endif
}

#if RT_CPU_ACTION_NEEDS_RESTORER
/** Ends a signal handler; not to be called. Unwinders recognise its
 * instructions. */
void rt_cpu_sigaction_return(void);
#endif

/** Makes a system call; see rt_sys(). */
typedef long rt_cpu_sys_fn(long number, long a, long b, long c, long d, long e);

#if RT_CPU_HAS_SEGMENT
/** At startup, with what the auxiliary vector has as AT_HWCAP2. */
void rt_cpu_init(unsigned long hwcap2);
/** Whether the segment's base can be set without the kernel, then to negative
 * values, too. Runs: hook. */
bool rt_cpu_has_segment_instruction(void);
/** Set the base of the calling thread's segment, by sys if need be. Returns
 * whether that was possible. Runs: hook. */
bool rt_cpu_set_segment(intptr_t base, rt_cpu_sys_fn *sys);
#else
static inline void rt_cpu_init(unsigned long hwcap2) { (void)hwcap2; }

static inline bool rt_cpu_has_segment_instruction(void) { return false; }

static inline bool rt_cpu_set_segment(intptr_t base, rt_cpu_sys_fn *sys) {
  (void)sys;
  return base == 0;
}
#endif

#if RT_CPU_HOOKS_ARE_ASSEMBLY
/** Call a function and preserve what mcount() has to, but for general registers
 * and flags. Runs: hook.
 *
 * state  RT_CPU_STATE_BYTES, zeroed, at the start of a page. */
void rt_cpu_call_saving(void *state, void (*function)(void));
/** Called by mcount, which is rt_count_arc() in a source of its own, if it does
 * not find the arc; general registers are saved. In hooks/mcount.c. Runs:
 * hook. */
void rt_mcount_slowly(uint64_t from, uint64_t self);
#else
/** The address that the caller of _mcount() returns to, without a signature.
 * Inlined into _mcount(). Runs: hook.
 *
 * argument  the first one, which not every compiler passes. */
static inline __attribute__((always_inline)) uintptr_t
rt_cpu_mcount_caller(const void *argument);
#endif

#endif
