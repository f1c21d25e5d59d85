/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Adds up cells, arcs and samples of one object over all threads, while the
   threads go on counting. */
#include <errno.h>

#include "dump/profile.h"
#include "live/persist.h"
#include "objects/link_map.h"
#include "objects/load_history.h"
#include "os/pages.h"
#include "os/scratch.h"
#include "sample/sampler.h"
#include "threads/self.h"
#include "threads/threads.h"
#include "write/gmon.h"

/* The profile in the making. */
struct collection {
  const struct rt_object *object;
  const struct rt_counters *left; /* all that counts; or NULL: the threads' */
  bool is_quiet; /* no thread counts in the object's own cells meanwhile */
  bool is_section_zero; /* these are known to be zero */
  struct rt_pages pages;
  struct rt_pages shared; /* if relatives see the memory that counts */
  struct rt_profile *out;
};

/* Calls visit on each thread's counts in the object. */
static void each_counters(const struct collection *collection,
                          void (*visit)(const struct rt_counters *counters,
                                        void *context),
                          void *context) {
  const struct rt_counters *left = collection->left;

  for (; left; left = left->next)
    visit(left, context);
  if (collection->left)
    return;
  for (const struct rt_thread *thread = rt_threads(); thread;
       thread = thread->next)
    for (const struct rt_counters *counters = rt_load(&thread->counters);
         counters; counters = counters->next)
      if (counters->object == collection->object)
        visit(counters, context);
}

/* A visitor of slots of tables. */
struct slots {
  void (*visit)(const struct solve_arc *slots, size_t n, void *context);
  void *context;
};

static void visit_tables(const struct rt_counters *counters, void *context) {
  const struct slots *slots = context;

  for (const struct rt_arcs *arcs = rt_load(&counters->arcs); arcs;
       arcs = rt_load(&arcs->next)) {
    const struct solve_arc *first = rt_arcs_slots(arcs);
    const uint64_t touched = rt_load(&arcs->touched);
    const size_t n = arcs->n_slots / RT_ARC_CHUNKS;
    for (size_t i = 0; i < RT_ARC_CHUNKS; i++)
      if (touched >> i & 1)
        slots->visit(first + i * n, n, slots->context);
    // Those that follow are probed from the last chunk.
    if (touched >> (RT_ARC_CHUNKS - 1))
      slots->visit(first + arcs->n_slots, RT_ARC_PROBES, slots->context);
  }
}

/* Calls visit on the used part of each table of arcs of the object. */
static void each_table(const struct collection *collection,
                       void (*visit)(const struct solve_arc *slots, size_t n,
                                     void *context),
                       void *context) {
  const struct rt_image *const image = &collection->object->image;
  struct slots slots = {.visit = visit, .context = context};

  each_counters(collection, visit_tables, &slots);
  if (!collection->left && image->early && rt_load(image->has_early))
    visit(image->early, RT_EARLY_ARCS, context);
}

static void count_used(const struct solve_arc *slots, size_t n, void *context) {
  size_t *n_used = context;

  for (size_t i = 0; i < n; i++)
    *n_used += __atomic_load_n(&slots[i].from, __ATOMIC_RELAXED) != 0;
}

struct arc_list {
  const struct rt_object *object;
  struct solve_arc *arcs;
  size_t n, room;
  bool is_cut; /* there were more than the room takes */
};

/* Makes link-time addresses of run-time ones. Returns false for an arc that is
   not the object's. */
static bool translate(const struct rt_object *object, struct solve_arc *arc) {
  const uint64_t bias = object->load_bias;
  const uint64_t self = arc->self - bias;
  const bool is_inside = rt_image_has_text(object, self);
  const uint64_t callee = arc->self;

  arc->self = is_inside ? self : 0;
  // Not return addresses, but records of call sites.
  if (arc->from >= (uintptr_t)object->image.sites &&
      arc->from < (uintptr_t)object->image.sites_end) {
    arc->from -= bias;
    if (!is_inside)
      arc->self = rt_load_history_find(callee, true);
    return true;
  }
  if (!is_inside)
    return false;
  const uint64_t call = arc->from - 1;
  arc->from = rt_image_has_text(object, call - bias)
                  ? call - bias
                  : rt_load_history_find(call, false);
  return true;
}

/* Returns false for a free slot, and for an arc that is not the object's. */
static bool read_slot(const struct rt_object *object,
                      const struct solve_arc *slot, struct solve_arc *out) {
  out->self = rt_load(&slot->self);
  if (!out->self)
    return false;
  out->from = slot->from; // was there before self
  out->count = __atomic_load_n(&slot->count, __ATOMIC_RELAXED);
  return translate(object, out);
}

static void add_used(const struct solve_arc *slots, size_t n, void *context) {
  struct arc_list *list = context;
  struct solve_arc arc;

  for (size_t i = 0; i < n; i++) {
    if (!read_slot(list->object, &slots[i], &arc))
      continue;
    if (list->n == list->room) {
      list->is_cut = true;
      return;
    }
    list->arcs[list->n++] = arc;
  }
}

static void sum_used(const struct solve_arc *slots, size_t n, void *context) {
  struct rt_profile *out = ((struct collection *)context)->out;
  struct solve_arc arc;

  for (size_t i = 0; i < n; i++)
    if (read_slot(((struct collection *)context)->object, &slots[i], &arc))
      out->sum += arc.count;
}

/* Copies all arcs to out->arcs, with room for slack more than there were when
   it began. Returns 0, also if that was too little (*is_cut), or -ENOMEM. */
static int copy_arcs(const struct collection *collection, size_t slack,
                     bool *is_cut) {
  const struct rt_object *object = collection->object;
  struct rt_profile *out = collection->out;
  struct arc_list list = {.object = object};

  list.room = object->baseline.n_arcs + slack;
  each_table(collection, count_used, &list.room);
  out->n_arcs_room = list.room;
  out->arcs = rt_alloc(list.room * sizeof(*out->arcs));
  if (!out->arcs)
    return -ENOMEM;
  list.arcs = out->arcs;
  for (size_t i = 0; i < object->baseline.n_arcs; i++)
    list.arcs[list.n++] = object->baseline.arcs[i];
  each_table(collection, add_used, &list);
  out->n_arcs = list.n;
  *is_cut = list.is_cut;
  return 0;
}

static int collect_arcs(const struct collection *collection) {
  struct rt_profile *out = collection->out;
  bool is_cut = true;

  // Threads go on calling. No arc may be left out for those that come up
  // meanwhile: what arcline_reset() subtracts from it would be left over.
  for (size_t slack = collection->is_quiet ? 2 : 64; is_cut; slack *= 4) {
    rt_free(out->arcs, out->n_arcs_room * sizeof(*out->arcs));
    out->arcs = NULL;
    if (copy_arcs(collection, slack, &is_cut))
      return -ENOMEM;
  }
  struct solve_arc *scratch = rt_alloc(out->n_arcs_room * sizeof(*scratch));
  if (!scratch)
    return -ENOMEM;
  out->n_arcs = solve_arcs_merge(out->arcs, out->n_arcs, scratch);
  rt_free(scratch, out->n_arcs_room * sizeof(*scratch));
  for (size_t i = 0; i < out->n_arcs; i++)
    out->sum += out->arcs[i].count;
  return 0;
}

/* A thread's cells, or the like, that are passed to visit. */
struct cells {
  const struct collection *collection;
  const uint64_t *first;
  void (*visit)(size_t offset, size_t n_bytes, void *context);
};

static inline uint64_t load(const uint64_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

/* Adds n cells. Returns whether one of them is not 0. */
static bool add_part(const uint64_t *from, uint64_t *to, size_t n,
                     uint64_t *total) {
  uint64_t sum = 0;
  bool is_any = false;

  for (; n >= 4; n -= 4, from += 4, to += 4) {
    const uint64_t a = load(from), b = load(from + 1);
    const uint64_t c = load(from + 2), d = load(from + 3);
    // Most are zero; their totals need not be read.
    if (!(a | b | c | d))
      continue;
    is_any = true;
    to[0] += a;
    to[1] += b;
    to[2] += c;
    to[3] += d;
    sum += a + b + c + d;
  }
  for (; n; n--, from++, to++) {
    const uint64_t more = load(from);
    if (!more)
      continue;
    is_any = true;
    *to += more;
    sum += more;
  }
  *total += sum;
  return is_any;
}

static uint64_t sum_of(const uint64_t *cells, size_t n) {
  uint64_t sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += load(&cells[i]);
  return sum;
}

/* Calls visit for each part of the cells; it returns whether one is not 0. */
ARCLINE_HOT void each_part(const struct cells *cells, size_t offset,
                           size_t n_bytes,
                           bool (*visit)(const uint64_t *from, uint64_t *to,
                                         size_t n, uint64_t *total)) {
  struct rt_profile *out = cells->collection->out;
  const size_t end = (offset + n_bytes) / sizeof(uint64_t);

  for (size_t i = offset / sizeof(uint64_t), next; i < end; i = next) {
    const size_t part = i / SOLVE_PART_CELLS;
    next = (part + 1) * SOLVE_PART_CELLS;
    next = next < end ? next : end;
    if (visit(&cells->first[i], &out->memory[i], next - i, &out->sum))
      out->touched[part / 64] |= (uint64_t)1 << part % 64;
  }
}

static void add_cells(size_t offset, size_t n_bytes, void *context) {
  const struct cells *cells = context;
  uint64_t *const to = cells->collection->out->memory;

  if (n_bytes >= RT_HUGE_BYTES)
    rt_fill(to + offset / sizeof(*to), n_bytes);
  each_part(cells, offset, n_bytes, add_part);
}

static bool note_part(const uint64_t *from, uint64_t *to, size_t n,
                      uint64_t *total) {
  const uint64_t sum = sum_of(from, n);

  (void)to;
  *total += sum;
  return sum != 0; // cells that are no differences do not add up to 0
}

static void note_cells(size_t offset, size_t n_bytes, void *context) {
  each_part(context, offset, n_bytes, note_part);
}

static void sum_cells(size_t offset, size_t n_bytes, void *context) {
  const struct cells *cells = context;
  const uint64_t *const from = &cells->first[offset / sizeof(*from)];

  cells->collection->out->sum += sum_of(from, n_bytes / sizeof(*from));
}

/* Any that is not 0 is enough. */
static void find_cells(size_t offset, size_t n_bytes, void *context) {
  const struct cells *cells = context;
  struct rt_profile *out = cells->collection->out;

  if (!out->sum)
    out->sum = !rt_are_zero(&cells->first[offset / sizeof(*cells->first)],
                            n_bytes / sizeof(*cells->first));
}

static void visit_cells(const struct rt_counters *counters, void *context) {
  struct cells *cells = context;
  const size_t n_bytes = counters->object->n_cells * sizeof(uint64_t);

  cells->first = rt_load(&counters->cells);
  if (!cells->first)
    return;
  const bool is_wiped = rt_load(&counters->is_wiped);
  const struct rt_pages *const pages =
      is_wiped ? &cells->collection->pages : &cells->collection->shared;
  // Pages of a file may be out of memory and still not be zero.
  if (is_wiped || pages->is_shared)
    rt_pages_each(pages, cells->first, n_bytes, cells->visit, cells);
  else
    cells->visit(0, n_bytes, cells);
}

/* Calls visit on the used part of whatever counts in the object's cells. */
static void each_cells(const struct collection *collection,
                       void (*visit)(size_t offset, size_t n_bytes,
                                     void *context)) {
  const struct rt_object *object = collection->object;
  const size_t n_bytes = object->n_cells * sizeof(uint64_t);
  struct cells cells = {.collection = collection, .visit = visit};

  each_counters(collection, visit_cells, &cells);
  cells.first = collection->left || collection->is_section_zero
                    ? NULL
                    : object->image.cells;
  if (cells.first)
    rt_pages_each(&collection->pages, cells.first, n_bytes, visit, &cells);
  cells.first = object->baseline.cells;
  if (cells.first)
    visit(0, n_bytes, &cells);
}

static void count_bytes(const struct rt_counters *counters, void *context) {
  size_t *n_bytes = context;

  if (rt_load(&counters->cells))
    *n_bytes += counters->object->n_cells * sizeof(uint64_t);
}

struct copies {
  const struct rt_counters *last;
  size_t n;
};

static void find_copy(const struct rt_counters *counters, void *context) {
  struct copies *copies = context;

  if (!rt_load(&counters->cells))
    return;
  copies->last = counters;
  copies->n++;
}

static bool is_section_zero(const struct collection *collection) {
  const struct rt_object *object = collection->object;
  struct rt_profile found = {.sum = 0};
  const struct collection section = {.out = &found};
  struct cells cells = {.collection = &section, .first = object->image.cells};

  rt_pages_each(&collection->pages, object->image.cells,
                object->n_cells * sizeof(uint64_t), find_cells, &cells);
  return !found.sum;
}

/* The cells that need not be copied, since there are no others, and they do not
   change; or NULL. A copy costs a page for each page that was counted in. */
static uint64_t *find_total(struct collection *collection) {
  const struct rt_object *object = collection->object;
  struct copies copies = {.n = 0};

  if (!collection->is_quiet || object->baseline.cells)
    return NULL;
  each_counters(collection, find_copy, &copies);
  if (!copies.n)
    return object->image.cells;
  collection->is_section_zero = copies.n == 1 && is_section_zero(collection);
  return collection->is_section_zero ? copies.last->cells : NULL;
}

static int collect_cells(struct collection *collection) {
  const struct rt_object *object = collection->object;
  struct rt_profile *out = collection->out;
  const size_t n_parts = object->n_cells / SOLVE_PART_CELLS + 1;
  uint64_t *const total = find_total(collection);
  const size_t n_copied = total ? 0 : object->n_cells;

  if (!object->n_cells)
    return 0;
  out->memory_bytes = (n_copied + n_parts / 64 + 1) * sizeof(uint64_t);
  out->memory = rt_alloc(out->memory_bytes);
  if (!out->memory)
    return -ENOMEM;
  out->n_cells = object->n_cells;
  out->touched = out->memory + n_copied;
  out->cells = total ? total : out->memory;
  out->cells_vaddr =
      (uint64_t)(uintptr_t)object->image.cells - object->load_bias;
  each_cells(collection, total ? note_cells : add_cells);
  return 0;
}

static uint64_t n_samples(const struct rt_text *text, unsigned bin_bytes) {
  const size_t n_bins = rt_text_n_bins(text, bin_bytes);
  uint64_t sum = 0;

  if (!text->bins || !rt_load(&text->is_sampled))
    return 0;
  for (size_t i = 0; (i = write_next_bin(text->touched, i, n_bins)) < n_bins;
       i++)
    sum += __atomic_load_n(&text->bins[i], __ATOMIC_RELAXED);
  return sum;
}

/* rt_pages_close(&out->pages) afterwards. */
static void open_collection(const struct rt_object *object,
                            const struct rt_counters *left,
                            struct rt_profile *profile,
                            struct collection *out) {
  size_t n_bytes = object->n_cells * sizeof(uint64_t);

  *profile = (struct rt_profile){
      .build_id = object->build_id,
      .texts = object->texts,
      .n_texts = object->n_texts,
      .bin_bytes = object->bin_bytes,
      .clock = *rt_sampler_clock(),
  };
  for (size_t i = 0; i < object->n_texts; i++)
    profile->sum += n_samples(&object->texts[i], object->bin_bytes);
  *out = (struct collection){.object = object, .left = left, .out = profile};
  each_counters(out, count_bytes, &n_bytes);
  out->pages = rt_pages_open(n_bytes);
  if (rt_persist_is_shared())
    out->shared = rt_pages_of_shared(n_bytes);
}

static int collect(struct collection *collection) {
  int rc = collect_arcs(collection);

  if (!rc)
    rc = collect_cells(collection);
  rt_pages_close(&collection->pages);
  return rc;
}

int rt_profile_collect_left(const struct rt_object *object,
                            const struct rt_counters *left,
                            struct rt_profile *out) {
  struct collection collection;

  open_collection(object, left, out, &collection);
  return collect(&collection);
}

int rt_profile_collect(const struct rt_object *object, struct rt_profile *out) {
  return rt_profile_collect_left(object, NULL, out);
}

int rt_profile_collect_last(const struct rt_object *object,
                            struct rt_profile *out) {
  struct collection collection;

  open_collection(object, NULL, out, &collection);
  collection.is_quiet = rt_tid() == rt_pid() && !rt_threads_n_sharing();
  return collect(&collection);
}

/* The calling thread's, which do not change meanwhile, since it is here. */
static const struct rt_counters *own_counters(const struct rt_object *object) {
  const struct rt_thread *mine = rt_thread_known();

  return mine ? rt_self_lookup(mine, object->number) : NULL;
}

struct tables {
  const struct rt_counters *own;
  bool has_others;
};

static void check_tables(const struct rt_counters *counters, void *context) {
  struct tables *tables = context;

  tables->has_others |= counters != tables->own && rt_load(&counters->arcs);
}

/* Are all arcs in the calling thread's tables? */
static bool has_own_arcs(const struct rt_object *object,
                         const struct rt_counters *own) {
  const struct collection collection = {.object = object};
  struct tables tables = {.own = own};

  each_counters(&collection, check_tables, &tables);
  return !tables.has_others && !rt_load(object->image.has_early);
}

bool rt_profile_is_original(const struct rt_object *object,
                            const struct rt_profile *profile) {
  const struct rt_counters *own = own_counters(object);

  if (!profile->cells || object->baseline.n_arcs)
    return false;
  return (profile->cells == object->image.cells ||
          (own && profile->cells == rt_load(&own->cells))) &&
         (!profile->n_arcs || has_own_arcs(object, own));
}

static void zero_slots(const struct solve_arc *slots, size_t n, void *context) {
  (void)context;
  rt_zero_words((uint64_t *)(uintptr_t)slots,
                n * sizeof(*slots) / sizeof(uint64_t));
}

static void zero_tables(const struct rt_counters *own) {
  struct slots slots = {.visit = zero_slots};

  visit_tables(own, &slots);
  for (struct rt_arcs *arcs = rt_load(&own->arcs); arcs;
       arcs = rt_load(&arcs->next))
    rt_store(&arcs->touched, 0);
}

void rt_profile_zero(const struct rt_object *object,
                     struct rt_profile *profile) {
  const struct rt_counters *own = own_counters(object);

  for (size_t i = 0; i < profile->n_cells; i += SOLVE_PART_CELLS) {
    const size_t part = i / SOLVE_PART_CELLS;
    const size_t n_left = profile->n_cells - i;
    if (profile->touched[part / 64] >> part % 64 & 1)
      rt_zero_words(&profile->cells[i],
                    n_left < SOLVE_PART_CELLS ? n_left : SOLVE_PART_CELLS);
  }
  if (own)
    zero_tables(own);
}

static uint64_t sum_all(const struct rt_object *object,
                        void (*visit)(size_t offset, size_t n_bytes,
                                      void *context)) {
  struct collection collection;
  struct rt_profile profile;

  open_collection(object, NULL, &profile, &collection);
  for (size_t i = 0; i < object->baseline.n_arcs; i++)
    profile.sum += object->baseline.arcs[i].count;
  each_table(&collection, sum_used, &collection);
  each_cells(&collection, visit);
  rt_pages_close(&collection.pages);
  return profile.sum;
}

uint64_t rt_profile_sum(const struct rt_object *object) {
  return sum_all(object, sum_cells);
}

bool rt_profile_is_zero(const struct rt_object *object) {
  // A baseline is below 0, so only the sum is 0.
  return sum_all(object, object->baseline.record ? sum_cells : find_cells) == 0;
}

void rt_profile_release(struct rt_profile *profile) {
  rt_free(profile->arcs, profile->n_arcs_room * sizeof(*profile->arcs));
  solve_close(profile->solver);
  rt_free(profile->memory, profile->memory_bytes);
}
