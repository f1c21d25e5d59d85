/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts samples outside of instrumented objects. The handler only counts by
   program counter; the mapping there is read from /proc when a profile is
   written. Samples in a library that was unloaded before count as
   "[unknown]". */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "counting/arcs.h"
#include "objects/load_history.h"
#include "objects/maps.h"
#include "os/count_table.h"
#include "os/os.h"
#include "os/process_state.h"
#include "os/scratch.h"
#include "sample/sampler.h"
#include "sample/thread_names.h"
#include "sample/uninstrumented.h"

enum {
  N_PCS = 1 << 18,
  N_TIDS = 1 << 16,
  MAX_FILES = 1024,
  MAX_OBJECTS = MAX_FILES + 6,
  BRACKET_BYTES = 64,
  N_NAMED = 2, /* times without code */
  NAME_BYTES = 256 * 1024,
};

/* The memory of rt_uninstrumented.objects. */
struct rt_uninstrumented_names {
  struct rt_uninstrumented_object objects[MAX_OBJECTS];
  char bytes[NAME_BYTES];
  struct rt_maps maps;
};

static struct rt_count_table pcs;
static struct rt_count_table tids; /* of threads that have ended */
static uint64_t n_taken;

static size_t room_for(size_t n) {
  return rt_is_address_space_small() ? n / 16 : n;
}

size_t rt_uninstrumented_bytes(void) {
  return rt_count_table_bytes(room_for(N_PCS)) +
         rt_count_table_bytes(room_for(N_TIDS));
}

void rt_uninstrumented_init(void) {
  rt_count_table_init(&pcs, room_for(N_PCS));
  rt_count_table_init(&tids, room_for(N_TIDS));
}

void rt_uninstrumented_release(void) {
  rt_count_table_release(&pcs);
  rt_count_table_release(&tids);
  rt_thread_names_release();
}

void rt_uninstrumented_in_child(void) {
  rt_count_table_in_child(&pcs);
  rt_count_table_in_child(&tids);
  rt_thread_names_release();
  n_taken = 0;
}

void rt_uninstrumented_reset(void) {
  rt_count_table_reset(&pcs);
  rt_count_table_reset(&tids);
  rt_store(&n_taken, 0);
}

void rt_uninstrumented_add(uint64_t pc, uint64_t n_samples) {
  // 0 marks a free slot; nothing can be mapped at either address.
  rt_count_table_add(&pcs, pc + (pc == 0), n_samples);
}

void rt_uninstrumented_add_thread(uint32_t tid, uint64_t n) {
  rt_count_table_add(&tids, tid, n);
}

/* The object's index; MAX_OBJECTS if there are too many. */
static size_t find_or_add(struct rt_uninstrumented *out, const char *path) {
  const size_t n = rt_length(path) + 1;
  struct rt_str *text = &out->text;
  // The names in brackets always have room.
  const bool is_file = path[0] == '/';
  const size_t max_objects = is_file ? MAX_FILES : MAX_OBJECTS;
  const size_t max_bytes = is_file ? NAME_BYTES - BRACKET_BYTES : NAME_BYTES;

  for (size_t i = 0; i < out->n_objects; i++)
    if (rt_length(out->objects[i].path) + 1 == n &&
        rt_equal(out->objects[i].path, path, n))
      return i;
  if (out->n_objects >= max_objects || text->length + n > max_bytes)
    return MAX_OBJECTS;
  out->objects[out->n_objects].path = text->text + text->length;
  rt_str_add(text, path);
  text->length++; // keep what ends the text
  return out->n_objects++;
}

static size_t find_object(struct rt_uninstrumented *out,
                          const struct rt_map_line *map, const char *path) {
  const size_t n_before = out->n_objects;
  size_t i = find_or_add(out, path);

  if (i == MAX_OBJECTS)
    return find_or_add(out, "[unknown]");
  struct rt_uninstrumented_object *object = &out->objects[i];
  if (out->n_objects > n_before && path[0] == '/')
    object->n_build_id =
        rt_maps_build_id(&out->names->maps, map, object->build_id);
  return i;
}

/* Time in unknown code becomes that of a name in brackets. */
static void add_named(struct rt_uninstrumented *out, const char *name,
                      uint64_t n_samples, struct solve_arc *arcs, size_t *n) {
  if (n_samples)
    arcs[(*n)++] = (struct solve_arc){.from = find_object(out, NULL, name),
                                      .count = n_samples};
}

/* Makes a place of a program counter: from becomes the object's index, self the
   offset. map: its mapping, or NULL. */
static void resolve(struct rt_uninstrumented *out,
                    const struct rt_map_line *map, struct solve_arc *pc) {
  const char *path = "[unknown]";
  uint64_t offset = 0;

  if (map) {
    path = map->path;
    if (path[0] == '/')
      offset = map->offset + (pc->from - map->start);
  }
  const size_t i = find_object(out, map, path);
  pc->from = i;
  pc->self = out->objects[i].path[0] == '/' ? offset : 0;
}

/* Both the program counters and the lines of /proc/self/maps come in order. */
static void resolve_all(struct rt_uninstrumented *out,
                        struct solve_arc *pcs_found, size_t n) {
  struct rt_maps *maps = &out->names->maps;
  struct rt_map_line map;
  size_t i = 0;

  if (!n)
    return;
  rt_maps_open(maps);
  while (i < n && rt_maps_next(maps, &map)) {
    for (; i < n && pcs_found[i].from < map.start; i++)
      resolve(out, NULL, &pcs_found[i]);
    for (; i < n && pcs_found[i].from < map.end; i++)
      resolve(out, &map, &pcs_found[i]);
  }
  for (; i < n; i++)
    resolve(out, NULL, &pcs_found[i]);
  rt_maps_close(maps);
}

/* Reads a table as arcs from the key, sorted. */
static size_t read_sorted(const struct rt_count_table *table,
                          struct solve_arc *arcs, struct solve_arc *scratch,
                          size_t room) {
  struct rt_count *counts = (struct rt_count *)scratch;
  const size_t n = rt_count_table_read(table, counts, room);

  for (size_t i = 0; i < n; i++)
    arcs[i] = (struct solve_arc){.from = counts[i].key, .count = counts[i].n};
  return solve_arcs_merge(arcs, n, scratch);
}

void rt_uninstrumented_add_samples(uint64_t n_samples) {
  __atomic_fetch_add(&n_taken, n_samples, __ATOMIC_RELAXED);
}

uint64_t rt_uninstrumented_n_samples(void) { return rt_load(&n_taken); }

/* CPU time without samples: of threads without a record, before or after they
   had one, of threads that block signals, and time before the timer's first
   tick. */
static uint64_t n_missed(uint64_t n_due, uint64_t n_own) {
  const uint64_t n = rt_load(&n_taken) + n_own;

  return n_due > n ? n_due - n : 0;
}

/* Keeps the program counters, in order, that are at system calls. */
static size_t keep_syscalls(struct rt_uninstrumented *out,
                            struct solve_arc *pcs_found, size_t n) {
  struct rt_maps *maps = &out->names->maps;
  size_t n_kept = 0;

  if (!n)
    return 0;
  rt_maps_open(maps);
  for (size_t i = 0; i < n; i++)
    if (rt_maps_is_at_syscall(maps, pcs_found[i].from))
      pcs_found[n_kept++] = pcs_found[i];
  rt_maps_close(maps);
  return n_kept;
}

/* Places become times. Returns how many. */
static size_t make_times(struct rt_uninstrumented_time *times,
                         struct solve_arc *arcs, size_t n,
                         struct solve_arc *scratch) {
  n = solve_arcs_merge(arcs, n, scratch);
  for (size_t i = 0; i < n; i++)
    times[i] = (struct rt_uninstrumented_time){.i_object = arcs[i].from,
                                               .offset = arcs[i].self,
                                               .n_samples = arcs[i].count};
  return n;
}

static void collect_times(uint64_t n_due, uint64_t n_own,
                          struct rt_uninstrumented *out, struct solve_arc *arcs,
                          struct solve_arc *scratch, size_t room) {
  const uint64_t n_rest = rt_load(&pcs.n_rest) + n_missed(n_due, n_own);
  size_t n = read_sorted(&pcs, arcs, scratch, room);
  struct solve_arc *kernel = rt_alloc(n * sizeof(*kernel));
  const size_t n_kernel_room = kernel ? n : 0;

  for (size_t i = 0; i < n_kernel_room; i++)
    kernel[i] = arcs[i];
  resolve_all(out, arcs, n);
  add_named(out, "[unknown]", n_rest, arcs, &n);
  add_named(out, "[profiler]", n_own, arcs, &n);
  out->n_times = make_times(out->times, arcs, n, scratch);
  n = keep_syscalls(out, kernel, n_kernel_room);
  resolve_all(out, kernel, n);
  out->n_kernel = make_times(out->kernel, kernel, n, scratch);
  rt_free(kernel, n_kernel_room * sizeof(*kernel));
}

static size_t n_records(void) {
  size_t n = 0;

  for (const struct rt_thread *it = rt_threads(); it; it = rt_load(&it->next))
    n++;
  return n;
}

static void add_thread(struct rt_uninstrumented *out, uint32_t tid,
                       uint64_t n) {
  if (n && out->n_threads < out->n_threads_room)
    out->threads[out->n_threads++] =
        (struct rt_thread_time){.tid = tid, .n_samples = n};
}

static int collect_threads(const struct rt_usage *usage,
                           struct rt_uninstrumented *out) {
  const bool is_short =
      usage->has_cpu && rt_trigger_is_short(rt_usage_ns(usage));
  const size_t room = rt_count_table_room(&tids);
  struct rt_count *counts = rt_alloc((room + 1) * sizeof(*counts));

  out->n_threads_room = room + 1 + n_records();
  out->threads = rt_alloc(out->n_threads_room * sizeof(*out->threads));
  if (counts && out->threads) {
    const size_t n = rt_count_table_read(&tids, counts, room);
    for (size_t i = 0; i < n; i++)
      add_thread(out, (uint32_t)counts[i].key, counts[i].n);
    add_thread(out, 0, rt_load(&tids.n_rest));
    for (struct rt_thread *it = is_short ? NULL : rt_threads(); it;
         it = rt_load(&it->next))
      add_thread(out, rt_thread_tid(it), rt_sampler_thread_n_due(it));
  }
  rt_free(counts, (room + 1) * sizeof(*counts));
  return counts && out->threads ? 0 : -ENOMEM;
}

/* Is a place found in a mapping, rather than in an instrumented object? */
static bool is_mapped(const struct rt_place *place) {
  return !place->end && place->pc != RT_FRAME_WAITING;
}

/* Each program counter once, in order; those outside of instrumented objects,
   also as arcs. Returns how many these are. */
static size_t list_places(struct rt_uninstrumented *out, struct solve_arc *arcs,
                          struct solve_arc *scratch) {
  size_t n_outside = 0;

  for (size_t i = 0; i < out->frames.n; i++)
    arcs[i] = (struct solve_arc){.from = out->frames.frames[i].pc, .count = 1};
  out->n_places = solve_arcs_merge(arcs, out->frames.n, scratch);
  for (size_t i = 0; i < out->n_places; i++) {
    const uint64_t pc = arcs[i].from;
    out->places[i] =
        (struct rt_place){.pc = pc, .end = rt_load_history_find(pc, false)};
    if (is_mapped(&out->places[i]))
      arcs[n_outside++] = (struct solve_arc){.from = pc};
  }
  return n_outside;
}

/* Marks the places with samples in the kernel. */
static void find_syscalls(struct rt_uninstrumented *out) {
  struct rt_maps *maps = &out->names->maps;
  bool has_any = false;

  rt_maps_open(maps);
  for (size_t i = 0; i < out->n_places; i++) {
    struct rt_place *place = &out->places[i];
    place->is_at_syscall = rt_maps_is_at_syscall(maps, place->pc);
    has_any |= place->is_at_syscall;
  }
  rt_maps_close(maps);
  if (has_any)
    out->i_kernel = find_or_add(out, "[kernel]");
}

/* The place of waits is one of the last two. */
static bool has_waits(const struct rt_uninstrumented *out) {
  size_t i = out->n_places;

  while (i && out->places[i - 1].pc > RT_FRAME_WAITING)
    i--;
  return i && out->places[i - 1].pc == RT_FRAME_WAITING;
}

static int collect_frames(struct rt_uninstrumented *out) {
  rt_call_stacks_collect(&out->frames);
  const size_t n = out->frames.n;

  if (!n)
    return 0;
  struct solve_arc *arcs = rt_alloc(n * sizeof(*arcs));
  struct solve_arc *scratch = rt_alloc(n * sizeof(*scratch));
  out->places = rt_alloc(n * sizeof(*out->places));
  const int rc = arcs && scratch && out->places ? 0 : -ENOMEM;
  if (!rc) {
    resolve_all(out, arcs, list_places(out, arcs, scratch));
    find_syscalls(out);
    if (has_waits(out))
      out->i_waiting = find_or_add(out, "[waiting]");
    for (size_t i = 0, i_arc = 0; i < out->n_places; i++)
      if (is_mapped(&out->places[i])) {
        out->places[i].i_object = arcs[i_arc].from;
        out->places[i].offset = arcs[i_arc++].self;
      }
  }
  rt_free(arcs, n * sizeof(*arcs));
  rt_free(scratch, n * sizeof(*scratch));
  return rc;
}

const struct rt_place *
rt_uninstrumented_place(const struct rt_uninstrumented *outside, uint64_t pc) {
  size_t low = 0, high = outside->n_places;

  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (outside->places[middle].pc < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return &outside->places[low];
}

int rt_uninstrumented_collect(const struct rt_usage *usage, uint64_t n_due,
                              uint64_t n_own, struct rt_uninstrumented *out) {
  const size_t room = rt_count_table_room(&pcs) + N_NAMED;
  struct solve_arc *arcs = rt_alloc(room * sizeof(*arcs));
  struct solve_arc *scratch = rt_alloc(room * sizeof(*scratch));
  int rc = -ENOMEM;

  rt_zero(out, sizeof(*out));
  out->n_times_room = room;
  out->times = rt_alloc(room * sizeof(*out->times));
  out->kernel = rt_alloc(room * sizeof(*out->kernel));
  out->names = rt_alloc(sizeof(*out->names));
  if (arcs && scratch && out->times && out->kernel && out->names) {
    out->objects = out->names->objects;
    out->text = (struct rt_str){.text = out->names->bytes, .room = NAME_BYTES};
    // First, since its clocks go on: threads have no more samples than are due.
    rc = collect_threads(usage, out);
    collect_times(n_due, n_own, out, arcs, scratch, room - N_NAMED);
    rc = rc ? rc : collect_frames(out);
  }
  rt_free(arcs, room * sizeof(*arcs));
  rt_free(scratch, room * sizeof(*scratch));
  return rc;
}

void rt_uninstrumented_free(struct rt_uninstrumented *outside) {
  rt_free(outside->names, sizeof(*outside->names));
  rt_free(outside->times, outside->n_times_room * sizeof(*outside->times));
  rt_free(outside->kernel, outside->n_times_room * sizeof(*outside->kernel));
  rt_free(outside->threads,
          outside->n_threads_room * sizeof(*outside->threads));
  rt_free(outside->places, outside->frames.n * sizeof(*outside->places));
  rt_frames_free(&outside->frames);
}
