/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Thread-local storage for code that runs before there is any. In a static
   executable, libc calls the resolvers of ifuncs first and sets up thread-local
   storage afterwards. A resolver that the pass has seen begins with a call of
   __arcline_resolver(), so that whatever instrumented function it calls finds
   __arcline_bias, which is 0. libc takes no notice and sets the thread pointer
   anew.

   Nothing here may use libc, errno, or data that needs relocation. */
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "life/process.h"

void __arcline_resolver(void);

extern const ElfW(Ehdr) __ehdr_start
    __attribute__((weak, visibility("hidden")));

enum { TCB_BYTES = 4096 }; /* more than any libc keeps at the thread pointer */

#if defined(__x86_64__)
enum { ARCH_SET_FS = 0x1002, ARCH_GET_FS = 0x1003 };

static long raw_syscall(long number, long a, long b, long c, long d, long e,
                        long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;

  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return number;
}

static uintptr_t thread_pointer(void) {
  uintptr_t pointer = 0;

  raw_syscall(SYS_arch_prctl, ARCH_GET_FS, (long)&pointer, 0, 0, 0, 0);
  return pointer;
}

/* Thread-local storage ends where the thread pointer points, at itself. */
static void set_thread_pointer(char *memory, size_t tls_bytes) {
  char *const pointer = memory + tls_bytes;

  *(char **)pointer = pointer;
  raw_syscall(SYS_arch_prctl, ARCH_SET_FS, (long)pointer, 0, 0, 0, 0);
}
#elif defined(__aarch64__)
static long raw_syscall(long number, long a, long b, long c, long d, long e,
                        long f) {
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

static uintptr_t thread_pointer(void) {
  uintptr_t pointer;

  __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
}

/* Thread-local storage begins 16 bytes behind the thread pointer. */
static void set_thread_pointer(char *memory, size_t tls_bytes) {
  (void)tls_bytes;
  __asm__ volatile("msr tpidr_el0, %0" : : "r"(memory));
}
#elif defined(__riscv)
static long raw_syscall(long number, long a, long b, long c, long d, long e,
                        long f) {
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

static uintptr_t thread_pointer(void) {
  uintptr_t pointer;

  __asm__("mv %0, tp" : "=r"(pointer));
  return pointer;
}

/* Thread-local storage begins where the thread pointer points; what libc keeps
   lies below. */
static void set_thread_pointer(char *memory, size_t tls_bytes) {
  (void)tls_bytes;
  __asm__ volatile("mv tp, %0" : : "r"(memory + TCB_BYTES));
}
#endif

/* Size of thread-local storage, rounded up to whole pages. */
static size_t tls_bytes(void) {
  const char *const image = (const char *)&__ehdr_start;
  const ElfW(Phdr) *phdr = (const void *)(image + __ehdr_start.e_phoff);

  for (unsigned i = 0; i < __ehdr_start.e_phnum; i++)
    if (phdr[i].p_type == PT_TLS)
      return (phdr[i].p_memsz + phdr[i].p_align + 4095) & ~(size_t)4095;
  return 0;
}

void __arcline_resolver(void) {
  if (thread_pointer() || !&__ehdr_start)
    return;
  const size_t bytes = tls_bytes();
  const long memory =
      raw_syscall(SYS_mmap, 0, (long)(bytes + TCB_BYTES),
                  PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory > 0 || memory < -4095)
    set_thread_pointer((char *)memory, bytes);
}
