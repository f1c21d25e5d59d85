/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/names.h"

#include "base/err.h"
#include "debug/func_names.h"
#include "image/symtab.h"

#include <demangle.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct demangle_style {
  const char *name;
  int libiberty_flag;
};

// In the order of enum names_demangle, and without its last.
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
                 "--demangle=%s: unknown style; use none, auto, gnu-v3, java, "
                 "gnat, dlang or rust",
                 text);
}

enum { NUMBER_BYTES = 20 }; // digits of any number of 64 bits

/** A name that is ready to print. */
struct name_text {
  const char *text; // NULL: not put together yet
  uint32_t length;
  bool is_owned; // otherwise it is the symbol's own
};

// Texts beyond are made again each time: names can get much longer than they
// were in the file.
enum { MAX_KEPT_BYTES = 32 << 20 };

// --- One name ---

/** Can the name be one of the style? A call of libiberty needs a copy of it. */
static bool may_be_mangled(enum names_demangle style, const char *name) {
  if (style == NAMES_RAW)
    return false;
  return (style != NAMES_AUTO && style != NAMES_GNU_V3 && style != NAMES_ANY) ||
         name[0] == '_';
}

static char *demangle_whole(enum names_demangle style, const char *name) {
  if (style == NAMES_ANY)
    return func_name_demangle(name);
  return cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI |
                                  demangle_styles[style].libiberty_flag);
}

/**
 * A name demangled, or NULL if it can not be. Dots and dollars before the
 * mangled name, and a version after an at sign, stay as they are.
 */
static char *demangle(enum names_demangle style, const char *name) {
  size_t n_before = 0;

  while (name[n_before] == '.' || name[n_before] == '$')
    n_before++;
  if (!may_be_mangled(style, name + n_before))
    return NULL;
  const size_t n_mangled = strcspn(name + n_before, "@");
  const char *const suffix = name + n_before + n_mangled;
  if (n_before == 0 && *suffix == '\0')
    return demangle_whole(style, name);
  char *const mangled = strndup(name + n_before, n_mangled);
  char *const plain = mangled ? demangle_whole(style, mangled) : NULL;
  char *whole = NULL;
  if (plain &&
      asprintf(&whole, "%.*s%s%s", (int)n_before, name, plain, suffix) < 0)
    whole = NULL;
  free(plain);
  free(mangled);
  return whole;
}

const char *names_file(const struct name_style *style, const char *file) {
  const char *slash = strrchr(file, '/');

  return style->is_full_path || !slash ? file : slash + 1;
}

/** Append a number. Returns the end. */
static char *add_number(char *end, uint64_t number, unsigned base) {
  char digits[NUMBER_BYTES];
  size_t i = sizeof(digits);

  do {
    digits[--i] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number > 0);
  return mempcpy(end, digits + i, sizeof(digits) - i);
}

/** "NAME (FILE:LINE @ ADDRESS)", or without the address. NULL: no memory. */
static char *add_place(const struct name_style *style,
                       const struct symbol *symbol, const char *name) {
  static const char signs[] = " (: @ )";
  const char *const file = names_file(style, symbol->file);
  char *const text = malloc(strlen(name) + strlen(file) + sizeof(signs) +
                            2 * (size_t)NUMBER_BYTES);

  if (!text)
    return NULL;
  char *end = stpcpy(stpcpy(stpcpy(text, name), " ("), file);
  *end++ = ':';
  end = add_number(end, symbol->line, 10);
  if (style->has_line)
    end =
        add_number(stpcpy(end, " @ "), symtab_vaddr(symbol, symbol->vaddr), 16);
  stpcpy(end, ")");
  return text;
}

/** Put a name together. Returns it if it differs from the symbol's, or NULL. */
static char *make_text(const struct name_style *style,
                       const struct symbol *symbol) {
  char *const plain = demangle(style->demangle, symbol->name);

  if (!symbol->file || (!style->has_line && !style->has_file))
    return plain;
  char *const text = add_place(style, symbol, plain ? plain : symbol->name);
  free(plain);
  return text;
}

// --- All names ---

/** Is a name written as it is in the symbol table, to be seen at a glance? */
static bool is_plain(const struct name_style *style, const char *name) {
  return !style->has_line && !style->has_file &&
         !may_be_mangled(style->demangle, name) && name[0] != '.' &&
         name[0] != '$';
}

/** Keep the names that need not be put together. Reports ask for names in the
 * order of what was measured, to and fro in memory, and would wait for symbol
 * and name each time; in the order of symbols they come by themselves. */
static void note_plain_names(struct names *names) {
  for (size_t i = 0; i < names->symtab->n_symbols; i++) {
    const char *const name = names->symtab->symbols[i].name;
    const size_t length = is_plain(&names->style, name) ? strlen(name) : 0;
    if (length > 0 && length <= MAX_KEPT_BYTES)
      names->texts[i] =
          (struct name_text){.text = name, .length = (uint32_t)length};
  }
}

int names_init(struct names *names, const struct name_style *style,
               const struct symtab *symtab, struct err *err) {
  *names = (struct names){
      .style = *style,
      .symtab = symtab,
      .texts = calloc(symtab->n_symbols + 1, sizeof(*names->texts)),
  };
  if (!names->texts)
    return err_no_memory(err);
  note_plain_names(names);
  return 0;
}

void names_release(struct names *names) {
  for (size_t i = 0; names->texts && i < names->symtab->n_symbols; i++)
    if (names->texts[i].is_owned)
      free((char *)names->texts[i].text);
  free(names->texts);
  free(names->loose);
  *names = (struct names){0};
}

const char *names_text(struct names *names, size_t i_symbol, size_t *length) {
  enum { OVERHEAD_BYTES = 32 }; // of a piece of memory
  struct name_text *const kept = &names->texts[i_symbol];

  if (kept->text) {
    *length = kept->length;
    return kept->text;
  }
  const struct symbol *const symbol = &names->symtab->symbols[i_symbol];
  char *const text = make_text(&names->style, symbol);
  *length = strlen(text ? text : symbol->name);
  if (!text && *length > MAX_KEPT_BYTES)
    return symbol->name;
  if (text && names->kept_bytes + *length > MAX_KEPT_BYTES) {
    free(names->loose);
    names->loose = text;
    return text;
  }
  if (text)
    names->kept_bytes += *length + OVERHEAD_BYTES;
  *kept = (struct name_text){
      .text = text ? text : symbol->name,
      .length = (uint32_t)*length,
      .is_owned = text != NULL,
  };
  return kept->text;
}
