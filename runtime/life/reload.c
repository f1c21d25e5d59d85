/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects are passed from one load to the next by a mapping with a name, which
   /proc/self/maps lists: no symbol, descriptor or variable of the environment
   is left. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>

#include "dump/baseline.h"
#include "dump/side.h"
#include "life/reload.h"
#include "objects/load_history.h"
#include "objects/maps.h"
#include "os/exit_word.h"
#include "threads/threads.h"

#define NAME "arcline-objects"
#define PATH "/memfd:" NAME

/* The head of the mapping. */
struct record {
  char magic[24];
  uint64_t object_bytes; /* another release's objects look otherwise */
  uint64_t pid;          /* a forked child starts from zero */
  struct rt_object *objects;
  uint32_t *exit_word; /* of rt_watch_exit() */
};

static const char magic[24] = "arcline objects 2";

static uint64_t own_pid(void) {
  return (uint64_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
}

/* Threads' memory goes, so what is in there goes to the objects. Returns false
 * if an object could not keep its counts. */
static bool fold(struct rt_object *objects) {
  for (struct rt_object *it = objects; it; it = it->next)
    if (!it->baseline.record)
      return false;
  for (struct rt_thread *it = rt_threads(); it; it = it->next)
    for (const struct rt_counters *counters = it->counters; counters;
         counters = counters->next)
      for (size_t i = 0; counters->cells && i < counters->object->n_cells; i++)
        counters->object->baseline.cells[i] += counters->cells[i];
  return true;
}

bool rt_reload_save(struct rt_object *objects) {
  struct record record = {.object_bytes = sizeof(*objects),
                          .pid = own_pid(),
                          .objects = objects,
                          .exit_word = *rt_exit_word()};
  struct rt_signals signals;

  if (!objects || !fold(objects))
    return false;
  rt_copy(record.magic, magic, sizeof(magic));
  const long fd = rt_sys(SYS_memfd_create, (long)NAME, MFD_CLOEXEC, 0, 0, 0);
  if (fd < 0)
    return false;
  rt_signals_block(&signals); // SIGXFSZ
  bool is_written = rt_sys(SYS_write, fd, (long)&record, sizeof(record), 0,
                           0) == (long)sizeof(record);
  rt_signals_restore(&signals);
  if (is_written) {
    const long memory =
        rt_sys(SYS_mmap, 0, sizeof(record), PROT_READ, MAP_PRIVATE, fd);
    is_written = memory > 0 || memory < -4095;
  }
  rt_sys(SYS_close, fd, 0, 0, 0, 0);
  return is_written;
}

void rt_reload_forget(void) {
  for (struct rt_object *it = rt_objects(), *next; it; it = next) {
    next = it->next;
    rt_baseline_release(it);
    rt_side_release(it);
    rt_load_history_release(it);
    for (size_t i = 0; i < it->n_texts; i++)
      rt_unmap(it->texts[i].bins, rt_object_bins_bytes(it, i));
    rt_unmap(it, sizeof(*it));
  }
  rt_objects_replace(NULL);
}

static bool has_object_like(const struct rt_object *objects,
                            const struct rt_object *like) {
  for (const struct rt_object *it = objects; it; it = it->next)
    if (rt_equal(it->build_id, like->build_id, sizeof(it->build_id)) &&
        rt_equal(it->suffix, like->suffix, sizeof(it->suffix)))
      return true;
  return false;
}

static bool is_for(const struct rt_map_line *line,
                   const struct rt_object *like) {
  const struct record *record = (const void *)line->start;

  return rt_length(line->path) >= sizeof(PATH) - 1 &&
         rt_equal(line->path, PATH, sizeof(PATH) - 1) &&
         line->end - line->start >= sizeof(*record) &&
         rt_equal(record->magic, magic, sizeof(magic)) &&
         record->object_bytes == sizeof(*like) && record->pid == own_pid() &&
         has_object_like(record->objects, like);
}

struct rt_object *rt_reload_restore(const struct rt_object *like) {
  struct rt_maps *maps = rt_map(sizeof(*maps));
  struct rt_object *objects = NULL;
  struct rt_map_line line;

  if (!maps)
    return NULL;
  rt_maps_open(maps);
  while (!objects && rt_maps_next(maps, &line))
    if (is_for(&line, like)) {
      const struct record *record = (const void *)line.start;
      objects = record->objects;
      *rt_exit_word() = record->exit_word;
      rt_unmap((void *)line.start, line.end - line.start);
    }
  rt_maps_close(maps);
  rt_unmap(maps, sizeof(*maps));
  return objects;
}
