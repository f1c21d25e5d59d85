/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "os/scratch.h"

/* More is not worth it: what is given back stays in use. */
enum { PIECE_BYTES = 2 << 20, MAX_BYTES = 512 << 10 };

static struct {
  bool is_open;
  char *piece;
  size_t n_used;
} scratch;

void rt_scratch_open(void) { scratch.is_open = true; }

void rt_scratch_close(void) {
  rt_unmap(scratch.piece, PIECE_BYTES);
  scratch.piece = NULL;
  scratch.n_used = 0;
  scratch.is_open = false;
}

void *rt_take(size_t bytes) {
  const size_t n = (bytes + 15) & ~(size_t)15;

  if (!scratch.is_open || n < bytes || n > MAX_BYTES)
    return rt_map(bytes);
  if (!scratch.piece)
    scratch.piece = rt_map(PIECE_BYTES);
  if (!scratch.piece || scratch.n_used + n > PIECE_BYTES)
    return rt_map(bytes);
  char *const memory = scratch.piece + scratch.n_used;
  scratch.n_used += n;
  return memory;
}

void rt_give(void *memory, size_t bytes) {
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)scratch.piece;

  if (!scratch.piece || offset >= PIECE_BYTES)
    rt_unmap(memory, bytes);
}
