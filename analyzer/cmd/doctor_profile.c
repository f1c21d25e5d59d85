/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Checks profiles and side files for `arcline doctor`. */
#include "cmd/doctor.h"

#include "base/err.h"
#include "gmon/side_read.h"
#include "model/missing.h"
#include "model/model.h"
#include "model/runs.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
  FEW_SAMPLES = 20,
  MUCH_PERCENT = 20, // of the time, outside of the program
};

/** Sums over the records of all side files. */
struct side_sums {
  struct doctor *doctor;
  const char *subject;
  uint64_t rate_hz; // the highest
  uint64_t cpu_us;
  double inside, outside, kernel, unknown, profiler; // samples
  double most;                                       // of one object outside
  const char *most_path;
};

// --- Side files ---

static int add_clock(void *context, size_t i_side,
                     const struct side_record *record, struct err *err) {
  struct side_sums *const sums = context;

  (void)i_side, (void)err;
  if (record->clock.rate_hz > sums->rate_hz)
    sums->rate_hz = record->clock.rate_hz;
  return 0;
}

static int add_cpu(void *context, size_t i_side,
                   const struct side_record *record, struct err *err) {
  struct side_sums *const sums = context;

  (void)i_side, (void)err;
  sums->cpu_us += record->cpu.user_us + record->cpu.system_us;
  return 0;
}

static int add_lost(void *context, size_t i_side,
                    const struct side_record *record, struct err *err) {
  static const struct {
    const char *what, *found, *advice;
  } known[] = {
      {"calls", "some calls were not counted for lack of memory",
       "give the program more memory"},
      {"cells", "threads shared counters and may have lost counts",
       "raise memory= in ARCLINE_OPTIONS"},
      {"libraries",
       "libraries were compiled for an executable: threads may have lost "
       "counts",
       "compile with -fPIC"},
      {"stacks", "some call stacks were not recorded for lack of memory",
       "use a lower sampling rate (hz=)"},
      {"frames-deep", "some call stacks are too deep and were truncated",
       "use self time and propagated time instead"},
      {"frames-unknown",
       "some call stacks end in code without unwind tables or frame pointers",
       "compile that code with -fno-omit-frame-pointer"},
      {"frames-broken", "some call stacks could not be unwound completely",
       "compile code without unwind tables with -fno-omit-frame-pointer"},
  };
  struct side_sums *const sums = context;
  const char *found = record->name, *advice = "see docs/FORMAT.md, part 5";

  (void)i_side, (void)err;
  if (record->count == 0 || missing_is_kind(record->name))
    return 0;
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    if (strcmp(record->name, known[i].what) == 0) {
      found = known[i].found;
      advice = known[i].advice;
    }
  doctor_find(sums->doctor, sums->subject, found, advice);
  return 0;
}

static int add_late_threads(void *context, size_t i_side,
                            const struct side_record *record, struct err *err) {
  struct side_sums *const sums = context;

  (void)i_side, (void)err;
  if (record->count > 0)
    doctor_find(sums->doctor, sums->subject,
                "threads started without notice to the runtime, or the program "
                "uses the %gs register: counts may be missing",
                "link with arcline-cc, or compile with --arcline-no-segment");
  return 0;
}

/** Add the time outside of instrumented code, by kind of object. */
static void add_outside(struct side_sums *sums, const struct side_file *side) {
  for (size_t i = 0; i < side->n_entries; i++) {
    const struct side_entry *const entry = &side->entries[i];
    const double n = (double)entry->n_samples;
    sums->outside += n;
    if (strcmp(entry->path, "[kernel]") == 0) {
      sums->kernel += n;
    } else if (strcmp(entry->path, "[unknown]") == 0) {
      sums->unknown += n;
    } else if (strcmp(entry->path, "[profiler]") == 0) {
      sums->profiler += n;
    } else if (n > sums->most) {
      sums->most = n;
      sums->most_path = entry->path;
    }
  }
}

static void judge_outside(struct side_sums *sums) {
  const double all = sums->inside + sums->outside;
  char what[512];

  if (all < FEW_SAMPLES)
    return;
  if (100 * sums->unknown > MUCH_PERCENT * all)
    doctor_find(sums->doctor, sums->subject,
                "much of the CPU time has no samples: threads block SIGPROF, "
                "made no instrumented call yet, or were still running",
                "end the program normally, or use event=task-clock");
  if (100 * sums->profiler > MUCH_PERCENT * all)
    doctor_find(sums->doctor, sums->subject,
                "much of the CPU time was spent on writing profiles: the "
                "processes are short",
                "reports show it as <profiler>; to reduce it, instrument only "
                "the programs under test");
  if (100 * sums->kernel > MUCH_PERCENT * all) {
    snprintf(what, sizeof(what), "%.0f %% of the samples are in the kernel",
             100 * sums->kernel / all);
    doctor_find(sums->doctor, sums->subject, what,
                "`arcline report' shows the callers, strace -c counts the "
                "system calls");
  }
  if (100 * sums->most > MUCH_PERCENT * all) {
    snprintf(what, sizeof(what), "%.0f %% of the samples are in %.300s",
             100 * sums->most / all, sums->most_path);
    doctor_find(sums->doctor, sums->subject, what,
                "`arcline report' shows the functions; build it with "
                "arcline-cc to count in it");
  }
}

/** Why there are no samples, or few. */
static void judge_samples(struct side_sums *sums) {
  const double all = sums->inside + sums->outside;
  char what[128];

  if (sums->rate_hz == 0) {
    doctor_find(sums->doctor, sums->subject,
                "no samples: hz=0, syscalls=none, or the program handles "
                "SIGPROF itself",
                "do not handle SIGPROF in the program; counts are exact "
                "without samples, too");
  } else if (all < FEW_SAMPLES) {
    snprintf(what, sizeof(what),
             "%.0f samples in %.3f s of CPU time: times are rough", all,
             (double)sums->cpu_us / 1e6);
    doctor_find(sums->doctor, sums->subject, what,
                "run longer, or use ARCLINE_OPTIONS=hz=1000");
  }
}

/** Processes that are in no profile. */
static int find_processes(struct doctor *doctor, const struct model *model,
                          struct err *err) {
  char text[MISSING_BYTES];
  struct runs runs;

  if (runs_load(model, &runs, err) != 0)
    return -1;
  if (missing_describe(&runs, text))
    doctor_find(doctor, model->inputs.sides[0].path, text,
                "see \"Processes that left no profile\" in docs/SERVERS.md");
  runs_release(&runs);
  return 0;
}

static int check_sides(struct doctor *doctor, const struct inputs *inputs,
                       double inside, struct err *err) {
  struct side_sums sums = {
      .doctor = doctor, .subject = inputs->sides[0].path, .inside = inside};

  if (inputs_read_sides(inputs, SIDE_CLOCK, add_clock, &sums, err) ||
      inputs_read_sides(inputs, SIDE_CPU, add_cpu, &sums, err) ||
      inputs_read_sides(inputs, SIDE_LOST, add_lost, &sums, err) ||
      inputs_read_sides(inputs, SIDE_LATE_THREADS, add_late_threads, &sums,
                        err))
    return -1;
  for (size_t i = 0; i < inputs->n_sides; i++)
    add_outside(&sums, &inputs->sides[i]);
  judge_samples(&sums);
  judge_outside(&sums);
  return 0;
}

// --- Profiles ---

static void check_object(struct doctor *doctor,
                         const struct model_object *object) {
  const struct measure *const measure = &object->measure;
  bool has_run = false;

  for (size_t i = 0; i < measure->n_arcs && !has_run; i++)
    has_run = measure->arcs[i].count > 0;
  for (size_t i = 0; i < measure->n_blocks && !has_run; i++)
    has_run = measure->blocks[i].count > 0;
  if (!has_run)
    doctor_find(doctor, object->image.path,
                "no counts of this object in the profile",
                "did it run? A process that is killed, or calls _exit in code "
                "that was not linked with arcline-cc, writes no profile; use "
                "crash=dump or persist=mmap");
}

static int check_model(struct doctor *doctor, const struct model *model,
                       struct err *err) {
  double inside = 0;

  for (size_t i = 0; i < model->n_objects; i++) {
    if (doctor_check_image(doctor, model->objects[i].image.path, err) != 0)
      return -1;
    check_object(doctor, &model->objects[i]);
    inside += measure_n_samples(&model->objects[i].measure);
  }
  if (model->inputs.n_sides > 0)
    return find_processes(doctor, model, err) != 0
               ? -1
               : check_sides(doctor, &model->inputs, inside, err);
  doctor_find(doctor, model->inputs.objects[0].profile_paths[0],
              "no side file next to it: time in libraries and the kernel, and "
              "calls from other objects, are not known",
              "keep the .arcline file with the profile; side=off and "
              "GMON_OUT_PREFIX disable it");
  return 0;
}

int doctor_check_profiles(struct doctor *doctor,
                          const struct inputs_options *options,
                          struct err *err) {
  struct model model;

  if (model_open_profiles(options, MEASURE_BLOCKS, &model, err) != 0)
    return doctor_find_error(doctor, err);
  const int rc = check_model(doctor, &model, err);
  model_close(&model);
  return rc == 0 ? 0 : doctor_find_error(doctor, err);
}
