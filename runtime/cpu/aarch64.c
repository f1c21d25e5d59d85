/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements the port to AArch64; see cpu.h. Not an assembler file: the
   compiler adds the note that the code supports branch target
   identification. */
#include "cpu/cpu.h"

RT_CPU_FUNCTION(
    "rt_cpu_call_on_stack",
    "stp x29, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n"
    ".cfi_offset x29, -16\n.cfi_offset x30, -8\n"
    "mov x29, sp\n.cfi_def_cfa_register x29\n"
    "mov sp, x0\nmov x0, x2\nblr x1\n"
    "mov sp, x29\nldp x29, x30, [sp], #16\n"
    ".cfi_def_cfa sp, 0\n.cfi_restore x29\n.cfi_restore x30\nret\n");

/* clone() takes the thread pointer before the place of the id. */
RT_CPU_FUNCTION("rt_cpu_start_thread",
                "mov x9, x3\nmov x10, x4\nmov x4, x2\nmov x3, #0\n"
                "mov x8, #220\nsvc #0\ncbz x0, 1f\nret\n"
                "1:\n.cfi_undefined x30\nmov x29, #0\nmov x0, x10\nblr x9\n"
                "mov x0, #0\nmov x8, #93\nsvc #0\nbrk #0\n");

enum { IMMEDIATE = 0xfff, SHIFT = 10 };

/* add x29, sp, #n, and what sub sp, sp, #n takes after that. */
int64_t rt_cpu_frame_bytes(const uint8_t *code) {
  int64_t bytes = -1;

  for (int i = 0; i < RT_CPU_PROLOGUE_BYTES; i += 4) {
    const uint32_t word = (uint32_t)code[i] | (uint32_t)code[i + 1] << 8 |
                          (uint32_t)code[i + 2] << 16 |
                          (uint32_t)code[i + 3] << 24;
    const int64_t n = word >> SHIFT & IMMEDIATE;
    if (bytes < 0 && (word & 0xffc003ff) == 0x910003fd)
      bytes = n;
    else if (bytes >= 0 && (word & 0xff8003ff) == 0xd10003ff)
      bytes += word >> 22 & 1 ? n << 12 : n;
  }
  return bytes;
}

/* mov x8, #139; svc 0 */
bool rt_cpu_is_sigreturn(const uint8_t *code) {
  static const uint8_t known[RT_CPU_SIGRETURN_BYTES] = {0x68, 0x11, 0x80, 0xd2,
                                                        0x01, 0,    0,    0xd4};

  for (int i = 0; i < RT_CPU_SIGRETURN_BYTES; i++)
    if (code[i] != known[i])
      return false;
  return true;
}

/* bl; blr, also with a signature */
bool rt_cpu_is_call(const uint8_t *code) {
  return (code[3] & 0xfc) == 0x94 ||
         ((code[3] & 0xfe) == 0xd6 && (code[2] & 0xe0) == 0x20);
}
