/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* To be preloaded: when the file that $CUT names is mapped, it is truncated
   after its first page. No other file is changed. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *at, size_t n_bytes, int protection, int flags, int fd,
           off_t offset) {
  void *const bytes =
      (void *)syscall(SYS_mmap, at, n_bytes, protection, flags, fd, offset);
  const char *const path = getenv("CUT");
  struct stat mapped, named;

  if (fd >= 0 && path && fstat(fd, &mapped) == 0 && stat(path, &named) == 0 &&
      mapped.st_dev == named.st_dev && mapped.st_ino == named.st_ino &&
      truncate(path, 4096))
    abort();
  return bytes;
}
