/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Defines __arcline_indirect(site, callee), called by preserve_most: of the
   general registers it may change r11. A call that the thread has made before
   needs one more; the others go to rt_indirect(), in hooks/object.c. */
#include <cet.h>
#include "x86_64_arcs.inc"

        .text
        .globl  __arcline_indirect
        .hidden __arcline_indirect
        .type   __arcline_indirect, @function
        .p2align 4
__arcline_indirect:
        .cfi_startproc
        _CET_ENDBR
        /* The code counts the first two callees itself; a slot that is being
           claimed has self 0. */
        cmpq    $0, 8(%rdi)
        je      rt_indirect_slowly
        testq   %rsi, %rsi
        je      rt_indirect_slowly
        thread_table %r11, rt_indirect_slowly
        save    %rax
        first_slot %r11, %edi, %esi, %rax, %eax
        movl    $8, %eax /* RT_ARC_PROBES */
1:      cmpq    %rdi, (%r11)
        jne     2f
        cmpq    %rsi, 8(%r11)
        je      3f
2:      addq    $24, %r11
        decl    %eax
        jne     1b
        .cfi_remember_state
        restore %rax
        jmp     rt_indirect_slowly
        .cfi_restore_state
3:      addq    $1, 16(%r11)
        restore %rax
        ret
        .cfi_endproc
        .size   __arcline_indirect, . - __arcline_indirect

        .section .note.GNU-stack, "", @progbits
