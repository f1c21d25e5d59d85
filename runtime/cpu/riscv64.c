/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements the port to 64-bit RISC-V; see cpu.h. */
#include "cpu/cpu.h"

RT_CPU_FUNCTION("rt_cpu_call_on_stack",
                "addi sp, sp, -16\n.cfi_def_cfa_offset 16\n"
                "sd ra, 8(sp)\nsd s0, 0(sp)\n"
                ".cfi_offset ra, -8\n.cfi_offset s0, -16\n"
                "addi s0, sp, 16\n.cfi_def_cfa s0, 0\n"
                "mv sp, a0\nmv a0, a2\njalr a1\n"
                "addi sp, s0, -16\n.cfi_def_cfa sp, 16\n"
                "ld ra, 8(sp)\nld s0, 0(sp)\naddi sp, sp, 16\n"
                ".cfi_def_cfa_offset 0\nret\n");

/* clone() takes the thread pointer before the place of the id. */
RT_CPU_FUNCTION("rt_cpu_start_thread",
                "mv t1, a3\nmv t2, a4\nmv a4, a2\nli a3, 0\n"
                "li a7, 220\necall\nbeqz a0, 1f\nret\n"
                "1:\n.cfi_undefined ra\nli s0, 0\nmv a0, t2\njalr t1\n"
                "li a0, 0\nli a7, 93\necall\nebreak\n");

/* addi s0, sp, n; or in two bytes, c.addi4spn s0, n. */
int64_t rt_cpu_frame_bytes(const uint8_t *code) {
  for (int i = 0; i + 4 <= RT_CPU_PROLOGUE_BYTES;) {
    const uint32_t half = (uint32_t)code[i] | (uint32_t)code[i + 1] << 8;
    const uint32_t word =
        half | (uint32_t)code[i + 2] << 16 | (uint32_t)code[i + 3] << 24;
    if ((word & 0xfffff) == 0x10413)
      return (int64_t)((int32_t)word >> 20);
    if ((half & 0xe01f) == 0 && half)
      return (half >> 11 & 3) << 4 | (half >> 7 & 15) << 6 |
             (half >> 6 & 1) << 2 | (half >> 5 & 1) << 3;
    i += (half & 3) == 3 ? 4 : 2;
  }
  return -1;
}

/* li a7, 139; ecall */
bool rt_cpu_is_sigreturn(const uint8_t *code) {
  static const uint8_t known[RT_CPU_SIGRETURN_BYTES] = {0x93, 0x08, 0xb0, 0x08,
                                                        0x73, 0,    0,    0};

  for (int i = 0; i < RT_CPU_SIGRETURN_BYTES; i++)
    if (code[i] != known[i])
      return false;
  return true;
}

/* jal or jalr to ra, or c.jalr */
bool rt_cpu_is_call(const uint8_t *code) {
  return ((code[0] == 0xef || code[0] == 0xe7) && !(code[1] & 0x0f)) ||
         ((code[3] & 0xf0) == 0x90 && (code[2] & 0x7f) == 2);
}
