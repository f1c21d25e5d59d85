/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces pthread_create() in executables: it announces a thread to the
   runtime before the thread runs anything. In an archive of its own that shared
   objects are not linked with, since the executable's function serves the whole
   process: libraries that make threads call it, too, if it is exported.

   Weak, for programs and sanitizers that have their own, which are left alone;
   then the first counted function of a thread detects that the thread was not
   announced, if it can (pass/Segment.h). It refers to nothing of the runtime:
   in a program without instrumented code it only calls the original. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/linked.h"
#include "start/start.h"

#define WEAK __attribute__((weak))

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                      void *);

extern __typeof__(rt_map) rt_map WEAK;
extern __typeof__(dlsym) dlsym WEAK;
extern __typeof__(rt_linked_redirect) rt_linked_redirect WEAK;
/* In static programs: libc's own. */
extern create_fn __pthread_create WEAK;

/* The pass's code refers to it. */
extern uint8_t __arcline_threads;
__attribute__((visibility("hidden"))) uint8_t __arcline_threads;

/* Makes static programs have libc's function, which its own name does not,
   since it is ours. */
__attribute__((used)) static rt_thrd_create_fn *const with_threads =
    thrd_create;

/* Not only for those with threads: counting code that reaches its cells through
   GS refers to this file. */
__attribute__((used)) static const uint8_t *const reserve = &rt_reserve_is_here;

/* That are about to begin at a time; few, since the first chunk is among the
   variables that each process writes to. */
enum { STARTS_PER_CHUNK = 16 };

struct chunk {
  struct chunk *next;
  struct rt_start starts[STARTS_PER_CHUNK];
};

static struct chunk first_chunk;

struct rt_start *rt_start_alloc(void *argument) {
  if (!rt_begin_thread)
    return NULL;
  // Constructors of libraries come before ours, and may make threads.
  rt_attach();
  for (struct chunk *chunk = &first_chunk;;) {
    for (size_t i = 0; i < STARTS_PER_CHUNK; i++) {
      uint32_t is_taken = false;
      if (!rt_cas(&chunk->starts[i].is_taken, &is_taken, true))
        continue;
      chunk->starts[i].argument = argument;
      return &chunk->starts[i];
    }
    struct chunk *next = rt_load(&chunk->next);
    if (!next) {
      struct chunk *fresh = rt_map(sizeof(*fresh));
      if (!fresh)
        return NULL;
      // If another thread was faster, its chunk comes first and ours after it.
      struct chunk *end = chunk;
      while (!rt_cas(&end->next, &next, fresh)) {
        end = next;
        next = NULL;
      }
      next = fresh;
    }
    chunk = next;
  }
}

/* The call is the last thing: no frame of ours stays on the thread's stack. */
static void *begin(void *start) {
  const struct rt_start taken = rt_start_begin(start);

  return taken.routine(taken.argument);
}

static create_fn *next_create(void) {
  static void *found;

  if (__pthread_create)
    return __pthread_create;
  if (!rt_load(&found) && dlsym)
    rt_store(&found, dlsym(RTLD_NEXT, "pthread_create"));
  return (create_fn *)rt_load(&found);
}

static int create(pthread_t *thread, const pthread_attr_t *attributes,
                  void *(*routine)(void *), void *argument) {
  create_fn *const next = next_create();
  struct rt_start *start = rt_start_alloc(argument);

  if (!start)
    return next ? next(thread, attributes, routine, argument) : EAGAIN;
  start->routine = routine;
  const int error = next ? next(thread, attributes, begin, start) : EAGAIN;
  if (error)
    rt_store(&start->is_taken, false);
  return error;
}

WEAK __attribute__((visibility("default"), alias("create")))
create_fn pthread_create;

/* The linker's options may hide our function: --exclude-libs, and version
   scripts with `local: *'. Libraries then find libc's, libstdc++ for one.
   Before their constructors, which may make threads. */
static void redirect_libraries(void) {
  create_fn *const chosen = pthread_create;

  if (chosen == create && rt_linked_redirect && rt_begin_thread &&
      !__pthread_create)
    rt_linked_redirect("pthread_create", (const void *)create);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const redirect_at_start)(void) =
    redirect_libraries;
