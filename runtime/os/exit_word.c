/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "os/exit_word.h"

#include <semaphore.h>

#include "os/libc.h"
#include "os/os.h"

enum { OF_THREAD = sizeof(sem_t) / sizeof(uint32_t) };

/* Functions that a library registers are called when it is unloaded, too, and a
   function of another object may be unmapped by then. So sem_post() of libc is
   registered, with a semaphore that is never freed. The value is its first word
   with glibc and musl; no thread waits for it. A second semaphore follows, for
   the end of the first thread. */
static uint32_t *exit_word;

void rt_watch_exit(void) {
  const struct rt_libc *libc = rt_libc();

  if (exit_word || !libc->at_exit || !libc->increase)
    return;
  exit_word = rt_map_near(0, 2 * sizeof(sem_t));
  if (!exit_word)
    return;
  if (libc->at_exit(libc->increase, exit_word, NULL)) {
    exit_word = NULL;
    return;
  }
  // The handle is in no object, so libc keeps no library loaded because of it;
  // glibc takes NULL for the last handle, though there may be none.
  if (libc->at_thread_exit && rt_tid() == rt_pid())
    libc->at_thread_exit(libc->increase, exit_word + OF_THREAD, exit_word);
}

uint32_t **rt_exit_word(void) { return &exit_word; }

bool rt_has_exit_begun(void) { return !exit_word || rt_load(exit_word); }

bool rt_may_exit_have_begun(void) {
  return rt_has_exit_begun() || rt_load(exit_word + OF_THREAD);
}
