/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The file behind a sink. What has the final name is always a whole file: we
   write under a temporary name beside it and rename. A target that is no
   regular file is left alone, since opening a FIFO or a device may block or
   do worse. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "file.h"
#include "os.h"

enum {
  BUFFER_BYTES = 256 * 1024,
  MAX_NAME_PART = 200, /* of the target's name in the temporary name */
  MAX_TRIES = 16,
};

struct file {
  struct rt_sink sink; /* first, so that one pointer serves for both */
  int fd;
  size_t n_buffered;
  char temporary[RT_MAX_PATH];
  uint8_t buffer[BUFFER_BYTES];
};

static int write_fully(int fd, const uint8_t *bytes, size_t n) {
  while (n) {
    const long written = rt_sys(SYS_write, fd, (long)bytes, (long)n, 0, 0);
    if (written == -EINTR)
      continue;
    if (written <= 0)
      return written ? (int)written : -EIO;
    bytes += written;
    n -= (size_t)written;
  }
  return 0;
}

static int flush(struct file *file) {
  const int rc = write_fully(file->fd, file->buffer, file->n_buffered);

  file->n_buffered = 0;
  return rc;
}

static int put(struct rt_sink *sink, const void *bytes, size_t n) {
  struct file *file = (struct file *)sink;
  const uint8_t *from = bytes;

  while (n) {
    const size_t room = BUFFER_BYTES - file->n_buffered;
    const size_t part = n < room ? n : room;
    rt_copy(file->buffer + file->n_buffered, from, part);
    file->n_buffered += part;
    from += part;
    n -= part;
    if (file->n_buffered == BUFFER_BYTES) {
      const int rc = flush(file);
      if (rc)
        return rc;
    }
  }
  return 0;
}

static long open_new(const char *path) {
  return rt_sys(SYS_openat, AT_FDCWD, (long)path,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY,
                0666, 0);
}

/* As open_new(), with all the descriptors that the hard limit allows. */
static long open_new_beyond_limit(const char *path) {
  struct rlimit old;
  long fd = -EMFILE;

  if (rt_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&old, 0) ||
      old.rlim_cur == old.rlim_max)
    return fd;
  const struct rlimit raised = {.rlim_cur = old.rlim_max,
                                .rlim_max = old.rlim_max};
  if (rt_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&raised, 0, 0))
    return fd;
  fd = open_new(path);
  rt_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&old, 0, 0);
  return fd;
}

static void make_name(struct file *file, const char *path, uint64_t nonce) {
  struct rt_str str = {.text = file->temporary, .room = RT_MAX_PATH};
  size_t n_folder = rt_length(path);
  const size_t length = n_folder;

  while (n_folder && path[n_folder - 1] != '/')
    n_folder--;
  rt_str_add_n(&str, path, n_folder);
  rt_str_add(&str, ".");
  rt_str_add_n(&str, path + n_folder,
               length - n_folder < MAX_NAME_PART ? length - n_folder
                                                 : MAX_NAME_PART);
  rt_str_add(&str, ".");
  rt_str_add_number(&str, (uint64_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0));
  rt_str_add(&str, ".");
  rt_str_add_number(&str, nonce);
  rt_str_add(&str, ".tmp");
}

static int open_temporary(struct file *file, const char *path) {
  struct timespec now = {0};
  long fd = -EEXIST;

  rt_sys(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0);
  for (int i = 0; i < MAX_TRIES && (fd == -EEXIST || fd == -EINTR); i++) {
    make_name(file, path, (uint64_t)now.tv_nsec + (uint64_t)i);
    fd = open_new(file->temporary);
    if (fd == -EMFILE)
      fd = open_new_beyond_limit(file->temporary);
  }
  file->fd = (int)fd;
  return fd < 0 ? (int)fd : 0;
}

static int move_into_place(const char *temporary, const char *path) {
  struct stat status;
  const long rc = rt_sys(SYS_newfstatat, AT_FDCWD, (long)path, (long)&status,
                         AT_SYMLINK_NOFOLLOW, 0);

  if (rc && rc != -ENOENT)
    return (int)rc;
  if (!rc && !S_ISREG(status.st_mode))
    return -RT_EFTYPE;
  return (int)rt_sys(SYS_renameat, AT_FDCWD, (long)temporary, AT_FDCWD,
                     (long)path, 0);
}

int rt_file_write(const char *path,
                  int (*write)(const void *what, struct rt_sink *sink),
                  const void *what) {
  struct file *file = rt_map(sizeof *file);
  int rc = -ENOMEM;

  if (!file)
    return rc;
  file->sink.put = put;
  rc = open_temporary(file, path);
  if (rc)
    goto out;
  rc = write(what, &file->sink);
  if (!rc)
    rc = flush(file);
  // After close() with an error the descriptor is gone all the same.
  const int close_rc = (int)rt_sys(SYS_close, file->fd, 0, 0, 0, 0);
  if (!rc && close_rc != -EINTR)
    rc = close_rc;
  if (!rc)
    rc = move_into_place(file->temporary, path);
  if (rc)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)file->temporary, 0, 0, 0);
out:
  rt_unmap(file, sizeof *file);
  return rc;
}
