/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** x86-64, see cpu.h. */
#ifndef ARCLINE_RT_X86_64_H
#define ARCLINE_RT_X86_64_H

#include <sys/syscall.h>
#include <ucontext.h>

#define RT_CPU_ACTION_HAS_RESTORER 1
#define RT_CPU_ACTION_NEEDS_RESTORER 1
#define RT_CPU_HAS_SEGMENT 1 /* GS */

enum { RT_CPU_SYSCALL_BYTES = 2 };

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

/* Thread-local storage ends where the thread pointer points, at itself. */
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

#endif
