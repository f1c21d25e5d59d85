/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the mappings of the process. Memory is read through /proc as well: a
   mapping of a moment ago may be gone, and text need not be readable. The path
   is thread-self, since self shows nothing once the first thread has ended. */
#include <elf.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "cpu/cpu.h"
#include "objects/link_map.h"
#include "objects/maps.h"
#include "os/os.h"

static int open_either(const char *path, const char *fallback) {
  long fd =
      rt_sys(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0);

  if (fd < 0)
    fd = rt_sys(SYS_openat, AT_FDCWD, (long)fallback, O_RDONLY | O_CLOEXEC, 0,
                0);
  return fd < 0 ? -1 : (int)fd;
}

void rt_maps_open(struct rt_maps *maps) {
  maps->fd = open_either("/proc/thread-self/maps", "/proc/self/maps");
  maps->memory_fd = open_either("/proc/thread-self/mem", "/proc/self/mem");
  maps->n_read = 0;
  maps->n_used = 0;
  maps->n_window = 0;
  maps->image_path[0] = '\0';
}

void rt_maps_close(struct rt_maps *maps) {
  if (maps->fd >= 0)
    rt_sys(SYS_close, maps->fd, 0, 0, 0, 0);
  if (maps->memory_fd >= 0)
    rt_sys(SYS_close, maps->memory_fd, 0, 0, 0, 0);
}

/* Reads up to n bytes at an address; returns how many. */
static size_t read_memory(const struct rt_maps *maps, uint64_t address,
                          void *out, size_t n) {
  long n_read = 0;

  if (maps->memory_fd >= 0)
    n_read = rt_sys(SYS_pread64, maps->memory_fd, (long)out, (long)n,
                    (long)address, 0);
  return n_read < 0 ? 0 : (size_t)n_read;
}

/* Moves what is unread to the front and adds to it; false: nothing came. */
static bool refill(struct rt_maps *maps) {
  long n = 0;

  rt_copy(maps->buffer, maps->buffer + maps->n_used,
          maps->n_read - maps->n_used);
  maps->n_read -= maps->n_used;
  maps->n_used = 0;
  if (maps->fd >= 0)
    n = rt_sys(SYS_read, maps->fd, (long)(maps->buffer + maps->n_read),
               (long)(sizeof(maps->buffer) - maps->n_read), 0, 0);
  if (n <= 0)
    return false;
  maps->n_read += (size_t)n;
  return true;
}

/* The next line without its end, or NULL. */
static char *next_line(struct rt_maps *maps) {
  size_t at = maps->n_used;

  for (;;) {
    for (; at < maps->n_read; at++)
      if (maps->buffer[at] == '\n') {
        char *line = maps->buffer + maps->n_used;
        maps->buffer[at] = '\0';
        maps->n_used = at + 1;
        return line;
      }
    at -= maps->n_used;
    if (!refill(maps))
      return NULL;
  }
}

static uint64_t parse_hex(const char **at) {
  uint64_t value = 0;

  for (;; ++*at) {
    const char c = **at;
    if (c >= '0' && c <= '9')
      value = value * 16 + (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + (uint64_t)(c - 'a') + 10;
    else
      return value;
  }
}

static const char *skip_word(const char *at) {
  while (*at && *at != ' ')
    at++;
  while (*at == ' ')
    at++;
  return at;
}

static const char *name_of(const char *path) {
  static const char vdso[] = "[vdso]";
  static const char vsyscall[] = "[vsyscall]";

  if (path[0] == '/')
    return path;
  if (rt_length(path) == sizeof(vdso) - 1 && rt_equal(path, vdso, sizeof(vdso)))
    return path;
  // The kernel acts in its place.
  if (rt_length(path) == sizeof(vsyscall) - 1 &&
      rt_equal(path, vsyscall, sizeof(vsyscall)))
    return "[kernel]";
  return "[anonymous]";
}

/* start-end permissions offset device inode path */
bool rt_maps_next(struct rt_maps *maps, struct rt_map_line *out) {
  const char *at = next_line(maps);

  if (!at)
    return false;
  out->start = parse_hex(&at);
  at += *at == '-';
  out->end = parse_hex(&at);
  at = skip_word(at);
  out->is_executable = at[0] && at[1] && at[2] == 'x';
  at = skip_word(at);
  out->offset = parse_hex(&at);
  at = skip_word(skip_word(skip_word(at)));
  out->path = name_of(at);
  // The kernel's image has no path.
  const bool is_image = out->path[0] == '/' || rt_equal(out->path, "[vdso]", 7);
  if (is_image && !out->offset) {
    struct rt_str path = {.text = maps->image_path,
                          .room = sizeof(maps->image_path)};
    rt_str_add(&path, at);
    maps->image_at = out->start;
  }
  return true;
}

/* Does a system call instruction begin at one of two places? code has
   RT_CPU_SYSCALL_BYTES before the program counter, and as many after it. */
static bool has_syscall(const uint8_t *code) {
  return rt_cpu_is_syscall(code) ||
         rt_cpu_is_syscall(code + RT_CPU_SYSCALL_BYTES);
}

/* Was the code that has_syscall() checks read? at may be any number. */
static bool is_in_window(const struct rt_maps *maps, uint64_t at) {
  const uint64_t offset = at - maps->window_at;

  return offset < maps->n_window &&
         maps->n_window - offset >= 2 * RT_CPU_SYSCALL_BYTES;
}

bool rt_maps_is_at_syscall(struct rt_maps *maps, uint64_t pc) {
  const uint64_t first = pc - RT_CPU_SYSCALL_BYTES;

  if (!is_in_window(maps, first)) {
    maps->window_at = first;
    maps->n_window =
        read_memory(maps, first, maps->window, sizeof(maps->window));
  }
  return is_in_window(maps, first) &&
         has_syscall(maps->window + (first - maps->window_at));
}

/* Finds the build-id among the notes of an image; bias: of its addresses. */
static size_t read_notes(struct rt_maps *maps, size_t n_phdrs, uint64_t bias,
                         uint8_t *out) {
  for (size_t i = 0; i < n_phdrs; i++) {
    const ElfW(Phdr) *segment = &maps->phdrs[i];
    if (segment->p_type != PT_NOTE)
      continue;
    const size_t bytes = read_memory(maps, bias + segment->p_vaddr, maps->notes,
                                     segment->p_memsz < sizeof(maps->notes)
                                         ? segment->p_memsz
                                         : sizeof(maps->notes));
    const size_t n_id = rt_image_build_id(maps->notes, bytes, out);
    if (n_id)
      return n_id;
  }
  return 0;
}

/* Reads the image's program headers; returns how many, or 0. */
static size_t read_phdrs(struct rt_maps *maps) {
  ElfW(Ehdr) header;

  if (read_memory(maps, maps->image_at, &header, sizeof(header)) !=
          sizeof(header) ||
      !rt_equal(header.e_ident, ELFMAG, SELFMAG) ||
      header.e_phnum > RT_MAPS_PHDRS ||
      header.e_phentsize != sizeof(*maps->phdrs))
    return 0;
  const size_t bytes = header.e_phnum * sizeof(*maps->phdrs);
  return read_memory(maps, maps->image_at + header.e_phoff, maps->phdrs,
                     bytes) == bytes
             ? header.e_phnum
             : 0;
}

/* Reads the program headers of the image that the line belongs to, and the bias
   of its addresses. Returns how many there are, or 0. */
static size_t read_image(struct rt_maps *maps, const struct rt_map_line *map,
                         uint64_t *bias) {
  const size_t n = rt_length(map->path) + 1;

  if (n != rt_length(maps->image_path) + 1 ||
      !rt_equal(map->path, maps->image_path, n))
    return 0;
  const size_t n_phdrs = read_phdrs(maps);
  for (size_t i = 0; i < n_phdrs; i++)
    if (maps->phdrs[i].p_type == PT_LOAD) {
      *bias = maps->image_at + maps->phdrs[i].p_offset - maps->phdrs[i].p_vaddr;
      return n_phdrs;
    }
  return 0;
}

uint64_t rt_maps_segment(struct rt_maps *maps, const struct rt_map_line *map,
                         uint32_t type) {
  uint64_t bias = 0;
  const size_t n_phdrs = read_image(maps, map, &bias);

  for (size_t i = 0; i < n_phdrs; i++)
    if (maps->phdrs[i].p_type == type)
      return bias + maps->phdrs[i].p_vaddr;
  return 0;
}

size_t rt_maps_build_id(struct rt_maps *maps, const struct rt_map_line *map,
                        uint8_t *out) {
  uint64_t bias = 0;
  const size_t n_phdrs = read_image(maps, map, &bias);

  return n_phdrs ? read_notes(maps, n_phdrs, bias, out) : 0;
}
