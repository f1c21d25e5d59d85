/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Machines of the ports in runtime/cpu, and other names for them in triples.
static const struct {
  const char *name, *machine;
} names[] = {
    {"x86_64", "x86_64"}, {"amd64", "x86_64"},    {"aarch64", "aarch64"},
    {"arm64", "aarch64"}, {"riscv64", "riscv64"}, {"riscv64gc", "riscv64"},
};

// Machines whose code is x86_64 with -m64.
static const char *const narrow[] = {"i386", "i486", "i586", "i686"};

static bool begins_with_word(const char *triple, const char *word) {
  const size_t n = strlen(word);
  return strncmp(triple, word, n) == 0 &&
         (triple[n] == '-' || triple[n] == '\0');
}

static const char *machine_of_triple(const char *triple) {
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    if (begins_with_word(triple, names[i].name))
      return names[i].machine;
  return NULL;
}

static bool is_narrow(const char *triple) {
  for (size_t i = 0; i < sizeof(narrow) / sizeof(*narrow); i++)
    if (begins_with_word(triple, narrow[i]))
      return true;
  return false;
}

const char *target_own_machine(void) {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "riscv64";
#endif
}

const char *target_machine(const char *triple, const char *width) {
  const bool is_wide = !width || strcmp(width, "-m64") == 0;

  if (!triple)
    return is_wide ? target_own_machine() : NULL;
  // Pointers of x32 and ilp32 have 32 bits.
  if (!is_wide || !strstr(triple, "linux") || strstr(triple, "x32") ||
      strstr(triple, "ilp32"))
    return NULL;
  return width && is_narrow(triple) ? "x86_64" : machine_of_triple(triple);
}
