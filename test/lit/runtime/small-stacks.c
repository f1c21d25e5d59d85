/* Threads with the smallest stacks that there can be, contexts on 8 KiB, and
   signal handlers on the smallest alternate stack make their first and their
   later calls, with ten thousand samples per second: none of the guard pages
   behind those stacks is touched. */
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=hz=10000 %t > truth
// RUN: %check-truth %t %s truth gmon.out
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 %s \
// RUN:   -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=hz=10000 %t > truth
// RUN: %check-truth --no-blocks %t %s truth gmon.out
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum { N_THREADS = 50, N_CALLS = 20000, PAGE = 4096, CONTEXT_BYTES = 8192 };

static int line;
static unsigned long n_calls;
static ucontext_t back;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

static void call(int n) {
  for (int i = 0; i < n; i++)
    leaf();
  __atomic_fetch_add(&n_calls, (unsigned long)n, __ATOMIC_RELAXED);
}

/* A stack of at least so many bytes behind a page that must not be touched. */
static char *guarded(size_t bytes) {
  const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
  char *memory = mmap(NULL, PAGE + whole, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE))
    abort();
  return memory + PAGE + whole - bytes;
}

/* What the kernel needs for a frame, which grows with the registers. */
static size_t frame_bytes(void) {
  const size_t bytes = getauxval(AT_MINSIGSTKSZ);

  return bytes ? bytes : 2048;
}

static void *work(void *arg) {
  call(N_CALLS);
  return arg;
}

static void handler(int number) {
  (void)number;
  call(10);
}

static void *work_in_handler(void *arg) {
  // What the handler itself uses comes on top.
  const size_t bytes = frame_bytes() + 2048;
  const stack_t stack = {.ss_sp = guarded(bytes), .ss_size = bytes};
  const stack_t none = {.ss_flags = SS_DISABLE};

  if (sigaltstack(&stack, NULL))
    abort();
  for (int i = 0; i < 1000; i++)
    raise(SIGUSR1);
  sigaltstack(&none, NULL);
  return arg;
}

static void context(void) {
  // Long enough for ten samples or so, whatever the kernel's tick.
  for (int i = 0; i < 400; i++)
    call(N_CALLS);
  swapcontext(&(ucontext_t){0}, &back);
}

static void *work_in_contexts(void *arg) {
  // A sample needs its frame.
  const size_t bytes = frame_bytes() > CONTEXT_BYTES / 2
                           ? CONTEXT_BYTES + frame_bytes()
                           : CONTEXT_BYTES;

  for (int i = 0; i < 5; i++) {
    ucontext_t there;
    getcontext(&there);
    there.uc_stack.ss_sp = guarded(bytes);
    there.uc_stack.ss_size = bytes;
    there.uc_link = NULL;
    makecontext(&there, context, 0);
    swapcontext(&back, &there);
  }
  return arg;
}

static void start(void *(*function)(void *), size_t bytes, pthread_t *thread) {
  pthread_attr_t attributes;

  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, guarded(bytes), bytes);
  if (pthread_create(thread, &attributes, function, NULL))
    abort();
  pthread_attr_destroy(&attributes);
}

int main(void) {
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_ONSTACK};
  pthread_t threads[N_THREADS], other;

  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < N_THREADS; i++)
    start(work, (size_t)sysconf(_SC_THREAD_STACK_MIN), &threads[i]);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  start(work_in_handler, 1 << 20, &other);
  pthread_join(other, NULL);
  start(work_in_contexts, 1 << 20, &other);
  pthread_join(other, NULL);
  printf("calls leaf %lu\nline %d %lu\n", n_calls, line, n_calls);
  return 0;
}
