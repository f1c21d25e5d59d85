/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * All that the runtime does in another way on each CPU: what a port to a new
 * one supplies. The lowest folder, so it makes no use of any other.
 *
 * A port is a header and a source, named as `uname -m` names the CPU, and a
 * line where this file includes them and one in runtime/CMakeLists.txt. os/os.h
 * tells what "Runs:" means.
 *
 * The header defines the functions below, and as 0 or 1:
 *   RT_CPU_ACTION_HAS_RESTORER     the kernel's struct sigaction has that field
 *   RT_CPU_ACTION_NEEDS_RESTORER   handlers return to rt_cpu_sigaction_return()
 *   RT_CPU_HAS_SEGMENT             code may count by way of a segment register
 * and further
 *   RT_CPU_SYSCALL_BYTES           size of the system call instruction
 */
#ifndef ARCLINE_RT_CPU_H
#define ARCLINE_RT_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function in assembly, hidden, with unwind information. */
#define RT_CPU_FUNCTION(name, code)                                            \
  __asm__(".pushsection .text\n.hidden " name "\n.globl " name "\n"            \
          ".type " name ", %function\n.p2align 4\n" name ":\n"                 \
          ".cfi_startproc\n" code ".cfi_endproc\n"                             \
          ".size " name ", . - " name "\n.popsection\n")

enum { RT_CPU_TCB_BYTES = 4096 }; /* more than libc has at a thread pointer */

/** Make a system call without libc. Returns the result or a negative errno.
 * Runs: hook, also without thread-local storage and before relocation. */
static inline long rt_cpu_syscall(long number, long a, long b, long c, long d,
                                  long e, long f);
/** The thread pointer, 0 as long as libc has set none. Runs: as above. */
static inline uintptr_t rt_cpu_thread_pointer(void);
/** Have the thread pointer lead to thread-local storage that holds zeros. Runs:
 * as above.
 *
 * memory  zeroed, of tls_bytes and RT_CPU_TCB_BYTES; kept. */
static inline void rt_cpu_set_thread_pointer(char *memory, size_t tls_bytes);

/** Where a signal interrupted the program; context is the handler's third
 * argument. Runs: hook. */
static inline uint64_t rt_cpu_context_pc(const void *context);
/** Whether the RT_CPU_SYSCALL_BYTES at code are a system call instruction.
 * Runs: hook. */
static inline bool rt_cpu_is_syscall(const uint8_t *code);

/** Call function(argument) on the stack that ends at top, aligned as the ABI
 * says. The frame pointer leads back, for us and for debuggers. Runs:
 * handler-safe. */
void rt_cpu_call_on_stack(void *top, void (*function)(void *), void *argument);

#if defined(__x86_64__)
#include "cpu/x86_64.h"
#elif defined(__aarch64__)
#include "cpu/aarch64.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "cpu/riscv64.h"
#else
#error "the runtime has no port to this CPU: runtime/cpu/cpu.h says what one is"
#endif

#if RT_CPU_ACTION_NEEDS_RESTORER
/** Ends a signal handler; not to be called. Unwinders know its instructions. */
void rt_cpu_sigaction_return(void);
#endif

/** Makes a system call; see rt_sys(). */
typedef long rt_cpu_sys_fn(long number, long a, long b, long c, long d, long e);

#if RT_CPU_HAS_SEGMENT
/** Whether the segment's base can be set without the kernel, then to negative
 * values, too. Runs: hook. */
bool rt_cpu_has_segment_instruction(void);
/** Set the base of the calling thread's segment, by sys if need be. Returns
 * whether that was possible. Runs: hook. */
bool rt_cpu_set_segment(intptr_t base, rt_cpu_sys_fn *sys);
#else
static inline bool rt_cpu_has_segment_instruction(void) { return false; }

static inline bool rt_cpu_set_segment(intptr_t base, rt_cpu_sys_fn *sys) {
  (void)sys;
  return base == 0;
}
#endif

#endif
