/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What gmon files cannot hold, as text: which objects there were and where,
   and arcs from one object to another. docs/FORMAT.md, "Side file". */
#define _GNU_SOURCE
#include <errno.h>

#include "counting/segment.h"
#include "dump/side.h"
#include "os/os.h"
#include "os/scratch.h"
#include "sample/sampler.h"
#include "sample/uninstrumented.h"
#include "threads/threads.h"

/* The string in the object's constant data that a named end of an arc is. */
static const char *outside_name(const struct rt_object *object, uint64_t end) {
  return (const char *)object->image.data +
         (end & ~(RT_OUTSIDE | RT_OUTSIDE_NAMED));
}

static bool is_crossing(const struct rt_arc *arc) {
  return ((arc->from | arc->self) & RT_OUTSIDE) != 0;
}

void rt_side_release(struct rt_object *object) {
  rt_unmap(object->crossing.arcs,
           object->crossing.n * sizeof *object->crossing.arcs);
  rt_unmap(object->crossing.names, object->crossing.names_bytes);
  object->crossing.arcs = NULL;
  object->crossing.names = NULL;
  object->crossing.n = object->crossing.names_bytes = 0;
}

static int map_crossing(struct rt_object *object, size_t n,
                        size_t names_bytes) {
  rt_side_release(object);
  object->crossing.arcs = n ? rt_map(n * sizeof *object->crossing.arcs) : NULL;
  object->crossing.names = names_bytes ? rt_map(names_bytes) : NULL;
  object->crossing.n = n;
  object->crossing.names_bytes = names_bytes;
  if ((!n || object->crossing.arcs) && (!names_bytes || object->crossing.names))
    return 0;
  rt_side_release(object);
  return -ENOMEM;
}

/* Copies the name of the arc's callee to the kept ones, at offset at. Returns
   the offset behind it. */
static size_t keep_name(struct rt_object *object, struct rt_arc *arc,
                        size_t at) {
  const char *name = outside_name(object, arc->self);
  const size_t bytes = rt_length(name) + 1;

  rt_copy(object->crossing.names + at, name, bytes);
  arc->self = RT_OUTSIDE | RT_OUTSIDE_NAMED | at;
  return at + bytes;
}

/* Arcs from other objects have become equal to others. */
static int merge_again(struct rt_profile *profile) {
  const size_t bytes = profile->n_arcs * sizeof *profile->arcs;
  struct rt_arc *scratch = rt_take(bytes);

  if (!scratch)
    return -ENOMEM;
  profile->n_arcs = rt_arcs_merge(profile->arcs, profile->n_arcs, scratch);
  rt_give(scratch, bytes);
  return 0;
}

int rt_side_take(struct rt_object *object, struct rt_profile *profile) {
  size_t names_bytes = 0;
  size_t n = 0;

  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct rt_arc *arc = &profile->arcs[i];
    n += is_crossing(arc);
    if (arc->self & RT_OUTSIDE_NAMED)
      names_bytes += rt_length(outside_name(object, arc->self)) + 1;
  }
  const int rc = map_crossing(object, n, names_bytes);
  if (!n)
    return 0;
  bool is_entered = false;
  size_t n_left = 0;
  n = names_bytes = 0;
  for (size_t i = 0; i < profile->n_arcs; i++) {
    struct rt_arc arc = profile->arcs[i];
    if (!is_crossing(&arc)) {
      profile->arcs[n_left++] = arc;
      continue;
    }
    if (arc.from & RT_OUTSIDE) {
      is_entered = true;
      profile->arcs[n_left++] =
          (struct rt_arc){.self = arc.self, .count = arc.count};
    }
    if (!rc && arc.self & RT_OUTSIDE_NAMED)
      names_bytes = keep_name(object, &arc, names_bytes);
    if (!rc)
      object->crossing.arcs[n++] = arc;
  }
  profile->n_arcs = n_left;
  const int merge_rc = is_entered ? merge_again(profile) : 0;
  return rc ? rc : merge_rc;
}

static void put_text(struct rt_sink *sink, const char *text) {
  rt_sink_put(sink, text, rt_length(text));
}

static void put_number(struct rt_sink *sink, uint64_t number) {
  char text[24];
  struct rt_str str = {.text = text, .room = sizeof text};

  rt_str_add(&str, " ");
  rt_str_add_number(&str, number);
  rt_sink_put(sink, text, str.length);
}

static void put_address(struct rt_sink *sink, uint64_t address) {
  char text[24] = " 0x";
  size_t n = 3;
  int shift = 60;

  while (shift && !(address >> shift))
    shift -= 4;
  for (; shift >= 0; shift -= 4)
    text[n++] = "0123456789abcdef"[address >> shift & 15];
  rt_sink_put(sink, text, n);
}

/* A path or name, as one word. */
static void put_word(struct rt_sink *sink, const char *text) {
  rt_sink_put(sink, " ", 1);
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    const char hex[] = {'%', "0123456789abcdef"[byte >> 4],
                        "0123456789abcdef"[byte & 15]};
    if (byte <= ' ' || byte == '%' || byte == 0x7f)
      rt_sink_put(sink, hex, sizeof hex);
    else
      rt_sink_put(sink, text, 1);
  }
}

/* The bytes of the id, or a dash if there are none. */
static void put_build_id(struct rt_sink *sink, const uint8_t *id, size_t n) {
  char text[2 * RT_MAX_BUILD_ID + 1];
  size_t at = 0;

  for (size_t i = 0; i < n; i++) {
    text[at++] = "0123456789abcdef"[id[i] >> 4];
    text[at++] = "0123456789abcdef"[id[i] & 15];
  }
  text[at] = '\0';
  put_word(sink, n ? text : "-");
}

static void put_process(struct rt_sink *sink,
                        const struct rt_options *options) {
  struct rt_usage usage;

  rt_process_usage(&usage);
  put_text(sink, "process");
  put_number(sink, usage.pid);
  put_word(sink, options->program);
  put_text(sink, "\nclock");
  put_word(sink, rt_sampler_clock()->dimension);
  put_number(sink,
             rt_sampler_clock()->has_samples ? rt_sampler_clock()->rate : 0);
  if (usage.has_cpu) {
    put_text(sink, "\ncpu");
    put_number(sink, usage.user_us);
    put_number(sink, usage.system_us);
  }
  put_text(sink, "\n");
}

/* Base name of the object's gmon file. */
static void put_file(struct rt_sink *sink, const struct rt_options *options,
                     const struct rt_object *object, struct rt_str *scratch) {
  scratch->length = 0;
  scratch->text[0] = '\0';
  rt_options_name(options, object->suffix, scratch);
  size_t base = scratch->length;
  while (base && scratch->text[base - 1] != '/')
    base--;
  put_word(sink, scratch->text + base);
}

static void put_object(struct rt_sink *sink, const struct rt_options *options,
                       const struct rt_object *object, size_t index,
                       struct rt_str *scratch) {
  put_text(sink, "object");
  put_number(sink, index);
  put_build_id(sink, object->build_id, object->n_build_id);
  put_address(sink, object->load_bias);
  put_file(sink, options, object, scratch);
  put_word(sink, object->path);
  put_text(sink, "\n");
  for (size_t i = 0; i < object->n_texts; i++) {
    put_text(sink, "text");
    put_number(sink, index);
    put_address(sink, object->texts[i].low_vaddr);
    put_address(sink, object->texts[i].high_vaddr);
    put_text(sink, "\n");
  }
}

/* The objects, in the order in which the dynamic linker looks for symbols. */
struct listing {
  const struct rt_object **objects;
  size_t *index; /* by number, of those that are listed */
  size_t n, n_numbers, bytes;
};

static bool is_before(const struct rt_object *a, const struct rt_object *b) {
  const bool is_attached = rt_load(&a->state) == RT_ATTACHED;

  if (is_attached != (rt_load(&b->state) == RT_ATTACHED))
    return is_attached;
  return a->position != b->position ? a->position < b->position
                                    : a->number < b->number;
}

static int list_objects(struct listing *out) {
  const struct rt_object *first = rt_objects();

  *out = (struct listing){.n = 0};
  for (const struct rt_object *it = first; it; it = it->next) {
    out->n++;
    if (it->number >= out->n_numbers)
      out->n_numbers = it->number + 1;
  }
  const size_t objects_bytes = out->n * sizeof *out->objects;
  out->bytes = objects_bytes + out->n_numbers * sizeof *out->index;
  if (!out->bytes)
    return 0;
  void *memory = rt_take(out->bytes);
  if (!memory)
    return -ENOMEM;
  out->objects = memory;
  out->index = (size_t *)((uintptr_t)memory + objects_bytes);
  size_t n = 0;
  for (const struct rt_object *it = first; it; it = it->next) {
    size_t at = n++;
    for (; at && is_before(it, out->objects[at - 1]); at--)
      out->objects[at] = out->objects[at - 1];
    out->objects[at] = it;
  }
  for (size_t i = 0; i < n; i++)
    out->index[out->objects[i]->number] = i;
  return 0;
}

static size_t index_of(const struct listing *listing, uint64_t end) {
  const size_t number = end >> RT_OUTSIDE_OBJECT_SHIFT & 0x3fff;

  return number < listing->n_numbers ? listing->index[number] : 0;
}

static uint64_t vaddr_of(uint64_t end) {
  return end & (((uint64_t)1 << RT_OUTSIDE_OBJECT_SHIFT) - 1);
}

static void put_call(struct rt_sink *sink, const struct listing *listing,
                     size_t i, const struct rt_arc *arc) {
  const struct rt_object *object = listing->objects[i];
  const bool is_named = (arc->self & RT_OUTSIDE_NAMED) != 0;
  const bool is_incoming = (arc->from & RT_OUTSIDE) != 0;

  if ((int64_t)arc->count <= 0)
    return;
  put_text(sink, is_named ? "call" : "arc");
  if (is_named) {
    put_number(sink, i);
    put_address(sink, arc->from);
    put_number(sink, arc->count);
    put_word(sink, object->crossing.names +
                       (arc->self & ~(RT_OUTSIDE | RT_OUTSIDE_NAMED)));
  } else {
    put_number(sink, is_incoming ? index_of(listing, arc->from) : i);
    put_address(sink, vaddr_of(arc->from));
    put_number(sink, is_incoming ? i : index_of(listing, arc->self));
    put_address(sink, vaddr_of(arc->self));
    put_number(sink, arc->count);
  }
  put_text(sink, "\n");
}

/* first: index of the first object that is not instrumented. */
static void put_outside(struct rt_sink *sink,
                        const struct rt_uninstrumented *outside, size_t first) {
  for (size_t i = 0; i < outside->n_objects; i++) {
    const struct rt_uninstrumented_object *object = &outside->objects[i];
    put_text(sink, "object");
    put_number(sink, first + i);
    put_build_id(sink, object->build_id, object->n_build_id);
    put_address(sink, 0);
    put_word(sink, "-");
    put_word(sink, object->path);
    put_text(sink, "\n");
  }
  for (size_t i = 0; i < outside->n_times; i++) {
    put_text(sink, "time");
    put_number(sink, first + outside->times[i].i_object);
    put_address(sink, outside->times[i].offset);
    put_number(sink, outside->times[i].n_samples);
    put_text(sink, "\n");
  }
  for (size_t i = 0; i < outside->n_threads; i++) {
    put_text(sink, "thread");
    put_number(sink, outside->threads[i].tid);
    put_number(sink, outside->threads[i].n_samples);
    put_text(sink, "\n");
  }
}

static void put_lost(struct rt_sink *sink, const char *what, uint64_t n) {
  if (!n)
    return;
  put_text(sink, "lost ");
  put_text(sink, what);
  put_number(sink, n);
  put_text(sink, "\n");
}

static void put_losses(struct rt_sink *sink) {
  uint64_t n_calls = 0, n_threads = 0;

  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED) {
      n_calls += __atomic_load_n(it->image.n_lost, __ATOMIC_RELAXED);
      n_threads += __atomic_load_n(it->image.n_met, __ATOMIC_RELAXED);
    }
  put_lost(sink, "calls", n_calls);
  put_lost(sink, "cells", rt_threads_n_sharing());
  put_lost(sink, "libraries", rt_segment_n_libraries());
  if (n_threads) {
    put_text(sink, "met");
    put_number(sink, n_threads);
    put_text(sink, "\n");
  }
}

static void put_all(struct rt_sink *sink, const struct rt_options *options,
                    const struct listing *listing,
                    const struct rt_uninstrumented *outside,
                    struct rt_str *scratch) {
  put_text(sink, "arcline-side 1\n");
  put_process(sink, options);
  for (size_t i = 0; i < listing->n; i++)
    put_object(sink, options, listing->objects[i], i, scratch);
  put_outside(sink, outside, listing->n);
  for (size_t i = 0; i < listing->n; i++)
    for (size_t j = 0; j < listing->objects[i]->crossing.n; j++)
      put_call(sink, listing, i, &listing->objects[i]->crossing.arcs[j]);
  put_losses(sink);
  put_text(sink, "end\n");
}

int rt_side_write(const void *options, struct rt_sink *sink) {
  char *name = rt_take(RT_MAX_PATH);
  struct rt_str scratch = {.text = name, .room = RT_MAX_PATH};
  struct rt_uninstrumented outside = {0};
  struct listing listing = {0};

  if (!name || list_objects(&listing) || rt_uninstrumented_collect(&outside))
    sink->error = -ENOMEM;
  else
    put_all(sink, options, &listing, &outside, &scratch);
  rt_uninstrumented_free(&outside);
  rt_give((void *)listing.objects, listing.bytes);
  rt_give(name, RT_MAX_PATH);
  return sink->error;
}
