/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pointers are read directly; dlsym() would take locks, and find another
   function than the one that was called if libraries do not see each other.
   Source of the layouts: gABI, "Dynamic Section" and "Relocation". */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <link.h>

#include "arcline/name_hash.h"
#include "arcline/pool_places.h"
#include "cpu/cpu.h"
#include "dump/targets.h"
#include "objects/link_map.h"
#include "objects/maps.h"
#include "os/linked.h"
#include "os/scratch.h"

/* Relocations of an object, one array of them. */
struct relocations {
  const ElfW(Rela) * first;
  size_t n;
};

/* The tables of an object's dynamic section. */
struct linkage {
  struct relocations tables[2];
  const ElfW(Sym) * symbols;
  const char *strings;
};

/* Being collected. */
struct collection {
  struct rt_targets *out;
  struct solve_arc *called; /* hashes of names, sorted; of the object at hand */
  size_t n_called;
  bool takes_all; /* names, called or not */
};

static void read_dynamic(const struct rt_object *object, struct linkage *out) {
  const ElfW(Dyn) *entry = object->image.dynamic;
  size_t n_relative = 0;

  for (; entry->d_tag != DT_NULL; entry++) {
    const uintptr_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
    case DT_JMPREL:
      out->tables[0].first = rt_dynamic_pointer(object->load_bias, value);
      break;
    case DT_PLTRELSZ:
      out->tables[0].n = value / sizeof(ElfW(Rela));
      break;
    case DT_RELA:
      out->tables[1].first = rt_dynamic_pointer(object->load_bias, value);
      break;
    case DT_RELASZ:
      out->tables[1].n = value / sizeof(ElfW(Rela));
      break;
    case DT_RELACOUNT:
      n_relative = value;
      break;
    case DT_SYMTAB:
      out->symbols = rt_dynamic_pointer(object->load_bias, value);
      break;
    case DT_STRTAB:
      out->strings = rt_dynamic_pointer(object->load_bias, value);
      break;
    }
  }
  // Most are those of pointers to data, and come first.
  if (n_relative <= out->tables[1].n) {
    out->tables[1].first += n_relative;
    out->tables[1].n -= n_relative;
  }
}

/* In a static executable only resolvers' pointers are left to be filled in. */
static void read_linkage(const struct rt_object *object, struct linkage *out) {
  *out = (struct linkage){.symbols = NULL};
  if (object->image.dynamic)
    read_dynamic(object, out);
  else
    out->tables[0] = (struct relocations){
        object->image.resolved,
        (size_t)((const ElfW(Rela) *)object->image.resolved_end -
                 (const ElfW(Rela) *)object->image.resolved)};
  for (size_t i = 0; i < 2; i++)
    if (!out->tables[i].first)
      out->tables[i].n = 0;
}

static bool has_files(const struct rt_uninstrumented *outside) {
  for (size_t i = 0; i < outside->n_objects; i++)
    if (outside->objects[i].path[0] == '/')
      return true;
  return false;
}

/* Notes the names that the object has called. Those of others with an equal
   hash do no harm: their targets are true as well. */
static int note_called(struct collection *collection,
                       const struct rt_object *object) {
  const size_t n = object->crossing.n;
  struct solve_arc *called = rt_alloc((n + 1) * sizeof(*called));
  struct solve_arc *scratch = rt_alloc((n + 1) * sizeof(*scratch));

  collection->called = called;
  collection->n_called = 0;
  if (called && scratch) {
    size_t n_called = 0;
    for (size_t i = 0; i < n; i++) {
      const uint64_t self = object->crossing.arcs[i].self;
      if (self & SOLVE_OUTSIDE_NAMED)
        called[n_called++] = (struct solve_arc){
            .from = arcline_name_hash(object->crossing.names +
                                      solve_outside_name(self)),
            .count = 1};
    }
    collection->n_called = solve_arcs_merge(called, n_called, scratch);
  }
  rt_free(scratch, (n + 1) * sizeof(*scratch));
  return called && scratch ? 0 : -ENOMEM;
}

static bool is_called(const struct collection *collection, const char *name) {
  size_t low = 0, high = collection->n_called;

  if (collection->takes_all)
    return true;
  const uint64_t hash = arcline_name_hash(name);

  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (collection->called[middle].from < hash)
      low = middle + 1;
    else
      high = middle;
  }
  return low < collection->n_called && collection->called[low].from == hash;
}

static void add(struct collection *collection, const struct rt_target *target) {
  struct rt_targets *out = collection->out;

  if (out->n < out->room)
    out->targets[out->n++] = *target;
}

static uint64_t relocated(const struct rt_object *object,
                          const ElfW(Rela) * relocation) {
  return *(const uintptr_t *)(object->load_bias + relocation->r_offset);
}

/* With a name, offset is the callee's pc for now. Other relocations may have no
   address: GNU ld leaves R_RISCV_NONE at 0. */
static void add_relocation(struct collection *collection,
                           const struct rt_object *object, size_t i_object,
                           const struct linkage *linkage,
                           const ElfW(Rela) * relocation) {
  const uint32_t type = (uint32_t)(relocation->r_info & UINT32_MAX);

  if (type == RT_CPU_RELOC_RESOLVED) {
    add(collection,
        &(struct rt_target){.i_caller = i_object,
                            .at = (uint64_t)relocation->r_addend,
                            .offset = relocated(object, relocation) -
                                      object->load_bias});
  } else if ((type == RT_CPU_RELOC_JUMP || type == RT_CPU_RELOC_POINTER) &&
             linkage->symbols && linkage->strings) {
    const ElfW(Sym) *symbol =
        &linkage->symbols[(uint64_t)relocation->r_info >> 32];
    const char *name = linkage->strings + symbol->st_name;
    if (is_called(collection, name))
      add(collection,
          &(struct rt_target){.i_caller = i_object,
                              .name = name,
                              .offset = relocated(object, relocation)});
  }
}

static void add_object(struct collection *collection,
                       const struct rt_object *object, size_t i_object) {
  struct linkage linkage;

  read_linkage(object, &linkage);
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < linkage.tables[i].n; j++)
      add_relocation(collection, object, i_object, &linkage,
                     &linkage.tables[i].first[j]);
}

static size_t count_relocations(const struct rt_object *object) {
  struct linkage linkage;

  read_linkage(object, &linkage);
  return linkage.tables[0].n + linkage.tables[1].n;
}

uint64_t rt_targets_hash_resolved(const struct rt_object *object) {
  uint64_t hash = 0;
  struct linkage linkage;

  read_linkage(object, &linkage);
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < linkage.tables[i].n; j++) {
      const ElfW(Rela) *it = &linkage.tables[i].first[j];
      if ((uint32_t)(it->r_info & UINT32_MAX) == RT_CPU_RELOC_RESOLVED)
        hash =
            arcline_pool_mix(hash, relocated(object, it) - object->load_bias);
    }
  return hash;
}

/* The index of a file among those with samples; their number: none of them. */
static size_t find_file(const struct rt_uninstrumented *outside,
                        const char *path) {
  const size_t n = rt_length(path) + 1;
  size_t i = 0;

  while (i < outside->n_objects &&
         (path[0] != '/' || rt_length(outside->objects[i].path) + 1 != n ||
          !rt_equal(outside->objects[i].path, path, n)))
    i++;
  return i;
}

/* Makes offsets in files of what callees are called by name. */
static void locate(struct rt_targets *targets,
                   const struct rt_uninstrumented *outside,
                   struct rt_maps *maps) {
  struct rt_map_line map;
  size_t n_kept = 0;

  for (size_t i = 0; i < targets->n; i++)
    targets->targets[i].i_object = outside->n_objects;
  rt_maps_open(maps);
  while (rt_maps_next(maps, &map)) {
    const size_t i_object = find_file(outside, map.path);
    for (size_t i = 0; i_object < outside->n_objects && i < targets->n; i++) {
      struct rt_target *target = &targets->targets[i];
      if (target->name && target->i_object == outside->n_objects &&
          target->offset >= map.start && target->offset < map.end) {
        target->i_object = i_object;
        target->offset += map.offset - map.start;
      }
    }
  }
  rt_maps_close(maps);
  for (size_t i = 0; i < targets->n; i++)
    if (!targets->targets[i].name ||
        targets->targets[i].i_object < outside->n_objects)
      targets->targets[n_kept++] = targets->targets[i];
  targets->n = n_kept;
}

static int collect(const struct rt_object **objects, size_t n_objects,
                   bool is_named, bool is_pool, struct rt_targets *out) {
  struct collection collection = {.out = out, .takes_all = is_named && is_pool};
  int rc = 0;

  for (size_t i = 0; i < n_objects; i++)
    if (rt_load(&objects[i]->state) == RT_ATTACHED)
      out->room += count_relocations(objects[i]);
  if (!out->room)
    return 0;
  out->targets = rt_alloc(out->room * sizeof(*out->targets));
  if (!out->targets)
    return -ENOMEM;
  for (size_t i = 0; i < n_objects && !rc; i++) {
    if (rt_load(&objects[i]->state) != RT_ATTACHED)
      continue;
    rc = is_named && !is_pool ? note_called(&collection, objects[i]) : 0;
    if (!rc)
      add_object(&collection, objects[i], i);
    rt_free(collection.called,
            (objects[i]->crossing.n + 1) * sizeof(*collection.called));
    collection.called = NULL;
  }
  return rc;
}

int rt_targets_collect(const struct rt_object **objects, size_t n_objects,
                       const struct rt_uninstrumented *outside, bool is_pool,
                       struct rt_targets *out) {
  *out = (struct rt_targets){.n = 0};
  const bool is_named = has_files(outside);
  const int rc = collect(objects, n_objects, is_named, is_pool, out);

  if (rc || !is_named || !out->n)
    return rc;
  struct rt_maps *maps = rt_alloc(sizeof(*maps));
  if (!maps)
    return -ENOMEM;
  locate(out, outside, maps);
  rt_free(maps, sizeof(*maps));
  return 0;
}

void rt_targets_free(struct rt_targets *targets) {
  rt_free(targets->targets, targets->room * sizeof(*targets->targets));
}
