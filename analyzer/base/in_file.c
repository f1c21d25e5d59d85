/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/in_file.h"

#include "base/file_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Files in use; NULL: those of the machine. */
static const struct file_set *current;

static struct {
  in_file_opened *function; // NULL: none
  void *context;
} watcher;

void in_file_use(const struct file_set *files) { current = files; }

const struct file_set *in_file_used(void) { return current; }

void in_file_watch(in_file_opened *function, void *context) {
  watcher.function = function;
  watcher.context = context;
}

static bool is_of_kind(const struct stat *status, enum in_file_kind kind) {
  if (S_ISREG(status->st_mode) ||
      (kind == IN_FILE_PIPE && S_ISFIFO(status->st_mode)))
    return true;
  errno = S_ISDIR(status->st_mode) ? EISDIR : EINVAL;
  return false;
}

/** Open a file of the machine. */
static int open_own(const char *path, enum in_file_kind kind,
                    struct stat *status) {
  if (stat(path, status) || !is_of_kind(status, kind))
    return -1;
  // The name may lead to another file by now: check again, and never block.
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return -1;
  const int flags = fcntl(fd, F_GETFL);
  if (fstat(fd, status) == 0 && is_of_kind(status, kind) && flags >= 0 &&
      fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0)
    return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static int open_any(const char *path, enum in_file_kind kind,
                    struct stat *status) {
  if (!current || kind == IN_FILE_OWN)
    return open_own(path, kind, status);
  const int fd = file_set_open(current, path, status);
  return fd < 0 && errno == ENOENT && kind == IN_FILE_SOURCE
             ? open_own(path, kind, status)
             : fd;
}

int in_file_open(const char *path, enum in_file_kind kind,
                 struct stat *status) {
  const int fd = open_any(path, kind, status);
  if (fd >= 0 && watcher.function && kind != IN_FILE_OWN)
    watcher.function(watcher.context, path, kind);
  return fd;
}

ssize_t in_file_read(int fd, void *bytes, size_t n_bytes) {
  size_t n_read = 0;

  while (n_read < n_bytes) {
    const ssize_t n = read(fd, (char *)bytes + n_read, n_bytes - n_read);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    n_read += (size_t)n;
  }
  return (ssize_t)n_read;
}

ssize_t in_file_start(const char *path, void *bytes, size_t n_bytes,
                      struct stat *status) {
  const int fd = open_any(path, IN_FILE_REGULAR, status);

  if (fd < 0)
    return -1;
  const ssize_t n = in_file_read(fd, bytes, n_bytes);
  const int error = errno;
  close(fd);
  errno = error;
  return n;
}

const char *in_file_reason(int error) {
  return error == EINVAL ? "not a regular file" : strerror(error);
}

int in_file_access(const char *path, int mode) {
  struct stat status;
  return current ? file_set_status(current, path, &status) : access(path, mode);
}

int in_file_status(const char *path, struct stat *status) {
  return current ? file_set_status(current, path, status) : stat(path, status);
}

char *in_file_real(const char *path) {
  return current ? file_set_real(current, path) : realpath(path, NULL);
}

char *in_file_folder(void) {
  if (!current)
    return getcwd(NULL, 0);
  return strdup(current->folder ? current->folder : "/");
}
