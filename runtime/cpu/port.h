/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Declares the functions and constants that a port supplies, see cpu.h.
 * os/os.h explains "Runs:". The port's source defines those functions that are
 * not inline.
 *
 * The port's header defines the inline functions below, and as 0 or 1:
 *   RT_CPU_ACTION_HAS_RESTORER     the kernel's struct sigaction has that field
 *   RT_CPU_ACTION_NEEDS_RESTORER   handlers return to rt_cpu_sigaction_return()
 *   RT_CPU_HAS_SEGMENT             code may count through a segment register
 *   RT_CPU_HOOKS_ARE_ASSEMBLY      mcount and __arcline_indirect are no
 *                                  functions of C; they call rt_mcount_slowly()
 *                                  and rt_indirect_slowly() if they find no arc
 * and further
 *   RT_CPU_SYSCALL_BYTES           size of the system call instruction
 *   RT_CPU_RELOC_POINTER, RT_CPU_RELOC_JUMP
 *                                  relocation types of pointers to functions by
 *                                  name, in general and for calls
 *   RT_CPU_RELOC_RESOLVED          of those that an ifunc's resolver chooses
 *   RT_CPU_N_REGISTERS             those that unwinders follow, as numbered in
 *                                  DWARF; at most 33
 *   RT_CPU_SP, RT_CPU_FP           two of them, as chains of frames use them
 *   RT_CPU_PRESERVED               a bit for each that functions preserve, at
 *                                  most 16; not for RT_CPU_SP and RT_CPU_LINK
 *   RT_CPU_HAS_LINK                calls leave the return address in a register
 *   RT_CPU_LINK                    that, or the column that represents it
 *   RT_CPU_CHAIN_FP, _RA, _CFA     where the frame pointer leads, in bytes: to
 *                                  the caller's, to the return address, and to
 *                                  the caller's stack pointer
 *   RT_CPU_SIGRETURN_BYTES         size of the code that handlers return to
 *   RT_CPU_SIGRETURN_FIRST_BYTES   and of its first instruction
 *   RT_CPU_SIGRETURN_CONTEXT       where a context is then, above the stack
 *                                  pointer
 *   RT_CPU_CONTEXT_BYTES           bytes that rt_cpu_context_registers() reads
 *   RT_CPU_CALL_BYTES              the longest call instruction
 *   RT_CPU_TLS_OFFSET(symbol, variable)
 *     At file scope, in shared objects: a hidden function symbol (a string)
 *     that returns the distance from the thread pointer to a thread-local
 *     variable (another one) if that is the same in all threads, since the
 *     dynamic linker had static storage left for it, else 0.
 *   RT_CPU_ENTRY(symbol, function), RT_CPU_ENTRY_RESULT(symbol, function)
 *     At file scope: a hidden function symbol (a string) that the pass calls by
 *     preserve_most (symbols.h), which gcc lacks. It calls function, of the
 *     same arguments, which returns nothing or one word. If the pass calls it
 *     by the ordinary convention, it is a jump.
 *   RT_CPU_BUMP(count)             if there is such an instruction: adds 1 to
 *                                  *count, undivided by signals
 */
#ifndef ARCLINE_RT_PORT_H
#define ARCLINE_RT_PORT_H

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
/** The same, after libc has set one. Runs: hook. */
static inline uintptr_t rt_cpu_own_pointer(void);
/** Set the thread pointer to zeroed thread-local storage. Runs: as above.
 *
 * memory  zeroed, of tls_bytes and RT_CPU_TCB_BYTES; kept. */
static inline void rt_cpu_set_thread_pointer(char *memory, size_t tls_bytes);

/** The address at which a signal interrupted the program; context is the
 * handler's third argument. Runs: hook. */
static inline uint64_t rt_cpu_context_pc(const void *context);
/** Whether the RT_CPU_SYSCALL_BYTES at code are a system call instruction.
 * Runs: hook. */
static inline bool rt_cpu_is_syscall(const uint8_t *code);

/** The registers in a context, by their numbers in DWARF; returns the program
 * counter. Runs: hook.
 *
 * registers  RT_CPU_N_REGISTERS of them. */
static inline uint64_t rt_cpu_context_registers(const void *context,
                                                uint64_t *registers);
/** A return address without the signature that it may carry. Runs: hook. */
static inline uint64_t rt_cpu_unsigned(uint64_t pc);
/** Whether the RT_CPU_SIGRETURN_BYTES at code end a signal handler. Runs: hook.
 */
bool rt_cpu_is_sigreturn(const uint8_t *code);
/** May a call end at the end of the RT_CPU_CALL_BYTES at code? Runs: hook. */
bool rt_cpu_is_call(const uint8_t *code);

/** Call function(argument) on the stack that ends at top, aligned as the ABI
 * requires. The frame pointer leads back, for the unwinder and for debuggers.
 * Runs: handler-safe. */
void rt_cpu_call_on_stack(void *top, void (*function)(void *), void *argument);

/** Start a thread without libc: it calls function(argument) on the stack that
 * ends at top, aligned as the ABI requires, and ends. It shares the caller's
 * thread pointer, so it must not use thread-local variables. Returns its id or
 * a negative errno. Runs: hook.
 *
 * flags  as in clone().
 * tid    as for CLONE_CHILD_CLEARTID and CLONE_PARENT_SETTID. */
long rt_cpu_start_thread(long flags, void *top, uint32_t *tid,
                         void (*function)(void *), void *argument);
enum { RT_CPU_PROLOGUE_BYTES = 48 };
/** The distance of the frame pointer above the stack pointer in the body of a
 * function, if its first instructions make a frame as compilers do; -1
 * otherwise. Runs: hook.
 *
 * code  RT_CPU_PROLOGUE_BYTES. */
int64_t rt_cpu_frame_bytes(const uint8_t *code);

#endif
