/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads by system calls: the kernel copies, and reports addresses that it
   cannot read. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "os/safe_read.h"

enum {
  PAGE_BYTES = 4096, /* the smallest there is */
  MAX_PIECES = 8,
  MAX_LASTING = 32,
  NO_SUCH_HOW = -1,
};

/* process_vm_readv() exists since Linux 3.2, but emulators and system-call
   filters may reject it. */
static bool is_rejected;

static struct { uint64_t start, end; } lasting[MAX_LASTING];

static size_t n_lasting;

void rt_safe_read_add_lasting(uint64_t start, uint64_t end) {
  if (n_lasting == MAX_LASTING || start >= end)
    return;
  lasting[n_lasting].start = start;
  lasting[n_lasting++].end = end;
}

/* Copies those of n bytes that are in lasting memory; returns their number. */
static size_t copy_lasting(uint8_t *out, uint64_t from, size_t n) {
  for (size_t i = 0; i < n_lasting; i++)
    if (from >= lasting[i].start && from < lasting[i].end) {
      if (n > lasting[i].end - from)
        n = (size_t)(lasting[i].end - from);
      rt_copy(out, (const void *)(uintptr_t)from, n);
      return n;
    }
  return 0;
}

/* Is the page mapped? The kernel reads a signal mask from it before it rejects
   the invalid operation. */
static bool is_readable(uint64_t address) {
  return rt_sys(SYS_rt_sigprocmask, NO_SUCH_HOW,
                (long)(address & ~(uint64_t)(PAGE_BYTES - 1)), 0,
                sizeof(uint64_t), 0) == -EINVAL;
}

/* Copies without process_vm_readv(). Only another thread could unmap the page
   between check and copy. */
static size_t copy_pages(uint8_t *out, uint64_t from, size_t n) {
  size_t n_copied = 0;

  while (n_copied < n) {
    const uint64_t at = from + n_copied;
    const size_t in_page = PAGE_BYTES - at % PAGE_BYTES;
    const size_t n_piece = in_page < n - n_copied ? in_page : n - n_copied;
    if (!is_readable(at))
      break;
    rt_copy(out + n_copied, (const void *)(uintptr_t)at, n_piece);
    n_copied += n_piece;
  }
  return n_copied;
}

/* Copies up to n bytes; returns the number before the first unmapped one.
   Pieces are pages, since the kernel copies a piece entirely or not at all. The
   id is that of the thread: that of the process has no memory once its first
   thread has ended. */
static size_t copy(struct rt_safe_reader *reader, uint64_t from, size_t n) {
  uint8_t *const out = reader->bytes;
  const struct iovec local = {.iov_base = out, .iov_len = n};
  struct iovec pieces[MAX_PIECES];
  size_t n_pieces = 0;

  const size_t n_lasting_bytes = copy_lasting(out, from, n);
  if (n_lasting_bytes)
    return n_lasting_bytes;
  if (rt_load(&is_rejected))
    return copy_pages(out, from, n);
  for (size_t i = 0; i < n && n_pieces < MAX_PIECES; n_pieces++) {
    const size_t in_page = PAGE_BYTES - (from + i) % PAGE_BYTES;
    const size_t n_piece = in_page < n - i ? in_page : n - i;
    pieces[n_pieces] = (struct iovec){(void *)(uintptr_t)(from + i), n_piece};
    i += n_piece;
  }
  if (!reader->tid)
    reader->tid = rt_tid();
  const long n_read = rt_sys(SYS_process_vm_readv, (long)reader->tid,
                             (long)&local, 1, (long)pieces, (long)n_pieces);
  if (n_read >= 0)
    return (size_t)n_read;
  if (n_read == -EFAULT)
    return 0;
  rt_store(&is_rejected, true);
  return copy_pages(out, from, n);
}

/* Fills the room from an address on, at least up to another one. */
static bool fill(struct rt_safe_reader *reader, uint64_t from, uint64_t to) {
  size_t n = reader->room;

  // Not beyond the last address.
  if (from + n < from)
    n = (size_t)-from;
  reader->at = from;
  reader->n = copy(reader, from, n);
  return reader->n >= to - from;
}

bool rt_safe_read(struct rt_safe_reader *reader, uint64_t address, void *out,
                  size_t n) {
  const uint64_t back = reader->room > n ? reader->room / 4 : 0;

  if (address + n < address)
    return false;
  if (address < reader->at || address - reader->at > reader->n ||
      reader->n - (address - reader->at) < n) {
    // Addresses a little before will be read as well, but may be unmapped.
    const uint64_t from = address > back ? address - back : 0;
    if (!fill(reader, from, address + n) &&
        !fill(reader, address, address + n)) {
      reader->n = 0;
      return false;
    }
  }
  rt_copy(out, reader->bytes + (address - reader->at), n);
  return true;
}

bool rt_safe_read_word(struct rt_safe_reader *reader, uint64_t address,
                       uint64_t *out) {
  return rt_safe_read(reader, address, out, sizeof(*out));
}
