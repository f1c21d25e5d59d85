/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/func_names.h"

#include <demangle.h>
#include <fnmatch.h>
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

typedef bool matches(const char *wanted, const char *name);

static bool is_equal(const char *wanted, const char *name) {
  return strcmp(wanted, name) == 0;
}

static bool is_fitting(const char *pattern, const char *name) {
  return fnmatch(pattern, name, 0) == 0;
}

static bool matches_demangled(const char *wanted, matches *matches_name,
                              int options, const char *linkage_name) {
  char *name = cplus_demangle(linkage_name, DMGL_ANSI | DMGL_AUTO | options);
  const bool is_match = name && matches_name(wanted, name);

  free(name);
  return is_match;
}

static bool matches_any(const char *wanted, matches *matches_name,
                        const char *linkage_name) {
  if (matches_name(wanted, linkage_name))
    return true;
  if (strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
    return false;
  return matches_demangled(wanted, matches_name, DMGL_PARAMS, linkage_name) ||
         matches_demangled(wanted, matches_name, 0, linkage_name);
}

bool func_name_matches(const char *wanted, const char *linkage_name) {
  return matches_any(wanted, is_equal, linkage_name);
}

bool func_name_fits(const char *pattern, const char *linkage_name) {
  return matches_any(pattern, is_fitting, linkage_name);
}
