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

static void put_frame(struct write_sink *sink, uint64_t id, uint64_t caller) {
  write_side_text(sink, "frame");
  write_side_number(sink, id);
  write_side_number(sink, caller);
}

static void put_stack(struct write_sink *sink, uint64_t id,
                      uint64_t n_samples) {
  write_side_text(sink, "\nstack");
  write_side_number(sink, id);
  write_side_number(sink, n_samples);
}

/* Writes the samples in a frame's system call as a frame of its own after all
   others. */
static void put_kernel(struct write_sink *sink,
                       const struct rt_uninstrumented *outside, size_t first) {
  uint64_t id = outside->frames.n;

  for (size_t i = 0; i < outside->frames.n; i++) {
    const struct rt_frame *frame = &outside->frames.frames[i];
    if (!frame->n_samples ||
        !rt_uninstrumented_place(outside, frame->pc)->is_at_syscall)
      continue;
    put_frame(sink, ++id, i + 1);
    write_side_number(sink, first + outside->i_kernel);
    write_side_address(sink, 0);
    put_stack(sink, id, frame->n_samples);
    write_side_text(sink, "\n");
  }
}

void rt_side_put_stacks(struct write_sink *sink,
                        const struct rt_uninstrumented *outside, size_t first,
                        const size_t *index_of, size_t n_numbers) {
  for (size_t i = 0; i < outside->frames.n; i++) {
    const struct rt_frame *frame = &outside->frames.frames[i];
    const struct rt_place *place = rt_uninstrumented_place(outside, frame->pc);
    put_frame(sink, i + 1, frame->caller);
    put_place(sink, place, first, index_of, n_numbers);
    if (frame->n_samples && !place->is_at_syscall)
      put_stack(sink, i + 1, frame->n_samples);
    write_side_text(sink, "\n");
  }
  put_kernel(sink, outside, first);
  if (outside->frames.n) {
    write_side_text(sink, "stack-signals");
    write_side_number(sink, outside->frames.n_stack_signals);
    write_side_text(sink, "\n");
  }
  if (outside->frames.n_sampled) {
    write_side_text(sink, "sampled");
    write_side_number(sink, outside->frames.n_sampled);
    write_side_text(sink, "\n");
  }
}
