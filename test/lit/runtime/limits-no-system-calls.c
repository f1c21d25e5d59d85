/* A filter kills the program for any system call but those that it allows. With
   syscalls=none it is not killed, and persist=mmap keeps the counts of its
   first thread. Without that option the calls are those that
   docs/RELIABILITY.md lists, and one more for call stacks. If each one fails
   instead, the program ends as usual, with one message; if only getpid() fails,
   there is a profile, whichever thread calls exit(). */
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=syscalls=none %t kill 2>&1 > truth | count 0
// RUN: ls -A | grep -x truth
// RUN: env ARCLINE_OPTIONS=syscalls=none:hz=10000:crash=dump %t kill > truth
// RUN: ls -A | grep -x truth
// RUN: env ARCLINE_OPTIONS=syscalls=none:persist=mmap %t kill 1 > truth
// RUN: %arcline recover gmon.out.live* && %check-truth %t %s truth gmon.out
// RUN: rm gmon.out*
// RUN: %t fail 2>&1 > truth | FileCheck %s
// CHECK: {{^}}arcline: profile: cannot write: Operation not permitted; no profile written
// CHECK-NOT: {{.}}
// RUN: not ls gmon.out
// RUN: for how in getpid thread; do rm -f gmon.out* && %t $how > truth && \
// RUN:   %check-truth %t %s truth gmon.out || exit 1; done
// RUN: env ARCLINE_OPTIONS=hz=1000:stacks=off %t listed > truth
// RUN: %check-truth %t %s truth gmon.out
// RUN: env ARCLINE_OPTIONS=hz=1000 %t stacks > truth
// RUN: %check-truth %t %s truth gmon.out
// RUN: touch no
// RUN: env ARCLINE_OPTIONS=hz=1000:stacks=off:out=no/such %t listed 2>&1 \
// RUN:   | grep 'no/such: cannot write: Not a directory'
// RUN: grep -o 'SYS_[a-z0-9_]*, *// ours' %s | sed 's/SYS_//; s/,.*//' \
// RUN:   | sort > allowed
// RUN: sed -n '/^<!-- system calls -->/,/^$/p' %root/docs/RELIABILITY.md \
// RUN:   | sed 1d | grep -o '`[a-z0-9_]*`' | tr -d '`' | sort | diff allowed -
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_CALLS = 1000, MAX_CODE = 200, NONE = -1 };

static int line;
static bool is_last; /* the other thread */
static pthread_barrier_t barrier;

/* Calls of the program itself after it has put up the filter. */
static const int own_calls[] = {
    SYS_write,      SYS_futex,        SYS_exit,       SYS_brk,
    SYS_exit_group, SYS_rt_sigreturn, SYS_newfstatat, SYS_fstat};
/* All calls that the runtime may make after the start. */
static const int listed_calls[] = {
    SYS_clock_gettime,   // ours
    SYS_close,           // ours
    SYS_fcntl,           // ours
    SYS_fstat,           // ours
    SYS_getcwd,          // ours
    SYS_getpid,          // ours
    SYS_getrusage,       // ours
    SYS_gettid,          // ours
    SYS_madvise,         // ours
    SYS_mmap,            // ours
    SYS_munmap,          // ours
    SYS_newfstatat,      // ours
    SYS_openat,          // ours
    SYS_ppoll,           // ours
    SYS_pread64,         // ours
    SYS_pwrite64,        // ours
    SYS_read,            // ours
    SYS_readlinkat,      // ours
    SYS_renameat,        // ours
    SYS_renameat2,       // ours
    SYS_rt_sigpending,   // ours
    SYS_rt_sigprocmask,  // ours
    SYS_rt_sigtimedwait, // ours
    SYS_sigaltstack,     // ours
    SYS_tgkill,          // ours
    SYS_timer_create,    // ours
    SYS_timer_delete,    // ours
    SYS_timer_gettime,   // ours
    SYS_timer_settime,   // ours
    SYS_unlinkat,        // ours
    SYS_nanosleep,       // ours
    SYS_prlimit64,       // ours
    SYS_rt_sigaction,    // ours
    SYS_uname,           // ours
    SYS_write,           // ours
};

static const int call_of_stacks = SYS_process_vm_readv;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

__attribute__((noinline)) static void other(void) { __asm__ volatile(""); }

static void (*volatile const by_pointer[])(void) = {leaf, other};

__attribute__((noinline)) static void call(void) {
  for (int i = 0; i < N_CALLS; i++)
    by_pointer[i & 1]();
}

static struct sock_filter code[MAX_CODE];
static unsigned short n_code;

static void add(struct sock_filter instruction) {
  code[n_code++] = instruction;
}

/* Those of the list that are not `but`. */
static void allow(const int *calls, size_t n, int but) {
  for (size_t i = 0; i < n; i++) {
    if (calls[i] == but)
      continue;
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                     (unsigned)calls[i], 0, 1));
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
}

static void set_filter(const char *how) {
  struct sock_fprog whole = {.filter = code};

  add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                   offsetof(struct seccomp_data, nr)));
  const bool has_stacks = !strcmp(how, "stacks");
  const bool has_no_pid = !strcmp(how, "getpid") || !strcmp(how, "thread");
  allow(own_calls, sizeof(own_calls) / sizeof(*own_calls), NONE);
  if (has_stacks || has_no_pid || !strcmp(how, "listed"))
    allow(listed_calls, sizeof(listed_calls) / sizeof(*listed_calls),
          has_no_pid ? SYS_getpid : NONE);
  if (has_stacks)
    allow(&call_of_stacks, 1, NONE);
  add((struct sock_filter)BPF_STMT(
      BPF_RET | BPF_K, has_no_pid || !strcmp(how, "fail")
                           ? SECCOMP_RET_ERRNO | EPERM
                           : SECCOMP_RET_KILL_PROCESS));
  whole.len = n_code;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
              &whole))
    exit(2);
}

/* Counts first in the sandbox, though it began before. */
__attribute__((no_instrument_function)) static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  if (!arg)
    call();
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  if (is_last)
    exit(0);
  for (;;)
    pthread_barrier_wait(&barrier);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;

  if (argc < 2)
    return 2;
  pthread_barrier_init(&barrier, NULL, 2);
  char *const is_alone = argc > 2 ? argv[2] : NULL;
  if (pthread_create(&thread, NULL, work, is_alone))
    return 2;
  pthread_barrier_wait(&barrier);
  set_filter(argv[1]);
  call();
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  const int n = is_alone ? N_CALLS / 2 : N_CALLS;
  printf("calls leaf %d\ncalls other %d\nline %d %d\n", n, n, line, n);
  is_last = !strcmp(argv[1], "thread");
  if (is_last)
    for (;;)
      pthread_barrier_wait(&barrier);
  return 0;
}
