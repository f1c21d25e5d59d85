/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* RISC-V of 64 bits, see cpu.h. */
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
