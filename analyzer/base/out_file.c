/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/out_file.h"

#include "base/err.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_failed(const char *path, int reason, struct err *err) {
  return err_set(err, ERR_SYSTEM, "%s: cannot write: %s", path,
                 strerror(reason));
}

int out_file_flush(FILE *stream) {
  if (fflush(stream) != 0)
    return errno;
  if (!ferror(stream))
    return 0;
  // An earlier write failed unnoticed, and errno is that of a later call.
  // Writing one more byte fails for the same reason and sets errno.
  clearerr(stream);
  return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

/** Open a file of a new name in the folder of the final one. */
static int open_temporary(struct out_file *out, struct err *err) {
  if (asprintf(&out->temporary, "%s.XXXXXX", out->path) < 0) {
    out->temporary = NULL;
    return err_no_memory(err);
  }
  const int fd = mkstemp(out->temporary);
  if (fd < 0) {
    write_failed(out->path, errno, err);
    free(out->temporary);
    out->temporary = NULL;
    return -1;
  }
  // The mode that open() would have set, not mkstemp()'s private one.
  const mode_t mask = umask(0);
  umask(mask);
  out->stream = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "wb") : NULL;
  if (out->stream)
    return 0;
  write_failed(out->path, errno, err);
  close(fd);
  return -1;
}

int out_file_open(const char *path, struct out_file *out, struct err *err) {
  struct stat status;
  int rc = 0;

  *out = (struct out_file){0};
  if (!path || strcmp(path, "-") == 0) {
    out->stream = stdout;
    return 0;
  }
  const bool exists = stat(path, &status) == 0;
  out->path = exists ? realpath(path, NULL) : strdup(path);
  if (!out->path) {
    write_failed(path, errno, err);
    return -1;
  }
  if (exists && !S_ISREG(status.st_mode)) {
    out->stream = fopen(out->path, "wb");
    if (!out->stream)
      rc = write_failed(path, errno, err);
  } else {
    rc = open_temporary(out, err);
  }
  if (rc != 0)
    out_file_release(out);
  return rc;
}

int out_file_commit(struct out_file *out, struct err *err) {
  if (out->stream == stdout)
    return 0;
  const int reason = out_file_flush(out->stream);
  if (reason != 0)
    return write_failed(out->path, reason, err);
  const int rc = fclose(out->stream);
  out->stream = NULL;
  if (rc != 0 || (out->temporary && rename(out->temporary, out->path) != 0))
    return write_failed(out->path, errno, err);
  free(out->temporary);
  out->temporary = NULL;
  return 0;
}

void out_file_release(struct out_file *out) {
  if (out->stream && out->stream != stdout)
    fclose(out->stream);
  if (out->temporary)
    unlink(out->temporary);
  free(out->temporary);
  free(out->path);
  *out = (struct out_file){0};
}
