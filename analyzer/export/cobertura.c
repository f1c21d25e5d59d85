/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes the format of Cobertura. */
#include "export/export.h"

#include "base/err.h"
#include "base/merge_sort.h"
#include "base/xml.h"
#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "export/files.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/** A file, which the format calls a class. */
struct class {
  const struct export_file *file;
  const char *name; // relative to the root
  size_t n_folder;  // bytes of the name that are its folder's
};

struct page {
  const struct export_input *input;
  struct xml xml;
  struct class *classes; // in order of folder
  size_t n_classes;
  char *text; // scratch: room for any name
};

static int compare_classes(const void *left, const void *right,
                           const void *context) {
  const struct class *a = left, *b = right;
  const size_t n = a->n_folder < b->n_folder ? a->n_folder : b->n_folder;
  int order = memcmp(a->name, b->name, n);

  (void)context;
  if (order == 0)
    order = (a->n_folder > b->n_folder) - (a->n_folder < b->n_folder);
  return order ? order : strcmp(a->name, b->name);
}

static bool is_same_folder(const struct class *a, const struct class *b) {
  return a->n_folder == b->n_folder && !memcmp(a->name, b->name, a->n_folder);
}

/** Part of a whole, from 0 to 1; 1 if the whole is 0. */
static void put_rate(struct xml *xml, const char *attribute, size_t part,
                     size_t whole) {
  char text[32];
  snprintf(text, sizeof(text), "%.6f",
           whole ? (double)part / (double)whole : 1.0);
  xml_text(xml, attribute, text);
}

/** Write the attributes of packages, classes and methods. */
static void put_rates(struct xml *xml, const struct export_totals *totals) {
  put_rate(xml, "line-rate", totals->n_run_lines, totals->n_lines);
  put_rate(xml, "branch-rate", totals->n_taken_ways, totals->n_ways);
  xml_text(xml, "complexity", "0");
}

/** The first bytes of a text, with another one in place of each of a kind. */
static const char *replaced(struct page *page, const char *text, size_t n,
                            char what, char by) {
  memcpy(page->text, text, n);
  page->text[n] = '\0';
  for (char *at = page->text; (at = strchr(at, what));)
    *at = by;
  return page->text;
}

/** Methods have their first line only: other lines are not assigned to
 * functions. */
static void put_methods(struct page *page, const struct export_file *file) {
  struct xml *const xml = &page->xml;
  xml_begin(xml, "methods");
  for (const struct export_func *func = file->funcs; func != file->end_funcs;
       func++) {
    const struct export_totals totals = {
        .n_lines = 1, .n_run_lines = func->func->n_entries > 0};
    xml_begin(xml, "method");
    xml_text(xml, "name", func->name);
    xml_text(xml, "signature", "");
    put_rates(xml, &totals);
    xml_begin(xml, "lines");
    xml_begin(xml, "line");
    xml_integer(xml, "number", func->func->pos.line);
    xml_integer(xml, "hits", func->func->n_entries);
    xml_end(xml, "line");
    xml_end(xml, "lines");
    xml_end(xml, "method");
  }
  xml_end(xml, "methods");
}

static unsigned percent(size_t part, size_t whole) {
  return (unsigned)(part * 100 / whole);
}

/** The branches of a line, which begin at *block; it is moved past them. */
static void put_branches(struct page *page, const struct branch_block **block,
                         const struct branch_block *end, uint32_t line) {
  const uint64_t *const ways = page->input->branches->ways;
  const struct branch_block *const first = *block;
  struct xml *const xml = &page->xml;
  size_t n_ways = 0, n_taken = 0;
  char text[64];

  for (; *block != end && (*block)->pos.line == line; ++*block) {
    for (uint32_t i = 0; i < (*block)->n_ways; i++)
      n_taken += ways[(*block)->first_way + i] > 0;
    n_ways += (*block)->n_ways;
  }
  if (n_ways == 0)
    return;
  snprintf(text, sizeof(text), "%u%% (%zu/%zu)", percent(n_taken, n_ways),
           n_taken, n_ways);
  xml_text(xml, "branch", "true");
  xml_text(xml, "condition-coverage", text);
  xml_begin(xml, "conditions");
  size_t number = 0;
  for (const struct branch_block *at = first; at != *block; at++) {
    n_taken = 0;
    for (uint32_t i = 0; i < at->n_ways; i++)
      n_taken += ways[at->first_way + i] > 0;
    snprintf(text, sizeof(text), "%u%%", percent(n_taken, at->n_ways));
    xml_begin(xml, "condition");
    xml_integer(xml, "number", number++);
    xml_text(xml, "type", at->n_ways > 2 ? "switch" : "jump");
    xml_text(xml, "coverage", text);
    xml_end(xml, "condition");
  }
  xml_end(xml, "conditions");
}

static void put_class(struct page *page, const struct class *class) {
  const struct export_file *const file = class->file;
  const struct branch_block *block = file->blocks;
  const char *const name = class->name + class->n_folder;
  struct xml *const xml = &page->xml;
  struct export_totals totals = {0};

  export_files_count(page->input, file, &totals);
  xml_begin(xml, "class");
  xml_text(xml, "name",
           replaced(page, name + (*name == '/'), strlen(name + (*name == '/')),
                    '.', '_'));
  xml_text(xml, "filename", class->name);
  put_rates(xml, &totals);
  put_methods(page, file);
  xml_begin(xml, "lines");
  for (const struct line_count *line = file->lines; line != file->end_lines;
       line++) {
    xml_begin(xml, "line");
    xml_integer(xml, "number", line->pos.line);
    xml_integer(xml, "hits", line->count);
    while (block != file->end_blocks && block->pos.line < line->pos.line)
      block++;
    put_branches(page, &block, file->end_blocks, line->pos.line);
    xml_end(xml, "line");
  }
  xml_end(xml, "lines");
  xml_end(xml, "class");
}

/** Write a folder that begins with class i. Returns the first of the next. */
static size_t put_package(struct page *page, size_t i) {
  const struct class *const first = &page->classes[i];
  struct xml *const xml = &page->xml;
  struct export_totals totals = {0};
  size_t end = i;

  for (; end < page->n_classes && is_same_folder(&page->classes[end], first);
       end++)
    export_files_count(page->input, page->classes[end].file, &totals);
  xml_begin(xml, "package");
  xml_text(xml, "name", replaced(page, first->name, first->n_folder, '/', '.'));
  put_rates(xml, &totals);
  xml_begin(xml, "classes");
  for (; i < end; i++)
    put_class(page, &page->classes[i]);
  xml_end(xml, "classes");
  xml_end(xml, "package");
  return end;
}

/** Seconds since 1970: now, or the time that reproducible builds set. */
static uint64_t timestamp(void) {
  const char *const fixed = getenv("SOURCE_DATE_EPOCH");
  return fixed ? strtoull(fixed, NULL, 10) : (uint64_t)time(NULL);
}

static void put_coverage(struct page *page, const char *root) {
  struct xml *const xml = &page->xml;
  struct export_totals totals = {0};

  for (size_t i = 0; i < page->n_classes; i++)
    export_files_count(page->input, page->classes[i].file, &totals);
  xml_document(xml, "coverage",
               "http://cobertura.sourceforge.net/xml/coverage-04.dtd");
  xml_begin(xml, "coverage");
  put_rates(xml, &totals);
  xml_integer(xml, "lines-covered", totals.n_run_lines);
  xml_integer(xml, "lines-valid", totals.n_lines);
  xml_integer(xml, "branches-covered", totals.n_taken_ways);
  xml_integer(xml, "branches-valid", totals.n_ways);
  xml_text(xml, "version", "arcline " ARCLINE_VERSION);
  xml_integer(xml, "timestamp", timestamp());
  xml_begin(xml, "sources");
  xml_text_element(xml, "source", root);
  xml_end(xml, "sources");
  xml_begin(xml, "packages");
  for (size_t i = 0; i < page->n_classes;)
    i = put_package(page, i);
  xml_end(xml, "packages");
  xml_end(xml, "coverage");
}

/** List classes. Those outside of the root keep their names. */
static int list_classes(struct page *page, const struct export_files *files,
                        struct err *err) {
  size_t max_bytes = 0;

  page->classes = calloc(files->n_files + 1, sizeof(*page->classes));
  if (!page->classes)
    return err_no_memory(err);
  for (size_t i = 0; i < files->n_files; i++) {
    const char *const name = files->files[i].short_name;
    const char *const slash = strrchr(name, '/');
    page->classes[page->n_classes++] =
        (struct class){.file = &files->files[i],
                       .name = name,
                       .n_folder = slash ? (size_t)(slash - name) : 0};
    if (strlen(name) > max_bytes)
      max_bytes = strlen(name);
  }
  page->text = malloc(max_bytes + 1);
  if (!page->text || merge_sort(page->classes, page->n_classes,
                                sizeof(*page->classes), compare_classes, NULL))
    return err_no_memory(err);
  return 0;
}

int export_cobertura(const struct export_input *input,
                     const struct export_options *options, FILE *out,
                     struct err *err) {
  struct page page = {.input = input, .xml = {.stream = out}};
  struct export_files files = {0};
  (void)options;
  int rc = export_files_list(input, &files, err);
  if (rc == 0)
    rc = list_classes(&page, &files, err);
  if (rc == 0)
    put_coverage(&page, files.root);
  free(page.classes);
  free(page.text);
  export_files_release(&files);
  return rc;
}
