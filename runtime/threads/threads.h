/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Provides the memory that each thread counts in. */
#ifndef ARCLINE_RT_THREADS_H
#define ARCLINE_RT_THREADS_H

#include "objects/objects.h"
#include "os/os.h"
#include "threads/stack.h"
#include "timers/waits.h"

/** The counts of one thread in one object. */
struct rt_counters {
  struct rt_counters *next;
  struct rt_object *object;
  uint64_t *cells; /* a copy of the cell section, or NULL; after it a pointer to
                      arcs, or 0 */
  bool is_wiped;   /* like rt_arcs.is_wiped */
  bool is_sharing; /* there was no memory for cells */
  struct rt_arcs *arcs;
  intptr_t *tls_bias; /* the thread's variables that point here, or NULL */
  struct rt_arcs **tls_arcs;
};

/* The end of owner is not announced: ask the kernel whether it runs. */
#define RT_OWNER_LATE 0x80000000u

/** The place where a thread waits; written by the thread that samples all
 * threads. */
struct rt_waiting {
  uint32_t tid;   /* 0: nowhere yet */
  int64_t cpu_ns; /* its CPU time then; it waits as long as that is the same */
  uint64_t pc;
  uint32_t stack;   /* see sample/call_stacks.h */
  bool was_running; /* at the last check */
};

/** Memory for one thread at a time; later threads reuse it. */
struct rt_thread {
  struct rt_thread *next;
  uint32_t owner; /* thread id, perhaps with RT_OWNER_LATE; 0: free */
  unsigned n_exit_rounds;
  bool has_segment; /* GS has been set for it, or should have been */
  struct rt_trigger trigger;
  uint64_t sampled_pc;    /* the last one of this thread, or 0 */
  uint32_t sampled_stack; /* the last sample's, see sample/call_stacks.h */
  struct rt_waits waits;
  struct rt_waiting waiting;
  struct rt_counters *counters;
  struct rt_counters_index *index; /* of these; or NULL */
  intptr_t *self; /* the word by which its thread finds it, or NULL */
  bool is_forking;
  bool is_fork_writer;            /* then no other thread writes meanwhile */
  struct rt_signals fork_signals; /* to restore when is_forking */
  struct rt_signal_stack signal_stack;
};

/** The calling thread's record, or NULL if out of memory. Runs: hook. */
struct rt_thread *rt_thread_self(void);
/** The calling thread's record, or NULL if it has none yet, or none any more.
 * Runs: hook. */
struct rt_thread *rt_thread_known(void);
/** Runs: hook. */
static inline uint32_t rt_thread_tid(const struct rt_thread *thread) {
  return rt_load(&thread->owner) & ~RT_OWNER_LATE;
}
/** Called when threads with a record begin and end. Runs: hook. */
struct rt_thread_watch {
  void (*begins)(struct rt_thread *thread); /* the calling one */
  void (*ends)(struct rt_thread *thread);   /* the same */
  /** The end of its thread, which was tid, was not announced. */
  void (*is_gone)(struct rt_thread *thread, uint32_t tid);
};

/** The memory that the first thread takes from rt_map(), in bytes of whole
 * pages. */
size_t rt_threads_start_bytes(bool needs_stacks);
/** Runs: startup.
 *
 * tid             the calling thread's.
 * max_cell_bytes  of all threads' copies of cells; 0: no limit.
 * needs_stacks    handlers of ours may run on any thread.
 * watch           kept by pointer. */
void rt_threads_init(uint32_t tid, uint64_t max_cell_bytes, bool needs_stacks,
                     const struct rt_thread_watch *watch);
/** How many times a thread got no copy of an object's cells, so that threads
 * may have lost counts to one another. Runs: handler-safe. */
uint64_t rt_threads_n_sharing(void);
/** Unmap what threads count in; not, and return false, if some thread may still
 * be counting: a thread that is attaching, or, unless the library is_unloaded
 * while the program goes on, any other one. Runs: exit. */
bool rt_threads_release(bool is_unloaded);
/** In fork()'s child, which starts from zero, or else from what it inherits.
 * has_counted: it has done so already, where the kernel wiped memory. */
void rt_threads_in_child(bool is_inherited, bool has_counted);
/** In a child that counts in memory which relatives see, since
 * rt_persist_share(): place a record's memory there. Runs: hook. */
void rt_threads_share(struct rt_thread *thread);
struct rt_thread *rt_threads(void); /* first of all; hook */
/** Replaces sigaltstack(), which is real, in the program. Runs: handler-safe.
 */
int rt_thread_set_stack(rt_sigaltstack_fn *real, const stack_t *stack,
                        stack_t *old);
/** Another process part is to serve the object: its threads count in its
 * section, and attach again once that part is ready. Runs: exit. */
void rt_threads_part(struct rt_object *object);
/** Forget the object's thread-local variables and empty its arc tables: it is
 * about to be unmapped. Runs: exit. */
void rt_threads_forget(struct rt_object *object);
/** Give the calling thread memory to count in for this object, and set bias and
 * arcs (each may be NULL) to it. Runs: hook. */
void rt_thread_attach(struct rt_object *object, intptr_t *bias,
                      struct rt_arcs **arcs);
/** The calling thread may count in the own cells of an executable, which the
 * kernel wipes for no child. From here on it has memory that is wiped. Runs:
 * handler-safe. */
void rt_threads_leave_section(void);
/** Set bias and arcs as rt_thread_attach() does if the thread has memory
 * already, but do not record the addresses of these variables. Returns whether
 * it has. Changes general registers only. In threads/self.c. Runs: hook. */
bool rt_thread_find(const struct rt_object *object, intptr_t *bias,
                    struct rt_arcs **arcs);
/** After rt_segment_give_up(): set GS to 0 in all threads that had another
 * base; in other threads than the calling one only if SIGPROF is handled by the
 * runtime. Runs: startup. */
void rt_threads_clear_segment(bool has_handler);
/** In the handler of SIGPROF: if the signal requests that, do it and return
 * true. Runs: hook. */
bool rt_thread_handle(const siginfo_t *info);

#endif
