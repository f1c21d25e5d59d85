/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "live/regions.h"
#include "os/os.h"

static size_t align(size_t bytes) {
  return (bytes + ARCLINE_LIVE_ALIGN - 1) & ~(size_t)(ARCLINE_LIVE_ALIGN - 1);
}

struct arcline_live_region *rt_region_claim(struct arcline_live_head *head,
                                            size_t n_bytes) {
  uint64_t n = rt_load(&head->n_regions);

  for (uint64_t i = 0; i < n && i < ARCLINE_LIVE_MAX_REGIONS; i++) {
    struct arcline_live_region *entry = &head->regions[i];
    uint32_t kind = ARCLINE_LIVE_FREE;
    if (rt_load(&entry->kind) == kind && entry->room >= n_bytes &&
        entry->room / 4 <= align(n_bytes) &&
        rt_cas(&entry->kind, &kind, ARCLINE_LIVE_NONE))
      return entry;
  }
  n = __atomic_fetch_add(&head->n_regions, 1, __ATOMIC_ACQ_REL);
  if (n < ARCLINE_LIVE_MAX_REGIONS)
    return &head->regions[n];
  __atomic_fetch_sub(&head->n_regions, 1, __ATOMIC_ACQ_REL);
  return NULL;
}

/* Lays a piece of the file over memory. Returns 0 or a negative errno. */
static int overlay_file(const struct rt_live *file,
                        struct arcline_live_region *entry, void *memory,
                        size_t bytes) {
  const int fd = rt_live_file_open(&file->file);
  int rc = 0;

  if (fd < 0)
    return fd;
  if (!entry->room) {
    entry->offset =
        __atomic_fetch_add(&file->head->end, align(bytes), __ATOMIC_ACQ_REL);
    rc = rt_live_file_allocate(fd, entry->offset, memory, bytes);
    // Its contents may be after the end of the file. A larger object must not
    // get it later: bytes up to the next region may not be in the file.
    entry->room = rc ? 0 : bytes;
  }
  if (!rc)
    rc = rt_map_file(fd, entry->offset, memory, bytes);
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return rc;
}

/* Before each piece there is room for notes of the relative that adds it up. */
void *rt_region_place_shared(const struct rt_live *file,
                             struct arcline_live_region *entry, size_t bytes) {
  const size_t room = align(bytes);

  if (!entry->room) {
    const uint64_t at = __atomic_fetch_add(
        &file->head->end, ARCLINE_LIVE_ALIGN + room, __ATOMIC_ACQ_REL);
    if (at + ARCLINE_LIVE_ALIGN + room > file->shared_bytes)
      return NULL;
    entry->offset = at + ARCLINE_LIVE_ALIGN;
    entry->room = room;
  }
  return (char *)file->head + entry->offset;
}

bool rt_region_is_inside(const struct arcline_live_region *entry,
                         size_t n_bytes) {
  return !entry->room ||
         (entry->offset % ARCLINE_LIVE_ALIGN == 0 &&
          entry->offset >= ARCLINE_LIVE_HEAD_BYTES + ARCLINE_LIVE_ALIGN &&
          entry->offset <= n_bytes && entry->room <= n_bytes - entry->offset);
}

int rt_region_overlay(const struct rt_live *file,
                      struct arcline_live_region *entry, void *memory,
                      size_t bytes) {
  const bool is_new = !entry->room;
  void *const shared =
      file->shared_bytes ? rt_region_place_shared(file, entry, bytes) : NULL;
  const int rc = shared ? rt_map_again(shared, memory, bytes)
                 : file->shared_bytes
                     ? -ENOSPC
                     : overlay_file(file, entry, memory, bytes);

  if (!rc && !is_new)
    rt_zero_words(memory, (bytes + 7) / sizeof(uint64_t));
  return rc;
}

size_t rt_regions_in_use(const struct rt_live *file) {
  const uint64_t n = rt_load(&file->head->n_regions);

  return n < ARCLINE_LIVE_MAX_REGIONS ? n : ARCLINE_LIVE_MAX_REGIONS;
}

size_t rt_region_find(const struct rt_live *file, const void *memory) {
  const size_t n = rt_regions_in_use(file);

  for (size_t i = 0; i < n; i++)
    if (rt_load(&file->pieces[i].at) == memory)
      return i;
  return ARCLINE_LIVE_MAX_REGIONS;
}

void rt_region_describe(struct arcline_live_region *entry,
                        enum arcline_live_kind kind, uint32_t object,
                        size_t bytes, uint64_t detail) {
  entry->bytes = bytes;
  entry->detail = detail;
  entry->object = object;
  rt_store(&entry->kind, (uint32_t)kind);
}

/* Writes only those that are not zero: the memory may be large and empty. */
static void copy_words(uint64_t *to, const uint64_t *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (from[i])
      to[i] = from[i];
}

void rt_region_replace(const struct rt_piece *piece, bool is_copied) {
  uint64_t *copy = is_copied ? rt_map(piece->bytes) : NULL;

  if (copy) {
    copy_words(copy, piece->at, (piece->bytes + 7) / sizeof(uint64_t));
    rt_sys(SYS_mremap, (long)copy, (long)piece->bytes, (long)piece->bytes,
           MREMAP_MAYMOVE | MREMAP_FIXED, (long)piece->at);
  } else {
    rt_sys(SYS_mmap, (long)piece->at, (long)piece->bytes,
           PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1);
    rt_wipe_on_fork(piece->at, piece->bytes);
  }
}
