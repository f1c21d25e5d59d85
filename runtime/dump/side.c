/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes data that has no place in gmon files as text: the objects and their
   addresses, and arcs from one object to another. docs/FORMAT.md, "Side
   file". */
#define _GNU_SOURCE
#include <errno.h>

#include "arcline/name_hash.h"
#include "counting/segment.h"
#include "dump/side.h"
#include "dump/side_kernel.h"
#include "dump/side_stacks.h"
#include "dump/targets.h"
#include "live/children.h"
#include "live/family.h"
#include "objects/link_map.h"
#include "os/os.h"
#include "os/scratch.h"
#include "sample/sampler.h"
#include "sample/thread_names.h"
#include "sample/uninstrumented.h"
#include "threads/threads.h"
#include "write/side_text.h"

/* The string in the object's constant data that a named end of an arc is. */
static const char *outside_name(const struct rt_object *object, uint64_t end) {
  return (const char *)object->image.data + solve_outside_name(end);
}

void rt_side_release(struct rt_object *object) {
  struct rt_crossing *const crossing = &object->crossing;
  void *const memory = crossing->arcs;
  const size_t n_bytes = crossing->n_bytes;

  if (!memory) // a child writes to no page without need
    return;
  crossing->n = crossing->n_bytes = 0;
  rt_store(&crossing->arcs, NULL); // first: see rt_scratch_close()
  crossing->names = NULL;
  if (memory != crossing->room)
    rt_unmap(memory, n_bytes);
}

static int make_room(struct rt_object *object, size_t n, size_t names_bytes) {
  struct rt_crossing *const crossing = &object->crossing;
  const size_t arcs_bytes = n * sizeof(*crossing->arcs);
  const size_t n_bytes = arcs_bytes + names_bytes;

  rt_side_release(object);
  if (!n)
    return 0;
  void *const memory =
      n_bytes <= sizeof(crossing->room) ? crossing->room : rt_map(n_bytes);
  if (!memory)
    return -ENOMEM;
  crossing->arcs = memory;
  crossing->n = n;
  crossing->names = (char *)memory + arcs_bytes;
  crossing->n_bytes = n_bytes;
  return 0;
}

/* Copies the names of callees, since they are unmapped with the object. */
static void keep_names(struct rt_object *object) {
  size_t at = 0;

  for (size_t i = 0; i < object->crossing.n; i++) {
    struct solve_arc *arc = &object->crossing.arcs[i];
    if (!(arc->self & SOLVE_OUTSIDE_NAMED))
      continue;
    const char *name = outside_name(object, arc->self);
    const size_t bytes = rt_length(name) + 1;
    rt_copy(object->crossing.names + at, name, bytes);
    arc->self = SOLVE_OUTSIDE | SOLVE_OUTSIDE_NAMED | at;
    at += bytes;
  }
}

int rt_side_keep_crossing(struct rt_object *object,
                          struct rt_profile *profile) {
  const size_t scratch_bytes = profile->n_arcs * sizeof(struct solve_arc);
  size_t names_bytes = 0;
  size_t n = 0;

  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct solve_arc *arc = &profile->arcs[i];
    n += solve_arc_crosses(arc);
    if (arc->self & SOLVE_OUTSIDE_NAMED)
      names_bytes += rt_length(outside_name(object, arc->self)) + 1;
  }
  struct solve_arc *scratch = n ? rt_alloc(scratch_bytes) : NULL;
  if ((n && !scratch) || make_room(object, n, names_bytes)) {
    rt_free(scratch, scratch_bytes);
    return -ENOMEM;
  }
  if (!n)
    return 0;
  solve_arcs_split(profile->arcs, &profile->n_arcs, object->crossing.arcs,
                   scratch);
  rt_free(scratch, scratch_bytes);
  keep_names(object);
  return 0;
}

/* Figures that only grow. A process that adds to a file several times adds the
   growth since the last time. */
struct figures {
  bool is_any; /* something was written */
  uint64_t user_us, system_us, n_calls, n_sharing, n_libraries, n_late_threads;
  struct rt_missing missing;
};

static struct figures last_written, current;

static uint64_t since(uint64_t now, uint64_t before) {
  return now > before ? now - before : 0;
}

static uint64_t n_left; /* processes that have ended */

void rt_side_add_process(void) { n_left++; }

void rt_side_commit(void) {
  last_written = current;
  last_written.is_any = true;
  n_left = 0;
  rt_family_count();
}

static void find_losses(void) {
  current.n_calls = current.n_late_threads = 0;
  for (struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED) {
      current.n_calls += __atomic_load_n(it->image.n_lost, __ATOMIC_RELAXED);
      current.n_late_threads +=
          __atomic_load_n(it->image.n_late_threads, __ATOMIC_RELAXED);
    }
  current.n_sharing = rt_threads_n_sharing();
  current.n_libraries = rt_segment_n_libraries();
  current.missing = rt_children_missing();
}

void rt_side_reset(void) {
  struct rt_usage usage;

  rt_sampler_reset();
  rt_process_usage(&usage);
  find_losses();
  last_written.n_calls = current.n_calls;
  if (!usage.has_cpu)
    return;
  last_written.user_us = usage.user_us;
  last_written.system_us = usage.system_us;
}

void rt_side_in_child(void) {
  last_written = (struct figures){0};
  n_left = 0;
}

static void put_process(struct write_sink *sink,
                        const struct rt_settings *settings,
                        const struct rt_usage *usage) {
  const struct rt_clock *clock = rt_sampler_clock();

  write_side_process(sink, usage->pid, settings->program);
  if (last_written.is_any || n_left) {
    write_side_text(sink, "processes");
    write_side_number(sink, n_left + !last_written.is_any); // once
    write_side_text(sink, "\n");
  }
  write_side_clock(sink, clock->dimension,
                   clock->has_samples ? clock->rate : 0);
  if (usage->has_cpu) {
    write_side_text(sink, "cpu");
    current.user_us = usage->user_us;
    current.system_us = usage->system_us;
    write_side_number(sink, since(usage->user_us, last_written.user_us));
    write_side_number(sink, since(usage->system_us, last_written.system_us));
    write_side_text(sink, "\n");
  }
}

/* Base name of the object's gmon file. out: RT_MAX_PATH bytes. */
static const char *file_of(const struct rt_settings *settings,
                           const struct rt_object *object, char *out) {
  char text[RT_MAX_SUFFIX];
  struct rt_str module = {.text = text, .room = sizeof(text)};
  struct rt_str name = {.text = out, .room = RT_MAX_PATH};

  rt_object_module(object, &module);
  out[0] = '\0';
  rt_settings_name(settings,
                   &(const struct rt_name){.suffix = object->suffix,
                                           .module = module.text,
                                           .kind = "",
                                           .is_numbered = true},
                   &name);
  return out + rt_folder_length(out);
}

enum { TEXTS_BYTES = 2 * RT_MAX_PATH };

/* texts: TEXTS_BYTES. */
static void put_object(struct write_sink *sink,
                       const struct rt_settings *settings,
                       const struct rt_object *object, size_t index,
                       char *texts) {
  rt_object_path(object, texts);
  const struct write_object line = {
      .index = index,
      .build_id = object->build_id,
      .n_build_id = object->n_build_id,
      .load_bias = object->load_bias,
      .file = file_of(settings, object, texts + rt_length(texts) + 1),
      .path = texts,
  };

  write_side_object(sink, &line);
  for (size_t i = 0; i < object->n_texts; i++)
    write_side_range(sink, index, object->texts[i].low_vaddr,
                     object->texts[i].high_vaddr);
}

/* The objects, in the order of their lines. */
struct listing {
  const struct rt_object **objects;
  size_t *index; /* by number, of those that are listed */
  size_t n, n_numbers, bytes;
};

/* first: comes before all others, or NULL. */
static bool is_before(const struct rt_object *a, const struct rt_object *b,
                      const struct rt_object *first) {
  if ((a == first) != (b == first))
    return a == first;
  return a->position != b->position ? a->position < b->position
                                    : a->number < b->number;
}

static int list_objects(const struct rt_object *main, struct listing *out) {
  const struct rt_object *first = rt_objects();

  *out = (struct listing){.n = 0};
  for (const struct rt_object *it = first; it; it = it->next) {
    out->n++;
    if (it->number >= out->n_numbers)
      out->n_numbers = it->number + 1;
  }
  const size_t objects_bytes = out->n * sizeof(*out->objects);
  out->bytes = objects_bytes + out->n_numbers * sizeof(*out->index);
  if (!out->bytes)
    return 0;
  void *memory = rt_alloc(out->bytes);
  if (!memory)
    return -ENOMEM;
  out->objects = memory;
  out->index = (size_t *)((uintptr_t)memory + objects_bytes);
  size_t n = 0;
  for (const struct rt_object *it = first; it; it = it->next) {
    size_t at = n++;
    for (; at && is_before(it, out->objects[at - 1], main); at--)
      out->objects[at] = out->objects[at - 1];
    out->objects[at] = it;
  }
  for (size_t i = 0; i < n; i++)
    out->index[out->objects[i]->number] = i;
  return 0;
}

static void put_calls(struct write_sink *sink, const struct listing *listing) {
  for (size_t i = 0; i < listing->n; i++) {
    const struct rt_crossing *crossing = &listing->objects[i]->crossing;
    for (size_t j = 0; j < crossing->n; j++) {
      const struct solve_arc *arc = &crossing->arcs[j];
      write_side_call(sink, i, arc, listing->index, listing->n_numbers,
                      crossing->names + solve_outside_name(arc->self));
    }
  }
}

/* Names of threads are of interest if there are several. */
static void put_threads(struct write_sink *sink,
                        const struct rt_uninstrumented *outside) {
  for (size_t i = 0; i < outside->n_threads; i++) {
    const uint32_t tid = outside->threads[i].tid;
    char name[RT_THREAD_NAME_BYTES];
    write_side_text(sink, "thread");
    write_side_number(sink, tid);
    write_side_number(sink, outside->threads[i].n_samples);
    write_side_text(sink, "\n");
    if (outside->n_threads < 2 || !tid || !rt_thread_names_find(tid, name))
      continue;
    write_side_text(sink, "thread-name");
    write_side_number(sink, tid);
    write_side_word(sink, name);
    write_side_text(sink, "\n");
  }
}

/* first: index of the first object that is not instrumented. */
static void put_outside(struct write_sink *sink,
                        const struct rt_uninstrumented *outside, size_t first) {
  for (size_t i = 0; i < outside->n_objects; i++) {
    const struct rt_uninstrumented_object *object = &outside->objects[i];
    const struct write_object line = {
        .index = first + i,
        .build_id = object->build_id,
        .n_build_id = object->n_build_id,
        .file = "-",
        .path = object->path,
    };
    write_side_object(sink, &line);
  }
  for (size_t i = 0; i < outside->n_times; i++) {
    write_side_text(sink, "time");
    write_side_number(sink, first + outside->times[i].i_object);
    write_side_address(sink, outside->times[i].offset);
    write_side_number(sink, outside->times[i].n_samples);
    write_side_text(sink, "\n");
  }
  put_threads(sink, outside);
}

/* first: as in put_outside(). */
static void put_targets(struct write_sink *sink,
                        const struct rt_targets *targets, size_t first) {
  for (size_t i = 0; i < targets->n; i++) {
    const struct rt_target *target = &targets->targets[i];
    write_side_text(sink, target->name ? "target" : "resolved");
    write_side_number(sink, target->i_caller);
    if (target->name) {
      write_side_word(sink, target->name);
      write_side_number(sink, first + target->i_object);
    } else {
      write_side_address(sink, target->at);
    }
    write_side_address(sink, target->offset);
    write_side_text(sink, "\n");
  }
}

static void put_lost(struct write_sink *sink, const char *what, uint64_t n) {
  if (!n)
    return;
  write_side_text(sink, "lost ");
  write_side_text(sink, what);
  write_side_number(sink, n);
  write_side_text(sink, "\n");
}

static const struct {
  const char *what;
  size_t offset;
} missing_kinds[] = {
    {"processes-killed", offsetof(struct rt_missing, killed)},
    {"processes-gone", offsetof(struct rt_missing, gone)},
    {"processes-denied", offsetof(struct rt_missing, denied)},
    {"processes-failed", offsetof(struct rt_missing, failed)},
    {"processes-replaced", offsetof(struct rt_missing, shared)},
    {"processes-running", offsetof(struct rt_missing, running)},
    {"processes-arrived", offsetof(struct rt_missing, arrived)},
};

/* Processes of a kind that are not in the file yet. */
static uint64_t n_more(const struct rt_missing *now, size_t i_kind) {
  const size_t offset = missing_kinds[i_kind].offset;
  uint64_t after, before;

  __builtin_memcpy(&after, (const char *)now + offset, sizeof(after));
  __builtin_memcpy(&before, (const char *)&last_written.missing + offset,
                   sizeof(before));
  return since(after, before);
}

enum { N_MISSING_KINDS = sizeof(missing_kinds) / sizeof(*missing_kinds) };

bool rt_side_has_news(void) {
  const struct rt_missing now = rt_children_missing();
  bool has_any = false;

  for (size_t i = 0; i < N_MISSING_KINDS; i++)
    has_any |= n_more(&now, i) != 0;
  return last_written.is_any && has_any;
}

static void put_losses(struct write_sink *sink,
                       const struct rt_stack_losses *stacks) {
  find_losses();
  put_lost(sink, "calls", since(current.n_calls, last_written.n_calls));
  put_lost(sink, "cells", since(current.n_sharing, last_written.n_sharing));
  put_lost(sink, "libraries",
           since(current.n_libraries, last_written.n_libraries));
  put_lost(sink, "stacks", stacks->n_stacks);
  put_lost(sink, "frames-deep", stacks->n_deep);
  put_lost(sink, "frames-unknown", stacks->n_unknown);
  put_lost(sink, "frames-broken", stacks->n_broken);
  for (size_t i = 0; i < N_MISSING_KINDS; i++)
    put_lost(sink, missing_kinds[i].what, n_more(&current.missing, i));
  const uint64_t n_late_threads =
      since(current.n_late_threads, last_written.n_late_threads);
  if (n_late_threads) {
    write_side_text(sink, "late-threads");
    write_side_number(sink, n_late_threads);
    write_side_text(sink, "\n");
  }
}

static void put_all(struct write_sink *sink, const struct rt_settings *settings,
                    const struct rt_usage *usage, const struct listing *listing,
                    const struct rt_uninstrumented *outside,
                    const struct rt_targets *targets) {
  // The piece that is used least comes last, so that all are on one page.
  char *texts = rt_alloc_text(TEXTS_BYTES);

  if (!texts) {
    sink->error = -ENOMEM;
    return;
  }
  write_side_begin(sink);
  put_process(sink, settings, usage);
  for (size_t i = 0; i < listing->n; i++)
    put_object(sink, settings, listing->objects[i], i, texts);
  put_outside(sink, outside, listing->n);
  rt_side_put_kernel(sink, outside, listing->objects, listing->n);
  rt_side_put_stacks(sink, outside, listing->n, listing->index,
                     listing->n_numbers);
  put_calls(sink, listing);
  put_targets(sink, targets, listing->n);
  put_losses(sink, &outside->frames.losses);
  write_side_end(sink);
  rt_free(texts, TEXTS_BYTES);
}

// --- Figures in place of the file ---

/* But for those of call stacks. */
static bool has_losses(void) {
  bool has_any;

  find_losses();
  has_any = since(current.n_calls, last_written.n_calls) ||
            since(current.n_sharing, last_written.n_sharing) ||
            since(current.n_libraries, last_written.n_libraries) ||
            since(current.n_late_threads, last_written.n_late_threads);
  for (size_t i = 0; i < N_MISSING_KINDS; i++)
    has_any |= n_more(&current.missing, i) != 0;
  return has_any;
}

/* A hash of the object's lines, which all processes of one image have. */
static uint64_t hash_object(const struct rt_object *object) {
  uint64_t hash = 0;

  for (size_t i = 0; i < object->n_build_id; i++)
    hash = arcline_pool_mix(hash, object->build_id[i]);
  hash = arcline_pool_mix(hash, arcline_name_hash(object->suffix));
  hash = arcline_pool_mix(hash, arcline_name_hash(object->path));
  return rt_load(&object->state) == RT_ATTACHED
             ? arcline_pool_mix(hash, rt_targets_hash_resolved(object))
             : hash;
}

/* A hash of the lines that are the same in processes of one kind. */
static uint64_t find_note(const struct rt_settings *settings) {
  const struct rt_clock *clock = rt_sampler_clock();
  uint64_t note = 0;

  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    note += hash_object(it);
  note = arcline_pool_mix(note, arcline_name_hash(settings->program));
  note = arcline_pool_mix(note, arcline_name_hash(clock->dimension));
  note = arcline_pool_mix(note, clock->has_samples ? clock->rate : 0);
  return note + !note;
}

bool rt_side_find_figures(const struct rt_settings *settings, uint64_t n_ended,
                          struct rt_pool_figures *out) {
  struct rt_usage usage;

  *out = (struct rt_pool_figures){.note = 0};
  if (rt_uninstrumented_n_samples() || has_losses())
    return false;
  out->note = find_note(settings);
  rt_process_usage(&usage);
  const uint64_t n_due = rt_sampler_n_due(&usage);
  const uint64_t n_own = rt_sampler_n_own();
  current.user_us = usage.has_cpu ? usage.user_us : last_written.user_us;
  current.system_us = usage.has_cpu ? usage.system_us : last_written.system_us;
  out->n[ARCLINE_POOL_PROCESSES] = n_left + n_ended + !last_written.is_any;
  out->n[ARCLINE_POOL_USER_US] = since(current.user_us, last_written.user_us);
  out->n[ARCLINE_POOL_SYSTEM_US] =
      since(current.system_us, last_written.system_us);
  out->n[ARCLINE_POOL_UNKNOWN] = since(n_due, n_own);
  out->n[ARCLINE_POOL_PROFILER] = n_own;
  return true;
}

int rt_side_write(const void *side, struct write_sink *sink) {
  const struct rt_side *const it = side;
  const bool is_pool = it->settings->is_pool;
  struct rt_uninstrumented outside = {0};
  struct rt_targets targets = {0};
  struct listing listing = {0};
  struct rt_usage usage;

  rt_process_usage(&usage);
  if (list_objects(is_pool ? it->main : NULL, &listing) ||
      rt_uninstrumented_collect(&usage, rt_sampler_n_due(&usage),
                                rt_sampler_n_own(), &outside) ||
      rt_targets_collect(listing.objects, listing.n, &outside, is_pool,
                         &targets))
    sink->error = -ENOMEM;
  else
    put_all(sink, it->settings, &usage, &listing, &outside, &targets);
  rt_targets_free(&targets);
  rt_uninstrumented_free(&outside);
  rt_free((void *)listing.objects, listing.bytes);
  return sink->error;
}
