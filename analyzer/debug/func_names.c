/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/func_names.h"

#include <demangle.h>
#include <stdlib.h>
#include <string.h>

// A longer name is an attack on the demangler, whose time and memory may grow
// much faster than the name.
enum { MAX_NAME_BYTES = 16384 };

char *func_name_demangle(const char *linkage_name) {
  if (strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
    return NULL;
  return cplus_demangle(linkage_name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
}

static bool matches_demangled(const char *wanted, int options,
                              const char *linkage_name) {
  char *name = cplus_demangle(linkage_name, DMGL_ANSI | DMGL_AUTO | options);
  const bool is_match = name && strcmp(wanted, name) == 0;

  free(name);
  return is_match;
}

bool func_name_matches(const char *wanted, const char *linkage_name) {
  if (strcmp(wanted, linkage_name) == 0)
    return true;
  if (strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
    return false;
  return matches_demangled(wanted, DMGL_PARAMS, linkage_name) ||
         matches_demangled(wanted, 0, linkage_name);
}
