/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symspec.h"

#include "err.h"
#include "map64.h"
#include "merge_sort.h"

#include <stdlib.h>
#include <string.h>

/** What a selection asks for; a part that is absent matches anything. */
struct pattern {
  const struct symspec *spec;
  char *copy;             // owns the strings below
  const char *name;       // exact symbol name; NULL: any
  const char *file;       // last part of a file name; NULL: any
  const char *meant_file; // the file that is meant, by identity; NULL: none
  uint32_t line;          // 0: any
  size_t last_match;      // index of the last symbol that matched
  size_t last_range;      // and of its range in the table
};

// --- Parsing ---

/** A line if it begins with a digit, else a name, or nothing. */
static void parse_name_or_line(const char *text, struct pattern *out) {
  if (*text >= '0' && *text <= '9')
    out->line = (uint32_t)strtoul(text, NULL, 10);
  else if (*text)
    out->name = text;
}

static int parse_pattern(const struct symspec *spec, struct pattern *out,
                         struct err *err) {
  *out =
      (struct pattern){.spec = spec,
                       .last_match = SYMTAB_NONE,
                       .copy = strndup(spec->text, strcspn(spec->text, "/"))};
  if (!out->copy)
    return err_no_memory(err);
  char *colon = strrchr(out->copy, ':');
  if (colon) {
    *colon = '\0';
    if (colon != out->copy)
      out->file = out->copy;
    parse_name_or_line(colon + 1, out);
  } else if (strchr(out->copy, '.')) {
    out->file = out->copy;
  } else {
    parse_name_or_line(out->copy, out);
  }
  return 0;
}

bool symspec_needs_files(const struct symspec *specs, size_t n_specs) {
  for (size_t i = 0; i < n_specs; i++)
    if (strpbrk(specs[i].text, ":.0123456789"))
      return true;
  return false;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}

// --- Files ---

static int compare_order(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct symbol *const *left = left_ptr;
  const struct symbol *const *right = right_ptr;

  (void)context;
  return (*left)->order < (*right)->order ? -1 : 1;
}

/**
 * Find which file each selection by file means: of several with the same last
 * part, the one that appeared last when symbols were added.
 */
static int find_files(const struct symtab *symtab, struct pattern *patterns,
                      size_t n_patterns, struct err *err) {
  struct map64 seen = {0};
  bool is_needed = false;
  int rc = -1;

  for (size_t i = 0; i < n_patterns; i++)
    is_needed |= patterns[i].file != NULL;
  if (!is_needed)
    return 0;
  const struct symbol **by_order =
      reallocarray(NULL, symtab->n_symbols + 1, sizeof(const void *));
  if (!by_order)
    return err_no_memory(err);
  for (size_t i = 0; i < symtab->n_symbols; i++)
    by_order[i] = &symtab->symbols[i];
  if (merge_sort(by_order, symtab->n_symbols, sizeof(*by_order), compare_order,
                 NULL)) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    const char *file = by_order[i]->file;
    // Equal names of files are the same pointer: see lines.h.
    if (!file || map64_find(&seen, (uintptr_t)file) != MAP64_NONE)
      continue;
    if (map64_insert(&seen, (uintptr_t)file, 0, err))
      goto out;
    for (size_t j = 0; j < n_patterns; j++)
      if (patterns[j].file && strcmp(patterns[j].file, last_part(file)) == 0)
        patterns[j].meant_file = file;
  }
  rc = 0;
out:
  map64_release(&seen);
  free(by_order);
  return rc;
}

// --- Matching ---

static bool matches(const struct pattern *pattern,
                    const struct symbol *symbol) {
  if (pattern->file &&
      (!pattern->meant_file || pattern->meant_file != symbol->file))
    return false;
  if (pattern->line && pattern->line != symbol->line)
    return false;
  return !pattern->name || strcmp(pattern->name, symbol->name) == 0;
}

/** Add symbol i_symbol to the pattern's table; neighbours become one range. */
static int add_match(struct pattern *pattern, const struct symtab *symtab,
                     size_t i_symbol, struct symspec_tables *tables,
                     struct err *err) {
  struct symspec_filter *filter = &tables->filters[pattern->spec->use];
  struct symtab *table =
      pattern->spec->is_exclude ? &filter->exclude : &filter->include;
  const struct symbol *symbol = &symtab->symbols[i_symbol];

  if (pattern->last_match != SYMTAB_NONE &&
      pattern->last_match + 1 == i_symbol) {
    table->symbols[pattern->last_range].last = symbol->last;
  } else {
    if (symtab_add(table, symbol, err))
      return -1;
    pattern->last_range = table->n_symbols - 1;
  }
  pattern->last_match = i_symbol;
  return 0;
}

static int compare_names(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct pattern *left = left_ptr;
  const struct pattern *right = right_ptr;

  (void)context;
  if (!left->name || !right->name)
    return (left->name != NULL) - (right->name != NULL);
  return strcmp(left->name, right->name);
}

/** First pattern from `first` on whose name is not less than the given one. */
static size_t lower_bound(const struct pattern *patterns, size_t first,
                          size_t n_patterns, const char *name) {
  while (first < n_patterns) {
    size_t middle = first + (n_patterns - first) / 2;
    if (strcmp(patterns[middle].name, name) < 0)
      first = middle + 1;
    else
      n_patterns = middle;
  }
  return first;
}

/** Try every pattern on every symbol; those with a name are searched for it. */
static int match_all(const struct symtab *symtab, struct pattern *patterns,
                     size_t n_patterns, struct symspec_tables *tables,
                     struct err *err) {
  size_t n_unnamed = 0;

  if (merge_sort(patterns, n_patterns, sizeof(*patterns), compare_names, NULL))
    return err_no_memory(err);
  while (n_unnamed < n_patterns && !patterns[n_unnamed].name)
    n_unnamed++;
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    const struct symbol *symbol = &symtab->symbols[i];
    size_t j = 0;
    for (; j < n_unnamed; j++)
      if (matches(&patterns[j], symbol) &&
          add_match(&patterns[j], symtab, i, tables, err))
        return -1;
    j = lower_bound(patterns, j, n_patterns, symbol->name);
    for (; j < n_patterns && strcmp(patterns[j].name, symbol->name) == 0; j++)
      if (matches(&patterns[j], symbol) &&
          add_match(&patterns[j], symtab, i, tables, err))
        return -1;
  }
  return 0;
}

// --- The tables ---

// What counts calls is no part of the program.
static const char *const profiler_names[] = {
    "_gprof_mcount",     "mcount",     "_mcount", "__mcount",
    "__mcount_internal", "__mcleanup",
};

static const enum symspec_use profiler_uses[] = {SYMSPEC_TIME, SYMSPEC_GRAPH,
                                                 SYMSPEC_FLAT};

enum {
  N_PROFILER_NAMES = sizeof(profiler_names) / sizeof(profiler_names[0]),
  N_PROFILER_USES = sizeof(profiler_uses) / sizeof(profiler_uses[0]),
  N_DEFAULT_SPECS = N_PROFILER_NAMES * N_PROFILER_USES,
};

static int finish_tables(struct symspec_tables *tables, struct err *err) {
  for (int use = 0; use < SYMSPEC_N_USES; use++) {
    struct symspec_filter *filter = &tables->filters[use];
    // Every range has its end already.
    if (symtab_finish(&filter->include, 0, err) ||
        symtab_finish(&filter->exclude, 0, err))
      return -1;
  }
  return 0;
}

int symspec_resolve(const struct symtab *symtab, const struct symspec *specs,
                    size_t n_specs, struct symspec_tables *out,
                    struct err *err) {
  struct symspec default_specs[N_DEFAULT_SPECS];
  size_t n_patterns = 0;
  int rc = -1;

  *out = (struct symspec_tables){0};
  struct pattern *patterns =
      reallocarray(NULL, n_specs + N_DEFAULT_SPECS, sizeof(*patterns));
  if (!patterns)
    return err_no_memory(err);
  for (size_t i = 0; i < N_DEFAULT_SPECS; i++)
    default_specs[i] = (struct symspec){
        .use = profiler_uses[i % N_PROFILER_USES],
        .is_exclude = true,
        .text = profiler_names[i / N_PROFILER_USES],
    };
  for (size_t i = 0; i < n_specs + N_DEFAULT_SPECS; i++) {
    const struct symspec *spec =
        i < n_specs ? &specs[i] : &default_specs[i - n_specs];
    if (parse_pattern(spec, &patterns[n_patterns++], err))
      goto out;
  }
  if (find_files(symtab, patterns, n_patterns, err) ||
      match_all(symtab, patterns, n_patterns, out, err) ||
      finish_tables(out, err))
    goto out;
  rc = 0;
out:
  for (size_t i = 0; i < n_patterns; i++)
    free(patterns[i].copy);
  free(patterns);
  if (rc)
    symspec_release(out);
  return rc;
}

static bool contains(const struct symtab *table, uint64_t vaddr) {
  return symtab_find(table, vaddr) != SYMTAB_NONE;
}

bool symspec_is_included(const struct symspec_tables *tables,
                         enum symspec_use use, uint64_t vaddr) {
  return contains(&tables->filters[use].include, vaddr);
}

bool symspec_is_excluded(const struct symspec_tables *tables,
                         enum symspec_use use, uint64_t vaddr) {
  return contains(&tables->filters[use].exclude, vaddr);
}

bool symspec_allows(const struct symspec_tables *tables, enum symspec_use use,
                    uint64_t vaddr) {
  const struct symspec_filter *filter = &tables->filters[use];

  if (filter->include.n_symbols > 0)
    return contains(&filter->include, vaddr);
  return !contains(&filter->exclude, vaddr);
}

void symspec_release(struct symspec_tables *tables) {
  for (int use = 0; use < SYMSPEC_N_USES; use++) {
    symtab_release(&tables->filters[use].include);
    symtab_release(&tables->filters[use].exclude);
  }
}
