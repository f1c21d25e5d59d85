/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernel describes each page by 64 bits in /proc/self/pagemap. A page that
   is neither in memory nor swapped out is as it was mapped, and so is a file's
   page in a private mapping. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
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

/* An emulator without a real madvise() may show the pages of its own memory. */
static bool is_wanted(const struct rt_pages *pages, size_t n_bytes) {
  return n_bytes >= MIN_BYTES && pages->page_bytes && rt_was_wiped(true);
}

struct rt_pages rt_pages_open(size_t n_bytes) {
  struct rt_pages pages = {.fd = -1, .page_bytes = rt_page_bytes()};

  if (!is_wanted(&pages, n_bytes))
    return pages;
  pages.fd = (int)rt_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap",
                         O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0);
  // The first three are not used, even if they are free: other threads may
  // continue to read from them.
  if (pages.fd >= 0 && (pages.fd <= STDERR_FILENO || !is_credible(&pages)))
    rt_pages_close(&pages);
  return pages;
}

/* To mincore(), a page that is swapped out does not exist, so nothing may be.
 */
struct rt_pages rt_pages_of_shared(size_t n_bytes) {
  struct rt_pages pages = {.fd = -1, .page_bytes = rt_page_bytes()};
  struct sysinfo info;

  pages.is_shared = is_wanted(&pages, n_bytes) &&
                    !rt_sys(SYS_sysinfo, (long)&info, 0, 0, 0, 0) &&
                    info.totalswap == 0;
  return pages;
}

void rt_pages_close(struct rt_pages *pages) {
  if (pages->fd >= 0)
    rt_sys(SYS_close, pages->fd, 0, 0, 0, 0);
  pages->fd = -1;
}

/* Of the n pages from first_page on, which were touched? Returns how many are
   known. */
static size_t find_touched(const struct rt_pages *pages, uintptr_t first_page,
                           size_t n, unsigned char *is_touched) {
  uint64_t entries[PAGES_PER_READ];

  if (pages->is_shared)
    return rt_sys(SYS_mincore, (long)(first_page * pages->page_bytes),
                  (long)(n * pages->page_bytes), (long)is_touched, 0, 0)
               ? 0
               : n;
  n = read_entries(pages, first_page, n, entries);
  for (size_t i = 0; i < n; i++)
    is_touched[i] =
        entries[i] & (IS_PRESENT | IS_SWAPPED) && !(entries[i] & IS_FILE);
  return n;
}

void rt_pages_each(const struct rt_pages *pages, const void *memory,
                   size_t n_bytes,
                   void (*visit)(size_t offset, size_t n_bytes, void *context),
                   void *context) {
  const uintptr_t start = (uintptr_t)memory;
  const uintptr_t end = start + n_bytes;
  uintptr_t from = start; // of the current stretch, which ends at at
  uintptr_t at = start;

  if (pages->fd < 0 && !pages->is_shared)
    rt_read_ahead(memory, n_bytes);
  while ((pages->fd >= 0 || pages->is_shared) && at < end) {
    unsigned char is_touched[PAGES_PER_READ];
    const uintptr_t page = at / pages->page_bytes;
    const size_t n_left = (end - 1) / pages->page_bytes - page + 1;
    const size_t n = find_touched(
        pages, page, n_left < PAGES_PER_READ ? n_left : PAGES_PER_READ,
        is_touched);
    if (!n)
      break;
    for (size_t i = 0; i < n; i++) {
      uintptr_t next = (page + i + 1) * pages->page_bytes;
      next = next < end ? next : end;
      if (!(is_touched[i] & 1)) {
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
