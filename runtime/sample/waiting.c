/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Takes the duration of a thread's wait from its clocks, and its place from the
   kernel's /proc/self/task/TID/syscall. The thread stays at that place as long
   as its CPU time is the same: a wait is checked once. */
#include <sys/syscall.h>
#include <time.h>

#include "os/task_file.h"
#include "sample/call_stacks.h"
#include "sample/uninstrumented.h"
#include "sample/waiting.h"
#include "threads/helper.h"

enum {
  MIN_INTERVAL_NS = 1000000,
  ANSWER_BYTES = 256,
  PAUSE_NS = 50000, /* between checks whether a wait is being added up */
  MAX_PAUSES = 2000,
};

static void (*count_at)(uint64_t pc, uint64_t n);
static struct rt_helper_job job;
static bool is_paused;
static bool is_counting; /* samples and their stack */

/* --- The place of a wait --- */

enum state { RUNNING, WAITING, UNKNOWN, GONE };

/* The last two numbers of "-1 0xSP 0xPC" or "NR 0xARG ... 0xSP 0xPC". */
static bool read_place(const char *text, size_t n, uint64_t *sp, uint64_t *pc) {
  size_t n_numbers = 0;

  for (size_t i = 0; i + 1 < n; i++) {
    if (text[i] != '0' || text[i + 1] != 'x')
      continue;
    uint64_t value = 0;
    for (i += 2; i < n && text[i] > ' '; i++)
      value = value << 4 |
              (uint64_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
    *sp = *pc;
    *pc = value;
    n_numbers++;
  }
  return n_numbers >= 2;
}

static enum state check_thread(uint32_t tid, uint64_t *sp, uint64_t *pc) {
  char answer[ANSWER_BYTES];
  const long n = rt_task_file_read(tid, "syscall", answer, sizeof(answer));

  if (n <= 0)
    return UNKNOWN;
  if (answer[0] == 'r')
    return RUNNING;
  if (!read_place(answer, (size_t)n, sp, pc))
    return UNKNOWN;
  // The first thread may end before the process does.
  return *sp ? WAITING : GONE;
}

static bool is_still_there(void *thread) {
  const struct rt_thread *it = thread;

  return rt_waits_cpu_ns(&it->waits) == it->waiting.cpu_ns;
}

/* --- Samples --- */

static void count(const struct rt_thread *thread, uint64_t pc, uint32_t stack,
                  uint64_t n) {
  count_at(pc, n);
  rt_call_stacks_add_to(stack, rt_thread_tid(thread), n);
}

/* Until it is found waiting again, its time belongs to no wait. A thread that
   is not found waiting twice in a row is waiting for a CPU: its place is that
   of its last sample. */
static void count_running(struct rt_thread *thread, uint64_t n) {
  struct rt_waiting *waiting = &thread->waiting;

  waiting->tid = 0;
  if (waiting->was_running && rt_load(&thread->sampled_pc) &&
      rt_waits_collect(&thread->waits, n))
    count(thread, rt_load(&thread->sampled_pc), rt_load(&thread->sampled_stack),
          n);
  waiting->was_running = true;
}

static void count_waiting(struct rt_thread *thread, int64_t cpu_ns,
                          uint64_t n) {
  struct rt_waiting *waiting = &thread->waiting;
  const uint32_t tid = rt_thread_tid(thread);
  uint64_t sp = 0, pc = 0;

  if (waiting->tid == tid && waiting->cpu_ns == cpu_ns) {
    if (rt_waits_collect(&thread->waits, n))
      count(thread, waiting->pc, waiting->stack, n);
    return;
  }
  const enum state state = check_thread(tid, &sp, &pc);
  if (state == RUNNING) {
    count_running(thread, n);
    return;
  }
  if (state == GONE) {
    rt_waits_stop(&thread->waits);
    return;
  }
  waiting->was_running = false;
  waiting->cpu_ns = cpu_ns;
  waiting->pc = pc; // 0: unknown code
  rt_store(&waiting->tid, tid);
  if (!rt_waits_collect(&thread->waits, n))
    return;
  count_at(pc, n);
  waiting->stack =
      rt_call_stacks_add_waiting(pc, sp, is_still_there, thread, tid, n);
}

/* Either this thread or the one that pauses it finds the other's word set. */
static bool begin_count(void) {
  __atomic_store_n(&is_counting, true, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&is_paused, __ATOMIC_SEQ_CST))
    return true;
  rt_store(&is_counting, false);
  return false;
}

/* Returns whether there are threads to check. */
static bool check_all(void) {
  bool is_any_alive = false;

  for (struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next)) {
    int64_t cpu_ns;
    if (!rt_load(&it->waits.is_on))
      continue;
    const uint64_t n = rt_waits_n_new(&it->waits, &cpu_ns);
    is_any_alive |= cpu_ns >= 0;
    if (n && cpu_ns >= 0 && begin_count()) {
      count_waiting(it, cpu_ns, n);
      rt_store(&is_counting, false);
    }
  }
  return is_any_alive;
}

void rt_waiting_end(struct rt_thread *thread, uint64_t pc, uint32_t stack) {
  const struct rt_waiting *waiting = &thread->waiting;
  const uint64_t n = rt_waits_end(&thread->waits);
  const bool has_waited = rt_load(&waiting->tid) == rt_thread_tid(thread);

  if (n)
    count(thread, has_waited ? waiting->pc : pc,
          has_waited ? waiting->stack : stack, n);
}

void rt_waiting_start(void (*count_samples)(uint64_t pc, uint64_t n)) {
  const int64_t period = rt_trigger_period();

  count_at = count_samples;
  job.work = check_all;
  job.interval_ns = period > MIN_INTERVAL_NS ? period : MIN_INTERVAL_NS;
  rt_helper_start(&job);
}

/* The helper may be stopped, as by a debugger, so there is a limit. */
static void wait_for_count(void) {
  const struct timespec pause = {.tv_nsec = PAUSE_NS};

  for (int i = 0; i < MAX_PAUSES; i++) {
    if (!__atomic_load_n(&is_counting, __ATOMIC_SEQ_CST))
      return;
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  }
}

void rt_waiting_pause(bool wanted) {
  __atomic_store_n(&is_paused, wanted, __ATOMIC_SEQ_CST);
  if (wanted)
    wait_for_count();
}

void rt_waiting_release(void) { rt_helper_stop(); }

void rt_waiting_in_child(void) {
  rt_waiting_pause(false); // the thread that wrote may not be here
  is_counting = false;
  rt_helper_in_child();
}
