/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/side_kernel.h"
#include "objects/maps.h"
#include "os/os.h"
#include "os/scratch.h"
#include "write/gmon.h"
#include "write/side_text.h"

static void put_line(struct write_sink *sink, size_t i_object, uint64_t address,
                     uint64_t n_samples) {
  write_side_text(sink, "kernel");
  write_side_number(sink, i_object);
  write_side_address(sink, address);
  write_side_number(sink, n_samples);
  write_side_text(sink, "\n");
}

/* The code of the process, opened at the first look-up. */
struct look {
  struct rt_maps *maps; /* or NULL: no memory */
  bool is_open;
};

/* Are the samples of a bin, which may have several addresses, at a system
   call? */
static bool is_at_syscall(struct look *look, uint64_t pc, unsigned bin_bytes) {
  if (!look->is_open) {
    look->is_open = true;
    look->maps = rt_alloc(sizeof(*look->maps));
    if (look->maps)
      rt_maps_open(look->maps);
  }
  for (unsigned i = 0; look->maps && i < bin_bytes; i++)
    if (rt_maps_is_at_syscall(look->maps, pc + i))
      return true;
  return false;
}

/* Of static executables, and code with system calls of its own. */
static void put_text(struct write_sink *sink, struct look *look,
                     const struct rt_object *object, size_t i_object,
                     const struct rt_text *text) {
  const size_t n_bins = rt_text_n_bins(text, object->bin_bytes);

  if (!text->bins || !rt_load(&text->is_sampled))
    return;
  for (size_t i = 0; (i = write_next_bin(text->touched, i, n_bins)) < n_bins;
       i++) {
    const uint64_t n_samples =
        __atomic_load_n(&text->bins[i], __ATOMIC_RELAXED);
    const uint64_t vaddr = text->low_vaddr + i * object->bin_bytes;
    if (n_samples &&
        is_at_syscall(look, object->load_bias + vaddr, object->bin_bytes))
      put_line(sink, i_object, vaddr, n_samples);
  }
}

void rt_side_put_kernel(struct write_sink *sink,
                        const struct rt_uninstrumented *outside,
                        const struct rt_object *const *objects,
                        size_t n_objects) {
  struct look look = {0};

  for (size_t i = 0; i < n_objects; i++)
    for (size_t j = 0; j < objects[i]->n_texts; j++)
      if (rt_load(&objects[i]->state) == RT_ATTACHED)
        put_text(sink, &look, objects[i], i, &objects[i]->texts[j]);
  if (look.maps)
    rt_maps_close(look.maps);
  rt_free(look.maps, sizeof(*look.maps));
  for (size_t i = 0; i < outside->n_kernel; i++)
    put_line(sink, n_objects + outside->kernel[i].i_object,
             outside->kernel[i].offset, outside->kernel[i].n_samples);
}
