/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Supplies the port to x86-64; see cpu.h. */
#ifndef ARCLINE_RT_X86_64_H
#define ARCLINE_RT_X86_64_H

#include <sys/syscall.h>
#include <ucontext.h>

#define RT_CPU_ACTION_HAS_RESTORER 1
#define RT_CPU_ACTION_NEEDS_RESTORER 1
#define RT_CPU_HAS_SEGMENT 1        /* GS */
#define RT_CPU_HOOKS_ARE_ASSEMBLY 1 /* x86_64_mcount.S, _indirect.S */

enum {
  RT_CPU_SYSCALL_BYTES = 2,
  RT_CPU_STATE_BYTES = 16384, /* more than XSAVE writes on any machine */
  RT_CPU_N_REGISTERS = 17,
  RT_CPU_SP = 7,
  RT_CPU_FP = 6,
  RT_CPU_PRESERVED = 1 << 3 | 1 << 6 | 0xf << 12, /* rbx, rbp, r12 to r15 */
  RT_CPU_HAS_LINK = 0,
  RT_CPU_LINK = 16,
  RT_CPU_CHAIN_FP = 0,
  RT_CPU_CHAIN_RA = 8,
  RT_CPU_CHAIN_CFA = 16,
  RT_CPU_SIGRETURN_BYTES = 9,
  RT_CPU_SIGRETURN_FIRST_BYTES = 7,
  RT_CPU_SIGRETURN_CONTEXT = 0,
  RT_CPU_CONTEXT_BYTES = 17 * 8 + 40, /* to RIP */
  RT_CPU_CALL_BYTES = 7,
};

/* A TLS descriptor is a function and its argument. That of static storage
   returns the argument; that of dynamic storage has a pointer there. All
   preserve all registers but rax. */
#define RT_CPU_TLS_OFFSET(symbol, variable)                                    \
  RT_CPU_FUNCTION(symbol, "push %rdx\n.cfi_adjust_cfa_offset 8\n"              \
                          "lea " variable "@tlsdesc(%rip), %rax\n"             \
                          "mov %rax, %rdx\n"                                   \
                          "call *" variable "@tlscall(%rax)\n"                 \
                          "sub 8(%rdx), %rax\ncmp $1, %rax\n"                  \
                          "sbb %rax, %rax\nand 8(%rdx), %rax\n"                \
                          "pop %rdx\n.cfi_adjust_cfa_offset -8\nret\n")

#define RT_CPU_BUMP(count) __asm__("addq $1, %0" : "+m"(*(count)) : : "cc")

/* A function that calls another one and saves registers; popped are the same,
   in reverse. */
#define RT_CPU_CALLER(symbol, function, pushed, popped)                        \
  RT_CPU_FUNCTION(symbol,                                                      \
                  ".irp register, " pushed "\n"                                \
                  "push %\\register\n.cfi_adjust_cfa_offset 8\n.endr\n"        \
                  "call " function "\n"                                        \
                  ".irp register, " popped "\n"                                \
                  "pop %\\register\n.cfi_adjust_cfa_offset -8\n.endr\n"        \
                  "ret\n")
/* Odd numbers of registers, so that the stack is aligned again. */
#define RT_CPU_ENTRY(symbol, function)                                         \
  RT_CPU_CALLER(symbol, #function,                                             \
                "rcx, rdx, rsi, rdi, r8, r9, r10, rax, rax",                   \
                "rax, rax, r10, r9, r8, rdi, rsi, rdx, rcx")
#define RT_CPU_ENTRY_RESULT(symbol, function)                                  \
  RT_CPU_CALLER(symbol, #function, "rcx, rdx, rsi, rdi, r8, r9, r10",          \
                "r10, r9, r8, rdi, rsi, rdx, rcx")

static inline long rt_cpu_syscall(long number, long a, long b, long c, long d,
                                  long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;

  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return number;
}

/* Source: the kernel's arch/x86/include/uapi/asm/prctl.h. */
enum { RT_ARCH_SET_FS = 0x1002, RT_ARCH_GET_FS = 0x1003 };

static inline uintptr_t rt_cpu_thread_pointer(void) {
  uintptr_t pointer = 0;

  rt_cpu_syscall(SYS_arch_prctl, RT_ARCH_GET_FS, (long)&pointer, 0, 0, 0, 0);
  return pointer;
}

static inline uintptr_t rt_cpu_own_pointer(void) {
  uintptr_t pointer;

  __asm__("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

/* Thread-local storage ends at the thread pointer, which points to itself. */
static inline void rt_cpu_set_thread_pointer(char *memory, size_t tls_bytes) {
  char *const pointer = memory + tls_bytes;

  *(char **)pointer = pointer;
  rt_cpu_syscall(SYS_arch_prctl, RT_ARCH_SET_FS, (long)pointer, 0, 0, 0, 0);
}

static inline uint64_t rt_cpu_context_pc(const void *context) {
  enum { RIP = 16 }; // REG_RIP, which only _GNU_SOURCE shows
  const ucontext_t *user = context;

  return (uint64_t)user->uc_mcontext.gregs[RIP];
}

static inline bool rt_cpu_is_syscall(const uint8_t *code) {
  return code[0] == 0x0f && code[1] == 0x05;
}

/* Source: the processor's supplement to the gABI, "Relocation Types". */
enum {
  RT_CPU_RELOC_POINTER = 6,
  RT_CPU_RELOC_JUMP = 7,
  RT_CPU_RELOC_RESOLVED = 37,
};

/* Source: psABI, "DWARF Register Number Mapping"; the kernel's order is that of
   REG_R8 and so on. */
static inline uint64_t rt_cpu_context_registers(const void *context,
                                                uint64_t *registers) {
  static const uint8_t places[RT_CPU_N_REGISTERS] = {
      13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16};
  const ucontext_t *user = context;

  for (int i = 0; i < RT_CPU_N_REGISTERS; i++)
    registers[i] = (uint64_t)user->uc_mcontext.gregs[places[i]];
  return registers[RT_CPU_LINK];
}

static inline uint64_t rt_cpu_unsigned(uint64_t pc) { return pc; }

#endif
