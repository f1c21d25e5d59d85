/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Maps memory followed by an inaccessible page. */
#ifndef ARCLINE_TEST_GUARDED_PAGES_H
#define ARCLINE_TEST_GUARDED_PAGES_H

#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/** n pages, and one after them that cannot be read. */
static inline uint8_t *map_pages(size_t n) {
  uint8_t *memory = mmap(NULL, (n + 1) * PAGE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  assert_true(memory != MAP_FAILED);
  assert_int_equal(mprotect(memory + n * PAGE, PAGE, PROT_NONE), 0);
  for (size_t i = 0; i < n * PAGE; i++)
    memory[i] = (uint8_t)(i * 7 + i / 256);
  return memory;
}

#endif
