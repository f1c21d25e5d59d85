/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/thread_choice.h"

#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "base/options.h"
#include "base/sort_u64.h"
#include "gmon/byte_sink.h"
#include "model/model.h"
#include "write/side_text.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/** A frame of a side file's stacks. */
struct frame {
  uint64_t caller, i_entry, address;
  uint64_t n_samples; // of chosen threads, as the innermost one
};

/** State of work on a side file. */
struct work {
  const struct thread_choice *choice;
  struct side_file *side;
  bool *has_found;      // by text of the choice
  struct map64 threads; // ids of chosen ones
  struct frame *frames; // from 1
  size_t n_frames, max_frames;
  uint64_t n_samples;    // of chosen threads
  uint64_t n_stacks;     // the same, as far as their stacks are recorded
  uint64_t n_all_stacks; // of all threads
  uint64_t n_signals, n_squares;
  bool has_moments;
  struct write_byte_sink bytes; // the new file
  struct sort_pair **samples;   // by object of the program: vaddr and number
  size_t *n_samples_of, *max_samples_of;
};

int thread_choice_add(struct thread_choice *choice, const char *text,
                      struct err *err) {
  if (!*text)
    return err_set(err, ERR_USAGE, "--thread=: must be a name or an ID");
  const char **const texts = array_grow(choice->texts, choice->n_texts,
                                        &choice->max_texts, sizeof(*texts));
  if (!texts)
    return err_no_memory(err);
  choice->texts = texts;
  texts[choice->n_texts++] = text;
  return 0;
}

void thread_choice_release(struct thread_choice *choice) {
  free(choice->texts);
  *choice = (struct thread_choice){0};
}

// --- Threads ---

/** Choose a thread if a text fits its id, or its name unless that is NULL. */
static int choose(struct work *work, uint64_t tid, const char *name,
                  struct err *err) {
  for (size_t i = 0; i < work->choice->n_texts; i++) {
    const char *const text = work->choice->texts[i];
    long number;
    const bool is_id = options_parse_number(text, &number) && number >= 0 &&
                       (uint64_t)number == tid;
    if (!is_id && !(name && fnmatch(text, name, 0) == 0))
      continue;
    work->has_found[i] = true;
    if (map64_find(&work->threads, tid) == MAP64_NONE &&
        map64_insert(&work->threads, tid, 0, err))
      return -1;
  }
  return 0;
}

static bool is_chosen(const struct work *work, uint64_t tid) {
  return map64_find(&work->threads, tid) != MAP64_NONE;
}

// --- Reading ---

static int add_frame(struct work *work, const struct side_record *record,
                     struct err *err) {
  struct frame *const frames = array_grow(work->frames, work->n_frames,
                                          &work->max_frames, sizeof(*frames));
  if (!frames)
    return err_no_memory(err);
  work->frames = frames;
  frames[work->n_frames++] = (struct frame){.caller = record->frame.i_caller,
                                            .i_entry = record->frame.i_object,
                                            .address = record->frame.address};
  return 0;
}

static void add_moment(struct work *work, const struct side_record *record) {
  const uint64_t n = record->moment.n_samples;
  const uint64_t i_frame = record->moment.i_frame;
  work->has_moments = true;
  work->n_all_stacks += i_frame ? n : 0;
  if (!is_chosen(work, record->moment.tid))
    return;
  if (!i_frame) {
    work->n_samples += n;
    return;
  }
  work->frames[i_frame - 1].n_samples += n;
  work->n_stacks += n;
}

static int read_record(struct work *work, const struct side_record *record,
                       struct err *err) {
  switch (record->form->kind) {
  case SIDE_THREAD:
    return choose(work, record->thread.tid,
                  side_file_thread_name(work->side, record->thread.tid), err);
  case SIDE_THREAD_NAME:
    return choose(work, record->thread.tid, record->name, err);
  case SIDE_FRAME:
    return add_frame(work, record, err);
  case SIDE_STACK_SIGNALS:
    work->n_signals = record->count;
    return 0;
  case SIDE_STACK_SQUARES:
    work->n_squares = record->count;
    return 0;
  case SIDE_MOMENT:
    // A thread may have samples, but no time that amounts to one.
    if (choose(work, record->moment.tid,
               side_file_thread_name(work->side, record->moment.tid), err))
      return -1;
    add_moment(work, record);
    return 0;
  default:
    return 0;
  }
}

/** Samples that were taken without a stack are those of the stacks that were:
 * bring the numbers to the sum of all, each rounded so that the sum stays. */
static void scale(struct work *work) {
  const double factor =
      work->n_stacks ? (double)work->n_samples / (double)work->n_stacks : 0;
  double sum = 0;
  uint64_t n_before = 0;
  for (size_t i = 0; i < work->n_frames; i++) {
    sum += (double)work->frames[i].n_samples * factor;
    const uint64_t n_now = (uint64_t)(sum + 0.5);
    work->frames[i].n_samples = n_now - n_before;
    n_before = n_now;
  }
}

// --- Writing ---

static bool is_kind_of(const struct work *work, const struct frame *frame,
                       const char *path) {
  return strcmp(work->side->entries[frame->i_entry].path, path) == 0;
}

static void put(struct write_sink *sink, const char *word, uint64_t i_entry,
                uint64_t address, uint64_t n) {
  write_side_text(sink, word);
  write_side_number(sink, i_entry);
  write_side_address(sink, address);
  write_side_number(sink, n);
  write_side_text(sink, "\n");
}

static int add_to_histogram(struct work *work, size_t i_object, uint64_t vaddr,
                            uint64_t n, struct err *err) {
  struct sort_pair *const samples =
      array_grow(work->samples[i_object], work->n_samples_of[i_object],
                 &work->max_samples_of[i_object], sizeof(*samples));
  if (!samples)
    return err_no_memory(err);
  work->samples[i_object] = samples;
  samples[work->n_samples_of[i_object]++] = (struct sort_pair){vaddr, n};
  return 0;
}

/** Put samples at the place that a program counter was at: that of the
 * innermost frame, or of the one that called the kernel or a wait. */
static int put_samples(struct work *work, const struct model *model, size_t i,
                       struct err *err) {
  struct write_sink *const sink = &work->bytes.sink;
  const uint64_t n = work->frames[i].n_samples;
  const struct frame *frame = &work->frames[i];
  bool is_kernel = false;
  while (frame->caller && (is_kind_of(work, frame, "[kernel]") ||
                           is_kind_of(work, frame, "[waiting]"))) {
    is_kernel |= is_kind_of(work, frame, "[kernel]");
    frame = &work->frames[frame->caller - 1];
  }
  const struct side_entry *const entry = &work->side->entries[frame->i_entry];
  write_side_text(sink, "stack");
  write_side_number(sink, i + 1);
  write_side_number(sink, n);
  write_side_text(sink, "\n");
  if (is_kernel)
    put(sink, "kernel", frame->i_entry, frame->address, n);
  if (!entry->file) {
    put(sink, "time", frame->i_entry, frame->address, n);
    return 0;
  }
  const size_t i_object = model_find_object(model, work->side, entry);
  return i_object == SIZE_MAX
             ? 0
             : add_to_histogram(work, i_object, frame->address, n, err);
}

/** Is a record to be copied? */
static bool is_kept(const struct work *work, const struct side_record *record) {
  switch (record->form->kind) {
  case SIDE_CPU:
  case SIDE_TIME:
  case SIDE_KERNEL:
  case SIDE_STACK:
  case SIDE_STACK_SIGNALS:
  case SIDE_STACK_SQUARES:
  case SIDE_SAMPLED:
    return false;
  case SIDE_THREAD:
  case SIDE_THREAD_NAME:
  case SIDE_MOMENT:
    // The id is the first number of all three.
    return is_chosen(work, record->values.numbers[0]);
  default:
    return true;
  }
}

static int copy(struct work *work, struct err *err) {
  struct write_sink *const sink = &work->bytes.sink;
  const struct gmon_file *const file = &work->side->bytes;
  struct side_reader reader;
  struct side_record record;
  size_t at = 0;
  side_reader_begin(&reader, file, err);
  write_side_begin(sink);
  at = reader.position;
  while (side_reader_next(&reader, &record)) {
    if (is_kept(work, &record))
      write_sink_put(sink, file->bytes + at, reader.position - at);
    at = reader.position;
  }
  return side_reader_end(&reader);
}

/** The numbers of the chosen stacks, as if those of each thread stood for
 * equally many samples. */
static void put_stack_numbers(struct work *work) {
  struct write_sink *const sink = &work->bytes.sink;
  const double n_all = (double)work->n_all_stacks;
  const double share = (double)work->n_stacks / n_all;
  const double scaled = (double)work->n_samples / n_all;
  write_side_text(sink, "stack-signals");
  write_side_number(sink, (uint64_t)((double)work->n_signals * share + 0.5));
  write_side_text(sink, "\n");
  if (!work->n_squares)
    return;
  write_side_text(sink, "stack-squares");
  write_side_number(
      sink,
      (uint64_t)((double)work->n_squares * scaled * scaled / share + 0.5));
  write_side_text(sink, "\n");
}

static int write_side(struct work *work, const struct model *model,
                      struct err *err) {
  struct write_sink *const sink = &work->bytes.sink;
  if (byte_sink_begin(&work->bytes))
    return err_no_memory(err);
  if (copy(work, err))
    return -1;
  for (size_t i = 0; i < work->n_frames; i++)
    if (work->frames[i].n_samples && put_samples(work, model, i, err))
      return -1;
  if (work->n_stacks)
    put_stack_numbers(work);
  write_side_end(sink);
  return sink->error ? err_no_memory(err) : 0;
}

static int apply_to_side(struct work *work, const struct model *model,
                         struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int rc = 0;
  side_reader_begin(&reader, &work->side->bytes, err);
  while (rc == 0 && side_reader_next(&reader, &record))
    rc = read_record(work, &record, err);
  if (side_reader_end(&reader) || rc)
    return -1;
  scale(work);
  if (write_side(work, model, err))
    return -1;
  const struct sum_file bytes = byte_sink_file(&work->bytes);
  return side_file_refill(work->side, bytes.bytes, bytes.n_bytes, err);
}

// --- All files ---

/** Replace the histograms of an object. */
static int replace_bins(struct measure *measure, struct sort_pair *samples,
                        size_t n, struct err *err) {
  if (sort_pairs(samples, n))
    return err_no_memory(err);
  for (size_t i = 0; i < measure->n_histograms; i++)
    if (bins_set(&measure->histograms[i], samples, n, err))
      return -1;
  return 0;
}

static int check(const struct thread_choice *choice, const struct model *model,
                 const bool *has_found, bool has_moments, struct err *err) {
  if (!has_moments)
    return err_set(err, ERR_INPUT,
                   "%s: profile has no samples by thread: it is of a pool, "
                   "merged, or without call stacks; run the program with "
                   "ARCLINE_OPTIONS=out=FILE:stacks=auto",
                   model->inputs.objects[0].profile_paths[0]);
  for (size_t i = 0; i < choice->n_texts; i++)
    if (!has_found[i])
      return err_set(err, ERR_USAGE,
                     "--thread=%s: no thread has this name or ID; `arcline "
                     "report --threads' lists them",
                     choice->texts[i]);
  return 0;
}

static int apply_to_sides(const struct thread_choice *choice,
                          struct model *model, struct work *all,
                          struct err *err) {
  bool has_moments = false;
  int rc = 0;
  for (size_t i = 0; i < model->inputs.n_sides && rc == 0; i++) {
    struct work work = *all;
    work.side = &model->inputs.sides[i];
    rc = apply_to_side(&work, model, err);
    has_moments |= work.has_moments;
    map64_release(&work.threads);
    free(work.frames);
    byte_sink_release(&work.bytes);
  }
  return rc ? rc : check(choice, model, all->has_found, has_moments, err);
}

int thread_choice_apply(const struct thread_choice *choice, struct model *model,
                        struct err *err) {
  const size_t n = model->n_objects;
  if (choice->n_texts == 0)
    return 0;
  model->has_chosen_threads = true;
  struct work work = {
      .choice = choice,
      .has_found = calloc(choice->n_texts, sizeof(*work.has_found)),
      .samples = calloc(n + 1, sizeof(*work.samples)),
      .n_samples_of = calloc(n + 1, sizeof(*work.n_samples_of)),
      .max_samples_of = calloc(n + 1, sizeof(*work.max_samples_of)),
  };
  int rc =
      work.has_found && work.samples && work.n_samples_of && work.max_samples_of
          ? apply_to_sides(choice, model, &work, err)
          : err_no_memory(err);
  for (size_t i = 0; i < n && rc == 0; i++)
    rc = replace_bins(&model->objects[i].measure, work.samples[i],
                      work.n_samples_of[i], err);
  for (size_t i = 0; work.samples && i < n; i++)
    free(work.samples[i]);
  free(work.samples);
  free(work.n_samples_of);
  free(work.max_samples_of);
  free(work.has_found);
  return rc;
}
