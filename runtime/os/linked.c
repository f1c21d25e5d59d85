/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Source of the layouts: gABI, "Dynamic Section" and "Hash Table"; for
   DT_GNU_HASH the readers in glibc's manual of ld.so and in LLVM's documents.
   The list begins at DT_DEBUG of the executable, whose program headers are in
   the auxiliary vector. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "cpu/cpu.h"
#include "os/linked.h"
#include "os/safe_read.h"

#ifndef PR_GET_AUXV
#define PR_GET_AUXV 0x41555856
#endif

enum {
  MAX_AUXV = 64,
  VERSION_HIDDEN = 0x8000, /* not the default one; in DT_VERSYM */
  MAX_DISTANCE = 1 << 20,  /* between sections of one segment */
  HAS_NAMESPACES = 2,      /* r_version from which r_next is there */
  LEAST_PAGE_BYTES = 4096,
};

/* As in glibc 2.35's <link.h>. */
struct extended_debug {
  struct r_debug base;
  struct extended_debug *r_next;
};

/* The linker defines it as the beginning of the section; static executables
   have none. */
extern ElfW(Dyn) _DYNAMIC[] __attribute__((weak, visibility("hidden")));
extern const uint8_t __ehdr_start __attribute__((weak, visibility("hidden")));

/* Reads the auxiliary vector. Returns the number of bytes. The file is read
   first: emulators and valgrind show that of their program there. */
static long read_auxv(ElfW(auxv_t) * out, size_t bytes) {
  const long fd = rt_sys(SYS_openat, AT_FDCWD, (long)"/proc/self/auxv",
                         O_RDONLY | O_CLOEXEC, 0, 0);
  long n = fd < 0 ? rt_sys(SYS_prctl, PR_GET_AUXV, (long)out, (long)bytes, 0, 0)
                  : rt_sys(SYS_read, fd, (long)out, (long)bytes, 0, 0);

  if (fd >= 0)
    rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return n < (long)bytes ? n : (long)bytes;
}

static bool has_auxv; /* it was read */

/* Common: see rt_tail. */
extern ElfW(auxv_t) rt_auxv_entries[MAX_AUXV];
ElfW(auxv_t) rt_auxv_entries[MAX_AUXV] __attribute__((common));

unsigned long rt_linked_auxv(unsigned long type) {
  const ElfW(auxv_t) *const entries = rt_auxv_entries;
  static long n_bytes;

  if (!has_auxv)
    n_bytes = read_auxv(rt_auxv_entries, sizeof(rt_auxv_entries));
  has_auxv = true;
  for (long i = 0; i < n_bytes / (long)sizeof(*entries); i++)
    if (entries[i].a_type == type)
      return entries[i].a_un.a_val;
  return 0;
}

/* The bias by the segment that has the file's beginning. */
static bool set_bias(const ElfW(Ehdr) * header, struct rt_program *out) {
  for (size_t i = 0; i < out->n; i++)
    if (out->headers[i].p_type == PT_LOAD && out->headers[i].p_offset == 0) {
      out->bias = (uintptr_t)header - out->headers[i].p_vaddr;
      return true;
    }
  return false;
}

static bool find_executable(struct rt_program *out) {
  out->headers = (const void *)rt_linked_auxv(AT_PHDR);
  out->n = rt_linked_auxv(AT_PHNUM);
  out->bias =
      0; // of executables that do not contain the address of these headers
  for (size_t i = 0; i < out->n; i++)
    if (out->headers[i].p_type == PT_PHDR) {
      out->bias = (uintptr_t)out->headers - out->headers[i].p_vaddr;
      return true;
    }
  // With `ld.so PROGRAM`, these are those of the dynamic linker, directly after
  // its header.
  for (size_t i = 0; i < out->n; i++)
    if (out->headers[i].p_type == PT_LOAD && out->headers[i].p_offset == 0 &&
        out->headers[i].p_vaddr == 0)
      return set_bias((const ElfW(Ehdr) *)out->headers - 1, out);
  return out->n > 0;
}

bool rt_program_of(const ElfW(Ehdr) * header, struct rt_program *out) {
  if (!header)
    return find_executable(out);
  out->headers = (const void *)((const char *)header + header->e_phoff);
  out->n = header->e_phnum;
  return set_bias(header, out);
}

static const ElfW(Dyn) * dynamic_of(const struct rt_program *program) {
  for (size_t i = 0; i < program->n; i++)
    if (program->headers[i].p_type == PT_DYNAMIC)
      return (const void *)(program->bias + program->headers[i].p_vaddr);
  return NULL;
}

static uintptr_t find_entry(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag) {
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag == tag)
      return dynamic->d_un.d_ptr;
  return 0;
}

/* The dynamic linker's description of this library, which glibc stores in the
   second word of its global offset table for lazy binding; or NULL. */
static const struct link_map *own_map(void) {
  const uintptr_t table = find_entry(_DYNAMIC, DT_PLTGOT);
  const uintptr_t begin = (uintptr_t)&__ehdr_start;
  const uintptr_t here = (uintptr_t)_DYNAMIC;

  // Other dynamic linkers do not relocate the pointer to it.
  if (!begin || table < begin || table - begin > here - begin + MAX_DISTANCE)
    return NULL;
  const struct link_map *const map = ((struct link_map *const *)table)[1];
  return map && map->l_ld == _DYNAMIC ? map : NULL;
}

static const struct r_debug *find_debug(void) {
  struct rt_program program;
  const ElfW(Dyn) *dynamic = _DYNAMIC;
  const struct r_debug *debug = (const void *)find_entry(dynamic, DT_DEBUG);
  const struct link_map *map = debug ? NULL : own_map();

  // Without system calls: each library of a process looks for it.
  while (map && map->l_prev)
    map = map->l_prev;
  if (map)
    debug = (const void *)find_entry(map->l_ld, DT_DEBUG);
  if (debug)
    return debug;
  if (!find_executable(&program))
    return NULL;
  dynamic = dynamic_of(&program);
  debug = (const void *)find_entry(dynamic, DT_DEBUG);
  if (debug || !dynamic)
    return debug;
  const struct link_map linker = {.l_addr = program.bias,
                                  .l_ld = (ElfW(Dyn) *)(uintptr_t)dynamic};
  struct rt_exports exports;
  rt_linked_exports(&linker, &exports);
  return rt_exports_find(&exports, "_r_debug");
}

bool rt_linked_is_own(const struct rt_linked *linked) {
  return linked->map->l_ld == _DYNAMIC;
}

bool rt_linked_first(struct rt_linked *linked) {
  const struct r_debug *debug = find_debug();

  if (!debug || !debug->r_map)
    return false;
  *linked = (struct rt_linked){debug->r_map, debug, 1};
  return true;
}

bool rt_linked_next(struct rt_linked *linked) {
  const struct extended_debug *space = linked->space;
  const struct link_map *next = linked->map->l_next;

  while (!next && space->base.r_version >= HAS_NAMESPACES && space->r_next) {
    space = space->r_next;
    next = space->base.r_map;
  }
  if (!next)
    return false;
  linked->map = next;
  linked->space = space;
  linked->position++;
  return true;
}

static bool is_in_page(const void *pointer, uintptr_t page) {
  return (uintptr_t)pointer - page < LEAST_PAGE_BYTES;
}

/* Is one of the tables in the first page of the object? Then it is mapped. */
static bool has_first_page(const struct link_map *map) {
  struct rt_exports exports;

  rt_linked_exports(map, &exports);
  return is_in_page(exports.gnu_hash, map->l_addr) ||
         is_in_page(exports.symbols, map->l_addr) ||
         is_in_page(exports.hash, map->l_addr) ||
         is_in_page(exports.strings, map->l_addr);
}

/* Objects whose link-time addresses do not begin at 0 have no header there. */
static bool find_by_header(const struct link_map *map, struct rt_program *out) {
  uint8_t bytes[sizeof(ElfW(Ehdr))];
  struct rt_safe_reader reader;
  ElfW(Ehdr) copy;
  const ElfW(Ehdr) *header = (const void *)map->l_addr;

  if (!header)
    return false;
  if (!has_first_page(map)) {
    rt_safe_reader_init(&reader, bytes, sizeof(bytes));
    if (!rt_safe_read(&reader, map->l_addr, &copy, sizeof(copy)))
      return false;
    header = &copy;
  }
  return rt_equal(header->e_ident, ELFMAG, SELFMAG) &&
         rt_program_of((const void *)map->l_addr, out);
}

bool rt_linked_program(const struct rt_linked *linked, struct rt_program *out) {
  const bool is_executable = linked->position == 1;

  // To open the vector costs several times as much as to read a header.
  if ((!is_executable || !has_auxv) && find_by_header(linked->map, out))
    return true;
  return is_executable && find_executable(out);
}

void rt_linked_exports(const struct link_map *map, struct rt_exports *out) {
  const ElfW(Dyn) *entry = map->l_ld;

  *out = (struct rt_exports){.bias = map->l_addr};
  for (; entry->d_tag != DT_NULL; entry++) {
    const void *at = rt_dynamic_pointer(map->l_addr, entry->d_un.d_ptr);
    switch (entry->d_tag) {
    case DT_SYMTAB:
      out->symbols = at;
      break;
    case DT_STRTAB:
      out->strings = at;
      break;
    case DT_HASH:
      out->hash = at;
      break;
    case DT_GNU_HASH:
      out->gnu_hash = at;
      break;
    case DT_VERSYM:
      out->versions = at;
      break;
    }
  }
}

static bool is_it(const struct rt_exports *exports, uint32_t i,
                  const char *name, size_t n_name) {
  const ElfW(Sym) *symbol = &exports->symbols[i];
  const unsigned type = symbol->st_info & 15;

  return symbol->st_shndx != SHN_UNDEF &&
         (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE) &&
         !(exports->versions && exports->versions[i] & VERSION_HIDDEN) &&
         rt_equal(exports->strings + symbol->st_name, name, n_name);
}

/* By the table's filter, which is in pages that the dynamic linker has read. */
static bool may_have(const uint32_t *table, uint32_t hash) {
  enum { WORD_BITS = sizeof(ElfW(Addr)) * 8 };
  const uint32_t n_words = table[2], shift = table[3];
  const ElfW(Addr) *const words = (const void *)(table + 4);
  const ElfW(Addr) word =
      n_words ? words[hash / WORD_BITS % n_words] : (ElfW(Addr)) - 1;

  return word >> hash % WORD_BITS & word >> (hash >> shift) % WORD_BITS & 1;
}

static uint32_t find_in_gnu_hash(const struct rt_exports *exports,
                                 const char *name) {
  const uint32_t *const table = exports->gnu_hash;
  const uint32_t n_buckets = table[0], first = table[1], n_words = table[2];
  const uint32_t *const buckets =
      table + 4 + (size_t)n_words * (sizeof(ElfW(Addr)) / sizeof(*table));
  const uint32_t *const chain = buckets + n_buckets;
  const size_t n_name = rt_length(name) + 1;
  uint32_t hash = 5381;

  for (const char *at = name; *at; at++)
    hash = hash * 33 + (uint8_t)*at;
  if (!may_have(table, hash))
    return 0;
  uint32_t i = n_buckets ? buckets[hash % n_buckets] : 0;
  for (; i >= first && i; i++) {
    const uint32_t found = chain[i - first];
    if ((found | 1) == (hash | 1) && is_it(exports, i, name, n_name))
      return i;
    if (found & 1)
      break;
  }
  return 0;
}

static uint32_t find_in_hash(const struct rt_exports *exports,
                             const char *name) {
  const uint32_t n_buckets = exports->hash[0];
  const uint32_t *const buckets = exports->hash + 2;
  const uint32_t *const chain = buckets + n_buckets;
  const size_t n_name = rt_length(name) + 1;
  uint32_t hash = 0;

  for (const char *at = name; *at; at++) {
    hash = (hash << 4) + (uint8_t)*at;
    hash ^= (hash & 0xf0000000) >> 24;
    hash &= 0x0fffffff;
  }
  for (uint32_t i = n_buckets ? buckets[hash % n_buckets] : 0; i; i = chain[i])
    if (is_it(exports, i, name, n_name))
      return i;
  return 0;
}

void *rt_exports_find(const struct rt_exports *exports, const char *name) {
  uint32_t i = 0;

  if (!exports->symbols || !exports->strings)
    return NULL;
  if (exports->gnu_hash)
    i = find_in_gnu_hash(exports, name);
  else if (exports->hash)
    i = find_in_hash(exports, name);
  return i ? (void *)(exports->bias + exports->symbols[i].st_value) : NULL;
}

static const char *base_of(const char *path) {
  return path + rt_folder_length(path);
}

static bool is_named(const struct link_map *map, const char *name) {
  const uintptr_t soname = find_entry(map->l_ld, DT_SONAME);
  const size_t n_name = rt_length(name) + 1;
  struct rt_exports exports;

  if (rt_equal(base_of(map->l_name), base_of(name),
               rt_length(base_of(name)) + 1))
    return true;
  rt_linked_exports(map, &exports);
  return soname && exports.strings &&
         rt_equal(exports.strings + soname, name, n_name);
}

/* The position of the program's first object of that name, or 0. */
static size_t find_named(const char *name) {
  struct rt_linked it;
  size_t position = 1;

  if (!rt_linked_first(&it))
    return 0;
  for (const struct link_map *map = it.map; map; map = map->l_next, position++)
    if (is_named(map, name))
      return position;
  return 0;
}

static bool is_base_of(const char *name, const char *path) {
  const char *base = base_of(path);

  while (*base && *base == *name) {
    base++;
    name++;
  }
  return *base == *name;
}

/* The name by which the executable needs the object, or NULL. */
static const char *needed_name(const struct link_map *executable,
                               const struct link_map *map) {
  struct rt_exports exports;

  rt_linked_exports(executable, &exports);
  for (const ElfW(Dyn) *entry = executable->l_ld;
       exports.strings && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED &&
        is_base_of(exports.strings + entry->d_un.d_val, map->l_name))
      return exports.strings + entry->d_un.d_val;
  return NULL;
}

bool rt_linked_is_needed(const void *dynamic) {
  struct rt_linked it;
  bool is_there = rt_linked_first(&it);

  const struct link_map *executable = is_there ? it.map : NULL;
  while (is_there && it.map->l_ld != dynamic)
    is_there = rt_linked_next(&it);
  const char *name = is_there ? needed_name(executable, it.map) : NULL;
  return name && find_named(name) == it.position;
}

/* The greatest position of the objects that this one needs. */
static size_t last_needed(const struct link_map *map) {
  struct rt_exports exports;
  size_t last = 0;

  rt_linked_exports(map, &exports);
  for (const ElfW(Dyn) *entry = map->l_ld;
       exports.strings && entry->d_tag != DT_NULL; entry++) {
    const size_t found = entry->d_tag == DT_NEEDED
                             ? find_named(exports.strings + entry->d_un.d_val)
                             : 0;
    last = found > last ? found : last;
  }
  return last;
}

/* Objects loaded with the program come before those opened later, and each of
   them is needed by an earlier one, unless it was preloaded. */
bool rt_linked_is_from_start(void) {
  size_t last = 1; // loaded at start, with all before it
  struct rt_linked it;

  if (rt_linked_is_needed(_DYNAMIC))
    return true;
  for (bool is_there = rt_linked_first(&it); is_there && it.position <= last;
       is_there = rt_linked_next(&it)) {
    const size_t found = last_needed(it.map);
    last = found > last ? found : last;
    if (rt_linked_is_own(&it))
      return true;
  }
  return false;
}

#if RT_CPU_HAS_SEGMENT
enum { PAGE_BYTES = 4096 };

struct relocations {
  const ElfW(Rela) * first;
  size_t n;
};

struct imports {
  uintptr_t bias;
  struct relocations of_calls, of_data;
  uintptr_t relro, relro_end; /* write-protected by now */
};

static void read_imports(const struct rt_linked *linked, struct imports *out) {
  const ElfW(Dyn) *const dynamic = linked->map->l_ld;
  struct rt_program program;

  const uintptr_t bias = linked->map->l_addr;
  *out = (struct imports){.bias = bias};
  const uintptr_t calls = find_entry(dynamic, DT_JMPREL);
  const uintptr_t data = find_entry(dynamic, DT_RELA);
  const size_t n_relative = find_entry(dynamic, DT_RELACOUNT);
  const size_t n_data = find_entry(dynamic, DT_RELASZ) / sizeof(ElfW(Rela));
  out->of_calls.first = rt_dynamic_pointer(bias, calls);
  out->of_calls.n =
      calls ? find_entry(dynamic, DT_PLTRELSZ) / sizeof(ElfW(Rela)) : 0;
  out->of_data.first = rt_dynamic_pointer(bias, data);
  if (data && n_data > n_relative) {
    out->of_data.first += n_relative;
    out->of_data.n = n_data - n_relative;
  }
  const bool has_program = rt_linked_program(linked, &program);
  for (size_t i = 0; has_program && i < program.n; i++)
    if (program.headers[i].p_type == PT_GNU_RELRO) {
      const ElfW(Phdr) *const header = &program.headers[i];
      out->relro = (bias + header->p_vaddr) & -(uintptr_t)PAGE_BYTES;
      out->relro_end =
          (bias + header->p_vaddr + header->p_memsz) & -(uintptr_t)PAGE_BYTES;
    }
}

/* The number of an undefined symbol, or 0. Few symbols are before those that
   the hash table lists. */
static size_t find_import(const struct rt_exports *names, const char *name) {
  const size_t n_name = rt_length(name) + 1;
  const size_t n = names->gnu_hash ? names->gnu_hash[1]
                   : names->hash   ? names->hash[1]
                                   : 0;

  for (size_t i = 1; names->symbols && names->strings && i < n; i++)
    if (names->symbols[i].st_shndx == SHN_UNDEF &&
        rt_equal(names->strings + names->symbols[i].st_name, name, n_name))
      return i;
  return 0;
}

static void set_slot(const struct imports *imports, uintptr_t slot,
                     const void *function) {
  const bool is_protected = slot >= imports->relro && slot < imports->relro_end;
  const long page = (long)(slot & -(uintptr_t)PAGE_BYTES);

  if (is_protected &&
      rt_sys(SYS_mprotect, page, PAGE_BYTES, PROT_READ | PROT_WRITE, 0, 0) != 0)
    return;
  rt_store((const void **)slot, function);
  if (is_protected)
    rt_sys(SYS_mprotect, page, PAGE_BYTES, PROT_READ, 0, 0);
}

static void set_slots(const struct imports *imports,
                      const struct relocations *relocations, size_t symbol,
                      const void *function) {
  for (size_t i = 0; i < relocations->n; i++) {
    const ElfW(Rela) *const it = &relocations->first[i];
    const unsigned type = (unsigned)ELF64_R_TYPE(it->r_info);
    if (ELF64_R_SYM(it->r_info) == symbol &&
        (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT))
      set_slot(imports, imports->bias + it->r_offset, function);
  }
}

/* For the executable's own copy of the runtime; false for static ones, without
   the system calls of a search. */
static bool is_dynamic(struct rt_linked *first) {
  return find_entry(_DYNAMIC, DT_DEBUG) && rt_linked_first(first);
}

void rt_linked_redirect(const char *name, const void *function) {
  struct rt_exports exports;
  struct imports imports;
  struct rt_linked it;

  if (!is_dynamic(&it))
    return;
  const void *const space = it.space;
  rt_linked_exports(it.map, &exports);
  if (rt_exports_find(&exports, name))
    return;
  while (rt_linked_next(&it) && it.space == space) {
    rt_linked_exports(it.map, &exports);
    const size_t symbol = find_import(&exports, name);
    if (!symbol)
      continue;
    read_imports(&it, &imports);
    set_slots(&imports, &imports.of_calls, symbol, function);
    set_slots(&imports, &imports.of_data, symbol, function);
  }
}
#else
void rt_linked_redirect(const char *name, const void *function) {
  (void)name;
  (void)function;
}
#endif
