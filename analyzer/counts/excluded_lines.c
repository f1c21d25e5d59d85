/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/excluded_lines.h"

#include "base/err.h"
#include "counts/branch_counts.h"
#include "counts/source_funcs.h"
#include "debug/file_table.h"
#include "debug/source.h"
#include "debug/source_filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

//===--- Markers ----------------------------------------------------------===//

enum marker_verb { MARK_LINE, MARK_START, MARK_STOP, MARK_FUNCTION };

struct marker {
  enum marker_verb verb;
  uint8_t flag; // enum excluded_flag
};

static bool is_word_char(int c) {
  return isalnum((unsigned char)c) || c == '_';
}

/** Skip a text; returns false, and stays, if another one follows. */
static bool skip(const char **at, const char *text) {
  const size_t n = strlen(text);
  if (strncmp(*at, text, n) != 0)
    return false;
  *at += n;
  return true;
}

/** Read the marker whose "COV" is at `at`, in a text that NUL ends. */
static bool read_marker(const char *first, const char *at, struct marker *out) {
  static const char *const verbs[] = {"LINE", "START", "STOP", "FUNCTION"};
  if (at == first || (at[-1] != 'L' && at[-1] != 'G') ||
      (at - 1 > first && is_word_char(at[-2])))
    return false;
  at += 3;
  if (*at == 'R')
    at++;
  if (!skip(&at, "_EXCL_") && !skip(&at, "_UNREACHABLE_"))
    return false;
  const bool is_of_branches = skip(&at, "BR_");
  for (unsigned i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
    if (skip(&at, verbs[i]) && !is_word_char(*at)) {
      *out = (struct marker){
          .verb = i,
          .flag = is_of_branches       ? EXCLUDED_BRANCHES
                  : i == MARK_FUNCTION ? EXCLUDED_FUNC
                                       : EXCLUDED_LINE,
      };
      return i != MARK_FUNCTION || !is_of_branches;
    }
  return false;
}

/** Marks lines; a range of either kind may be open. */
struct marking {
  const char *name;
  uint8_t *flags;
  size_t starts[EXCLUDED_BRANCHES + 1]; // by flag; 0: none is open
};

static const char *suffix_of(uint8_t flag) {
  return flag == EXCLUDED_BRANCHES ? "BR_" : "";
}

static void mark_range(struct marking *marking, uint8_t flag, size_t end) {
  for (size_t line = marking->starts[flag]; line < end; line++)
    marking->flags[line] |= flag;
  marking->starts[flag] = 0;
}

static void apply_marker(struct marking *marking, struct marker marker,
                         size_t line) {
  size_t *const start =
      marker.verb == MARK_FUNCTION ? NULL : &marking->starts[marker.flag];
  switch (marker.verb) {
  case MARK_LINE:
  case MARK_FUNCTION:
    marking->flags[line] |= marker.flag;
    break;
  case MARK_START:
    if (*start)
      warn("%s:%zu: EXCL_%sSTART follows that of line %zu without "
           "EXCL_%sSTOP in between",
           marking->name, line, suffix_of(marker.flag), *start,
           suffix_of(marker.flag));
    else
      *start = line;
    break;
  case MARK_STOP:
    if (*start)
      mark_range(marking, marker.flag, line);
    else
      warn("%s:%zu: EXCL_%sSTOP without EXCL_%sSTART before it", marking->name,
           line, suffix_of(marker.flag), suffix_of(marker.flag));
    break;
  }
}

static void end_marking(struct marking *marking, size_t n_lines) {
  static const uint8_t flags[] = {EXCLUDED_LINE, EXCLUDED_BRANCHES};
  for (size_t i = 0; i < sizeof(flags); i++)
    if (marking->starts[flags[i]]) {
      warn("%s:%zu: EXCL_%sSTART without EXCL_%sSTOP: excludes the rest of the "
           "file",
           marking->name, marking->starts[flags[i]], suffix_of(flags[i]),
           suffix_of(flags[i]));
      mark_range(marking, flags[i], n_lines + 1);
    }
}

int excluded_lines_mark(const struct source_text *text, const char *name,
                        uint8_t **out, struct err *err) {
  const char *const end = text->bytes + text->n_bytes;
  struct marking marking = {.name = name};
  size_t line = 1;
  *out = NULL;
  for (const char *at = text->bytes;
       (at = memmem(at, (size_t)(end - at), "COV", 3)) != NULL; at += 3) {
    struct marker marker;
    if (!read_marker(text->bytes, at, &marker))
      continue;
    if (!marking.flags) {
      marking.flags = calloc(text->n_lines + 2, sizeof(*marking.flags));
      if (!marking.flags)
        return err_no_memory(err);
    }
    while (line < text->n_lines &&
           text->line_starts[line] <= (size_t)(at - text->bytes))
      line++;
    apply_marker(&marking, marker, line);
  }
  if (marking.flags)
    end_marking(&marking, text->n_lines);
  *out = marking.flags;
  return 0;
}

//===--- Removal ----------------------------------------------------------===//

/** The marked lines of all files, by number. */
struct marked_file {
  uint8_t *flags; // NULL: none
  size_t n_lines;
};

static uint8_t flags_at(const struct marked_file *files,
                        const struct flow_line *pos) {
  const struct marked_file *const file = &files[pos->i_file];
  return file->flags && pos->line <= file->n_lines ? file->flags[pos->line] : 0;
}

static int mark_file(const struct source_paths *paths, const char *name,
                     struct marked_file *out, struct err *err) {
  struct source_text text;
  struct err why = {0};
  int reason;
  if (source_load(paths, name, &text, &reason, &why) != 0) {
    if (reason != 0)
      return 0;
    *err = why;
    return -1;
  }
  out->n_lines = text.n_lines;
  const int rc = excluded_lines_mark(&text, name, &out->flags, err);
  source_release(&text);
  return rc;
}

/** Remove functions; the lines of those that are excluded as a whole are
 * marked. */
static void remove_funcs(const struct marked_file *files,
                         struct source_funcs *funcs,
                         struct excluded_counts *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < funcs->n_funcs; i++) {
    const struct source_func *const func = &funcs->funcs[i];
    const struct marked_file *const file = &files[func->pos.i_file];
    const uint8_t flags = flags_at(files, &func->pos);
    if (flags & EXCLUDED_FUNC)
      for (size_t line = func->pos.line;
           line <= func->last_line && line <= file->n_lines; line++)
        file->flags[line] |= EXCLUDED_LINE;
    if (!(flags & (EXCLUDED_FUNC | EXCLUDED_LINE)))
      funcs->funcs[n_kept++] = *func;
  }
  out->n_funcs += funcs->n_funcs - n_kept;
  funcs->n_funcs = n_kept;
}

static void remove_lines(const struct marked_file *files,
                         struct line_counts *counts,
                         struct excluded_counts *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < counts->n_lines; i++)
    if (!(flags_at(files, &counts->lines[i].pos) & EXCLUDED_LINE))
      counts->lines[n_kept++] = counts->lines[i];
  out->n_lines += counts->n_lines - n_kept;
  counts->n_lines = n_kept;
}

static void remove_branches(const struct marked_file *files,
                            struct branch_counts *branches,
                            struct excluded_counts *out) {
  size_t n_kept = 0;
  for (size_t i = 0; i < branches->n_blocks; i++) {
    const struct branch_block *const block = &branches->blocks[i];
    if (flags_at(files, &block->pos) & (EXCLUDED_LINE | EXCLUDED_BRANCHES))
      out->n_ways += block->n_ways;
    else
      branches->blocks[n_kept++] = *block;
  }
  branches->n_blocks = n_kept;
}

int excluded_lines_remove(const struct source_filter *filter,
                          const struct source_paths *paths,
                          const struct file_table *files,
                          struct line_counts *counts,
                          struct source_funcs *funcs,
                          struct branch_counts *branches,
                          struct excluded_counts *out, struct err *err) {
  struct marked_file *const marked =
      calloc((size_t)files->n_names + 1, sizeof(*marked));
  int rc = marked ? 0 : err_no_memory(err);
  uint32_t i_last = UINT32_MAX;
  for (size_t i = 0; rc == 0 && i < counts->n_lines; i++) {
    const uint32_t i_file = counts->lines[i].pos.i_file;
    if (i_file != i_last && source_filter_has(filter, files->names[i_file]))
      rc = mark_file(paths, files->names[i_file], &marked[i_file], err);
    i_last = i_file;
  }
  if (rc == 0) {
    remove_funcs(marked, funcs, out);
    remove_lines(marked, counts, out);
    remove_branches(marked, branches, out);
  }
  for (size_t i = 0; marked && i < files->n_names; i++)
    free(marked[i].flags);
  free(marked);
  return rc;
}
