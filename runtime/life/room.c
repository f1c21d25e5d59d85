/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pieces that are mapped one by one take a system call each, and fork() and the
   end of the process take longer with each mapping. */
#include "life/room.h"
#include "arcline/ctl_format.h"
#include "live/persist.h"
#include "os/scratch.h"
#include "sample/call_stacks.h"
#include "sample/timeline.h"
#include "sample/uninstrumented.h"
#include "settings/settings.h"
#include "threads/threads.h"

enum { MAX_MORE_BYTES = 16 << 20 }; /* for libraries that begin later */

/* Of the memory of a library's counts, or of the executable's samples: the
   first thread counts in its section. */
static size_t wiped_bytes(const struct rt_object *object) {
  size_t n = object->suffix[0]
                 ? rt_whole_pages((object->n_cells + 1) * sizeof(uint64_t))
                 : 0;

  for (size_t i = 0; i < object->n_texts; i++)
    n += rt_whole_pages(rt_object_bins_bytes(object, i));
  return n;
}

void rt_room_for_process(const struct rt_object *first) {
  const struct rt_settings *settings = rt_settings();
  const bool has_samples = settings->rate_hz != 0;
  const bool has_stacks =
      has_samples && rt_call_stacks_are_wanted(settings->stacks);
  size_t n_wiped = has_samples ? rt_uninstrumented_bytes() : 0;

  if (has_stacks)
    n_wiped += rt_call_stacks_wiped_bytes() +
               (settings->is_pool ? 0 : rt_timeline_bytes());
  n_wiped += wiped_bytes(first);
  rt_start_memory(
      rt_threads_start_bytes(has_samples || settings->is_crash_dumped) +
          (has_stacks ? rt_call_stacks_kept_bytes() : 0) +
          (first->suffix[0] ? rt_whole_pages(sizeof(*first)) : 0) +
          RT_SCRATCH_BYTES,
      n_wiped, ARCLINE_CTL_FILTERED_BYTES);
  rt_scratch_init();
}

void rt_room_for_library(const struct rt_object *library, uint32_t *n_waiting) {
  const size_t n_kept = rt_whole_pages(sizeof(*library));
  const size_t n_wiped = wiped_bytes(library);
  const size_t n_most = MAX_MORE_BYTES / (n_kept + n_wiped);

  if (!*n_waiting)
    return; // it takes what it needs
  rt_more_memory(n_kept, n_wiped,
                 *n_waiting < n_most ? *n_waiting + 1 : n_most + 1);
  --*n_waiting;
}

void rt_room_for_bins(struct rt_object *object) {
  for (size_t i = 0; i < object->n_texts; i++) {
    struct rt_text *text = &object->texts[i];
    const size_t bytes = rt_object_bins_bytes(object, i);
    text->bins = rt_map_wiped(bytes, &text->is_wiped);
    if (!text->bins)
      continue;
    text->touched =
        (uint8_t *)(text->bins + rt_text_n_bins(text, object->bin_bytes));
    if (rt_persist_back(ARCLINE_LIVE_BINS, object, text->bins, bytes, i))
      text->is_wiped = false;
  }
}
