/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cmd/installed.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arcline/llvm_releases.h"

/** The folder of this program, without its slash. False: unknown. */
static bool find_folder(char folder[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  if (n <= 0)
    return false;
  folder[n] = '\0';
  *strrchr(folder, '/') = '\0';
  return true;
}

char *installed_find_page(const char *command) {
  static const char *const endings[] = {"", ".gz"};
  char folder[PATH_MAX];
  char *path = NULL;

  if (!find_folder(folder))
    return NULL;
  for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
    if (asprintf(&path, "%s/" ARCLINE_PAGES_FROM_BIN "/arcline-%s.1%s", folder,
                 command, endings[i]) < 0)
      return NULL;
    if (access(path, R_OK) == 0)
      return path;
    free(path);
  }
  return NULL;
}

void installed_print_plugins(FILE *out) {
  char folder[PATH_MAX], clang[PATH_MAX];
  char path[2 * PATH_MAX];

  if (!find_folder(folder))
    return;
  for (int major = ARCLINE_LLVM_NEWEST; major >= ARCLINE_LLVM_OLDEST; major--) {
    snprintf(path, sizeof(path),
             "%s/" ARCLINE_LIB_FROM_BIN "/arcline/llvm-%d/clang.path", folder,
             major);
    FILE *const file = fopen(path, "re");
    if (!file)
      continue;
    if (fgets(clang, sizeof(clang), file)) {
      clang[strcspn(clang, "\n")] = '\0';
      fprintf(out, "plugin for LLVM %d, %s%s\n", major, clang,
              access(clang, X_OK) == 0 ? "" : " (which is not there)");
    }
    fclose(file);
  }
}
