/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>

#include "os/os.h"
#include "os/task_file.h"

enum { PATH_BYTES = 64 };

long rt_task_file_open(uint32_t tid, const char *file) {
  char name[PATH_BYTES];
  struct rt_str path = {.text = name, .room = sizeof(name)};

  rt_str_add(&path, "/proc/self/task/");
  rt_str_add_number(&path, tid);
  rt_str_add(&path, "/");
  rt_str_add(&path, file);
  return rt_sys(SYS_openat, AT_FDCWD, (long)name, O_RDONLY | O_CLOEXEC, 0, 0);
}

long rt_task_file_read(uint32_t tid, const char *file, char *out, size_t room) {
  const long fd = rt_task_file_open(tid, file);

  if (fd < 0)
    return fd;
  const long n = rt_sys(SYS_read, fd, (long)out, (long)room, 0, 0);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return n;
}
