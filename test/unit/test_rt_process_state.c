/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* os/process_state: of children, and of children of theirs. Linked so that a
   test may do something between two system calls. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "os/process_state.h"

long __real_rt_sys(long number, long a, long b, long c, long d, long e);
long __wrap_rt_sys(long number, long a, long b, long c, long d, long e);

/* A child, and a child of it: "the other". */
struct family {
  pid_t parent, other;
  int orders[2]; /* to the parent, which takes the other's status for each */
  int answers[2];
};

static const struct family *to_reap; /* before a file is opened; or NULL */
static int n_calls;                  /* of the system */

static void tell(int fd, uint32_t word) {
  assert_int_equal(write(fd, &word, sizeof(word)), sizeof(word));
}

static uint32_t hear(int fd) {
  uint32_t word = 0;

  assert_int_equal(read(fd, &word, sizeof(word)), sizeof(word));
  return word;
}

static void reap(const struct family *family) {
  tell(family->orders[1], 0);
  hear(family->answers[0]);
}

long __wrap_rt_sys(long number, long a, long b, long c, long d, long e) {
  if (number == SYS_openat && to_reap) {
    const struct family *family = to_reap;
    to_reap = NULL;
    reap(family);
  }
  n_calls++;
  return __real_rt_sys(number, a, b, c, d, e);
}

static _Noreturn void be_parent(const struct family *family,
                                void (*be_other)(void), int awaited) {
  siginfo_t info;

  prctl(PR_SET_PDEATHSIG, SIGKILL); // if an assertion fails
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    be_other();
    _exit(0);
  }
  if (awaited)
    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
  tell(family->answers[1], (uint32_t)pid);
  for (;;) {
    hear(family->orders[0]);
    waitpid(pid, NULL, 0);
    tell(family->answers[1], 0);
  }
}

/* awaited: exists after the other has ended. */
static void make_family(struct family *family, void (*be_other)(void),
                        int awaited) {
  assert_int_equal(pipe(family->orders), 0);
  assert_int_equal(pipe(family->answers), 0);
  family->parent = fork();
  if (family->parent == 0)
    be_parent(family, be_other, awaited);
  family->other = (pid_t)hear(family->answers[0]);
}

static void end_family(const struct family *family) {
  kill(family->other, SIGKILL);
  kill(family->parent, SIGKILL);
  waitpid(family->parent, NULL, 0);
  for (int i = 0; i < 2; i++) {
    close(family->orders[i]);
    close(family->answers[i]);
  }
}

static enum rt_process_state state(pid_t pid) {
  return rt_process_state((uint32_t)pid, false, 0);
}

static void be_running(void) { pause(); }

static void be_killed(void) { raise(SIGKILL); }

static void be_done(void) {}

static void *run_on(void *unused) {
  (void)unused;
  pause();
  return NULL;
}

static void be_without_first_thread(void) {
  pthread_t thread;

  if (pthread_create(&thread, NULL, run_on, NULL) == 0)
    syscall(SYS_exit, 0);
}

static void test_child(void **unused) {
  siginfo_t info;
  const pid_t runs = fork();

  (void)unused;
  if (runs == 0)
    be_running();
  assert_int_equal(state(runs), RT_PROCESS_RUNS);
  kill(runs, SIGKILL);
  waitid(P_PID, (id_t)runs, &info, WEXITED | WNOWAIT);
  assert_int_equal(state(runs), RT_PROCESS_WAS_KILLED);
  assert_int_equal(waitpid(runs, NULL, 0), runs);
  assert_int_equal(state(runs), RT_PROCESS_HAS_ENDED);

  const pid_t ends = fork();
  if (ends == 0)
    _exit(0);
  waitid(P_PID, (id_t)ends, &info, WEXITED | WNOWAIT);
  assert_int_equal(state(ends), RT_PROCESS_HAS_ENDED);
  waitpid(ends, NULL, 0);
}

/* Its number belongs to a process that is not a relative. */
static void test_child_of_before(void **unused) {
  (void)unused;
  assert_int_equal(rt_process_state((uint32_t)getpid(), false, 0),
                   RT_PROCESS_RUNS);
  assert_int_equal(rt_process_state((uint32_t)getpid(), true, 0),
                   RT_PROCESS_HAS_ENDED);
}

static void test_other_runs(void **unused) {
  struct family family;

  (void)unused;
  make_family(&family, be_running, 0);
  assert_int_equal(state(family.other), RT_PROCESS_RUNS);
  end_family(&family);
}

static void test_other_is_zombie(void **unused) {
  struct family family;

  (void)unused;
  make_family(&family, be_done, 1);
  assert_int_equal(state(family.other), RT_PROCESS_HAS_ENDED);
  reap(&family);
  assert_int_equal(state(family.other), RT_PROCESS_HAS_ENDED);
  end_family(&family);

  make_family(&family, be_killed, 1);
  assert_int_equal(state(family.other), RT_PROCESS_WAS_KILLED);
  end_family(&family);
}

/* Its parent reads its status between the check of its existence and that of
   its state. */
static void test_other_is_reaped_meanwhile(void **unused) {
  struct family family;

  (void)unused;
  make_family(&family, be_killed, 1);
  to_reap = &family;
  assert_int_equal(state(family.other), RT_PROCESS_HAS_ENDED);
  assert_null(to_reap);
  end_family(&family);
}

static char state_letter(pid_t pid) {
  char path[64], letter = '?';

  snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &letter), 1);
  fclose(file);
  return letter;
}

static void test_first_thread_has_ended(void **unused) {
  struct family family;

  (void)unused;
  make_family(&family, be_without_first_thread, 0);
  while (state_letter(family.other) != 'Z')
    usleep(1000);
  assert_int_equal(state(family.other), RT_PROCESS_RUNS);
  end_family(&family);
}

static void test_number_is_anothers(void **unused) {
  struct family family;

  (void)unused;
  make_family(&family, be_running, 0);
  assert_int_equal(rt_process_state((uint32_t)family.other, false, rt_ticks()),
                   RT_PROCESS_RUNS);
  assert_int_equal(rt_process_state((uint32_t)family.other, false, 1),
                   RT_PROCESS_HAS_ENDED);
  end_family(&family);
}

/* Thousands of them may be in memory that was written over. */
static void test_number_of_none(void **unused) {
  const uint32_t numbers[] = {0, (4u << 20) + 1, 0x40000000, UINT32_MAX};

  (void)unused;
  n_calls = 0;
  for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
    for (int is_child = 0; is_child < 2; is_child++)
      assert_int_equal(rt_process_state(numbers[i], is_child, 0),
                       RT_PROCESS_HAS_ENDED);
  assert_int_equal(n_calls, 0);
}

static void test_own_start(void **unused) {
  (void)unused;
  assert_true(rt_own_start_ticks() > 0);
  assert_true(rt_own_start_ticks() <= rt_ticks());
}

static void test_time_of_a_file(void **unused) {
  const uint32_t self = (uint32_t)getpid();
  struct timespec now, before;

  (void)unused;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  before = (struct timespec){.tv_sec = now.tv_sec - 100000};
  assert_true(rt_is_since_start(&now));
  assert_false(rt_is_since_start(&before));
  assert_false(rt_is_before_start_of(self, &now));
  assert_true(rt_is_before_start_of(self, &before));
  const pid_t ended = fork();
  if (ended == 0)
    _exit(0);
  assert_int_equal(waitpid(ended, NULL, 0), ended);
  assert_false(rt_is_before_start_of((uint32_t)ended, &before));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_child),
      cmocka_unit_test(test_child_of_before),
      cmocka_unit_test(test_other_runs),
      cmocka_unit_test(test_other_is_zombie),
      cmocka_unit_test(test_other_is_reaped_meanwhile),
      cmocka_unit_test(test_first_thread_has_ended),
      cmocka_unit_test(test_number_is_anothers),
      cmocka_unit_test(test_number_of_none),
      cmocka_unit_test(test_own_start),
      cmocka_unit_test(test_time_of_a_file),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
