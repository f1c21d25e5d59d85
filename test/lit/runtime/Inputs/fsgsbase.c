/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Simulates a kernel that lets programs set the base of GS themselves, for
   emulators that have the instruction and do not report it; or, with
   FSGSBASE_OFF, one that does not. It replaces the function that reads the
   auxiliary vector. */
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

enum { MAX_ENTRIES = 64, HWCAP2_FSGSBASE = 1 << 1 };

unsigned long __wrap___arcline_rt_auxv(unsigned long type);

unsigned long __wrap___arcline_rt_auxv(unsigned long type) {
  static Elf64_auxv_t entries[MAX_ENTRIES];
  unsigned long value = 0;

  if (!entries[0].a_type) {
    const int fd = open("/proc/self/auxv", O_RDONLY);
    if (read(fd, entries, sizeof(entries)) < 0)
      return 0;
    close(fd);
  }
  for (int i = 0; i < MAX_ENTRIES && entries[i].a_type; i++)
    if (entries[i].a_type == type)
      value = entries[i].a_un.a_val;
#ifdef FSGSBASE_OFF
  return type == AT_HWCAP2 ? value & ~HWCAP2_FSGSBASE : value;
#else
  return type == AT_HWCAP2 ? value | HWCAP2_FSGSBASE : value;
#endif
}
