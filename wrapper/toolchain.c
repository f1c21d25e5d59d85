/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "toolchain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arcline/llvm_releases.h"
#include "ask.h"

enum { FOLDER_BYTES = 2 * TOOLCHAIN_PATH_BYTES, MAX_VERSION_DIGITS = 4 };

// --- Plugins ---

static void name_folder(const char *dir, int major, char out[FOLDER_BYTES]) {
  snprintf(out, FOLDER_BYTES, "%s/" ARCLINE_LIBDIR "/arcline/llvm-%d", dir,
           major);
}

bool toolchain_find_plugin(const char *dir, int major, char *out) {
  char folder[FOLDER_BYTES];
  char path[FOLDER_BYTES + sizeof("/ArclinePass.so")];

  name_folder(dir, major, folder);
  snprintf(path, sizeof(path), "%s/ArclinePass.so", folder);
  // Fails with ENAMETOOLONG rather than overrun out: PATH_MAX is 4096.
  if (realpath(path, out))
    return true;
  snprintf(path, sizeof(path), "%s/../lib/ArclinePass.so", dir);
  return major == ARCLINE_LLVM_MAJOR && realpath(path, out);
}

bool toolchain_find_clang(const char *dir, int major, char *out) {
  char folder[FOLDER_BYTES];
  char path[FOLDER_BYTES + sizeof("/clang.path")];

  name_folder(dir, major, folder);
  snprintf(path, sizeof(path), "%s/clang.path", folder);
  FILE *const file = fopen(path, "re");
  const bool is_read = file && fgets(out, TOOLCHAIN_PATH_BYTES, file);
  if (file)
    fclose(file);
  if (is_read) {
    out[strcspn(out, "\n")] = '\0';
    if (out[0] == '/' && access(out, X_OK) == 0)
      return true;
  }
  if (major == ARCLINE_LLVM_MAJOR) {
    snprintf(out, TOOLCHAIN_PATH_BYTES, "%s", ARCLINE_CLANG);
    if (access(out, X_OK) == 0)
      return true;
  }
  snprintf(out, TOOLCHAIN_PATH_BYTES, "/usr/lib/llvm-%d/bin/clang", major);
  return access(out, X_OK) == 0;
}

int toolchain_newest(const char *dir) {
  char path[TOOLCHAIN_PATH_BYTES];

  for (int major = ARCLINE_LLVM_NEWEST; major >= ARCLINE_LLVM_OLDEST; major--)
    if (toolchain_find_plugin(dir, major, path) &&
        toolchain_find_clang(dir, major, path))
      return major;
  return 0;
}

void toolchain_list(const char *dir, char out[TOOLCHAIN_TEXT_BYTES]) {
  char path[TOOLCHAIN_PATH_BYTES];
  size_t n = 0;

  snprintf(out, TOOLCHAIN_TEXT_BYTES, "none");
  for (int major = ARCLINE_LLVM_OLDEST; major <= ARCLINE_LLVM_NEWEST; major++)
    if (toolchain_find_plugin(dir, major, path))
      n += (size_t)snprintf(out + n, TOOLCHAIN_TEXT_BYTES - n, "%s%d",
                            n > 0 ? ", " : "", major);
}

// --- Compilers ---

static int parse_major(const char *text, char end) {
  char *end_of_number;
  const size_t n_digits = strspn(text, "0123456789");
  if (n_digits == 0 || n_digits > MAX_VERSION_DIGITS)
    return 0;
  const long major = strtol(text, &end_of_number, 10);
  return *end_of_number == '\0' || *end_of_number == end ? (int)major : 0;
}

int toolchain_major_of_name(const char *name) {
  const char *const dash = strrchr(name, '-');
  return dash ? parse_major(dash + 1, '\0') : 0;
}

bool toolchain_is_clang_name(const char *name) {
  if (strncmp(name, "clang", strlen("clang")) != 0)
    return false;
  name += strlen("clang");
  if (strncmp(name, "++", 2) == 0)
    name += 2;
  return *name == '\0' || (*name == '-' && parse_major(name + 1, '\0') > 0);
}

static const char *base_name(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/** A path contains it as .../llvm-19/bin/clang or .../clang-19. */
static int major_of_path(const char *path) {
  const char *const folder = strstr(path, "/llvm-");
  const char *const name = base_name(path);

  if (toolchain_is_clang_name(name) && toolchain_major_of_name(name) > 0)
    return toolchain_major_of_name(name);
  return folder && toolchain_is_clang_name(name)
             ? parse_major(folder + strlen("/llvm-"), '/')
             : 0;
}

/** Find a program as execvp() does. */
static bool find_program(const char *name, char *out) {
  const char *path = getenv("PATH");

  if (strchr(name, '/'))
    return realpath(name, out);
  for (; path && *path; path += *path == ':') {
    char candidate[FOLDER_BYTES];
    const int n_bytes = (int)strcspn(path, ":");
    if (n_bytes < TOOLCHAIN_PATH_BYTES) {
      snprintf(candidate, sizeof(candidate), "%.*s%s%s", n_bytes, path,
               n_bytes > 0 ? "/" : "./", name);
      if (access(candidate, X_OK) == 0 && realpath(candidate, out))
        return true;
    }
    path += n_bytes;
  }
  return false;
}

bool toolchain_is_wrapper(const char *clang) {
  static const char name[] = "arcline-c";
  char path[TOOLCHAIN_PATH_BYTES];

  return find_program(clang, path) &&
         strncmp(base_name(path), name, strlen(name)) == 0;
}

#define CLANG_VERSION "clang version "

/** The number in the first line of `clang --version`, or that it begins with.
 * -dumpversion would not distinguish clang from gcc. */
static int ask_for_major(const char *clang) {
  char *const argv[] = {(char *)clang, "--version", NULL};
  char *const answer = ask_program(argv, STDOUT_FILENO);
  int major = 0;

  if (answer && strstr(answer, "Free Software Foundation")) {
    major = TOOLCHAIN_GCC;
  } else if (answer) {
    const char *version = strstr(answer, CLANG_VERSION);
    version = version ? version + strlen(CLANG_VERSION) : answer;
    answer[strcspn(answer, "\n")] = '\0';
    major = parse_major(version, '.');
  }
  free(answer);
  return major;
}

int toolchain_major(const char *clang) {
  char path[TOOLCHAIN_PATH_BYTES];

  if (strcmp(clang, ARCLINE_CLANG) == 0)
    return ARCLINE_LLVM_MAJOR;
  if (toolchain_is_clang_name(base_name(clang)) &&
      toolchain_major_of_name(clang) > 0)
    return toolchain_major_of_name(clang);
  // A link named clang to another program, such as ccache, is resolved by
  // running it.
  if (find_program(clang, path) && major_of_path(path) > 0)
    return major_of_path(path);
  return ask_for_major(clang);
}
