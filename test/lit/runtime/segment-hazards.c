/* Other uses of threads and of GS in a program whose code counts through GS.
   The program does not crash, and only documented counts are lost. */
// REQUIRES: x86_64
// RUN: echo 'ARCLINE_OPTIONS=_exit=off ./prog $how > truth && %check-truth ./prog %s truth gmon.out' > check

// Coroutines that move between threads count for the thread that runs them; a
// child of fork() begins at zero, whichever thread forks.
// RUN: for mode in '-O0' '-O2' '-O2 -static' '-O2 -no-pie -fno-pie'; do \
// RUN:   %arcline-cc $mode %s -o prog -lpthread || exit 1; \
// RUN:   for how in coroutines fork-in-thread fork; do \
// RUN:     rm -f gmon.out; how=$how sh check || { echo "$mode $how"; exit 1; }; \
// RUN:   done; \
// RUN: done

// A raw clone() that shares all memory may lose counts, without other effects.
// RUN: %arcline-cc -O2 %s -o prog -lpthread
// RUN: ./prog clone

// A filter that rejects arch_prctl(): if the processor has no instruction for
// it, threads share counters, which is reported. One thread loses no counts.
// RUN: how=filtered-alone sh check
// RUN: ./prog filtered > truth 2> messages
// RUN: if grep -q . messages; then \
// RUN:   FileCheck %s --check-prefix=REFUSED < messages; \
// RUN:   grep "^lost cells" gmon.out.arcline; \
// RUN: else %check-truth ./prog %s truth gmon.out; fi
// REFUSED: arcline: threads share counters{{.*}} segment base:

// A program that uses GS itself.
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %arcline-cc -O2 %s -o prog -lpthread
// RUN: how=own-base sh check
// RUN: %arcline-cc --arcline-no-segment -O2 %s -o prog -lpthread
// RUN: how=own-base sh check

// Linked by hand, without the announcement of threads: a function whose address
// was taken announces its thread itself.
// RUN: %arcline-cc -O2 -c %s -o prog.o
// RUN: for mode in '' -static; do \
// RUN:   %cc $mode prog.o -L%libdir -larcline -lpthread -o prog || exit 1; \
// RUN:   how=threads sh check || exit 1; grep -x "late-threads 4" gmon.out.arcline || exit 1; \
// RUN: done
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum { N_THREADS = 4, N_CALLS = 100000, N_SWITCHES = 1000 };

enum { LEAF_LINE = __LINE__ + 2 };
NOINLINE static int leaf(int i) {
  __asm__ volatile("");
  return i & 1;
}

static void *work(void *argument) {
  volatile int n = 0;

  for (int i = 0; i < N_CALLS; i++)
    n += leaf(i);
  return argument;
}

static void *(*const table[])(void *) = {work};

static void tell(long n) {
  printf("calls leaf %ld\nline %d %ld\n", n, LEAF_LINE, n);
  fflush(stdout);
}

static void run_threads(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, NULL))
      abort();
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
}

/* --- One coroutine, resumed by two threads in turn --- */

static ucontext_t coroutine, resumers[2];
static int turn; /* whose it is */
static char stack[65536];

static void body(void) {
  for (int i = 0; i < 2 * N_SWITCHES; i++) {
    for (int j = 0; j < 100; j++)
      leaf(j);
    swapcontext(&coroutine, &resumers[i % 2]);
  }
}

static void *resume(void *argument) {
  const int me = *(int *)argument;

  for (int i = 0; i < N_SWITCHES; i++) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me)
      sched_yield();
    swapcontext(&resumers[me], &coroutine);
    for (int j = 0; j < 100; j++)
      leaf(j);
    __atomic_store_n(&turn, !me, __ATOMIC_RELEASE);
  }
  return NULL;
}

static void coroutines(void) {
  static int numbers[] = {0, 1};
  pthread_t threads[2];

  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = sizeof(stack);
  makecontext(&coroutine, body, 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, resume, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  tell(4L * N_SWITCHES * 100);
}

/* --- fork() --- */

/* The child's file is the one that is checked: it ends last. */
static void *fork_here(void *argument) {
  work(NULL);
  if (fork() == 0) {
    for (int i = 0; i < 7; i++)
      leaf(i);
    run_threads();
    tell(N_THREADS * N_CALLS + 7);
    exit(0);
  }
  wait(NULL);
  _exit(0);
  return argument;
}

/* --- clone() --- */

static int cloned(void *argument) {
  work(argument);
  return 0;
}

static void clone_raw(void) {
  static char stacks[2][65536] __attribute__((aligned(16)));

  for (int i = 0; i < 2; i++)
    clone(cloned, stacks[i] + sizeof(stacks[i]),
          CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL);
  work(NULL);
  while (wait(NULL) > 0)
    continue;
}

/* --- Filters --- */

static void refuse_arch_prctl(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};

  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    abort();
}

/* --- A base of the program's own --- */

static void *use_own_base(void *argument) {
  static uint64_t areas[N_THREADS + 1];
  static int n_areas;
  uint64_t *area = &areas[__atomic_fetch_add(&n_areas, 1, __ATOMIC_RELAXED)];
  uint64_t read;

  syscall(SYS_arch_prctl, ARCH_SET_GS, area);
  for (int i = 0; i < N_CALLS; i++) {
    leaf(i);
    __asm__ volatile("incq %gs:0");
  }
  __asm__ volatile("movq %%gs:0, %0" : "=r"(read));
  if (read != N_CALLS || *area != N_CALLS)
    abort();
  return argument;
}

static void own_base(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, use_own_base, NULL);
  use_own_base(NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  tell((N_THREADS + 1) * N_CALLS);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : getenv("how");
  pthread_t thread;

  if (strcmp(how, "coroutines") == 0) {
    coroutines();
  } else if (strcmp(how, "fork") == 0) {
    fork_here(NULL);
  } else if (strcmp(how, "fork-in-thread") == 0) {
    work(NULL);
    pthread_create(&thread, NULL, fork_here, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(how, "clone") == 0) {
    clone_raw();
  } else if (strcmp(how, "filtered-alone") == 0) {
    refuse_arch_prctl();
    table[argc - 2](NULL);
    tell(N_CALLS);
  } else if (strcmp(how, "filtered") == 0) {
    refuse_arch_prctl();
    run_threads();
    tell(N_THREADS * N_CALLS);
  } else if (strcmp(how, "threads") == 0) {
    run_threads();
    tell(N_THREADS * N_CALLS);
  } else if (strcmp(how, "own-base") == 0) {
    own_base();
  } else {
    return 1;
  }
  return 0;
}
