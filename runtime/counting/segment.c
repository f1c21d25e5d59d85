/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counting/segment.h"
#include "os/os.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

/* Source: the kernel's arch/x86/include/uapi/asm: prctl.h, hwcap2.h. */
enum { ARCH_SET_GS = 0x1001, HWCAP2_FSGSBASE = 1 << 1 };
enum { CPUID_FEATURES = 7, CPUID_FSGSBASE = 1 << 0 };

/* What emulates a processor may pass on what the kernel said of another. */
static bool has_instruction(void) {
  static enum { UNKNOWN, ABSENT, PRESENT } state;
  unsigned a, b, c, d;

  if (rt_load(&state) == UNKNOWN)
    rt_store(&state,
             getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE &&
                     __get_cpuid_count(CPUID_FEATURES, 0, &a, &b, &c, &d) &&
                     b & CPUID_FSGSBASE
                 ? PRESENT
                 : ABSENT);
  return rt_load(&state) == PRESENT;
}

static bool set(intptr_t bias) {
  // A filter of system calls may end a program that makes an unexpected one.
  if (has_instruction()) {
    __asm__ volatile("wrgsbase %0" : : "r"(bias) : "memory");
    return true;
  }
  return rt_sys(SYS_arch_prctl, ARCH_SET_GS, bias, 0, 0, 0) == 0;
}
#else
static bool has_instruction(void) { return false; }

static bool set(intptr_t bias) { return bias == 0; }
#endif

static uint64_t n_libraries;

bool rt_segment_can_be(intptr_t bias) { return bias >= 0 || has_instruction(); }

bool rt_segment_set(intptr_t bias) {
  return set(rt_load(&n_libraries) ? 0 : bias) &&
         (bias == 0 || !rt_load(&n_libraries));
}

void rt_segment_give_up(void) {
  __atomic_fetch_add(&n_libraries, 1, __ATOMIC_SEQ_CST);
}

uint64_t rt_segment_n_libraries(void) { return rt_load(&n_libraries); }
