/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file_set.h"

#include "base/array.h"
#include "base/err.h"
#include "base/path_clean.h"
#include "base/sorted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  LARGE_BYTES = 1 << 20, // from here on, a file has a descriptor
  BLOCK_BYTES = 4096,
};

// --- Names ---

/** Order in which a folder is walked: a slash precedes all other bytes, so that
 * the files of a folder are together. */
static int compare_names(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  const int x = *a == '/' ? 1 : (unsigned char)*a + (*a != '\0');
  const int y = *b == '/' ? 1 : (unsigned char)*b + (*b != '\0');
  return x - y;
}

static int compare_files(const void *left, const void *right) {
  const struct file_set_file *const a = left, *const b = right;
  return compare_names(a->name, b->name);
}

/** Compares a file with a name. */
static int compare_with_name(const void *left, const void *right,
                             const void *context) {
  const struct file_set_file *const file = left;
  (void)context;
  return compare_names(file->name, right);
}

/** Make a name absolute and clean; to free(), NULL (no memory). */
static char *whole_name(const struct file_set *set, const char *name) {
  char *whole;
  if (name[0] == '/')
    whole = strdup(name);
  else if (asprintf(&whole, "%s/%s", set->folder ? set->folder : "", name) < 0)
    whole = NULL;
  if (whole)
    path_clean(whole);
  return whole;
}

/** The first file whose name does not precede this one. */
static size_t lower_bound(const struct file_set *set, const char *name) {
  return sorted_count_before(set->files, set->n_files, sizeof(*set->files),
                             name, compare_with_name, NULL);
}

/** The rest of a name below a folder; NULL: it is not there. */
static const char *below(const char *name, const char *folder) {
  const size_t n = strlen(folder);
  if (strncmp(name, folder, n) != 0)
    return NULL;
  if (n && folder[n - 1] == '/')
    return name + n;
  return name[n] == '/' ? name + n + 1 : NULL;
}

/** The first file below a folder; n_files: none. */
static size_t first_below(const struct file_set *set, const char *folder) {
  size_t i = lower_bound(set, folder);
  if (i < set->n_files && strcmp(set->files[i].name, folder) == 0)
    i++;
  return i < set->n_files && below(set->files[i].name, folder) ? i
                                                               : set->n_files;
}

/** Find a file. Returns NULL with errno set. */
static const struct file_set_file *find(const struct file_set *set,
                                        const char *name) {
  char *const whole = whole_name(set, name);
  if (!whole) {
    errno = ENOMEM;
    return NULL;
  }
  const size_t i = lower_bound(set, whole);
  const struct file_set_file *file = NULL;
  if (i < set->n_files && strcmp(set->files[i].name, whole) == 0)
    file = &set->files[set->files[i].i_target];
  else
    errno = first_below(set, whole) < set->n_files ? EISDIR : ENOENT;
  const int error = errno;
  free(whole);
  errno = error;
  return file;
}

// --- Adding ---

static struct file_set_file *add(struct file_set *set, const char *name,
                                 struct err *err) {
  struct file_set_file *const files = array_grow(
      set->files, set->n_files, &set->max_files, sizeof(*set->files));
  if (files)
    set->files = files;
  char *const copy = files ? strdup(name) : NULL;
  if (!copy) {
    err_no_memory(err);
    return NULL;
  }
  struct file_set_file *const file = &files[set->n_files];
  *file = (struct file_set_file){.name = copy, .fd = -1};
  set->n_files++;
  return file;
}

static int make_descriptor(const char *name, uint64_t n_bytes,
                           struct err *err) {
  const int fd = memfd_create("arcline", MFD_CLOEXEC);
  if (fd >= 0 && ftruncate(fd, (off_t)n_bytes) == 0)
    return fd;
  err_set(err, ERR_SYSTEM, "%s: cannot make a file in memory: %s", name,
          strerror(errno));
  if (fd >= 0)
    close(fd);
  return -1;
}

int file_set_begin(struct file_set *set, const char *name, uint64_t n_bytes,
                   int64_t written, struct err *err) {
  struct file_set_file *const file = add(set, name, err);
  if (!file)
    return -1;
  file->n_bytes = n_bytes;
  file->written = written;
  if (n_bytes < LARGE_BYTES) {
    set->n_in_memory += n_bytes;
    file->bytes = malloc((size_t)n_bytes + 1);
    return file->bytes ? 0 : err_no_memory(err);
  }
  file->fd = make_descriptor(name, n_bytes, err);
  return file->fd < 0 ? -1 : 0;
}

static bool is_zero(const unsigned char *bytes, size_t n_bytes) {
  return n_bytes == 0 ||
         (bytes[0] == 0 && memcmp(bytes, bytes + 1, n_bytes - 1) == 0);
}

/** Write blocks but those of zeros, which a new file has already. */
static int write_blocks(struct file_set *set, const struct file_set_file *file,
                        const unsigned char *bytes, size_t n_bytes,
                        struct err *err) {
  uint64_t at = file->n_filled;
  while (n_bytes) {
    const size_t left = BLOCK_BYTES - at % BLOCK_BYTES;
    const size_t n = n_bytes < left ? n_bytes : left;
    if (!is_zero(bytes, n)) {
      set->n_in_memory += n;
      if (pwrite(file->fd, bytes, n, (off_t)at) != (ssize_t)n)
        return err_no_memory(err);
    }
    bytes += n;
    at += n;
    n_bytes -= n;
  }
  return 0;
}

int file_set_append(struct file_set *set, const void *bytes, size_t n_bytes,
                    struct err *err) {
  struct file_set_file *const file = &set->files[set->n_files - 1];
  if (file->bytes)
    memcpy(file->bytes + file->n_filled, bytes, n_bytes);
  else if (write_blocks(set, file, bytes, n_bytes, err))
    return -1;
  file->n_filled += n_bytes;
  return 0;
}

int file_set_link(struct file_set *set, const char *name, const char *target,
                  struct err *err) {
  struct file_set_file *const file = add(set, name, err);
  if (!file)
    return -1;
  file->target = strdup(target);
  return file->target ? 0 : err_no_memory(err);
}

int file_set_finish(struct file_set *set, struct err *err) {
  if (set->n_files)
    qsort(set->files, set->n_files, sizeof(*set->files), compare_files);
  for (size_t i = 0; i < set->n_files; i++) {
    struct file_set_file *const file = &set->files[i];
    file->i_target = i;
    if (i && strcmp(file[-1].name, file->name) == 0)
      return err_set(err, ERR_INPUT, "two files have the name %s", file->name);
    if (!file->target)
      continue;
    file->i_target = lower_bound(set, file->target);
    if (file->i_target == set->n_files || set->files[file->i_target].target ||
        strcmp(set->files[file->i_target].name, file->target) != 0)
      return err_set(err, ERR_INPUT, "%s is a name of %s, which is missing",
                     file->name, file->target);
  }
  return 0;
}

// --- Reading ---

static void fill_status(const struct file_set *set,
                        const struct file_set_file *file, struct stat *status) {
  *status = (struct stat){.st_mode = S_IFREG | 0444,
                          .st_size = (off_t)file->n_bytes,
                          .st_ino = (ino_t)(file - set->files) + 1,
                          .st_mtim.tv_sec = (time_t)file->written};
}

/** Copy what is at the descriptor, but blocks of zeros. */
static bool copy_blocks(int from, int to, uint64_t n_bytes) {
  unsigned char bytes[BLOCK_BYTES];
  if (ftruncate(to, (off_t)n_bytes) != 0)
    return false;
  for (uint64_t at = 0; at < n_bytes; at += BLOCK_BYTES) {
    const ssize_t n = pread(from, bytes, sizeof(bytes), (off_t)at);
    if (n < 0 || (!is_zero(bytes, (size_t)n) &&
                  pwrite(to, bytes, (size_t)n, (off_t)at) != n))
      return false;
  }
  return true;
}

/** Make a descriptor with an offset of its own. */
static int open_file(const struct file_set_file *file) {
  char path[64];
  if (file->fd >= 0) {
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
      return fd;
  }
  // Small, or there is no /proc.
  const int fd = memfd_create("arcline", MFD_CLOEXEC);
  if (fd < 0 || (file->fd >= 0 ? copy_blocks(file->fd, fd, file->n_bytes)
                               : pwrite(fd, file->bytes, (size_t)file->n_bytes,
                                        0) == (ssize_t)file->n_bytes))
    return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

int file_set_open(const struct file_set *set, const char *name,
                  struct stat *status) {
  const struct file_set_file *const file = find(set, name);
  if (!file)
    return -1;
  fill_status(set, file, status);
  return open_file(file);
}

int file_set_status(const struct file_set *set, const char *name,
                    struct stat *status) {
  const struct file_set_file *const file = find(set, name);
  if (file) {
    fill_status(set, file, status);
    return 0;
  }
  *status = (struct stat){.st_mode = S_IFDIR | 0555};
  return errno == EISDIR ? 0 : -1;
}

char *file_set_real(const struct file_set *set, const char *name) {
  const struct file_set_file *const file = find(set, name);
  return file ? strdup(file->name) : NULL;
}

int file_set_walk(const struct file_set *set, const char *folder,
                  int (*visit)(void *context, const char *rest),
                  void *context) {
  char *const whole = whole_name(set, folder);
  const char *rest;
  int rc = whole ? 0 : -1;
  for (size_t i = whole ? first_below(set, whole) : 0;
       rc == 0 && i < set->n_files && (rest = below(set->files[i].name, whole));
       i++)
    rc = visit(context, rest);
  free(whole);
  return rc;
}

void file_set_release(struct file_set *set) {
  for (size_t i = 0; i < set->n_files; i++) {
    free(set->files[i].name);
    free(set->files[i].target);
    free(set->files[i].bytes);
    if (set->files[i].fd >= 0)
      close(set->files[i].fd);
  }
  free(set->files);
  free(set->folder);
  *set = (struct file_set){0};
}
