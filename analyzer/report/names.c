/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/names.h"

#include "base/err.h"
#include "image/symtab.h"

#include <demangle.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct demangle_style {
  const char *name;
  int libiberty_flag;
};

// In the order of enum names_demangle.
static const struct demangle_style demangle_styles[] = {
    {"none", 0},         {"auto", DMGL_AUTO}, {"gnu-v3", DMGL_GNU_V3},
    {"java", DMGL_JAVA}, {"gnat", DMGL_GNAT}, {"dlang", DMGL_DLANG},
    {"rust", DMGL_RUST},
};

enum { N_STYLES = sizeof(demangle_styles) / sizeof(demangle_styles[0]) };

int names_parse_demangle(const char *text, enum names_demangle *out,
                         struct err *err) {
  for (int i = 0; i < N_STYLES; i++) {
    if (strcmp(demangle_styles[i].name, text) == 0) {
      *out = (enum names_demangle)i;
      return 0;
    }
  }
  return err_set(err, ERR_USAGE,
                 "--demangle=%s: unknown style; none, auto, gnu-v3, java, "
                 "gnat, dlang and rust are known",
                 text);
}

/**
 * Write a name demangled, if it can be. Dots and dollars before the mangled
 * name, and a version after an at sign, stay as they are.
 */
static int print_demangled(enum names_demangle style, const char *name,
                           FILE *out) {
  size_t n_before = strspn(name, ".$");
  size_t n_mangled = strcspn(name + n_before, "@");
  const char *suffix = name + n_before + n_mangled;
  char *mangled = strndup(name + n_before, n_mangled);
  char *plain =
      mangled
          ? cplus_demangle(mangled, DMGL_PARAMS | DMGL_ANSI |
                                        demangle_styles[style].libiberty_flag)
          : NULL;
  int n_bytes =
      plain ? fprintf(out, "%.*s%s%s", (int)n_before, name, plain, suffix)
            : fprintf(out, "%s", name);

  free(plain);
  free(mangled);
  return n_bytes;
}

const char *names_file(const struct name_style *style, const char *file) {
  const char *slash = strrchr(file, '/');

  return style->is_full_path || !slash ? file : slash + 1;
}

int names_print(const struct name_style *style, const struct symbol *symbol,
                FILE *out) {
  int n_bytes = style->demangle == NAMES_RAW
                    ? fprintf(out, "%s", symbol->name)
                    : print_demangled(style->demangle, symbol->name, out);

  if (symbol->file && style->has_line)
    n_bytes += fprintf(out, " (%s:%" PRIu32 " @ %" PRIx64 ")",
                       names_file(style, symbol->file), symbol->line,
                       symtab_vaddr(symbol, symbol->vaddr));
  else if (symbol->file && style->has_file)
    n_bytes += fprintf(out, " (%s:%" PRIu32 ")",
                       names_file(style, symbol->file), symbol->line);
  return n_bytes;
}
