// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls and jumps on AArch64.
        .macro  function name
        .globl  \name
        .type   \name, %function
        .p2align 4
\name:
        .endm

        .text
function _start
        bl      work                    // counted
        bl      back
        ret
function back
        ret
function work
        bl      back
        bl      work                    // recursion
1:      subs    x0, x0, #1
        b.ne    1b
        bl      middle + 4              // to no beginning
        b       tail
function middle
        nop
        ret
function tail
        ret
function loop
        b       loop                    // no call
function victim
        ret
