/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <sys/syscall.h>

#include "os/os.h"
#include "os/read_write.h"

/* More than signals cause, which are blocked: some file systems return EINTR
   for reasons of their own. */
enum { MAX_INTERRUPTIONS = 1000 };

long rt_read_at(long fd, void *bytes, size_t n_bytes, uint64_t offset) {
  int n_interruptions = 0;
  size_t n = 0;

  while (n < n_bytes) {
    const long rc = rt_sys(SYS_pread64, fd, (long)((char *)bytes + n),
                           (long)(n_bytes - n), (long)(offset + n), 0);
    if (rc == -EINTR && n_interruptions++ < MAX_INTERRUPTIONS)
      continue;
    if (rc < 0)
      return rc;
    if (!rc)
      break;
    n += (size_t)rc;
  }
  return (long)n;
}

int rt_write_at(long fd, const void *bytes, size_t n_bytes, uint64_t offset) {
  int n_interruptions = 0;

  for (size_t n = 0; n < n_bytes;) {
    const long rc = rt_sys(SYS_pwrite64, fd, (long)((const char *)bytes + n),
                           (long)(n_bytes - n), (long)(offset + n), 0);
    if (rc == -EINTR && n_interruptions++ < MAX_INTERRUPTIONS)
      continue;
    if (rc <= 0)
      return rc ? (int)rc : -EIO;
    n += (size_t)rc;
  }
  return 0;
}
