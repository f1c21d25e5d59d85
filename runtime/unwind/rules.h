/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Caches short rules for stepping from a place in the code to its caller: a
 * program has few places compared with samples. Everything runs: hook, unless
 * stated otherwise. */
#ifndef ARCLINE_RT_RULES_H
#define ARCLINE_RT_RULES_H

#include "unwind/cfi.h"

enum { RT_RULE_REGISTERS = 16, RT_RULE_SLOT_BYTES = 8 };

enum rt_rule_kind {
  RT_RULE_FRAME,     /* by the fields below */
  RT_RULE_OUTERMOST, /* there is no caller */
  RT_RULE_HANDLER,   /* a signal handler returns here */
};

/** The rule of nearly all functions: the CFA is a register and a distance, and
 * saved registers are below. */
struct rt_rule {
  int32_t cfa_offset;
  uint8_t cfa_register;
  uint8_t kind;      /* enum rt_rule_kind */
  int16_t link_slot; /* offset of the return address, in words below the CFA; 0:
                        in its register */
  /** The same of the registers in RT_CPU_PRESERVED, in their order; 0: it was
   * not changed. */
  uint8_t slots[RT_RULE_REGISTERS];
};

/** Returns false if the row does not fit into a rule. */
bool rt_rule_make(const struct rt_cfi_row *row, uint64_t link,
                  struct rt_rule *out);

/** Step to the caller: *registers become its registers. Returns false if memory
 * or registers are missing. RT_RULE_FRAME only. */
bool rt_rule_apply(const struct rt_rule *rule, struct rt_safe_reader *stack,
                   struct rt_registers *registers);

size_t rt_rules_bytes(void); /* as rt_unwind_bytes() */
void rt_rules_init(void);    /* startup */
void rt_rules_release(void); /* exit */
/** generation: of the code of the rule, see unwind/code_map.h. */
bool rt_rules_find(uint64_t pc, uint32_t generation, struct rt_rule *out);
void rt_rules_keep(uint64_t pc, uint32_t generation,
                   const struct rt_rule *rule);

#endif
