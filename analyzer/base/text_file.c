/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/text_file.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Read an open file; what is appended meanwhile is left out. */
static int read_text(FILE *stream, struct text_file *out, struct err *err) {
  struct stat status;

  if (fstat(fileno(stream), &status) != 0)
    return err_set(err, ERR_INPUT, "%s: %s", out->path, strerror(errno));
  if (!S_ISREG(status.st_mode))
    return err_set(err, ERR_INPUT, "%s: not a regular file", out->path);
  const size_t n_bytes = (size_t)status.st_size;
  out->text = malloc(n_bytes + 1);
  if (!out->text)
    return err_no_memory(err);
  out->next = out->text;
  out->end = out->text + fread(out->text, 1, n_bytes, stream);
  *out->end = '\0';
  return ferror(stream)
             ? err_set(err, ERR_INPUT, "%s: %s", out->path, strerror(errno))
             : 0;
}

int text_file_load(const char *path, struct text_file *out, struct err *err) {
  *out = (struct text_file){.path = path};
  // Do not wait for a pipe's writer.
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
  FILE *const stream = fdopen(fd, "r");
  if (!stream) {
    close(fd);
    return err_no_memory(err);
  }
  const int rc = read_text(stream, out, err);
  fclose(stream);
  if (rc)
    text_file_release(out);
  return rc;
}

char *text_file_next_line(struct text_file *file) {
  char *const line = file->next;

  if (line == file->end)
    return NULL;
  char *const newline = memchr(line, '\n', (size_t)(file->end - line));
  if (newline)
    *newline = '\0';
  file->next = newline ? newline + 1 : file->end;
  file->line++;
  return line;
}

void text_file_release(struct text_file *file) {
  free(file->text);
  *file = (struct text_file){0};
}
