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

static const char *text_at(const struct solver *s, uint32_t name) {
  return (const char *)s->image->sections[SOLVE_DATA].bytes + name - 1;
}

/* Returns the slot with the name, or the free one for it. */
static struct solve_name *find_by_text(const struct solver *s,
                                       const char *name) {
  const struct solve_names *names = &s->by_text;
  const uint64_t hash = arcline_name_hash(name);
  uint32_t i = (uint32_t)(hash ^ hash >> 32) & names->mask;

  while (names->slots[i].name &&
         !is_same_text(text_at(s, names->slots[i].name), name))
    i = (i + 1) & names->mask;
  return &names->slots[i];
}

static struct solve_name *find_by_address(const struct solve_names *names,
                                          uint32_t name) {
  // Names that lie side by side have slots side by side, for the sake of the
  // caches; hardly any is shorter than four bytes.
  uint32_t i = name >> 2 & names->mask;

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
         (!s->heads[i_func].own_body || flags & ARCLINE_FUNC_WEAK);
}

static void enter_address(struct solver *s, uint32_t i_func, uint32_t name) {
  struct solve_name *slot = find_by_address(&s->by_address, name);

  if (!slot->name)
    *slot = (struct solve_name){name, i_func};
}

static void enter_text(struct solver *s, uint32_t i_func, uint32_t name) {
  if (solve_func_records(s->image)[i_func].flags & ARCLINE_FUNC_LOCAL)
    return;
  // Units may see different definitions of an inline function, or a weak
  // definition and another one; the linker keeps the code of one of them.
  struct solve_name *slot = find_by_text(s, text_at(s, name));
  if (!slot->name || is_replaceable(s, slot->i_func))
    *slot = (struct solve_name){name, i_func};
}

static void enter_aliases(struct solver *s, uint32_t i_func,
                          void (*enter)(struct solver *s, uint32_t i_func,
                                        uint32_t name)) {
  const struct arcline_func *record = &solve_func_records(s->image)[i_func];
  const uint8_t *const data = s->image->sections[SOLVE_DATA].bytes;
  struct solve_func_record func;

  if (solve_read_func(s->image, i_func, &func) != SOLVE_FINE)
    return;
  struct arcline_cursor cursor = func.aliases;
  const uint64_t strings = (uint64_t)((const uint8_t *)func.strings - data);
  for (uint32_t n = func.n_aliases; n && !cursor.bad; n--) {
    const uint32_t alias = arcline_read_u32(&cursor);
    if (!cursor.bad && alias < record->strings_bytes && func.strings[alias] &&
        strings + alias < SOLVE_NONE)
      enter(s, i_func, (uint32_t)(strings + alias) + 1);
  }
}

/* Enters the names of all functions. */
static void enter_names(struct solver *s,
                        void (*enter)(struct solver *s, uint32_t i_func,
                                      uint32_t name)) {
  for (uint32_t i = 0; i < s->n_funcs; i++) {
    const uint32_t name = s->heads[i].name;
    if (name == SOLVE_NONE)
      continue;
    if (*text_at(s, name + 1))
      enter(s, i, name + 1);
    if (s->n_aliases)
      enter_aliases(s, i, enter);
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
  const char *text = caller->record.strings + string;
  const uint32_t name =
      (uint32_t)((const uint8_t *)text - s->image->sections[SOLVE_DATA].bytes) +
      1;
  // Names of a unit are stored once, so the unit's own functions, including
  // local ones, are identified by address.
  const struct solve_name *own = find_by_address(&s->by_address, name);
  if (own->name && !is_replaceable(s, own->i_func))
    return own->i_func;
  struct solve_name *last = &s->resolved[name >> 2 & s->resolved_mask];
  if (last->name != name) {
    if (!s->has_texts)
      enter_names(s, enter_text);
    s->has_texts = true;
    const struct solve_name *found = find_by_text(s, text);
    *last = (struct solve_name){name, found->name ? found->i_func : SOLVE_NONE};
  }
  return last->i_func;
}

void solve_names_prepare(struct solver *s) {
  enter_names(s, enter_address);
  for (uint32_t i = 0; i < s->n_bodies; i++)
    if (s->bodies[i].vaddr)
      enter_body(s, i);
}
