/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples that wait while handlers of the program run on small alternate
   stacks. There is no way back: threads come and go with their stacks. */
#define _GNU_SOURCE
#include "threads/held.h"
#include "threads/stack.h"

enum {
  N_SIGNALS = 64,
  N_LOOKS = 8, /* signals that a sample looks at */
};

static struct {
  bool has_samples;
  bool is_on;
  uint64_t numbers; /* signals that block SIGPROF because of us */
  uint32_t n_looks;
} held;

static uint64_t bit_of(int number) { return (uint64_t)1 << (number - 1); }

/* Whether a sample could come on top of it, where it asked to run. */
static bool is_open(const struct rt_action *action) {
  return action->flags & SA_ONSTACK && !(action->mask & bit_of(SIGPROF)) &&
         action->handler != (uintptr_t)SIG_DFL &&
         action->handler != (uintptr_t)SIG_IGN;
}

static struct rt_action closed(struct rt_action action) {
  if (is_open(&action))
    action.mask |= bit_of(SIGPROF);
  return action;
}

static void hold(int number) {
  struct rt_action now, found;

  if (number == SIGPROF || rt_action(number, NULL, &now) || !is_open(&now))
    return;
  struct rt_action next = closed(now);
  __atomic_fetch_or(&held.numbers, bit_of(number), __ATOMIC_ACQ_REL);
  // What another thread has set meanwhile counts, as it would without us.
  while (!rt_action(number, &next, &found) &&
         !rt_equal(&found, &now, sizeof(now))) {
    now = next;
    next = closed(found);
  }
}

bool rt_held_is_small(const stack_t *stack) {
  return stack->ss_size && !(stack->ss_flags & SS_DISABLE) &&
         stack->ss_size < RT_STACK_BYTES;
}

void rt_held_init(void) { held.has_samples = true; }

void rt_held_start(void) {
  if (!held.has_samples ||
      __atomic_exchange_n(&held.is_on, true, __ATOMIC_SEQ_CST))
    return;
  for (int number = 1; number <= N_SIGNALS; number++)
    hold(number);
}

/* Some signals each time: handlers may have been set past libc, or by libraries
   that were linked without us. */
void rt_held_look(const stack_t *stack) {
  if (!rt_held_is_small(stack))
    return;
  rt_held_start();
  const uint32_t first =
      __atomic_fetch_add(&held.n_looks, N_LOOKS, __ATOMIC_RELAXED);
  for (uint32_t i = first; i < first + N_LOOKS; i++)
    hold((int)(i % N_SIGNALS) + 1);
}

/* A copy that blocks SIGPROF, too, or NULL if there is no need. Not on the
   stack: that may be small, and MemorySanitizer's sigaction() would look
   whether what we write there is initialised, which it does not see. */
static struct sigaction *closed_copy(const struct sigaction *action) {
  struct rt_action like = {.handler = (uintptr_t)action->sa_sigaction,
                           .flags = (uint64_t)(unsigned)action->sa_flags};

  rt_copy(&like.mask, &action->sa_mask, sizeof(like.mask));
  if (!__atomic_load_n(&held.is_on, __ATOMIC_SEQ_CST) || !is_open(&like))
    return NULL;
  struct sigaction *copy = rt_map(sizeof(*copy));
  if (!copy)
    return NULL;
  like = closed(like);
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

int rt_held_sigaction(rt_sigaction_fn *real, int number,
                      const struct sigaction *action, struct sigaction *old) {
  if (number < 1 || number > N_SIGNALS || number == SIGPROF)
    return real(number, action, old);
  const bool is_set = action != NULL; // may be *old
  const bool was_held = rt_load(&held.numbers) & bit_of(number);
  struct sigaction *copy = is_set ? closed_copy(action) : NULL;
  const int rc = real(number, copy ? copy : action, old);
  const bool is_held = copy != NULL;

  rt_unmap(copy, sizeof(*copy));
  if (rc)
    return rc;
  if (old && was_held)
    unmask(old);
  if (is_held)
    __atomic_fetch_or(&held.numbers, bit_of(number), __ATOMIC_ACQ_REL);
  // A child of vfork() has actions of its own, but writes to our memory.
  else if (is_set && was_held && rt_is_own())
    __atomic_fetch_and(&held.numbers, ~bit_of(number), __ATOMIC_ACQ_REL);
  if (is_set && !is_held && __atomic_load_n(&held.is_on, __ATOMIC_SEQ_CST))
    hold(number); // began meanwhile
  return rc;
}
