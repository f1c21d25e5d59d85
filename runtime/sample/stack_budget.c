/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Divides samples into blocks. One sample of a block, chosen at random, gets a
   stack, which represents all of them; so sums are correct on average, also
   over many processes that end within a block. The cost of a walk determines
   the size of the block after it: 1 as long as walks are cheap. */
#define _GNU_SOURCE
#include <time.h>

#include "os/os.h"
#include "sample/stack_budget.h"
#include "timers/trigger.h"

enum {
  SHARE = 150,       /* one part in so many of CPU time is for walks */
  FIRST_NS = 800000, /* for tables that the first walk fills, and to write it */
  MAX_BLOCK = 1 << 14,
  NEAR = 2, /* samples that a thread may be owed when it ends */
};

/* Fits in a word, for a compare-and-swap. */
struct block {
  uint32_t size : 16;
  uint32_t left : 16; /* samples of it; 0: the next one begins a block */
  uint32_t pick : 16; /* samples up to the one with the stack; 0: that one was
                         taken */
};

union state {
  struct block block;
  uint64_t word;
};

_Static_assert(sizeof(struct block) == sizeof(uint64_t), "one word");

static struct {
  uint64_t word;         /* union state */
  int64_t per_sample_ns; /* 0: no limit */
  int64_t debt_ns; /* of walks that no block has paid for; below 0: spare */
} budget;

static uint32_t size_for(int64_t debt) {
  const int64_t per_sample = rt_load(&budget.per_sample_ns);
  const int64_t size = per_sample ? (debt + per_sample / 2) / per_sample : 1;

  return size < 1 ? 1 : size > MAX_BLOCK ? MAX_BLOCK : (uint32_t)size;
}

static struct block new_block(uint32_t size, uint64_t random) {
  return (struct block){.size = size & 0xffff,
                        .left = size & 0xffff,
                        .pick = (1 + random % size) & 0xffff};
}

/* At most half a sample's time is carried over. */
static int64_t left_of(int64_t debt, uint64_t n_samples) {
  const int64_t per_sample = rt_load(&budget.per_sample_ns);
  const int64_t left = debt - (int64_t)n_samples * per_sample;

  return left < -per_sample / 2 ? -per_sample / 2 : left;
}

void rt_stack_budget_begin(uint64_t period_ns, uint64_t random) {
  union state state = {.word = 0};

  budget.per_sample_ns = (int64_t)(period_ns / SHARE);
  budget.debt_ns = 0;
  state.block = new_block(size_for(period_ns ? FIRST_NS : 0), random);
  budget.word = state.word;
}

/* Returns the number of samples that the picked ones among n represent. *debt
   is the remaining debt. */
static uint64_t advance(struct block *block, uint64_t n, int64_t *debt) {
  uint64_t weight = 0;

  while (n) {
    if (!block->left) {
      const uint32_t size = size_for(*debt);
      *debt = left_of(*debt, size);
      *block = new_block(size, size > 1 ? rt_trigger_random() : 0);
    }
    // All samples of these blocks have been taken: this one is the chosen one.
    if (block->left == block->size && n >= block->size) {
      const uint64_t n_whole = n - n % block->size;
      weight += n_whole;
      *debt = left_of(*debt, n_whole - block->size);
      n -= n_whole;
      block->left = 0;
      continue;
    }
    const uint32_t n_of_it = n < block->left ? (uint32_t)n : block->left;
    const bool is_picked = block->pick && block->pick <= n_of_it;
    weight += is_picked ? block->size : 0;
    block->pick =
        is_picked || !block->pick ? 0 : (block->pick - n_of_it) & 0xffff;
    block->left = (block->left - n_of_it) & 0xffff;
    n -= n_of_it;
  }
  return weight;
}

uint64_t rt_stack_budget_add(uint64_t n_samples, bool *is_near) {
  const int64_t debt = rt_load(&budget.debt_ns);
  union state old = {.word = rt_load(&budget.word)}, next;
  uint64_t weight;
  int64_t left;

  do {
    next = old;
    left = debt;
    weight = advance(&next.block, n_samples, &left);
  } while (n_samples && !rt_cas(&budget.word, &old.word, next.word));
  __atomic_fetch_sub(&budget.debt_ns, debt - left, __ATOMIC_RELAXED);
  *is_near = next.block.left ? next.block.pick && next.block.pick <= NEAR
                             : size_for(left) <= NEAR;
  return weight;
}

static uint64_t now(void) {
  return (uint64_t)rt_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t rt_stack_budget_begin_walk(void) {
  return rt_load(&budget.per_sample_ns) ? now() : 0;
}

void rt_stack_budget_end_walk(uint64_t start) {
  if (start)
    __atomic_fetch_add(&budget.debt_ns, (int64_t)(now() - start),
                       __ATOMIC_RELAXED);
}
