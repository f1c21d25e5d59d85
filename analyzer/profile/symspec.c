/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/symspec.h"

#include "base/err.h"
#include "base/map64.h"
#include "base/merge_sort.h"

#include <stdlib.h>
#include <string.h>

/** A parsed selection; a part that is absent matches anything. */
struct pattern {
  const struct symspec *spec;
  size_t i_callees;       // in the tables, if it is for arcs
  bool is_callee;         // the half after the slash
  size_t place;           // the lesser is first
  char *copy;             // owns the strings below
  const char *name;       // exact symbol name; NULL: any
  const char *file;       // last part of a file name; NULL: any
  const char *meant_file; // the file that is meant, by identity; NULL: none
  uint32_t line;          // 0: any
  size_t last_match;      // index of the last symbol that matched
  size_t last_range;      // and of its range in the table
};

// --- Parsing ---

/** A line if it begins with a digit, otherwise a name, or nothing. */
static void parse_name_or_line(const char *text, struct pattern *out) {
  if (*text >= '0' && *text <= '9')
    out->line = (uint32_t)strtoul(text, NULL, 10);
  else if (*text)
    out->name = text;
}

/** Read a half of a selection. */
static int parse_pattern(const struct symspec *spec, const char *text,
                         size_t length, struct pattern *out, struct err *err) {
  *out = (struct pattern){
      .spec = spec, .last_match = SYMTAB_NONE, .copy = strndup(text, length)};
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
      if (patterns[j].file && strcmp(patterns[j].file, basename(file)) == 0)
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
  struct symtab *table = pattern->is_callee
                             ? &tables->callees[pattern->i_callees]
                         : pattern->spec->is_exclude ? &filter->exclude
                                                     : &filter->include;
  struct symbol range = symtab->symbols[i_symbol];

  if (pattern->spec->use == SYMSPEC_ARCS)
    range.line = (uint32_t)pattern->i_callees;
  if (pattern->last_match != SYMTAB_NONE &&
      pattern->last_match + 1 == i_symbol) {
    table->symbols[pattern->last_range].last = range.last;
  } else {
    if (symtab_add(table, &range, err))
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

/** First pattern, from `first` on, with a name not less than the given one. */
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

/**
 * Try every pattern on every symbol; those with a name are searched for it. Of
 * ranges that begin alike the first one stays, so patterns that match one
 * symbol are tried in the order given: by place.
 */
static int match_all(const struct symtab *symtab, struct pattern *patterns,
                     size_t n_patterns, struct symspec_tables *tables,
                     struct err *err) {
  size_t n_unnamed = 0;

  if (merge_sort(patterns, n_patterns, sizeof(*patterns), compare_names, NULL))
    return err_no_memory(err);
  while (n_unnamed < n_patterns && !patterns[n_unnamed].name)
    n_unnamed++;
  const char *last_name = NULL; // all lines of a function share its name
  size_t first_named = n_patterns;
  for (size_t i = 0; i < symtab->n_symbols; i++) {
    const struct symbol *symbol = &symtab->symbols[i];
    size_t unnamed = 0;
    if (symbol->name != last_name)
      first_named = lower_bound(patterns, n_unnamed, n_patterns, symbol->name);
    last_name = symbol->name;
    size_t named = first_named;
    for (;;) {
      bool has_named =
          named < n_patterns && strcmp(patterns[named].name, symbol->name) == 0;
      if (unnamed == n_unnamed && !has_named)
        break;
      bool is_named =
          has_named && (unnamed == n_unnamed ||
                        patterns[named].place < patterns[unnamed].place);
      struct pattern *next = &patterns[is_named ? named++ : unnamed++];
      if (matches(next, symbol) && add_match(next, symtab, i, tables, err))
        return -1;
    }
  }
  return 0;
}

// --- The tables ---

// Functions that count calls: excluded by default.
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

/** Find out how far the ranges up to each one reach. */
static int find_reaches(const struct symtab *callers, uint64_t **out,
                        struct err *err) {
  uint64_t reach = 0;

  *out = reallocarray(NULL, callers->n_symbols + 1, sizeof(**out));
  if (!*out)
    return err_no_memory(err);
  for (size_t i = 0; i < callers->n_symbols; i++) {
    if (callers->symbols[i].last > reach)
      reach = callers->symbols[i].last;
    (*out)[i] = reach;
  }
  return 0;
}

static int finish_tables(struct symspec_tables *tables, struct err *err) {
  // Every range has its end already.
  for (int use = 0; use < SYMSPEC_N_USES; use++)
    if (symtab_finish(&tables->filters[use].include, 0, err) ||
        symtab_finish(&tables->filters[use].exclude, 0, err))
      return -1;
  for (size_t i = 0; i < tables->n_callees; i++)
    if (symtab_finish(&tables->callees[i], 0, err))
      return -1;
  const struct symspec_filter *arcs = &tables->filters[SYMSPEC_ARCS];
  return find_reaches(&arcs->include, &tables->include_reaches, err) ||
                 find_reaches(&arcs->exclude, &tables->exclude_reaches, err)
             ? -1
             : 0;
}

/** Parse one selection: one pattern, or two for an arc. */
static int parse_spec(const struct symspec *spec, struct symspec_tables *tables,
                      struct pattern *patterns, size_t *n_patterns,
                      struct err *err) {
  size_t length = strcspn(spec->text, "/");

  if (spec->use == SYMSPEC_ARCS && !spec->text[length])
    return 0;
  if (parse_pattern(spec, spec->text, length, &patterns[(*n_patterns)++], err))
    return -1;
  if (spec->use != SYMSPEC_ARCS)
    return 0;
  patterns[*n_patterns - 1].i_callees = tables->n_callees;
  const char *callee = spec->text + length + 1;
  if (parse_pattern(spec, callee, strlen(callee), &patterns[(*n_patterns)++],
                    err))
    return -1;
  patterns[*n_patterns - 1].i_callees = tables->n_callees++;
  patterns[*n_patterns - 1].is_callee = true;
  return 0;
}

int symspec_resolve(const struct symtab *symtab, const struct symspec *specs,
                    size_t n_specs, struct symspec_tables *out,
                    struct err *err) {
  struct symspec default_specs[N_DEFAULT_SPECS];
  size_t n_patterns = 0;
  int rc = -1;

  *out = (struct symspec_tables){
      .callees = calloc(n_specs + 1, sizeof(*out->callees))};
  struct pattern *patterns =
      reallocarray(NULL, 2 * n_specs + N_DEFAULT_SPECS, sizeof(*patterns));
  if (!patterns || !out->callees) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < N_DEFAULT_SPECS; i++) {
    default_specs[i] = (struct symspec){
        .use = profiler_uses[i % N_PROFILER_USES],
        .is_exclude = true,
        .text = profiler_names[i / N_PROFILER_USES],
    };
    if (parse_spec(&default_specs[i], out, patterns, &n_patterns, err))
      goto out;
  }
  // The last option is tried first.
  for (size_t i = n_specs; i-- > 0;)
    if (parse_spec(&specs[i], out, patterns, &n_patterns, err))
      goto out;
  for (size_t i = 0; i < n_patterns; i++)
    patterns[i].place = i;
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

/**
 * Is an arc in the list? Unlike other lists, those of arcs are searched for
 * every range that the caller is in: none hides another that began before.
 */
static bool contains_arc(const struct symspec_tables *tables,
                         const struct symtab *callers, const uint64_t *reaches,
                         const struct symbol *caller,
                         const struct symbol *callee) {
  if (!caller)
    return false;
  for (size_t i = symtab_count_up_to(callers, caller->vaddr);
       i > 0 && reaches[i - 1] >= caller->vaddr; i--) {
    const struct symbol *range = &callers->symbols[i - 1];
    if (range->last < caller->vaddr)
      continue;
    const struct symtab *callees = &tables->callees[range->line];
    size_t found = symtab_find(callees, callee->vaddr);
    // A range to the last symbol ends with .text, even if its symbols do not.
    if (found != SYMTAB_NONE && callee->last <= callees->symbols[found].last)
      return true;
  }
  return false;
}

bool symspec_allows_arc(const struct symspec_tables *tables,
                        const struct symbol *caller,
                        const struct symbol *callee) {
  const struct symspec_filter *filter = &tables->filters[SYMSPEC_ARCS];

  if (filter->include.n_symbols > 0)
    return contains_arc(tables, &filter->include, tables->include_reaches,
                        caller, callee);
  return !contains_arc(tables, &filter->exclude, tables->exclude_reaches,
                       caller, callee);
}

void symspec_release(struct symspec_tables *tables) {
  for (int use = 0; use < SYMSPEC_N_USES; use++) {
    symtab_release(&tables->filters[use].include);
    symtab_release(&tables->filters[use].exclude);
  }
  for (size_t i = 0; i < tables->n_callees; i++)
    symtab_release(&tables->callees[i]);
  free(tables->include_reaches);
  free(tables->exclude_reaches);
  free(tables->callees);
  tables->include_reaches = tables->exclude_reaches = NULL;
  tables->callees = NULL;
  tables->n_callees = 0;
}
