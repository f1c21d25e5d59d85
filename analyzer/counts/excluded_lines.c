/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/excluded_lines.h"

#include "base/err.h"
#include "counts/branch_counts.h"
#include "counts/source_funcs.h"
#include "debug/file_table.h"
#include "debug/source.h"
#include "debug/source_filter.h"
#include "debug/source_markers.h"
#include "debug/wanted_func.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool excluded_counts_format(const struct excluded_counts *counts,
                            char text[EXCLUDED_TEXT_BYTES]) {
  const struct {
    size_t n;
    const char *one, *more;
  } kinds[] = {{counts->n_lines, "line", "lines"},
               {counts->n_funcs, "function", "functions"},
               {counts->n_ways, "branch", "branches"}};
  size_t n_bytes = 0;

  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
    if (kinds[i].n > 0)
      n_bytes +=
          (size_t)snprintf(text + n_bytes, EXCLUDED_TEXT_BYTES - n_bytes,
                           "%s%zu %s", n_bytes ? ", " : "", kinds[i].n,
                           kinds[i].n == 1 ? kinds[i].one : kinds[i].more);
  return n_bytes > 0;
}

/** The marked lines of a file, by number. */
struct marked_file {
  uint8_t *flags; // NULL: none
  size_t n_lines;
  bool is_own; // in totals of coverage
};

//===--- Markers ----------------------------------------------------------===//

/** Marks lines; a range of either kind may be open. */
struct marking {
  const char *file;
  uint8_t *flags;
  struct range {
    size_t line;                        // of its start; 0: none is open
    const struct source_marker *marker; // that
  } ranges[EXCLUDED_BRANCHES + 1];      // by flag
};

/** Print a marker that has no counterpart. format: of its name. */
static void warn_of(const struct marking *marking, size_t line,
                    const struct source_marker *marker, const char *problem) {
  if (marker->text)
    warn("%s:%zu: %s %s", marking->file, line, marker->text, problem);
  else
    warn("%s:%zu: EXCL_%s%s %s", marking->file, line,
         marker->is_of_branches ? "BR_" : "",
         marker->verb == MARKER_START ? "START" : "STOP", problem);
}

static uint8_t flag_of(const struct source_marker *marker) {
  return marker->is_of_branches            ? EXCLUDED_BRANCHES
         : marker->verb == MARKER_FUNCTION ? EXCLUDED_FUNC
                                           : EXCLUDED_LINE;
}

static void mark_range(struct marking *marking, uint8_t flag, size_t end) {
  struct range *const range = &marking->ranges[flag];
  for (size_t line = range->line; line < end; line++)
    marking->flags[line] |= flag;
  *range = (struct range){0};
}

static void apply_marker(struct marking *marking,
                         const struct source_marker *marker, size_t line) {
  const uint8_t flag = flag_of(marker);
  if (marker->verb == MARKER_LINE || marker->verb == MARKER_FUNCTION) {
    marking->flags[line] |= flag;
    return;
  }
  struct range *const range = &marking->ranges[flag];
  if (marker->verb == MARKER_START && range->line) {
    char problem[96];
    snprintf(problem, sizeof(problem),
             "follows the start of line %zu without a stop in between",
             range->line);
    warn_of(marking, line, marker, problem);
  } else if (marker->verb == MARKER_START) {
    *range = (struct range){line, marker};
  } else if (range->line) {
    mark_range(marking, flag, line);
  } else {
    warn_of(marking, line, marker, "has no start before it");
  }
}

static void end_marking(struct marking *marking, size_t n_lines) {
  static const uint8_t flags[] = {EXCLUDED_LINE, EXCLUDED_BRANCHES};
  for (size_t i = 0; i < sizeof(flags); i++) {
    const struct range *const range = &marking->ranges[flags[i]];
    if (!range->line)
      continue;
    warn_of(marking, range->line, range->marker,
            "has no stop after it: it excludes the rest of the file");
    mark_range(marking, flags[i], n_lines + 1);
  }
}

int excluded_lines_mark(const struct source_text *text, const char *name,
                        const struct source_markers *own, uint8_t **out,
                        struct err *err) {
  struct marking marking = {.file = name};
  struct source_markers found;
  size_t line = 1;
  *out = NULL;
  if (source_markers_find(text, own, &found, err) != 0)
    return -1;
  if (found.n_markers > 0) {
    marking.flags = calloc(text->n_lines + 2, sizeof(*marking.flags));
    if (!marking.flags) {
      source_markers_release(&found);
      return err_no_memory(err);
    }
  }
  for (size_t i = 0; i < found.n_markers; i++) {
    while (line < text->n_lines &&
           text->line_starts[line] <= found.markers[i].offset)
      line++;
    apply_marker(&marking, &found.markers[i], line);
  }
  if (marking.flags)
    end_marking(&marking, text->n_lines);
  source_markers_release(&found);
  *out = marking.flags;
  return 0;
}

static int mark_file(const struct source_paths *paths, const char *name,
                     const struct source_markers *own, struct marked_file *out,
                     struct excluded *total, struct err *err) {
  struct source_text text;
  struct err why = {0};
  int reason;
  total->n_sources++;
  if (source_load(paths, name, &text, &reason, &why) != 0) {
    if (reason != 0) {
      total->unread = total->n_unread++ ? total->unread : name;
      return 0;
    }
    *err = why;
    return -1;
  }
  out->n_lines = text.n_lines;
  const int rc = excluded_lines_mark(&text, name, own, &out->flags, err);
  source_release(&text);
  return rc;
}

//===--- Names of functions -----------------------------------------------===//

/** Flag a function's lines, or remove the flag. */
static void flag_lines(struct marked_file *files,
                       const struct source_func *func, uint8_t flag,
                       bool is_set) {
  const struct marked_file *const file = &files[func->pos.i_file];
  const size_t end =
      func->last_line > func->pos.line ? func->last_line : func->pos.line;
  for (size_t line = func->pos.line; line <= end && line <= file->n_lines;
       line++)
    file->flags[line] = (uint8_t)(is_set ? file->flags[line] | flag
                                         : file->flags[line] & ~flag);
}

/** Have flags for lines up to one. */
static int widen(struct marked_file *file, size_t n_lines, struct err *err) {
  if (file->flags && n_lines <= file->n_lines)
    return 0;
  uint8_t *const flags = realloc(file->flags, n_lines + 1);
  if (!flags)
    return err_no_memory(err);
  const size_t n_old = file->flags ? file->n_lines + 1 : 0;
  memset(flags + n_old, 0, n_lines + 1 - n_old);
  file->flags = flags;
  file->n_lines = n_lines;
  return 0;
}

static bool fits_any(const struct source_names *names, const char *name) {
  for (size_t i = 0; i < names->n_funcs; i++)
    if (wanted_func_fits(&names->funcs[i], name))
      return true;
  return false;
}

/** Flag the lines of all functions that patterns exclude. */
static int mark_names(const struct source_filter *filter,
                      const struct line_counts *counts,
                      const struct source_funcs *funcs,
                      struct marked_file *files, struct err *err) {
  for (size_t i = 0; i < funcs->n_funcs; i++) {
    const struct source_func *const func = &funcs->funcs[i];
    if (!files[func->pos.i_file].is_own)
      continue;
    if (widen(&files[func->pos.i_file], func->pos.line, err) != 0 ||
        widen(&files[func->pos.i_file], func->last_line, err) != 0)
      return -1;
  }
  for (size_t i = 0; filter->include_funcs.n_funcs && i < counts->n_lines;
       i++) {
    const struct flow_line pos = counts->lines[i].pos;
    if (!files[pos.i_file].is_own)
      continue;
    if (widen(&files[pos.i_file], pos.line, err) != 0)
      return -1;
    files[pos.i_file].flags[pos.line] |= EXCLUDED_BY_NAME;
  }
  for (size_t i = 0; i < funcs->n_funcs; i++)
    if (filter->include_funcs.n_funcs)
      flag_lines(files, &funcs->funcs[i], EXCLUDED_BY_NAME,
                 !fits_any(&filter->include_funcs, funcs->funcs[i].name));
  for (size_t i = 0; i < funcs->n_funcs; i++)
    if (fits_any(&filter->exclude_funcs, funcs->funcs[i].name))
      flag_lines(files, &funcs->funcs[i], EXCLUDED_BY_NAME, true);
  return 0;
}

//===--- Removal ----------------------------------------------------------===//

static uint8_t flags_at(const struct marked_file *files,
                        const struct flow_line *pos) {
  const struct marked_file *const file = &files[pos->i_file];
  return file->flags && pos->line <= file->n_lines ? file->flags[pos->line] : 0;
}

/** The numbers that code with some flags belongs to; NULL: it stays. */
static struct excluded_counts *counts_of(struct excluded *out, uint8_t flags,
                                         uint8_t by_comment) {
  return flags & by_comment         ? &out->by_comments
         : flags & EXCLUDED_BY_NAME ? &out->by_names
                                    : NULL;
}

/** Remove functions; the lines of those that are excluded as a whole are
 * marked. */
static void remove_funcs(struct marked_file *files, struct source_funcs *funcs,
                         struct excluded *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < funcs->n_funcs; i++) {
    const struct source_func func = funcs->funcs[i];
    const uint8_t flags = flags_at(files, &func.pos);
    struct excluded_counts *const counts =
        counts_of(out, flags, EXCLUDED_FUNC | EXCLUDED_LINE);
    if (flags & EXCLUDED_FUNC)
      flag_lines(files, &func, EXCLUDED_LINE, true);
    if (counts)
      counts->n_funcs++;
    else
      funcs->funcs[n_kept++] = func;
  }
  funcs->n_funcs = n_kept;
}

static void remove_lines(const struct marked_file *files,
                         struct line_counts *lines, struct excluded *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < lines->n_lines; i++) {
    struct excluded_counts *const counts =
        counts_of(out, flags_at(files, &lines->lines[i].pos), EXCLUDED_LINE);
    if (counts)
      counts->n_lines++;
    else
      lines->lines[n_kept++] = lines->lines[i];
  }
  lines->n_lines = n_kept;
}

static void remove_branches(const struct marked_file *files,
                            struct branch_counts *branches,
                            struct excluded *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < branches->n_blocks; i++) {
    const struct branch_block *const block = &branches->blocks[i];
    struct excluded_counts *const counts = counts_of(
        out, flags_at(files, &block->pos), EXCLUDED_LINE | EXCLUDED_BRANCHES);
    if (counts)
      counts->n_ways += block->n_ways;
    else
      branches->blocks[n_kept++] = *block;
  }
  branches->n_blocks = n_kept;
}

/** Remove decisions by the lines on which they begin. */
static void remove_decisions(const struct marked_file *files,
                             struct decision_counts *counts,
                             struct excluded *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < counts->n_decisions; i++)
    if (!counts_of(out, flags_at(files, &counts->decisions[i].pos),
                   EXCLUDED_LINE | EXCLUDED_BRANCHES))
      counts->decisions[n_kept++] = counts->decisions[i];
  counts->n_decisions = n_kept;
}

static int
mark_all(const struct source_filter *filter, const struct source_paths *paths,
         const struct file_table *files, const struct line_counts *counts,
         const struct source_funcs *funcs, struct marked_file *marked,
         struct excluded *out, struct err *err) {
  for (size_t i = 0; i < counts->n_lines; i++) {
    const uint32_t i_file = counts->lines[i].pos.i_file;
    if (i > 0 && counts->lines[i - 1].pos.i_file == i_file)
      continue;
    marked[i_file].is_own = source_filter_has(filter, files->names[i_file]);
    if (marked[i_file].is_own && !filter->is_without_markers &&
        mark_file(paths, files->names[i_file], &filter->markers,
                  &marked[i_file], out, err) != 0)
      return -1;
  }
  return filter->include_funcs.n_funcs || filter->exclude_funcs.n_funcs
             ? mark_names(filter, counts, funcs, marked, err)
             : 0;
}

int excluded_lines_remove(const struct source_filter *filter,
                          const struct source_paths *paths,
                          const struct file_table *files,
                          struct line_counts *counts,
                          struct source_funcs *funcs,
                          struct branch_counts *branches, struct excluded *out,
                          struct err *err) {
  struct marked_file *const marked =
      calloc((size_t)files->n_names + 1, sizeof(*marked));
  int rc = marked
               ? mark_all(filter, paths, files, counts, funcs, marked, out, err)
               : err_no_memory(err);
  if (rc == 0) {
    remove_funcs(marked, funcs, out);
    remove_lines(marked, counts, out);
    remove_branches(marked, branches, out);
    remove_decisions(marked, &branches->decisions, out);
  }
  for (size_t i = 0; marked && i < files->n_names; i++)
    free(marked[i].flags);
  free(marked);
  return rc;
}
