/* Threads with the smallest possible stacks, contexts on 8 KiB, and signal
   handlers on the smallest alternate stacks make their first and their later
   calls, with ten thousand samples per second: none of the guard pages after
   those stacks is touched. By the wall clock, samples do have that rate. */
// RUN: echo 'ARCLINE_OPTIONS=hz=10000 $2 > truth; %check-truth $1 $2 %s truth \
// RUN:   gmon.out; ARCLINE_OPTIONS=hz=10000:event=task-clock:stacks=on $2 > truth; \
// RUN:   %check-truth $1 $2 %s truth gmon.out' > check
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: sh -e check "" %t
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 %s \
// RUN:   -o %t -lpthread
// RUN: sh -e check --no-blocks %t
// RUN: %arcline-cc -O2 -static %s -o %t -lpthread
// RUN: sh -e check "" %t
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

enum {
  N_THREADS = 50,
  N_CALLS = 20000,
  N_SIGNALS = 500,
  PAGE = 4096,
  CONTEXT_BYTES = 8192,
  LEAST_BYTES = 2048 /* that most kernels accept for an alternate stack */
};

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

/* A stack of at least so many bytes after a page that must not be touched. */
static char *guarded(size_t bytes) {
  const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
  char *memory = mmap(NULL, PAGE + whole, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE))
    abort();
  return memory + PAGE + whole - bytes;
}

/* Bytes that the kernel needs for a frame, which grows with the registers. */
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
  // Long enough for a sample.
  call(N_CALLS);
}

static void set_handler(int number) {
  const struct sigaction action = {.sa_handler = handler,
                                   .sa_flags = SA_ONSTACK};

  sigaction(number, &action, NULL);
}

static int set_stack(size_t bytes) {
  const stack_t stack = {.ss_sp = guarded(bytes), .ss_size = bytes};

  return sigaltstack(&stack, NULL);
}

static void *work_in_handlers(void *arg) {
  const stack_t none = {.ss_flags = SS_DISABLE};

  // The handler itself needs bytes on top of the frame.
  if (set_stack(frame_bytes() + 2048))
    abort();
  set_handler(SIGUSR2);
  for (int i = 0; i < N_SIGNALS; i++) {
    raise(SIGUSR1);
    raise(SIGUSR2);
  }
  // A sample has no room there, except for small frames.
  if (set_stack(LEAST_BYTES) && set_stack(frame_bytes()))
    abort();
  for (int i = 0; i < N_SIGNALS; i++)
    call(N_CALLS);
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
  for (int i = 0; i < 5; i++) {
    ucontext_t there;
    getcontext(&there);
    there.uc_stack.ss_sp = guarded(CONTEXT_BYTES);
    there.uc_stack.ss_size = CONTEXT_BYTES;
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
  pthread_t threads[N_THREADS], other;

  set_handler(SIGUSR1);
  for (int i = 0; i < N_THREADS; i++)
    start(work, (size_t)sysconf(_SC_THREAD_STACK_MIN), &threads[i]);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  start(work_in_handlers, 1 << 20, &other);
  pthread_join(other, NULL);
  start(work_in_contexts, 1 << 20, &other);
  pthread_join(other, NULL);
  printf("calls leaf %lu\nline %d %lu\n", n_calls, line, n_calls);
  return 0;
}
