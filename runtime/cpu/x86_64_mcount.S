/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Defines mcount and __fentry__, see hooks/mcount.c. Registers that they change
   are saved; a call that the thread has made before needs no more than three. */
#include <cet.h>
#include "x86_64_arcs.inc"

/* Adds 1 to the slot at rdx + \slot if it is the arc's; else jumps to \other.
   rcx: from; rax: self. */
.macro count_if_same slot other
        cmpq    %rcx, \slot(%rdx)
        jne     \other
        cmpq    %rax, \slot+8(%rdx)
        jne     \other
        addq    $1, \slot+16(%rdx)
        .cfi_remember_state
        restore %rdx
        restore %rcx
        restore %rax
        ret
        .cfi_restore_state
.endm

/* A function; \from: where the caller's return address is after three pushes.
   After these is the address that is used as the function's own. */
.macro entry name from
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        _CET_ENDBR
        save    %rax
        save    %rcx
        save    %rdx
        movq    \from, %rcx
        thread_table %rdx, count_slowly
        first_slot %rdx, %ecx, 24(%rsp), %rax, %eax
        movq    24(%rsp), %rax
        count_if_same 0, 1f
1:      count_if_same 24, count_slowly
        .cfi_endproc
        .size   \name, . - \name
.endm

        .text
        /* After a prologue: rbp is the function's frame. */
        entry   _mcount, 8(%rbp)
        .globl  mcount
        .hidden mcount
        .type   mcount, @function
        .set    mcount, _mcount
        /* Before the prologue: the caller's return address comes next. */
        entry   __fentry__, 32(%rsp)

        .type   count_slowly, @function
        .p2align 4
count_slowly:
        .cfi_startproc
        .cfi_def_cfa_offset 32
        save    %rsi
        save    %rdi
        save    %r8
        save    %r9
        save    %r10
        save    %r11
        save    %rbp
        .cfi_rel_offset %rbp, 0
        movq    %rcx, %rdi
        movq    80(%rsp), %rsi
        /* The stack's alignment may be any. */
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        andq    $-16, %rsp
        call    rt_mcount_slowly
        movq    %rbp, %rsp
        .cfi_def_cfa_register %rsp
        restore %rbp
        .cfi_restore %rbp
        restore %r11
        restore %r10
        restore %r9
        restore %r8
        restore %rdi
        restore %rsi
        restore %rdx
        restore %rcx
        restore %rax
        ret
        .cfi_endproc
        .size   count_slowly, . - count_slowly

        .section .note.GNU-stack, "", @progbits
