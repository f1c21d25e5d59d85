/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts by key, and places of program counters outside of instrumented
   code. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "os/count_table.h"
#include "os/os.h"
#include "sample/sampler.h"
#include "sample/uninstrumented.h"

enum { N_KEYS = 3000, N_THREADS = 4, N_ROUNDS = 20 };

#ifdef __x86_64__
enum { SYSCALL_BYTES = 2 };
#else
enum { SYSCALL_BYTES = 4 };
#endif

static struct rt_count_table shared;

static void *add_all(void *arg) {
  for (int round = 0; round < N_ROUNDS; round++)
    for (uint64_t key = 1; key <= N_KEYS; key++)
      rt_count_table_add(&shared, 0x401000 + 3 * key, key);
  return arg;
}

static void threads_lose_nothing(void **state) {
  pthread_t threads[N_THREADS];
  uint64_t sum = 0;

  (void)state;
  rt_count_table_init(&shared, 8192);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, add_all, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  const size_t room = rt_count_table_room(&shared);
  struct rt_count *counts = calloc(room, sizeof(*counts));
  const size_t n = rt_count_table_read(&shared, counts, room);
  assert_int_equal(n, N_KEYS);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(counts[i].n,
                     (counts[i].key - 0x401000) / 3 * N_THREADS * N_ROUNDS);
    sum += counts[i].n;
  }
  assert_int_equal(sum,
                   (uint64_t)N_KEYS * (N_KEYS + 1) / 2 * N_THREADS * N_ROUNDS);
  assert_int_equal(shared.n_rest, 0);
  rt_count_table_reset(&shared);
  assert_int_equal(rt_count_table_read(&shared, counts, room), 0);
  free(counts);
  rt_count_table_release(&shared);
}

static void full_table_keeps_the_sum(void **state) {
  struct rt_count_table table = {0};
  struct rt_count counts[RT_COUNT_TABLE_GROUP];
  uint64_t sum = 0;

  (void)state;
  rt_count_table_init(&table, RT_COUNT_TABLE_GROUP);
  for (uint64_t key = 1; key <= 2 * RT_COUNT_TABLE_GROUP; key++)
    rt_count_table_add(&table, key * 4096, 2);
  const size_t n = rt_count_table_read(&table, counts, RT_COUNT_TABLE_GROUP);
  assert_int_equal(n, RT_COUNT_TABLE_GROUP);
  for (size_t i = 0; i < n; i++)
    sum += counts[i].n;
  assert_int_equal(sum + table.n_rest, 4 * RT_COUNT_TABLE_GROUP);
  rt_count_table_release(&table);
}

static void without_memory_the_sum_is_kept(void **state) {
  struct rt_count_table table = {0};

  (void)state;
  rt_count_table_add(&table, 42, 5);
  assert_int_equal(table.n_rest, 5);
  assert_int_equal(rt_count_table_room(&table), 0);
}

/* The number of samples of the object of that path (or its end); *offset of the
   last of them. */
static uint64_t samples_of(const struct rt_uninstrumented *outside,
                           const char *end, uint64_t *offset,
                           size_t *n_build_id) {
  uint64_t n = 0;

  for (size_t i = 0; i < outside->n_times; i++) {
    const struct rt_uninstrumented_time *time = &outside->times[i];
    const struct rt_uninstrumented_object *object =
        &outside->objects[time->i_object];
    const size_t length = strlen(object->path);
    if (length < strlen(end) ||
        strcmp(object->path + length - strlen(end), end) != 0)
      continue;
    n += time->n_samples;
    *offset = time->offset;
    *n_build_id = object->n_build_id;
  }
  return n;
}

/* The number of samples at an offset. */
static uint64_t samples_at(const struct rt_uninstrumented_time *times, size_t n,
                           uint64_t offset) {
  uint64_t sum = 0;

  for (size_t i = 0; i < n; i++)
    if (times[i].offset == offset)
      sum += times[i].n_samples;
  return sum;
}

/* The address after the first system call of syscall(). */
static uint64_t behind_syscall(void) {
  const uint8_t *at = dlsym(RTLD_DEFAULT, "syscall");

#if defined(__x86_64__)
  while (memcmp(at, "\x0f\x05", 2) != 0)
    at++;
  return (uintptr_t)at + SYSCALL_BYTES;
#elif defined(__aarch64__)
  while (memcmp(at, "\x01\0\0\xd4", 4) != 0)
    at += 4;
  return (uintptr_t)at + SYSCALL_BYTES;
#else
  while (memcmp(at, "\x73\0\0\0", 4) != 0)
    at += 2;
  return (uintptr_t)at + SYSCALL_BYTES;
#endif
}

static struct rt_uninstrumented collect(void) {
  const struct rt_usage usage = {0};
  struct rt_uninstrumented outside;

  assert_int_equal(rt_uninstrumented_collect(&usage, rt_sampler_n_due(&usage),
                                             rt_sampler_n_own(), &outside),
                   0);
  return outside;
}

/* Adds samples of all kinds of places; function is one of libc. */
static void add_samples(void *function) {
  void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  rt_uninstrumented_add((uintptr_t)function, 3);
  rt_uninstrumented_add((uintptr_t)function + 1, 4);
  rt_uninstrumented_add(behind_syscall(), 7);
  rt_uninstrumented_add(behind_syscall() - SYSCALL_BYTES, 3);
  rt_uninstrumented_add(getauxval(AT_SYSINFO_EHDR) + 8, 20);
  rt_uninstrumented_add((uintptr_t)code + 100, 30);
  rt_uninstrumented_add((uintptr_t)code + 200, 30);
  rt_uninstrumented_add(0, 40);
  rt_uninstrumented_add(~(uint64_t)0, 40);
  rt_uninstrumented_add_thread(7, 1);
  rt_uninstrumented_add_thread(9, 2);
  rt_uninstrumented_add_thread(7, 4);
}

static void places_are_found(void **state) {
  struct link_map *map = NULL;
  uint64_t offset = 0;
  size_t n_build_id = 0;
  Dl_info info;

  (void)state;
  rt_sampler_want(false); // this program has the runtime in it
  rt_uninstrumented_init();
  rt_sampler_reset();
  void *function = dlsym(RTLD_DEFAULT, "strtoul");
  assert_true(dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) != 0);
  add_samples(function);
  struct rt_uninstrumented outside = collect();
  assert_int_equal(outside.n_objects, 4);
  assert_int_equal(samples_of(&outside, "/libc.so.6", &offset, &n_build_id),
                   17);
  assert_int_equal(n_build_id, 20);
  // glibc's text has the same offsets in the file as in memory.
  assert_int_equal(samples_at(outside.times, outside.n_times,
                              (uintptr_t)function + 1 - map->l_addr),
                   4);
  assert_int_equal(outside.n_kernel, 2);
  assert_int_equal(samples_at(outside.kernel, outside.n_kernel,
                              behind_syscall() - map->l_addr),
                   7);
  assert_int_equal(samples_at(outside.kernel, outside.n_kernel,
                              behind_syscall() - SYSCALL_BYTES - map->l_addr),
                   3);
  assert_int_equal(samples_of(&outside, "[vdso]", &offset, &n_build_id), 20);
  assert_int_equal(offset, 0);
  assert_int_equal(samples_of(&outside, "[anonymous]", &offset, &n_build_id),
                   60);
  assert_int_equal(samples_of(&outside, "[unknown]", &offset, &n_build_id), 80);
  assert_int_equal(outside.n_times, 7);
  assert_int_equal(outside.n_threads, 2);
  assert_int_equal(outside.threads[0].tid + outside.threads[1].tid, 16);
  assert_int_equal(outside.threads[0].n_samples + outside.threads[1].n_samples,
                   7);
  rt_uninstrumented_free(&outside);
  rt_sampler_reset();
  outside = collect();
  assert_int_equal(outside.n_times + outside.n_kernel + outside.n_objects +
                       outside.n_threads,
                   0);
  rt_uninstrumented_free(&outside);
  rt_uninstrumented_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_lose_nothing),
      cmocka_unit_test(full_table_keeps_the_sum),
      cmocka_unit_test(without_memory_the_sum_is_kept),
      cmocka_unit_test(places_are_found),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
