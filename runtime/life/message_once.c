/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "life/message_once.h"
#include "os/os.h"
#include "os/process_state.h"
#include "os/scratch.h"

/* Then the group is another one of that number. The start of its first process
   is unknown once that has ended. */
enum { MAX_SECONDS = 3600 };

/* FNV-1a. */
static uint64_t hash(uint64_t value, const char *text) {
  for (; *text; text++)
    value = (value ^ (uint8_t)*text) * 0x100000001b3;
  return value;
}

/* A relative name is another file in each folder. */
static uint64_t key_of(const char *file, const char *message) {
  uint64_t key = hash(hash(0xcbf29ce484222325, message), file);
  char *folder = file[0] == '/' ? NULL : rt_alloc_text(RT_MAX_PATH);

  if (!folder)
    return key;
  if (rt_sys(SYS_getcwd, (long)folder, RT_MAX_PATH, 0, 0, 0) > 0)
    key = hash(key, folder);
  rt_free(folder, RT_MAX_PATH);
  return key;
}

static bool is_old(const char *name, uint32_t suite) {
  struct timespec now;
  struct stat status;

  return rt_sys(SYS_newfstatat, AT_FDCWD, (long)name, (long)&status,
                AT_SYMLINK_NOFOLLOW, 0) < 0 ||
         rt_sys(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0) < 0 ||
         now.tv_sec - status.st_mtime > MAX_SECONDS ||
         rt_is_before_start_of(suite, &status.st_mtim);
}

/* The group of this process, or 0. Some harnesses (Meson's) give each test a
   session of its own: then it is the harness. Process 1 may be anybody's
   parent. */
static long find_suite(void) {
  const long self = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
  const long group = rt_sys(SYS_getpgid, 0, 0, 0, 0, 0);

  if (group != self)
    return group;
  if (rt_sys(SYS_getsid, 0, 0, 0, 0, 0) != self)
    return 0; // the first of a command line
  const long parent = rt_sys(SYS_getppid, 0, 0, 0, 0, 0);
  return parent > 1 ? parent : 0;
}

bool rt_message_is_first(const char *file, const char *message) {
  const long suite = find_suite();
  char text[96];
  struct rt_str name = {.text = text, .room = sizeof(text)};

  if (suite <= 0)
    return true;
  rt_str_add(&name, "/tmp/arcline-message-");
  rt_str_add_number(&name, (uint64_t)rt_sys(SYS_geteuid, 0, 0, 0, 0, 0));
  rt_str_add(&name, "-");
  rt_str_add_number(&name, (uint64_t)suite);
  rt_str_add(&name, "-");
  rt_str_add_number(&name, key_of(file, message));
  const long fd =
      rt_sys(SYS_openat, AT_FDCWD, (long)text,
             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR, 0);
  if (fd >= 0)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  if (fd != -EEXIST || !is_old(text, (uint32_t)suite))
    return fd != -EEXIST;
  rt_sys(SYS_utimensat, AT_FDCWD, (long)text, 0, AT_SYMLINK_NOFOLLOW, 0);
  return true;
}
