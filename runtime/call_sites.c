/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts of nodes -> arcs. A direct call was made as often as its node was run;
   an indirect one went to the site's first callee unless __arcline_indirect()
   counted another. What a function was entered more often than that came from
   code that does not count calls, or from other objects. Functions to which
   mcount counts the arcs are left to it. */
#include <errno.h>

#include "image.h"
#include "os.h"
#include "solve.h"

enum {
  MAX_PROLOGUE = 256
}; /* bytes from a function's entry to mcount's call */

/* Names of equal contents have equal hashes. */
static uint64_t hash_text(const char *text) {
  uint64_t hash = 0xcbf29ce484222325;

  // Source: FNV-1a.
  while (*text)
    hash = (hash ^ (uint8_t)*text++) * 0x100000001b3;
  return hash ^ hash >> 32;
}

static bool is_same_text(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

/* Returns the slot with the name, or the free one where it belongs. */
static struct rt_name *find_by_text(const struct rt_names *names,
                                    const char *name) {
  uint32_t i = (uint32_t)hash_text(name) & names->mask;

  while (names->slots[i].name && !is_same_text(names->slots[i].name, name))
    i = (i + 1) & names->mask;
  return &names->slots[i];
}

static struct rt_name *find_by_address(const struct rt_names *names,
                                       const char *name) {
  // Names that lie side by side have slots side by side, for the sake of the
  // caches; hardly any is shorter than four bytes.
  uint32_t i = (uint32_t)((uintptr_t)name >> 2) & names->mask;

  while (names->slots[i].name && names->slots[i].name != name)
    i = (i + 1) & names->mask;
  return &names->slots[i];
}

/* May calls of the function go to another unit's of the same name? */
static bool is_replaceable(const struct rt_solver *s, uint32_t i_func) {
  if (i_func == RT_NONE)
    return false;
  const struct rt_func *func = &s->funcs[i_func];
  return !(func->record->flags & ARCLINE_FUNC_LOCAL) &&
         (!func->vaddr || func->record->flags & ARCLINE_FUNC_WEAK);
}

static void enter_name(struct rt_solver *s, uint32_t i_func, uint32_t string) {
  const struct rt_func *func = &s->funcs[i_func];

  if (string >= func->record->strings_bytes || !func->strings[string])
    return;
  const struct rt_name entry = {func->strings + string, i_func};
  struct rt_name *slot = find_by_address(&s->by_address, entry.name);
  if (!slot->name)
    *slot = entry;
  if (func->record->flags & ARCLINE_FUNC_LOCAL)
    return;
  // Units may see different definitions of an inline function, of which the
  // linker took the code of one, or a weak definition and another one.
  slot = find_by_text(&s->by_text, entry.name);
  if (!slot->name || is_replaceable(s, slot->i_func))
    *slot = entry;
}

static void enter_names(struct rt_solver *s, uint32_t i_func) {
  const struct rt_func *func = &s->funcs[i_func];
  struct arcline_cursor cursor = func->aliases;

  if (!func->n_names)
    return;
  enter_name(s, i_func, func->head.name);
  for (uint32_t n = func->n_names - 1; n && !cursor.bad; n--) {
    const uint32_t alias = arcline_read_u32(&cursor);
    if (!cursor.bad)
      enter_name(s, i_func, alias);
  }
}

static void enter_body(struct rt_solver *s, uint32_t i_body) {
  uint32_t i = (uint32_t)(s->bodies[i_body].vaddr >> 4) & s->by_vaddr_mask;

  while (s->by_vaddr[i])
    i = (i + 1) & s->by_vaddr_mask;
  s->by_vaddr[i] = i_body + 1;
}

/* Returns the function whose body begins at vaddr, or RT_NONE. */
static uint32_t find_by_vaddr(const struct rt_solver *s, uint64_t vaddr) {
  uint32_t i = (uint32_t)(vaddr >> 4) & s->by_vaddr_mask;

  for (; s->by_vaddr[i]; i = (i + 1) & s->by_vaddr_mask)
    if (s->bodies[s->by_vaddr[i] - 1].vaddr == vaddr)
      return s->bodies[s->by_vaddr[i] - 1].i_func;
  return RT_NONE;
}

/* Returns the function that a call in a function names, or RT_NONE. */
static uint32_t resolve(struct rt_solver *s, const struct rt_func *caller,
                        uint32_t string) {
  if (string >= caller->record->strings_bytes)
    return RT_NONE;
  const char *name = caller->strings + string;
  // Names of a unit are stored once, so the unit's own functions, local ones
  // among them, are told by address; others are entered as they come up.
  struct rt_name *slot = find_by_address(&s->by_address, name);
  if (!slot->name || is_replaceable(s, slot->i_func)) {
    const struct rt_name *found = find_by_text(&s->by_text, name);
    *slot = (struct rt_name){name, found->name ? found->i_func : RT_NONE};
  }
  return slot->i_func;
}

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
        arc->self & RT_OUTSIDE || find_by_vaddr(s, arc->self) != RT_NONE)
      continue;
    if (!s->mcounted) {
      s->n_mcounted_room = 2 * (s->profile->n_arcs - i); // and as scratch
      s->mcounted = rt_map(s->n_mcounted_room * sizeof *s->mcounted);
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
  find_site_arcs(s);
  if (s->is_fixing_sites)
    return 0;
  for (uint32_t i = 0; i < s->n_funcs; i++)
    enter_names(s, i);
  for (uint32_t i = 0; i < s->n_bodies; i++)
    if (s->bodies[i].vaddr)
      enter_body(s, i);
  return find_mcounted(s);
}

void rt_calls_release(struct rt_solver *s) {
  rt_unmap(s->mcounted, s->n_mcounted_room * sizeof *s->mcounted);
}

static void add_arc(struct rt_solver *s, uint64_t from, uint64_t self,
                    uint64_t count) {
  if (s->n_arcs < s->n_arcs_room)
    s->arcs[s->n_arcs++] =
        (struct rt_arc){.from = from, .self = self, .count = count};
}

/* Where the call ends or stands: near its node's code, if that is known. */
static uint64_t call_vaddr(const struct rt_solver *s,
                           const struct rt_func *func, uint32_t i_copy,
                           uint32_t node) {
  const uint32_t at = s->node_at[func->first_node + node];

  if (func->vaddr)
    return at ? s->text_low + at - 1 : func->vaddr;
  return i_copy == RT_NONE ? 0 : s->bodies[s->copies[i_copy].i_body].vaddr;
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
  const uint32_t i_callee = find_by_vaddr(s, vaddr);
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
  return rt_image_has_text(object, vaddr) ? vaddr : rt_outside(pc);
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

void rt_calls_visit(struct rt_solver *s, uint32_t i_func, uint32_t i_copy,
                    const uint64_t *counts) {
  const struct rt_func *func = &s->funcs[i_func];
  struct arcline_cursor cursor = func->calls;
  struct arcline_call call;

  arcline_read_u32(&cursor);
  for (uint32_t i = 0; i < func->n_calls; i++) {
    s->call_nodes[i] = RT_NONE;
    if (arcline_read_call(&cursor, &func->head, &call))
      continue;
    const uint64_t count = counts[call.node];
    if (!call.callee)
      s->call_nodes[i] = call.node;
    else if (count && !s->is_fixing_sites) {
      const uint64_t from = call_vaddr(s, func, i_copy, call.node);
      const uint32_t i_callee = resolve(s, func, call.callee);
      if (i_callee != RT_NONE)
        add_direct(s, from, i_callee, count);
      else if (from && call.callee < func->record->strings_bytes)
        add_arc(s, from, named(s, func->strings + call.callee), count);
    }
  }
  if (i_copy == RT_NONE)
    return;
  for (uint32_t i = s->copies[i_copy].first_site; i != RT_NONE;
       i = s->sites[i].next) {
    const uint32_t i_call = s->object->image.sites[i].call;
    if (i_call >= func->n_calls || s->call_nodes[i_call] == RT_NONE)
      continue;
    const uint32_t node = s->call_nodes[i_call];
    s->call_nodes[i_call] = RT_NONE; // one record per call site
    if (counts[node])
      visit_site(s, i, call_vaddr(s, func, i_copy, node), counts[node]);
  }
}

/* Did calls of a library's function go to another object's of the same name,
   which the dynamic linker found first? Then it does so for all of them. */
static bool is_elsewhere(const struct rt_solver *s, uint32_t i_func) {
  const struct rt_func *func = &s->funcs[i_func];
  const struct rt_callee *callee = &s->callees[i_func];

  return s->object->suffix[0] && callee->vaddr && callee->n_called &&
         !func->n_entries && !func->is_bad &&
         !(func->record->flags & ARCLINE_FUNC_LOCAL);
}

static void redirect_arcs(struct rt_solver *s) {
  for (size_t i = 0; i < s->n_arcs; i++) {
    struct rt_arc *arc = &s->arcs[i];
    if (arc->self & RT_OUTSIDE)
      continue;
    const uint32_t i_callee = find_by_vaddr(s, arc->self);
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
