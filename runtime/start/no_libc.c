/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Takes the place of libc_linked.c in shared objects: programs that load these
   have a dynamic linker to ask, and nothing of libc is referred to by name. */
#include "counting/reserve.h"
#include "os/libc.h"

const struct rt_libc rt_libc_linked = {.auxv = NULL};

char ***rt_libc_environment(void) { return NULL; }

intptr_t rt_reserve_alloc(void) { return 0; }

void rt_reserve_free(intptr_t distance) { (void)distance; }
