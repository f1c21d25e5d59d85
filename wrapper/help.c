/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "help.h"

#include <stddef.h>
#include <stdio.h>

void help_print(const char *name, bool is_cxx) {
  static const struct {
    const char *name, *text;
  } options[] = {
      {"--arcline-calls-only", "count calls only"},
      {"--arcline-blocks-only", "count basic blocks only"},
      {"--arcline-mcdc", "count conditions that determine decisions (MC/DC)"},
      {"--arcline-no-segment", "do not use the %gs register for counters"},
      {"--arcline-suite=FOLDER", "add up profiles of all processes in FOLDER"},
      {"--arcline-clang=CLANG", "run this clang"},
      {"--arcline-launch", "run the compiler command that follows"},
      {"--arcline-show", "print the clang command, do not run it"},
      {"--help", "show this help"},
  };

  printf("Compile and link %s with clang and the instrumentation of "
         "Arcline.\n\n"
         "Usage: %s [OPTION]... FILE...\n\n"
         "Options, besides those of clang (see clang --help):\n",
         is_cxx ? "C++" : "C", name);
  for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
    printf("  %-24s%s\n", options[i].name, options[i].text);
  printf("\nExamples:\n"
         "  %s -O2 -g %s -o prog && ./prog && arcline\n"
         "  %s --arcline-suite=profiles -O2 -g -c %s\n",
         name, is_cxx ? "prog.cpp" : "prog.c", name,
         is_cxx ? "prog.cpp" : "prog.c");
}
