/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reports the messages of a log for `arcline doctor`. */
#include "cmd/doctor.h"

#include "base/err.h"
#include "base/in_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_NAME "arcline.log"

static const char *base_name(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool doctor_is_log(const char *path) {
  return strcmp(base_name(path), LOG_NAME) == 0;
}

/** A program's name may be anything. */
static void make_printable(char *line) {
  for (; *line; line++)
    if ((unsigned char)*line < ' ' || *line == 0x7f)
      *line = '?';
}

static void print_lines(struct doctor *doctor, const char *path, FILE *file) {
  char *line = NULL;
  size_t room = 0;
  ssize_t n;

  while ((n = getline(&line, &room, file)) > 0) {
    if (line[n - 1] == '\n')
      line[n - 1] = '\0';
    make_printable(line);
    if (*line)
      doctor_find(doctor, path, line, "fix this, then remove the file");
  }
  free(line);
}

void doctor_print_log(struct doctor *doctor, const char *path) {
  struct stat status;
  const int fd = in_file_open(path, IN_FILE_OWN, &status);
  FILE *const file = fd >= 0 ? fdopen(fd, "r") : NULL;

  if (file) {
    print_lines(doctor, path, file);
    fclose(file);
  } else if (fd >= 0) {
    close(fd);
  }
}

int doctor_print_log_of(struct doctor *doctor, const char *profile,
                        struct err *err) {
  struct stat status;
  char *path;
  const bool is_folder = stat(profile, &status) == 0 && S_ISDIR(status.st_mode);
  const size_t n_folder =
      is_folder ? strlen(profile) : (size_t)(base_name(profile) - profile);

  if (asprintf(&path, "%.*s%s" LOG_NAME, (int)n_folder, profile,
               is_folder ? "/" : "") < 0)
    return err_no_memory(err);
  doctor_print_log(doctor, path);
  free(path);
  return 0;
}
