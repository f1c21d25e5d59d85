/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Searches like libc: a name without a slash is searched for in the folders of
   PATH, where an empty one is the working directory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arcline/symbols.h"
#include "os/executable.h"
#include "os/libc.h"
#include "os/os.h"

/* A folder may be searched, but not executed. */
static bool is_executable(const char *path) {
  struct stat status;

  return rt_sys(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0) == 0 &&
         rt_sys(SYS_newfstatat, AT_FDCWD, (long)path, (long)&status, 0, 0) ==
             0 &&
         !S_ISDIR(status.st_mode);
}

static bool search(const char *name, char *text) {
  const char *const variable = rt_variable("PATH");
  const char *folder = variable ? variable : "/bin:/usr/bin";
  bool is_found = false;

  while (*name && folder && !is_found) {
    struct rt_str path = {.text = text, .room = RT_MAX_PATH};
    size_t n = 0;
    while (folder[n] && folder[n] != ':')
      n++;
    rt_str_add_n(&path, folder, n);
    rt_str_add(&path, n ? "/" : "");
    rt_str_add(&path, name);
    is_found = !path.is_cut && is_executable(text);
    folder = folder[n] ? folder + n + 1 : NULL;
  }
  return is_found;
}

bool rt_executable_find(uint32_t how, const void *file, char *text,
                        const char **path) {
  struct rt_str open = {.text = text, .room = RT_MAX_PATH};
  const uint32_t what = how & ~(uint32_t)ARCLINE_EXEC_IN_GIVEN;

  *path = NULL;
  if (what == ARCLINE_EXEC_UNKNOWN)
    return true;
  if (what == ARCLINE_EXEC_OPEN) {
    rt_str_add(&open, "/proc/self/fd/");
    rt_str_add_number(&open, (uintptr_t)file);
    *path = text;
    return true;
  }
  if (file && what == ARCLINE_EXEC_SEARCHED && !rt_folder_length(file)) {
    *path = text;
    return search(file, text);
  }
  *path = file;
  return file && is_executable(file);
}
