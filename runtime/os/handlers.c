/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signal actions. */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "os/handlers.h"

#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000
#endif

struct rt_action rt_action_to(void (*function)(int, siginfo_t *, void *),
                              uint64_t flags, uint64_t mask) {
  struct rt_action action = {.handler = (uintptr_t)function,
                             .flags = flags | SA_SIGINFO,
                             .mask = mask};

#if RT_CPU_ACTION_NEEDS_RESTORER
  action.flags |= SA_RESTORER;
  action.restorer = (uintptr_t)rt_cpu_sigaction_return;
#endif
  return action;
}

int rt_action(int number, const struct rt_action *action,
              struct rt_action *old) {
  if (old)
    rt_zero(old, sizeof(*old));
  return (int)rt_sys(SYS_rt_sigaction, number, (long)action, (long)old,
                     sizeof(action->mask), 0);
}

void rt_action_show(const struct rt_action *action, struct sigaction *out) {
  out->sa_sigaction =
      (void (*)(int, siginfo_t *, void *))(uintptr_t)action->handler;
  out->sa_flags = (int)action->flags;
  rt_copy(&out->sa_mask, &action->mask, sizeof(action->mask));
}
