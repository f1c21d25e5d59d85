/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gprof/annotated_source.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/row.h"
#include "debug/source.h"
#include "profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  LABEL_COLUMNS = 16,
  MAX_LABEL_BYTES = 64, // LABEL_COLUMNS, one more count, an arrow
};

//===--- Which files and lines --------------------------------------------===//

/** By file; within a file by line, then by address. */
static int compare_places(const void *left_ptr, const void *right_ptr,
                          const void *context) {
  const struct symtab *const symtab = context;
  const struct symbol *const left = &symtab->symbols[*(const size_t *)left_ptr];
  const struct symbol *const right =
      &symtab->symbols[*(const size_t *)right_ptr];
  if (left->file != right->file)
    return strcmp(left->file, right->file);
  return (left->line > right->line) - (left->line < right->line);
}

/** A file and when its first symbol appeared. */
struct ranked_file {
  struct annotated_source_file file;
  uint32_t order;
};

static int compare_ranks(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  (void)context;
  const struct ranked_file *const left = left_ptr, *const right = right_ptr;
  return (left->order < right->order) - (left->order > right->order);
}

/** Count a symbol on its line, the last one of its file so far or a new one. */
static void add_symbol(struct annotated_source *report,
                       struct annotated_source_file *file, size_t i_symbol) {
  const struct profile *const profile = report->profile;
  const struct symbol *const symbol = &profile->symtab->symbols[i_symbol];
  const uint64_t calls = profile->counts[i_symbol].calls;
  if (!symspec_allows(profile->filters, SYMSPEC_ANNO, symbol->vaddr) ||
      symbol->line == 0)
    return;
  file->calls += calls;
  if (file->n_lines && file->lines[file->n_lines - 1].line == symbol->line) {
    file->lines[file->n_lines - 1].calls += calls;
    file->lines[file->n_lines - 1].n_symbols++;
    return;
  }
  file->lines[file->n_lines++] = (struct annotated_source_line){
      .line = symbol->line,
      .n_symbols = 1,
      .i_symbol = i_symbol,
      .calls = calls,
  };
}

static bool is_shown(const struct annotated_source *report,
                     const struct annotated_source_file *file) {
  return file->n_lines && (file->calls || report->options.has_zero_rows);
}

/** Fill files from the symbols that have one, sorted by place. */
static int list_files(struct annotated_source *report, const size_t *places,
                      size_t n_places, struct err *err) {
  const struct symtab *const symtab = report->profile->symtab;
  struct ranked_file *const ranked = calloc(n_places + 1, sizeof(*ranked));
  report->lines = calloc(n_places + 1, sizeof(*report->lines));
  if (!ranked || !report->lines) {
    free(ranked);
    return err_no_memory(err);
  }
  size_t n_ranked = 0;
  for (size_t i = 0; i < n_places;) {
    const char *const name = symtab->symbols[places[i]].file;
    struct ranked_file *const entry = &ranked[n_ranked];
    *entry = (struct ranked_file){
        .file = {.name = name, .lines = report->lines + i},
        .order = UINT32_MAX,
    };
    for (; i < n_places; i++) {
      const struct symbol *const symbol = &symtab->symbols[places[i]];
      if (symbol->file != name && strcmp(symbol->file, name) != 0)
        break;
      if (symbol->order < entry->order)
        entry->order = symbol->order;
      add_symbol(report, &entry->file, places[i]);
    }
    if (is_shown(report, &entry->file))
      n_ranked++;
  }
  // The file that appeared last comes first.
  int rc = -1;
  report->files = calloc(n_ranked + 1, sizeof(*report->files));
  if (!report->files ||
      merge_sort(ranked, n_ranked, sizeof(*ranked), compare_ranks, NULL)) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < n_ranked; i++)
    report->files[i] = ranked[i].file;
  report->n_files = n_ranked;
  rc = 0;
out:
  free(ranked);
  return rc;
}

int annotated_source_init(struct annotated_source *out,
                          const struct profile *profile,
                          const struct annotated_source_options *options,
                          struct err *err) {
  *out = (struct annotated_source){.profile = profile, .options = *options};
  const struct symtab *const symtab = profile->symtab;
  size_t *const places = calloc(symtab->n_symbols + 1, sizeof(*places));
  if (!places)
    return err_no_memory(err);
  size_t n_places = 0;
  for (size_t i = 0; i < symtab->n_symbols; i++)
    if (symtab->symbols[i].file)
      places[n_places++] = i;
  int rc;
  if (merge_sort(places, n_places, sizeof(*places), compare_places, symtab))
    rc = err_no_memory(err);
  else
    rc = list_files(out, places, n_places, err);
  free(places);
  if (rc)
    annotated_source_release(out);
  return rc;
}

void annotated_source_release(struct annotated_source *report) {
  free(report->files);
  free(report->lines);
  *report = (struct annotated_source){0};
}

//===--- Printing ---------------------------------------------------------===//

/** The counts before a line, while they are formatted. */
struct label {
  char text[MAX_LABEL_BYTES];
  size_t n_bytes;
  uint64_t sum;
  uint64_t shown; /* the count shown last */
  bool has_count; /* some count belongs to the line, shown or not */
};

static void label_show(struct label *label, uint64_t count) {
  label->shown = count;
  if (label->n_bytes >= LABEL_COLUMNS)
    return; // The rest is truncated.
  const int n_bytes = snprintf(label->text + label->n_bytes,
                               sizeof(label->text) - label->n_bytes,
                               "%s%" PRIu64, label->n_bytes ? "," : "", count);
  label->n_bytes += (size_t)n_bytes;
}

/** Counts of a line, by the rules of GNU gprof. */
static void fill_label(struct annotated_source *report,
                       const struct annotated_source_line *line,
                       struct label *label) {
  const struct profile *const profile = report->profile;
  const struct symbol *const symbol = &profile->symtab->symbols[line->i_symbol];
  const bool all_lines = report->options.all_lines;
  uint32_t i_block = profile->counts[line->i_symbol].first_block;
  if (symbol->is_func) {
    report->last_count = line->calls;
    label->sum = line->calls;
    label->has_count = true;
    label_show(label, line->calls);
  } else if (all_lines && i_block != PROFILE_NONE &&
             (line->n_symbols > 1 ||
              profile->blocks[i_block].vaddr > symbol->vaddr)) {
    // The line begins with the rest of the block before.
    label->sum = report->last_count;
    label->has_count = true;
    label_show(label, report->last_count);
  }
  while (i_block != PROFILE_NONE) {
    const struct profile_block *const block = &profile->blocks[i_block];
    i_block = block->next;
    report->last_count = block->count;
    label->sum += block->count;
    label->has_count = true;
    if (!all_lines || label->n_bytes == 0 || block->count != label->shown)
      label_show(label, block->count);
  }
  if (all_lines && label->n_bytes == 0) {
    label->sum = report->last_count;
    label->has_count = true;
    label_show(label, report->last_count);
  }
}

/** Append the columns before a line. Returns true if they have a count. */
static bool add_label(struct annotated_source *report,
                      const struct annotated_source_line *line,
                      struct row *row) {
  struct label label = {0};
  if (line)
    fill_label(report, line, &label);
  if (!label.has_count) {
    row_add_blanks(row, LABEL_COLUMNS);
    return false;
  }
  if (label.sum < report->options.min_count)
    label.n_bytes = (size_t)snprintf(label.text, sizeof(label.text), "#####");
  snprintf(label.text + label.n_bytes, sizeof(label.text) - label.n_bytes,
           " -> ");
  const size_t length = strnlen(label.text, LABEL_COLUMNS);
  row_add_blanks(row, LABEL_COLUMNS - length);
  row_add(row, label.text, length);
  return true;
}

static int compare_calls(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  (void)context;
  const struct annotated_source_line *const left = left_ptr;
  const struct annotated_source_line *const right = right_ptr;
  if (left->calls != right->calls)
    return left->calls > right->calls ? -1 : 1;
  return (left->line > right->line) - (left->line < right->line);
}

/** Print the lines with most calls; puts them in that order. */
static int print_top(const struct annotated_source *report,
                     const struct annotated_source_file *file, FILE *out,
                     struct err *err) {
  if (merge_sort(file->lines, file->n_lines, sizeof(*file->lines),
                 compare_calls, NULL))
    return err_no_memory(err);
  const int length = report->options.table_length;
  fprintf(out, "\n\nTop %d Lines:\n\n     Line      Count\n\n", length);
  for (size_t i = 0; i < file->n_lines && i < (size_t)length; i++) {
    if (file->lines[i].calls == 0)
      break;
    fprintf(out, "%9" PRIu32 " %10" PRIu64 "\n", file->lines[i].line,
            file->lines[i].calls);
  }
  return 0;
}

int annotated_source_print(struct annotated_source *report, size_t i_file,
                           const struct source_text *text, FILE *out,
                           struct err *err) {
  const struct annotated_source_file *const file = &report->files[i_file];
  uint64_t n_executable = 0, n_executed = 0;
  size_t i_next = 0;
  struct row row;

  row_begin(&row, out);
  for (size_t i = 0; i < text->n_lines; i++) {
    const struct annotated_source_line *line = NULL;
    if (i_next < file->n_lines && file->lines[i_next].line == i + 1)
      line = &file->lines[i_next++];
    n_executable += line != NULL;
    n_executed += add_label(report, line, &row);
    row_add(&row, text->bytes + text->line_starts[i],
            text->line_starts[i + 1] - text->line_starts[i]);
  }
  row_write(&row);
  if (report->options.table_length > 0 && print_top(report, file, out, err))
    return -1;
  fprintf(out,
          "\nExecution Summary:\n\n"
          "%9" PRIu64 "   Executable lines in this file\n"
          "%9" PRIu64 "   Lines executed\n"
          "%9.2f   Percent of the file executed\n",
          n_executable, n_executed,
          n_executable ? 100.0 * (double)n_executed / (double)n_executable
                       : 100.0);
  fprintf(out,
          "\n%9" PRIu64 "   Total number of line executions\n"
          "%9.2f   Average executions per line\n",
          file->calls,
          n_executable ? (double)file->calls / (double)n_executable : 0.0);
  return 0;
}
