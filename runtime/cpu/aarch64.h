/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Supplies the port to AArch64; see cpu.h. */
#ifndef ARCLINE_RT_AARCH64_H
#define ARCLINE_RT_AARCH64_H

#include <ucontext.h>

#define RT_CPU_ACTION_HAS_RESTORER 1
#define RT_CPU_ACTION_NEEDS_RESTORER 0
#define RT_CPU_HAS_SEGMENT 0
#define RT_CPU_HOOKS_ARE_ASSEMBLY 0

enum {
  RT_CPU_SYSCALL_BYTES = 4,
  RT_CPU_N_REGISTERS = 32,
  RT_CPU_SP = 31,
  RT_CPU_FP = 29,
  RT_CPU_PRESERVED = 0x7ff << 19, /* x19 to x29 */
  RT_CPU_HAS_LINK = 1,
  RT_CPU_LINK = 30,
  RT_CPU_CHAIN_FP = 0,
  RT_CPU_CHAIN_RA = 8,
  RT_CPU_CHAIN_CFA = 16,
  RT_CPU_SIGRETURN_BYTES = 8,
  RT_CPU_SIGRETURN_FIRST_BYTES = 4,
  RT_CPU_SIGRETURN_CONTEXT = 128, /* after the siginfo_t */
  RT_CPU_CONTEXT_BYTES = 176 + 8 * 34,
  RT_CPU_CALL_BYTES = 4,
};

#define RT_CPU_ENTRY(symbol, function)                                         \
  RT_CPU_FUNCTION(                                                             \
      symbol,                                                                  \
      "hint 34\n" /* bti c: the linker may put an indirect jump between */     \
      "stp x29, x30, [sp, #-80]!\n"                                            \
      ".cfi_def_cfa_offset 80\n.cfi_offset x29, -80\n.cfi_offset x30, -72\n"   \
      "mov x29, sp\n"                                                          \
      "stp x9, x10, [sp, #16]\nstp x11, x12, [sp, #32]\n"                      \
      "stp x13, x14, [sp, #48]\nstr x15, [sp, #64]\n"                          \
      "bl " #function "\n"                                                     \
      "ldp x9, x10, [sp, #16]\nldp x11, x12, [sp, #32]\n"                      \
      "ldp x13, x14, [sp, #48]\nldr x15, [sp, #64]\n"                          \
      "ldp x29, x30, [sp], #80\n"                                              \
      ".cfi_def_cfa_offset 0\n.cfi_restore x29\n.cfi_restore x30\nret\n")
#define RT_CPU_ENTRY_RESULT RT_CPU_ENTRY

/* A TLS descriptor is a function and its argument. That of static storage
   returns the argument; that of dynamic storage has a pointer there. All
   preserve all registers but x0, x1 and x30. */
#define RT_CPU_TLS_OFFSET(symbol, variable)                                    \
  RT_CPU_FUNCTION(symbol,                                                      \
                  "stp x29, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n"        \
                  ".cfi_offset x29, -16\n.cfi_offset x30, -8\n"                \
                  "adrp x0, :tlsdesc:" variable "\n"                           \
                  "ldr x1, [x0, #:tlsdesc_lo12:" variable "]\n"                \
                  "add x0, x0, #:tlsdesc_lo12:" variable "\nmov x2, x0\n"      \
                  ".tlsdesccall " variable "\nblr x1\n"                        \
                  "ldr x2, [x2, #8]\ncmp x0, x2\ncsel x0, x0, xzr, eq\n"       \
                  "ldp x29, x30, [sp], #16\n.cfi_def_cfa_offset 0\n"           \
                  ".cfi_restore x29\n.cfi_restore x30\nret\n")

static inline long rt_cpu_syscall(long number, long a, long b, long c, long d,
                                  long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;

  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

static inline uintptr_t rt_cpu_thread_pointer(void) {
  uintptr_t pointer;

  __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
}

static inline uintptr_t rt_cpu_own_pointer(void) {
  return rt_cpu_thread_pointer();
}

/* Thread-local storage begins 16 bytes after the thread pointer. */
static inline void rt_cpu_set_thread_pointer(char *memory, size_t tls_bytes) {
  (void)tls_bytes;
  __asm__ volatile("msr tpidr_el0, %0" : : "r"(memory));
}

static inline uint64_t rt_cpu_context_pc(const void *context) {
  return ((const ucontext_t *)context)->uc_mcontext.pc;
}

static inline bool rt_cpu_is_syscall(const uint8_t *code) {
  const uint32_t instruction = code[0] | (uint32_t)code[1] << 8 |
                               (uint32_t)code[2] << 16 |
                               (uint32_t)code[3] << 24;

  return (instruction & 0xffe0001f) == 0xd4000001;
}

static inline uint64_t rt_cpu_context_registers(const void *context,
                                                uint64_t *registers) {
  const ucontext_t *user = context;

  for (int i = 0; i < RT_CPU_SP; i++)
    registers[i] = user->uc_mcontext.regs[i];
  registers[RT_CPU_SP] = user->uc_mcontext.sp;
  return user->uc_mcontext.pc;
}

static inline uint64_t rt_cpu_unsigned(uint64_t pc) {
  register uint64_t x30 __asm__("x30") = pc;

  __asm__("hint 7" : "+r"(x30)); // xpaclri
  return x30;
}

/* gcc and clang 22 pass the return address, clang 16 and 19 nothing; but with
   -pg all keep a frame, whose first words are the caller's frame and that
   address, which the caller may have signed. */
static inline __attribute__((always_inline)) uintptr_t
rt_cpu_mcount_caller(const void *argument) {
  const uintptr_t *const mine = __builtin_frame_address(0);
  const uintptr_t *const callers = (const uintptr_t *)*mine;
  register uintptr_t x30 __asm__("x30") = callers[1];

  (void)argument;
  __asm__("hint 7" : "+r"(x30)); // xpaclri
  return x30;
}

/* Source: the processor's supplement to the gABI, "Relocation Types". */
enum {
  RT_CPU_RELOC_POINTER = 1025,
  RT_CPU_RELOC_JUMP = 1026,
  RT_CPU_RELOC_RESOLVED = 1032,
};

#endif
