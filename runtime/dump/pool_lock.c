/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>

#include "dump/pool_lock.h"
#include "os/os.h"

enum {
  FIRST_PAUSE_NS = 50 * 1000,
  MAX_PAUSE_NS = 10 * 1000 * 1000,
};

/* The lock is never kept for longer than it takes to add. */
#define MAX_WAIT_NS ((uint64_t)30 * 1000 * 1000 * 1000)

bool rt_pool_is_late(uint64_t *until_ns) {
  const uint64_t now = (uint64_t)rt_clock_ns(CLOCK_MONOTONIC);

  if (!*until_ns)
    *until_ns = now + MAX_WAIT_NS;
  return now > *until_ns;
}

long rt_pool_open(const char *path, int flags) {
  const long fd =
      rt_sys(SYS_openat, AT_FDCWD, (long)path,
             flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0, 0);

  return fd == -ELOOP || fd == -EISDIR ? -RT_EFTYPE : fd;
}

/* Signals are blocked: to wait in the kernel could be for ever. */
int rt_pool_lock(long fd, uint64_t *until_ns) {
  struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};

  for (;;) {
    const long rc = rt_sys(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0, 0);
    if (rc != -EWOULDBLOCK && rc != -EINTR)
      return (int)rc;
    if (rt_pool_is_late(until_ns))
      return -ETIMEDOUT;
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
    if (pause.tv_nsec < MAX_PAUSE_NS)
      pause.tv_nsec += pause.tv_nsec / 2;
  }
}
