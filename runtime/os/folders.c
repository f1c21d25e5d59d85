/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "os/folders.h"
#include "os/os.h"

long rt_make_folders(const char *path, char *scratch) {
  long error = 0;

  for (size_t i = 1; i < RT_MAX_PATH && path[i]; i++) {
    if (path[i] != '/')
      continue;
    rt_copy(scratch, path, i);
    scratch[i] = '\0';
    const long rc = rt_sys(SYS_mkdirat, AT_FDCWD, (long)scratch, 0777, 0, 0);
    if (rc == 0 || rc == -EEXIST)
      error = 0;
    else if (!error)
      error = rc;
  }
  return error;
}
