/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The file itself is locked, and replaced while it is: who waited for the lock
   of a file that is no more the one at path starts over. So there are no lock
   files, and the lock of a process that is killed goes with it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "dump/file.h"
#include "dump/pool_lock.h"
#include "dump/pool_side.h"
#include "dump/pool_words.h"
#include "os/os.h"
#include "os/read_write.h"
#include "os/scratch.h"
#include "sum/side_sum.h"
#include "write/byte_sink.h"

enum {
  FIRST_BYTES = 64 << 10
}; /* holds most; pages that are not used cost
      nothing */

// --- Files in memory ---

static uint8_t *resize(uint8_t *bytes, size_t n_used, size_t n_bytes,
                       size_t n_new) {
  uint8_t *fresh = rt_alloc(n_new);

  if (!fresh)
    return NULL;
  rt_copy(fresh, bytes, n_used);
  rt_free(bytes, n_bytes);
  return fresh;
}

static int begin(struct write_byte_sink *sink, size_t n_bytes) {
  uint8_t *bytes = rt_alloc(n_bytes);

  if (!bytes)
    return -ENOMEM;
  write_byte_sink_init(sink, bytes, n_bytes, resize, -ENOMEM);
  return 0;
}

static void release(struct write_byte_sink *bytes) {
  rt_free(bytes->sink.first, (size_t)(bytes->sink.end - bytes->sink.first));
}

// --- Sums ---

static const struct sum_side_options side_options = {
    .memory = {rt_alloc, rt_free}};

static int error_of(const struct sum_flaw *flaw,
                    const struct write_sink *sink) {
  switch (flaw->reason) {
  case SUM_FINE:
    return 0;
  case SUM_NO_MEMORY:
    return -ENOMEM;
  case SUM_CANNOT_WRITE:
    return sink->error;
  default:
    return -RT_EINCOMPATIBLE;
  }
}

static int put_sum(const void *what, struct write_sink *sink) {
  struct sum_flaw flaw;

  sum_side(what, &side_options, sink, &flaw);
  return error_of(&flaw, sink);
}

// --- The file ---

static long open_pool(const char *path) {
  // Some network file systems lock only what may be written to.
  const long fd = rt_pool_open(path, O_RDWR);

  return fd == -EACCES || fd == -EROFS ? rt_pool_open(path, O_RDONLY) : fd;
}

/* Is it still the file at path? */
static bool is_at(const struct stat *status, const char *path) {
  struct stat there;

  return rt_sys(SYS_newfstatat, AT_FDCWD, (long)path, (long)&there,
                AT_SYMLINK_NOFOLLOW, 0) == 0 &&
         there.st_dev == status->st_dev && there.st_ino == status->st_ino;
}

/* Adds to the file of that descriptor, which is locked. files: the present one,
   and the one to add. */
static int add_to(long fd, const struct stat *status, const char *path,
                  struct sum_file files[2]) {
  const size_t n_bytes = (size_t)status->st_size;

  if (!S_ISREG(status->st_mode))
    return -RT_EFTYPE;
  if (!n_bytes)
    return -RT_EINCOMPATIBLE;
  uint8_t *bytes = rt_alloc(n_bytes);
  if (!bytes)
    return -ENOMEM;
  const long n = rt_read_at(fd, bytes, n_bytes, 0);
  files[0] = (struct sum_file){.bytes = bytes, .n_bytes = n_bytes};
  const int rc = n < 0 ? (int)n
                 : (size_t)n != n_bytes
                     ? -RT_EINCOMPATIBLE // cut off meanwhile
                     : rt_file_replace(path, status->st_ino, put_sum, files);
  rt_free(bytes, n_bytes);
  return rc;
}

/* Returns -EAGAIN if another process was quicker. */
static int try(const char *path, struct sum_file files[2], uint64_t *until_ns) {
  const long fd = open_pool(path);
  struct stat status;
  int rc;

  if (fd == -ENOENT) {
    files[0] = (struct sum_file){0};
    rc = rt_file_create(path, put_sum, files);
    return rc == -EEXIST ? -EAGAIN : rc;
  }
  if (fd < 0)
    return (int)fd;
  rc = rt_pool_lock(fd, until_ns);
  if (!rc)
    rc = (int)rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0);
  if (!rc)
    rc = is_at(&status, path) ? add_to(fd, &status, path, files) : -EAGAIN;
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return rc;
}

int rt_pool_side_add(const char *path,
                     int (*write)(const void *what, struct write_sink *sink),
                     const void *what) {
  uint64_t until_ns = 0;
  struct write_byte_sink own;
  struct sum_file files[2];
  int rc = begin(&own, FIRST_BYTES);

  if (rc)
    return rc;
  rc = write(what, &own.sink);
  if (!rc) {
    files[1] =
        (struct sum_file){.bytes = own.sink.first,
                          .n_bytes = (size_t)(own.sink.at - own.sink.first)};
    do
      rc = try(path, files, &until_ns);
    while (rc == -EAGAIN && !rt_pool_is_late(&until_ns));
  }
  release(&own);
  return rc == -EAGAIN ? -ETIMEDOUT : rc;
}
