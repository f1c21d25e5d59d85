/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sources are waitid() for a child, which works even after the program has read
   its status, and kill() and /proc for others, whose stat is described in the
   kernel's filesystems/proc.rst. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "os/libc.h"
#include "os/os.h"
#include "os/process_state.h"

enum {
  STAT_BYTES = 1024,
  /* Words of stat after the name, from 1. */
  STATE_WORD = 1,
  N_THREADS_WORD = 18,
  START_WORD = 20,
  STATUS_WORD = 50,
  SLACK_TICKS = 2,
  SIGNAL_MASK = 0x7f, /* of a status as wait() returns it */
  MAX_PID = 4 << 20,  /* PID_MAX_LIMIT of the kernel */
};

struct stat_words {
  char state;
  uint64_t n_threads;
  uint64_t start;  /* in ticks since the system was started */
  uint64_t status; /* of a zombie, as wait() returns it; 0: no permission */
};

/* Returns the number of bytes, or a negative errno. pid 0: of this process. */
static long read_stat(uint32_t pid, char *text) {
  struct rt_str path = {.text = text, .room = STAT_BYTES};

  rt_str_add(&path, "/proc/");
  if (pid)
    rt_str_add_number(&path, pid);
  else
    rt_str_add(&path, "self");
  rt_str_add(&path, "/stat");
  const long fd =
      rt_sys(SYS_openat, AT_FDCWD, (long)text, O_RDONLY | O_CLOEXEC, 0, 0);
  if (fd < 0)
    return fd;
  const long n = rt_sys(SYS_read, fd, (long)text, STAT_BYTES, 0, 0);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return n;
}

static uint64_t number_at(const char *text, long at, long n) {
  uint64_t number = 0;

  for (; at < n && text[at] >= '0' && text[at] <= '9'; at++)
    number = number * 10 + (uint64_t)(text[at] - '0');
  return number;
}

static bool find_words(uint32_t pid, struct stat_words *words) {
  char text[STAT_BYTES];
  const long n = read_stat(pid, text);
  long at = n;
  int i_word = 0;

  *words = (struct stat_words){0};
  // The name is in parentheses and may have some.
  while (at > 0 && text[at - 1] != ')')
    at--;
  for (; at > 0 && at + 1 < n; at++) {
    if (text[at] != ' ')
      continue;
    i_word++;
    if (i_word == STATE_WORD)
      words->state = text[at + 1];
    else if (i_word == N_THREADS_WORD)
      words->n_threads = number_at(text, at + 1, n);
    else if (i_word == START_WORD)
      words->start = number_at(text, at + 1, n);
    else if (i_word == STATUS_WORD)
      words->status = number_at(text, at + 1, n);
  }
  return i_word > START_WORD;
}

static bool is_there(uint32_t pid) {
  return rt_sys(SYS_kill, (long)pid, 0, 0, 0, 0) != -ESRCH;
}

/* /proc may belong to another PID namespace. */
static bool has_own_proc(void) {
  char text[24];
  const long n = rt_sys(SYS_readlinkat, AT_FDCWD, (long)"/proc/self",
                        (long)text, sizeof(text), 0);

  return n > 0 && number_at(text, 0, n) == rt_pid();
}

/* Of a process that is not or no longer a child. The first thread may have
   ended long before the others. */
static enum rt_process_state state_of_other(uint32_t pid, uint64_t ticks) {
  struct stat_words words;

  if (!is_there(pid))
    return RT_PROCESS_HAS_ENDED;
  if (!find_words(pid, &words)) // its status may have been read since
    return is_there(pid) ? RT_PROCESS_RUNS : RT_PROCESS_HAS_ENDED;
  const bool is_zombie =
      (words.state == 'Z' || words.state == 'X') && words.n_threads <= 1;
  const bool is_another = ticks && words.start > ticks;
  if ((!is_zombie && !is_another) || !has_own_proc())
    return RT_PROCESS_RUNS;
  return !is_another && words.status & SIGNAL_MASK ? RT_PROCESS_WAS_KILLED
                                                   : RT_PROCESS_HAS_ENDED;
}

static enum rt_process_state state_of(const siginfo_t *status) {
  if (!status->si_pid)
    return RT_PROCESS_RUNS;
  return status->si_code == CLD_EXITED ? RT_PROCESS_HAS_ENDED
                                       : RT_PROCESS_WAS_KILLED;
}

enum rt_process_state rt_process_state(uint32_t pid, bool is_child,
                                       uint64_t ticks) {
  const long flags = WEXITED | WNOHANG | WNOWAIT;
  siginfo_t status = {.si_pid = 0};

  // From memory that a relative has written over. To system calls these numbers
  // are groups of processes, which run.
  if (pid == 0 || pid > MAX_PID)
    return RT_PROCESS_HAS_ENDED;
  long rc =
      rt_sys(SYS_waitid, P_PID, (long)pid, (long)&status, flags | __WALL, 0);

  if (rc == -EINVAL) // before Linux 4.7
    rc = rt_sys(SYS_waitid, P_PID, (long)pid, (long)&status, flags, 0);
  // A running child may have the number of an earlier process that was not a
  // child.
  if (rc == 0 && (status.si_pid || is_child || !ticks))
    return state_of(&status);
  return rc == -ECHILD && is_child ? RT_PROCESS_HAS_ENDED
                                   : state_of_other(pid, ticks);
}

uint64_t rt_ticks(void) {
  static uint64_t per_second; // a child has its parent's, without asking libc
  struct timespec now;

  if (!per_second)
    per_second = rt_auxv(AT_CLKTCK);
  if (!per_second ||
      rt_sys(SYS_clock_gettime, CLOCK_BOOTTIME, (long)&now, 0, 0, 0))
    return 0;
  return (uint64_t)now.tv_sec * per_second +
         (uint64_t)now.tv_nsec / (1000000000 / per_second);
}

uint64_t rt_own_start_ticks(void) {
  struct stat_words words;

  return find_words(0, &words) ? words.start : 0;
}

static int64_t nanoseconds_of(const struct timespec *time) {
  return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

/* The earliest time since 1970, in nanoseconds, that a file has which was
   written since the process started; 0 if unknown. The kernel's clock of files
   is that of its last tick. */
static int64_t earliest_time(uint32_t pid) {
  struct stat_words words;
  struct timespec now;

  if (!find_words(pid, &words))
    return 0;
  const uint64_t now_ticks = rt_ticks();
  const uint64_t per_second = rt_auxv(AT_CLKTCK);
  if (!words.start || words.start > now_ticks || !per_second ||
      rt_sys(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0))
    return 0;
  const uint64_t age = now_ticks - words.start + SLACK_TICKS;
  return nanoseconds_of(&now) -
         (int64_t)(age / per_second) * INT64_C(1000000000) -
         (int64_t)(age % per_second * (1000000000 / per_second));
}

bool rt_is_since_start(const struct timespec *time) {
  const int64_t earliest = earliest_time(0);

  return earliest && nanoseconds_of(time) >= earliest;
}

bool rt_is_before_start_of(uint32_t pid, const struct timespec *time) {
  const int64_t earliest = has_own_proc() ? earliest_time(pid) : 0;

  return earliest && nanoseconds_of(time) < earliest;
}

static uint64_t limit_of(int resource) {
  struct rlimit limit = {0};

  if (rt_sys(SYS_prlimit64, 0, resource, 0, (long)&limit, 0))
    return 0;
  return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

uint64_t rt_address_space(void) { return limit_of(RLIMIT_AS); }

bool rt_is_address_space_small(void) {
  static uint64_t n_bytes; /* 0: not known yet */

  if (!n_bytes) {
    const uint64_t n_data_bytes = limit_of(RLIMIT_DATA);
    n_bytes = limit_of(RLIMIT_AS);
    n_bytes = n_data_bytes < n_bytes ? n_data_bytes : n_bytes;
  }
  return n_bytes < (uint64_t)512 << 20;
}
