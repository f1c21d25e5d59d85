/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Defers samples. Once started, this never stops: later threads may have small
   stacks, too. */
#define _GNU_SOURCE
#include "threads/defer_samples.h"
#include "threads/stack.h"

enum {
  N_SIGNALS = 64,
  N_CHECKED = 8, /* signals that a sample checks */
};

static struct {
  bool has_samples;
  bool is_on;
  uint64_t numbers; /* signals whose mask has SIGPROF added */
  uint32_t n_checked;
} deferral;

static uint64_t bit_of(int number) { return (uint64_t)1 << (number - 1); }

/* May a sample interrupt this handler on its alternate stack? */
static bool can_interrupt(const struct rt_action *action) {
  return action->flags & SA_ONSTACK && !(action->mask & bit_of(SIGPROF)) &&
         action->handler != (uintptr_t)SIG_DFL &&
         action->handler != (uintptr_t)SIG_IGN;
}

static struct rt_action masked(struct rt_action action) {
  if (can_interrupt(&action))
    action.mask |= bit_of(SIGPROF);
  return action;
}

static void defer(int number) {
  struct rt_action now, found;

  if (number == SIGPROF || rt_action(number, NULL, &now) ||
      !can_interrupt(&now))
    return;
  struct rt_action next = masked(now);
  __atomic_fetch_or(&deferral.numbers, bit_of(number), __ATOMIC_ACQ_REL);
  // An action that another thread has set meanwhile takes precedence, as
  // without the runtime.
  while (!rt_action(number, &next, &found) &&
         !rt_equal(&found, &now, sizeof(now))) {
    now = next;
    next = masked(found);
  }
}

bool rt_defer_is_small(const stack_t *stack) {
  return stack->ss_size && !(stack->ss_flags & SS_DISABLE) &&
         stack->ss_size < RT_STACK_BYTES;
}

void rt_defer_init(void) { deferral.has_samples = true; }

void rt_defer_start(void) {
  if (!deferral.has_samples ||
      __atomic_exchange_n(&deferral.is_on, true, __ATOMIC_SEQ_CST))
    return;
  for (int number = 1; number <= N_SIGNALS; number++)
    defer(number);
}

/* A few signals each time: handlers may have been set without libc, or by
   libraries that were linked without the runtime. */
void rt_defer_check(const stack_t *stack) {
  if (!rt_defer_is_small(stack))
    return;
  rt_defer_start();
  const uint32_t first =
      __atomic_fetch_add(&deferral.n_checked, N_CHECKED, __ATOMIC_RELAXED);
  for (uint32_t i = first; i < first + N_CHECKED; i++)
    defer((int)(i % N_SIGNALS) + 1);
}

/* A copy that blocks SIGPROF, too, or NULL if there is no need. Not on the
   stack, which may be small. MemorySanitizer's sigaction() would also check
   that the copy is initialised, and it does not track writes of the runtime. */
static struct sigaction *masked_copy(const struct sigaction *action) {
  struct rt_action like = {.handler = (uintptr_t)action->sa_sigaction,
                           .flags = (uint64_t)(unsigned)action->sa_flags};

  rt_copy(&like.mask, &action->sa_mask, sizeof(like.mask));
  if (!__atomic_load_n(&deferral.is_on, __ATOMIC_SEQ_CST) ||
      !can_interrupt(&like))
    return NULL;
  struct sigaction *copy = rt_map(sizeof(*copy));
  if (!copy)
    return NULL;
  like = masked(like);
  rt_copy(copy, action, sizeof(*copy));
  rt_copy(&copy->sa_mask, &like.mask, sizeof(like.mask));
  return copy;
}

static void unmask(struct sigaction *action) {
  uint64_t mask;

  rt_copy(&mask, &action->sa_mask, sizeof(mask));
  mask &= ~bit_of(SIGPROF);
  rt_copy(&action->sa_mask, &mask, sizeof(mask));
}

int rt_defer_sigaction(rt_sigaction_fn *real, int number,
                       const struct sigaction *action, struct sigaction *old) {
  if (number < 1 || number > N_SIGNALS || number == SIGPROF)
    return real(number, action, old);
  const bool is_set = action != NULL; // may be *old
  const bool was_deferred = rt_load(&deferral.numbers) & bit_of(number);
  struct sigaction *copy = is_set ? masked_copy(action) : NULL;
  const int rc = real(number, copy ? copy : action, old);
  const bool is_deferred = copy != NULL;

  rt_unmap(copy, sizeof(*copy));
  if (rc)
    return rc;
  if (old && was_deferred)
    unmask(old);
  if (is_deferred)
    __atomic_fetch_or(&deferral.numbers, bit_of(number), __ATOMIC_ACQ_REL);
  // A child of vfork() has its own actions, but writes to the parent's memory.
  else if (is_set && was_deferred && rt_is_own())
    __atomic_fetch_and(&deferral.numbers, ~bit_of(number), __ATOMIC_ACQ_REL);
  if (is_set && !is_deferred &&
      __atomic_load_n(&deferral.is_on, __ATOMIC_SEQ_CST))
    defer(number); // began meanwhile
  return rc;
}
