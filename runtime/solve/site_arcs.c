/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts of nodes -> arcs. A direct call was made as often as its node was run;
   an indirect one went to the site's first callee unless __arcline_indirect()
   counted another. What a function was entered more often than that came from
   code that does not count calls, or from other objects. Functions to which
   mcount counts the arcs are left to it. */
#include <errno.h>

#include "objects/link_map.h"
#include "objects/load_history.h"
#include "os/os.h"
#include "os/scratch.h"
#include "solve/solve.h"

/* Bytes from a function's entry to its call of mcount. */
enum { MAX_PROLOGUE = 256 };

/* Sites' arcs lie side by side in the profile, sorted as the sites are. */
static void find_site_arcs(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;
  const uint64_t first = (uintptr_t)image->sites - s->object->load_bias;

  for (size_t i = 0; i < s->profile->n_arcs; i++) {
    const uint64_t off = s->profile->arcs[i].from - first;
    if (off / sizeof *image->sites >= s->n_sites)
      continue;
    struct rt_site *site = &s->sites[off / sizeof *image->sites];
    if (!site->n_arcs)
      site->first_arc = i;
    site->n_arcs = i + 1 - site->first_arc;
  }
}

/* Collects where mcount was called from functions that the pass has not seen.
   They are compiled with -pg, and mcount knows of all their calls. */
static int find_mcounted(struct rt_solver *s) {
  const struct rt_image *image = &s->object->image;
  const uint64_t first = (uintptr_t)image->sites - s->object->load_bias;
  size_t n = 0;

  if (!s->n_sites)
    return 0;
  for (size_t i = 0; i < s->profile->n_arcs; i++) {
    const struct rt_arc *arc = &s->profile->arcs[i];
    if ((arc->from - first) / sizeof *image->sites < s->n_sites ||
        arc->self & RT_OUTSIDE || rt_names_at(s, arc->self) != RT_NONE)
      continue;
    if (!s->mcounted) {
      s->n_mcounted_room = 2 * (s->profile->n_arcs - i); // and as scratch
      s->mcounted = rt_take(s->n_mcounted_room * sizeof *s->mcounted);
      if (!s->mcounted)
        return -ENOMEM;
    }
    s->mcounted[n++] = (struct rt_arc){.from = arc->self, .count = 1};
  }
  if (n)
    s->n_mcounted = rt_arcs_merge(s->mcounted, n, s->mcounted + n);
  return 0;
}

/* Is it the entry of a function with a call of mcount? */
static bool is_mcounted(const struct rt_solver *s, uint64_t vaddr) {
  size_t low = 0;
  size_t high = s->n_mcounted;

  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->mcounted[middle].from < vaddr)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->n_mcounted && s->mcounted[low].from - vaddr <= MAX_PROLOGUE;
}

int rt_calls_prepare(struct rt_solver *s) {
  if (s->n_sites)
    find_site_arcs(s);
  return s->is_fixing_sites ? 0 : find_mcounted(s);
}

void rt_calls_release(struct rt_solver *s) {
  rt_give(s->mcounted, s->n_mcounted_room * sizeof *s->mcounted);
}

bool rt_calls_read(struct rt_solver *s, const struct rt_func *func,
                   struct arcline_cursor cursor) {
  struct arcline_call call;

  s->n_calls = arcline_read_length(&cursor, ARCLINE_CALL_BYTES);
  for (uint32_t i = 0; i < s->n_calls; i++) {
    if (arcline_read_call(&cursor, &func->head, &call))
      return false;
    s->calls[i] = (struct rt_call){.node = call.node, .callee = call.callee};
  }
  return !cursor.bad;
}

static bool grow_arcs(struct rt_solver *s) {
  const size_t room = 2 * s->n_arcs_room;
  struct rt_arc *arcs = rt_take(room * sizeof *arcs);

  if (!arcs) {
    s->is_out_of_memory = true;
    return false;
  }
  rt_copy(arcs, s->arcs, s->n_arcs * sizeof *arcs);
  rt_give(s->arcs, s->n_arcs_room * sizeof *arcs);
  s->arcs = arcs;
  s->n_arcs_room = room;
  return true;
}

static void add_arc(struct rt_solver *s, uint64_t from, uint64_t self,
                    uint64_t count) {
  if (s->n_arcs == s->n_arcs_room && !grow_arcs(s))
    return;
  s->arcs[s->n_arcs++] =
      (struct rt_arc){.from = from, .self = self, .count = count};
}

/* Where the call ends or stands: near its node's code, if that is known. */
static uint64_t call_vaddr(const struct rt_solver *s,
                           const struct rt_func *func, uint32_t i_copy,
                           uint32_t node) {
  const uint32_t at = s->node_at[func->first_count + node];

  if (func->vaddr)
    return at ? s->text_low + at - 1 : func->vaddr;
  return i_copy == RT_NONE ? 0 : s->bodies[rt_copy_body(s, i_copy)].vaddr;
}

static void add_direct(struct rt_solver *s, uint64_t from, uint32_t i_callee,
                       uint64_t count) {
  struct rt_callee *callee = &s->callees[i_callee];

  if (!from || !callee->vaddr)
    return;
  callee->n_called += count;
  add_arc(s, from, callee->vaddr, count);
}

/* A function of another object, as an end of an arc. */
static uint64_t named(const struct rt_solver *s, const char *name) {
  return RT_OUTSIDE | RT_OUTSIDE_NAMED |
         (uint64_t)((const uint8_t *)name - s->object->image.data);
}

/* vaddr may have RT_OUTSIDE; it is 0 if the callee is in no instrumented
   object. */
static void add_indirect(struct rt_solver *s, uint64_t from, uint64_t vaddr,
                         uint64_t count) {
  if (!from || !vaddr || (int64_t)count <= 0)
    return;
  if (vaddr & RT_OUTSIDE) {
    add_arc(s, from, vaddr, count);
    return;
  }
  const uint32_t i_callee = rt_names_at(s, vaddr);
  if (i_callee == RT_NONE ? is_mcounted(s, vaddr) : !s->callees[i_callee].vaddr)
    return;
  if (i_callee != RT_NONE)
    s->callees[i_callee].n_called += count;
  add_arc(s, from, vaddr, count);
}

uint64_t *rt_site_cell(const struct rt_image *image, uint64_t *cells,
                       const struct arcline_site *site) {
  const uintptr_t off = (uintptr_t)&site->cell +
                        (uintptr_t)(intptr_t)site->cell -
                        (uintptr_t)image->cells;
  const size_t n_cells = (size_t)(image->cells_end - image->cells);

  if (!site->cell || !cells || off % sizeof *cells ||
      off / sizeof *cells >= n_cells)
    return NULL;
  return &cells[off / sizeof *cells];
}

/* Of a callee that a site's record names. */
static uint64_t callee_vaddr(const struct rt_object *object, uint64_t pc) {
  const uint64_t vaddr = pc - object->load_bias;

  if (!pc)
    return 0;
  return rt_image_has_text(object, vaddr) ? vaddr
                                          : rt_load_history_find(pc, true);
}

static void visit_site(struct rt_solver *s, uint32_t i_site, uint64_t from,
                       uint64_t count) {
  const struct rt_image *image = &s->object->image;
  const struct arcline_site *record = &image->sites[i_site];
  const struct rt_site *site = &s->sites[i_site];
  const uint64_t pc = __atomic_load_n(&record->callee, __ATOMIC_RELAXED);
  const uint64_t first = callee_vaddr(s->object, pc);

  for (uint64_t i = 0; i < site->n_arcs; i++) {
    const struct rt_arc *arc = &s->profile->arcs[site->first_arc + i];
    count -= arc->count;
    if (!s->is_fixing_sites)
      add_indirect(s, from, arc->self, arc->count);
  }
  const uint64_t *cell = rt_site_cell(image, s->profile->cells, record);
  if (cell && *cell) {
    const uint64_t second = callee_vaddr(
        s->object, __atomic_load_n(&record->second, __ATOMIC_RELAXED));
    count -= *cell;
    if (s->is_fixing_sites)
      add_arc(s, (uintptr_t)record - s->object->load_bias, second, *cell);
    else
      add_indirect(s, from, second, *cell);
  }
  if (s->is_fixing_sites && count)
    add_arc(s, (uintptr_t)record - s->object->load_bias, first, count);
  else if (!s->is_fixing_sites)
    add_indirect(s, from, first, count);
}

static void visit_direct(struct rt_solver *s, uint32_t i_func, uint32_t i_copy,
                         const struct rt_call *call, uint64_t count) {
  const struct rt_func *func = &s->funcs[i_func];
  const uint64_t from = call_vaddr(s, func, i_copy, call->node);

  if (!from || call->callee >= s->object->image.funcs[i_func].strings_bytes)
    return;
  const uint32_t i_callee = rt_names_resolve(s, func, call->callee);
  if (i_callee != RT_NONE)
    add_direct(s, from, i_callee, count);
  else
    add_arc(s, from, named(s, func->strings + call->callee), count);
}

static void visit_sites(struct rt_solver *s, uint32_t i_func, uint32_t i_copy,
                        const uint64_t *counts) {
  const struct rt_func *func = &s->funcs[i_func];

  for (uint32_t i = s->first_sites[i_copy]; i != RT_NONE;
       i = s->sites[i].next) {
    const uint32_t i_call = s->object->image.sites[i].call;
    if (i_call >= s->n_calls || s->calls[i_call].callee)
      continue;
    const uint32_t node = s->calls[i_call].node;
    s->calls[i_call].callee = RT_NONE; // one record per call site
    if (counts[node])
      visit_site(s, i, call_vaddr(s, func, i_copy, node), counts[node]);
  }
}

void rt_calls_visit(struct rt_solver *s, uint32_t i_func, uint32_t i_copy,
                    const uint64_t *counts) {
  for (uint32_t i = 0; i < s->n_calls && !s->is_fixing_sites; i++) {
    const struct rt_call *call = &s->calls[i];
    if (call->callee && counts[call->node])
      visit_direct(s, i_func, i_copy, call, counts[call->node]);
  }
  if (i_copy != RT_NONE && s->n_sites)
    visit_sites(s, i_func, i_copy, counts);
}

/* Did calls of a library's function go to another object's of the same name,
   which the dynamic linker found first? Then it does so for all of them. */
static bool is_elsewhere(const struct rt_solver *s, uint32_t i_func) {
  const struct rt_func *func = &s->funcs[i_func];
  const struct rt_callee *callee = &s->callees[i_func];

  return s->object->suffix[0] && callee->vaddr && callee->n_called &&
         !func->n_entries && !func->is_bad &&
         !(s->object->image.funcs[i_func].flags & ARCLINE_FUNC_LOCAL);
}

static void redirect_arcs(struct rt_solver *s) {
  for (size_t i = 0; i < s->n_arcs; i++) {
    struct rt_arc *arc = &s->arcs[i];
    if (arc->self & RT_OUTSIDE)
      continue;
    const uint32_t i_callee = rt_names_at(s, arc->self);
    if (i_callee == RT_NONE || !is_elsewhere(s, i_callee))
      continue;
    const struct rt_func *func = &s->funcs[i_callee];
    arc->self = named(s, func->strings + func->head.name);
  }
}

void rt_calls_finish(struct rt_solver *s) {
  bool has_elsewhere = false;

  for (uint32_t i = 0; i < s->n_funcs && !has_elsewhere; i++)
    has_elsewhere = is_elsewhere(s, i);
  if (has_elsewhere)
    redirect_arcs(s);
  for (size_t i = 0; i < s->n_funcs; i++) {
    const struct rt_func *func = &s->funcs[i];
    const struct rt_callee *callee = &s->callees[i];
    const uint64_t n_others = func->n_entries - callee->n_called;
    if (callee->vaddr && !func->is_bad && (int64_t)n_others > 0)
      add_arc(s, 0, callee->vaddr, n_others);
  }
}
