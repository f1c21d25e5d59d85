/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The file itself is locked, and replaced while it is: who waited for the lock
   of a file that is no more the one at path starts over. So there are no lock
   files, and the lock of a process that is killed goes with it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "dump/file.h"
#include "dump/pool.h"
#include "os/os.h"
#include "os/scratch.h"
#include "sum/side_sum.h"

enum {
  FIRST_BYTES = 3 << 19, /* holds most, is too few for a large page; what is
                            not used of it costs nothing */
  FIRST_PAUSE_NS = 100 * 1000,
  MAX_PAUSE_NS = 10 * 1000 * 1000,
};

/* The lock is never kept for longer than it takes to write a file. */
#define MAX_WAIT_NS ((uint64_t)30 * 1000 * 1000 * 1000)

// --- Files in memory ---

/* A sink whose buffer is the whole file, so that its offset stays 0. Bytes that
   are not written yet are zero, as the system provides them. */
struct memory {
  struct write_sink sink;
  size_t at_zeros, n_zeros; /* the longest run that was put as such */
};

static void release(struct memory *memory) {
  struct write_sink *sink = &memory->sink;

  rt_free(sink->first, (size_t)(sink->end - sink->first));
  *memory = (struct memory){0};
}

static void grow(struct write_sink *sink, size_t n_more) {
  struct memory *const memory = (struct memory *)sink;
  const size_t end_zeros = memory->at_zeros + memory->n_zeros;
  const size_t n_bytes = (size_t)(sink->at - sink->first);
  const size_t n_room = (size_t)(sink->end - sink->first);
  size_t n_new = 2 * n_room;

  while (n_new - n_bytes < n_more)
    n_new *= 2;
  uint8_t *fresh = rt_alloc(n_new);
  if (!fresh) {
    sink->error = -ENOMEM;
    sink->at = sink->first; // further bytes are lost, but have room
    memory->at_zeros = memory->n_zeros = 0;
    return;
  }
  rt_copy(fresh, sink->first, memory->at_zeros);
  rt_copy(fresh + end_zeros, sink->first + end_zeros, n_bytes - end_zeros);
  rt_free(sink->first, n_room);
  sink->first = fresh;
  sink->at = fresh + n_bytes;
  sink->end = fresh + n_new;
}

static void flush(struct write_sink *sink) { grow(sink, WRITE_SINK_ROOM); }

static void put_zeros(struct write_sink *sink, size_t n) {
  struct memory *const memory = (struct memory *)sink;

  if ((size_t)(sink->end - sink->at) < n)
    grow(sink, n);
  if (sink->error)
    return;
  if (n > memory->n_zeros) {
    memory->at_zeros = (size_t)(sink->at - sink->first);
    memory->n_zeros = n;
  }
  sink->at += n;
}

static void patch(struct write_sink *sink, uint64_t offset, const void *bytes,
                  size_t n) {
  if (!sink->error)
    rt_copy(sink->first + offset, bytes, n);
}

static int begin(struct memory *memory, size_t n_room) {
  uint8_t *first = rt_alloc(n_room);

  if (!first)
    return -ENOMEM;
  *memory = (struct memory){.sink = {.first = first,
                                     .at = first,
                                     .end = first + n_room,
                                     .flush = flush,
                                     .put_zeros = put_zeros,
                                     .patch = patch}};
  return 0;
}

static struct sum_file file_in(const struct memory *memory) {
  const struct write_sink *sink = &memory->sink;

  return (struct sum_file){sink->first, (size_t)(sink->at - sink->first),
                           sink->first + memory->at_zeros, memory->n_zeros};
}

// --- Sums ---

static const struct sum_side_options side_options = {
    .memory = {rt_alloc, rt_free}};

/* Sorting uses all that it allocates. */
static void *allocate_filled(size_t n_bytes) {
  void *const memory = rt_alloc(n_bytes);

  if (memory)
    rt_fill(memory, n_bytes);
  return memory;
}

static const struct sum_memory sort_memory = {allocate_filled, rt_free};

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

/* Puts the part into memory, as sums take it. */
static int fill_part(const struct rt_pool_part *part, struct memory *out) {
  struct memory sorted;
  struct sum_flaw flaw;
  int rc = begin(out, FIRST_BYTES);

  if (rc)
    return rc;
  rc = part->write(part->what, &out->sink);
  if (rc || part->is_side)
    return rc;
  // As large, or smaller: equal records are one.
  rc = begin(&sorted, (size_t)(out->sink.end - out->sink.first));
  if (rc)
    return rc;
  const struct sum_file file = file_in(out);
  sum_sort(&file, &sort_memory, &sorted.sink, &flaw);
  release(out);
  *out = sorted;
  return error_of(&flaw, &sorted.sink);
}

struct job {
  struct sum_file files[2]; /* the present one, and the one to add */
  bool is_side;
};

static int put_sum(const void *what, struct write_sink *sink) {
  const struct job *job = what;
  struct sum_flaw flaw;

  if (job->is_side)
    sum_side(job->files, &side_options, sink, &flaw);
  else
    sum_gmon(job->files, sink, &flaw);
  return error_of(&flaw, sink);
}

// --- The file ---

static long open_pool(const char *path) {
  const long flags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
  // Some network file systems lock only what may be written to.
  const long fd =
      rt_sys(SYS_openat, AT_FDCWD, (long)path, O_RDWR | flags, 0, 0);

  if (fd != -EACCES && fd != -EROFS)
    return fd;
  return rt_sys(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | flags, 0, 0);
}

static uint64_t now_ns(void) {
  struct timespec now = {0};

  rt_sys(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Signals are blocked: to wait in the kernel could be for ever. */
static int lock(long fd, uint64_t until_ns) {
  struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};

  for (;;) {
    const long rc = rt_sys(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0, 0);
    if (rc != -EWOULDBLOCK && rc != -EINTR)
      return (int)rc;
    if (now_ns() > until_ns)
      return -ETIMEDOUT;
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
    if (pause.tv_nsec < MAX_PAUSE_NS)
      pause.tv_nsec += pause.tv_nsec / 2;
  }
}

/* Is it still the file at path? */
static bool is_at(const struct stat *status, const char *path) {
  struct stat there;

  return rt_sys(SYS_newfstatat, AT_FDCWD, (long)path, (long)&there,
                AT_SYMLINK_NOFOLLOW, 0) == 0 &&
         there.st_dev == status->st_dev && there.st_ino == status->st_ino;
}

/* Reads the bytes between two offsets. */
static int read_between(long fd, uint8_t *bytes, size_t at, size_t end) {
  rt_fill(bytes + at, end - at);
  while (at < end) {
    const long rc = rt_sys(SYS_pread64, fd, (long)(bytes + at),
                           (long)(end - at), (long)at, 0);
    if (rc == -EINTR)
      continue;
    if (rc <= 0)
      return rc ? (int)rc
                : -RT_EINCOMPATIBLE; // another process has truncated it
    at += (size_t)rc;
  }
  return 0;
}

/* Returns the offset of the next data or hole; n_bytes if there is none. A file
   system without holes reports data everywhere. */
static size_t next(long fd, size_t at, int whence, size_t n_bytes) {
  const long offset = rt_sys(SYS_lseek, fd, (long)at, whence, 0, 0);

  if (offset < 0)
    return offset == -ENXIO || whence == SEEK_HOLE ? n_bytes : at;
  return (size_t)offset < n_bytes ? (size_t)offset : n_bytes;
}

/* As far as the zeros around the longest hole go: it consists of whole pages,
   histograms do not. */
static void widen_zeros(struct sum_file *file) {
  const uint8_t *const end = file->bytes + file->n_bytes;

  while (file->zeros > file->bytes && !file->zeros[-1]) {
    file->zeros--;
    file->n_zeros++;
  }
  while (file->zeros + file->n_zeros < end && !file->zeros[file->n_zeros])
    file->n_zeros++;
}

/* Reads all but the holes, which histograms without samples are: the bytes are
   zero, and a page of them is neither cached nor copied. */
static int read_data(long fd, uint8_t *bytes, size_t n_bytes,
                     struct sum_file *out) {
  *out = (struct sum_file){.bytes = bytes, .n_bytes = n_bytes};
  for (size_t at = 0; at < n_bytes;) {
    const size_t data = next(fd, at, SEEK_DATA, n_bytes);
    size_t end = next(fd, data, SEEK_HOLE, n_bytes);
    if (end <= data)
      end = n_bytes; // it has been cut off meanwhile
    const int rc = read_between(fd, bytes, data, end);
    if (rc)
      return rc;
    if (data - at > out->n_zeros) {
      out->zeros = bytes + at;
      out->n_zeros = data - at;
    }
    at = end;
  }
  if (out->n_zeros)
    widen_zeros(out);
  return 0;
}

/* Adds to the file of that descriptor, which is locked. */
static int add_to(long fd, const struct stat *status, const char *path,
                  struct job *job) {
  const size_t n_bytes = (size_t)status->st_size;

  if (!S_ISREG(status->st_mode))
    return -RT_EFTYPE;
  if (!n_bytes)
    return -RT_EINCOMPATIBLE;
  uint8_t *bytes = rt_map(n_bytes);
  if (!bytes)
    return -ENOMEM;
  int rc = read_data(fd, bytes, n_bytes, &job->files[0]);
  if (!rc)
    rc = rt_file_replace(path, status->st_ino, put_sum, job);
  rt_unmap(bytes, n_bytes);
  return rc;
}

/* Returns -EAGAIN if another process was quicker. */
static int try(const char *path, struct job *job, uint64_t until_ns) {
  const long fd = open_pool(path);
  struct stat status;
  int rc;

  if (fd == -ENOENT) {
    job->files[0] = (struct sum_file){0};
    rc = rt_file_create(path, put_sum, job);
    return rc == -EEXIST ? -EAGAIN : rc;
  }
  if (fd < 0)
    return (int)(fd == -ELOOP || fd == -EISDIR ? -RT_EFTYPE : fd);
  rc = lock(fd, until_ns);
  if (!rc)
    rc = (int)rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0);
  if (!rc)
    rc = is_at(&status, path) ? add_to(fd, &status, path, job) : -EAGAIN;
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return rc;
}

int rt_pool_add(const char *path, const struct rt_pool_part *part) {
  const uint64_t until_ns = now_ns() + MAX_WAIT_NS;
  struct memory own = {0};
  struct job job = {.is_side = part->is_side};
  int rc = fill_part(part, &own);

  if (!rc) {
    job.files[1] = file_in(&own);
    do
      rc = try(path, &job, until_ns);
    while (rc == -EAGAIN && now_ns() < until_ns);
  }
  release(&own);
  return rc == -EAGAIN ? -ETIMEDOUT : rc;
}
