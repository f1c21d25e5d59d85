/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel describes each page by 64 bits in /proc/self/pagemap. A page that
   is neither in memory nor swapped out is as it was mapped, and so is a file's
   page in a private mapping. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/libc.h"
#include "os/pages.h"

/* Source: the kernel's admin-guide/mm/pagemap.rst. */
#define IS_PRESENT ((uint64_t)1 << 63)
#define IS_SWAPPED ((uint64_t)1 << 62)
#define IS_FILE ((uint64_t)1 << 61)

enum {
  MIN_BYTES = 128 << 10, /* for less, the calls do not pay */
  PAGES_PER_READ = 128,
};

/* Returns how many entries were read. */
static size_t read_entries(const struct rt_pages *pages, uintptr_t first_page,
                           size_t n, uint64_t *entries) {
  const long got = rt_sys(SYS_pread64, pages->fd, (long)entries,
                          (long)(n * sizeof(*entries)),
                          (long)(first_page * sizeof(*entries)), 0);

  return got < 0 ? 0 : (size_t)got / sizeof(*entries);
}

/* Does the file show a page that is present, of no file? In a changed root, the
   name may be that of another file. */
static bool is_credible(const struct rt_pages *pages) {
  uint64_t entry = 0;
  const uintptr_t page = (uintptr_t)&entry / pages->page_bytes;

  return read_entries(pages, page, 1, &entry) &&
         (entry & (IS_PRESENT | IS_FILE)) == IS_PRESENT;
}

struct rt_pages rt_pages_open(size_t n_bytes) {
  struct rt_pages pages = {.fd = -1, .page_bytes = rt_page_bytes()};

  // An emulator without a real madvise() may show the pages of its own memory
  // here.
  if (n_bytes < MIN_BYTES || !pages.page_bytes || !rt_was_wiped(true))
    return pages;
  pages.fd = (int)rt_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap",
                         O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0);
  // The first three are not used, even if they are free: other threads may
  // continue to read from them.
  if (pages.fd >= 0 && (pages.fd <= STDERR_FILENO || !is_credible(&pages)))
    rt_pages_close(&pages);
  return pages;
}

void rt_pages_close(struct rt_pages *pages) {
  if (pages->fd >= 0)
    rt_sys(SYS_close, pages->fd, 0, 0, 0, 0);
  pages->fd = -1;
}

void rt_pages_each(const struct rt_pages *pages, const void *memory,
                   size_t n_bytes,
                   void (*visit)(size_t offset, size_t n_bytes, void *context),
                   void *context) {
  const uintptr_t start = (uintptr_t)memory;
  const uintptr_t end = start + n_bytes;
  uintptr_t from = start; // of the current stretch, which ends at at
  uintptr_t at = start;

  if (pages->fd < 0)
    rt_read_ahead(memory, n_bytes);
  while (pages->fd >= 0 && at < end) {
    uint64_t entries[PAGES_PER_READ];
    const uintptr_t page = at / pages->page_bytes;
    const size_t n_left = (end - 1) / pages->page_bytes - page + 1;
    const size_t n = read_entries(
        pages, page, n_left < PAGES_PER_READ ? n_left : PAGES_PER_READ,
        entries);
    if (!n)
      break;
    for (size_t i = 0; i < n; i++) {
      uintptr_t next = (page + i + 1) * pages->page_bytes;
      next = next < end ? next : end;
      if (!(entries[i] & (IS_PRESENT | IS_SWAPPED)) || entries[i] & IS_FILE) {
        if (from < at)
          visit(from - start, at - from, context);
        from = next;
      }
      at = next;
    }
  }
  if (from < end)
    visit(from - start, end - from, context);
}
