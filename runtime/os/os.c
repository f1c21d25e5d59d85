/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implements system calls without side effects, and strings. Memory and strings
   are handled by own loops: the program may define memcpy itself, and that may
   be instrumented. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "cpu/cpu.h"
#include "os/os.h"

/* A word at any address, which no call copies: where words must be aligned, as
   on RISC-V, gcc 14 makes a call of memcpy() of a __builtin_memcpy(), and that
   call comes to rt_copy() again (compiler_calls.c). */
struct __attribute__((packed)) word {
  uint64_t value;
};

static bool are_blocked;

void rt_block_syscalls(void) { are_blocked = true; }

bool rt_are_syscalls_blocked(void) { return are_blocked; }

/* A call has failed with an error that raises a signal, SIGPIPE or SIGXFSZ. */
static bool has_raised;

long rt_sys(long number, long a, long b, long c, long d, long e) {
  if (are_blocked)
    return -ENOSYS;
  // The sixth argument is mmap's offset and pselect's mask; always 0 here.
  const long result = rt_cpu_syscall(number, a, b, c, d, e, 0);
  if (result == -EPIPE || result == -EFBIG)
    rt_store(&has_raised, true);
  return result;
}

void rt_zero(void *memory, size_t bytes) {
  uint8_t *out = memory;

  for (; bytes >= sizeof(struct word); bytes -= sizeof(struct word)) {
    ((struct word *)out)->value = 0;
    out += sizeof(struct word);
  }
  while (bytes--)
    *out++ = 0;
}

bool rt_are_zero(const uint64_t *words, size_t n) {
  uint64_t any = 0;

  for (; n >= 4 && !any; n -= 4, words += 4)
    any = words[0] | words[1] | words[2] | words[3];
  for (; n && !any; n--)
    any |= *words++;
  return !any;
}

void rt_zero_words(uint64_t *words, size_t n) {
  const uint64_t *const end = words + n;

  while (words < end)
    if (end - words >= 4 && !(words[0] | words[1] | words[2] | words[3]))
      words += 4; // as most of them are
    else if (*words)
      *words++ = 0;
    else
      words++;
}

void rt_copy(void *to, const void *from, size_t bytes) {
  uint8_t *out = to;
  const uint8_t *in = from;

  for (; bytes >= sizeof(struct word); bytes -= sizeof(struct word)) {
    ((struct word *)out)->value = ((const struct word *)in)->value;
    out += sizeof(struct word);
    in += sizeof(struct word);
  }
  while (bytes--)
    *out++ = *in++;
}

size_t rt_length(const char *text) {
  size_t n = 0;

  while (text[n])
    n++;
  return n;
}

size_t rt_folder_length(const char *path) {
  size_t n = rt_length(path);

  while (n && path[n - 1] != '/')
    n--;
  return n;
}

bool rt_equal(const void *a, const void *b, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
      return false;
  return true;
}

uint32_t rt_tid(void) { return (uint32_t)rt_sys(SYS_gettid, 0, 0, 0, 0, 0); }

int64_t rt_clock_ns(int clock) {
  struct timespec time = {0};

  if (rt_sys(SYS_clock_gettime, clock, (long)&time, 0, 0, 0))
    return -1;
  return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

static uint64_t signal_bit(int number) { return (uint64_t)1 << (number - 1); }

uint64_t rt_signals_but_faults(void) {
  static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE,
                               SIGILL,  SIGTRAP, SIGSYS};
  uint64_t mask = ~(uint64_t)0;

  for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
    mask &= ~signal_bit(faults[i]);
  return mask;
}

static uint64_t raised_signals(void) {
  return signal_bit(SIGPIPE) | signal_bit(SIGXFSZ);
}

void rt_signals_block(struct rt_signals *old) {
  const uint64_t mask = rt_signals_but_faults();

  old->pending = 0;
  rt_sys(SYS_rt_sigprocmask, SIG_BLOCK, (long)&mask, (long)&old->mask,
         sizeof(mask), 0);
  if (old->mask & raised_signals()) // otherwise none of them is pending
    rt_sys(SYS_rt_sigpending, (long)&old->pending, sizeof(old->pending), 0, 0,
           0);
}

void rt_signals_restore(const struct rt_signals *old) {
  const struct timespec now = {0};
  const uint64_t ours = raised_signals() & ~old->pending;

  while (rt_load(&has_raised) && rt_sys(SYS_rt_sigtimedwait, (long)&ours, 0,
                                        (long)&now, sizeof(ours), 0) > 0)
    continue;
  rt_sys(SYS_rt_sigprocmask, SIG_SETMASK, (long)&old->mask, 0,
         sizeof(old->mask), 0);
}

void rt_str_add_n(struct rt_str *str, const char *text, size_t n) {
  if (n > str->room - 1 - str->length) {
    n = str->room - 1 - str->length;
    str->is_cut = true;
  }
  rt_copy(str->text + str->length, text, n);
  str->length += n;
  str->text[str->length] = '\0';
}

void rt_str_add(struct rt_str *str, const char *text) {
  rt_str_add_n(str, text, rt_length(text));
}

void rt_str_add_number(struct rt_str *str, uint64_t number) {
  char digits[20];
  size_t at = sizeof(digits);

  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  rt_str_add_n(str, digits + at, sizeof(digits) - at);
}

void rt_str_add_error(struct rt_str *str, int error) {
  static const struct {
    int error;
    const char *text;
  } known[] = {
      {EACCES, "Permission denied"},
      {EDQUOT, "Disk quota exceeded"},
      {EEXIST, "File exists"},
      {EFBIG, "File too large"},
      {EIO, "Input/output error"},
      {EISDIR, "Is a directory"},
      {EMFILE, "Too many open files"},
      {ENAMETOOLONG, "File name too long"},
      {ENFILE, "Too many open files in system"},
      {ENOENT, "No such file or directory"},
      {ENOLCK, "No locks available"},
      {ENOMEM, "Out of memory"},
      {ENOSPC, "No space left on device"},
      {ENOTDIR, "Not a directory"},
      {EPERM, "Operation not permitted"},
      {EROFS, "Read-only file system"},
      {ETIMEDOUT, "locked by other processes"},
      {RT_EFTYPE, "not a regular file"},
      {RT_EINCOMPATIBLE, "not a pool, corrupt, or sampled at another rate"},
  };

  for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
    if (known[i].error == -error) {
      rt_str_add(str, known[i].text);
      return;
    }
  rt_str_add(str, "error ");
  rt_str_add_number(str, (uint64_t)-error);
}
