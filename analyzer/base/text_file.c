/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/text_file.h"

#include "base/err.h"
#include "base/in_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Read an open file; text that is appended meanwhile is left out. */
static int read_text(int fd, size_t n_bytes, struct text_file *out,
                     struct err *err) {
  out->text = malloc(n_bytes + 1);
  if (!out->text)
    return err_no_memory(err);
  const ssize_t n_read = in_file_read(fd, out->text, n_bytes);
  if (n_read < 0)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", out->path,
                   strerror(errno));
  out->next = out->text;
  out->end = out->text + n_read;
  *out->end = '\0';
  return 0;
}

int text_file_load(const char *path, struct text_file *out, struct err *err) {
  struct stat status;

  *out = (struct text_file){.path = path};
  const int fd = in_file_open(path, IN_FILE_OWN, &status);
  if (fd < 0)
    return err_set(err, ERR_INPUT, "%s: cannot open: %s", path,
                   in_file_reason(errno));
  const int rc = read_text(fd, (size_t)status.st_size, out, err);
  close(fd);
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
