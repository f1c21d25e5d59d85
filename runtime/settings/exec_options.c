/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Options are in a file that only this process reads: its name has the process
   number, which exec() keeps. Its contents begin with the start time of the
   process, since a later process may have the same number. The environment,
   which other code may read, is unchanged. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "os/libc.h"
#include "os/process_state.h"
#include "settings/exec_options.h"

static uint32_t noted_pid; /* of the process that has left options, or 0 */

static const char variable[] = "ARCLINE_OPTIONS=";

/* Texts or "". */
struct note {
  uint64_t start_ticks; /* of the process */
  char folder[RT_MAX_PATH];
  char options[RT_MAX_PATH];
  char context[ARCLINE_CONTEXT_MAX_BYTES];
};

static void note_path(char *text, size_t room) {
  struct rt_str path = {.text = text, .room = room};

  rt_str_add(&path, "/tmp/arcline-exec-");
  rt_str_add_number(&path, (uint64_t)rt_sys(SYS_geteuid, 0, 0, 0, 0, 0));
  rt_str_add(&path, "-");
  rt_str_add_number(&path, (uint64_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0));
}

static bool has_variable(char *const *environment) {
  for (; *environment; environment++) {
    size_t i = 0;
    while (variable[i] && (*environment)[i] == variable[i])
      i++;
    if (!variable[i])
      return true;
  }
  return false;
}

/* Is there a runtime in the file? */
static bool has_runtime(const char *path) {
  const size_t n = sizeof(variable) - 2; // the name
  const long fd = rt_sys(SYS_openat, AT_FDCWD, (long)path,
                         O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, 0);
  struct stat status;
  bool is_found = false;
  long bytes = -EINVAL;

  if (fd < 0)
    return false;
  if (!rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0) &&
      S_ISREG(status.st_mode) && status.st_size > 0)
    bytes =
        rt_sys(SYS_mmap, 0, (long)status.st_size, PROT_READ, MAP_PRIVATE, fd);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  if (bytes < 0 && bytes > -4096)
    return false;
  const char *at = (const char *)bytes;
  const char *const end = at + status.st_size;
  for (; !is_found && (size_t)(end - at) > n; at++)
    is_found = *at == variable[0] && rt_equal(at, variable, n) && !at[n];
  rt_unmap((void *)bytes, (size_t)status.st_size);
  return is_found;
}

static long create(const char *path) {
  const long flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const long fd = rt_sys(SYS_openat, AT_FDCWD, (long)path, flags, 0600, 0);

  if (fd != -EEXIST || rt_sys(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0))
    return fd;
  return rt_sys(SYS_openat, AT_FDCWD, (long)path, flags, 0600, 0);
}

/* There is room for the texts of the settings. */
static void put_text(char *out, const char *text) {
  if (text)
    rt_copy(out, text, rt_length(text));
}

void rt_exec_options_leave(const struct rt_exec_options *options,
                           const char *path, char *const *environment) {
  struct rt_signals signals;
  char name[64];

  rt_exec_options_withdraw();
  if ((!options->options && !options->context) || rt_are_syscalls_blocked() ||
      !path ||
      (environment ? has_variable(environment)
                   : rt_variable("ARCLINE_OPTIONS") != NULL) ||
      !has_runtime(path))
    return;
  struct note *note = rt_map(sizeof(*note));
  if (!note)
    return;
  note->start_ticks = rt_own_start_ticks();
  put_text(note->folder, options->folder);
  put_text(note->options, options->options);
  put_text(note->context, options->context);
  note_path(name, sizeof(name));
  rt_signals_block(&signals); // SIGXFSZ
  const long fd = create(name);
  if (fd >= 0)
    rt_store(&noted_pid, (uint32_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0));
  if (fd >= 0 &&
      rt_sys(SYS_write, fd, (long)note, sizeof(*note), 0, 0) != sizeof(*note))
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)name, 0, 0, 0);
  if (fd >= 0)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  rt_signals_restore(&signals);
  rt_unmap(note, sizeof(*note));
}

/* A child of vfork() has stored its number in this memory, and passes here,
   too, before it ends. */
void rt_exec_options_withdraw(void) {
  const uint32_t pid = rt_load(&noted_pid);
  char name[64];

  if (!pid || rt_sys(SYS_getpid, 0, 0, 0, 0, 0) != (long)pid)
    return;
  note_path(name, sizeof(name));
  rt_sys(SYS_unlinkat, AT_FDCWD, (long)name, 0, 0, 0);
  rt_store(&noted_pid, 0);
}

/* Rejects a file of another user. */
static bool is_own_file(long fd) {
  struct stat status;

  return rt_sys(SYS_fstat, fd, (long)&status, 0, 0, 0) == 0 &&
         S_ISREG(status.st_mode) && status.st_size == sizeof(struct note) &&
         status.st_uid == (uid_t)rt_sys(SYS_geteuid, 0, 0, 0, 0, 0);
}

static const char *read_text(char *text, size_t room) {
  text[room - 1] = '\0';
  return text[0] ? text : NULL;
}

/* The texts stay in the note's memory. */
static bool read_note(long fd, struct rt_exec_options *out) {
  struct note *note = rt_map(sizeof(*note));

  if (!note)
    return false;
  const bool is_whole =
      rt_sys(SYS_read, fd, (long)note, sizeof(*note), 0, 0) == sizeof(*note) &&
      note->start_ticks == rt_own_start_ticks();
  if (!is_whole) {
    rt_unmap(note, sizeof(*note));
    return false;
  }
  out->folder = read_text(note->folder, sizeof(note->folder));
  out->options = read_text(note->options, sizeof(note->options));
  out->context = read_text(note->context, sizeof(note->context));
  return true;
}

bool rt_exec_options_receive(struct rt_exec_options *out) {
  char name[64];

  note_path(name, sizeof(name));
  const long fd =
      rt_sys(SYS_openat, AT_FDCWD, (long)name,
             O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0);
  if (fd < 0)
    return false;
  const bool is_own = is_own_file(fd);
  const bool is_taken = is_own && read_note(fd, out);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  if (is_own)
    rt_sys(SYS_unlinkat, AT_FDCWD, (long)name, 0, 0, 0);
  return is_taken;
}
