/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Compares the counts of lines, matched by their text. */
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "debug/source.h"
#include "diff/diff_parts.h"
#include "diff/line_match.h"

#include <stdlib.h>
#include <string.h>

/** The stretches of one side's arrays that are of one file. */
struct stretch {
  const char *name;
  const struct line_count *lines;
  size_t n_lines;
  const struct line_func *funcs;
  size_t n_funcs;
};

/** How many elements of an array are of files before i_file. */
static size_t count_before(const void *elements, size_t n, size_t size,
                           uint32_t i_file) {
  return flow_line_count_before(elements, n, size,
                                (struct flow_line){i_file, 0});
}

static struct stretch stretch_of(const struct diff_side *side,
                                 uint32_t i_file) {
  const struct line_counts *const counts = &side->lines.counts;
  struct stretch found = {.name = side->flow.files.names[i_file],
                          .lines = counts->lines,
                          .funcs = counts->funcs};
  // All begin with a place in the source, and are in order of files.
  size_t first = count_before(counts->lines, counts->n_lines,
                              sizeof(*found.lines), i_file);
  found.n_lines = count_before(counts->lines, counts->n_lines,
                               sizeof(*found.lines), i_file + 1) -
                  first;
  found.lines += found.n_lines ? first : 0;
  first = count_before(counts->funcs, counts->n_funcs, sizeof(*found.funcs),
                       i_file);
  found.n_funcs = count_before(counts->funcs, counts->n_funcs,
                               sizeof(*found.funcs), i_file + 1) -
                  first;
  found.funcs += found.n_funcs ? first : 0;
  return found;
}

// --- Files ---

/** How many characters names have in common at their ends, up to a slash. */
static size_t common_end(const char *a, const char *b) {
  const size_t n_a = strlen(a), n_b = strlen(b);
  size_t n = 0, n_whole = 0;

  while (n < n_a && n < n_b && a[n_a - 1 - n] == b[n_b - 1 - n]) {
    if (a[n_a - 1 - n] == '/')
      n_whole = n + 1;
    n++;
  }
  const bool is_begin_a = n == n_a || a[n_a - 1 - n] == '/';
  const bool is_begin_b = n == n_b || b[n_b - 1 - n] == '/';
  return is_begin_a && is_begin_b ? n : n_whole;
}

/** Names of files, in the order of their texts read from the end: those with a
 * long end in common are neighbours. */
struct name_ends {
  const struct file_table *files;
  uint32_t *order; // numbers of files
};

static int compare_ends(const char *a, const char *b) {
  size_t n_a = strlen(a), n_b = strlen(b);

  while (n_a > 0 && n_b > 0 && a[n_a - 1] == b[n_b - 1]) {
    n_a--;
    n_b--;
  }
  if (n_a == 0 || n_b == 0)
    return (n_a > 0) - (n_b > 0);
  // Folders first: so whole parts of names that are equal are side by side.
  const int at_a = a[n_a - 1] == '/' ? 0 : (unsigned char)a[n_a - 1];
  const int at_b = b[n_b - 1] == '/' ? 0 : (unsigned char)b[n_b - 1];
  return (at_a > at_b) - (at_a < at_b);
}

static int compare_files(const void *left, const void *right,
                         const void *context) {
  const struct file_table *const files = context;

  return compare_ends(files->names[*(const uint32_t *)left],
                      files->names[*(const uint32_t *)right]);
}

/** The same of a file and a name. */
static int compare_file_with_name(const void *left, const void *right,
                                  const void *context) {
  const struct file_table *const files = context;

  return compare_ends(files->names[*(const uint32_t *)left], right);
}

static int name_ends_init(struct name_ends *ends,
                          const struct file_table *files, struct err *err) {
  ends->files = files;
  ends->order = calloc((size_t)files->n_names + 1, sizeof(*ends->order));
  if (!ends->order)
    return err_no_memory(err);
  for (uint32_t i = 0; i < files->n_names; i++)
    ends->order[i] = i;
  return merge_sort(ends->order, files->n_names, sizeof(*ends->order),
                    compare_files, files) == 0
             ? 0
             : err_no_memory(err);
}

/** A file that was found, and how much of its name was asked for. */
struct name_match {
  uint32_t i_file; // UINT32_MAX: none
  size_t n_common;
};

/** Choose a file if it fits better than the best so far, or equally and comes
 * first. Returns whether files farther away may fit. */
static bool choose_file(const struct name_ends *ends, size_t i,
                        const char *name, struct name_match *best) {
  const uint32_t i_file = ends->order[i];
  const size_t n = common_end(ends->files->names[i_file], name);

  if (n <= 1 || n < best->n_common) // 1: a slash
    return false;
  if (n > best->n_common || i_file < best->i_file)
    *best = (struct name_match){i_file, n};
  return true;
}

/** The file of a side that is another side's: of the same name, otherwise of
 * the name with the longest common end. UINT32_MAX: there is none. */
static uint32_t find_file(const struct name_ends *ends, const char *name) {
  const size_t n_files = ends->files->n_names;
  struct name_match best = {UINT32_MAX, 0};
  const size_t near =
      sorted_count_before(ends->order, n_files, sizeof(*ends->order), name,
                          compare_file_with_name, ends->files);

  for (size_t i = near; i < n_files && choose_file(ends, i, name, &best);)
    i++;
  for (size_t i = near; i > 0 && choose_file(ends, i - 1, name, &best);)
    i--;
  return best.i_file;
}

// --- Lines by functions ---

/** Map of lines of A to lines of B, read in their order. */
struct guide {
  const struct stretch *a, *b;
  size_t n_begun;                      // functions of A up to the line
  const struct line_func *func, *twin; // of the last line
};

/** The function of A that has a line; NULL: none. */
static const struct line_func *func_at(struct guide *guide, uint32_t line) {
  const struct line_func *const funcs = guide->a->funcs;

  while (guide->n_begun < guide->a->n_funcs &&
         funcs[guide->n_begun].pos.line <= line)
    guide->n_begun++;
  for (size_t i = guide->n_begun; i-- > 0;)
    if (funcs[i].last_line >= line)
      return &funcs[i];
  return NULL;
}

static const struct line_func *func_named(const struct stretch *file,
                                          const char *name) {
  for (size_t i = 0; i < file->n_funcs; i++)
    if (strcmp(file->funcs[i].name, name) == 0)
      return &file->funcs[i];
  return NULL;
}

/** Map a line by its distance from the first line of its function, if that is
 * as long as it was. 0: unknown. */
static uint32_t by_function(struct guide *guide, uint32_t line) {
  const struct line_func *const func = func_at(guide, line);

  if (!func)
    return line;
  if (func != guide->func) {
    guide->func = func;
    guide->twin = func_named(guide->b, func->name);
  }
  const struct line_func *const twin = guide->twin;
  if (!twin ||
      twin->last_line - twin->pos.line != func->last_line - func->pos.line)
    return 0;
  return line - func->pos.line + twin->pos.line;
}

// --- Joining ---

/** Are both the same file? Then A's text is lost. Archives may have two texts
 * of one name. */
static bool is_same_file(const struct source_text *a,
                         const struct source_text *b) {
  return strcmp(a->path, b->path) == 0 && a->n_bytes == b->n_bytes &&
         memcmp(a->bytes, b->bytes, a->n_bytes) == 0;
}

/** Load the texts that a file has on both sides, if these are two. */
static int match_texts(const struct stretch files[],
                       const struct diff_options *options, uint32_t **lines,
                       size_t *n_lines, struct err *err) {
  struct source_text texts[DIFF_SIDES] = {{0}};
  struct err why;
  int reason, rc = 0;
  bool has_both = true;

  *lines = NULL;
  *n_lines = 0;
  for (int side = 0; side < DIFF_SIDES && has_both && rc == 0; side++) {
    if (source_load(options->sources[side], files[side].name, &texts[side],
                    &reason, &why) == 0)
      continue;
    has_both = false;
    if (reason == 0)
      rc = (*err = why, -1);
  }
  if (rc == 0 && has_both && !is_same_file(&texts[DIFF_A], &texts[DIFF_B])) {
    rc = line_match(&texts[DIFF_A], &texts[DIFF_B], lines, err);
    *n_lines = texts[DIFF_A].n_lines + 1;
  }
  source_release(&texts[DIFF_A]);
  source_release(&texts[DIFF_B]);
  return rc;
}

static int add_line(struct diff *out, const struct diff_line *line,
                    struct err *err) {
  struct diff_line *const lines =
      array_grow(out->lines, out->n_lines, &out->max_lines, sizeof(*lines));

  if (!lines)
    return err_no_memory(err);
  out->lines = lines;
  lines[out->n_lines++] = *line;
  return 0;
}

/** The entry of a line, or NULL. */
static const struct line_count *count_of(const struct stretch *file,
                                         uint32_t line) {
  if (file->n_lines == 0)
    return NULL;
  const struct flow_line pos = {file->lines[0].pos.i_file, line};
  const size_t i = flow_line_count_before(file->lines, file->n_lines,
                                          sizeof(*file->lines), pos);
  return i < file->n_lines && file->lines[i].pos.line == line ? &file->lines[i]
                                                              : NULL;
}

/** Add the lines of one side that are no other side's. */
static int add_rest(const struct stretch *file, int side, const bool *is_added,
                    struct diff *out, struct err *err) {
  for (size_t i = 0; i < file->n_lines; i++) {
    struct diff_line line = {.i_file = (uint32_t)out->n_files};
    if (is_added && is_added[i])
      continue;
    line.line[side] = file->lines[i].pos.line;
    line.count[side] = file->lines[i].count;
    if (add_line(out, &line, err) != 0)
      return -1;
    out->n_unmatched += side == DIFF_A;
  }
  return 0;
}

/** Add all lines of a file, at least one on either side. */
static int add_lines(const struct stretch files[], struct diff_file *file,
                     struct diff *out, struct err *err) {
  const struct stretch *const a = &files[DIFF_A], *const b = &files[DIFF_B];
  struct guide guide = {.a = a, .b = b};
  bool *const is_a = calloc(a->n_lines + 1, sizeof(*is_a));
  bool *const is_b = calloc(b->n_lines + 1, sizeof(*is_b));
  int rc = is_a && is_b ? 0 : err_no_memory(err);

  for (size_t i = 0; rc == 0 && i < a->n_lines; i++) {
    const uint32_t line = a->lines[i].pos.line;
    const uint32_t other = !file->twins           ? by_function(&guide, line)
                           : line < file->n_twins ? file->twins[line]
                                                  : 0;
    const struct line_count *const count = other ? count_of(b, other) : NULL;
    if (!count || is_b[count - b->lines])
      continue;
    is_a[i] = is_b[count - b->lines] = true;
    rc = add_line(out,
                  &(struct diff_line){(uint32_t)out->n_files,
                                      {line, other},
                                      {a->lines[i].count, count->count}},
                  err);
  }
  if (rc == 0)
    rc = add_rest(a, DIFF_A, is_a, out, err);
  if (rc == 0)
    rc = add_rest(b, DIFF_B, is_b, out, err);
  free(is_a);
  free(is_b);
  return rc;
}

static int join_file(const struct stretch files[],
                     const struct diff_options *options, struct diff *out,
                     struct err *err) {
  struct diff_file *const all =
      array_grow(out->files, out->n_files, &out->max_files, sizeof(*all));
  struct diff_file file = {.name = {files[DIFF_A].name, files[DIFF_B].name},
                           .first_line = out->n_lines};
  int rc = 0;

  if (!all)
    return err_no_memory(err);
  out->files = all;
  if (file.name[DIFF_A] && file.name[DIFF_B])
    rc = match_texts(files, options, &file.twins, &file.n_twins, err);
  if (rc == 0)
    rc = add_lines(files, &file, out, err);
  file.end_line = out->n_lines;
  if (rc == 0)
    all[out->n_files++] = file;
  else
    free(file.twins);
  return rc;
}

/** The file of a side that another side's is, if it is so in both directions.
 * UINT32_MAX: none. */
static uint32_t find_twin(const struct name_ends *ends, int side,
                          uint32_t i_file) {
  const struct name_ends *const own = &ends[side];
  const struct name_ends *const other = &ends[DIFF_SIDES - 1 - side];
  const uint32_t i_twin = find_file(other, own->files->names[i_file]);

  return i_twin != UINT32_MAX &&
                 find_file(own, other->files->names[i_twin]) == i_file
             ? i_twin
             : UINT32_MAX;
}

/** Join the files of a side that have lines; of B, those that A has not. */
static int join_files_of(const struct diff_side *sides,
                         const struct name_ends *ends, int side,
                         const struct diff_options *options, struct diff *out,
                         struct err *err) {
  const struct line_counts *const counts = &sides[side].lines.counts;

  for (size_t i = 0, n; i < counts->n_lines; i += n) {
    const uint32_t i_file = counts->lines[i].pos.i_file;
    struct stretch both[DIFF_SIDES] = {{0}};
    for (n = 1;
         i + n < counts->n_lines && counts->lines[i + n].pos.i_file == i_file;)
      n++;
    both[side] = stretch_of(&sides[side], i_file);
    if (!diff_wants_file(options, (size_t)side, both[side].name))
      continue;
    const uint32_t i_twin = find_twin(ends, side, i_file);
    if (i_twin != UINT32_MAX) {
      const int other = DIFF_SIDES - 1 - side;
      const struct stretch twin = stretch_of(&sides[other], i_twin);
      // From A's side, it was done unless A has no line of it.
      if (side == DIFF_B && twin.n_lines > 0 &&
          diff_wants_file(options, (size_t)other, twin.name))
        continue;
      both[other] = twin;
    }
    if (join_file(both, options, out, err) != 0)
      return -1;
  }
  return 0;
}

int diff_join_lines(const struct diff_side *sides,
                    const struct diff_options *options, struct diff *out,
                    struct err *err) {
  struct name_ends ends[DIFF_SIDES] = {{0}};
  int rc = 0;

  for (int side = 0; rc == 0 && side < DIFF_SIDES; side++)
    rc = name_ends_init(&ends[side], &sides[side].flow.files, err);
  for (int side = 0; rc == 0 && side < DIFF_SIDES; side++)
    rc = join_files_of(sides, ends, side, options, out, err);
  for (int side = 0; side < DIFF_SIDES; side++)
    free(ends[side].order);
  return rc;
}
