/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Provides an empty folder for each test, which is its working directory, so
 * that names in messages are known; and collects warnings. A test that leaves a
 * file open fails.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <ftw.h>
#include <unistd.h>

#include <cmocka.h>

static char scratch_folder[64];
static FILE *scratch_warnings; /* that replaces stderr, or NULL */
static int scratch_stderr = -1;
static int scratch_n_open;

/** The number of open files, within the range that tests use. */
static inline int count_open_files(void) {
  int n = 0;

  for (int fd = 0; fd < 256; fd++)
    n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

static inline int scratch_enter(void **state) {
  (void)state;
  scratch_n_open = count_open_files();
  strcpy(scratch_folder, "/tmp/arcline-unit-XXXXXX");
  return mkdtemp(scratch_folder) ? chdir(scratch_folder) : -1;
}

/** Restore stderr. */
static inline void warnings_end(void) {
  if (scratch_stderr < 0)
    return;
  dup2(scratch_stderr, STDERR_FILENO);
  close(scratch_stderr);
  scratch_stderr = -1;
}

static inline int scratch_remove(const char *path, const struct stat *status,
                                 int type, struct FTW *walk) {
  (void)status, (void)type, (void)walk;
  return remove(path);
}

static inline int scratch_leave(void **state) {
  (void)state;
  warnings_end();
  if (scratch_warnings)
    fclose(scratch_warnings);
  scratch_warnings = NULL;
  return count_open_files() != scratch_n_open || chdir("/") ||
         nftw(scratch_folder, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void write_bytes(const char *path, const void *bytes, size_t n) {
  FILE *const file = fopen(path, "wb");

  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text) {
  write_bytes(path, text, strlen(text));
}

/** Keep warnings from now on, for expect_warnings(). */
static inline void warnings_begin(void) {
  scratch_warnings = tmpfile();
  assert_non_null(scratch_warnings);
  scratch_stderr = dup(STDERR_FILENO);
  assert_true(scratch_stderr >= 0);
  dup2(fileno(scratch_warnings), STDERR_FILENO);
}

/** Compare all that was written to stderr since warnings_begin(). */
static inline void expect_warnings(const char *expected) {
  char text[2048] = "";

  warnings_end();
  rewind(scratch_warnings);
  assert_true(fread(text, 1, sizeof(text) - 1, scratch_warnings) <
              sizeof(text) - 1);
  fclose(scratch_warnings);
  scratch_warnings = NULL;
  assert_string_equal(text, expected);
}

#endif
