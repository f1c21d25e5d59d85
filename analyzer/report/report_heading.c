/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Prints the heading of `arcline report`: program, runs, missing data. */
#include "base/digits.h"
#include "base/row.h"
#include "model/missing.h"
#include "model/model.h"
#include "model/runs.h"
#include "profile/programs.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

// Fewer samples than this are reported as too few.
enum { FEW_SAMPLES = 50, LABEL_COLUMNS = 9, BUILD_ID_SHOWN_BYTES = 6 };

/** State of printing. */
struct page {
  const struct report_heading *heading;
  struct row *row;
};

static void add_label(const struct page *page, const char *label) {
  const struct screen *const screen = page->heading->screen;
  screen_begin_style(screen, page->row, INK_NOTE);
  row_add_text(page->row, label);
  screen_end_style(screen, page->row, INK_NOTE);
  row_add_blanks(page->row, LABEL_COLUMNS - strlen(label));
}

/** "1 process", "12 processes". */
static void add_number_of(struct row *row, uint64_t n, const char *one,
                          const char *many) {
  digits_add(row, n, 0);
  ROW_ADD(row, " ");
  row_add_text(row, n == 1 ? one : many);
}

static void add_path(const struct page *page, const char *path) {
  screen_begin_style(page->heading->screen, page->row, INK_TITLE);
  screen_add_text(page->heading->screen, page->row, path, 0);
  screen_end_style(page->heading->screen, page->row, INK_TITLE);
}

/** The one with most time, and the number of the others. */
static void print_program(const struct page *page) {
  const struct model *const model = page->heading->model;
  const struct programs *const programs = page->heading->programs;
  const struct image *const image =
      &model->objects[programs->rows[0].i_object].image;
  const size_t n_libraries =
      programs->n_libraries - (programs->n_programs == 0);
  struct row *const row = page->row;
  const bool is_suite = programs->n_programs > 1;
  add_label(page, is_suite ? "programs" : "program");
  if (is_suite) {
    add_number_of(row, programs->n_programs, "program", "programs");
  } else {
    add_path(page, image->path);
  }
  if (n_libraries) {
    ROW_ADD(row, " and ");
    add_number_of(row, n_libraries, "library", "libraries");
  }
  if (is_suite) {
    row_add_text(row,
                 programs->rows[0].ticks > 0 ? ", most time in " : ", first ");
    add_path(page, image->path);
  }
  if (image->n_build_id && !is_suite) {
    ROW_ADD(row, ", build ");
    for (size_t i = 0; i < image->n_build_id && i < BUILD_ID_SHOWN_BYTES; i++)
      row_add_format(row, "%02x", image->build_id[i]);
  }
  ROW_ADD(row, "\n");
}

static void print_profile(const struct page *page) {
  const struct model *const model = page->heading->model;
  const struct runs *const runs = page->heading->runs;
  struct row *const row = page->row;
  char when[32];
  struct tm local;
  add_label(page, "profile");
  screen_add_text(page->heading->screen, row,
                  model->inputs.objects[0].profile_paths[0], 0);
  if (runs->n_profiles > 1) {
    ROW_ADD(row, " and ");
    add_number_of(row, runs->n_profiles - 1, "more", "more");
  }
  if (runs->last_written && localtime_r(&runs->last_written, &local) &&
      strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &local)) {
    ROW_ADD(row, ", written ");
    row_add_text(row, when);
  }
  if (runs->pid)
    row_add_format(row, " by process %" PRIu64, runs->pid);
  else if (runs->n_processes > 1) {
    ROW_ADD(row, ", of ");
    add_number_of(row, runs->n_processes, "process", "processes");
  }
  ROW_ADD(row, "\n");
}

static void print_samples(const struct page *page) {
  const struct report_heading *const heading = page->heading;
  const struct measure_unit *const unit = &heading->model->unit;
  const struct runs *const runs = heading->runs;
  const bool is_time = strcmp(unit->dimension, "seconds") == 0;
  struct row *const row = page->row;
  if (!unit->is_known)
    return;
  add_label(page, is_time ? "time" : "samples");
  if (is_time && unit->rate_hz) {
    row_add_fixed(row, heading->n_samples / unit->rate_hz, 0, 2);
    ROW_ADD(row, " s in ");
  }
  add_number_of(row, (uint64_t)(heading->n_samples + 0.5), "sample", "samples");
  if (is_time && unit->rate_hz) {
    row_add_format(row, ", %" PRIu32 " a second", unit->rate_hz);
  } else {
    ROW_ADD(row, " of ");
    screen_add_text(heading->screen, row, unit->dimension, 0);
  }
  if (heading->n_stack_signals > 0) {
    ROW_ADD(row, ", ");
    add_number_of(row, (uint64_t)(heading->n_stack_signals + 0.5), "call stack",
                  "call stacks");
  }
  if (runs->n_threads > 1) {
    ROW_ADD(row, ", of ");
    add_number_of(row, runs->n_threads, "thread", "threads");
  }
  ROW_ADD(row, "\n");
}

static void print_cpu(const struct page *page) {
  const struct runs *const runs = page->heading->runs;
  if (runs->user_us + runs->system_us == 0)
    return;
  add_label(page, "cpu");
  row_add_format(page->row, "%.2f s user, %.2f s system\n",
                 (double)runs->user_us / 1e6, (double)runs->system_us / 1e6);
}

static void print_calls(const struct page *page) {
  struct row *const row = page->row;
  if (page->heading->n_calls < 0)
    return;
  add_label(page, "calls");
  digits_add(row, (uint64_t)page->heading->n_calls, 0);
  ROW_ADD(row, ", counted exactly");
  if (page->heading->model->has_chosen_threads)
    ROW_ADD(row, ", of all threads");
  ROW_ADD(row, "\n");
}

// --- Defects of the profile ---

static void begin_note(const struct page *page) { add_label(page, "note"); }

/** A kind of lost data, and a sentence on its effect. */
struct loss_text {
  const char *what;
  const char *sentence; /* after a number */
};

static const struct loss_text loss_texts[] = {
    {"calls", "calls through pointers were not counted for lack of memory"},
    {"cells", "threads shared counters for lack of memory; counts of code that "
              "ran in several of them may be too low"},
    {"libraries", "libraries shared counters among all threads; their counts "
                  "may be too low"},
    {"stacks",
     "samples have no call stack for lack of memory; measured times omit them"},
    {"frames-deep", "samples have call stacks that are too deep; their outer "
                    "callers are missing"},
    {"frames-unknown", "samples have call stacks that end in code without "
                       "unwind tables; their outer callers are missing"},
    {"frames-broken", "samples have call stacks that could not be unwound "
                      "completely; their outer callers are missing"},
};

static void print_loss(const struct page *page, const struct runs_loss *loss) {
  const struct screen *const screen = page->heading->screen;
  begin_note(page);
  digits_add(page->row, loss->count, 0);
  ROW_ADD(page->row, " ");
  for (size_t i = 0; i < sizeof(loss_texts) / sizeof(*loss_texts); i++)
    if (strcmp(loss_texts[i].what, loss->what) == 0) {
      row_add_text(page->row, loss_texts[i].sentence);
      ROW_ADD(page->row, "\n");
      return;
    }
  screen_add_text(screen, page->row, loss->what, 0);
  ROW_ADD(page->row, " were lost\n");
}

/** Losses of stacks below a per cent of samples are not worth a note. */
static bool is_worth_a_note(const struct report_heading *heading,
                            const struct runs_loss *loss) {
  const bool is_of_stacks = strcmp(loss->what, "stacks") == 0 ||
                            strncmp(loss->what, "frames", 6) == 0;
  return !is_of_stacks || (double)loss->count > heading->n_samples / 100;
}

static void print_notes(const struct page *page) {
  const struct report_heading *const heading = page->heading;
  const struct runs *const runs = heading->runs;
  const struct measure_unit *const unit = &heading->model->unit;
  struct row *const row = page->row;
  char missing[MISSING_BYTES];
  if (missing_describe(runs, missing)) {
    begin_note(page);
    row_add_text(row, missing);
    ROW_ADD(row, "\n");
  }
  for (size_t i = 0; i < runs->n_losses; i++)
    if (!missing_is_kind(runs->losses[i].what) &&
        is_worth_a_note(heading, &runs->losses[i]))
      print_loss(page, &runs->losses[i]);
  if (runs->n_late_threads) {
    begin_note(page);
    add_number_of(row, runs->n_late_threads, "thread was", "threads were");
    ROW_ADD(row, " detected after the start; earlier counts may be missing\n");
  }
  if (!unit->is_known || heading->n_samples <= 0) {
    begin_note(page);
    ROW_ADD(row, "no samples: the run was too short, or sampling was off; "
                 "functions are sorted by calls\n");
  } else if (heading->n_samples < FEW_SAMPLES) {
    begin_note(page);
    ROW_ADD(row, "few samples, so times are rough; use ARCLINE_OPTIONS=hz=1000 "
                 "for more\n");
  }
  if (heading->n_calls < 0) {
    begin_note(page);
    ROW_ADD(
        row,
        "no calls in the profile; was the program built with arcline-cc?\n");
  }
  if (heading->n_others) {
    begin_note(page);
    add_number_of(row, heading->n_others, "older profile is",
                  "older profiles are");
    ROW_ADD(row,
            " in this folder; name the profiles to add up, or `.' for all\n");
  }
}

void report_print_heading(const struct report_heading *heading, FILE *out) {
  struct row row;
  const struct page page = {heading, &row};
  row_begin(&row, out);
  print_program(&page);
  print_profile(&page);
  print_samples(&page);
  print_cpu(&page);
  print_calls(&page);
  print_notes(&page);
  ROW_ADD(&row, "\n");
  row_write(&row);
}
