#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write an assembly file whose debug information is expensive to read.

    hostile-dwarf.py KIND SIZE > FILE.s

KIND  nested   functions inside of each other, without an end
      paired   the same, each with its end
      wide     a long list, many levels below
      cyclic   functions that are specified by themselves
      ranges   functions that share a list of empty ranges
SIZE  of the debug information, about, in bytes
"""

import sys

CODE = """
  .file 1 "x.c"
  .text
  .globl main
main:
  .loc 1 1
  nop
  ret
  .skip 64, 0x90
main_end:
  .section .debug_abbrev,"",@progbits
  .byte 1, 0x11, 1, 0x10, 0x17, 0x1b, 0x08, 0x11, 1, 0x12, 7, 0, 0 # unit
  .byte 2, 0x2e, 1, 0, 0                                # with children
  .byte 3, 0x2e, 0, 0x11, 1, 0x12, 7, 0x47, 0x13, 0, 0  # with specification
  .byte 4, 0x2e, 0, 0x55, 0x17, 0, 0                    # with ranges
  .byte 5, 0x2e, 0, 0, 0                                # with nothing
  .byte 0
  .section .debug_ranges,"",@progbits
  .rept {n_ranges}
  .quad main+1, main+1
  .endr
  .quad 0, 0
  .section .debug_info,"",@progbits
unit:
  .long unit_end - unit_start
unit_start:
  .short 4
  .long .debug_abbrev
  .byte 8
  .byte 1
  .long .debug_line
  .asciz "/"
  .quad main
  .quad main_end - main
  {dies}
  .byte 0
unit_end:
"""


def repeat(count, text):
    return f"\n  .rept {count}\n  {text}\n  .endr"


def main():
    kind, size = sys.argv[1], int(sys.argv[2])
    dies = {
        "nested": repeat(size, ".byte 2"),
        "paired": repeat(size // 2, ".byte 2") + repeat(size // 2, ".byte 0"),
        "wide": repeat(200, ".byte 2") + repeat(size, ".byte 5") + repeat(
            200, ".byte 0"),
        "cyclic": repeat(size // 21, "9: .byte 3\n  .quad main\n  .quad 2\n"
                         "  .long 9b - unit"),
        "ranges": repeat(size // 10, ".byte 4\n  .long 0"),
    }[kind]
    n_ranges = size // 32 if kind == "ranges" else 0
    print(CODE.format(dies=dies, n_ranges=n_ranges))


if __name__ == "__main__":
    main()
