/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Supplies the port to 64-bit RISC-V; see cpu.h. */
#ifndef ARCLINE_RT_RISCV64_H
#define ARCLINE_RT_RISCV64_H

#include <ucontext.h>

#define RT_CPU_ACTION_HAS_RESTORER 0
#define RT_CPU_ACTION_NEEDS_RESTORER 0
#define RT_CPU_HAS_SEGMENT 0
#define RT_CPU_HOOKS_ARE_ASSEMBLY 0

enum {
  RT_CPU_SYSCALL_BYTES = 4,
  RT_CPU_N_REGISTERS = 32,
  RT_CPU_SP = 2,
  RT_CPU_FP = 8,
  RT_CPU_PRESERVED = 3 << 8 | 0x3ff << 18, /* s0 to s11 */
  RT_CPU_HAS_LINK = 1,
  RT_CPU_LINK = 1,
  RT_CPU_CHAIN_FP = -16,
  RT_CPU_CHAIN_RA = -8,
  RT_CPU_CHAIN_CFA = 0,
  RT_CPU_SIGRETURN_BYTES = 8,
  RT_CPU_SIGRETURN_FIRST_BYTES = 4,
  RT_CPU_SIGRETURN_CONTEXT = 128, /* after the siginfo_t */
  RT_CPU_CONTEXT_BYTES = 176 + 8 * 32,
  RT_CPU_CALL_BYTES = 4,
};

/* LLVM has no preserve_most here. */
#define RT_CPU_ENTRY(symbol, function)                                         \
  RT_CPU_FUNCTION(symbol, "tail " #function "\n")
#define RT_CPU_ENTRY_RESULT RT_CPU_ENTRY

/* Few toolchains have descriptors here: of libraries that are loaded late there
   can be as many as there is static storage. */
#define RT_CPU_TLS_OFFSET(symbol, variable)                                    \
  RT_CPU_FUNCTION(symbol, "la.tls.ie a0, " variable "\nret\n")

static inline long rt_cpu_syscall(long number, long a, long b, long c, long d,
                                  long e, long f) {
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a5 __asm__("a5") = f;

  __asm__ volatile("ecall"
                   : "+r"(a0)
                   : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
                   : "memory");
  return a0;
}

static inline uintptr_t rt_cpu_thread_pointer(void) {
  uintptr_t pointer;

  __asm__("mv %0, tp" : "=r"(pointer));
  return pointer;
}

static inline uintptr_t rt_cpu_own_pointer(void) {
  return rt_cpu_thread_pointer();
}

/* Thread-local storage begins at the thread pointer; data of libc is below
   it. */
static inline void rt_cpu_set_thread_pointer(char *memory, size_t tls_bytes) {
  (void)tls_bytes;
  __asm__ volatile("mv tp, %0" : : "r"(memory + RT_CPU_TCB_BYTES));
}

static inline uint64_t rt_cpu_context_pc(const void *context) {
  enum { PC = 0 }; // REG_PC, which musl shows to _GNU_SOURCE only
  const ucontext_t *user = context;

  return user->uc_mcontext.__gregs[PC];
}

static inline bool rt_cpu_is_syscall(const uint8_t *code) {
  return code[0] == 0x73 && !code[1] && !code[2] && !code[3];
}

/* The place of register 0, which is always 0, has the program counter. */
static inline uint64_t rt_cpu_context_registers(const void *context,
                                                uint64_t *registers) {
  const ucontext_t *user = context;

  for (int i = 0; i < RT_CPU_N_REGISTERS; i++)
    registers[i] = user->uc_mcontext.__gregs[i];
  registers[0] = 0;
  return rt_cpu_context_pc(context);
}

static inline uint64_t rt_cpu_unsigned(uint64_t pc) { return pc; }

static inline __attribute__((always_inline)) uintptr_t
rt_cpu_mcount_caller(const void *argument) {
  return (uintptr_t)argument;
}

/* Source: the processor's supplement to the gABI, "Relocation Types". */
enum {
  RT_CPU_RELOC_POINTER = 2,
  RT_CPU_RELOC_JUMP = 5,
  RT_CPU_RELOC_RESOLVED = 58,
};

#endif
