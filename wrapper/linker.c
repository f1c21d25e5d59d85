/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "linker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"

enum { OLDEST_MAJOR = 2, OLDEST_MINOR = 35 };

/** The program of the last command that `clang -###` prints, which is in
 * quotes, with a backslash before quotes and backslashes. NULL if there is
 * none; a part of the text otherwise. */
static char *last_program(char *text) {
  char *name = NULL;

  for (char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (line[0] == ' ' && line[1] == '"')
      name = line + 2;
  }
  if (!name)
    return NULL;
  char *end = name;
  for (char *it = name; *it && *it != '"'; it++) {
    it += *it == '\\' && it[1];
    *end++ = *it;
  }
  *end = '\0';
  return name;
}

static char *find_linker(const char *compiler, const struct args *args) {
  struct args command = {0};

  args_add(&command, compiler);
  args_add(&command, "-###"); // before a --
  for (size_t i = 0; i < args->n; i++)
    args_add(&command, args->items[i]);
  char *const answer = ask_program(command.items, STDERR_FILENO);
  args_release(&command);
  const char *const program = answer ? last_program(answer) : NULL;
  char *const linker = program ? strdup(program) : NULL;
  free(answer);
  return linker;
}

/** From the first line of its --version, as "GNU ld (GNU Binutils for Debian)
 * 2.40" or "GNU ld version 2.41-34.fc40". */
static bool is_gnu_ld(char *version) {
  version[strcspn(version, "\n")] = '\0';
  if (strncmp(version, "GNU ld ", strlen("GNU ld ")) != 0)
    return false;
  char *end;
  const long major = strtol(strrchr(version, ' ') + 1, &end, 10);
  const long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
  return major > OLDEST_MAJOR ||
         (major == OLDEST_MAJOR && minor >= OLDEST_MINOR);
}

bool linker_is_gnu_ld(const char *compiler, const struct args *args) {
  char *const linker = find_linker(compiler, args);

  if (!linker)
    return false;
  char *const argv[] = {linker, "--version", NULL};
  char *const version = ask_program(argv, STDOUT_FILENO);
  const bool is_gnu = version && is_gnu_ld(version);
  free(version);
  free(linker);
  return is_gnu;
}
