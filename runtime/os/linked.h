/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Lists the objects that the dynamic linker has loaded, and their exported
 * symbols. It reads struct r_debug, as debuggers do, and calls no function of
 * libc, which a program may wrap or define, and which would be an undefined
 * symbol of every library. All of it runs: startup, while the dynamic linker
 * calls constructors; no other thread loads or unloads then. */
#ifndef ARCLINE_RT_LINKED_H
#define ARCLINE_RT_LINKED_H

#include <link.h>

#include "os/os.h"

/** One object; the executable comes first, then the others of its namespace in
 * the order of symbol look-up, then other namespaces. */
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

/** The address of a pointer in a dynamic section: glibc relocates most of these
 * pointers in memory, other dynamic linkers none. Runs: anywhere. */
static inline const void *rt_dynamic_pointer(uintptr_t bias, uintptr_t value) {
  return (const void *)(value < bias ? value + bias : value);
}

/** Returns false if there is none, as in static executables. */
bool rt_linked_first(struct rt_linked *linked);
bool rt_linked_next(struct rt_linked *linked);
/** Is it the object with this copy of the runtime? */
bool rt_linked_is_own(const struct rt_linked *linked);
/** The headers of a listed object. They are not mapped if its file begins at an
 * address other than 0. */
bool rt_linked_program(const struct rt_linked *linked, struct rt_program *out);
/** Does the executable need the object with this dynamic section, by name? Then
 * it is never unloaded. Runs: also exit. */
bool rt_linked_is_needed(const void *dynamic);
/** Was the object with this copy of the runtime loaded with the program, so
 * that it stays to the end? */
bool rt_linked_is_from_start(void);

/** The tables of an object's dynamic section that a look-up reads. */
struct rt_exports {
  uintptr_t bias;
  const ElfW(Sym) * symbols;
  const char *strings;
  const uint32_t *hash, *gnu_hash;
  const uint16_t *versions;
};

void rt_linked_exports(const struct link_map *map, struct rt_exports *out);
/** The address of a function or variable that the object defines, in its
 * default version; NULL if it defines none. */
void *rt_exports_find(const struct rt_exports *exports, const char *name);

/** Let the other objects of the program's namespace call a function by this
 * name, as if the executable exported it. Ignored if it exports the name, and
 * on machines without RT_CPU_HAS_SEGMENT. */
void rt_linked_redirect(const char *name, const void *function);

/** The program headers after an ELF header in memory; NULL: those of the
 * executable. */
bool rt_program_of(const ElfW(Ehdr) * header, struct rt_program *out);
/** An entry of the auxiliary vector, or 0; by a system call. */
unsigned long rt_linked_auxv(unsigned long type);

#endif
