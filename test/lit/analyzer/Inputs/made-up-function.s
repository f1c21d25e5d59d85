# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two functions of the source and, between them, one that the compiler made up: it has
# lines, but the unit does not name it.
        .file   1 "source.c"
        .text
        .globl  _start, made_up, second
        .type   _start, @function
        .type   made_up, @function
        .type   second, @function
        .loc    1 3
_start: nop
        ret
.Lstart_end:
        .loc    1 7
made_up:
        nop
        ret
        .loc    1 10
second: nop
        ret
.Lend:
        .size   _start, 2
        .size   made_up, 2
        .size   second, 2

        .section .debug_info,"",@progbits
        .long   .Linfo_end - .Linfo
.Linfo: .value  4
        .long   .Labbrev
        .byte   8
        .uleb128 1
        .value  0xc                     # C99
        .string "source.c"
        .string "/src"
        .quad   0
        .long   .Lranges
        .long   .Lline
.Linfo_end:
        .section .debug_abbrev,"",@progbits
.Labbrev:
        .uleb128 1
        .uleb128 0x11                   # compile unit, without children
        .byte   0
        .byte   0x13, 0x05              # language
        .byte   0x03, 0x08              # name
        .byte   0x1b, 0x08              # compilation folder
        .byte   0x11, 0x01              # low pc
        .byte   0x55, 0x17              # ranges
        .byte   0x10, 0x17              # lines
        .byte   0, 0, 0
        .section .debug_ranges,"",@progbits
.Lranges:
        .quad   _start, .Lstart_end, second, .Lend, 0, 0
        .section .debug_line,"",@progbits
.Lline:
