# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Calls and what looks like calls, for x86-64 and i386.
        .text
        .macro  function name
        .globl  \name
        .type   \name, @function
        .p2align 4
\name:
        .endm

function _start
        call    work                    # counted
        call    helper
        ret

function work
        jz      tail_of_condition       # jumps out are calls
        call    back
        call    work                    # recursion
1:      dec     %ecx
        jnz     1b
        jz      work                    # a loop
        call    middle + 1              # to no beginning
        jmp     tail

function middle
        nop
        ret

# Called by nobody but those below it, which are called by it: a cycle that no
# run has seen.
function first
        call    second
        ret
function second
        call    third
        ret
function third
        call    first
        ret

# 0xe8 in operands, with distances that lead to `victim` if one reads them so.
function immediates
        nop
        .byte   0xb8, 0xe8              # mov $..., %eax; add %al, %al
        .long   victim - . - 4
        .byte   0xc0
        mov     $0xe8, %al
        ret
        .p2align 4
# A table behind the code.
        .byte   0xff, 0xff
        .long   1b - ., 1b - .
function back
        ret
function helper
        call    label                   # labels are called, too
        jmp     label
label:  ret
function tail
        ret
function tail_of_condition
        ret
function victim
        ret
