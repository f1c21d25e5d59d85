/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel copies, and tells where it could not. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "os/peek.h"

enum {
  PAGE_BYTES = 4096, /* the smallest there is */
  MAX_PIECES = 8,
  MAX_LASTING = 32,
  NO_SUCH_HOW = -1,
};

/* What process_vm_readv() is refused for, if not for the address: it is there
   since Linux 3.2, but emulators and filters do not know it. */
static bool is_refused;

static struct { uint64_t start, end; } lasting[MAX_LASTING];

static size_t n_lasting;

void rt_peek_lasts(uint64_t start, uint64_t end) {
  if (n_lasting == MAX_LASTING || start >= end)
    return;
  lasting[n_lasting].start = start;
  lasting[n_lasting++].end = end;
}

/* Copies what is there of n bytes; returns how many. */
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

/* Whether a page can be read: the kernel reads a signal mask there, and then
   refuses what should be done with it. */
static bool is_readable(uint64_t address) {
  return rt_sys(SYS_rt_sigprocmask, NO_SUCH_HOW,
                (long)(address & ~(uint64_t)(PAGE_BYTES - 1)), 0,
                sizeof(uint64_t), 0) == -EINVAL;
}

/* Without such a call. Nobody but another thread can unmap the page between
   question and copy. */
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

/* Copies up to n bytes; returns how many are there in a row. By pages: a piece
   is copied as a whole or not. The thread's id: the process has no memory any
   more once its first thread has ended. */
static size_t copy(struct rt_peek *peek, uint64_t from, size_t n) {
  uint8_t *const out = peek->bytes;
  const struct iovec local = {.iov_base = out, .iov_len = n};
  struct iovec pieces[MAX_PIECES];
  size_t n_pieces = 0;

  const size_t n_lasting_bytes = copy_lasting(out, from, n);
  if (n_lasting_bytes)
    return n_lasting_bytes;
  if (rt_load(&is_refused))
    return copy_pages(out, from, n);
  for (size_t i = 0; i < n && n_pieces < MAX_PIECES; n_pieces++) {
    const size_t in_page = PAGE_BYTES - (from + i) % PAGE_BYTES;
    const size_t n_piece = in_page < n - i ? in_page : n - i;
    pieces[n_pieces] = (struct iovec){(void *)(uintptr_t)(from + i), n_piece};
    i += n_piece;
  }
  if (!peek->tid)
    peek->tid = rt_tid();
  const long n_read = rt_sys(SYS_process_vm_readv, (long)peek->tid,
                             (long)&local, 1, (long)pieces, (long)n_pieces);
  if (n_read >= 0)
    return (size_t)n_read;
  if (n_read == -EFAULT)
    return 0;
  rt_store(&is_refused, true);
  return copy_pages(out, from, n);
}

/* Reads on from an address, at least n bytes. */
static bool fill(struct rt_peek *peek, uint64_t from, uint64_t to) {
  size_t n = peek->room;

  // Not beyond the last address.
  if (from + n < from)
    n = (size_t)-from;
  peek->at = from;
  peek->n = copy(peek, from, n);
  return peek->n >= to - from;
}

bool rt_peek(struct rt_peek *peek, uint64_t address, void *out, size_t n) {
  const uint64_t back = peek->room / 4;

  if (address + n < address)
    return false;
  if (address < peek->at || address - peek->at > peek->n ||
      peek->n - (address - peek->at) < n) {
    // What lies a little before will be asked for as well, but may not be
    // there.
    const uint64_t from = address > back ? address - back : 0;
    if (!fill(peek, from, address + n) && !fill(peek, address, address + n)) {
      peek->n = 0;
      return false;
    }
  }
  rt_copy(out, peek->bytes + (address - peek->at), n);
  return true;
}

bool rt_peek_word(struct rt_peek *peek, uint64_t address, uint64_t *out) {
  return rt_peek(peek, address, out, sizeof(*out));
}
