/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thread that runs has its name in /proc. Names of those that have ended are
   in a table, which is mapped at the first end of a thread: programs of one
   thread have none. Ids of threads are given in order, so their low bits choose
   slots on few pages. */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "os/os.h"
#include "os/task_file.h"
#include "sample/thread_names.h"

enum {
  N_SLOTS = 1 << 14, /* power of two */
  MAX_PROBES = 64,
  N_WORDS = RT_THREAD_NAME_BYTES / sizeof(uint64_t),
};

struct slot {
  uint32_t tid; /* 0: free; never changes again */
  uint64_t words[N_WORDS];
};

static struct slot *slots;

static struct slot *map_slots(void) {
  struct slot *known = rt_load(&slots);

  if (known)
    return known;
  struct slot *fresh = rt_map(N_SLOTS * sizeof(*fresh));
  if (!fresh || rt_cas(&slots, &known, fresh))
    return fresh;
  rt_unmap(fresh, N_SLOTS * sizeof(*fresh));
  return known;
}

/* The slot of a thread; a free one if is_claimed and it has none; or NULL. */
static struct slot *find(struct slot *all, uint32_t tid, bool is_claimed) {
  for (uint32_t i = 0; all && i < MAX_PROBES; i++) {
    struct slot *slot = &all[(tid + i) & (N_SLOTS - 1)];
    uint32_t seen = rt_load(&slot->tid);
    if (!seen && is_claimed && rt_cas(&slot->tid, &seen, tid))
      return slot;
    if (seen == tid)
      return slot;
    if (!seen && !is_claimed)
      return NULL;
  }
  return NULL;
}

void rt_thread_names_keep(uint32_t tid) {
  uint64_t words[N_WORDS] = {0};

  if (rt_sys(SYS_prctl, PR_GET_NAME, (long)words, 0, 0, 0))
    return;
  struct slot *slot = find(map_slots(), tid, true);
  // The id may have been that of an earlier thread: its time is added, too.
  for (size_t i = N_WORDS; slot && i-- > 0;)
    rt_store(&slot->words[i], words[i]);
}

bool rt_thread_names_find(uint32_t tid, char out[RT_THREAD_NAME_BYTES]) {
  const struct slot *slot = find(rt_load(&slots), tid, false);
  uint64_t words[N_WORDS] = {0};
  long n = RT_THREAD_NAME_BYTES;

  if (slot) {
    for (size_t i = 0; i < N_WORDS; i++)
      words[i] = rt_load(&slot->words[i]);
    rt_copy(out, words, sizeof(words));
  } else {
    n = rt_task_file_read(tid, "comm", out, RT_THREAD_NAME_BYTES);
  }
  // The file has a line feed after the name, in place of the NUL.
  out[n > 0 ? n - 1 : 0] = '\0';
  return out[0] != '\0';
}

void rt_thread_names_release(void) {
  rt_unmap(slots, N_SLOTS * sizeof(*slots));
  slots = NULL;
}
