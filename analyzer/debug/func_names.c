/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/func_names.h"

#include <demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A longer name is an attack on the demangler, whose time and memory may grow
// much faster than the name.
enum { MAX_NAME_BYTES = 16384 };

static bool is_fortran_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/**
 * A procedure's name as flang makes it: _QMshapesParea is the procedure area of
 * the module shapes, with S before a submodule and F before a procedure around
 * it, which is nameless if it is the main program. No library demangles these.
 */
static char *demangle_fortran(const char *name) {
  if (strcmp(name, "_QQmain") == 0)
    return strdup("main program");
  if (strncmp(name, "_Q", 2) != 0)
    return NULL;
  // Each letter gives way to two colons.
  char *const text = malloc(2 * strlen(name));
  if (!text)
    return NULL;
  char *end = text;
  char kind = '\0';
  for (name += 2; *name && strchr("MSFP", *name);) {
    kind = *name++;
    const char *const part = name;
    while (is_fortran_letter(*name))
      name++;
    if (end > text && name > part)
      end = stpcpy(end, "::");
    end = mempcpy(end, part, (size_t)(name - part));
  }
  if (kind == 'P' && end > text && (*name == '\0' || *name == '.')) {
    strcpy(end, name); // the compiler's suffix of a part
    return text;
  }
  free(text);
  return NULL;
}

/** The name in its source language: C++ or Rust, D, or Fortran. */
static char *demangle(const char *linkage_name, int options) {
  char *text = cplus_demangle(linkage_name, DMGL_ANSI | DMGL_AUTO | options);

  // The demangler does not detect this language by itself.
  if (!text && strncmp(linkage_name, "_D", 2) == 0)
    text = cplus_demangle(linkage_name, DMGL_ANSI | DMGL_DLANG | options);
  return text ? text : demangle_fortran(linkage_name);
}

char *func_name_demangle(const char *linkage_name) {
  if (strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
    return NULL;
  return demangle(linkage_name, DMGL_PARAMS);
}

char *func_name_demangle_plain(const char *linkage_name) {
  if (strnlen(linkage_name, MAX_NAME_BYTES) == MAX_NAME_BYTES)
    return NULL;
  return demangle(linkage_name, DMGL_PARAMS | DMGL_RET_DROP);
}
