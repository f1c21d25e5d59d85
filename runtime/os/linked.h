/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** The objects that the dynamic linker has loaded, and what they export: read
 * where debuggers read it (struct r_debug), so that no function of libc is
 * referred to, which a program may wrap or define, and which would be an
 * undefined symbol of every library. All of it runs: startup, while the dynamic
 * linker calls constructors; nobody else loads or unloads then. */
#ifndef ARCLINE_RT_LINKED_H
#define ARCLINE_RT_LINKED_H

#include <link.h>

#include "os/os.h"

/** One object; the executable comes first, then the others of its namespace in
 * the order in which symbols are looked for, then other namespaces. */
struct rt_linked {
  const struct link_map *map;
  const void *space; /* the namespace's struct r_debug */
  size_t position;   /* from 1 */
};

/** Program headers of an object. */
struct rt_program {
  const ElfW(Phdr) * headers;
  size_t n;
  uintptr_t bias; /* pc minus vaddr */
};

/** False: there is none, as in static executables. */
bool rt_linked_first(struct rt_linked *linked);
bool rt_linked_next(struct rt_linked *linked);
/** Whether it is the one that this copy of the runtime lies in. */
bool rt_linked_is_own(const struct rt_linked *linked);
/** The headers of a listed object. They are not there if its file begins
 * elsewhere than at address 0. */
bool rt_linked_program(const struct rt_linked *linked, struct rt_program *out);
/** Whether the object that this copy of the runtime lies in was loaded with the
 * program, so that it stays to the end. Runs: also exit. */
bool rt_linked_is_from_start(void);
/** Where an object defines a function or variable, NULL if it does not. Of
 * several versions the default one. */
void *rt_linked_symbol(const struct link_map *map, const char *name);

/** The program headers behind an ELF header in memory, NULL for those of the
 * executable. */
bool rt_program_of(const ElfW(Ehdr) * header, struct rt_program *out);
/** An entry of the auxiliary vector, or 0; asks the kernel. */
unsigned long rt_linked_auxv(unsigned long type);

#endif
