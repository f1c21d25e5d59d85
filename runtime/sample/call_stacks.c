/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stores the tree in two tables of counts, so that handlers of all threads add
   to it by compare-and-swap. One gives each program counter a number, its
   place; the other one gives each frame a number. The key of a frame is its
   caller's number and its place. */
#include "sample/call_stacks.h"
#include "os/count_table.h"
#include "os/os.h"
#include "os/process_state.h"
#include "os/scratch.h"
#include "sample/stack_budget.h"
#include "timers/trigger.h"
#include "unwind/unwind.h"

enum {
  N_PCS = 1 << 18,
  N_FRAMES = 1 << 19,
  N_ROOMS = 64,   /* of as many bits; stacks that are walked at the same time */
  END_SHIFT = 28, /* of how a stack ends, in a handle */
};

/* With the markers of missing frames and of waits. */
enum { MAX_DEPTH = RT_UNWIND_FRAMES + 2 };

static struct {
  bool is_on;
  bool has_all;
  bool is_limited;         /* only some samples get a stack */
  struct rt_unwind *rooms; /* NULL if out of memory: all stacks are lost */
  uint64_t taken;          /* rooms, a bit each */
  struct rt_count_table pcs;
  struct rt_count_table frames;
  uint64_t n_stack_signals; /* that brought the samples */
  uint64_t n_sampled;       /* if is_limited */
  uint64_t n_squares;       /* if is_limited */
  uint64_t n_lost;
  uint64_t n_carried; /* samples that the next stack represents as well */
  uint64_t n_ends[RT_UNWIND_N_ENDS]; /* samples by how their stacks end */
} stacks;

size_t rt_call_stacks_kept_bytes(void) {
  return rt_whole_pages(N_ROOMS * sizeof(*stacks.rooms)) + rt_unwind_bytes();
}

bool rt_call_stacks_are_wanted(enum rt_stack_mode mode) {
  return mode == RT_STACKS_ON ||
         (mode == RT_STACKS_AUTO && !rt_is_address_space_small());
}

size_t rt_call_stacks_wiped_bytes(void) {
  return rt_count_table_bytes(N_PCS) + rt_count_table_bytes(N_FRAMES);
}

static void begin_budget(void) {
  // The CPU time of waits and events is unknown.
  const uint64_t period_ns = stacks.has_all ? 0 : rt_trigger_cpu_period_ns();

  stacks.is_limited = period_ns != 0;
  rt_stack_budget_begin(period_ns, rt_trigger_random());
}

void rt_call_stacks_init(bool has_all, bool is_start) {
  stacks.has_all = has_all;
  begin_budget();
  rt_count_table_init(&stacks.pcs, N_PCS);
  rt_count_table_init(&stacks.frames, N_FRAMES);
  if (rt_unwind_init(is_start) == 0)
    stacks.rooms = rt_map(N_ROOMS * sizeof(*stacks.rooms));
  rt_store(&stacks.is_on, true);
}

static bool is_on(void) { return rt_load(&stacks.is_on); }

void rt_call_stacks_release(void) {
  if (!stacks.is_on)
    return;
  stacks.is_on = false;
  rt_count_table_release(&stacks.pcs);
  rt_count_table_release(&stacks.frames);
  rt_timeline_release();
  rt_unwind_release();
  rt_unmap(stacks.rooms, N_ROOMS * sizeof(*stacks.rooms));
  stacks.rooms = NULL;
}

static void forget_losses(void) {
  rt_store(&stacks.n_stack_signals, 0);
  rt_store(&stacks.n_sampled, 0);
  rt_store(&stacks.n_squares, 0);
  rt_store(&stacks.n_lost, 0);
  rt_store(&stacks.n_carried, 0);
  for (int i = 0; i < RT_UNWIND_N_ENDS; i++)
    rt_store(&stacks.n_ends[i], 0);
}

void rt_call_stacks_in_child(bool is_inherited) {
  if (!stacks.is_on)
    return;
  begin_budget();
  rt_unwind_in_child();
  stacks.taken = 0;
  if (is_inherited)
    return;
  rt_count_table_in_child(&stacks.pcs);
  rt_count_table_in_child(&stacks.frames);
  rt_timeline_in_child();
  forget_losses();
}

void rt_call_stacks_reset(void) {
  if (!is_on())
    return;
  rt_count_table_reset(&stacks.frames);
  rt_timeline_reset();
  forget_losses();
}

/* --- In the handler --- */

static struct rt_unwind *claim_room(void) {
  uint64_t taken = rt_load(&stacks.taken);

  while (stacks.rooms && taken != UINT64_MAX) {
    const int i_free = __builtin_ctzll(~taken);
    if (rt_cas(&stacks.taken, &taken, taken | (uint64_t)1 << i_free))
      return &stacks.rooms[i_free];
  }
  return NULL;
}

static void leave_room(const struct rt_unwind *room) {
  const uint64_t bit = (uint64_t)1 << (room - stacks.rooms);

  __atomic_fetch_and(&stacks.taken, ~bit, __ATOMIC_RELEASE);
}

static uint64_t key_of(uint64_t caller, uint64_t pc) {
  return caller << 32 | (pc + 1);
}

/* The frame's number, a place and 1, or 0 if there is no room. */
static uint32_t enter(uint32_t caller, uint64_t pc) {
  const size_t i_pc = rt_count_table_place(&stacks.pcs, pc + (pc == 0));

  if (i_pc == stacks.pcs.n_slots)
    return 0;
  const size_t i = rt_count_table_place(&stacks.frames, key_of(caller, i_pc));
  return i == stacks.frames.n_slots ? 0 : (uint32_t)i + 1;
}

static uint32_t find_place(const struct rt_unwind *room, enum rt_unwind_end end,
                           bool is_waiting) {
  uint32_t place = end == RT_UNWIND_COMPLETE ? 0 : enter(0, RT_FRAME_MISSING);

  if (end != RT_UNWIND_COMPLETE && !place)
    return 0;
  for (size_t i = room->n; i--;) {
    place = enter(place, room->pcs[i]);
    if (!place)
      return 0;
  }
  return is_waiting && place ? enter(place, RT_FRAME_WAITING) : place;
}

/* The result of a walk, in one number; 0 if there is none. */
static uint32_t handle_of(uint32_t place, enum rt_unwind_end end) {
  return place ? (uint32_t)end << END_SHIFT | place : 0;
}

static void add_to(uint32_t handle, uint32_t tid, uint64_t n_samples) {
  const uint32_t place = handle & (((uint32_t)1 << END_SHIFT) - 1);

  __atomic_fetch_add(place ? &stacks.frames.slots[place - 1].n : &stacks.n_lost,
                     n_samples, __ATOMIC_RELAXED);
  if (!place)
    return;
  // The first stacks of a process stand for many samples each.
  if (stacks.is_limited)
    __atomic_fetch_add(&stacks.n_squares, n_samples * n_samples,
                       __ATOMIC_RELAXED);
  __atomic_fetch_add(&stacks.n_ends[handle >> END_SHIFT], n_samples,
                     __ATOMIC_RELAXED);
  rt_timeline_add(tid, place, n_samples);
}

/* Returns the number of samples that a stack of this moment represents, as the
   budget does. */
static uint64_t deal(uint64_t n_samples, bool *is_near) {
  if (stacks.is_limited && n_samples)
    __atomic_fetch_add(&stacks.n_sampled, n_samples, __ATOMIC_RELAXED);
  return rt_stack_budget_add(n_samples, is_near);
}

void rt_call_stacks_add_to(uint32_t handle, uint32_t tid, uint64_t n_samples) {
  bool is_near;

  if (!is_on())
    return;
  rt_timeline_add(tid, 0, n_samples);
  const uint64_t n = deal(n_samples, &is_near);
  // Otherwise no stack was walked, or the walk has been counted.
  if (n > n_samples && handle)
    __atomic_fetch_add(&stacks.n_stack_signals, 1, __ATOMIC_RELAXED);
  if (n && handle)
    add_to(handle, tid, n);
  else if (n) // the thread may have ended with more time than a walk foresaw
    __atomic_fetch_add(&stacks.n_carried, n, __ATOMIC_RELAXED);
}

static uint32_t add(struct rt_unwind *room, enum rt_unwind_end end,
                    bool is_waiting, uint32_t tid, uint64_t n_samples) {
  const uint32_t place = room ? find_place(room, end, is_waiting) : 0;
  const uint32_t handle = handle_of(place, end);

  add_to(handle, tid, n_samples);
  if (place && n_samples)
    __atomic_fetch_add(&stacks.n_stack_signals, 1, __ATOMIC_RELAXED);
  if (room)
    leave_room(room);
  return handle;
}

uint32_t rt_call_stacks_add(const void *context, uint32_t tid,
                            uint64_t n_samples) {
  bool is_near;

  if (!is_on())
    return 0;
  rt_timeline_add(tid, 0, n_samples);
  uint64_t n = deal(n_samples, &is_near);
  if (!n && !is_near)
    return 0;
  if (n)
    n += __atomic_exchange_n(&stacks.n_carried, 0, __ATOMIC_RELAXED);
  const uint64_t look = rt_stack_budget_begin_walk();
  struct rt_unwind *room = claim_room();
  const uint32_t handle =
      add(room, room ? rt_unwind(room, context) : RT_UNWIND_COMPLETE, false,
          tid, n);
  rt_stack_budget_end_walk(look);
  return handle;
}

uint32_t rt_call_stacks_add_waiting(uint64_t pc, uint64_t sp,
                                    bool (*is_still_there)(void *thread),
                                    void *thread, uint32_t tid,
                                    uint64_t n_samples) {
  if (!is_on())
    return 0;
  rt_timeline_add(tid, 0, n_samples);
  struct rt_unwind *room = claim_room();
  const enum rt_unwind_end end =
      room ? rt_unwind_waiting(room, pc, sp) : RT_UNWIND_COMPLETE;
  // If the thread has run meanwhile, the frames belong to two stacks.
  if (room && !is_still_there(thread)) {
    leave_room(room);
    room = NULL;
  }
  return add(room, end, true, tid, n_samples);
}

/* --- In a dump --- */

/* Work of rt_call_stacks_collect(). */
struct listing {
  struct rt_frames *out;
  uint32_t *numbers; /* by place: 1 + index among out's frames, or 0 */
  uint32_t path[MAX_DEPTH];
};

static void append(struct listing *listing, uint32_t i, uint32_t caller) {
  const uint64_t key = rt_load(&stacks.frames.slots[i].key);
  struct rt_frames *out = listing->out;

  out->frames[out->n++] =
      (struct rt_frame){.pc = rt_load(&stacks.pcs.slots[(uint32_t)key - 1].key),
                        .caller = caller};
  listing->numbers[i] = (uint32_t)out->n;
}

/* Appends a frame after its callers, unless they are there. Frames that were
   added since the room was measured are left to the next dump. */
static void list_frame(struct listing *listing, uint32_t place,
                       uint64_t n_samples) {
  size_t n = 0;
  uint32_t caller = 0;

  for (uint32_t at = place; at && n < MAX_DEPTH;) {
    caller = listing->numbers[at - 1];
    if (caller)
      break;
    listing->path[n++] = at - 1;
    at = (uint32_t)(rt_load(&stacks.frames.slots[at - 1].key) >> 32);
  }
  if (listing->out->n + n > listing->out->room)
    return;
  while (n) {
    append(listing, listing->path[--n], caller);
    caller = (uint32_t)listing->out->n;
  }
  listing->out->frames[caller - 1].n_samples = n_samples;
}

static void list_all(struct listing *listing) {
  const struct rt_count_table *frames = &stacks.frames;

  for (size_t i = 0; frames->slots && i < frames->n_slots; i++) {
    if (!rt_load(&frames->touched[i / RT_COUNT_TABLE_GROUP])) {
      i += RT_COUNT_TABLE_GROUP - 1;
      continue;
    }
    const uint64_t n_samples = rt_load(&frames->slots[i].n);
    if (n_samples)
      list_frame(listing, (uint32_t)i + 1, n_samples);
  }
}

void rt_call_stacks_collect(struct rt_frames *out) {
  const size_t bytes = N_FRAMES * sizeof(uint32_t);

  rt_zero(out, sizeof(*out));
  if (!is_on())
    return;
  out->room = rt_count_table_room(&stacks.frames);
  out->n_sampled = rt_load(&stacks.n_sampled);
  out->n_squares = rt_load(&stacks.n_squares);
  const uint64_t n_lost = rt_load(&stacks.n_lost) + rt_load(&stacks.n_carried);
  if (!out->room && !n_lost)
    return;
  out->frames = rt_alloc(out->room * sizeof(*out->frames));
  struct listing *listing = rt_alloc(sizeof(*listing));
  uint32_t *numbers = rt_alloc(bytes);
  const bool has_memory = listing && numbers && (out->frames || !out->room);
  out->losses.n_stacks = n_lost;
  if (!has_memory) {
    out->losses.n_stacks += rt_count_table_sum(&stacks.frames);
  } else {
    listing->out = out;
    listing->numbers = numbers;
    list_all(listing);
    rt_timeline_collect(numbers, &out->moments);
    out->n_stack_signals = rt_load(&stacks.n_stack_signals);
    out->losses.n_deep = rt_load(&stacks.n_ends[RT_UNWIND_DEEP]);
    out->losses.n_unknown = rt_load(&stacks.n_ends[RT_UNWIND_UNKNOWN]);
    out->losses.n_broken = rt_load(&stacks.n_ends[RT_UNWIND_BROKEN]);
  }
  rt_free(numbers, bytes);
  rt_free(listing, sizeof(*listing));
}

void rt_frames_free(struct rt_frames *frames) {
  rt_free(frames->frames, frames->room * sizeof(*frames->frames));
  rt_moments_free(&frames->moments);
}
