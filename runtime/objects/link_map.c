/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Name, build-id, load bias and executable segments of an object, as the
   dynamic linker tells them. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>

#include "objects/link_map.h"
#include "os/os.h"

/* Text of more bytes than this gets the wider bins. */
enum { MAX_FINE_TEXT = 8 << 20 };

struct search {
  uintptr_t anchor;
  size_t n_seen;
  struct rt_object *out;
  bool is_found;
};

static size_t align4(size_t n) { return (n + 3) & ~(size_t)3; }

/* Source: gABI "Note Section"; the id is note type 3 of owner "GNU". */
size_t rt_image_build_id(const uint8_t *notes, size_t bytes, uint8_t *out) {
  const uint8_t *at = notes;
  size_t n_left = bytes;
  ElfW(Nhdr) note;

  while (n_left >= sizeof note) {
    rt_copy(&note, at, sizeof note);
    const size_t name_bytes = align4(note.n_namesz);
    const size_t total = sizeof note + name_bytes + align4(note.n_descsz);
    if (total > n_left)
      return 0;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        rt_equal(at + sizeof note, "GNU", 4)) {
      const size_t n =
          note.n_descsz < RT_MAX_BUILD_ID ? note.n_descsz : RT_MAX_BUILD_ID;
      rt_copy(out, at + sizeof note + name_bytes, n);
      return n;
    }
    at += total;
    n_left -= total;
  }
  return 0;
}

/* Returns the object's DT_SONAME, or NULL. */
static const char *find_soname(const ElfW(Dyn) * dynamic, uintptr_t bias) {
  uintptr_t strings = 0;
  uintptr_t soname = 0;
  bool has_soname = false;

  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_STRTAB)
      strings = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_SONAME) {
      soname = dynamic->d_un.d_val;
      has_soname = true;
    }
  }
  if (!has_soname || !strings)
    return NULL;
  // glibc relocates the pointer in place, other C libraries do not.
  return (const char *)(strings < bias ? strings + bias : strings) + soname;
}

static void set_suffix(const char *name, struct rt_object *out) {
  struct rt_str suffix = {.text = out->suffix, .room = sizeof out->suffix};
  size_t base = rt_length(name);

  while (base && name[base - 1] != '/')
    base--;
  rt_str_add(&suffix, ".");
  rt_str_add(&suffix, name + base);
}

static void set_path(const char *name, bool is_executable,
                     struct rt_object *out) {
  struct rt_str path = {.text = out->path, .room = sizeof out->path};

  if (is_executable || name[0] != '/') {
    const long n =
        is_executable
            ? rt_sys(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe",
                     (long)out->path, sizeof out->path - 1, 0)
            : rt_sys(SYS_getcwd, (long)out->path, sizeof out->path, 0, 0, 0);
    path.length = n > 0 ? rt_length(out->path) : 0;
    out->path[path.length] = '\0';
  }
  if (is_executable)
    return;
  if (path.length)
    rt_str_add(&path, "/");
  rt_str_add(&path, name);
}

static void describe(const struct dl_phdr_info *info, bool is_executable,
                     struct rt_object *out) {
  const char *name = info->dlpi_name;
  uint64_t text_bytes = 0;

  set_path(name, is_executable, out);
  out->load_bias = info->dlpi_addr;
  for (size_t i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD &&
        info->dlpi_phdr[i].p_flags & PF_X)
      text_bytes += info->dlpi_phdr[i].p_memsz;
  out->bin_bytes = text_bytes > MAX_FINE_TEXT ? 4 : 2;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uintptr_t at = info->dlpi_addr + segment->p_vaddr;
    const uint64_t mask = out->bin_bytes - 1;
    if (segment->p_type == PT_NOTE) {
      const size_t n = rt_image_build_id((const uint8_t *)at, segment->p_memsz,
                                         out->build_id);
      out->n_build_id = n ? n : out->n_build_id;
    } else if (segment->p_type == PT_DYNAMIC) {
      const char *soname = find_soname((const ElfW(Dyn) *)at, info->dlpi_addr);
      name = soname ? soname : name;
    } else if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
               segment->p_memsz && out->n_texts < RT_MAX_TEXTS) {
      out->texts[out->n_texts++] = (struct rt_text){
          .low_vaddr = segment->p_vaddr & ~mask,
          .high_vaddr = (segment->p_vaddr + segment->p_memsz + mask) & ~mask};
    }
  }
  if (!is_executable)
    set_suffix(name, out);
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  struct search *search = context;
  // The dynamic linker lists the executable first.
  const bool is_executable = search->n_seen++ == 0;

  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uintptr_t off = search->anchor - (info->dlpi_addr + segment->p_vaddr);
    if (segment->p_type == PT_LOAD && off < segment->p_memsz) {
      describe(info, is_executable, search->out);
      search->out->position = search->n_seen;
      search->is_found = search->out->n_texts > 0;
      return 1;
    }
  }
  return 0;
}

int rt_image_find(const void *anchor, struct rt_object *out) {
  struct search search = {.anchor = (uintptr_t)anchor, .out = out};

  dl_iterate_phdr(visit, &search);
  return search.is_found ? 0 : -ENOENT;
}

bool rt_image_has_text(const struct rt_object *object, uint64_t vaddr) {
  for (size_t i = 0; i < object->n_texts; i++)
    if (vaddr >= object->texts[i].low_vaddr &&
        vaddr < object->texts[i].high_vaddr)
      return true;
  return false;
}
