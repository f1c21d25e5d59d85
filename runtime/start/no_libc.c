/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Takes the place of libc_linked.c in shared objects: programs that load these
   have a dynamic linker to ask, and nothing of libc is referred to by name.
   Also keeps the bounds of our sections out of the symbols that they export. */
#include "counting/reserve.h"
#include "os/libc.h"

const struct rt_libc rt_libc_linked = {.auxv = NULL};

char ***rt_libc_environment(void) { return NULL; }

intptr_t rt_reserve_alloc(void) { return 0; }

void rt_reserve_free(intptr_t distance) { (void)distance; }

#define BOUNDS(name)                                                           \
  extern const char __start___arcline_##name[]                                 \
      __attribute__((weak, visibility("hidden")));                             \
  extern const char __stop___arcline_##name[]                                  \
      __attribute__((weak, visibility("hidden")))
#define REFER(name)                                                            \
  ((uintptr_t)__start___arcline_##name ^ (uintptr_t)__stop___arcline_##name)

BOUNDS(cnts);
BOUNDS(func);
BOUNDS(body);
BOUNDS(site);
BOUNDS(plan);
BOUNDS(data);
BOUNDS(segm);
BOUNDS(opts);

/* Never called. GNU ld makes an undefined hidden symbol dynamic when it reads
   the first object that refers to it, here hooks/object.c, and undoes that at
   the second. Tools that compare exported symbols would find the rest. */
static __attribute__((used)) uintptr_t refer_to_bounds(void) {
  return REFER(cnts) ^ REFER(func) ^ REFER(body) ^ REFER(site) ^ REFER(plan) ^
         REFER(data) ^ REFER(segm) ^ REFER(opts);
}
