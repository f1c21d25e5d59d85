/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Opens events by perf_event_open(). No buffer is mapped: the signal is enough.
   The descriptor must stay open, so that it gets a high number, which programs
   hardly use; a program that closes it loses samples only. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "os/os.h"
#include "timers/event.h"

enum { HIGH_FD = 4096 };

static int open_here(struct perf_event_attr *attr) {
  return (int)rt_sys(SYS_perf_event_open, (long)attr, 0, -1, -1,
                     PERF_FLAG_FD_CLOEXEC);
}

/* Moves a descriptor to a number that only programs with thousands of open
   files reach. */
static int move_up(int fd) {
  struct rlimit limit = {.rlim_cur = 0};
  long up = fd;

  rt_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit, 0);
  const long first =
      limit.rlim_cur > 2 * HIGH_FD ? HIGH_FD : (long)(limit.rlim_cur / 2);
  up = rt_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, first, 0, 0);
  if (up < 0)
    return fd;
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return (int)up;
}

static int send_signals(int fd) {
  const struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (int)rt_tid()};
  long rc = rt_sys(SYS_fcntl, fd, F_SETOWN_EX, (long)&owner, 0, 0);

  if (!rc)
    rc = rt_sys(SYS_fcntl, fd, F_SETSIG, SIGPROF, 0, 0);
  if (!rc)
    rc = rt_sys(SYS_fcntl, fd, F_SETFL, O_ASYNC | O_NONBLOCK, 0, 0);
  return (int)rc;
}

int rt_event_open(uint32_t type, uint64_t config, uint64_t period,
                  uint64_t *mark) {
  struct perf_event_attr attr;

  rt_zero(&attr, sizeof(attr));
  attr.type = type;
  attr.size = sizeof(attr);
  attr.config = config;
  attr.sample_period = period;
  attr.disabled = 1;
  attr.exclude_hv = 1;
  attr.wakeup_events = 1;
  int fd = open_here(&attr);
  if ((fd == -EACCES || fd == -EPERM) &&
      config != PERF_COUNT_SW_CONTEXT_SWITCHES) {
    // Without permission for the kernel, user-space counting may still be
    // allowed. Threads are never switched there.
    attr.exclude_kernel = 1;
    fd = open_here(&attr);
  }
  if (fd < 0)
    return fd;
  fd = move_up(fd);
  int rc = (int)rt_sys(SYS_ioctl, fd, PERF_EVENT_IOC_ID, (long)mark, 0, 0);
  if (!rc)
    rc = send_signals(fd);
  if (rc)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return rc ? rc : fd;
}

/* The program may have closed it and opened another file with the number, for
   which this fails without effect. */
static bool is_open(int fd, uint64_t mark) {
  uint64_t now = 0;

  return !rt_sys(SYS_ioctl, fd, PERF_EVENT_IOC_ID, (long)&now, 0, 0) &&
         now == mark;
}

void rt_event_close(int fd, uint64_t mark) {
  if (is_open(fd, mark))
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
}

void rt_event_run(int fd, uint64_t mark, bool is_running) {
  if (is_open(fd, mark))
    rt_sys(SYS_ioctl, fd,
           is_running ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0, 0,
           0);
}

int64_t rt_event_count(int fd, uint64_t mark) {
  int64_t count = -1;

  return is_open(fd, mark) && rt_sys(SYS_read, fd, (long)&count, sizeof(count),
                                     0, 0) == sizeof(count)
             ? count
             : -1;
}
