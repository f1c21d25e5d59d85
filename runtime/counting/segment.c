/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counting/segment.h"
#include "cpu/cpu.h"
#include "os/os.h"

static uint64_t n_libraries;

bool rt_segment_can_be(intptr_t bias) {
  return bias >= 0 || rt_cpu_has_segment_instruction();
}

bool rt_segment_set(intptr_t bias) {
  return rt_cpu_set_segment(rt_load(&n_libraries) ? 0 : bias, rt_sys) &&
         (bias == 0 || !rt_load(&n_libraries));
}

void rt_segment_give_up(void) {
  __atomic_fetch_add(&n_libraries, 1, __ATOMIC_SEQ_CST);
}

uint64_t rt_segment_n_libraries(void) { return rt_load(&n_libraries); }
