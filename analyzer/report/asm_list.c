/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/asm_list.h"

#include "base/digits.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/row.h"
#include "base/screen.h"
#include "counts/line_profile.h"
#include "debug/func_names.h"
#include "debug/source_cache.h"
#include "debug/wanted_func.h"
#include "image/code.h"
#include "image/instructions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Shares of all time at which an instruction is hot or warm.
static const double hot_share = 0.05;
static const double warm_share = 0.01;

enum { TIME_COLUMNS = 9, SHARE_COLUMNS = 8, COUNT_COLUMNS = 15 };
enum { ADDRESS_COLUMNS = 10, PREFIX_COLUMNS = 46 };

/** State of printing. */
struct page {
  const struct asm_list *list;
  struct row *row;
  struct source_cache sources;
  size_t i_object;
  struct image_code code;       // of that object
  struct measure_block *blocks; // of the function, by address
  size_t n_blocks, i_block;
  struct flow_line last; // that was printed
  bool has_last;
  struct err *err;
};

// --- What was measured ---

/** Samples in a stretch of code: those of a bin are divided by bytes. */
static double samples_in(const struct measure *measure, uint64_t low,
                         uint64_t high) {
  double n_samples = 0;
  for (size_t i = 0; i < measure->n_histograms; i++) {
    const struct bins *const bins = &measure->histograms[i];
    size_t first = 0, end = bins->n_filled;
    uint64_t bin_low, bin_high;
    while (first < end) {
      const size_t middle = first + (end - first) / 2;
      bins_range(bins, bins->filled[middle].i_bin, &bin_low, &bin_high);
      if (bin_high <= low)
        first = middle + 1;
      else
        end = middle;
    }
    for (size_t k = first; k < bins->n_filled; k++) {
      bins_range(bins, bins->filled[k].i_bin, &bin_low, &bin_high);
      if (bin_low >= high)
        break;
      const uint64_t from = bin_low > low ? bin_low : low;
      const uint64_t to = bin_high < high ? bin_high : high;
      n_samples += (double)bins->filled[k].count * (double)(to - from) /
                   (double)(bin_high - bin_low);
    }
  }
  return n_samples;
}

static int compare_blocks(const void *left, const void *right,
                          const void *context) {
  const struct measure_block *const a = left, *const b = right;
  (void)context;
  return (a->vaddr > b->vaddr) - (a->vaddr < b->vaddr);
}

static int collect_blocks(struct page *page, const struct symbol *symbol) {
  const struct measure *const measure =
      &page->list->profile->model->objects[page->i_object].measure;
  free(page->blocks);
  page->n_blocks = page->i_block = 0;
  page->blocks =
      reallocarray(NULL, measure->n_blocks + 1, sizeof(*page->blocks));
  if (!page->blocks)
    return err_no_memory(page->err);
  for (size_t i = 0; i < measure->n_blocks; i++)
    if (measure->blocks[i].vaddr >= symbol->vaddr &&
        measure->blocks[i].vaddr <= symbol->last)
      page->blocks[page->n_blocks++] = measure->blocks[i];
  return merge_sort(page->blocks, page->n_blocks, sizeof(*page->blocks),
                    compare_blocks, NULL)
             ? err_no_memory(page->err)
             : 0;
}

// --- Rows ---

/** Print the source line of an instruction, if it has changed.
 */
static int print_line(struct page *page, uint64_t vaddr) {
  struct line_profile *const profile = page->list->profile;
  const struct screen *const screen = page->list->screen;
  const struct source_text *text;
  struct flow_line pos;
  struct row *const row = page->row;
  if (code_lines_find(&profile->codes[page->i_object], vaddr, &pos, NULL,
                      page->err))
    return -1;
  const bool is_again = page->has_last && page->last.i_file == pos.i_file &&
                        page->last.line == pos.line;
  if (pos.line == 0 || is_again)
    return 0;
  page->last = pos;
  page->has_last = true;
  const char *const name = profile->flow->files.names[pos.i_file];
  if (source_cache_find(&page->sources, page->list->paths, pos.i_file, name,
                        &text, page->err))
    return -1;
  screen_begin_style(screen, row, INK_NOTE);
  ROW_ADD(row, "  ");
  screen_add_text(screen, row, basename(name), 0);
  row_add_format(row, ":%" PRIu32 "  ", pos.line);
  size_t n_bytes;
  const char *const line = source_line_trimmed(text, pos.line, &n_bytes);
  if (line && n_bytes > 0)
    screen_add_line(screen, row, line, n_bytes,
                    screen->width > PREFIX_COLUMNS
                        ? screen->width - PREFIX_COLUMNS / 2
                        : 0);
  screen_end_style(screen, row, INK_NOTE);
  ROW_ADD(row, "\n");
  return 0;
}

static void print_time(const struct page *page, double n_samples) {
  const uint32_t rate_hz = page->list->profile->rate_hz;
  if (n_samples <= 0) {
    row_add_blanks(page->row, TIME_COLUMNS + SHARE_COLUMNS);
    return;
  }
  row_add_fixed(page->row, n_samples / (rate_hz ? rate_hz : 1), TIME_COLUMNS,
                2);
  row_add_fixed(page->row, 100 * n_samples / page->list->n_samples,
                SHARE_COLUMNS - 2, 1);
  ROW_ADD(page->row, " %");
}

/** Print the count of a block that begins in the instruction. */
static void print_count(struct page *page, uint64_t end) {
  bool has_count = false;
  uint64_t count = 0;
  for (; page->i_block < page->n_blocks &&
         page->blocks[page->i_block].vaddr < end;
       page->i_block++) {
    has_count = true;
    count = page->blocks[page->i_block].count;
  }
  if (has_count && count == 0)
    row_add_right(page->row, "#####", COUNT_COLUMNS);
  else if (has_count)
    digits_add(page->row, count, COUNT_COLUMNS);
  else
    row_add_blanks(page->row, COUNT_COLUMNS);
}

static int print_instruction(void *context,
                             const struct instruction *instruction) {
  struct page *const page = context;
  const struct screen *const screen = page->list->screen;
  const struct measure *const measure =
      &page->list->profile->model->objects[page->i_object].measure;
  const uint64_t end = instruction->vaddr + instruction->n_bytes;
  const double n_samples = samples_in(measure, instruction->vaddr, end);
  const double share =
      page->list->n_samples > 0 ? n_samples / page->list->n_samples : 0;
  const enum screen_style ink = share >= hot_share    ? INK_HOT
                                : share >= warm_share ? INK_WARM
                                                      : INK_PLAIN;
  if (print_line(page, instruction->vaddr))
    return -1;
  screen_begin_style(screen, page->row, ink);
  if (page->list->n_samples > 0)
    print_time(page, n_samples);
  print_count(page, end);
  row_add_format(page->row, "%*" PRIx64 ":  ", ADDRESS_COLUMNS,
                 instruction->vaddr);
  screen_add_text(
      screen, page->row, instruction->text,
      screen->width > PREFIX_COLUMNS ? screen->width - PREFIX_COLUMNS : 0);
  screen_end_style(screen, page->row, ink);
  ROW_ADD(page->row, "\n");
  return 0;
}

// --- Functions ---

static void print_head(const struct page *page, const struct symbol *symbol) {
  const struct screen *const screen = page->list->screen;
  struct row *const row = page->row;
  char *const demangled = func_name_demangle(symbol->name);
  screen_begin_style(screen, row, INK_TITLE);
  screen_add_text(screen, row, demangled ? demangled : symbol->name, 0);
  screen_end_style(screen, row, INK_TITLE);
  ROW_ADD(row, "\n");
  free(demangled);
  if (page->list->n_samples > 0) {
    row_add_right(row, page->list->profile->rate_hz ? "self s" : "samples",
                  TIME_COLUMNS);
    row_add_right(row, "self %", SHARE_COLUMNS);
  }
  row_add_right(row, "count", COUNT_COLUMNS);
  row_add_right(row, "address", ADDRESS_COLUMNS + 1);
  ROW_ADD(row, "\n");
}

static int print_function(struct page *page, const struct symbol *symbol) {
  const struct image *const image =
      &page->list->profile->model->objects[page->i_object].image;
  const struct image_section *const section =
      image_code_find(&page->code, symbol->vaddr);
  if (!section)
    return 0;
  const uint64_t at = symbol->vaddr - section->vaddr;
  const uint64_t n_left = section->n_bytes - at;
  const uint64_t n_bytes = symbol->last - symbol->vaddr + 1;
  if (collect_blocks(page, symbol))
    return -1;
  page->has_last = false;
  print_head(page, symbol);
  const int rc = instructions_list(image, section->bytes + at,
                                   n_bytes < n_left ? n_bytes : n_left,
                                   symbol->vaddr, print_instruction, page);
  ROW_ADD(page->row, "\n");
  return rc;
}

/** Is a symbol selected? Records by which names. */
static bool is_wanted(const struct asm_list *list, const struct symbol *symbol,
                      bool *is_found) {
  bool is_any = false;
  for (size_t i = 0; i < list->n_funcs; i++)
    if (wanted_func_fits(&list->funcs[i], symbol->name))
      is_any = is_found[i] = true;
  return is_any;
}

/** Begin with the next object. */
static int begin_object(struct page *page, size_t i_object) {
  struct model_object *const object =
      &page->list->profile->model->objects[i_object];
  page->i_object = i_object;
  image_code_release(&page->code);
  return instructions_check(&object->image, page->err) ||
                 model_load_own_symbols(object, page->err) ||
                 image_code_load(&object->image, &page->code, page->err)
             ? -1
             : 0;
}

/** Report an error if a selected function does not exist. */
static int check_found(const struct page *page, const bool *is_found) {
  const struct asm_list *const list = page->list;
  const struct model *const model = list->profile->model;
  for (size_t i = 0; i < list->n_funcs; i++) {
    struct wanted_hints hints = {0};
    if (is_found[i])
      continue;
    for (size_t k = 0; k < model->n_objects; k++)
      for (size_t j = 0; j < model->objects[k].own.n_symbols; j++)
        wanted_hints_offer(&hints, &list->funcs[i],
                           model->objects[k].own.symbols[j].name);
    return wanted_hints_refuse(&hints, &list->funcs[i], "code of its own",
                               page->err);
  }
  return 0;
}

/** Print the selected functions, and record by which names. */
static int print_wanted(struct page *page, bool *is_found) {
  const struct asm_list *const list = page->list;
  const struct model *const model = list->profile->model;
  for (size_t i = 0; i < model->n_objects; i++) {
    if (begin_object(page, i))
      return -1;
    const struct symtab *const own = &model->objects[i].own;
    for (size_t k = 0; k < own->n_symbols; k++) {
      if (is_wanted(list, &own->symbols[k], is_found) &&
          print_function(page, &own->symbols[k]))
        return -1;
    }
  }
  return check_found(page, is_found);
}

static int print_hottest(struct page *page) {
  const struct model *const model = page->list->profile->model;
  const struct symbol *hottest = NULL;
  size_t i_object = 0;
  double most = 0;
  for (size_t i = 0; i < model->n_objects; i++) {
    if (begin_object(page, i))
      return -1;
    const struct symtab *const own = &model->objects[i].own;
    for (size_t k = 0; k < own->n_symbols; k++) {
      const struct symbol *const symbol = &own->symbols[k];
      const double n = samples_in(&model->objects[i].measure, symbol->vaddr,
                                  symbol->last + 1);
      if (n <= most || !image_code_find(&page->code, symbol->vaddr))
        continue;
      most = n;
      hottest = symbol;
      i_object = i;
    }
  }
  if (!hottest)
    return err_set(
        page->err, ERR_INPUT,
        "%s: no samples in its functions; select a function by --function=NAME",
        model->objects[0].image.path);
  return begin_object(page, i_object) ? -1 : print_function(page, hottest);
}

int asm_list_print(const struct asm_list *list, FILE *out, struct err *err) {
  struct row row;
  struct page page = {.list = list, .row = &row, .err = err};
  bool *const is_found = calloc(list->n_funcs + 1, sizeof(*is_found));
  if (!is_found)
    return err_no_memory(err);
  row_begin(&row, out);
  const int rc =
      list->n_funcs ? print_wanted(&page, is_found) : print_hottest(&page);
  free(is_found);
  row_write(&row);
  source_cache_release(&page.sources);
  image_code_release(&page.code);
  free(page.blocks);
  return rc ? -1 : 0;
}
