/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "segment.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>

#include "sampler.h"

/* Source: the kernel's arch/x86/include/uapi/asm: prctl.h, hwcap2.h. */
enum { ARCH_SET_GS = 0x1001, HWCAP2_FSGSBASE = 1 << 1 };
enum { CPUID_FEATURES = 7, CPUID_FSGSBASE = 1 << 0 };
enum { WAIT_NS = 1000000, MAX_WAITS = 1000 };

static uint64_t n_libraries;

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

bool rt_segment_can_be(intptr_t bias) { return bias >= 0 || has_instruction(); }

bool rt_segment_set(intptr_t bias) {
  return set(rt_load(&n_libraries) ? 0 : bias) && !rt_load(&n_libraries);
}

static void clear_own(void) {
  struct rt_thread *thread = rt_thread_known();

  if (thread && rt_load(&thread->has_segment) && set(0))
    rt_store(&thread->has_segment, false);
}

bool rt_segment_handle(const siginfo_t *info) {
  if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &n_libraries)
    return false;
  clear_own();
  return true;
}

/* Waits until the thread has followed suit, if it lets the signal through. */
static void tell(const struct rt_thread *thread) {
  const struct timespec pause = {.tv_nsec = WAIT_NS};
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  siginfo_t info = {.si_code = SI_QUEUE, .si_pid = (pid_t)pid};

  info.si_value.sival_ptr = &n_libraries;
  if (rt_sys(SYS_rt_tgsigqueueinfo, pid, (long)rt_thread_tid(thread), SIGPROF,
             (long)&info, 0))
    return;
  for (int i = 0; i < MAX_WAITS && rt_load(&thread->has_segment); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
}

void rt_segment_give_up(const struct rt_object *library) {
  __atomic_fetch_add(&n_libraries, 1, __ATOMIC_SEQ_CST);
  rt_message(library->path,
             ": compiled for an executable and linked into a library: threads "
             "may lose counts; compile it with -fPIC",
             NULL);
  clear_own();
  for (const struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    if (rt_load(&it->has_segment) && rt_load(&it->owner) &&
        rt_sampler_has_handler())
      tell(it);
}

uint64_t rt_segment_n_libraries(void) { return rt_load(&n_libraries); }
#else
bool rt_segment_can_be(intptr_t bias) {
  (void)bias;
  return false;
}

bool rt_segment_set(intptr_t bias) {
  (void)bias;
  return false;
}

void rt_segment_give_up(const struct rt_object *library) { (void)library; }

bool rt_segment_handle(const siginfo_t *info) {
  (void)info;
  return false;
}

uint64_t rt_segment_n_libraries(void) { return 0; }
#endif
