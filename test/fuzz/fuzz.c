/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** The machine is at fault, not the input. */
static void give_up(const char *what) {
  perror(what);
  _exit(1);
}

const char *fuzz_file(unsigned i_file, const uint8_t *bytes, size_t n_bytes) {
  static int fds[FUZZ_FILES];
  static char paths[FUZZ_FILES][32];

  if (!fds[i_file]) {
    fds[i_file] = memfd_create("fuzz", MFD_CLOEXEC);
    if (fds[i_file] < 0)
      give_up("memfd_create");
    snprintf(paths[i_file], sizeof paths[i_file], "/proc/self/fd/%d",
             fds[i_file]);
  }
  if (ftruncate(fds[i_file], 0) ||
      pwrite(fds[i_file], bytes, n_bytes, 0) != (ssize_t)n_bytes)
    give_up("memfd");
  return paths[i_file];
}

void *fuzz_copy(const uint8_t *bytes, size_t n_bytes, int is_text) {
  const size_t n_all = n_bytes + (is_text ? 1 : 0);
  uint8_t *const copy = malloc(n_all ? n_all : 1);

  if (!copy)
    give_up("malloc");
  if (n_bytes)
    memcpy(copy, bytes, n_bytes);
  if (is_text)
    copy[n_bytes] = 0;
  return copy;
}
