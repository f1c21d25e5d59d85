/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Provides thread-local storage to code that runs before libc has set it up. In
   a static executable, libc calls the resolvers of ifuncs first and sets up
   thread-local storage afterwards. A resolver that the pass has seen begins
   with a call of __arcline_resolver(), so that each instrumented function that
   it calls finds __arcline_bias, which is 0. libc sets the thread pointer again
   without regard to this.

   Nothing here may use libc, errno, or data that needs relocation. */
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "cpu/cpu.h"
#include "life/process.h"

void __arcline_resolver(void);

extern const ElfW(Ehdr) __ehdr_start
    __attribute__((weak, visibility("hidden")));

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
  if (rt_cpu_thread_pointer() || !&__ehdr_start)
    return;
  const size_t bytes = tls_bytes();
  const long memory = rt_cpu_syscall(
      SYS_mmap, 0, (long)(bytes + RT_CPU_TCB_BYTES), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory > 0 || memory < -4095)
    rt_cpu_set_thread_pointer((char *)memory, bytes);
}
