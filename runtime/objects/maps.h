/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads the mappings of this process from /proc. */
#ifndef ARCLINE_RT_MAPS_H
#define ARCLINE_RT_MAPS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RT_MAPS_BUFFER = 16 * 1024,
  RT_MAPS_WINDOW = 512,
  RT_MAPS_PHDRS = 64,
  RT_MAPS_NOTE_BYTES = 1024,
};

/** Reads /proc/self/maps and memory that may not be readable directly. */
struct rt_maps {
  int fd, memory_fd;     /* -1: not available */
  size_t n_read, n_used; /* of buffer */
  uint64_t window_at;    /* address of what window holds */
  size_t n_window;
  uint64_t image_at; /* address of the last file's first mapping */
  char image_path[RT_MAPS_BUFFER];
  char buffer[RT_MAPS_BUFFER];
  uint8_t window[RT_MAPS_WINDOW];
  ElfW(Phdr) phdrs[RT_MAPS_PHDRS]; // not on the stack, which may be small
  uint8_t notes[RT_MAPS_NOTE_BYTES] __attribute__((aligned(4)));
};

struct rt_map_line {
  uint64_t start, end, offset;
  bool is_executable;
  const char *path; /* valid until the next line: absolute, or "[vdso]",
                       "[kernel]", "[anonymous]" */
};

/* All run: handler-safe. */
void rt_maps_open(struct rt_maps *maps);
void rt_maps_close(struct rt_maps *maps);
/** The next line, in order of addresses; false: there is none. */
bool rt_maps_next(struct rt_maps *maps, struct rt_map_line *out);
/** May pc be that of a thread that a signal interrupted in a system call: after
 * the instruction, or at it if the call will be restarted? */
bool rt_maps_is_at_syscall(struct rt_maps *maps, uint64_t pc);
/** Address of a segment of the ELF image that the line belongs to, by its type;
 * 0: it has none. */
uint64_t rt_maps_segment(struct rt_maps *maps, const struct rt_map_line *map,
                         uint32_t type);
/** Read the build-id (at most RT_MAX_BUILD_ID bytes) of the ELF image that the
 * line belongs to; returns its length or 0. */
size_t rt_maps_build_id(struct rt_maps *maps, const struct rt_map_line *map,
                        uint8_t *out);

#endif
