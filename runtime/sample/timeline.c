/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The key of a count has all: thread, period and place. Samples that find no
   room are counted without their period, in a table of their own: first those
   of stacks, so that the time of threads is known for longer. */
#define _GNU_SOURCE
#include "sample/timeline.h"

#include <time.h>

#include "os/count_table.h"
#include "os/os.h"
#include "os/scratch.h"

enum {
  PLACE_BITS = 20,
  PERIOD_BITS = 9,
  WIDTH_BITS = 6,
  MIN_WIDTH = 23, /* 8 ms: samples come at longer intervals */
  ANY_WIDTH = RT_MOMENT_ANY_WIDTH,
  STACK_WIDTH = 2 /* periods of stacks are 2^2 times as long as others */
};

enum { OF_ALL, OF_STACKS, OF_ALL_ANY_TIME, OF_STACKS_ANY_TIME, N_TABLES };

static const size_t n_slots[N_TABLES] = {1 << 16, 1 << 17, 1 << 12, 1 << 15};

static struct {
  bool is_on;
  int64_t start_ns; /* of CLOCK_MONOTONIC */
  struct rt_count_table tables[N_TABLES];
} timeline;

static int64_t elapsed(void) {
  return rt_clock_ns(CLOCK_MONOTONIC) - timeline.start_ns;
}

size_t rt_timeline_bytes(void) {
  size_t n_bytes = 0;

  for (int i = 0; i < N_TABLES; i++)
    n_bytes += rt_count_table_bytes(n_slots[i]);
  return n_bytes;
}

void rt_timeline_init(void) {
  timeline.start_ns = rt_clock_ns(CLOCK_MONOTONIC);
  for (int i = 0; i < N_TABLES; i++)
    rt_count_table_init(&timeline.tables[i], n_slots[i]);
  rt_store(&timeline.is_on, true);
}

void rt_timeline_release(void) {
  if (!timeline.is_on)
    return;
  timeline.is_on = false;
  for (int i = 0; i < N_TABLES; i++)
    rt_count_table_release(&timeline.tables[i]);
}

void rt_timeline_in_child(void) {
  if (!timeline.is_on)
    return;
  timeline.start_ns = rt_clock_ns(CLOCK_MONOTONIC);
  for (int i = 0; i < N_TABLES; i++)
    rt_count_table_in_child(&timeline.tables[i]);
}

void rt_timeline_reset(void) {
  for (int i = 0; rt_load(&timeline.is_on) && i < N_TABLES; i++)
    rt_count_table_reset(&timeline.tables[i]);
}

/* Periods are as long as their number needs PERIOD_BITS. */
static uint32_t width_of(uint64_t ns) {
  const int n_bits = 64 - __builtin_clzll(ns | 1);

  return n_bits > MIN_WIDTH + PERIOD_BITS ? (uint32_t)(n_bits - PERIOD_BITS)
                                          : MIN_WIDTH;
}

static uint64_t key_of(uint32_t tid, uint32_t width, uint64_t period,
                       uint32_t place) {
  const uint64_t when = (uint64_t)width << PERIOD_BITS | period;

  return ((uint64_t)tid << (WIDTH_BITS + PERIOD_BITS) | when) << PLACE_BITS |
         place;
}

void rt_timeline_add(uint32_t tid, uint32_t place, uint64_t n_samples) {
  if (!rt_load(&timeline.is_on) || !n_samples)
    return;
  const uint64_t ns = (uint64_t)elapsed();
  const uint32_t width = width_of(ns) + (place ? STACK_WIDTH : 0);
  struct rt_count_table *table = &timeline.tables[place ? OF_STACKS : OF_ALL];
  const size_t i =
      rt_count_table_place(table, key_of(tid, width, ns >> width, place));

  if (i < table->n_slots)
    __atomic_fetch_add(&table->slots[i].n, n_samples, __ATOMIC_RELAXED);
  else
    rt_count_table_add(
        &timeline.tables[place ? OF_STACKS_ANY_TIME : OF_ALL_ANY_TIME],
        key_of(tid, ANY_WIDTH, 0, place), n_samples);
}

static uint64_t bits(uint64_t key, unsigned shift, unsigned n) {
  return key >> shift & (((uint64_t)1 << n) - 1);
}

/* Returns false if the place is not among the frames. */
static bool read_moment(const struct rt_count *count, const uint32_t *frames,
                        struct solve_arc *out) {
  const uint64_t place = bits(count->key, 0, PLACE_BITS);
  const uint64_t tid = count->key >> (PLACE_BITS + PERIOD_BITS + WIDTH_BITS);
  const uint64_t frame = place ? frames[place - 1] : 0;

  out->from = frame << 32 | tid;
  out->self = bits(count->key, PLACE_BITS + PERIOD_BITS, WIDTH_BITS) << 32 |
              bits(count->key, PLACE_BITS, PERIOD_BITS);
  out->count = count->n;
  return frame || !place;
}

void rt_timeline_collect(const uint32_t *frames, struct rt_moments *out) {
  size_t room = 0;

  rt_zero(out, sizeof(*out));
  for (int i = 0; i < N_TABLES; i++)
    room += rt_count_table_room(&timeline.tables[i]);
  const size_t counts_bytes = room * sizeof(struct rt_count);
  if (!rt_load(&timeline.is_on) || !room)
    return;
  out->n_bytes = room * sizeof(*out->all);
  out->all = rt_alloc(out->n_bytes);
  struct solve_arc *scratch = rt_alloc(out->n_bytes);
  struct rt_count *counts = rt_alloc(counts_bytes);
  if (out->all && scratch && counts) {
    size_t n = 0;
    for (int i = 0; i < N_TABLES; i++)
      n += rt_count_table_read(&timeline.tables[i], counts + n, room - n);
    for (size_t i = 0; i < n; i++)
      out->n += read_moment(&counts[i], frames, &out->all[out->n]);
    out->n = solve_arcs_merge(out->all, out->n, scratch);
    out->began_ns = (uint64_t)(rt_clock_ns(CLOCK_REALTIME) - elapsed());
  }
  rt_free(counts, counts_bytes);
  rt_free(scratch, out->n_bytes);
}

void rt_moments_free(struct rt_moments *moments) {
  rt_free(moments->all, moments->n_bytes);
}
