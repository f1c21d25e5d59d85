/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process that is no more, made up again from its live file: objects, and one
   thread that has counted what all threads have. Addresses of its lifetime
   become those of where its images lie now. Not part of the runtime, but linked
   with its sources into the analyzer. */
#include <errno.h>

#include "arcline/offline.h"
#include "dump/gmon.h"
#include "dump/side.h"
#include "os/os.h"
#include "os/pages.h"
#include "sample/sampler.h"
#include "sample/uninstrumented.h"
#include "settings/environment.h"
#include "solve/totals.h"
#include "threads/threads.h"

_Static_assert(sizeof(struct rt_arc) == sizeof(struct arcline_live_arc),
               "tables are copied");

/* An object as the solver sees it, and what is its own here. */
struct member {
  struct rt_object object;
  const struct arcline_offline_object *given;
  struct rt_arc early[RT_EARLY_ARCS];
  struct rt_arc *baseline_arcs;
  size_t n_baseline_room;
  uint64_t n_lost, n_met;
};

struct arcline_offline {
  struct member *members;
  size_t n;
  const struct arcline_live_head *head;
  struct rt_clock clock;
  struct rt_thread thread;
  struct rt_counters *counters;
  size_t n_counters, n_counters_room;
};

/* The solver asks for them. One process at a time. */
static struct arcline_offline *current;

struct rt_object *rt_objects(void) {
  return current->n ? &current->members[0].object : NULL;
}

struct rt_thread *rt_threads(void) { return &current->thread; }

const struct rt_clock *rt_sampler_clock(void) { return &current->clock; }

uint64_t rt_threads_n_sharing(void) { return 0; }
uint64_t rt_segment_n_libraries(void) { return 0; }

void rt_process_usage(struct rt_usage *out) {
  *out = (struct rt_usage){.pid = current->head->pid};
}

int rt_uninstrumented_collect(struct rt_uninstrumented *out) {
  *out = (struct rt_uninstrumented){0};
  return 0;
}

void rt_uninstrumented_free(struct rt_uninstrumented *outside) {
  (void)outside;
}

/* Counts come from files here: what is not in memory is not zero. */
struct rt_pages rt_pages_open(size_t n_bytes) {
  (void)n_bytes;
  return (struct rt_pages){.fd = -1};
}

void rt_pages_close(struct rt_pages *pages) { (void)pages; }

void rt_pages_each(const struct rt_pages *pages, const void *memory,
                   size_t n_bytes,
                   void (*visit)(size_t offset, size_t n_bytes, void *context),
                   void *context) {
  (void)pages;
  (void)memory;
  visit(0, n_bytes, context);
}

void rt_options_name(const struct rt_options *options, const char *suffix,
                     struct rt_str *out) {
  (void)options;
  rt_str_add(out, current->head->name);
  rt_str_add(out, suffix);
}

static bool has_section(const struct arcline_offline_object *given,
                        enum arcline_offline_section i, uint64_t vaddr) {
  return vaddr - given->sections[i].vaddr < given->sections[i].bytes;
}

static bool has_text(const struct arcline_offline_object *given,
                     uint64_t vaddr) {
  for (uint32_t i = 0; i < given->live->n_texts; i++)
    if (vaddr >= given->live->texts[i].low_vaddr &&
        vaddr < given->live->texts[i].high_vaddr)
      return true;
  return false;
}

/* Returns the place at which the code at pc lies now; back: pc is that many
   bytes behind what is meant. 1 is in no object. */
static uint64_t move_pc(const struct arcline_offline *offline, uint64_t pc,
                        uint64_t back) {
  for (int is_loaded = 1; is_loaded >= 0; is_loaded--)
    for (size_t i = 0; i < offline->n; i++) {
      const struct arcline_offline_object *given = offline->members[i].given;
      const uint64_t vaddr = pc - given->live->load_bias;
      if (!given->is_loaded == !is_loaded && has_text(given, vaddr - back))
        return vaddr + given->bias;
    }
  return 1;
}

/* An arc of a table. */
static struct rt_arc move_arc(const struct arcline_offline *offline,
                              const struct arcline_offline_object *given,
                              const struct arcline_live_arc *arc) {
  const uint64_t from = arc->from - given->live->load_bias;
  struct rt_arc moved = {.count = arc->count};

  if (!arc->self)
    return (struct rt_arc){0}; // the program was killed while it was entered
  moved.from = has_section(given, ARCLINE_OFFLINE_SITES, from)
                   ? from + given->bias
                   : move_pc(offline, arc->from, 1);
  moved.self = move_pc(offline, arc->self, 0);
  return moved;
}

static void set_image(struct member *member) {
  const struct arcline_offline_object *given = member->given;
  struct rt_image *image = &member->object.image;
  const void *starts[ARCLINE_OFFLINE_N_SECTIONS];
  const void *ends[ARCLINE_OFFLINE_N_SECTIONS];

  for (size_t i = 0; i < ARCLINE_OFFLINE_N_SECTIONS; i++) {
    const uint64_t start = given->sections[i].vaddr + given->bias;
    const uint64_t bytes = given->sections[i].bytes;
    starts[i] = bytes ? (const void *)(uintptr_t)start : NULL;
    ends[i] = bytes ? (const void *)(uintptr_t)(start + bytes) : NULL;
  }
  *image = (struct rt_image){
      .cells = (uint64_t *)starts[ARCLINE_OFFLINE_CELLS],
      .cells_end = (uint64_t *)ends[ARCLINE_OFFLINE_CELLS],
      .funcs = starts[ARCLINE_OFFLINE_FUNCS],
      .funcs_end = ends[ARCLINE_OFFLINE_FUNCS],
      .bodies = starts[ARCLINE_OFFLINE_BODIES],
      .bodies_end = ends[ARCLINE_OFFLINE_BODIES],
      .copies = starts[ARCLINE_OFFLINE_COPIES],
      .copies_end = ends[ARCLINE_OFFLINE_COPIES],
      .sites = (struct arcline_site *)starts[ARCLINE_OFFLINE_SITES],
      .sites_end = (struct arcline_site *)ends[ARCLINE_OFFLINE_SITES],
      .data = starts[ARCLINE_OFFLINE_DATA],
      .data_end = ends[ARCLINE_OFFLINE_DATA],
      .addrs = starts[ARCLINE_OFFLINE_ADDRS],
      .addrs_end = ends[ARCLINE_OFFLINE_ADDRS],
      .early = member->early,
      .n_lost = &member->n_lost,
      .n_met = &member->n_met,
  };
}

static void set_object(struct member *member) {
  const struct arcline_offline_object *given = member->given;
  const struct arcline_live_object *live = given->live;
  struct rt_object *object = &member->object;
  struct rt_str suffix = {.text = object->suffix,
                          .room = sizeof object->suffix};
  struct rt_str path = {.text = object->path, .room = sizeof object->path};

  object->state = given->is_loaded ? RT_ATTACHED : RT_DETACHED;
  object->number = live->number;
  object->position = live->position;
  object->load_bias = given->bias;
  if (!given->is_loaded)
    object->loads.biases[object->loads.n_biases++] = given->bias;
  object->bin_bytes = live->bin_bytes;
  object->n_cells = live->n_cells;
  object->n_texts = live->n_texts;
  rt_copy(object->build_id, live->build_id, sizeof object->build_id);
  object->n_build_id = sizeof object->build_id;
  while (object->n_build_id && !object->build_id[object->n_build_id - 1])
    object->n_build_id--;
  rt_str_add(&suffix, live->suffix);
  rt_str_add(&path, live->path);
  for (size_t i = 0; i < live->n_texts; i++)
    object->texts[i] = (struct rt_text){
        .low_vaddr = live->texts[i].low_vaddr,
        .high_vaddr = live->texts[i].high_vaddr,
        .bins = (uint64_t *)given->bins[i],
        .touched = (uint8_t *)given->touched[i],
    };
}

/* What was counted before there was anything to count in, and callees. */
static void set_contents(const struct arcline_offline *offline,
                         struct member *member) {
  const struct arcline_offline_object *given = member->given;
  struct rt_image *image = &member->object.image;

  if (!given->is_loaded)
    return;
  if (given->early_cells && image->cells)
    rt_copy(image->cells, given->early_cells,
            given->live->n_cells * sizeof *image->cells);
  for (size_t i = 0; i < given->early.n && i < RT_EARLY_ARCS; i++)
    member->early[i] = move_arc(offline, given, &given->early.arcs[i]);
  const size_t n_sites =
      given->sections[ARCLINE_OFFLINE_SITES].bytes / sizeof *image->sites;
  for (size_t i = 0; given->callees && i < n_sites; i++) {
    const struct arcline_live_callees *callees = &given->callees[i];
    image->sites[i].callee =
        callees->callee ? move_pc(offline, callees->callee, 0) : 0;
    image->sites[i].second =
        callees->second ? move_pc(offline, callees->second, 0) : 0;
  }
}

static bool has_number(const struct arcline_offline *offline, uint64_t number) {
  for (size_t i = 0; i < offline->n; i++)
    if (offline->members[i].object.number == number)
      return true;
  return false;
}

/* An end of an arc of a baseline; 0 if it makes no sense. None was solved, so
   no end is a name. */
static uint64_t check_end(const struct arcline_offline *offline, uint64_t end) {
  const uint64_t number = (end & ~RT_OUTSIDE) >> RT_OUTSIDE_OBJECT_SHIFT;

  if (end & RT_OUTSIDE_NAMED ||
      (end & RT_OUTSIDE && !has_number(offline, number)))
    return 0;
  return end;
}

static bool set_baseline(const struct arcline_offline *offline,
                         struct member *member) {
  const struct arcline_live_baseline *baseline = member->given->baseline;
  struct rt_object *object = &member->object;

  if (!baseline)
    return true;
  const uint64_t *cells = (const uint64_t *)(baseline + 1);
  const struct arcline_live_arc *arcs =
      (const struct arcline_live_arc *)(cells + baseline->n_cells);
  if (baseline->n_cells)
    object->baseline.cells = (uint64_t *)cells;
  member->n_baseline_room = baseline->n_arcs + 1;
  member->baseline_arcs =
      rt_map(member->n_baseline_room * sizeof *member->baseline_arcs);
  if (!member->baseline_arcs)
    return false;
  for (size_t i = 0; i < baseline->n_arcs; i++)
    member->baseline_arcs[i] =
        (struct rt_arc){.from = check_end(offline, arcs[i].from),
                        .self = check_end(offline, arcs[i].self),
                        .count = arcs[i].count};
  object->baseline.arcs = member->baseline_arcs;
  object->baseline.n_arcs = baseline->n_arcs;
  return true;
}

static struct rt_counters *add_counters(struct arcline_offline *offline,
                                        struct member *member) {
  struct rt_counters *counters = &offline->counters[offline->n_counters++];

  counters->object = &member->object;
  counters->next = offline->thread.counters;
  offline->thread.counters = counters;
  return counters;
}

static bool add_table(struct arcline_offline *offline, struct member *member,
                      const struct arcline_offline_table *table) {
  uint64_t n_slots = 1;

  while (n_slots < table->n)
    n_slots *= 2;
  struct rt_arcs *arcs = rt_arcs_create(n_slots, NULL, NULL);
  if (!arcs)
    return false;
  add_counters(offline, member)->arcs = arcs;
  for (uint64_t i = 0; i < table->n; i++)
    rt_arcs_slots(arcs)[i] = move_arc(offline, member->given, &table->arcs[i]);
  return true;
}

static bool set_counts(struct arcline_offline *offline, struct member *member) {
  const struct arcline_offline_object *given = member->given;

  for (uint64_t i = 0; i < given->n_copies; i++)
    add_counters(offline, member)->cells = (uint64_t *)given->copies[i];
  for (uint64_t i = 0; given->is_loaded && i < given->n_tables; i++)
    if (!add_table(offline, member, &given->tables[i]))
      return false;
  return set_baseline(offline, member);
}

static bool set_all(struct arcline_offline *offline) {
  offline->counters =
      rt_map(offline->n_counters_room * sizeof *offline->counters);
  if (!offline->counters)
    return false;
  for (size_t i = 0; i < offline->n; i++) {
    struct member *member = &offline->members[i];
    set_image(member);
    set_object(member);
    if (i)
      offline->members[i - 1].object.next = &member->object;
  }
  for (size_t i = 0; i < offline->n; i++) {
    set_contents(offline, &offline->members[i]);
    if (!set_counts(offline, &offline->members[i]))
      return false;
  }
  return true;
}

struct arcline_offline *
arcline_offline_open(const struct arcline_live_head *head,
                     const struct arcline_offline_object *objects, uint64_t n) {
  struct arcline_offline *offline = rt_map(sizeof *offline);

  if (!offline)
    return NULL;
  current = offline;
  offline->head = head;
  offline->clock = (struct rt_clock){.dimension = head->dimension,
                                     .abbreviation = head->abbreviation,
                                     .has_samples = head->sampling_hz != 0,
                                     .rate = head->rate_hz};
  offline->members = rt_map((n + 1) * sizeof *offline->members);
  if (!offline->members) {
    arcline_offline_close(offline);
    return NULL;
  }
  offline->n = n;
  offline->n_counters_room = 1;
  for (size_t i = 0; i < n; i++) {
    offline->members[i].given = &objects[i];
    offline->n_counters_room += objects[i].n_copies + objects[i].n_tables;
  }
  if (set_all(offline))
    return offline;
  arcline_offline_close(offline);
  return NULL;
}

/* A whole file in memory. */
struct whole {
  struct rt_sink sink; /* first, so that one pointer serves for both */
  size_t room;
};

static void flush(struct rt_sink *sink) {
  struct whole *whole = (struct whole *)sink;
  const size_t n = (size_t)(sink->at - sink->first);
  uint8_t *larger = sink->error ? NULL : rt_map(2 * whole->room);

  if (!larger) {
    sink->error = -ENOMEM;
    sink->at = sink->first;
    return;
  }
  rt_copy(larger, sink->first, n);
  rt_unmap(sink->first, whole->room);
  whole->room *= 2;
  sink->first = larger;
  sink->at = larger + n;
  sink->end = larger + whole->room;
}

static void put_zeros(struct rt_sink *sink, size_t n) {
  while (n && !sink->error) {
    const size_t part = n < RT_SINK_ROOM ? n : RT_SINK_ROOM;
    rt_zero(rt_sink_take(sink, part), part);
    n -= part;
  }
}

static void patch(struct rt_sink *sink, uint64_t offset, const void *bytes,
                  size_t n) {
  if (!sink->error)
    rt_copy(sink->first + offset, bytes, n);
}

/* Has a file written to the caller's sink. Returns 0, -1, or -2 if out of
   memory. */
static int forward(int (*write)(const void *what, struct rt_sink *sink),
                   const void *what, const struct arcline_offline_sink *to) {
  struct whole whole = {.room = 2 * RT_SINK_ROOM};
  struct rt_sink *sink = &whole.sink;
  uint8_t *first = rt_map(whole.room);

  if (!first)
    return -2;
  *sink = (struct rt_sink){.first = first,
                           .at = first,
                           .end = first + whole.room,
                           .flush = flush,
                           .put_zeros = put_zeros,
                           .patch = patch};
  write(what, sink);
  int rc = sink->error ? -2 : 0;
  if (!rc &&
      to->put(to->context, sink->first, (uint64_t)(sink->at - sink->first)))
    rc = -1;
  rt_unmap(sink->first, whole.room);
  return rc;
}

/* More than any machine counts in years. A file would be filled with the parts
   that such counts are split into. */
#define MAX_CALLS ((uint64_t)1 << 54)
#define MAX_SAMPLES ((uint64_t)1 << 40)

static bool is_plausible(const struct rt_profile *profile) {
  for (size_t i = 0; i < profile->n_arcs; i++)
    if (profile->arcs[i].count > MAX_CALLS &&
        (int64_t)profile->arcs[i].count > 0)
      return false;
  for (size_t i = 0; i < profile->n_texts; i++) {
    const struct rt_text *text = &profile->texts[i];
    const size_t n_bins = rt_text_n_bins(text, profile->bin_bytes);
    for (size_t bin = 0; text->bins && bin < n_bins; bin++)
      if (text->bins[bin] > MAX_SAMPLES)
        return false;
  }
  return true;
}

int arcline_offline_write(struct arcline_offline *offline, uint64_t i,
                          const struct arcline_offline_sink *sink) {
  struct rt_object *object = &offline->members[i].object;
  struct rt_profile profile;

  current = offline;
  int rc = rt_profile_collect(object, &profile);
  if (!rc)
    rc = rt_profile_solve(object, &profile);
  if (!rc)
    rc = rt_side_take(object, &profile);
  if (rc)
    rc = -2;
  else if (!is_plausible(&profile))
    rc = -3;
  else
    rc = forward(rt_gmon_write, &profile, sink);
  rt_profile_release(&profile);
  return rc;
}

int arcline_offline_write_side(struct arcline_offline *offline,
                               const struct arcline_offline_sink *sink) {
  struct rt_options *options = rt_map(sizeof *options);

  if (!options)
    return -2;
  current = offline;
  // Nothing is solved any more.
  for (size_t i = 0; i < offline->n; i++)
    offline->members[i].object.load_bias =
        offline->members[i].given->live->load_bias;
  struct rt_str program = {.text = options->program,
                           .room = sizeof options->program};
  rt_str_add(&program, offline->head->program);
  const int rc = forward(rt_side_write, options, sink);
  rt_unmap(options, sizeof *options);
  return rc;
}

void arcline_offline_close(struct arcline_offline *offline) {
  if (!offline)
    return;
  for (size_t i = 0; i < offline->n; i++) {
    struct member *member = &offline->members[i];
    rt_side_release(&member->object);
    rt_unmap(member->baseline_arcs,
             member->n_baseline_room * sizeof *member->baseline_arcs);
  }
  for (size_t i = 0; i < offline->n_counters; i++)
    if (offline->counters[i].arcs)
      rt_arcs_destroy(offline->counters[i].arcs);
  rt_unmap(offline->counters,
           offline->n_counters_room * sizeof *offline->counters);
  rt_unmap(offline->members, (offline->n + 1) * sizeof *offline->members);
  rt_unmap(offline, sizeof *offline);
}
