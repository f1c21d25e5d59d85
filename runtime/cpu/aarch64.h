/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** AArch64, see cpu.h. */
#ifndef ARCLINE_RT_AARCH64_H
#define ARCLINE_RT_AARCH64_H

#include <ucontext.h>

#define RT_CPU_ACTION_HAS_RESTORER 1
#define RT_CPU_ACTION_NEEDS_RESTORER 0
#define RT_CPU_HAS_SEGMENT 0

enum { RT_CPU_SYSCALL_BYTES = 4 };

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

/* Thread-local storage begins 16 bytes behind the thread pointer. */
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

#endif
