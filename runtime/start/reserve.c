/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reserves words of an executable's static thread-local storage for libraries
   that are loaded later. */
#include "counting/reserve.h"
#include "cpu/cpu.h"
#include "start/start.h"

static __thread intptr_t words[RT_N_RESERVED];
static uint64_t taken; /* a bit for each word */

_Static_assert(RT_N_RESERVED == 64, "as many as bits");

const uint8_t rt_reserve_is_here;

static intptr_t distance_of(unsigned i) {
  return (intptr_t)((uintptr_t)&words[i] - rt_cpu_own_pointer());
}

intptr_t rt_reserve_alloc(void) {
  uint64_t seen = rt_load(&taken);

  for (unsigned i = 0; i < RT_N_RESERVED; i++)
    while (!(seen >> i & 1))
      if (rt_cas(&taken, &seen, seen | UINT64_C(1) << i))
        return distance_of(i);
  return 0;
}

void rt_reserve_free(intptr_t distance) {
  for (unsigned i = 0; i < RT_N_RESERVED; i++)
    if (distance_of(i) == distance)
      __atomic_fetch_and(&taken, ~(UINT64_C(1) << i), __ATOMIC_ACQ_REL);
}
