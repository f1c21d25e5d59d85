/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>

#include "dump/pool_sites.h"
#include "os/os.h"
#include "os/scratch.h"

enum { SITES = ARCLINE_POOL_CHUNK_BYTES / sizeof(struct arcline_live_callees) };

static size_t bits_bytes(const struct rt_pool_sites *sites) {
  return (sites->n_sites + 63) / 64 * sizeof(*sites->firsts);
}

/* Returns false if out of memory. */
static bool set_bit(const struct rt_pool_sites *sites, uint64_t **bits,
                    size_t i) {
  if (!*bits)
    *bits = rt_alloc(bits_bytes(sites));
  if (*bits)
    (*bits)[i / 64] |= (uint64_t)1 << i % 64;
  return *bits;
}

static const struct arcline_site *site_at(const struct rt_pool_sites *sites,
                                          size_t i) {
  return &solve_site_records(&sites->profile->image)[i];
}

/* Calls of the second callee. */
static uint64_t n_second(const struct rt_pool_sites *sites, size_t i_site) {
  const uint32_t cell =
      solve_site_cell(&sites->profile->image, site_at(sites, i_site));

  return cell == SOLVE_NONE ? 0 : sites->profile->cells[cell];
}

/* A process inherits callees from its parent, and has no calls of most. */
static bool has_run(const struct rt_pool_sites *sites, size_t i_site) {
  const struct rt_profile *const profile = sites->profile;
  const uint32_t i_body =
      solve_site_body(&profile->image, site_at(sites, i_site));
  if (i_body == SOLVE_NONE)
    return false;
  const struct arcline_body *const body =
      &solve_body_records(&profile->image)[i_body];
  const uint32_t first = solve_first_cell(&profile->image, body);

  return body->n_cells && first != SOLVE_NONE &&
         body->n_cells <= profile->n_cells - first &&
         solve_is_touched(profile->touched, first, first + body->n_cells - 1) &&
         !rt_are_zero(profile->cells + first, body->n_cells);
}

/* Makes a callee the pool's, if it has none. Returns whether it has that one
   now. */
static bool claim(uint64_t *word, uint64_t end, bool *is_changed) {
  if (!*word) {
    *word = end;
    *is_changed = true;
  }
  return *word == end;
}

/* The callee in the pool, or 0 if there was no call. */
static uint64_t callee_of(const struct rt_pool_sites *sites,
                          struct rt_pool_ends *ends, size_t i_site,
                          bool is_second) {
  uint64_t end;

  if (!rt_profile_callee(sites->object, i_site, is_second, &end))
    return 0;
  return end ? rt_pool_end_of(ends, end) : ARCLINE_POOL_ELSEWHERE;
}

/* Compares a site. It has a second callee only if it has a first one. */
static int compare(struct rt_pool_sites *sites, struct rt_pool_ends *ends,
                   size_t i_site, struct arcline_live_callees *there,
                   bool *is_changed) {
  const uint64_t first = callee_of(sites, ends, i_site, false);
  const uint64_t second = first ? callee_of(sites, ends, i_site, true) : 0;

  const bool is_same = !first || claim(&there->callee, first, is_changed);

  if (!sites->profile->n_cells ||
      (is_same && (!second || claim(&there->second, second, is_changed))))
    return 0;
  if (is_same && n_second(sites, i_site)) {
    sites->n_seconds++;
    return set_bit(sites, &sites->seconds, i_site) ? 0 : -ENOMEM;
  }
  if (!is_same && has_run(sites, i_site)) {
    sites->n_firsts++;
    return set_bit(sites, &sites->firsts, i_site) ? 0 : -ENOMEM;
  }
  return 0;
}

static bool is_called(const struct rt_object *object, size_t i_site) {
  uint64_t end;

  return rt_profile_callee(object, i_site, false, &end);
}

/* Sites between two numbers, whose callees are in one chunk. */
static int compare_chunk(struct rt_pool_sites *sites, struct rt_pool_ends *ends,
                         size_t i_site, size_t end) {
  struct rt_pool *pool = ends->pool;
  const uint64_t word = pool->places.callees + 2 * i_site;
  const uint64_t chunk = word / ARCLINE_POOL_CHUNK_WORDS;
  struct arcline_live_callees *there =
      (void *)(pool->words + word % ARCLINE_POOL_CHUNK_WORDS);
  bool is_changed = false;

  while (i_site < end && !is_called(sites->object, i_site)) {
    i_site++;
    there++;
  }
  if (i_site == end)
    return 0;
  int rc = rt_pool_load(pool, chunk, 1, pool->words);
  for (; i_site < end && !rc; i_site++)
    rc = compare(sites, ends, i_site, there++, &is_changed);
  return rc || !is_changed ? rc : rt_pool_store(pool, chunk, 1, pool->words);
}

/* The calls of the first callees follow from the counts of the functions that
   have the sites: those alone are solved. */
static int solve(struct rt_pool_sites *sites, struct rt_profile *profile) {
  const struct solve_image *const image = &profile->image;
  const size_t n_bytes =
      (solve_n_body_records(image) / 64 + 1) * sizeof(uint64_t);
  uint64_t *bodies = rt_alloc(n_bytes);
  if (!bodies)
    return -ENOMEM;
  for (size_t i = 0; i < sites->n_sites; i++) {
    if (!rt_pool_has_bit(sites->firsts, i))
      continue;
    const uint32_t i_body = solve_site_body(image, site_at(sites, i));
    bodies[i_body / 64] |= (uint64_t)1 << i_body % 64;
  }
  const int rc =
      rt_profile_site_arcs(sites->object, profile, bodies, &sites->arcs);
  rt_free(bodies, n_bytes);
  return rc;
}

int rt_pool_sites_compare(const struct rt_object *object,
                          struct rt_profile *profile, struct rt_pool_ends *ends,
                          struct rt_pool_sites *out) {
  const size_t n = (size_t)(object->image.sites_end - object->image.sites);
  const size_t n_before =
      (size_t)(ends->pool->places.callees % ARCLINE_POOL_CHUNK_WORDS / 2);
  int rc = 0;

  *out = (struct rt_pool_sites){
      .object = object, .profile = profile, .n_sites = n};
  if (n)
    rt_image_for_solver(object, &profile->image);
  for (size_t i = 0; i < n && !rc;) {
    const size_t end = i + SITES - (n_before + i) % SITES;
    rc = compare_chunk(out, ends, i, end < n ? end : n);
    i = end;
  }
  if (!rc && out->n_firsts)
    rc = solve(out, profile);
  return rc ? rc : ends->error;
}

/* The index of the site that an arc is one of, or n_sites. */
static size_t site_of(const struct rt_pool_sites *sites,
                      const struct solve_arc *arc) {
  const struct rt_object *object = sites->object;
  const uint64_t offset =
      arc->from - ((uintptr_t)object->image.sites - object->load_bias);
  const size_t i = (size_t)(offset / sizeof(*object->image.sites));

  return i < sites->n_sites ? i : sites->n_sites;
}

/* Is it one of a site with another first callee? */
static bool is_solved(const struct rt_pool_sites *sites,
                      const struct solve_arc *arc) {
  const size_t i = site_of(sites, arc);

  return i < sites->n_sites && rt_pool_has_bit(sites->firsts, i);
}

size_t rt_pool_sites_n_arcs(const struct rt_pool_sites *sites) {
  return sites->profile->n_arcs + sites->arcs.n + sites->n_seconds;
}

int rt_pool_sites_each_arc(const struct rt_pool_sites *sites,
                           int (*visit)(void *context,
                                        const struct solve_arc *arc),
                           void *context) {
  const struct rt_profile *const profile = sites->profile;
  const uint64_t vaddr = profile->image.sections[SOLVE_SITES].vaddr;
  int rc = 0;

  for (size_t i = 0; i < profile->n_arcs && !rc; i++)
    if (!is_solved(sites, &profile->arcs[i]))
      rc = visit(context, &profile->arcs[i]);
  for (size_t i = 0; i < sites->arcs.n && !rc; i++)
    if (is_solved(sites, &sites->arcs.arcs[i]))
      rc = visit(context, &sites->arcs.arcs[i]);
  for (size_t i = 0; sites->seconds && i < sites->n_sites && !rc; i++) {
    struct solve_arc arc = {.from = vaddr + i * sizeof(struct arcline_site)};
    if (!rt_pool_has_bit(sites->seconds, i))
      continue;
    rt_profile_callee(sites->object, i, true, &arc.self);
    arc.count = n_second(sites, i);
    rc = visit(context, &arc);
  }
  return rc;
}

int rt_pool_sites_fix_cells(const struct rt_pool_sites *sites,
                            struct rt_pool *pool) {
  int rc = 0;

  if (!sites->n_firsts && !sites->n_seconds)
    return 0;
  for (size_t i = 0; i < sites->n_sites && !rc; i++) {
    const bool is_moved =
        rt_pool_has_bit(sites->firsts, i) || rt_pool_has_bit(sites->seconds, i);
    const uint64_t less = is_moved ? 0 - n_second(sites, i) : 0;
    if (!less)
      continue;
    const uint32_t cell =
        solve_site_cell(&sites->profile->image, site_at(sites, i));
    rc = rt_pool_add_words(pool, ARCLINE_POOL_FIGURES + cell, &less, 1, NULL);
  }
  return rc;
}

void rt_pool_sites_free(struct rt_pool_sites *sites) {
  rt_free(sites->seconds, sites->seconds ? bits_bytes(sites) : 0);
  rt_free(sites->firsts, sites->firsts ? bits_bytes(sites) : 0);
  rt_free(sites->arcs.arcs, sites->arcs.n_room * sizeof(*sites->arcs.arcs));
}
