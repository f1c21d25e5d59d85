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

static bool is_at_syscall(const struct rt_uninstrumented *outside,
                          const struct rt_frame *frame) {
  return rt_uninstrumented_place(outside, frame->pc)->is_at_syscall;
}

/* Does a thread wait in a system call? Then this frame is the kernel's, and
   calls the wait. */
static bool is_kernel_wait(const struct rt_uninstrumented *outside,
                           const struct rt_frame *frame) {
  return frame->pc == RT_FRAME_WAITING && frame->caller &&
         is_at_syscall(outside, &outside->frames.frames[frame->caller - 1]);
}

/* Are the samples of a frame those of a further one, which the kernel is or a
   thread waits in? */
static bool has_innermost(const struct rt_uninstrumented *outside,
                          const struct rt_frame *frame) {
  return frame->n_samples &&
         (is_kernel_wait(outside, frame) || is_at_syscall(outside, frame));
}

/* Writes the samples in a frame's system call, and waits in one, as frames of
   their own after all others. */
static void put_innermost(struct write_sink *sink,
                          const struct rt_uninstrumented *outside,
                          size_t first) {
  uint64_t id = outside->frames.n;

  for (size_t i = 0; i < outside->frames.n; i++) {
    const struct rt_frame *frame = &outside->frames.frames[i];
    const bool is_wait = is_kernel_wait(outside, frame);
    if (!has_innermost(outside, frame))
      continue;
    put_frame(sink, ++id, i + 1);
    write_side_number(
        sink, first + (is_wait ? outside->i_waiting : outside->i_kernel));
    write_side_address(sink, 0);
    put_stack(sink, id, frame->n_samples);
    write_side_text(sink, "\n");
  }
}

static void put_moment(struct write_sink *sink, const struct solve_arc *moment,
                       uint64_t id) {
  write_side_text(sink, "moment");
  write_side_number(sink, RT_MOMENT_TID(moment));
  write_side_number(sink, RT_MOMENT_WIDTH(moment));
  write_side_number(sink, RT_MOMENT_PERIOD(moment));
  write_side_number(sink, id);
  write_side_number(sink, moment->count);
  write_side_text(sink, "\n");
}

/* In the order of frames; those of any frame are first. */
static void put_moments(struct write_sink *sink,
                        const struct rt_uninstrumented *outside) {
  const struct rt_moments *moments = &outside->frames.moments;
  uint64_t id = outside->frames.n; // of put_innermost()'s frames
  size_t at = 0;

  if (!moments->n)
    return;
  write_side_text(sink, "began");
  write_side_number(sink, moments->began_ns);
  write_side_text(sink, "\n");
  while (at < moments->n && !RT_MOMENT_FRAME(&moments->all[at]))
    put_moment(sink, &moments->all[at++], 0);
  for (size_t i = 0; i < outside->frames.n; i++) {
    const bool is_further = has_innermost(outside, &outside->frames.frames[i]);
    id += is_further;
    while (at < moments->n && RT_MOMENT_FRAME(&moments->all[at]) == i + 1)
      put_moment(sink, &moments->all[at++], is_further ? id : i + 1);
  }
}

static void put_marker(struct write_sink *sink,
                       const struct rt_uninstrumented *outside,
                       const struct rt_frame *frame, size_t first) {
  write_side_number(sink, first + (is_kernel_wait(outside, frame)
                                       ? outside->i_kernel
                                       : outside->i_waiting));
  write_side_address(sink, 0);
}

void rt_side_put_stacks(struct write_sink *sink,
                        const struct rt_uninstrumented *outside, size_t first,
                        const size_t *index_of, size_t n_numbers) {
  for (size_t i = 0; i < outside->frames.n; i++) {
    const struct rt_frame *frame = &outside->frames.frames[i];
    put_frame(sink, i + 1, frame->caller);
    if (frame->pc == RT_FRAME_WAITING)
      put_marker(sink, outside, frame, first);
    else
      put_place(sink, rt_uninstrumented_place(outside, frame->pc), first,
                index_of, n_numbers);
    if (frame->n_samples && !has_innermost(outside, frame))
      put_stack(sink, i + 1, frame->n_samples);
    write_side_text(sink, "\n");
  }
  put_innermost(sink, outside, first);
  put_moments(sink, outside);
  if (outside->frames.n) {
    write_side_text(sink, "stack-signals");
    write_side_number(sink, outside->frames.n_stack_signals);
    write_side_text(sink, "\n");
  }
  if (outside->frames.n && outside->frames.n_squares) {
    write_side_text(sink, "stack-squares");
    write_side_number(sink, outside->frames.n_squares);
    write_side_text(sink, "\n");
  }
  if (outside->frames.n_sampled) {
    write_side_text(sink, "sampled");
    write_side_number(sink, outside->frames.n_sampled);
    write_side_text(sink, "\n");
  }
}
