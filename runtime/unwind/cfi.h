/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads call frame information: the rules for a caller's registers, given
 * those of a function. Tables are not trusted. Everything runs: hook. Source:
 * DWARF 5, 6.4; LSB Core, "Exception Frames". */
#ifndef ARCLINE_RT_CFI_H
#define ARCLINE_RT_CFI_H

#include "unwind/cursor.h"
#include "unwind/registers.h"

enum { RT_CFI_REMEMBERED = 8 };

/** How a register of the caller is found. CFA: canonical frame address, the
 * stack pointer before the call. */
enum rt_cfi_kind {
  RT_CFI_SAME, /* it was not changed */
  RT_CFI_UNDEFINED,
  RT_CFI_OFFSET,         /* it is saved at CFA + value */
  RT_CFI_VAL_OFFSET,     /* it is CFA + value */
  RT_CFI_REGISTER,       /* it is in register number value */
  RT_CFI_EXPRESSION,     /* it is saved at the address of an expression */
  RT_CFI_VAL_EXPRESSION, /* it is the value of an expression */
};

struct rt_cfi_rule {
  uint32_t kind;    /* enum rt_cfi_kind */
  uint32_t n_bytes; /* of an expression */
  int64_t value;    /* of an expression, the address of its code */
};

/** The rules at one program counter. */
struct rt_cfi_row {
  struct rt_cfi_rule cfa; /* RT_CFI_REGISTER, RT_CFI_VAL_EXPRESSION */
  int64_t cfa_offset;     /* added to the register */
  struct rt_cfi_rule registers[RT_CPU_N_REGISTERS];
};

/** A function's description, the FDE, with its shared part, the CIE. */
struct rt_cfi {
  uint64_t start, end;           /* program counters */
  uint64_t code, code_end;       /* addresses of instructions, */
  uint64_t initial, initial_end; /* and of those that come before */
  uint64_t code_alignment;
  int64_t data_alignment;
  uint64_t link; /* the column of the return address */
  uint8_t encoding;
  bool is_signal; /* it is the code that handlers return to */
};

/** Rows to work with. */
struct rt_cfi_room {
  struct rt_cfi_row row, initial, remembered[RT_CFI_REMEMBERED];
};

/** Read the description (FDE) at an address. Returns whether it is one. */
bool rt_cfi_read(struct rt_safe_reader *tables, uint64_t fde,
                 struct rt_cfi *out);
/** Find the row for a program counter in the range of the description; it is
   room->row. Returns false if the instructions are invalid or unknown.
 */
bool rt_cfi_find(struct rt_safe_reader *tables, const struct rt_cfi *cfi,
                 uint64_t pc, struct rt_cfi_room *room);

#endif
