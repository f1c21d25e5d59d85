// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions without types and sizes, several names for one address, and one that
// begins at an odd address.
  .text
  .globl assembly_untyped
assembly_untyped:
assembly_alias:
_assembly_alias:
  call assembly_local
assembly_label:
  nop
  ret
assembly_local:
.Lhidden:
  mov $1, %eax
  ret
  nop
  .globl assembly_odd
  .type assembly_odd, @function
assembly_odd:
  nop
  nop
  mov $2, %eax
  ret
  .globl __assembly_odd
__assembly_odd = assembly_odd
assembly_absolute = 64

  .section .cold_code, "ax", @progbits
assembly_far:
  ret
  .section .note.GNU-stack, "", @progbits
