/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signal actions. */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "os/handlers.h"

#if defined(__x86_64__)
#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000
#endif

void rt_sigaction_return(void);

/* Where handlers return to. Unwinders know these two instructions, gdb if the
   name is like that; the nop keeps the address before out of all functions. */
__asm__(".pushsection .text\n.hidden rt_sigaction_return\n.globl "
        "rt_sigaction_return\n"
        ".type rt_sigaction_return, %function\n.p2align 4\nnop\n"
        "rt_sigaction_return:\nmov $15, %rax\nsyscall\n"
        ".size rt_sigaction_return, . - rt_sigaction_return\n.popsection\n");
#endif

struct rt_action rt_action_to(void (*function)(int, siginfo_t *, void *),
                              uint64_t flags, uint64_t mask) {
  struct rt_action action = {.handler = (uintptr_t)function,
                             .flags = flags | SA_SIGINFO,
                             .mask = mask};

#if defined(__x86_64__)
  action.flags |= SA_RESTORER;
  action.restorer = (uintptr_t)rt_sigaction_return;
#endif
  return action;
}

int rt_action(int number, const struct rt_action *action,
              struct rt_action *old) {
  if (old)
    rt_zero(old, sizeof *old);
  return (int)rt_sys(SYS_rt_sigaction, number, (long)action, (long)old,
                     sizeof action->mask, 0);
}
