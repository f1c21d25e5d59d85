/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tries stored inputs, without libFuzzer: replay_TARGET FOLDER... */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static int replay(const char *path) {
  FILE *const file = fopen(path, "rb");
  struct stat status;

  if (!file || fstat(fileno(file), &status)) {
    perror(path);
    return -1;
  }
  const size_t n_bytes = (size_t)status.st_size;
  uint8_t *const bytes = malloc(n_bytes + 1);
  const int rc = bytes && fread(bytes, 1, n_bytes, file) == n_bytes ? 0 : -1;
  if (rc)
    perror(path);
  else
    LLVMFuzzerTestOneInput(bytes, n_bytes);
  free(bytes);
  fclose(file);
  return rc;
}

int main(int argc, char **argv) {
  int n_inputs = 0;

  for (int i = 1; i < argc; i++) {
    DIR *const folder = opendir(argv[i]);
    if (!folder) {
      perror(argv[i]);
      return 1;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
      char path[4096];
      if (entry->d_name[0] == '.')
        continue;
      snprintf(path, sizeof(path), "%s/%s", argv[i], entry->d_name);
      // Printed before it is tried: the one that crashes is the last one
      // printed.
      fprintf(stderr, "%s\n", path);
      if (replay(path)) {
        closedir(folder);
        return 1;
      }
      n_inputs++;
    }
    closedir(folder);
  }
  fprintf(stderr, "%d inputs\n", n_inputs);
  return n_inputs == 0;
}
