/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* AArch64, see cpu.h. Not an assembler file: the compiler adds the note that
   the code is fit for branch target identification. */
#include "cpu/cpu.h"

RT_CPU_FUNCTION(
    "rt_cpu_call_on_stack",
    "stp x29, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n"
    ".cfi_offset x29, -16\n.cfi_offset x30, -8\n"
    "mov x29, sp\n.cfi_def_cfa_register x29\n"
    "mov sp, x0\nmov x0, x2\nblr x1\n"
    "mov sp, x29\nldp x29, x30, [sp], #16\n"
    ".cfi_def_cfa sp, 0\n.cfi_restore x29\n.cfi_restore x30\nret\n");
