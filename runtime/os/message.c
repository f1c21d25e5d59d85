/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes messages to a file if there is one for them, otherwise to fd 2. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/folders.h"
#include "os/os.h"

enum {
  TEXT_BYTES = 512,
  MAX_LOG_BYTES = 64 * 1024, /* a longer file would add nothing */
};

static struct {
  bool is_open;
  dev_t device;
  ino_t inode;
} stderr_at_start;

static bool is_ended;

static struct {
  const char *path; /* NULL: none */
  const char *program;
} message_log;

void rt_message_init(void) {
  struct stat status;

  if (rt_sys(SYS_fstat, STDERR_FILENO, (long)&status, 0, 0, 0) < 0)
    return;
  stderr_at_start.is_open = true;
  stderr_at_start.device = status.st_dev;
  stderr_at_start.inode = status.st_ino;
}

void rt_message_end(void) { is_ended = true; }

void rt_message_to(const char *path, const char *program) {
  message_log.path = path;
  message_log.program = program;
}

static long open_with(long flags) {
  return rt_sys(SYS_openat, AT_FDCWD, (long)message_log.path,
                O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY |
                    O_NONBLOCK | flags,
                0644, 0);
}

/* A file with more than one name may be another user's. In folders that anybody
   may write to, some systems do not open another user's file with O_CREAT. */
static long open_log(void) {
  struct stat status;
  char *scratch;
  long fd = open_with(0);

  if (fd == -ENOENT)
    fd = open_with(O_CREAT);
  if (fd == -ENOENT && (scratch = rt_map(RT_MAX_PATH))) {
    fd = rt_make_folders(message_log.path, scratch);
    fd = fd ? fd : open_with(O_CREAT);
    rt_unmap(scratch, RT_MAX_PATH);
  }
  if (fd < 0 || (!rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0) &&
                 S_ISREG(status.st_mode) && status.st_nlink == 1))
    return fd;
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return -RT_EFTYPE;
}

bool rt_message_has_log(void) {
  const long fd = message_log.path ? open_log() : -ENOENT;

  if (fd >= 0)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return fd >= 0;
}

static bool has_line(const char *text, size_t n, const struct rt_str *line) {
  for (size_t at = 0; at + line->length <= n;) {
    if (rt_equal(text + at, line->text, line->length))
      return true;
    while (at < n && text[at++] != '\n')
      continue;
  }
  return false;
}

/* The processes of a suite report the same messages, one after the other. */
static bool is_logged(long fd, const struct rt_str *line) {
  char *text = rt_map(MAX_LOG_BYTES);

  if (!text)
    return false;
  const long n = rt_sys(SYS_pread64, fd, (long)text, (long)MAX_LOG_BYTES, 0, 0);
  const bool is_there =
      n == MAX_LOG_BYTES || (n > 0 && has_line(text, (size_t)n, line));
  rt_unmap(text, MAX_LOG_BYTES);
  return is_there;
}

static bool write_log(const struct rt_str *line) {
  const long fd = open_log();

  if (fd < 0)
    return false;
  const bool is_there = is_logged(fd, line) ||
                        rt_sys(SYS_write, fd, (long)line->text,
                               (long)line->length, 0, 0) == (long)line->length;
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return is_there;
}

static void write_stderr(const struct rt_str *line) {
  struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};
  const struct timespec now = {0};
  struct stat status;

  // A program that closed fd 2 may have opened a file with that number;
  // messages must not be written there.
  if (!stderr_at_start.is_open ||
      rt_sys(SYS_fstat, STDERR_FILENO, (long)&status, 0, 0, 0) < 0 ||
      status.st_dev != stderr_at_start.device ||
      status.st_ino != stderr_at_start.inode)
    return;
  // A pipe without a reader raises SIGPIPE; a full one would block.
  if (rt_sys(SYS_ppoll, (long)&ready, 1, (long)&now, 0, 0) != 0)
    rt_sys(SYS_write, STDERR_FILENO, (long)line->text, (long)line->length, 0,
           0);
}

/* from, ": " and the text, which has room before it. Returns its beginning. */
static struct rt_str line_of(const char *from, char *text, size_t n) {
  const size_t length = rt_length(from);
  char *const first = text - length - 2;

  rt_copy(first, from, length);
  rt_copy(first + length, ": ", 2);
  return (struct rt_str){.text = first, .length = length + 2 + n};
}

void rt_message(const char *first, ...) {
  char buffer[RT_MAX_SUFFIX + 2 + TEXT_BYTES];
  struct rt_str text = {.text = buffer + RT_MAX_SUFFIX + 2,
                        .room = TEXT_BYTES - 1};
  struct rt_signals signals;
  va_list rest;

  if (is_ended)
    return;
  va_start(rest, first);
  for (const char *part = first; part; part = va_arg(rest, const char *))
    rt_str_add(&text, part);
  va_end(rest);
  // A file's name is untrusted, and fd 2 may be a terminal.
  for (size_t i = 0; i < text.length; i++)
    if ((uint8_t)text.text[i] < ' ' || text.text[i] == 0x7f)
      text.text[i] = '?';
  text.text[text.length++] = '\n';
  rt_signals_block(&signals);
  bool is_written = false;
  if (message_log.path) {
    const struct rt_str line =
        line_of(message_log.program, text.text, text.length);
    is_written = write_log(&line);
  }
  if (!is_written) {
    const struct rt_str line = line_of("arcline", text.text, text.length);
    write_stderr(&line);
  }
  rt_signals_restore(&signals);
}
