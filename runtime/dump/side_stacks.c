/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/side_stacks.h"
#include "solve/arc.h"
#include "write/side_text.h"

/* In an instrumented object, or as samples outside. */
static void put_place(struct write_sink *sink, const struct rt_place *place,
                      size_t first, const size_t *index_of, size_t n_numbers) {
  if (place->end) {
    const uint64_t number = solve_outside_number(place->end);
    write_side_number(sink, number < n_numbers ? index_of[number] : 0);
    write_side_address(sink, solve_outside_vaddr(place->end));
  } else {
    write_side_number(sink, first + place->i_object);
    write_side_address(sink, place->offset);
  }
}

void rt_side_put_stacks(struct write_sink *sink,
                        const struct rt_uninstrumented *outside, size_t first,
                        const size_t *index_of, size_t n_numbers) {
  for (size_t i = 0; i < outside->frames.n; i++) {
    const struct rt_frame *frame = &outside->frames.frames[i];
    write_side_text(sink, "frame");
    write_side_number(sink, i + 1);
    write_side_number(sink, frame->caller);
    put_place(sink, rt_uninstrumented_place(outside, frame->pc), first,
              index_of, n_numbers);
    write_side_text(sink, "\n");
    if (!frame->n_samples)
      continue;
    write_side_text(sink, "stack");
    write_side_number(sink, i + 1);
    write_side_number(sink, frame->n_samples);
    write_side_text(sink, "\n");
  }
  if (!outside->frames.n)
    return;
  write_side_text(sink, "looks");
  write_side_number(sink, outside->frames.n_looks);
  write_side_text(sink, "\n");
}
