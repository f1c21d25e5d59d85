/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The unwinder: reads of unmapped memory, and real stacks, compared with
   libgcc. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "arcline/abi.h"
#include "guarded_pages.h"
#include "os/safe_read.h"
#include "unwind/unwind.h"

/* The runtime of this program would sample it, by the tables that the tests
   release. */
static const char options[]
    __attribute__((section(ARCLINE_SECTION_OPTIONS), used)) = "hz=0";

enum { WINDOW = 512, N_BENT = 20000 };

/* --- Reads --- */

static void check_reads(void) {
  uint8_t *memory = map_pages(2);
  uint8_t window[WINDOW], out[16];
  struct rt_safe_reader reader;

  for (size_t at = 0; at + sizeof(out) <= 2 * PAGE; at += 13) {
    rt_safe_reader_init(&reader, window, sizeof(window));
    assert_true(
        rt_safe_read(&reader, (uintptr_t)memory + at, out, sizeof(out)));
    assert_memory_equal(out, memory + at, sizeof(out));
  }
  // One window serves all, in any order.
  for (size_t at = 2 * PAGE - sizeof(out); at > 13; at -= 13) {
    assert_true(
        rt_safe_read(&reader, (uintptr_t)memory + at, out, sizeof(out)));
    assert_memory_equal(out, memory + at, sizeof(out));
  }
  assert_true(rt_safe_read(&reader, (uintptr_t)memory + 2 * PAGE - 1, out, 1));
  assert_false(rt_safe_read(&reader, (uintptr_t)memory + 2 * PAGE - 1, out, 2));
  assert_false(rt_safe_read(&reader, (uintptr_t)memory + 2 * PAGE, out, 1));
  assert_false(rt_safe_read(&reader, 0, out, 1));
  assert_false(rt_safe_read(&reader, 8, out, 8));
  assert_false(rt_safe_read(&reader, UINT64_MAX, out, 1));
  assert_false(rt_safe_read(&reader, UINT64_MAX - 7, out, 16));
  assert_false(rt_safe_read(&reader, (uint64_t)1 << 63, out, 1));
  munmap(memory, 3 * PAGE);
}

static void reads_what_is_there(void **state) {
  (void)state;
  check_reads();
}

/* From now on the system call fails with an error. */
static void refuse(long number, int error) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {4, code};

  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    _exit(77);
}

/* Emulators and sandboxes lack process_vm_readv(). */
static void reads_without_the_system_call(void **state) {
  static const int errors[] = {ENOSYS, EPERM};
  int status;

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    const pid_t child = fork();
    if (!child) {
      refuse(SYS_process_vm_readv, errors[i]);
      check_reads();
      _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
      skip();
    assert_int_equal(WEXITSTATUS(status), 0);
  }
}

/* --- Real stacks --- */

enum { MAX_FRAMES = 64 };

static struct rt_unwind *room;
static enum rt_unwind_end end;
static void *expected[MAX_FRAMES];
static int n_expected;
static volatile int sink;

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  end = rt_unwind(room, context);
  n_expected = backtrace(expected, MAX_FRAMES);
}

static void look(void) { raise(SIGUSR1); }

static int compare(const void *a, const void *b) {
  look();
  return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void sort(void) {
  int numbers[] = {3, 1, 2};

  qsort(numbers, 3, sizeof(numbers[0]), compare);
  sink += numbers[0];
}

__attribute__((noinline)) static void recurse(int n) {
  volatile char frame[100];

  frame[n] = 1;
  if (n)
    recurse(n - 1);
  else
    look();
  sink += frame[n];
}

static void on_other(int number) {
  (void)number;
  sort();
}

static void other_stack(void) {
  static char memory[1 << 16];
  const stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
  const stack_t none = {.ss_flags = SS_DISABLE};
  const struct sigaction action = {.sa_handler = on_other,
                                   .sa_flags = SA_ONSTACK};

  sigaltstack(&stack, NULL);
  sigaction(SIGUSR2, &action, NULL);
  raise(SIGUSR2);
  sigaltstack(&none, NULL);
}

/* The same frames, from the interrupted code on; libgcc has return addresses,
   and a few frames of the handler before. */
static void check_stack(void) {
  int first = 0;

  assert_int_equal(end, RT_UNWIND_COMPLETE);
  while (first < n_expected && (uintptr_t)expected[first] != room->pcs[0])
    first++;
  assert_true(first < n_expected);
  assert_int_equal(n_expected - first, room->n);
  for (size_t i = 1; i < room->n; i++) {
    const uintptr_t at = (uintptr_t)expected[(size_t)first + i];
    // At a signal, the frame is at the interrupted instruction itself.
    assert_true(room->pcs[i] == at - 1 || room->pcs[i] == at);
  }
}

static void stacks_are_libgccs(void **state) {
  const struct sigaction action = {.sa_sigaction = on_signal,
                                   .sa_flags = SA_SIGINFO};

  (void)state;
  assert_int_equal(rt_unwind_init(false), 0);
  room = calloc(1, sizeof(*room));
  assert_non_null(room);
  sigaction(SIGUSR1, &action, NULL);
  backtrace(expected, 1); // loads libgcc
  // By tables, and then by what was kept of them.
  for (int round = 0; round < 2; round++) {
    look();
    check_stack();
    sort();
    check_stack();
    recurse(40);
    check_stack();
    other_stack();
    check_stack();
  }
  free(room);
  rt_unwind_release();
}

/* Whatever the values of registers are. */
static void senseless_registers_do_no_harm(void **state) {
  static ucontext_t context;
  unsigned char *const bytes = (unsigned char *)&context;
  unsigned n_ends[RT_UNWIND_N_ENDS] = {0};

  (void)state;
  assert_int_equal(rt_unwind_init(false), 0);
  room = calloc(1, sizeof(*room));
  assert_non_null(room);
  srand(1);
  for (int i = 0; i < N_BENT; i++) {
    getcontext(&context);
    for (int j = rand() % 200; j; j--)
      bytes[(size_t)rand() % RT_CPU_CONTEXT_BYTES] = (unsigned char)rand();
    n_ends[rt_unwind(room, &context)]++;
    assert_true(room->n >= 1 && room->n <= RT_UNWIND_FRAMES);
  }
  assert_true(n_ends[RT_UNWIND_COMPLETE] > 0);
  assert_true(n_ends[RT_UNWIND_UNKNOWN] > 0);
  assert_true(n_ends[RT_UNWIND_BROKEN] > 0);
  free(room);
  rt_unwind_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_is_there),
      cmocka_unit_test(reads_without_the_system_call),
      cmocka_unit_test(stacks_are_libgccs),
      cmocka_unit_test(senseless_registers_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
