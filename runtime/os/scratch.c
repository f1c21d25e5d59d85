/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "os/scratch.h"

/* More is not worth it: what is given back stays in use. */
enum { MAX_BYTES = 512 << 10 };

/* Pages are had in steps: one call costs less than a fault for each of them. Of
   larger pieces not all may be used. */
enum { STEP_BYTES = 64 << 10 };

static struct {
  bool is_open;
  char *piece;
  size_t n_used, n_filled;
} scratch;

void rt_scratch_init(void) { scratch.piece = rt_map(RT_SCRATCH_BYTES); }

void rt_scratch_open(void) { scratch.is_open = true; }

void rt_scratch_close(bool is_last) {
  scratch.is_open = false;
  char *const piece = scratch.piece;
  if (is_last || !scratch.n_used)
    return;
  scratch.n_used = scratch.n_filled = 0;
  // First: once it is unmapped, it may be another thread's, and a child that is
  // made then must not do so again.
  rt_store(&scratch.piece, NULL);
  rt_unmap(piece, RT_SCRATCH_BYTES);
}

/* How much is mapped for a piece of its own: the kernel aligns what is a
   multiple of its large pages to them, so that no small ones are needed at the
   ends. */
static size_t mapped_bytes(size_t bytes) {
  const size_t more = -bytes % RT_HUGE_BYTES;

  return bytes < RT_HUGE_BYTES || more > SIZE_MAX - bytes ? bytes
                                                          : bytes + more;
}

static void *map_alone(size_t bytes) { return rt_map(mapped_bytes(bytes)); }

/* Has the pages of a piece that was cut off last. */
static void fill(size_t n_bytes) {
  if (n_bytes > STEP_BYTES)
    scratch.n_filled = scratch.n_used;
  if (scratch.n_used <= scratch.n_filled)
    return;
  rt_fill(scratch.piece + scratch.n_filled, STEP_BYTES);
  scratch.n_filled += STEP_BYTES;
}

void *rt_take(size_t bytes) {
  const size_t n = (bytes + 15) & ~(size_t)15;

  if (!scratch.is_open || n < bytes || n > MAX_BYTES)
    return map_alone(bytes);
  if (!scratch.piece)
    scratch.piece = rt_map(RT_SCRATCH_BYTES);
  if (!scratch.piece || scratch.n_used + n > RT_SCRATCH_BYTES)
    return map_alone(bytes);
  char *const memory = scratch.piece + scratch.n_used;
  scratch.n_used += n;
  fill(n);
  return memory;
}

void rt_give(void *memory, size_t bytes) {
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)scratch.piece;

  if (!scratch.piece || offset >= RT_SCRATCH_BYTES)
    rt_unmap(memory, mapped_bytes(bytes));
}
