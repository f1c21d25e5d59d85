/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes the flame graph: as data for the script that draws it, and, for
 * readers without scripts, as nested lists of its larger frames.
 */
#include "base/err.h"
#include "base/map64.h"
#include "html/flame_moments.h"
#include "html/flame_tree.h"
#include "html/html_parts.h"
#include "html/html_text.h"
#include "html/packed.h"
#include "profile/graph_profile.h"

#include <inttypes.h>
#include <stdlib.h>

// Frames that are listed: those of this share of all and more, and no deeper
// ones.
static const double min_share = 0.01;
enum { MAX_DEPTH = 60 };

/** A tree whose frames are found by their callers. */
struct work {
  const struct html_report *report;
  struct flame_tree tree;
  uint32_t *first_callee, *next; // of a frame, largest first; 0: none
  uint32_t *order;
};

// --- Order ---

static int compare_frames(const void *left, const void *right, void *context) {
  const struct work *const work = context;
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const double total_a = work->tree.frames[a].total;
  const double total_b = work->tree.frames[b].total;
  return total_a != total_b ? (total_a > total_b) - (total_a < total_b)
                            : (a < b) - (a > b);
}

static int link_frames(struct work *work, struct err *err) {
  const size_t n = work->tree.n_frames;
  work->first_callee = calloc(n + 1, sizeof(*work->first_callee));
  work->next = calloc(n + 1, sizeof(*work->next));
  work->order = calloc(n + 1, sizeof(*work->order));
  if (!work->first_callee || !work->next || !work->order)
    return err_no_memory(err);
  for (uint32_t i = 1; i < n; i++)
    work->order[i - 1] = i;
  // Smallest first: each becomes the first one of its caller.
  if (n > 1)
    qsort_r(work->order, n - 1, sizeof(*work->order), compare_frames, work);
  for (size_t i = 0; i + 1 < n; i++) {
    const uint32_t i_frame = work->order[i];
    const uint32_t caller = work->tree.frames[i_frame].caller;
    work->next[i_frame] = work->first_callee[caller];
    work->first_callee[caller] = i_frame;
  }
  return 0;
}

// --- Names ---

static uint32_t func_of(const struct work *work,
                        const struct flame_frame *frame) {
  return frame->i_symbol == PROFILE_NONE
             ? FUNC_NONE
             : work->report->funcs.of_symbol[frame->i_symbol];
}

static const char *name_of(const struct work *work,
                           const struct flame_frame *frame) {
  const uint32_t i_func = func_of(work, frame);
  if (frame->is_cut)
    return "[outer frames missing]";
  if (i_func != FUNC_NONE)
    return func_brief(&work->report->funcs.funcs[i_func]);
  return frame->i_symbol == PROFILE_NONE
             ? "[unknown]"
             : work->report->input->program->profile.symtab
                   ->symbols[frame->i_symbol]
                   .name;
}

// --- The page ---

static void add_frame(const struct work *work, uint32_t i_frame,
                      struct page *page) {
  const struct flame_frame *const frame = &work->tree.frames[i_frame];
  const uint32_t i_func = func_of(work, frame);
  struct row *const row = &page->row;
  ROW_ADD(row, "<li><b>");
  html_add_percent(row, frame->total, work->tree.frames[0].total);
  ROW_ADD(row, " %</b> ");
  if (i_func != FUNC_NONE && !frame->is_cut)
    html_add_function(work->report, page, i_func);
  else
    html_add(row, name_of(work, frame));
  if (frame->cycle)
    row_add_format(row, " and cycle %" PRIu32, frame->cycle);
}

/** The first frame of a list that is large enough to be in it, or 0. */
static uint32_t listed(const struct work *work, uint32_t i_frame) {
  const struct flame_frame *const frames = work->tree.frames;
  return i_frame && frames[i_frame].total >= min_share * frames[0].total
             ? i_frame
             : 0;
}

/** Append the frames of a root as nested lists, without recursion. */
static void add_list(const struct work *work, struct page *page) {
  struct row *const row = &page->row;
  uint32_t i_frame = listed(work, work->first_callee[0]);
  unsigned depth = 0;
  if (!i_frame)
    return;
  ROW_ADD(row, "<details class=\"tree\"><summary>As lists</summary>\n"
               "<ul>\n");
  while (i_frame) {
    add_frame(work, i_frame, page);
    const uint32_t callee = listed(work, work->first_callee[i_frame]);
    if (callee && depth < MAX_DEPTH) {
      ROW_ADD(row, "\n<ul>\n");
      depth++;
      i_frame = callee;
      continue;
    }
    ROW_ADD(row, "</li>\n");
    while (i_frame && !listed(work, work->next[i_frame])) {
      i_frame = work->tree.frames[i_frame].caller;
      if (i_frame) {
        ROW_ADD(row, "</ul></li>\n");
        depth--;
      }
    }
    i_frame = i_frame ? work->next[i_frame] : 0;
  }
  ROW_ADD(row, "</ul></details>\n");
}

static int write_page(const struct work *work, struct err *err) {
  const struct html_report *const report = work->report;
  struct page page = {.kind = PAGE_FLAME,
                      .title = "Flame graph",
                      .frame = &report->pages.frame};
  struct row *const row = &page.row;
  if (page_begin(&report->pages.site, "flame.html", &page, err))
    return -1;
  ROW_ADD(row, "<h1>Flame graph</h1>\n");
  if (work->tree.n_frames < 2)
    ROW_ADD(row, "<p class=\"note\">The profile has no samples.</p>\n");
  else if (work->tree.is_measured)
    row_add_format(
        row,
        "<p class=\"lead\">Measured call stacks. Callers are above their "
        "callees; width is time.%s</p>\n",
        work->tree.n_moments ? " Choose threads, or drag over the timeline, to "
                               "show a part of the run; pale is waiting."
                             : "");
  else
    ROW_ADD(
        row,
        "<p class=\"note\">No call stacks were recorded, so this is computed "
        "from the call graph, as if all calls of a function took equally long. "
        "Run the program with <code>ARCLINE_OPTIONS=stacks=auto</code> to "
        "record call stacks.</p>\n");
  ROW_ADD(row, "<div class=\"flame\"></div>\n");
  add_list(work, &page);
  return page_end(&page, 0, err);
}

// --- The data ---

static void put_address(const struct work *work, struct json *json,
                        uint32_t i_func) {
  const struct html_report *const report = work->report;
  struct site_place place = {.part = PART_NONE};
  char text[160] = "";
  if (i_func != FUNC_NONE)
    place = html_func_place(report, &report->funcs.funcs[i_func]);
  if (place.part != PART_NONE) {
    struct page page = {.kind = PAGE_FLAME, .frame = &report->pages.frame};
    row_begin(&page.row, NULL);
    site_pages_add_address(&report->pages, &page, &place);
    snprintf(text, sizeof(text), "%.*s", (int)page.row.n_bytes, page.row.bytes);
  }
  json_text(json, NULL, text);
}

/** Write the names of frames, and their addresses. numbers: of names, by
 * frame. */
static int put_names(const struct work *work, struct json *json,
                     uint32_t *numbers, struct err *err) {
  struct map64 index = {0};
  uint32_t n_names = 0;
  int rc = 0;
  json_array_begin(json, "names");
  for (size_t i = 1; rc == 0 && i < work->tree.n_frames; i++) {
    const struct flame_frame *const frame = &work->tree.frames[i];
    const uint64_t key = (uint64_t)frame->is_cut << 32 | frame->i_symbol;
    numbers[i] = map64_find(&index, key);
    if (numbers[i] != MAP64_NONE)
      continue;
    numbers[i] = n_names++;
    work->order[numbers[i]] = (uint32_t)i;
    rc = map64_insert(&index, key, numbers[i], err);
    json_text(json, NULL, name_of(work, frame));
  }
  json_array_end(json);
  json_array_begin(json, "links");
  for (uint32_t i = 0; i < n_names; i++)
    put_address(work, json, func_of(work, &work->tree.frames[work->order[i]]));
  json_array_end(json);
  map64_release(&index);
  return rc;
}

/** Write the frames at which stacks of threads that wait end. */
static void put_waits(const struct work *work, struct json *json) {
  const struct graph_profile *const program = work->report->input->program;
  const size_t i_waiting = outside_waiting(&program->sides.outside);
  json_array_begin(json, "waits");
  for (size_t i = 1; i < work->tree.n_frames; i++)
    if (work->tree.is_measured && work->tree.frames[i].i_symbol == i_waiting)
      json_integer(json, NULL, i);
  json_array_end(json);
}

static int put_tree(const struct work *work, struct json *json,
                    struct err *err) {
  const struct flame_tree *const tree = &work->tree;
  uint32_t *const numbers = calloc(tree->n_frames + 1, sizeof(*numbers));
  if (!numbers)
    return err_no_memory(err);
  json_object_begin(json, NULL);
  json_integer(json, "rate", html_rate(work->report));
  json_bool(json, "measured", tree->is_measured);
  int rc = put_names(work, json, numbers, err);
  json_array_begin(json, "name");
  for (size_t i = 1; i < tree->n_frames; i++)
    json_integer(json, NULL, numbers[i]);
  json_array_end(json);
  json_array_begin(json, "caller");
  for (size_t i = 1; i < tree->n_frames; i++)
    json_integer(json, NULL, tree->frames[i].caller);
  json_array_end(json);
  json_array_begin(json, "self");
  for (size_t i = 1; i < tree->n_frames; i++)
    json_integer(json, NULL, html_thousandths(tree->frames[i].self));
  json_array_end(json);
  if (!tree->is_measured) { // otherwise the sum of what is below
    json_array_begin(json, "total");
    for (size_t i = 0; i < tree->n_frames; i++)
      json_integer(json, NULL, html_thousandths(tree->frames[i].total));
    json_array_end(json);
  }
  put_waits(work, json);
  if (rc == 0)
    rc = flame_moments_put(work->report->input->program, tree, json, err);
  json_object_end(json);
  free(numbers);
  return rc;
}

static int write_data(const struct work *work, struct err *err) {
  struct packed_file file;
  if (packed_file_begin(&work->report->pages.site, "stacks", &file, err))
    return -1;
  const int rc = put_tree(work, &file.packed.json, err);
  return packed_file_end(&file, rc, err);
}

int html_write_flame(const struct html_report *report, struct err *err) {
  struct work work = {.report = report};
  int rc = flame_tree_build(report->input->program, &work.tree, err);
  if (rc == 0)
    rc = link_frames(&work, err);
  if (rc == 0)
    rc = write_page(&work, err);
  if (rc == 0)
    rc = write_data(&work, err);
  flame_tree_release(&work.tree);
  free(work.first_callee);
  free(work.next);
  free(work.order);
  return rc;
}
