/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two lists, of which one is read while the other is made. Who reads has it
   counted, so that a list is not made where somebody reads: he is in a handler,
   and will soon be done. */
#include <elf.h>
#include <errno.h>

#include "objects/maps.h"
#include "os/os.h"
#include "unwind/code_map.h"

enum { N_LISTS = 2, MAX_PAUSE = 1 << 14 };

static struct {
  struct {
    struct rt_code lists[N_LISTS];
    struct rt_maps maps;
  } * memory;
  uint32_t current;
  bool is_looking;
  struct {
    uint32_t n_pause; /* so many requests are left alone after one */
    uint32_t n_asked; /* requests since the last one that was not */
  } doubts[RT_CODE_N_DOUBTS];
} known;

/* Ranges side by side that have the same tables are one. */
static void add(struct rt_code *code, const struct rt_map_line *map,
                uint64_t index) {
  struct rt_code_range *last = code->n ? &code->ranges[code->n - 1] : NULL;

  if (last && last->end == map->start && last->index == index)
    last->end = map->end;
  else if (code->n < RT_CODE_RANGES)
    code->ranges[code->n++] = (struct rt_code_range){
        .start = map->start, .end = map->end, .index = index};
}

static void read_all(struct rt_code *code) {
  struct rt_maps *maps = &known.memory->maps;
  struct rt_map_line map;

  code->n = 0;
  rt_maps_open(maps);
  while (rt_maps_next(maps, &map)) {
    const uint64_t index = rt_maps_segment(maps, &map, PT_GNU_EH_FRAME);
    // All of an image: emulators do not map its code as executable.
    if (map.is_executable || index)
      add(code, &map, index);
  }
  rt_maps_close(maps);
}

static bool is_same(const struct rt_code *a, const struct rt_code *b) {
  return a->n == b->n &&
         rt_equal(a->ranges, b->ranges, a->n * sizeof *a->ranges);
}

/* Returns whether there is something new. Only one thread at a time. */
static bool look(void) {
  const struct rt_code *old = &known.memory->lists[known.current];
  const uint32_t i_next = (known.current + 1) % N_LISTS;
  struct rt_code *next = &known.memory->lists[i_next];

  if (__atomic_load_n(&next->n_readers, __ATOMIC_SEQ_CST))
    return false;
  read_all(next);
  if (is_same(old, next))
    return false;
  next->generation = old->generation + 1;
  __atomic_store_n(&known.current, i_next, __ATOMIC_SEQ_CST);
  return true;
}

int rt_code_init(void) {
  known.memory = rt_map(sizeof *known.memory);
  if (!known.memory)
    return -ENOMEM;
  look();
  return 0;
}

void rt_code_release(void) {
  rt_unmap(known.memory, sizeof *known.memory);
  known.memory = NULL;
}

void rt_code_in_child(void) {
  known.is_looking = false;
  for (int i = 0; known.memory && i < N_LISTS; i++)
    known.memory->lists[i].n_readers = 0;
}

struct rt_code *rt_code_enter(void) {
  for (;;) {
    const uint32_t i = __atomic_load_n(&known.current, __ATOMIC_SEQ_CST);
    struct rt_code *code = &known.memory->lists[i];
    __atomic_fetch_add(&code->n_readers, 1, __ATOMIC_SEQ_CST);
    if (i == __atomic_load_n(&known.current, __ATOMIC_SEQ_CST))
      return code;
    rt_code_leave(code);
  }
}

void rt_code_leave(struct rt_code *code) {
  __atomic_fetch_sub(&code->n_readers, 1, __ATOMIC_SEQ_CST);
}

const struct rt_code_range *rt_code_find(const struct rt_code *code,
                                         uint64_t pc) {
  size_t low = 0, high = code->n;

  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (code->ranges[middle].end <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < code->n && code->ranges[low].start <= pc ? &code->ranges[low]
                                                        : NULL;
}

bool rt_code_look_again(enum rt_code_doubt doubt) {
  uint32_t *n_pause = &known.doubts[doubt].n_pause;
  uint32_t *n_asked = &known.doubts[doubt].n_asked;
  bool expected = false;

  if (__atomic_fetch_add(n_asked, 1, __ATOMIC_RELAXED) < rt_load(n_pause) ||
      !rt_cas(&known.is_looking, &expected, true))
    return false;
  rt_store(n_asked, 0);
  const bool is_new = look();
  const uint32_t n_next = 2 * *n_pause + 1;
  rt_store(n_pause, is_new ? 0 : n_next < MAX_PAUSE ? n_next : MAX_PAUSE);
  rt_store(&known.is_looking, false);
  return is_new;
}
