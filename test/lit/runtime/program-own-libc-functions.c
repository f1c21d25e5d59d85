/* A program defines its own malloc(), string functions and write(), which are
   instrumented like the rest of it: there is no recursion or deadlock, and each
   of their calls is counted. */
// RUN: for level in 0 2; do \
// RUN:   %arcline-cc -O$level -fno-builtin %s -o %t -lpthread && \
// RUN:   env ARCLINE_OPTIONS=hz=10000 %t > truth && \
// RUN:   %python %S/Inputs/sum_calls.py llvm-nm truth %t gmon.out || exit 1; \
// RUN: done
// RUN: %arcline-cc -O2 -fno-builtin -static %s -o %t -lpthread
// RUN: %t > truth
// RUN: %python %S/Inputs/sum_calls.py llvm-nm truth %t gmon.out
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ARENA_BYTES = 1 << 24, N_ROUNDS = 20000, N_THREADS = 4 };

static char arena[ARENA_BYTES];
static size_t n_used;
static unsigned long n_malloc, n_free, n_memcpy, n_strlen, n_write, n_memset;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define ADD(counter) __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED)

void *malloc(size_t size) {
  ADD(n_malloc);
  // Intentionally not reentrant, like many allocators.
  pthread_mutex_lock(&lock);
  const size_t at = n_used;
  n_used += (size + 31) & ~(size_t)15;
  pthread_mutex_unlock(&lock);
  if (at + size + 16 > sizeof(arena)) {
    errno = ENOMEM;
    return NULL;
  }
  *(size_t *)(arena + at) = size;
  return arena + at + 16;
}

void free(void *memory) {
  (void)memory;
  ADD(n_free);
}

void *memset(void *to, int value, size_t n) {
  ADD(n_memset);
  for (size_t i = 0; i < n; i++)
    ((volatile char *)to)[i] = (char)value;
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  ADD(n_memcpy);
  for (size_t i = 0; i < n; i++)
    ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *calloc(size_t n, size_t size) {
  void *memory = malloc(n * size);
  return memory ? memset(memory, 0, n * size) : NULL;
}

void *realloc(void *memory, size_t size) {
  void *fresh = malloc(size);
  if (memory && fresh) {
    const size_t old = *(size_t *)((char *)memory - 16);
    memcpy(fresh, memory, old < size ? old : size);
  }
  return fresh;
}

size_t strlen(const char *text) {
  size_t n = 0;

  ADD(n_strlen);
  while (((volatile const char *)text)[n])
    n++;
  return n;
}

ssize_t write(int fd, const void *bytes, size_t n) {
  ADD(n_write);
  return syscall(SYS_write, fd, bytes, n);
}

static void *work(void *arg) {
  for (int i = 0; i < N_ROUNDS; i++) {
    char *text = malloc(20);
    memcpy(text, "some text", 10);
    if (strlen(text) != 9)
      _exit(1);
    memset(text, 'x', 3);
    free(text);
    if (i % 1000 == 0 && write(-1, text, 1) != -1)
      _exit(1);
  }
  return arg;
}

static void put_number(unsigned long value) {
  char digits[20];
  int at = sizeof(digits);

  do
    digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  syscall(SYS_write, 1, digits + at, sizeof(digits) - (size_t)at);
}

#define PUT(name)                                                              \
  syscall(SYS_write, 1, "calls " #name " ", sizeof("calls " #name));            \
  put_number(n_##name);                                                        \
  syscall(SYS_write, 1, "\n", 1)

/* Before the runtime's own, after everything else. */
__attribute__((destructor(102))) static void print_truth(void) {
  PUT(malloc);
  PUT(free);
  PUT(memcpy);
  PUT(memset);
  PUT(strlen);
  PUT(write);
}

int main(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
