/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Computes arcs from counts of nodes. A direct call was made as often as its
   node ran. An indirect call went to the site's first callee, unless
   __arcline_indirect() counted another. Further entries of a function came from
   code that does not count calls, or from other objects. Arcs to functions with
   mcount are counted by mcount. */
#include "arcline/name_hash.h"
#include "solve/solver.h"

/* Bytes from a function's entry to its call of mcount. */
enum { MAX_PROLOGUE = 256 };

/* The arcs of sites are adjacent in the profile, in the order of the sites. */
static void find_site_arcs(struct solver *s) {
  const uint64_t first = s->image->sections[SOLVE_SITES].vaddr;

  for (size_t i = 0; i < s->input.n_arcs; i++) {
    const uint64_t off = s->input.arcs[i].from - first;
    if (off / sizeof(struct arcline_site) >= s->n_sites)
      continue;
    struct solve_site *site = &s->sites[off / sizeof(struct arcline_site)];
    if (!site->n_arcs)
      site->first_arc = i;
    site->n_arcs = i + 1 - site->first_arc;
  }
}

/* Collects the calls of mcount by functions that the pass has not seen. They
   are compiled with -pg, and mcount counts all of their calls. */
static int find_mcounted(struct solver *s) {
  const uint64_t first = s->image->sections[SOLVE_SITES].vaddr;
  size_t n = 0;

  if (!s->n_sites)
    return 0;
  for (size_t i = 0; i < s->input.n_arcs; i++) {
    const struct solve_arc *arc = &s->input.arcs[i];
    if ((arc->from - first) / sizeof(struct arcline_site) < s->n_sites ||
        arc->self & SOLVE_OUTSIDE || solve_names_at(s, arc->self) != SOLVE_NONE)
      continue;
    if (!s->mcounted) {
      s->n_mcounted_room = 2 * (s->input.n_arcs - i); // and as scratch
      s->mcounted =
          s->input.alloc(s->n_mcounted_room * sizeof(*s->mcounted), 0);
      if (!s->mcounted)
        return -1;
    }
    s->mcounted[n++] = (struct solve_arc){.from = arc->self, .count = 1};
  }
  if (n)
    s->n_mcounted = solve_arcs_merge(s->mcounted, n, s->mcounted + n);
  return 0;
}

/* Is it the entry of a function with a call of mcount? */
static bool is_mcounted(const struct solver *s, uint64_t vaddr) {
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

int solve_calls_prepare(struct solver *s) {
  if (s->n_sites)
    find_site_arcs(s);
  return s->is_fixing_sites ? 0 : find_mcounted(s);
}

bool solve_calls_read(struct solver *s, const struct solve_func *func,
                      struct arcline_cursor cursor) {
  struct arcline_call call;

  s->n_calls = arcline_read_length(&cursor, ARCLINE_CALL_BYTES);
  for (uint32_t i = 0; i < s->n_calls; i++) {
    if (arcline_read_call(&cursor, &func->record.head, &call))
      return false;
    s->calls[i] = (struct solve_call){.node = call.node, .callee = call.callee};
  }
  return !cursor.bad;
}

static bool grow_arcs(struct solver *s) {
  const size_t room = 2 * s->out.n_room;
  struct solve_arc *arcs = s->input.alloc(room * sizeof(*arcs), 0);

  if (!arcs) {
    s->is_out_of_memory = true;
    return false;
  }
  for (size_t i = 0; i < s->out.n; i++)
    arcs[i] = s->out.arcs[i];
  s->input.free(s->out.arcs, s->out.n_room * sizeof(*arcs));
  s->out.arcs = arcs;
  s->out.n_room = room;
  return true;
}

static void add_arc(struct solver *s, uint64_t from, uint64_t self,
                    uint64_t count) {
  if (s->out.n == s->out.n_room && !grow_arcs(s))
    return;
  s->out.arcs[s->out.n++] =
      (struct solve_arc){.from = from, .self = self, .count = count};
}

/* The address of the call, or of its end: near its node's code, if that is
   known. */
static uint64_t call_vaddr(const struct solver *s,
                           const struct solve_func *func, uint32_t i_copy,
                           uint32_t node) {
  const uint32_t at = s->node_at[func->first_count + node];

  if (func->vaddr)
    return at ? s->text_low + at - 1 : func->vaddr;
  return i_copy == SOLVE_NONE ? 0 : s->bodies[s->copies[i_copy].i_body].vaddr;
}

/* Its address, or 0 if no arcs to it are derived. */
static uint64_t callee_vaddr(const struct solver *s, uint32_t i_func) {
  return solve_func_records(s->image)[i_func].flags & ARCLINE_FUNC_ARCS
             ? solve_own_vaddr(s, i_func)
             : 0;
}

static void add_direct(struct solver *s, uint64_t from, uint32_t i_callee,
                       uint64_t count) {
  const uint64_t vaddr = callee_vaddr(s, i_callee);

  if (!from || !vaddr)
    return;
  solve_func_open(s, i_callee)->n_called += count;
  add_arc(s, from, vaddr, count);
}

/* A function of another object, as an end of an arc. */
static uint64_t named(const struct solver *s, const char *name) {
  return SOLVE_OUTSIDE | SOLVE_OUTSIDE_NAMED |
         (uint64_t)((const uint8_t *)name -
                    s->image->sections[SOLVE_DATA].bytes);
}

/* vaddr may have SOLVE_OUTSIDE; it is 0 if the callee is in no instrumented
   object. */
static void add_indirect(struct solver *s, uint64_t from, uint64_t vaddr,
                         uint64_t count) {
  if (!from || !vaddr || (int64_t)count <= 0)
    return;
  if (vaddr & SOLVE_OUTSIDE) {
    add_arc(s, from, vaddr, count);
    return;
  }
  const uint32_t i_callee = solve_names_at(s, vaddr);
  if (i_callee == SOLVE_NONE ? is_mcounted(s, vaddr)
                             : !callee_vaddr(s, i_callee))
    return;
  if (i_callee != SOLVE_NONE)
    solve_func_open(s, i_callee)->n_called += count;
  add_arc(s, from, vaddr, count);
}

static void visit_site(struct solver *s, uint32_t i_site, uint64_t from,
                       uint64_t count) {
  const struct arcline_site *record = &solve_site_records(s->image)[i_site];
  const uint64_t vaddr = s->image->sections[SOLVE_SITES].vaddr +
                         i_site * sizeof(struct arcline_site);
  const struct solve_site *site = &s->sites[i_site];
  const uint32_t cell = solve_site_cell(s->image, record);
  const uint64_t n_second = cell == SOLVE_NONE ? 0 : s->input.cells[cell];
  const void *context = s->input.context;
  const uint64_t first = s->input.callee(context, i_site, false);

  for (uint64_t i = 0; i < site->n_arcs; i++) {
    const struct solve_arc *arc = &s->input.arcs[site->first_arc + i];
    count -= arc->count;
    if (!s->is_fixing_sites)
      add_indirect(s, from, arc->self, arc->count);
  }
  if (n_second) {
    const uint64_t second = s->input.callee(context, i_site, true);
    count -= n_second;
    if (s->is_fixing_sites)
      add_arc(s, vaddr, second, n_second);
    else
      add_indirect(s, from, second, n_second);
  }
  if (s->is_fixing_sites && count)
    add_arc(s, vaddr, first, count);
  else if (!s->is_fixing_sites)
    add_indirect(s, from, first, count);
}

static void visit_direct(struct solver *s, uint32_t i_func, uint32_t i_copy,
                         const struct solve_call *call, uint64_t count) {
  const struct solve_func *func = solve_opened(s, i_func);
  const uint64_t from = call_vaddr(s, func, i_copy, call->node);

  if (!from ||
      call->callee >= solve_func_records(s->image)[i_func].strings_bytes)
    return;
  const uint32_t i_callee = solve_names_resolve(s, func, call->callee);
  const char *const name = func->record.strings + call->callee;
  if (i_callee != SOLVE_NONE)
    add_direct(s, from, i_callee, count);
  else if (!arcline_name_is_short(name)) // its function's record is damaged
    add_arc(s, from, named(s, name), count);
}

static void visit_sites(struct solver *s, uint32_t i_func, uint32_t i_copy,
                        const uint64_t *counts) {
  const struct solve_func *func = solve_opened(s, i_func);

  for (uint32_t next = s->first_sites[i_copy]; next;
       next = s->sites[next - 1].next) {
    const uint32_t i = next - 1;
    const uint32_t i_call = solve_site_records(s->image)[i].call;
    if (i_call >= s->n_calls || s->calls[i_call].callee)
      continue;
    const uint32_t node = s->calls[i_call].node;
    s->calls[i_call].callee = SOLVE_NONE; // one record per call site
    if (counts[node])
      visit_site(s, i, call_vaddr(s, func, i_copy, node), counts[node]);
  }
}

void solve_calls_visit(struct solver *s, uint32_t i_func, uint32_t i_copy,
                       const uint64_t *counts) {
  for (uint32_t i = 0; i < s->n_calls && !s->is_fixing_sites; i++) {
    const struct solve_call *call = &s->calls[i];
    if (call->callee && counts[call->node])
      visit_direct(s, i_func, i_copy, call, counts[call->node]);
  }
  if (i_copy != SOLVE_NONE && s->n_sites)
    visit_sites(s, i_func, i_copy, counts);
}

/* Did calls of a library's function go to another object's of the same name,
   which the dynamic linker found first? Then it does so for all of them. */
static bool is_elsewhere(const struct solver *s,
                         const struct solve_func *func) {
  return s->image->is_library && func->n_called && !func->n_entries &&
         !func->is_bad &&
         !(solve_func_records(s->image)[func->i_func].flags &
           ARCLINE_FUNC_LOCAL);
}

static void redirect_arcs(struct solver *s) {
  for (size_t i = 0; i < s->out.n; i++) {
    struct solve_arc *arc = &s->out.arcs[i];
    if (arc->self & SOLVE_OUTSIDE)
      continue;
    const uint32_t i_callee = solve_names_at(s, arc->self);
    const struct solve_func *func =
        i_callee == SOLVE_NONE ? NULL : solve_opened(s, i_callee);
    if (!func || !is_elsewhere(s, func))
      continue;
    const char *const name = func->record.strings + func->record.head.name;
    // The names of functions that cannot be replaced by others are shortened.
    if (!arcline_name_is_short(name))
      arc->self = named(s, name);
  }
}

void solve_calls_finish(struct solver *s) {
  bool has_elsewhere = false;

  for (size_t i = 0; i < s->n_open && !has_elsewhere; i++)
    has_elsewhere = is_elsewhere(s, &s->funcs[i]);
  if (has_elsewhere)
    redirect_arcs(s);
  for (size_t i = 0; i < s->n_open; i++) {
    const struct solve_func *func = &s->funcs[i];
    const uint64_t n_others = func->n_entries - func->n_called;
    const uint64_t vaddr = callee_vaddr(s, func->i_func);
    if (vaddr && !func->is_bad && (int64_t)n_others > 0)
      add_arc(s, 0, vaddr, n_others);
  }
}
