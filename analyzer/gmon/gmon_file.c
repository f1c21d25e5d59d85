/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/gmon_file.h"

#include "base/err.h"
#include "base/in_file.h"
#include "gmon/pool_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

// Limits for streams, whose size is unknown and may be endless.
enum { FIRST_BYTES = 1 << 16, MAX_STREAM_BYTES = 1 << 30 };

enum { LOCK_WAIT_NS = 1000 * 1000, MAX_LOCK_WAITS = 5000 };

/** Read a file of known size: the bytes that it had when it was opened, however
 * fast it grows. Returns 0 or -1 with errno set. */
static int read_regular(int fd, size_t n_bytes, struct gmon_file *out) {
  out->bytes = malloc(n_bytes + 1);
  if (!out->bytes)
    return -1;
  const ssize_t n = in_file_read(fd, out->bytes, n_bytes);
  if (n >= 0)
    out->n_bytes = (size_t)n;
  return n < 0 ? -1 : 0;
}

/** Lock a pool, to which processes may be adding: a reader sees all of an
 * addition, or none. One that is stopped, or a file system without locks, does
 * not keep it from reading for ever. */
static void lock_pool(int fd, struct stat *status) {
  uint8_t bytes[ARCLINE_POOL_MAGIC_BYTES];
  const struct timespec pause = {.tv_nsec = LOCK_WAIT_NS};
  const struct gmon_file begin = {.bytes = bytes, .n_bytes = sizeof(bytes)};

  if (pread(fd, bytes, sizeof(bytes), 0) != sizeof(bytes) ||
      !pool_is_pool_file(&begin))
    return;
  for (int i = 0; i < MAX_LOCK_WAITS && flock(fd, LOCK_SH | LOCK_NB) != 0 &&
                  errno == EWOULDBLOCK;
       i++)
    nanosleep(&pause, NULL);
  fstat(fd, status);
}

/** Read until the end comes. Returns 0 or -1 with errno set. */
static int read_stream(int fd, struct gmon_file *out) {
  size_t capacity = 0;

  for (;;) {
    const size_t more = capacity ? 2 * capacity : FIRST_BYTES;
    uint8_t *bytes = more > MAX_STREAM_BYTES ? NULL : realloc(out->bytes, more);
    if (!bytes) {
      errno = more > MAX_STREAM_BYTES ? EFBIG : ENOMEM;
      return -1;
    }
    out->bytes = bytes;
    capacity = more;
    const ssize_t n =
        in_file_read(fd, out->bytes + out->n_bytes, capacity - out->n_bytes);
    if (n < 0)
      return -1;
    out->n_bytes += (size_t)n;
    if (out->n_bytes < capacity)
      return 0;
  }
}

int gmon_file_load(const char *path, struct gmon_file *out, struct err *err) {
  const bool is_stdin = strcmp(path, "-") == 0;
  struct stat status;
  int rc = -1;

  *out = (struct gmon_file){.path = path};
  const int fd =
      is_stdin ? STDIN_FILENO : in_file_open(path, IN_FILE_PIPE, &status);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                   errno == EINVAL ? "neither a regular file nor a pipe"
                                   : strerror(errno));
  const bool is_stream = is_stdin || !S_ISREG(status.st_mode);
  if (!is_stream)
    lock_pool(fd, &status);
  rc = is_stream ? read_stream(fd, out)
                 : read_regular(fd, (size_t)status.st_size, out);
  if (rc)
    err_set(err, errno == ENOMEM ? ERR_SYSTEM : ERR_INPUT,
            "%s: cannot read: %s", path, strerror(errno));
  else if (!is_stdin && is_stream && out->n_bytes == 0)
    rc = err_set(err, ERR_INPUT, "%s: pipe has no writer", path);
  if (!is_stdin)
    close(fd);
  if (rc)
    gmon_file_release(out);
  return rc;
}

void gmon_file_release(struct gmon_file *file) {
  free(file->bytes);
  *file = (struct gmon_file){0};
}
