/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline top`: shows the functions that a running program spends its time in
 * now. It is asked to write its profile again and again; the differences are
 * the work done in between.
 */
#include "base/err.h"
#include "base/row.h"
#include "base/screen.h"
#include "cmd/commands.h"
#include "cmd/ctl_client.h"
#include "cmd/live_process.h"
#include "debug/func_names.h"
#include "diff/diff.h"
#include "gmon/side_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
  OPT_COUNT = 1,
  OPT_DELAY,
  OPT_ROWS,
  OPT_FORCE,

  USUAL_ROWS = 20,
  HEAD_ROWS = 4, // above the functions, and the prompt below them
  TIMEOUT_S = 10,
  MAX_DELAY_S = 86400,
};

static const double usual_delay_s = 2;

static const struct option_spec option_specs[] = {
    {OPT_COUNT, 'n', "count", OPTION_ARGUMENT, "N", "exit after N updates"},
    {OPT_DELAY, 'd', "delay", OPTION_ARGUMENT, "SECONDS",
     "time between updates (default 2)"},
    {OPT_ROWS, 0, "top", OPTION_ARGUMENT, "N",
     "show N functions (default 20, or as many as fit)"},
    {OPT_FORCE, 'f', "force", OPTION_NO_ARGUMENT, NULL,
     "ignore system call filters of the program"},
    {0},
};

/** The program's profile at one time. */
struct snapshot {
  struct diff_side side;
  char *path; // of the file that it wrote
  char *image;
  double at_s;
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  struct ctl_request request;
  long n_shows; // 0: no limit
  double delay_s;
  long max_rows; // 0: as many as usual
  struct screen screen;
  struct snapshot before, now;
};

/** A function in the order of the table. */
struct ranked {
  const struct diff_func *func;
  double time;
  double calls;
};

static void snapshot_release(struct snapshot *snapshot) {
  diff_side_release(&snapshot->side);
  free(snapshot->path);
  free(snapshot->image);
  *snapshot = (struct snapshot){0};
}

// --- Command line ---

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;
  char *end;

  switch (id) {
  case OPT_COUNT:
  case OPT_ROWS: {
    long *const number = id == OPT_COUNT ? &run->n_shows : &run->max_rows;
    return options_parse_number(value, number) && *number > 0
               ? 0
               : err_set(err, ERR_USAGE,
                         "--%s=%s: must be a positive number; try arcline top "
                         "--help",
                         id == OPT_COUNT ? "count" : "top", value);
  }
  case OPT_DELAY:
    run->delay_s = strtod(value, &end);
    return end != value && !*end && run->delay_s > 0 &&
                   run->delay_s <= MAX_DELAY_S
               ? 0
               : err_set(err, ERR_USAGE,
                         "--delay=%s: must be a number of seconds above 0 and "
                         "up to %d; try arcline top --help",
                         value, MAX_DELAY_S);
  default:
    run->request.is_forced = true;
    return 0;
  }
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;

  run->delay_s = usual_delay_s;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);
  if (rc)
    return rc;
  if (first == argc)
    return err_set(err, ERR_USAGE, "no process given; try arcline top --help");
  if (argc - first > 1)
    return options_reject(argv[first + 1], "unexpected operand", "top", err);
  if (live_process_parse(argv[first], "top", &run->request.pid, err))
    return -1;
  run->request.command = ARCLINE_CTL_DUMP;
  run->request.timeout_s = TIMEOUT_S;
  return 0;
}

// --- Looking ---

/** Choose among the files that the program wrote: the side file, which names
 * the others; otherwise the first. Returns its path, to free(), or NULL. */
static char *choose_file(pid_t pid, const char *answer) {
  char folder[PATH_MAX];
  const char *chosen = answer;
  size_t n_chosen = strcspn(answer, "\n");
  char *path;

  for (const char *line = answer; *line;) {
    const size_t n = strcspn(line, "\n");
    if (side_stem_length(line, n) < n) {
      chosen = line;
      n_chosen = n;
    }
    line += n + (line[n] != '\0');
  }
  if (*chosen == '/')
    return strndup(chosen, n_chosen);
  live_process_link(pid, "cwd", folder, sizeof(folder));
  return asprintf(&path, "%s/%.*s", folder, (int)n_chosen, chosen) < 0 ? NULL
                                                                       : path;
}

/** Have the program write its profile, and read it. */
static int load_snapshot(const struct run *run, struct snapshot *out,
                         struct err *err) {
  const struct inputs_options options = {0};
  char image[PATH_MAX];
  struct timespec now;
  char *answer;

  *out = (struct snapshot){0};
  if (ctl_ask(&run->request, &answer, err) != 0)
    return -1;
  clock_gettime(CLOCK_MONOTONIC, &now);
  out->at_s = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
  live_process_link(run->request.pid, "exe", image, sizeof(image));
  out->path = choose_file(run->request.pid, answer);
  out->image = strdup(image);
  free(answer);
  if (!out->path || !out->image) {
    snapshot_release(out);
    return err_no_memory(err);
  }
  if (diff_side_open_functions(out->path, out->image, &options, &out->side,
                               err) == 0)
    return 0;
  snapshot_release(out);
  return -1;
}

// --- Showing ---

static int compare_ranked(const void *left, const void *right) {
  const struct ranked *a = left, *b = right;

  if (a->time != b->time)
    return a->time < b->time ? 1 : -1;
  if (a->calls != b->calls)
    return a->calls < b->calls ? 1 : -1;
  return strcmp(a->func->name, b->func->name);
}

/** How many functions to show. */
static size_t count_rows(const struct run *run) {
  struct winsize size;

  if (run->max_rows)
    return (size_t)run->max_rows;
  return run->screen.is_terminal &&
                 ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
                 size.ws_row > HEAD_ROWS
             ? size.ws_row - HEAD_ROWS
             : USUAL_ROWS;
}

static void print_function(const struct run *run, struct row *row,
                           const struct ranked *ranked, double seconds) {
  enum { NUMBER_COLUMNS = 39 };
  char *const name = func_name_demangle(ranked->func->name);
  const unsigned width = run->screen.width;

  row_add_format(row, "%7.1f %%  %12.0f  %14.0f  ",
                 100 * ranked->time / seconds, ranked->calls / seconds,
                 (double)ranked->func->calls[DIFF_B]);
  screen_add_text(&run->screen, row, name ? name : ranked->func->name,
                  width > NUMBER_COLUMNS ? width - NUMBER_COLUMNS : 0);
  ROW_ADD(row, "\n");
  free(name);
}

static int print(const struct run *run, const struct diff *diff, double seconds,
                 struct err *err) {
  const size_t max_rows = count_rows(run);
  struct ranked *const list = calloc(diff->n_funcs + 1, sizeof(*list));
  struct row row;
  size_t n = 0;
  double time = 0, calls = 0;

  if (!list)
    return err_no_memory(err);
  for (size_t i = 0; i < diff->n_funcs; i++) {
    const struct diff_func *const func = &diff->funcs[i];
    const struct ranked ranked = {
        func, fmax(func->self[DIFF_B].time - func->self[DIFF_A].time, 0),
        fmax((double)func->calls[DIFF_B] - (double)func->calls[DIFF_A], 0)};
    time += ranked.time;
    calls += ranked.calls;
    if (ranked.time > 0 || ranked.calls > 0)
      list[n++] = ranked;
  }
  qsort(list, n, sizeof(*list), compare_ranked);
  row_begin(&row, stdout);
  if (run->screen.is_terminal)
    ROW_ADD(&row, "\033[H\033[J"); // to the upper left corner, and empty
  row_add_format(&row, "%d: %.2f %s and %.0f calls per second, over %.1f s\n",
                 (int)run->request.pid, time / seconds,
                 diff->unit ? diff->unit : "samples", calls / seconds, seconds);
  ROW_ADD(&row, "   self           calls/s           calls  function\n");
  for (size_t i = 0; i < n && i < max_rows; i++)
    print_function(run, &row, &list[i], seconds);
  if (!run->screen.is_terminal)
    ROW_ADD(&row, "\n");
  row_write(&row);
  fflush(stdout);
  free(list);
  return 0;
}

/** Are these the files of one profile? A program does not write the side file
 * of a pool each time. */
static bool is_same(const char *a, const char *b) {
  const size_t n = side_stem_length(a, strlen(a));

  return n == side_stem_length(b, strlen(b)) && memcmp(a, b, n) == 0;
}

/** Show the difference of two profiles. */
static int show(const struct run *run, struct err *err) {
  // With %n or %t in its name, each file has the counts since the one before.
  const bool is_difference = !is_same(run->before.path, run->now.path);
  const struct diff_side none = {0};
  const struct diff_side sides[] = {is_difference ? none : run->before.side,
                                    run->now.side};
  struct diff diff;

  if (diff_build_functions(sides, &diff, err) != 0)
    return -1;
  const int rc = print(run, &diff, run->now.at_s - run->before.at_s, err);
  diff_release(&diff);
  return rc;
}

static void wait_until(double at_s) {
  const struct timespec until = {.tv_sec = (time_t)at_s,
                                 .tv_nsec = (long)((at_s - floor(at_s)) * 1e9)};

  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
    ;
}

static int watch(struct run *run, struct err *err) {
  if (load_snapshot(run, &run->before, err) != 0)
    return -1;
  for (long i = 0; run->n_shows == 0 || i < run->n_shows; i++) {
    wait_until(run->before.at_s + run->delay_s);
    if (live_process_has_ended(run->request.pid))
      break;
    if (load_snapshot(run, &run->now, err) != 0)
      // It may have ended just now; then all is shown.
      return live_process_has_ended(run->request.pid) ? 0 : -1;
    if (show(run, err) != 0)
      return -1;
    snapshot_release(&run->before);
    run->before = run->now;
    run->now = (struct snapshot){0};
  }
  return 0;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0) {
    run.screen = screen_look(NULL);
    rc = watch(&run, err);
  }
  snapshot_release(&run.before);
  snapshot_release(&run.now);
  return rc;
}

const struct command cmd_top = {
    .name = "top",
    .summary = "show the hottest functions of a running program",
    .synopsis = "[OPTION]... PID",
    .description = "Show the hottest functions of a running program and their "
                   "calls per second.\n"
                   "The program writes its profile for each update.\n",
    .examples = "1234\n--delay=10 --count=6 1234\n",
    .options = option_specs,
    .operands = "PID",
    .is_coloured = true, // clears the screen
    .run = run,
};
