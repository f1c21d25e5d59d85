/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* No descriptor is kept, which the program might close and get back for a file
   of its own: to grow, the file is opened again by its path and compared by
   device and inode. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "live/live_file.h"
#include "os/folders.h"
#include "os/read_write.h"

enum { MAX_TRIES = 16 };

int rt_live_file_allocate(int fd, uint64_t offset, const void *zeros,
                          size_t n_bytes) {
  int rc = -EINTR;

  while (rc == -EINTR)
    rc = (int)rt_sys(SYS_fallocate, fd, 0, (long)offset, (long)n_bytes, 0);
  if (rc != -EOPNOTSUPP && rc != -ENOSYS)
    return rc;
  return rt_write_at(fd, zeros, n_bytes, offset);
}

static int open_file(const char *path, int flags) {
  int fd = -EINTR;

  for (unsigned i = 0; i < MAX_TRIES && fd == -EINTR; i++)
    fd = (int)rt_sys(SYS_openat, AT_FDCWD, (long)path,
                     O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | flags, 0600,
                     0);
  return fd;
}

/* Makes the folders, too, that it is to be in. */
static int open_new(const char *path) {
  char scratch[RT_MAX_PATH];
  const int fd = open_file(path, O_CREAT | O_EXCL);

  if (fd != -ENOENT)
    return fd;
  const long error = rt_make_folders(path, scratch);
  return error ? (int)error : open_file(path, O_CREAT | O_EXCL);
}

int rt_live_file_open(const struct rt_live_file *file) {
  struct stat status;
  const int fd = open_file(file->path, O_NONBLOCK);

  if (fd < 0)
    return fd;
  if (rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0) == 0 &&
      status.st_dev == file->device && status.st_ino == file->inode)
    return fd;
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return -ENOENT;
}

/* Begins path with the file's absolute name. */
static void make_name(const struct rt_settings *settings, unsigned n_before,
                      struct rt_str *path) {
  char name[RT_MAX_PATH];
  struct rt_str str = {.text = name, .room = sizeof(name)};

  name[0] = '\0';
  rt_settings_name(settings, &(const struct rt_name){.suffix = "", .kind = ""},
                   &str);
  if (name[0] != '/' &&
      rt_sys(SYS_getcwd, (long)path->text, (long)path->room, 0, 0, 0) > 0) {
    path->length = rt_length(path->text);
    rt_str_add(path, "/");
  }
  path->is_cut |= str.is_cut;
  rt_str_add(path, name);
  rt_str_add(path, ".live.");
  rt_str_add_number(path, (uint64_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0));
  if (n_before) {
    rt_str_add(path, ".");
    rt_str_add_number(path, n_before);
  }
}

/* Does the profile's name belong to something that is no regular file? path:
   scratch. */
static bool has_wrong_target(const struct rt_settings *settings,
                             struct rt_live_file *file) {
  struct rt_str path = {.text = file->path, .room = sizeof(file->path)};
  struct stat status;

  rt_settings_name(settings, &(const struct rt_name){.suffix = "", .kind = ""},
                   &path);
  return rt_sys(SYS_newfstatat, AT_FDCWD, (long)file->path, (long)&status,
                AT_SYMLINK_NOFOLLOW, 0) == 0 &&
         !S_ISREG(status.st_mode);
}

int rt_live_file_create(const struct rt_settings *settings,
                        struct rt_live_file *file) {
  struct stat status;
  int fd = -EEXIST;

  // No profile could be written, and /dev is not the place for ours.
  if (has_wrong_target(settings, file))
    return -RT_EFTYPE;
  // A program that executes itself finds what it counted before.
  for (unsigned i = 0; i < MAX_TRIES && fd == -EEXIST; i++) {
    struct rt_str path = {.text = file->path, .room = sizeof(file->path)};
    file->n_before = i;
    make_name(settings, i, &path);
    fd = path.is_cut ? -ENAMETOOLONG : open_new(file->path);
  }
  if (fd < 0)
    return fd;
  rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  return fd;
}

int rt_live_file_move_in(int fd, uint64_t offset, void *memory, size_t bytes) {
  int rc = rt_live_file_allocate(fd, offset, memory, bytes);

  if (!rc)
    rc = rt_write_at(fd, memory, bytes, offset);
  return rc ? rc : rt_map_file(fd, offset, memory, bytes);
}

void rt_live_file_remove(const struct rt_live_file *file) {
  struct stat status;

  if (rt_sys(SYS_newfstatat, AT_FDCWD, (long)file->path, (long)&status,
             AT_SYMLINK_NOFOLLOW, 0) == 0 &&
      status.st_dev == file->device && status.st_ino == file->inode)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)file->path, 0, 0, 0);
}
