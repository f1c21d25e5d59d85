/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sets alternate stacks for signal handlers. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "os/libc.h"
#include "threads/defer_samples.h"
#include "threads/stack.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum {
  // Registers of all kinds, if the kernel does not report their size.
  FRAME_BYTES = 4 * 1024,
  // For handlers, including the program's: those that request an alternate
  // stack run on this one if the program has set none. Pages are mapped once
  // they are used.
  HANDLER_BYTES = RT_STACK_BYTES,
  // A handler of the program and that of samples need this much besides their
  // frames. A smaller stack is too small for a coroutine.
  BOTH_BYTES = 9 * 1024,
};

static size_t frame_bytes(void) {
  const unsigned long frame = rt_auxv(AT_MINSIGSTKSZ);

  return frame ? frame : FRAME_BYTES;
}

size_t rt_alternate_stack_bytes(void) {
  return (frame_bytes() + HANDLER_BYTES + 4095) & ~(size_t)4095;
}

static bool has_room(const stack_t *stack) {
  return !(stack->ss_flags & SS_DISABLE) &&
         stack->ss_size >= 2 * frame_bytes() + BOTH_BYTES;
}

/* Unless the thread's own stack has room. */
static void install(struct rt_signal_stack *mine, const stack_t *own) {
  stack_t ours = {.ss_size = rt_alternate_stack_bytes()};

  mine->is_set = false;
  if (has_room(own))
    return;
  if (!mine->memory)
    mine->memory = rt_map(ours.ss_size);
  if (!mine->memory)
    return;
  ours.ss_sp = mine->memory;
  mine->own = *own;
  mine->is_set = !rt_sys(SYS_sigaltstack, (long)&ours, 0, 0, 0, 0);
}

static bool block_samples(uint64_t *old) {
  const uint64_t mask = (uint64_t)1 << (SIGPROF - 1);

  return !rt_sys(SYS_rt_sigprocmask, SIG_BLOCK, (long)&mask, (long)old,
                 sizeof(mask), 0);
}

/* Most threads have none: one call sets the new one and returns the old one. It
   fails while the thread runs on one. */
static bool set_first(struct rt_signal_stack *mine) {
  stack_t ours = {.ss_size = rt_alternate_stack_bytes()};

  if (!mine->memory)
    mine->memory = rt_map(ours.ss_size);
  ours.ss_sp = mine->memory;
  if (!mine->memory ||
      rt_sys(SYS_sigaltstack, (long)&ours, (long)&mine->own, 0, 0, 0))
    return false;
  mine->is_set = true;
  if (rt_defer_is_small(&mine->own))
    rt_defer_start();
  if (has_room(&mine->own))
    mine->is_set = rt_sys(SYS_sigaltstack, (long)&mine->own, 0, 0, 0, 0) != 0;
  return true;
}

void rt_alternate_stack_set(struct rt_signal_stack *mine) {
  uint64_t mask;
  stack_t own;

  mine->is_wanted = true;
  if (set_first(mine) || rt_sys(SYS_sigaltstack, 0, (long)&own, 0, 0, 0))
    return;
  if (rt_defer_is_small(&own))
    rt_defer_start();
  // Until the handler returns, which began without it.
  if (rt_defer_is_small(&own) && own.ss_flags & SS_ONSTACK)
    block_samples(&mask);
  install(mine, &own);
}

int rt_alternate_stack_change(struct rt_signal_stack *mine,
                              rt_sigaltstack_fn *real, const stack_t *stack,
                              stack_t *old) {
  const bool was_set = mine->is_set;
  const stack_t before = mine->own;
  const stack_t none = {.ss_flags = SS_DISABLE};
  // Now: *old may be *stack.
  const stack_t own = stack && !(stack->ss_flags & SS_DISABLE) ? *stack : none;
  uint64_t mask;

  const bool is_blocked = block_samples(&mask);
  const int rc = real(stack, old);
  if (!rc && old && was_set && old->ss_sp == mine->memory) {
    const int is_on = old->ss_flags & SS_ONSTACK;
    *old = before;
    if (!(before.ss_flags & SS_DISABLE))
      old->ss_flags |= is_on;
  }
  if (!rc && stack && mine->is_wanted)
    install(mine, &own);
  if (is_blocked)
    rt_sys(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof(mask), 0);
  return rc;
}

void rt_alternate_stack_unset(struct rt_signal_stack *mine) {
  stack_t stack;

  if (!mine->is_set)
    return;
  mine->is_set = false;
  if (!rt_sys(SYS_sigaltstack, 0, (long)&stack, 0, 0, 0) &&
      stack.ss_sp == mine->memory)
    rt_sys(SYS_sigaltstack, (long)&mine->own, 0, 0, 0, 0);
}

void rt_alternate_stack_unmap(struct rt_signal_stack *mine) {
  rt_unmap(mine->memory, rt_alternate_stack_bytes());
  mine->memory = NULL;
}
