/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "os/scratch.h"

/* Larger pieces have their own mappings: freed memory is not reused. */
enum { MAX_BYTES = 512 << 10 };

/* Large pieces, which may not be used entirely, are whole pages at the other
   end, so that small ones share pages. Very large ones are not used again: they
   would have to be zeroed, and so all of their pages touched. */
enum {
  LARGE_BYTES = 12 << 10,
  VERY_LARGE_BYTES = 32 << 10,
  PAGE_BYTES = 4096,
  ALIGNMENT = 16,
};

enum { N_BUFFERS = 2 }; /* of a pool, and of a new file */

enum { MAX_PIECES = 64 }; /* small ones that are in use at a time */

static struct {
  bool is_open;
  char *piece;
  size_t n_small; /* bytes, from the beginning */
  size_t n_used; /* of these and of pieces that were freed: they may not be 0 */
  size_t last;   /* where the small piece that was cut last begins */
  size_t n_used_before; /* that piece */
  size_t n_large;       /* from the end */
  size_t n_large_used;  /* of these and of pieces that were freed */
  // Of small pieces: where they begin, and which of them were freed before a
  // later one. If there are more of them, none is freed any more.
  uint32_t pieces[MAX_PIECES];
  uint64_t are_freed;
  size_t n_pieces;
  struct {
    void *memory; /* or NULL */
    size_t bytes;
  } buffers[N_BUFFERS]; /* of rt_buffer() */
} scratch;

void rt_scratch_init(void) { scratch.piece = rt_map(RT_SCRATCH_BYTES); }

void rt_scratch_open(void) { scratch.is_open = true; }

void rt_scratch_close(bool is_last) {
  scratch.is_open = false;
  char *const piece = scratch.piece;
  if (is_last || !(scratch.n_small + scratch.n_large_used))
    return;
  scratch.n_small = scratch.n_used = scratch.n_pieces = 0;
  scratch.n_large = scratch.n_large_used = 0;
  for (int i = 0; i < N_BUFFERS; i++)
    scratch.buffers[i].memory = NULL;
  // Before it is unmapped: the address may then be another thread's, and a
  // child that is forked at that moment must not unmap it again.
  rt_store(&scratch.piece, NULL);
  rt_unmap(piece, RT_SCRATCH_BYTES);
}

/* Size of the mapping for a piece of its own. The kernel aligns a mapping to
   its large pages if the size is a multiple of them, so that no small ones are
   needed at the ends. */
static size_t mapped_bytes(size_t bytes) {
  const size_t more = -bytes % RT_HUGE_BYTES;

  return bytes < RT_HUGE_BYTES || more > SIZE_MAX - bytes ? bytes
                                                          : bytes + more;
}

static void *map_alone(size_t bytes) { return rt_map(mapped_bytes(bytes)); }

static char *cut_large(size_t n_bytes) {
  const size_t n_dirty = scratch.n_large_used - scratch.n_large;
  const size_t n_zeroed = n_dirty < n_bytes ? n_dirty : n_bytes;

  scratch.n_large += n_bytes;
  if (scratch.n_large_used < scratch.n_large)
    scratch.n_large_used = scratch.n_large;
  char *const memory = scratch.piece + RT_SCRATCH_BYTES - scratch.n_large;
  rt_zero(memory + n_bytes - n_zeroed, n_zeroed);
  return memory;
}

static char *cut_small(size_t n_bytes) {
  char *const memory = scratch.piece + scratch.n_small;

  if (n_bytes && scratch.n_pieces < MAX_PIECES) {
    scratch.are_freed &= ~((uint64_t)1 << scratch.n_pieces);
    scratch.pieces[scratch.n_pieces] = (uint32_t)scratch.n_small;
  }
  scratch.n_pieces += n_bytes != 0;
  scratch.n_small += n_bytes;
  scratch.n_used_before = scratch.n_used;
  scratch.last = (size_t)(memory - scratch.piece);
  if (scratch.n_used < scratch.n_small)
    scratch.n_used = scratch.n_small;
  return memory;
}

static size_t round_up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

/* is_zeroed: all of it, which touches pages; else the first byte. */
static void *allocate(size_t bytes, bool is_zeroed) {
  const bool is_small = bytes < LARGE_BYTES;
  const size_t n = round_up(bytes, is_small ? ALIGNMENT : PAGE_BYTES);

  if (!scratch.is_open || n < bytes || n > MAX_BYTES)
    return map_alone(bytes);
  if (!scratch.piece)
    scratch.piece = rt_map(RT_SCRATCH_BYTES);
  // Neither kind is cut from what the other one has used, and not zeroed.
  const size_t n_taken = is_small ? scratch.n_small + scratch.n_large_used
                                  : scratch.n_used + scratch.n_large;
  if (!scratch.piece || n_taken + n > RT_SCRATCH_BYTES)
    return map_alone(bytes);
  if (!is_small)
    return cut_large(n);
  const size_t n_dirty = is_zeroed ? scratch.n_used - scratch.n_small : 1;
  char *const memory = cut_small(n);
  rt_zero(memory, n_dirty < n ? n_dirty : n);
  return memory;
}

void *rt_alloc(size_t bytes) { return allocate(bytes, true); }

char *rt_alloc_text(size_t bytes) { return allocate(bytes, false); }

/* The pages of pieces at the end serve the next ones. */
static void free_small(uint32_t offset) {
  size_t i = scratch.n_pieces <= MAX_PIECES ? scratch.n_pieces : 0;

  while (i && scratch.pieces[i - 1] != offset)
    i--;
  if (!i)
    return;
  scratch.are_freed |= (uint64_t)1 << (i - 1);
  while (scratch.n_pieces && scratch.are_freed >> (scratch.n_pieces - 1) & 1)
    scratch.n_small = scratch.pieces[--scratch.n_pieces];
}

/* The last one serves the next ones. */
static void free_large(uintptr_t offset, size_t bytes) {
  if (bytes < VERY_LARGE_BYTES && offset == RT_SCRATCH_BYTES - scratch.n_large)
    scratch.n_large -= round_up(bytes, PAGE_BYTES);
}

void rt_free(void *memory, size_t bytes) {
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)scratch.piece;

  if (!scratch.piece || offset >= RT_SCRATCH_BYTES)
    rt_unmap(memory, mapped_bytes(bytes));
  else if (bytes && offset < scratch.n_small)
    free_small((uint32_t)offset);
  else if (offset >= RT_SCRATCH_BYTES - scratch.n_large)
    free_large(offset, bytes);
}

void rt_trim(void *memory, size_t n_written) {
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)scratch.piece;

  if (!scratch.piece || offset != scratch.last || offset >= scratch.n_small)
    return;
  const size_t end = offset + round_up(n_written, ALIGNMENT);
  scratch.n_small = end;
  scratch.n_used = end > scratch.n_used_before ? end : scratch.n_used_before;
}

void *rt_buffer(size_t bytes) {
  int i = 0;

  for (; i < N_BUFFERS && scratch.buffers[i].memory; i++)
    if (scratch.buffers[i].bytes == bytes)
      return scratch.buffers[i].memory;
  void *const memory = rt_alloc(bytes);
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)scratch.piece;
  if (i < N_BUFFERS && memory && scratch.piece && offset < RT_SCRATCH_BYTES) {
    scratch.buffers[i].memory = memory;
    scratch.buffers[i].bytes = bytes;
  }
  return memory;
}
