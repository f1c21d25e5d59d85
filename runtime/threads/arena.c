/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "threads/arena.h"
#include "os/os.h"

struct arena {
  struct arena *next;
  size_t n_used; /* may pass RT_ARENA_BYTES when several threads find it full */
};

static struct arena *arenas;

/* The first pieces are beside other variables, so that a process with one
   thread touches no page for its record. */
static struct {
  _Alignas(16) char memory[512];
  size_t n_used; /* as in an arena */
} first;

void *rt_arena_alloc(size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (rt_load(&first.n_used) + bytes <= sizeof(first.memory)) {
    const size_t at =
        __atomic_fetch_add(&first.n_used, bytes, __ATOMIC_ACQ_REL);
    if (at + bytes <= sizeof(first.memory))
      return first.memory + at;
  }
  for (;;) {
    struct arena *arena = rt_load(&arenas);
    if (arena) {
      const size_t at =
          __atomic_fetch_add(&arena->n_used, bytes, __ATOMIC_ACQ_REL);
      if (at + bytes <= RT_ARENA_BYTES)
        return (char *)arena + at;
    }
    struct arena *fresh = rt_map(RT_ARENA_BYTES);
    if (!fresh)
      return NULL;
    fresh->next = arena;
    fresh->n_used = (sizeof(*fresh) + 15) & ~(size_t)15;
    if (!rt_cas(&arenas, &arena, fresh))
      rt_unmap(fresh, RT_ARENA_BYTES);
  }
}

void rt_arena_release(void) {
  while (arenas) {
    struct arena *next = arenas->next;
    rt_unmap(arenas, RT_ARENA_BYTES);
    arenas = next;
  }
}
