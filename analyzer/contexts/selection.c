/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/selection.h"

#include "base/array.h"
#include "base/err.h"
#include "contexts/c_bodies.h"
#include "contexts/git_tree.h"
#include "debug/source.h"
#include "debug/source_pattern.h"
#include "debug/source_filter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** State of selecting. */
struct selector {
  const struct suite *suite;
  const struct context_index *index;
  const struct git_tree *tree;
  const char *option;
  const struct source_patterns *ignored;
  struct context_query query; // functions that were changed
  struct selection *out;
};

__attribute__((format(printf, 3, 4))) static int
add_reason(struct selector *s, struct err *err, const char *format, ...) {
  struct selection *const out = s->out;
  char *reason = NULL;
  va_list values;

  va_start(values, format);
  if (vasprintf(&reason, format, values) < 0)
    reason = NULL;
  va_end(values);
  for (size_t i = 0; reason && i < out->n_reasons; i++)
    if (strcmp(out->reasons[i], reason) == 0) {
      free(reason);
      return 0;
    }
  char **const reasons = reason
                             ? array_grow(out->reasons, out->n_reasons,
                                          &out->max_reasons, sizeof(*reasons))
                             : NULL;
  if (!reasons) {
    free(reason);
    return err_no_memory(err);
  }
  out->reasons = reasons;
  reasons[out->n_reasons++] = reason;
  return 0;
}

static bool is_ignored(const struct selector *s, const char *path) {
  for (size_t i = 0; i < s->ignored->n_texts; i++)
    if (source_matches(s->ignored->texts[i], path))
      return true;
  return false;
}

//===--- A changed file ---------------------------------------------------===//

/** A file before and after the change. */
struct file_change {
  const struct git_change *change;
  const char *path;            // that ran
  struct source_text texts[2]; // old, new; bytes are ours
  struct c_text parts[2];
  bool is_new; // the new one ran
};

static int split_lines(struct source_text *text, struct err *err) {
  size_t n = 1;

  for (size_t i = 0; i < text->n_bytes; i++)
    n += text->bytes[i] == '\n';
  text->line_starts = reallocarray(NULL, n + 1, sizeof(*text->line_starts));
  if (!text->line_starts)
    return err_no_memory(err);
  n = 0;
  for (size_t i = 0; i < text->n_bytes; i++)
    if (i == 0 || text->bytes[i - 1] == '\n')
      text->line_starts[n++] = i;
  text->line_starts[n] = text->n_bytes;
  text->n_lines = n;
  return 0;
}

static int load_text(struct selector *s, struct file_change *file, int i,
                     struct err *err) {
  struct source_text *const text = &file->texts[i];
  struct source_paths none = {0};
  char *name = NULL;
  int reason, rc;

  if (i == 0) {
    text->bytes = git_tree_text(s->option, file->change->old_version,
                                &text->n_bytes, err);
    if (!text->bytes || split_lines(text, err) != 0)
      return -1;
  } else {
    if (asprintf(&name, "%s/%s", s->tree->lines.root, file->change->path) < 0)
      return err_no_memory(err);
    rc = source_load(&none, name, text, &reason, err);
    free(name);
    if (rc != 0)
      return -1;
  }
  return c_text_read(text->bytes, text->n_bytes, &file->parts[i]) == 0
             ? 0
             : err_no_memory(err);
}

static void release_file(struct file_change *file) {
  for (int i = 0; i < 2; i++) {
    c_text_release(&file->parts[i]);
    source_release(&file->texts[i]);
  }
}

/** Offset of a line; of one after the last: the end. */
static size_t line_start(const struct source_text *text, size_t line) {
  return line >= 1 && line <= text->n_lines ? text->line_starts[line - 1]
                                            : text->n_bytes;
}

//===--- Bodies -----------------------------------------------------------===//

/** Are all lines of the function in that file in its body? */
static bool has_lines_in(const struct context_object *object,
                         const struct context_func *func,
                         const struct source_text *text,
                         const struct c_body *body) {
  for (uint32_t i = 0; i < func->n_lines; i++) {
    const struct context_line *const line =
        &object->lines[func->first_line + i];
    if (line->i_file == func->pos.i_file &&
        (line->line < func->pos.line ||
         line_start(text, line->line) > body->close))
      return false;
  }
  return true;
}

/** Functions that have a change. */
struct owners {
  size_t n;
  bool is_constant; // the value of one may be in other code
  bool has_lambda, has_other;
};

static void add_owners_of(struct selector *s, struct file_change *file,
                          const struct c_change *change, size_t i_object,
                          struct owners *owners) {
  const struct context_object *const object = &s->index->objects[i_object];
  const struct source_text *const text = &file->texts[file->is_new];
  struct c_body body;

  for (size_t k = 0; k < object->n_funcs; k++) {
    const struct context_func *const func = &object->funcs[k];
    if (!git_tree_is_file(s->tree, object->files[func->pos.i_file].path,
                          file->path) ||
        !c_body_find(&file->parts[file->is_new], text->line_starts,
                     text->n_lines, func->pos.line, &body) ||
        !has_lines_in(object, func, text, &body) ||
        !c_body_has(&body, &file->parts[0], &file->parts[1], change,
                    file->is_new))
      continue;
    context_query_add(&s->query, i_object, k);
    owners->n++;
    owners->is_constant |= body.is_constant;
    owners->has_lambda |= body.is_lambda;
    owners->has_other |= !body.is_lambda;
  }
}

static int trace_range(struct selector *s, struct file_change *file,
                       const struct changed_range *range, struct err *err) {
  struct c_change change = {
      .old_first = line_start(&file->texts[0], range->old_first),
      .old_end = line_start(&file->texts[0], range->old_last + 1),
      .new_first = line_start(&file->texts[1], range->first),
      .new_end = line_start(&file->texts[1], range->last + 1)};
  struct owners owners = {0};

  c_change_trim(&file->parts[0], &file->parts[1], &change);
  const enum c_effect effect =
      c_change_effect(&file->parts[0], &file->parts[1], &change);
  if (effect == C_NO_EFFECT)
    return 0;
  for (size_t i = 0; effect == C_LOCAL && i < s->index->n_objects; i++)
    if (s->index->objects[i].is_current)
      add_owners_of(s, file, &change, i, &owners);
  const uint32_t line =
      range->first > range->last ? range->old_first : range->first;
  if (owners.n == 0)
    return add_reason(s, err, "%s:%u: changed outside of functions that ran%s",
                      file->change->path, line,
                      range->first > range->last ? ", by removing lines" : "");
  // A lambda outside of functions may be called while the program is compiled.
  if (owners.is_constant || (owners.has_lambda && !owners.has_other))
    return add_reason(s, err,
                      "%s:%u: changed in a function whose value or type the "
                      "compiler may compute",
                      file->change->path, line);
  return 0;
}

//===--- Files ------------------------------------------------------------===//

enum ran { RAN_NONE, RAN_OLD, RAN_NEW, RAN_OTHER };

/** Which version of a file did the tests run? */
static enum ran find_ran(const struct selector *s,
                         const struct git_change *change) {
  enum ran ran = RAN_NONE;

  for (size_t i = 0; i < s->index->n_objects; i++) {
    const struct context_object *const object = &s->index->objects[i];
    for (size_t k = 0; object->is_current && k < object->n_files; k++) {
      const struct context_file *const file = &object->files[k];
      const bool is_old =
          git_tree_is_file(s->tree, file->path, change->old_path);
      if (!is_old && !git_tree_is_file(s->tree, file->path, change->path))
        continue;
      const enum ran one =
          is_old && strcmp(file->version, change->old_version) == 0 ? RAN_OLD
          : file->version[0] && strcmp(file->version, change->new_version) == 0
              ? RAN_NEW
              : RAN_OTHER;
      ran = ran == RAN_NONE || ran == one ? one : RAN_OTHER;
    }
  }
  return ran;
}

static bool is_c_file(const char *path) {
  static const char *const endings[] = {"c",   "h",   "cc",  "cpp", "cxx",
                                        "C",   "hh",  "hpp", "hxx", "H",
                                        "inc", "ipp", "tcc", "inl", NULL};
  const char *const dot = strrchr(path, '.');

  for (size_t i = 0; dot && endings[i]; i++)
    if (strcmp(dot + 1, endings[i]) == 0)
      return true;
  return false;
}

static int trace_ranges(struct selector *s, struct file_change *file,
                        struct err *err) {
  const struct changed_lines *const lines = &s->tree->lines;
  int rc = load_text(s, file, 0, err);

  if (rc == 0)
    rc = load_text(s, file, 1, err);
  for (size_t i = 0; rc == 0 && i < lines->n_ranges; i++)
    if (strcmp(lines->paths[lines->ranges[i].i_path], file->change->path) == 0)
      rc = trace_range(s, file, &lines->ranges[i], err);
  release_file(file);
  return rc;
}

/** Is a file in a folder of the tree? */
static bool is_below(const struct git_tree *tree, const char *folder,
                     const char *path) {
  char *const real = realpath(folder, NULL);
  const size_t n_root = strlen(tree->lines.root);
  bool is_inside = false;

  if (real && strncmp(real, tree->lines.root, n_root) == 0 &&
      real[n_root] == '/') {
    const char *const own = real + n_root + 1;
    const size_t n = strlen(own);
    is_inside = strncmp(path, own, n) == 0 && path[n] == '/';
  }
  free(real);
  return is_inside;
}

/** Is it what the build and the tests have made: a program that ran, or one of
 * its profiles? Its sources are compared instead. */
static bool is_made(const struct selector *s, const char *path) {
  for (size_t i = 0; i < s->index->n_objects; i++)
    if (git_tree_is_file(s->tree, s->index->objects[i].path, path))
      return true;
  return is_below(s->tree, s->suite->folder, path);
}

static int trace_change(struct selector *s, const struct git_change *change,
                        struct err *err) {
  struct file_change file = {.change = change};

  if (is_ignored(s, change->path) && is_ignored(s, change->old_path))
    return 0;
  if (change->status == 'U' && is_made(s, change->path))
    return 0;
  if (change->status == 'U' || change->status == 'A' || change->status == 'C')
    return add_reason(s, err, "%s: new file", change->path);
  if (change->status == 'D')
    return add_reason(s, err, "%s: file was removed", change->path);
  if (change->status == 'R')
    return add_reason(s, err, "%s: file was renamed", change->path);
  const enum ran ran = find_ran(s, change);
  if (ran == RAN_NONE || !is_c_file(change->path))
    return add_reason(s, err, "%s: not a file of functions that ran",
                      change->path);
  if (ran == RAN_OTHER)
    return add_reason(s, err,
                      "%s: the tests ran neither this version nor that of the "
                      "revision",
                      change->path);
  if (change->status != 'M' || !change->new_version[0])
    return add_reason(s, err, "%s: no longer a regular file", change->path);
  file.is_new = ran == RAN_NEW;
  file.path = change->path;
  return trace_ranges(s, &file, err);
}

static bool is_changed(const struct selector *s, const char *name) {
  for (size_t i = 0; i < s->tree->n_changes; i++)
    if (git_tree_is_file(s->tree, name, s->tree->changes[i].path) ||
        git_tree_is_file(s->tree, name, s->tree->changes[i].old_path))
      return true;
  return false;
}

/** Did the tests run the revision, but for the files that differ from it? */
static int check_versions(struct selector *s, struct err *err) {
  for (size_t i = 0; i < s->index->n_objects; i++) {
    const struct context_object *const object = &s->index->objects[i];
    for (size_t k = 0; object->is_current && k < object->n_files; k++) {
      const struct context_file *const file = &object->files[k];
      const char *const version = git_tree_version(s->tree, file->path);
      if (!version || strcmp(version, file->version) == 0 ||
          is_changed(s, file->path) || is_ignored(s, file->path))
        continue;
      if (add_reason(s, err,
                     file->version[0]
                         ? "%s: the tests ran another version than that of the "
                           "revision"
                         : "%s: the version that the tests ran is unknown, "
                           "since the file is newer than the program",
                     file->path) != 0)
        return -1;
    }
  }
  return 0;
}

//===--- Tests ------------------------------------------------------------===//

/** Tests of earlier builds may run anything now. */
static int add_unknown_tests(struct selector *s, struct err *err) {
  const size_t n_left = s->suite->collected.n_left;

  for (size_t i = 0; i < s->suite->stale.n; i++)
    s->out->is_selected[i] |= s->suite->stale.has_run[i];
  if (n_left > 0 &&
      add_reason(s, err, "%zu files of counts cannot be read", n_left) != 0)
    return -1;
  if (s->index->n_names == 0)
    return add_reason(s, err, "%s: no test ran", s->suite->folder);
  return 0;
}

static int run_query(struct selector *s, struct err *err) {
  struct context_hits hits;

  if (context_query_run(&s->query, &hits, err) != 0)
    return -1;
  for (size_t i = 0; i < hits.n; i++)
    s->out->is_selected[i] |= hits.has_run[i];
  const bool has_none = hits.has_none;
  context_hits_release(&hits);
  return has_none ? add_reason(s, err,
                               "a function that was changed ran in a process "
                               "that belongs to no test")
                  : 0;
}

static int select_all(struct selector *s, struct err *err) {
  for (size_t i = 0; i < s->tree->n_changes; i++)
    if (trace_change(s, &s->tree->changes[i], err) != 0)
      return -1;
  return check_versions(s, err) == 0 && add_unknown_tests(s, err) == 0
             ? run_query(s, err)
             : -1;
}

int selection_make(const struct suite *suite, const struct git_tree *tree,
                   const char *option, const struct source_patterns *ignored,
                   struct selection *out, struct err *err) {
  struct selector s = {.suite = suite,
                       .index = &suite->index,
                       .tree = tree,
                       .option = option,
                       .ignored = ignored,
                       .out = out};

  *out = (struct selection){.is_selected =
                                calloc(suite->index.n_names + 1, sizeof(bool)),
                            .n_tests = suite->index.n_names};
  if (!out->is_selected)
    return err_no_memory(err);
  int rc = context_query_begin(&suite->index, &s.query, err);
  if (rc == 0)
    rc = select_all(&s, err);
  context_query_release(&s.query);
  if (rc != 0)
    selection_release(out);
  return rc;
}

void selection_release(struct selection *selection) {
  for (size_t i = 0; i < selection->n_reasons; i++)
    free(selection->reasons[i]);
  free(selection->reasons);
  free(selection->is_selected);
  *selection = (struct selection){0};
}
