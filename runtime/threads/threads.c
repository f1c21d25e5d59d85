/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Per-thread counters. Each thread owns a record; a record has counters for
   each object: a copy of its cells and a table of arcs. Records and counters
   are only ever added to their lists, by compare-and-swap, and never merged:
   the next thread that starts takes over a record whose thread has ended, with
   its counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "counting/segment.h"
#include "cpu/cpu.h"
#include "live/persist.h"
#include "os/libc.h"
#include "threads/arena.h"
#include "threads/defer_samples.h"
#include "threads/self.h"
#include "threads/threads.h"

enum {
  // glibc keeps values of keys below this in the thread itself; for the others
  // pthread_setspecific() calls malloc(), which a hook may not.
  N_SAFE_KEYS = 32,
  MAX_WAITS = 1000,
  HEAP_BYTES = 32 << 20, /* left to it */
  MAX_PLACES = 20,
  MIN_INDEX = 16, /* powers of two */
  MAX_INDEX = 4096,
};

static struct rt_thread *threads;
static pthread_key_t exit_key;
static bool has_key;
static bool needs_stacks;
static const struct rt_thread_watch *watch;
static uint64_t max_bytes; /* of all copies of cells together; 0: no limit */
static uint64_t n_bytes;
static bool is_closed;       /* the memory is being unmapped */
static uint32_t n_attaching; /* threads that are getting memory now */
static uint64_t n_sharing;   /* counters without cells */

struct rt_thread *rt_threads(void) {
  return rt_load(&threads);
}

static bool is_dead(uint32_t tid) {
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);

  return rt_sys(SYS_tgkill, pid, (long)tid, 0, 0, 0) == -ESRCH;
}

/* With the place of a pointer to arcs. */
static size_t copy_bytes(const struct rt_object *object) {
  return (object->n_cells + 1) * sizeof(uint64_t);
}

/* Moves them to a file, or to what relatives share. */
static bool is_backed(const struct rt_object *object, uint64_t *cells) {
  if (!object->n_cells || !rt_persist_back(ARCLINE_LIVE_CELLS, object, cells,
                                           object->n_cells * sizeof(*cells), 0))
    return false;
  // The rest of the page may have another process's pointer.
  cells[object->n_cells] = 0;
  return true;
}

void rt_threads_share(struct rt_thread *thread) {
  struct rt_counters *it = thread ? rt_load(&thread->counters) : NULL;

  for (; it; it = it->next) {
    if (it->cells && is_backed(it->object, it->cells))
      it->is_wiped = false;
    rt_arcs_back(it->arcs);
  }
}

/* Returns a record that the caller owns from now on, or NULL. */
static struct rt_thread *claim(uint32_t tid) {
  const uint32_t late = tid | RT_OWNER_LATE;

  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next)) {
    uint32_t owner = rt_load(&it->owner);
    if (owner & RT_OWNER_LATE && !is_dead(owner & ~RT_OWNER_LATE))
      continue;
    if ((!owner || owner & RT_OWNER_LATE) && rt_cas(&it->owner, &owner, late)) {
      watch->is_gone(it, owner & ~RT_OWNER_LATE);
      rt_self_forget(it);
      rt_store(&it->sampled_pc, 0);
      it->n_exit_rounds = 0;
      it->has_segment = false;
      it->signal_stack.is_set = false;
      for (struct rt_counters *counters = rt_load(&it->counters); counters;
           counters = counters->next) {
        counters->tls_bias = NULL;
        counters->tls_arcs = NULL;
      }
      if (rt_persist_is_shared()) // it may be of the parent's threads
        rt_threads_share(it);
      return it;
    }
  }
  struct rt_thread *fresh = rt_arena_alloc(sizeof(*fresh));
  if (!fresh)
    return NULL;
  fresh->owner = late;
  fresh->next = rt_threads();
  while (!rt_cas(&threads, &fresh->next, fresh))
    continue;
  return fresh;
}

static struct rt_thread *begin(uint32_t tid) {
  struct rt_thread *before = rt_self();
  struct rt_thread *mine = claim(tid);

  if (!mine)
    return NULL;
  // A signal handler may have taken a record meanwhile.
  struct rt_thread *found = rt_self_replace(before, mine);
  if (found != mine) {
    rt_store(&mine->owner, 0);
    return found == &rt_self_gone ? NULL : found; // out of memory
  }
  if (has_key && !before && rt_libc()->key_set(exit_key, mine) == 0)
    rt_store(&mine->owner, tid);
  if (needs_stacks)
    rt_alternate_stack_set(&mine->signal_stack);
  watch->begins(mine);
  return mine;
}

struct rt_thread *rt_thread_self(void) {
  struct rt_thread *known = rt_thread_known();

  return rt_likely(known != NULL) ? known : begin(rt_tid());
}

int rt_thread_set_stack(rt_sigaltstack_fn *real, const stack_t *stack,
                        stack_t *old) {
  struct rt_thread *thread = rt_thread_known();

  // Before there is one: a handler may begin on it at once.
  if (stack && rt_defer_is_small(stack))
    rt_defer_start();
  // A child of vfork() has its own stack, but writes to the parent's memory.
  if (!thread || !rt_is_own())
    return real(stack, old);
  return rt_alternate_stack_change(&thread->signal_stack, real, stack, old);
}

/* Runs among the destructors of the thread's other keys, which may be
   instrumented; so it requests to be called again until the last round. Code
   that runs after that attaches the thread again, and no end of it is
   announced. */
static void thread_exits(void *value) {
  struct rt_thread *mine = value;

  if (mine != rt_self())
    return;
  if (++mine->n_exit_rounds < PTHREAD_DESTRUCTOR_ITERATIONS &&
      rt_libc()->key_set(exit_key, mine) == 0)
    return;
  watch->ends(mine);
  rt_alternate_stack_unset(&mine->signal_stack);
  // Code that runs after this counts here through GS, to the end of the thread.
  if (mine->has_segment) {
    rt_store(&mine->owner, rt_thread_tid(mine) | RT_OWNER_LATE);
    return;
  }
  // From here on, signal handlers attach the thread again: memory of this
  // record would stay in use when another thread has it.
  rt_self_leave();
  for (struct rt_counters *counters = rt_load(&mine->counters); counters;
       counters = counters->next) {
    if (counters->tls_bias)
      *counters->tls_bias = 0;
    if (counters->tls_arcs)
      *counters->tls_arcs = NULL;
    counters->tls_bias = NULL;
    counters->tls_arcs = NULL;
  }
  rt_store(&mine->owner, 0);
}

/* For hundreds of libraries, whose linear search would be slow. */
static void note_counters(struct rt_thread *mine,
                          struct rt_counters *counters) {
  const unsigned number = counters->object->number;
  struct rt_counters_index *index = rt_load(&mine->index);
  size_t n = index ? index->n : MIN_INDEX;

  if (number >= MAX_INDEX)
    return;
  while (n <= number)
    n *= 2;
  if (!index || index->n < n) {
    struct rt_counters_index *larger =
        rt_arena_alloc(sizeof(*larger) + n * sizeof(*larger->items));
    if (!larger)
      return;
    larger->n = n;
    if (index)
      rt_copy(larger->items, index->items, index->n * sizeof(*index->items));
    if (!rt_cas(&mine->index, &index, larger))
      return;
    index = larger;
  }
  rt_store(&index->items[number], counters);
}

static struct rt_counters *get_counters(struct rt_thread *mine,
                                        struct rt_object *object) {
  struct rt_counters *found = rt_self_lookup(mine, object->number);
  struct rt_counters *first = rt_load(&mine->counters);
  struct rt_counters *fresh = NULL;

  if (found)
    return found;
  for (;;) {
    for (found = first; found && found->object != object; found = found->next)
      continue;
    if (found)
      break;
    if (!fresh && !(fresh = rt_arena_alloc(sizeof(*fresh))))
      return NULL;
    fresh->object = object;
    fresh->next = first;
    if (rt_cas(&mine->counters, &first, fresh)) {
      found = fresh;
      break;
    }
  }
  note_counters(mine, found);
  return found;
}

/* The thread counts in the section that all threads share. */
static void note_sharing(struct rt_counters *counters) {
  if (counters->is_sharing)
    return;
  __atomic_fetch_add(&n_sharing, 1, __ATOMIC_RELAXED);
  rt_persist_miss();
  counters->is_sharing = true;
}

/* Requesting memory again each time would be slow. */
static uint64_t *share(struct rt_counters *counters, size_t bytes) {
  __atomic_fetch_sub(&n_bytes, bytes, __ATOMIC_RELAXED);
  note_sharing(counters);
  return NULL;
}

/* Code of the executable may count through GS. */
static bool has_segment(const struct rt_object *object) {
  return object->image.has_segment && !object->suffix[0];
}

/* Memory for a copy of the cells, at a distance that GS can represent, if there
   is any. An executable that is loaded where libraries are has less room above
   than below. */
static uint64_t *map_cells(const struct rt_object *object, size_t bytes,
                           bool *is_wiped) {
  static uintptr_t next; /* an address with room after it, perhaps */
  const uintptr_t cells = (uintptr_t)object->image.cells;
  uintptr_t unset = 0;

  if (!has_segment(object))
    return rt_map_wiped(bytes, is_wiped);
  uint64_t *copy = rt_map(bytes);
  for (int i = 0; i < MAX_PLACES && copy &&
                  !rt_segment_can_be((intptr_t)((uintptr_t)copy - cells));
       i++) {
    rt_unmap(copy, bytes);
    // Not directly above: the heap may begin there.
    rt_cas(&next, &unset, cells + bytes + HEAP_BYTES);
    copy = rt_map_near(
        __atomic_fetch_add(&next, ((bytes | 4095) + 1) << i, __ATOMIC_RELAXED),
        bytes);
  }
  *is_wiped = copy && rt_wipe_on_fork(copy, bytes);
  return copy;
}

static uint64_t *own_cells(struct rt_counters *counters) {
  const size_t bytes = copy_bytes(counters->object);
  uint64_t *copy = rt_load(&counters->cells);

  if (copy || counters->is_sharing)
    return copy;
  const uint64_t n_after =
      __atomic_add_fetch(&n_bytes, bytes, __ATOMIC_RELAXED);
  bool is_wiped = false;
  uint64_t *fresh = max_bytes && n_after > max_bytes
                        ? NULL
                        : map_cells(counters->object, bytes, &is_wiped);
  if (!fresh)
    return share(counters, bytes);
  if (is_backed(counters->object, fresh))
    is_wiped = false;
  if (!rt_cas(&counters->cells, &copy, fresh)) {
    rt_persist_forget(fresh);
    rt_unmap(fresh, bytes);
    __atomic_fetch_sub(&n_bytes, bytes, __ATOMIC_RELAXED);
    return copy;
  }
  rt_store(&counters->is_wiped, is_wiped);
  return fresh;
}

static struct rt_arcs *arc_table(struct rt_counters *counters) {
  struct rt_arcs *arcs = rt_load(&counters->arcs);

  if (arcs)
    return arcs;
  struct rt_arcs *fresh =
      rt_arcs_create(RT_FIRST_ARCS, &rt_persist_backing, counters->object);
  if (!fresh || rt_cas(&counters->arcs, &arcs, fresh))
    return fresh;
  rt_arcs_destroy(fresh);
  return arcs;
}

static void set_segment(struct rt_thread *mine, struct rt_counters *counters,
                        intptr_t bias) {
  if (!has_segment(counters->object) || rt_load(&mine->has_segment))
    return;
  rt_store(&mine->has_segment, true);
  if (!rt_segment_set(bias) && bias)
    note_sharing(counters);
}

static void clear_segment(void) {
  struct rt_thread *mine = rt_thread_known();

  if (mine && rt_load(&mine->has_segment) && rt_segment_set(0))
    rt_store(&mine->has_segment, false);
}

bool rt_thread_handle(const siginfo_t *info) {
  if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &rt_self_gone)
    return false;
  clear_segment();
  return true;
}

/* Waits until the thread has done the same, if it does not block the signal. */
static void request_clear(const struct rt_thread *thread) {
  const struct timespec pause = {.tv_nsec = 1000000};
  const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  siginfo_t info = {.si_code = SI_QUEUE, .si_pid = (pid_t)pid};

  info.si_value.sival_ptr = &rt_self_gone;
  if (rt_sys(SYS_rt_tgsigqueueinfo, pid, (long)rt_thread_tid(thread), SIGPROF,
             (long)&info, 0))
    return;
  for (int i = 0; i < MAX_WAITS && rt_load(&thread->has_segment); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
}

void rt_threads_clear_segment(bool has_handler) {
  clear_segment();
  for (const struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    if (rt_load(&it->has_segment) && rt_load(&it->owner) && has_handler)
      request_clear(it);
}

/* Until the executable has found a thread that began unannounced, its code
   counts where that of the creator does. A library may be the first to find
   it. */
static void find_late_thread(const struct rt_thread *mine) {
  if (rt_load(&mine->has_segment) || rt_thread_tid(mine) == rt_pid())
    return;
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED && has_segment(it))
      it->image.find_late_thread();
}

static void attach_thread(struct rt_object *object, intptr_t *bias,
                          struct rt_arcs **arcs) {
  // Read before the state: if that is RT_ATTACHED, the cells are of this load.
  const uint64_t *cells = rt_load(&object->image.cells);
  if (rt_load(&object->state) != RT_ATTACHED)
    return;
  struct rt_thread *mine = rt_thread_self();
  struct rt_counters *counters = mine ? get_counters(mine, object) : NULL;
  if (!counters)
    return;
  if (!has_segment(object))
    find_late_thread(mine);
  const bool keeps_arcs = object->image.keeps_arcs;
  if (bias && (object->n_cells || keeps_arcs)) {
    const uint64_t *copy = own_cells(counters);
    if (copy) {
      // Else it is a variable of the caller's.
      if ((uintptr_t)bias == rt_cpu_own_pointer() + (uintptr_t)object->slot)
        counters->tls_bias = bias;
      *bias = (intptr_t)copy - (intptr_t)cells;
    }
    set_segment(mine, counters, copy ? *bias : 0);
  }
  if (arcs) {
    uint64_t *copy = rt_load(&counters->cells);
    *arcs = arc_table(counters);
    if (!keeps_arcs)
      counters->tls_arcs = arcs;
    else if (copy)
      rt_store(&copy[object->n_cells], (uintptr_t)*arcs);
  }
}

void rt_thread_attach(struct rt_object *object, intptr_t *bias,
                      struct rt_arcs **arcs) {
  __atomic_fetch_add(&n_attaching, 1, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&is_closed, __ATOMIC_SEQ_CST))
    attach_thread(object, bias, arcs);
  __atomic_fetch_sub(&n_attaching, 1, __ATOMIC_SEQ_CST);
}

/* Moves what the only thread has counted in the section to its copy. A child of
   fork() sets the section to 0, and the kernel copies each page of it that is
   not 0 by then. */
static void empty_section(const struct rt_object *object) {
  struct rt_thread *mine = rt_thread_known();
  const bool is_only = mine && rt_threads() == mine && !mine->next;
  const struct rt_counters *counters =
      is_only ? rt_self_lookup(mine, object->number) : NULL;
  uint64_t *copy = counters ? rt_load(&counters->cells) : NULL;
  uint64_t *cells = object->image.cells;

  for (size_t i = 0; copy && i < object->n_cells; i++)
    if (cells[i]) {
      __atomic_fetch_add(&copy[i], cells[i],
                         __ATOMIC_RELAXED); // a handler may count
      cells[i] = 0;
    }
}

void rt_threads_leave_section(void) {
  const struct rt_thread *mine = rt_thread_known();

  if (mine && rt_load(&mine->has_segment))
    return;
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED && has_segment(it)) {
      it->image.attach_thread();
      empty_section(it);
    }
}

/* Threads that attach from now on get no memory. Returns false if one that
   began earlier has not finished; a handler may have jumped out of it. */
static bool close_to_all(void) {
  const struct timespec pause = {.tv_nsec = 100000};

  __atomic_store_n(&is_closed, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i < MAX_WAITS && rt_load(&n_attaching); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  return !rt_load(&n_attaching);
}

static bool is_running(const struct rt_thread *thread) {
  const uint32_t owner = rt_load(&thread->owner);

  return owner && !(owner & RT_OWNER_LATE && is_dead(owner & ~RT_OWNER_LATE));
}

void rt_threads_part(struct rt_object *object) {
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next)) {
    // Its thread-local variables exist while it runs.
    const bool is_there = is_running(it);
    for (struct rt_counters *counters = rt_load(&it->counters);
         is_there && counters; counters = counters->next) {
      if (counters->object != object)
        continue;
      if (counters->tls_bias)
        rt_store(counters->tls_bias, 0);
      if (counters->tls_arcs)
        rt_store(counters->tls_arcs, NULL);
    }
  }
}

void rt_threads_forget(struct rt_object *object) {
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    for (struct rt_counters *counters = rt_load(&it->counters); counters;
         counters = counters->next)
      if (counters->object == object) {
        counters->tls_bias = NULL;
        counters->tls_arcs = NULL;
        for (struct rt_arcs *arcs = counters->arcs; arcs; arcs = arcs->next)
          rt_arcs_empty(arcs);
      }
}

uint64_t rt_threads_n_sharing(void) { return rt_load(&n_sharing); }

size_t rt_threads_start_bytes(bool stacks) {
  return RT_ARENA_BYTES + (stacks ? rt_alternate_stack_bytes() : 0);
}

void rt_threads_init(uint32_t tid, uint64_t max_cell_bytes, bool stacks,
                     const struct rt_thread_watch *watcher) {
  max_bytes = max_cell_bytes;
  needs_stacks = stacks;
  watch = watcher;
  const struct rt_libc *libc = rt_libc();
  has_key = libc->key_create && libc->key_delete && libc->key_set &&
            libc->key_create(&exit_key, thread_exits) == 0;
  if (has_key && exit_key >= N_SAFE_KEYS) {
    libc->key_delete(exit_key);
    has_key = false;
  }
  begin(tid);
}

static bool is_zero_in_child(bool is_wiped, const void *memory) {
  return rt_was_wiped(is_wiped) || rt_persist_was_replaced(memory);
}

void rt_threads_in_child(bool is_inherited, bool has_counted) {
  n_sharing = 0;
  n_attaching = 0;
  const struct rt_thread *mine = rt_self();
  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next)) {
    rt_trigger_in_child(&it->trigger);
    rt_waits_in_child(&it->waits);
    it->waiting.tid = 0;
    for (struct rt_counters *counters = rt_load(&it->counters); counters;
         counters = counters->next) {
      counters->is_sharing = false;
      if (is_inherited)
        continue;
      if (counters->cells &&
          !is_zero_in_child(counters->is_wiped, counters->cells))
        rt_zero_words(counters->cells, counters->object->n_cells);
      for (struct rt_arcs *arcs = counters->arcs; arcs; arcs = arcs->next) {
        if (!is_zero_in_child(arcs->is_wiped, rt_arcs_slots(arcs)))
          rt_arcs_empty(arcs);
        if (!has_counted)
          arcs->touched = 0;
      }
    }
    if (it == mine) {
      it->owner = rt_tid() | (it->owner & RT_OWNER_LATE);
    } else {
      rt_self_forget(it);
      it->owner = 0;
    }
  }
}

static bool is_of_other(const struct rt_thread *thread, uint32_t tid) {
  return rt_thread_tid(thread) != tid && is_running(thread);
}

bool rt_threads_release(bool is_unloaded) {
  const uint32_t tid = rt_tid();

  if (has_key)
    rt_libc()->key_delete(exit_key);
  if (!close_to_all())
    return false;
  for (const struct rt_thread *it = threads; it && !is_unloaded; it = it->next)
    if (is_of_other(it, tid))
      return false;
  for (struct rt_thread *it = threads; it; it = it->next) {
    if (!is_of_other(it, tid))
      rt_alternate_stack_unset(&it->signal_stack);
    // Another thread's is left to it: the next load finds it set.
    if (!it->signal_stack.is_set)
      rt_alternate_stack_unmap(&it->signal_stack);
    for (struct rt_counters *counters = it->counters; counters;
         counters = counters->next) {
      rt_unmap(counters->cells, copy_bytes(counters->object));
      for (struct rt_arcs *arcs = counters->arcs; arcs;) {
        struct rt_arcs *next = arcs->next;
        rt_arcs_destroy(arcs);
        arcs = next;
      }
    }
  }
  threads = NULL;
  rt_self_release();
  rt_arena_release();
  return true;
}
