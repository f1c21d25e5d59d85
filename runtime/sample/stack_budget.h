/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Selects samples whose call stack is recorded, so that all walks together
 * take a small part of the program's CPU time. */
#ifndef ARCLINE_RT_STACK_BUDGET_H
#define ARCLINE_RT_STACK_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/** A process begins.
 *
 * period_ns  CPU time of a sample; 0: each sample gets a stack, at any cost.
 * random     any number.
 *
 * Runs: startup, in fork()'s child. */
void rt_stack_budget_begin(uint64_t period_ns, uint64_t random);
/** Add samples that were taken. Returns the number of samples that a stack of
 * this moment represents; 0: none is recorded. *is_near: one of the next
 * samples may get a stack. Runs: hook. */
uint64_t rt_stack_budget_add(uint64_t n_samples, bool *is_near);
/** A walk begins and ends, on the calling thread. Runs: hook. */
uint64_t rt_stack_budget_begin_walk(void);
void rt_stack_budget_end_walk(uint64_t start);

#endif
