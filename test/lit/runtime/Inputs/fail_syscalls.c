/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs a program over and over, and makes the system calls that follow its
   call of getppid() fail, each in turn and in each way that it can:

     fail_syscalls PROGRAM STATUS [all]

   After each run the program must have ended with STATUS, no temporary file may
   be there, and both gmon.out and gmon.out.arcline must be either the old one,
   then with one line of explanation, or the new one, whatever its samples.
   "all": all calls from one on fail, so that cleaning up fails, too; status and
   whole files remain. */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of linux/ptrace.h, which does not go together with sys/ptrace.h. */
#define GET_SYSCALL_INFO ((enum __ptrace_request)0x420e)
enum { OP_ENTRY = 1 };
struct syscall_info {
  uint8_t op, pad[3];
  uint32_t arch;
  uint64_t pc, sp, number, arguments[6];
};

/* Not errors: a call of write() that writes less than it should. */
enum { LAST_ERROR = 4095, SHORT_BY_HALF = 100000, ONE_BYTE, NOTHING };
enum { MAX_FILE = 1 << 20, TIME_LIMIT = 10, NONE = -1 };

static const int any_errors[] = {ENOMEM, EPERM, ENOSYS, 0};
static const int errors_of_openat[] = {EACCES, EDQUOT, EEXIST, EINTR,
                                       EIO,    EMFILE, ENFILE, ENOENT,
                                       ENOSPC, EROFS,  0};
static const int errors_of_write[] = {EAGAIN,   EDQUOT,        EFBIG, EINTR,
                                      EIO,      ENOSPC,        EPIPE, NOTHING,
                                      ONE_BYTE, SHORT_BY_HALF, 0};
static const int errors_of_close[] = {EDQUOT, EINTR, EIO, ENOSPC, 0};
static const int errors_of_rename[] = {EACCES, EBUSY, EDQUOT, EIO, ENOSPC, 0};

static const int *errors_of(long number) {
  switch (number) {
  case SYS_openat:
    return errors_of_openat;
  case SYS_write:
    return errors_of_write;
  case SYS_close:
    return errors_of_close;
  case SYS_renameat:
  case SYS_renameat2:
    return errors_of_rename;
  default:
    return any_errors;
  }
}

#if defined(__x86_64__)
#define RESULT(regs) ((regs).rax)
#define THIRD(regs) ((regs).rdx)
#elif defined(__aarch64__)
#define RESULT(regs) ((regs).regs[0])
#define THIRD(regs) ((regs).regs[2])
#else
#error "how to change a system call is unknown on this machine"
#endif

static void get_regs(pid_t pid, struct user_regs_struct *regs) {
  struct iovec place = {regs, sizeof(*regs)};

  if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &place))
    abort();
}

static void set_regs(pid_t pid, struct user_regs_struct *regs) {
  struct iovec place = {regs, sizeof(*regs)};

  if (ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &place))
    abort();
}

/* In the stop before a system call: there will be none. */
static void leave_out(pid_t pid) {
#if defined(__x86_64__)
  struct user_regs_struct regs;
  get_regs(pid, &regs);
  regs.orig_rax = (unsigned long long)-1;
  set_regs(pid, &regs);
#else
  int none = -1;
  struct iovec place = {&none, sizeof(none)};
  if (ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &place))
    abort();
#endif
}

/* In the stop before write(). */
static void shorten(pid_t pid, int error) {
  struct user_regs_struct regs;

  get_regs(pid, &regs);
  THIRD(regs) = error == ONE_BYTE ? 1 : (THIRD(regs) + 1) / 2;
  set_regs(pid, &regs);
}

/* In the stop before a system call. Returns whether its result is to be set. A
   sample may have come this time, so that the call is another one. */
static bool change(pid_t pid, long number, int error) {
  if (error > LAST_ERROR && number != SYS_write)
    return false;
  if (error == ONE_BYTE || error == SHORT_BY_HALF) {
    shorten(pid, error);
    return false;
  }
  leave_out(pid);
  return true;
}

static void set_result(pid_t pid, int error) {
  struct user_regs_struct regs;

  get_regs(pid, &regs);
  RESULT(regs) = error == NOTHING ? 0 : (unsigned long long)-(long long)error;
  set_regs(pid, &regs);
}

static void start(char *program) {
  const int fd = open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

  if (fd < 0 || dup2(fd, 2) != 2 || close(fd))
    _exit(100);
  alarm(TIME_LIMIT);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  execl(program, program, (char *)NULL);
  _exit(101);
}

static bool is_ours(const struct syscall_info *call) {
  // Writes and the end of the program itself are not tested. Some calls cannot
  // fail: a handler that did not return would run into the code after it.
  return call->number != SYS_getpid && call->number != SYS_gettid &&
         call->number != SYS_rt_sigreturn && call->number != SYS_exit_group &&
         call->number != SYS_exit &&
         !(call->number == SYS_write && call->arguments[0] < 3);
}

/* Makes the call of this index, counted from 1, fail; with is_all those after
   it, too. Returns the wait status; *number is the call's, NONE if there were
   fewer. */
static int run(char *program, int index, int error, bool is_all, long *number) {
  const pid_t pid = fork();
  bool is_counting = false, is_changed = false;
  int n = 0, status;

  if (pid == 0)
    start(program);
  waitpid(pid, &status, 0);
  *number = NONE;
  ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD);
  while (!WIFEXITED(status) && !WIFSIGNALED(status)) {
    struct syscall_info call;
    const int stop = WSTOPSIG(status);
    if (stop == (SIGTRAP | 0x80) &&
        ptrace(GET_SYSCALL_INFO, pid, sizeof(call), &call) > 0) {
      if (call.op != OP_ENTRY) {
        if (is_changed)
          set_result(pid, error);
        is_changed = false;
      } else if (call.number == SYS_getppid) {
        is_counting = true;
      } else if (is_counting && is_ours(&call) &&
                 (++n == index || (is_all && n > index))) {
        *number = n == index ? (long)call.number : *number;
        is_changed = change(pid, (long)call.number, error);
      }
    }
    const bool is_signal = stop != (SIGTRAP | 0x80) && stop != SIGTRAP;
    ptrace(PTRACE_SYSCALL, pid, NULL, is_signal ? stop : 0);
    waitpid(pid, &status, 0);
  }
  return status;
}

/* Samples differ from run to run, so that they and their rate are zeroed.
   gmon.out is a header and records, histograms first. */
static size_t without_samples(char *gmon, size_t n) {
  enum { HEADER = 20, N_BINS_AT = 17, RATE_AT = 21, RECORD = 41, BIN = 2 };

  for (size_t at = HEADER; at + RECORD <= n && gmon[at] == 0;) {
    uint32_t n_bins;
    memcpy(&n_bins, gmon + at + N_BINS_AT, sizeof(n_bins));
    memset(gmon + at + RATE_AT, 0, sizeof(n_bins));
    at += RECORD;
    if (n_bins > (n - at) / BIN)
      break;
    memset(gmon + at, 0, n_bins * BIN);
    at += n_bins * BIN;
  }
  return n;
}

static size_t read_file(const char *path, char *out) {
  FILE *file = fopen(path, "r");

  if (!file)
    return 0;
  const size_t n = fread(out, 1, MAX_FILE, file);
  fclose(file);
  return n;
}

static void write_old(const char *path) {
  FILE *file = fopen(path, "w");

  if (!file || fputs("old\n", file) < 0 || fclose(file))
    abort();
}

static void write_both(void) {
  write_old("gmon.out");
  write_old("gmon.out.arcline");
}

/* Returns the number of temporary files, which are removed. */
static int remove_temporaries(void) {
  DIR *folder = opendir(".");
  int n = 0;

  for (struct dirent *it; (it = readdir(folder));)
    if (it->d_name[0] == '.' && strstr(it->d_name, ".tmp")) {
      n++;
      unlink(it->d_name);
    }
  closedir(folder);
  return n;
}

static int n_lines(const char *text, size_t n) {
  int lines = 0;

  for (size_t i = 0; i < n; i++)
    lines += text[i] == '\n';
  return lines;
}

static char reference[MAX_FILE], found[MAX_FILE], said[MAX_FILE + 1];
static size_t n_reference;

static bool is_old(size_t n) { return n == 4 && !memcmp(found, "old\n", 4); }

static bool is_whole_side_file(size_t n) {
  return n > 8 && !memcmp(found, "arcline-side ", 13) &&
         !memcmp(found + n - 5, "\nend\n", 5);
}

/* Returns the error of a run, or NULL. */
static const char *fault(int status, int expected, bool is_all) {
  size_t n = without_samples(found, read_file("gmon.out", found));
  const bool has_old = is_old(n);
  const bool is_new = n == n_reference && !memcmp(found, reference, n);
  n = read_file("gmon.out.arcline", found);
  const bool has_old_side = is_old(n);
  const bool is_whole_side = is_whole_side_file(n);
  n = read_file("stderr.txt", said);
  said[n] = '\0';
  const int lines = n_lines(said, n);
  const int n_temporaries = remove_temporaries();

  if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
    return "another status";
  if (!has_old && !is_new)
    return "neither the old file nor the new one";
  if (!has_old_side && !is_whole_side)
    return "neither the old side file nor a whole one";
  if (is_all)
    return NULL;
  if (n_temporaries)
    return "a temporary file";
  if ((has_old || has_old_side) && lines != 1)
    return "an old file, but not one line";
  if (!has_old && !has_old_side && lines && !strstr(said, " may ") &&
      !strstr(said, "samples are missing"))
    return "new files, but a message";
  return NULL;
}

int main(int argc, char **argv) {
  const bool is_all = argc > 3;
  const int expected = argc > 2 ? atoi(argv[2]) : 0;
  int n_runs = 0, n_faults = 0, index = 1;
  long number;

  if (argc < 3)
    return 2;
  run(argv[1], 0, 0, false, &number);
  n_reference = without_samples(reference, read_file("gmon.out", reference));
  for (bool is_more = n_reference > 0; is_more; index++) {
    write_both();
    run(argv[1], index, ENOMEM, false, &number);
    is_more = number != NONE;
    remove_temporaries();
    for (const int *error = errors_of(number); is_more && *error; error++) {
      if (is_all && *error > LAST_ERROR)
        continue;
      write_both();
      const int status = run(argv[1], index, *error, is_all, &number);
      const char *what = fault(status, expected, is_all);
      n_runs++;
      if (!what)
        continue;
      n_faults++;
      printf("call %d, number %ld, error %d: %s, %#x; %.60s\n", index, number,
             *error, what, (unsigned)status, said);
    }
  }
  printf("%d system calls, %d runs, %d faults\n", index - 2, n_runs, n_faults);
  return n_faults || !n_runs;
}
