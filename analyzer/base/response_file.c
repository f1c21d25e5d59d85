/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/response_file.h"

#include "base/err.h"
#include "base/in_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libiberty.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MAX_FILES = 2000,   // as GNU: limits files that include themselves
  MAX_TEXT = 4 << 20, // of all files together
  MAX_TEXT_MIB = MAX_TEXT >> 20,
};

/** Files and bytes that an expansion may still read. */
struct budget {
  int n_files;
  size_t n_bytes;
};

/** Read an open file as a string. Returns 0; or -1 with *err set. */
static int read_text(int fd, const char *path, struct budget *budget,
                     char **text, struct err *err) {
  struct stat status;

  if (fstat(fd, &status) != 0)
    return err_set(err, ERR_INPUT, "@%s: cannot open: %s", path,
                   strerror(errno));
  if (!S_ISREG(status.st_mode))
    return err_set(err, ERR_USAGE, "@%s: not a regular file", path);
  if (budget->n_files++ == MAX_FILES)
    return err_set(err, ERR_USAGE,
                   "@%s: more than %d response files; does one include itself?",
                   path, MAX_FILES);
  const size_t n_bytes = (size_t)status.st_size;
  if (n_bytes > MAX_TEXT - budget->n_bytes)
    return err_set(err, ERR_USAGE,
                   "@%s: response files are larger than %d MiB in total", path,
                   MAX_TEXT_MIB);
  budget->n_bytes += n_bytes;
  *text = malloc(n_bytes + 1);
  if (!*text)
    return err_no_memory(err);
  const ssize_t n_read = in_file_read(fd, *text, n_bytes);
  if (n_read < 0) {
    free(*text);
    return err_set(err, ERR_INPUT, "@%s: cannot open: %s", path,
                   strerror(errno));
  }
  (*text)[n_read] = '\0';
  return 0;
}

/** Replace argument i by others. Takes over the strings. */
static int put_in_place(struct response_args *args, int i, char **more,
                        struct err *err) {
  const int n_more = countargv(more);
  char **const argv = reallocarray(
      args->argv, (size_t)args->argc + (size_t)n_more + 1, sizeof(*argv));

  if (!argv)
    return err_no_memory(err);
  args->argv = argv;
  free(argv[i]);
  memmove(&argv[i + n_more], &argv[i + 1],
          (size_t)(args->argc - i) * sizeof(*argv)); // with the NULL
  memcpy(&argv[i], more, (size_t)n_more * sizeof(*argv));
  args->argc += n_more - 1;
  return 0;
}

/** Replace argument i, which begins with @. Sets *is_done if it stays. */
static int expand_one(struct response_args *args, int i, struct budget *budget,
                      bool *is_done, struct err *err) {
  const char *const path = args->argv[i] + 1;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char *text = NULL;

  *is_done = fd < 0;
  if (fd < 0)
    return 0;
  int rc = read_text(fd, path, budget, &text, err);
  close(fd);
  if (rc)
    return -1;
  // A file of blanks contains no argument; libiberty would make it an empty
  // one.
  const bool is_blank = text[strspn(text, " \t\n\v\f\r")] == '\0';
  char *none[] = {NULL};
  char **const more = is_blank ? none : buildargv(text);
  free(text);
  rc = more ? put_in_place(args, i, more, err) : err_no_memory(err);
  if (more == none)
    return rc;
  if (rc)
    freeargv(more);
  else
    free(more);
  return rc;
}

int response_args_expand(int argc, char **argv, struct response_args *out,
                         struct err *err) {
  struct budget budget = {0};

  *out = (struct response_args){.argc = argc, .argv = dupargv(argv)};
  if (!out->argv)
    return err_no_memory(err);
  for (int i = 1; i < out->argc;) {
    bool is_done = true;
    if (out->argv[i][0] == '@' && expand_one(out, i, &budget, &is_done, err)) {
      response_args_release(out);
      return -1;
    }
    i += is_done;
  }
  return 0;
}

void response_args_release(struct response_args *args) {
  freeargv(args->argv);
  *args = (struct response_args){0};
}
