/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds pages of memory that were ever touched. Most memory that threads count
 * in is not, and reading all of it would map a page for each. Everything is
 * handler-safe. */
#ifndef ARCLINE_RT_PAGES_H
#define ARCLINE_RT_PAGES_H

#include "os/os.h"

struct rt_pages {
  int fd;         /* negative: all pages count as touched */
  bool is_shared; /* or only those that exist */
  size_t page_bytes;
};

/** n_bytes: the amount of memory that will be checked; for a small amount no
 * file is opened. Close it soon. */
struct rt_pages rt_pages_open(size_t n_bytes);
/** The same for memory that processes share. It needs no file and no end. */
struct rt_pages rt_pages_of_shared(size_t n_bytes);
void rt_pages_close(struct rt_pages *pages);

/** Call visit for each stretch of the memory that may have been touched: bytes
 * from offset on. The memory was zero at first, in its file if it has one. */
void rt_pages_each(const struct rt_pages *pages, const void *memory,
                   size_t n_bytes,
                   void (*visit)(size_t offset, size_t n_bytes, void *context),
                   void *context);

#endif
