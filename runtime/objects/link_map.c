/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds name, build-id, load bias and executable segments of an object in the
   dynamic linker's data. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>

#include "arcline/image_id.h"
#include "objects/link_map.h"
#include "os/libc.h"
#include "os/linked.h"

/* Text of more bytes than this gets the wider bins. */
enum { MAX_FINE_TEXT = 8 << 20 };

static size_t align4(size_t n) { return (n + 3) & ~(size_t)3; }

/* Source: gABI "Note Section"; the id is note type 3 of owner "GNU". */
size_t rt_image_build_id(const uint8_t *notes, size_t bytes, uint8_t *out) {
  const uint8_t *at = notes;
  size_t n_left = bytes;
  ElfW(Nhdr) note;

  while (n_left >= sizeof(note)) {
    rt_copy(&note, at, sizeof(note));
    const size_t name_bytes = align4(note.n_namesz);
    const size_t total = sizeof(note) + name_bytes + note.n_descsz;
    if (total > n_left)
      return 0;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        rt_equal(at + sizeof(note), "GNU", 4)) {
      const size_t n =
          note.n_descsz < RT_MAX_BUILD_ID ? note.n_descsz : RT_MAX_BUILD_ID;
      rt_copy(out, at + sizeof(note) + name_bytes, n);
      return n;
    }
    // The last note has no padding.
    const size_t step = align4(total) < n_left ? align4(total) : n_left;
    at += step;
    n_left -= step;
  }
  return 0;
}

/* Returns the object's DT_SONAME, or NULL. */
static const char *find_soname(const ElfW(Dyn) * dynamic, uintptr_t bias) {
  const char *strings = NULL;
  uintptr_t soname = 0;
  bool has_soname = false;

  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_STRTAB)
      strings = rt_dynamic_pointer(bias, dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SONAME) {
      soname = dynamic->d_un.d_val;
      has_soname = true;
    }
  }
  return has_soname && strings ? strings + soname : NULL;
}

static void set_suffix(const char *name, struct rt_object *out) {
  struct rt_str suffix = {.text = out->suffix, .room = sizeof(out->suffix)};

  rt_str_add(&suffix, ".");
  rt_str_add(&suffix, name + rt_folder_length(name));
}

static size_t read_link(const char *link, char *out) {
  const long n = rt_sys(SYS_readlinkat, AT_FDCWD, (long)link, (long)out,
                        RT_MAX_PATH - 1, 0);

  out[n > 0 ? n : 0] = '\0';
  return n > 0 ? (size_t)n : 0;
}

static const char *base_of(const char *path) {
  return path + rt_folder_length(path);
}

/* Returns the executable's base name, or NULL if it may have another one: the
   name that it was started by may be that of a script or a link. */
static const char *find_base(char *scratch) {
  const char *file = (const char *)rt_auxv(AT_EXECFN);
  const char *const *const name = rt_libc()->program;
  const size_t n = file && name && *name ? rt_length(base_of(file)) + 1 : 0;

  return n && rt_equal(base_of(file), base_of(*name), n) &&
                 rt_sys(SYS_readlinkat, AT_FDCWD, (long)file, (long)scratch,
                        RT_MAX_PATH - 1, 0) == -EINVAL
             ? base_of(file)
             : NULL;
}

/* The file of the executable. /proc/self is that of the main thread, which may
   have ended. Returns its length, or 0. */
static size_t read_executable(char *out) {
  const size_t n = read_link("/proc/self/exe", out);

  return n ? n : read_link("/proc/thread-self/exe", out);
}

/* The file may be gone by now; its name then has that at the end. */
static void cut_removed(char *path, size_t n, const char *base) {
  static const char removed[] = " (deleted)";
  const size_t n_removed = sizeof(removed) - 1;

  if (n > n_removed && rt_equal(path + n - n_removed, removed, n_removed) &&
      !rt_equal(base_of(path), base, rt_length(base) + 1))
    path[n - n_removed] = '\0';
}

void rt_object_path(const struct rt_object *object, char *out) {
  const char *file = (const char *)rt_auxv(AT_EXECFN);

  out[0] = '\0';
  if (object->suffix[0] || !object->path[0] || object->path[0] == '/') {
    rt_copy(out, object->path, rt_length(object->path) + 1);
    return;
  }
  // The first access of a process to /proc costs as much as a third of a file.
  if (file && file[0] == '/') {
    rt_copy(out, file, rt_length(file) + 1);
    return;
  }
  const size_t n = read_executable(out);
  if (n)
    cut_removed(out, n, object->path);
  else // /proc is not there, as after chroot()
    rt_copy(out, object->path, rt_length(object->path) + 1);
}

static void set_path(const char *name, struct rt_object *out) {
  struct rt_str path = {.text = out->path, .room = sizeof(out->path)};

  if (name[0] != '/') {
    const long n =
        rt_sys(SYS_getcwd, (long)out->path, sizeof(out->path), 0, 0, 0);
    path.length = n > 0 ? rt_length(out->path) : 0;
    out->path[path.length] = '\0';
  }
  if (path.length)
    rt_str_add(&path, "/");
  rt_str_add(&path, name);
}

/* With `ld.so PROGRAM` the kernel has loaded ld.so, whose file is the one in
   /proc, and no other dynamic linker. Returns the name of the program, or NULL.
   Static executables that are loaded anywhere have a list as well. */
static const char *find_operand(const struct rt_linked *listed,
                                const struct rt_program *program) {
  // As the kernel wrote it; ld.so changes its copy.
  if (!listed || rt_auxv(AT_BASE) ||
      (uintptr_t)program->headers == rt_linked_auxv(AT_PHDR))
    return NULL;
  const char *name = listed->map->l_name;
  if (!name[0]) // glibc
    name = (const char *)rt_auxv(AT_EXECFN);
  while (name && name[0] == '.' && name[1] == '/')
    name += 2;
  return name;
}

/* To find the executable in /proc costs more than the rest of the start; its
   base name is enough until something is written about it. */
static void set_executable(const struct rt_linked *listed,
                           const struct rt_program *program,
                           struct rt_object *out) {
  struct rt_str path = {.text = out->path, .room = sizeof(out->path)};
  const char *operand = find_operand(listed, program);
  const char *base = operand ? NULL : find_base(out->path);

  if (operand)
    set_path(operand, out);
  else if (base)
    rt_str_add(&path, base);
  else
    read_executable(out->path);
}

static void describe_segments(const struct rt_program *program,
                              struct rt_object *out) {
  uint64_t text_bytes = 0;

  for (size_t i = 0; i < program->n; i++)
    if (program->headers[i].p_type == PT_LOAD &&
        program->headers[i].p_flags & PF_X)
      text_bytes += program->headers[i].p_memsz;
  out->bin_bytes = text_bytes > MAX_FINE_TEXT ? 4 : 2;
  for (size_t i = 0; i < program->n; i++) {
    const ElfW(Phdr) *segment = &program->headers[i];
    const uint64_t mask = out->bin_bytes - 1;
    if (segment->p_type == PT_NOTE) {
      const size_t n =
          rt_image_build_id((const uint8_t *)(program->bias + segment->p_vaddr),
                            segment->p_memsz, out->build_id);
      out->n_build_id = n ? n : out->n_build_id;
    } else if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
               segment->p_memsz && out->n_texts < RT_MAX_TEXTS) {
      out->texts[out->n_texts++] = (struct rt_text){
          .low_vaddr = segment->p_vaddr & ~mask,
          .high_vaddr = (segment->p_vaddr + segment->p_memsz + mask) & ~mask};
    }
  }
}

/* Computes a substitute for a build-id: not every linker writes one. */
static void identify(const struct rt_image *image, struct rt_object *out) {
  if (out->n_build_id || image->funcs == image->funcs_end)
    return;
  uint64_t id = arcline_image_id_add(ARCLINE_IMAGE_ID_FIRST, image->funcs,
                                     (uintptr_t)image->funcs_end -
                                         (uintptr_t)image->funcs);
  id = arcline_image_id_add(id, image->bodies,
                            (uintptr_t)image->bodies_end -
                                (uintptr_t)image->bodies);
  arcline_image_id_write(id, out->build_id);
  out->n_build_id = ARCLINE_IMAGE_ID_BYTES;
}

/* Finds the object in the dynamic linker's list. */
static bool find_listed(const void *dynamic, struct rt_linked *out) {
  bool is_there = dynamic && rt_linked_first(out);

  while (is_there && out->map->l_ld != dynamic)
    is_there = rt_linked_next(out);
  return is_there;
}

/* Without a list there is but the executable, which may have no list of its own
   objects either: then its headers are those that the kernel found. */
static bool is_executable(const struct rt_linked *listed,
                          const struct rt_program *program) {
  return listed ? listed->position == 1
                : (uintptr_t)program->headers == rt_auxv(AT_PHDR);
}

int rt_image_find(const struct rt_image *image, struct rt_object *out) {
  struct rt_linked listed;
  struct rt_program program;
  const bool is_listed = find_listed(image->dynamic, &listed);

  // gold has what nothing defines at the place of the header, which is NULL
  // here then: the list leads to it.
  if (!(image->header || !is_listed ? rt_program_of(image->header, &program)
                                    : rt_linked_program(&listed, &program)))
    return -ENOENT;
  const bool is_program = is_executable(is_listed ? &listed : NULL, &program);
  const char *name = is_listed ? listed.map->l_name : "";
  out->load_bias = program.bias;
  out->position = is_listed ? listed.position : 1;
  describe_segments(&program, out);
  identify(image, out);
  const char *soname =
      image->dynamic ? find_soname(image->dynamic, program.bias) : NULL;
  if (is_program) {
    set_executable(is_listed ? &listed : NULL, &program, out);
  } else {
    set_path(name[0] || !soname ? name : soname, out);
    set_suffix(soname ? soname : name, out);
  }
  return out->n_texts ? 0 : -ENOENT;
}

bool rt_image_has_text(const struct rt_object *object, uint64_t vaddr) {
  for (size_t i = 0; i < object->n_texts; i++)
    if (vaddr >= object->texts[i].low_vaddr &&
        vaddr < object->texts[i].high_vaddr)
      return true;
  return false;
}
