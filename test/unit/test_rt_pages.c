/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* os/pages: the stretches of private and of shared memory that are visited. A
   page may be visited without need, and all are if the kernel shows nothing; a
   page that was touched is never left out. os/memory: pages take one fault. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "os/pages.h"

enum { N_PAGES = 300, N_TOUCHED = 5 };

/* Neighbours, the last page, and pages on both sides of a read of entries. */
static const size_t touched[N_TOUCHED] = {7, 8, 127, 128, N_PAGES - 1};

struct visits {
  size_t page_bytes;
  size_t end; /* of the stretch before */
  bool is_visited[N_PAGES];
};

static void note(size_t offset, size_t n_bytes, void *context) {
  struct visits *visits = context;

  assert_true(offset >= visits->end && n_bytes > 0);
  visits->end = offset + n_bytes;
  assert_true(visits->end <= N_PAGES * visits->page_bytes);
  for (size_t i = offset; i < visits->end; i += visits->page_bytes)
    visits->is_visited[i / visits->page_bytes] = true;
}

static char *map(size_t n_bytes, int sharing) {
  char *memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
                      sharing | MAP_ANONYMOUS, -1, 0);

  assert_true(memory != MAP_FAILED);
  madvise(memory, n_bytes, MADV_NOHUGEPAGE);
  return memory;
}

static void check(const struct rt_pages *pages, const char *memory,
                  bool is_exact) {
  struct visits visits = {.page_bytes = pages->page_bytes};
  size_t n = 0;

  rt_pages_each(pages, memory, N_PAGES * pages->page_bytes, note, &visits);
  for (size_t i = 0; i < N_TOUCHED; i++)
    assert_true(visits.is_visited[touched[i]]);
  for (size_t i = 0; i < N_PAGES; i++)
    n += visits.is_visited[i];
  assert_int_equal(n, is_exact ? N_TOUCHED : N_PAGES);
}

static void test_private(void **unused) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = map(N_PAGES * page, MAP_PRIVATE);
  struct rt_pages pages = rt_pages_open(N_PAGES * page);

  (void)unused;
  for (size_t i = 0; i < N_TOUCHED; i++)
    memory[touched[i] * page] = 1;
  check(&pages, memory, pages.fd >= 0);
  rt_pages_close(&pages);
  assert_int_equal(pages.fd, -1);
  munmap(memory, N_PAGES * page);
}

/* Pages that another process has touched are not mapped in this one. */
static void test_shared(void **unused) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = map(N_PAGES * page, MAP_SHARED);
  const struct rt_pages pages = rt_pages_of_shared(N_PAGES * page);
  const pid_t child = fork();
  int status;

  (void)unused;
  if (child == 0) {
    for (size_t i = 0; i < N_TOUCHED; i++)
      memory[touched[i] * page] = 1;
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  check(&pages, memory, pages.is_shared);
  munmap(memory, N_PAGES * page);
}

static void test_small_amounts_are_not_examined(void **unused) {
  struct rt_pages pages = rt_pages_open(4096);

  (void)unused;
  assert_int_equal(pages.fd, -1);
  assert_false(rt_pages_of_shared(4096).is_shared);
}

static long n_faults(void) {
  struct rusage usage;

  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_minflt;
}

/* Little memory, which may begin and end within a page. */
static void test_filled_pages_take_no_fault(void **unused) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t n_filled = (64 << 10) / page;
  char *memory = map(N_PAGES * page, MAP_PRIVATE);

  (void)unused;
  rt_fill(memory + page / 2, n_filled * page);
  const long before = n_faults();
  for (size_t i = 0; i <= n_filled; i++)
    memory[i * page] = 1;
  assert_true((size_t)(n_faults() - before) <= n_filled / 4);
  munmap(memory, N_PAGES * page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_private),
      cmocka_unit_test(test_shared),
      cmocka_unit_test(test_small_amounts_are_not_examined),
      cmocka_unit_test(test_filled_pages_take_no_fault),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
