/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The file of a sink. A file with the final name is always complete: we write
   under a temporary name beside it and rename. A target that is no regular file
   is left alone, since opening a FIFO or a device may block or do worse. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dump/file.h"
#include "os/folders.h"
#include "os/libc.h"
#include "os/read_write.h"
#include "os/scratch.h"

enum {
  BUFFER_BYTES = 64 * 1024, /* pages of it that are not used cost nothing */
  PAGE_BYTES = 4096,        /* of the page cache; a guess costs time only */
  MIN_HOLE = 16 * 1024,     /* fewer zeros are written */
  MAX_NAME_PART = 200,      /* of the target's name in the temporary name */
  MAX_TRIES = 16,
};

struct file {
  struct write_sink sink; /* first, so that one pointer serves for both */
  int fd;
  char *temporary; /* RT_MAX_PATH bytes; not here, where they would separate
                      the beginning from the buffer by a page */
  uint8_t buffer[BUFFER_BYTES];
};

static struct file *in_use; /* the caller lets one thread write at a time */

/* Writes the first n bytes of the buffer and moves up the others. */
static void write_first(struct file *file, size_t n) {
  const size_t n_left = (size_t)(file->sink.at - file->buffer) - n;

  if (!file->sink.error)
    file->sink.error =
        rt_write_at(file->fd, file->buffer, n, file->sink.offset);
  file->sink.offset += n;
  rt_copy(file->buffer, file->buffer + n, n_left);
  file->sink.at = file->buffer + n_left;
}

/* Writes whole pages, which is faster, and has room again for all but one. */
static void flush(struct write_sink *sink) {
  struct file *file = (struct file *)sink;
  const uint64_t end = file->sink.offset + (uint64_t)(sink->at - file->buffer);
  const uint64_t whole = end - end % PAGE_BYTES;

  write_first(file, whole > file->sink.offset ? whole - file->sink.offset : 0);
}

static void put_zeros(struct file *file, size_t n) {
  while (n) {
    const size_t room = (size_t)(file->sink.end - file->sink.at);
    const size_t part = n < room ? n : room;
    rt_zero(file->sink.at, part);
    file->sink.at += part;
    n -= part;
    if (n)
      flush(&file->sink);
  }
}

/* Makes a hole of many zeros: a large text without samples has megabytes of
   them. It begins anywhere, and ends with a page. Bytes after the hole are
   always written. */
static void skip(struct write_sink *sink, size_t n) {
  struct file *file = (struct file *)sink;
  const uint64_t at = file->sink.offset + (uint64_t)(sink->at - file->buffer);
  const size_t before = (size_t)(0 - at) % PAGE_BYTES;

  if (n >= MIN_HOLE) {
    const size_t hole = before + (n - before - 1) / PAGE_BYTES * PAGE_BYTES;
    write_first(file, (size_t)(sink->at - file->buffer));
    file->sink.offset += hole;
    n -= hole;
  }
  put_zeros(file, n);
}

static void patch(struct write_sink *sink, uint64_t offset, const void *bytes,
                  size_t n) {
  struct file *file = (struct file *)sink;
  const uint64_t n_left = sink->offset > offset ? sink->offset - offset : 0;
  const size_t n_written = n_left < n ? (size_t)n_left : n;

  if (n_written && !sink->error)
    sink->error = rt_write_at(file->fd, bytes, n_written, offset);
  rt_copy(file->buffer + (offset + n_written - sink->offset),
          (const uint8_t *)bytes + n_written, n - n_written);
}

/* Not one of the first three descriptors, even if they are free: other threads
   may go on writing to them. */
static long open_new(const char *path) {
  const long fd = rt_sys(
      SYS_openat, AT_FDCWD, (long)path,
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0644, 0);

  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  const long other =
      rt_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1, 0, 0);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  if (other < 0)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0);
  return other;
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

/* pid 0: the name has no number but the nonce. */
static void make_name(struct file *file, const char *path, uint64_t pid,
                      uint64_t nonce) {
  struct rt_str str = {.text = file->temporary, .room = RT_MAX_PATH};
  const size_t n_folder = rt_folder_length(path);
  const size_t n_name = rt_length(path + n_folder);

  rt_str_add_n(&str, path, n_folder);
  rt_str_add(&str, ".");
  rt_str_add_n(&str, path + n_folder,
               n_name < MAX_NAME_PART ? n_name : MAX_NAME_PART);
  if (pid) {
    rt_str_add(&str, ".");
    rt_str_add_number(&str, pid);
  }
  rt_str_add(&str, ".");
  rt_str_add_number(&str, nonce);
  rt_str_add(&str, ".tmp");
}

/* Processes of the same id may write to one folder: from other containers, or
   if an earlier process left a file. */
static uint64_t start_of_nonces(void) {
  const void *random = (const void *)rt_auxv(AT_RANDOM);
  uint32_t start = 0;

  if (random)
    __builtin_memcpy(&start, random, sizeof(start));
  return start;
}

static int open_temporary(struct file *file, const char *path,
                          uint64_t locked_inode) {
  static uint32_t n_files;
  const uint64_t first = start_of_nonces() + n_files++;
  bool is_locked = locked_inode;
  bool has_folders = false;
  long fd = -EEXIST;

  for (uint64_t i = 0; i < MAX_TRIES && (fd == -EEXIST || fd == -EINTR); i++) {
    make_name(file, path, is_locked ? 0 : rt_pid(),
              is_locked ? locked_inode : first + i);
    fd = open_new(file->temporary);
    if (fd == -EEXIST && is_locked) // that of a process that was killed
      is_locked =
          !rt_sys(SYS_unlinkat, AT_FDCWD, (long)file->temporary, 0, 0, 0);
    if (fd == -ENOENT && !has_folders) {
      has_folders = true;
      fd = rt_make_folders(path, file->temporary);
      fd = fd ? fd : -EEXIST;
    }
    if (fd == -EMFILE)
      fd = open_new_beyond_limit(file->temporary);
  }
  rt_trim(file->temporary, rt_length(file->temporary) + 1);
  file->fd = (int)fd;
  return fd < 0 ? (int)fd : 0;
}

static int rename_file(const char *from, const char *to, unsigned flags) {
#ifdef SYS_renameat
  if (!flags)
    return (int)rt_sys(SYS_renameat, AT_FDCWD, (long)from, AT_FDCWD, (long)to,
                       0);
#endif
  return (int)rt_sys(SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to,
                     flags);
}

/* File systems that allocate late write a file out at once that replaces
   another one, for the sake of programs that would lose both in a crash of the
   machine; to exchange the two costs a third of that. */
static int replace(const char *temporary, const char *path) {
  int rc = rename_file(temporary, path, RENAME_EXCHANGE);

  if (rc) // not every file system can
    return rename_file(temporary, path, 0);
  rc = (int)rt_sys(SYS_unlinkat, AT_FDCWD, (long)temporary, 0, 0, 0);
  // In the meantime it may have become a folder, which we leave alone.
  if (rc)
    rename_file(temporary, path, RENAME_EXCHANGE);
  return rc;
}

static int move_into_place(const char *temporary, const char *path) {
  static bool is_taken; // the last name was, so this one is likely to be
  struct stat status;

  if (!rt_load(&is_taken) && !rename_file(temporary, path, RENAME_NOREPLACE))
    return 0;
  const long rc = rt_sys(SYS_newfstatat, AT_FDCWD, (long)path, (long)&status,
                         AT_SYMLINK_NOFOLLOW, 0);

  if (rc)
    return rc == -ENOENT ? rename_file(temporary, path, 0) : (int)rc;
  rt_store(&is_taken, true);
  return S_ISREG(status.st_mode) ? replace(temporary, path) : -RT_EFTYPE;
}

/* Renames, or links if the file system has no RENAME_NOREPLACE; fails if the
   name exists. */
static int move_if_free(const char *temporary, const char *path) {
  int rc = rename_file(temporary, path, RENAME_NOREPLACE);

  if (rc != -EINVAL && rc != -ENOSYS)
    return rc;
  rc = (int)rt_sys(SYS_linkat, AT_FDCWD, (long)temporary, AT_FDCWD, (long)path,
                   0);
  if (!rc)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)temporary, 0, 0, 0);
  return rc;
}

static int write_file(const char *path, uint64_t locked_inode,
                      int (*write)(const void *what, struct write_sink *sink),
                      const void *what,
                      int (*move)(const char *temporary, const char *path)) {
  struct file *file = rt_buffer(sizeof(*file));
  char *temporary = rt_alloc_text(RT_MAX_PATH);
  int rc = -ENOMEM;

  if (!file || !temporary)
    goto out;
  file->temporary = temporary;
  file->sink = (struct write_sink){.first = file->buffer,
                                   .at = file->buffer,
                                   .end = file->buffer + BUFFER_BYTES,
                                   .flush = flush,
                                   .put_zeros = skip,
                                   .patch = patch};
  rc = open_temporary(file, path, locked_inode);
  if (rc)
    goto out;
  rt_store(&in_use, file);
  rc = write(what, &file->sink);
  if (!rc) {
    write_first(file, (size_t)(file->sink.at - file->buffer));
    rc = file->sink.error;
  }
  // After close() with an error the descriptor is gone all the same.
  const int close_rc = (int)rt_sys(SYS_close, file->fd, 0, 0, 0, 0);
  if (!rc && close_rc != -EINTR)
    rc = close_rc;
  if (!rc)
    rc = move(file->temporary, path);
  if (rc)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)file->temporary, 0, 0, 0);
  rt_store(&in_use, NULL);
out:
  rt_free(temporary, RT_MAX_PATH);
  rt_free(file, sizeof(*file));
  return rc;
}

int rt_file_write(const char *path,
                  int (*write)(const void *what, struct write_sink *sink),
                  const void *what) {
  return write_file(path, 0, write, what, move_into_place);
}

int rt_file_replace(const char *path, uint64_t locked_inode,
                    int (*write)(const void *what, struct write_sink *sink),
                    const void *what) {
  return write_file(path, locked_inode, write, what, move_into_place);
}

int rt_file_create(const char *path,
                   int (*write)(const void *what, struct write_sink *sink),
                   const void *what) {
  return write_file(path, 0, write, what, move_if_free);
}

void rt_file_give_up(void) {
  const struct file *file = rt_load(&in_use);

  if (file)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)file->temporary, 0, 0, 0);
}
