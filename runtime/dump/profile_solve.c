/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Solves an object's profile, and passes it to the writer of files. */
#include <errno.h>

#include "arcline/live_format.h"
#include "dump/profile.h"
#include "objects/link_map.h"
#include "objects/load_history.h"
#include "os/os.h"
#include "os/scratch.h"
#include "settings/settings.h"
#include "write/gmon.h"

_Static_assert((int)RT_MAX_TEXTS == (int)SOLVE_MAX_TEXTS,
               "the solver has room for all texts");
_Static_assert((int)RT_CHUNK_BINS == (int)WRITE_CHUNK_BINS,
               "the writer looks at what is touched");

/* One day a linker will pad a section: whole records only. */
static struct solve_section section(const struct rt_object *object,
                                    const void *first, const void *end,
                                    size_t record_bytes) {
  const size_t n_bytes = (uintptr_t)end - (uintptr_t)first;

  return (struct solve_section){
      .bytes = first,
      .vaddr = (uint64_t)(uintptr_t)first - object->load_bias,
      .n_bytes = n_bytes - n_bytes % record_bytes,
  };
}

void rt_image_for_solver(const struct rt_object *object,
                         struct solve_image *out) {
  const struct rt_image *image = &object->image;
  struct solve_section *sections = out->sections;

  sections[SOLVE_CELLS] =
      section(object, image->cells, image->cells_end, sizeof(*image->cells));
  sections[SOLVE_FUNCS] =
      section(object, image->funcs, image->funcs_end, sizeof(*image->funcs));
  sections[SOLVE_BODIES] =
      section(object, image->bodies, image->bodies_end, sizeof(*image->bodies));
  sections[SOLVE_SITES] =
      section(object, image->sites, image->sites_end, sizeof(*image->sites));
  sections[SOLVE_PLANS] = section(object, image->plans, image->plans_end, 1);
  sections[SOLVE_DATA] = section(object, image->data, image->data_end, 1);
  out->n_texts = object->n_texts;
  for (size_t i = 0; i < object->n_texts; i++)
    out->texts[i] = (struct solve_range){object->texts[i].low_vaddr,
                                         object->texts[i].high_vaddr};
  out->is_library = object->suffix[0] != '\0';
}

bool rt_profile_callee(const struct rt_object *object, size_t i_site,
                       bool is_second, uint64_t *end) {
  const struct arcline_site *site = &object->image.sites[i_site];
  const struct arcline_live_callees *mirror =
      object->live.is_left && object->live.callees
          ? &object->live.callees[i_site]
          : NULL;
  uint64_t pc = 0;

  // It has what the relative has found since it was made, and decides.
  if (mirror)
    pc = rt_load(is_second ? &mirror->second : &mirror->callee);
  if (!pc)
    pc = __atomic_load_n(is_second ? &site->second : &site->callee,
                         __ATOMIC_RELAXED);
  const uint64_t vaddr = pc - object->load_bias;

  *end = !pc                                ? 0
         : rt_image_has_text(object, vaddr) ? vaddr
                                            : rt_load_history_find(pc, true);
  return pc != 0;
}

static uint64_t callee(const void *context, size_t i_site, bool is_second) {
  uint64_t end;

  rt_profile_callee(context, i_site, is_second, &end);
  return end;
}

static void *allocate(size_t n_bytes, size_t n_used) {
  void *memory = rt_alloc(n_bytes);

  if (memory && n_used)
    rt_fill(memory, n_used);
  return memory;
}

/* bodies: those to be read, or NULL. */
static struct solver *open_solver(const struct rt_object *object,
                                  const struct rt_profile *profile,
                                  const uint64_t *bodies) {
  const struct solve_input input = {
      .image = &profile->image,
      .cells = profile->cells,
      .touched = profile->touched,
      .bodies = bodies,
      .has_all_blocks = rt_settings()->has_all_blocks,
      .arcs = profile->arcs,
      .n_arcs = profile->n_arcs,
      .callee = callee,
      .context = object,
      .alloc = allocate,
      .free = rt_free,
  };

  return solve_open(&input);
}

static int solve(const struct rt_object *object,
                 int (*how)(struct solver *solver, struct solve_arcs *out),
                 struct rt_profile *out) {
  struct solve_arcs arcs;

  out->solver = open_solver(object, out, NULL);
  if (!out->solver || how(out->solver, &arcs))
    return -ENOMEM;
  rt_free(out->arcs, out->n_arcs_room * sizeof(*out->arcs));
  out->arcs = arcs.arcs;
  out->n_arcs = arcs.n;
  out->n_arcs_room = arcs.n_room;
  return 0;
}

int rt_profile_solve(const struct rt_object *object, struct rt_profile *out) {
  const struct rt_image *image = &object->image;

  if (image->funcs == image->funcs_end && image->sites == image->sites_end)
    return 0;
  rt_image_for_solver(object, &out->image);
  return solve(object, solve_profile, out);
}

int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out) {
  if (object->image.sites == object->image.sites_end)
    return 0;
  rt_image_for_solver(object, &out->image);
  return solve(object, solve_sites, out);
}

int rt_profile_site_arcs(const struct rt_object *object,
                         struct rt_profile *profile, const uint64_t *bodies,
                         struct solve_arcs *out) {
  struct solver *solver = open_solver(object, profile, bodies);
  const int rc = solver ? solve_sites(solver, out) : -1;

  solve_close(solver);
  return rc ? -ENOMEM : 0;
}

int rt_profile_write(const void *what, struct write_sink *sink) {
  const struct rt_profile *profile = what;
  struct write_text texts[RT_MAX_TEXTS];

  for (size_t i = 0; i < profile->n_texts; i++) {
    const struct rt_text *const text = &profile->texts[i];
    texts[i] = (struct write_text){
        .low_vaddr = text->low_vaddr,
        .high_vaddr = text->high_vaddr,
        .bins = rt_load(&text->is_sampled) ? text->bins : NULL,
        .touched = text->touched};
  }
  const struct write_profile file = {
      .build_id = profile->build_id,
      .texts = texts,
      .n_texts = profile->n_texts,
      .bin_bytes = profile->bin_bytes,
      .dimension = profile->clock.dimension,
      .abbreviation = profile->clock.abbreviation,
      .rate = profile->clock.rate,
      .arcs = profile->arcs,
      .n_arcs = profile->n_arcs,
      .solver = profile->solver,
      .cells = profile->cells,
      .touched = profile->touched,
      .n_cells = profile->n_cells,
      .cells_vaddr = profile->cells_vaddr,
  };
  return write_gmon(&file, sink);
}
