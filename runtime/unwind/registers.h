/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Stores the known registers of a frame. */
#ifndef ARCLINE_RT_REGISTERS_H
#define ARCLINE_RT_REGISTERS_H

#include "cpu/cpu.h"

struct rt_registers {
  uint64_t pc;
  uint64_t values[RT_CPU_N_REGISTERS]; /* by their numbers in DWARF */
  uint64_t known;                      /* a bit for each */
};

static inline bool rt_registers_has(const struct rt_registers *registers,
                                    uint64_t number) {
  return number < RT_CPU_N_REGISTERS && registers->known >> number & 1;
}

static inline void rt_registers_set(struct rt_registers *registers,
                                    unsigned number, uint64_t value) {
  registers->values[number] = value;
  registers->known |= (uint64_t)1 << number;
}

#endif
