/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "os/exit_word.h"

#include <semaphore.h>

#include "os/libc.h"
#include "os/os.h"

/* Functions that a library registers are called when it is unloaded, too, and a
   function of another object may be unmapped by then. So sem_post() of libc is
   registered, with a semaphore that is never freed. The value is its first word
   with glibc and musl; no thread waits for it. */
static uint32_t *exit_word;

void rt_watch_exit(void) {
  const struct rt_libc *libc = rt_libc();

  if (exit_word || !libc->at_exit || !libc->increase)
    return;
  exit_word = rt_map_near(0, sizeof(sem_t));
  if (exit_word && libc->at_exit(libc->increase, exit_word, NULL))
    exit_word = NULL;
}

uint32_t **rt_exit_word(void) { return &exit_word; }

bool rt_has_exit_begun(void) { return !exit_word || rt_load(exit_word); }
