/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/** A failure of the machine, not of the input. */
static void give_up(const char *what) {
  perror(what);
  _exit(1);
}

//===--- Files in memory --------------------------------------------------===//

static int fds[FUZZ_FILES];
static char paths[FUZZ_FILES][32];

/** Write bytes that are not zero; the rest becomes holes, which cost no
 * time. */
static int write_blocks(int fd, const uint8_t *bytes, size_t n_bytes) {
  enum { BLOCK_BYTES = 4096 };
  static const uint8_t zeros[BLOCK_BYTES];

  for (size_t at = 0; at < n_bytes; at += BLOCK_BYTES) {
    const size_t n = n_bytes - at < BLOCK_BYTES ? n_bytes - at : BLOCK_BYTES;
    if (memcmp(bytes + at, zeros, n) != 0 &&
        pwrite(fd, bytes + at, n, (off_t)at) != (ssize_t)n)
      return -1;
  }
  return ftruncate(fd, (off_t)n_bytes);
}

const char *fuzz_file(unsigned i_file, const uint8_t *bytes, size_t n_bytes) {
  if (!fds[i_file]) {
    fds[i_file] = memfd_create("fuzz", MFD_CLOEXEC);
    if (fds[i_file] < 0)
      give_up("memfd_create");
    snprintf(paths[i_file], sizeof(paths[i_file]), "/proc/self/fd/%d",
             fds[i_file]);
  }
  if (ftruncate(fds[i_file], 0) || write_blocks(fds[i_file], bytes, n_bytes))
    give_up("memfd");
  return paths[i_file];
}

//===--- A folder ---------------------------------------------------------===//

static char folder[4096];
static int folder_fd, home_fd;

/** Remove all files of a folder, and of those in it that commands made: pages
 * are two levels deep. */
static void empty(int fd) {
  const int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *const files = copy < 0 ? NULL : fdopendir(copy);
  if (!files)
    give_up(folder);
  for (struct dirent *file; (file = readdir(files));) {
    if (file->d_type != DT_DIR) {
      unlinkat(fd, file->d_name, 0);
    } else if (file->d_name[0] != '.' && strcmp(file->d_name, "in") != 0) {
      const int inner =
          openat(fd, file->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      empty(inner);
      close(inner);
      unlinkat(fd, file->d_name, AT_REMOVEDIR);
    }
  }
  closedir(files);
}

static void remove_folder(void) {
  const int in_fd = openat(folder_fd, "in", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  empty(in_fd);
  unlinkat(folder_fd, "in", AT_REMOVEDIR);
  empty(folder_fd);
  rmdir(folder);
}

static void make_folder(void) {
  const char *const root = getenv("TMPDIR");
  snprintf(folder, sizeof(folder), "%s/arcline-fuzz-XXXXXX",
           root && *root ? root : "/tmp");
  home_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (home_fd < 0 || !mkdtemp(folder))
    give_up(folder);
  folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_fd < 0 || mkdirat(folder_fd, "in", 0700) ||
      atexit(remove_folder) || !freopen("/dev/null", "w", stdout))
    give_up(folder);
}

void fuzz_folder_enter(void) {
  if (!folder_fd)
    make_folder();
  if (fchdir(folder_fd))
    give_up(folder);
}

void fuzz_folder_link(unsigned i_file, const char *name) {
  char path[64];
  snprintf(path, sizeof(path), "in/%s", name);
  if (symlinkat(paths[i_file], folder_fd, path) && errno != EEXIST)
    give_up(path);
}

void fuzz_folder_leave(void) {
  empty(folder_fd);
  if (fchdir(home_fd))
    give_up("fchdir");
}

//===--- Memory -----------------------------------------------------------===//

void *fuzz_copy(const uint8_t *bytes, size_t n_bytes, int is_text) {
  const size_t n_all = n_bytes + (is_text ? 1 : 0);
  uint8_t *const copy = malloc(n_all ? n_all : 1);

  if (!copy)
    give_up("malloc");
  if (n_bytes)
    memcpy(copy, bytes, n_bytes);
  if (is_text)
    copy[n_bytes] = 0;
  return copy;
}
