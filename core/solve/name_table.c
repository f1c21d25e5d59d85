/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions by name and by address. */
#include "arcline/name_hash.h"
#include "solve/solver.h"

/* One of them may be shortened to its hash. */
static bool is_same_text(const char *a, const char *b) {
  if (arcline_name_is_short(a) != arcline_name_is_short(b))
    return arcline_name_hash(a) == arcline_name_hash(b);
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

/* Returns the slot with the name, or the free one for it. */
static struct solve_name *find_by_text(const struct solve_names *names,
                                       const char *name) {
  const uint64_t hash = arcline_name_hash(name);
  uint32_t i = (uint32_t)(hash ^ hash >> 32) & names->mask;

  while (names->slots[i].name && !is_same_text(names->slots[i].name, name))
    i = (i + 1) & names->mask;
  return &names->slots[i];
}

static struct solve_name *find_by_address(const struct solve_names *names,
                                          const char *name) {
  // Adjacent names have adjacent slots, which suits the caches; hardly any name
  // is shorter than four bytes.
  uint32_t i = (uint32_t)((uintptr_t)name >> 2) & names->mask;

  while (names->slots[i].name && names->slots[i].name != name)
    i = (i + 1) & names->mask;
  return &names->slots[i];
}

/* May calls of the function go to another unit's of the same name? */
static bool is_replaceable(const struct solver *s, uint32_t i_func) {
  if (i_func == SOLVE_NONE)
    return false;
  const uint16_t flags = solve_func_records(s->image)[i_func].flags;
  return !(flags & ARCLINE_FUNC_LOCAL) &&
         (!s->funcs[i_func].vaddr || flags & ARCLINE_FUNC_WEAK);
}

static void enter_name(struct solver *s, uint32_t i_func, uint32_t string) {
  const struct arcline_func *record = &solve_func_records(s->image)[i_func];
  const struct solve_func *func = &s->funcs[i_func];

  if (string >= record->strings_bytes || !func->record.strings[string])
    return;
  const struct solve_name entry = {func->record.strings + string, i_func};
  struct solve_name *slot = find_by_address(&s->by_address, entry.name);
  if (!slot->name)
    *slot = entry;
  if (record->flags & ARCLINE_FUNC_LOCAL)
    return;
  // Units may see different definitions of an inline function, or a weak
  // definition and another one; the linker keeps the code of one of them.
  slot = find_by_text(&s->by_text, entry.name);
  if (!slot->name || is_replaceable(s, slot->i_func))
    *slot = entry;
}

static void enter_names(struct solver *s, uint32_t i_func) {
  const struct solve_func *func = &s->funcs[i_func];
  struct arcline_cursor cursor = func->record.aliases;

  if (!func->n_names)
    return;
  enter_name(s, i_func, func->record.head.name);
  for (uint32_t n = func->n_names - 1; n && !cursor.bad; n--) {
    const uint32_t alias = arcline_read_u32(&cursor);
    if (!cursor.bad)
      enter_name(s, i_func, alias);
  }
}

static void enter_body(struct solver *s, uint32_t i_body) {
  uint32_t i = (uint32_t)(s->bodies[i_body].vaddr >> 4) & s->by_vaddr_mask;

  while (s->by_vaddr[i])
    i = (i + 1) & s->by_vaddr_mask;
  s->by_vaddr[i] = i_body + 1;
}

uint32_t solve_names_at(const struct solver *s, uint64_t vaddr) {
  uint32_t i = (uint32_t)(vaddr >> 4) & s->by_vaddr_mask;

  for (; s->by_vaddr[i]; i = (i + 1) & s->by_vaddr_mask)
    if (s->bodies[s->by_vaddr[i] - 1].vaddr == vaddr)
      return s->bodies[s->by_vaddr[i] - 1].i_func;
  return SOLVE_NONE;
}

uint32_t solve_names_resolve(struct solver *s, const struct solve_func *caller,
                             uint32_t string) {
  const char *name = caller->record.strings + string;
  // Names of a unit are stored once, so the unit's own functions, including
  // local ones, are identified by address.
  const struct solve_name *own = find_by_address(&s->by_address, name);
  if (own->name && !is_replaceable(s, own->i_func))
    return own->i_func;
  struct solve_name *last =
      &s->resolved[((uintptr_t)name >> 2) % SOLVE_N_RESOLVED];
  if (last->name != name) {
    const struct solve_name *found = find_by_text(&s->by_text, name);
    *last = (struct solve_name){name, found->name ? found->i_func : SOLVE_NONE};
  }
  return last->i_func;
}

void solve_names_prepare(struct solver *s) {
  for (uint32_t i = 0; i < s->n_funcs; i++)
    enter_names(s, i);
  for (uint32_t i = 0; i < s->n_bodies; i++)
    if (s->bodies[i].vaddr)
      enter_body(s, i);
}
