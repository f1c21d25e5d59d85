/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Declares the interface between objects and the process part.
 *
 * Each linked object that was instrumented contains a copy of the runtime. The
 * per-object part (hooks/, counting/arcs*.c) serves that object alone. The
 * process part (all other files) has state; one copy of it serves all objects
 * (life/serving.c). */
#ifndef ARCLINE_RT_PROCESS_H
#define ARCLINE_RT_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "counting/arcs.h"
#include "objects/objects.h"
#include "os/handlers.h"
#include "os/libc.h"
#include "settings/settings.h"
#include "threads/stack.h"

enum rt_part_state { RT_PART_IS_IDLE, RT_PART_SERVES, RT_PART_IS_GONE };

/** The process part's operations, for objects. */
struct rt_process_ops {
  /** Returns NULL if the program must not be profiled. Runs: startup. */
  struct rt_object *(*attach)(const struct rt_image *image);
  /** Writes the object's file and forgets its addresses. Runs: exit. */
  void (*detach)(struct rt_object *object);
  /** Give the thread a copy of the cells (if bias) and an arc table (if arcs):
   * sets *bias, the word that the object's slot leads to if it has one, and
   * *arcs, a thread-local variable unless the image keeps arcs; not if out of
   * memory. Runs: hook. */
  void (*attach_thread)(struct rt_object *object, intptr_t *bias,
                        struct rt_arcs **arcs);
  /** rt_thread_find(). Runs: hook. */
  bool (*find)(const struct rt_object *object, intptr_t *bias,
               struct rt_arcs **arcs);
  int (*dump)(void);                     /* handler-safe */
  void (*cleanup)(void);                 /* _mcleanup(); handler-safe */
  void (*reset)(void);                   /* handler-safe */
  void (*sample)(bool is_wanted);        /* handler-safe */
  void (*before_exit)(void);             /* of _exit(); handler-safe */
  rt_exit_fn *(*next_exit)(bool is_iso); /* rt_next_exit(); hook */
  /** As __arcline_before_exec(). Runs: handler-safe. */
  void (*before_exec)(uint32_t how, const void *file, char *const *environment);
  void (*before_fork)(
      long number);         /* of a kind without handlers; handler-safe */
  void (*after_fork)(void); /* or a call like it; handler-safe */
  /** Called instead of the object's sigaction(), signal() and sigaltstack(),
   * which are `real`. Runs: handler-safe. */
  int (*set_action)(rt_sigaction_fn *real, int number,
                    const struct sigaction *action, struct sigaction *old);
  rt_handler_fn *(*set_handler)(rt_signal_fn *real, int number,
                                rt_handler_fn *handler);
  int (*set_stack)(rt_sigaltstack_fn *real, const stack_t *stack, stack_t *old);
};

/** A copy of the process part, as other objects find it by its note. */
struct rt_process_part {
  const struct rt_process_ops *ops;
  const struct rt_process_ops *serving; /* found by another object for this
                                           one, which has not begun; or NULL */
  uint32_t state;                       /* enum rt_part_state */
  uint32_t n_waiting; /* of the one that serves: objects that begin next */
};

/** Large variables. Of the first two, most processes use a few bytes, which are
 * side by side. */
struct rt_tail {
  struct rt_object executable; /* stays to the end; before, what was found about
                                  the object that is attached */
  char texts[RT_TEXTS_BYTES];  /* of settings; they begin where the path of the
                                  executable ends */
  struct solve_arc early_arcs[RT_EARLY_ARCS]; /* of this object */
};

#pragma GCC visibility push(hidden)
/** Common, since linkers place such variables after all others: between them,
 * it would separate those that each process writes to. */
extern struct rt_tail rt_tail;
/** That of this object. In a page that the dynamic linker has written to, so
 * that it costs no fault. */
extern struct rt_process_part rt_process_part;
#pragma GCC visibility pop

/** The process part that serves the process. Runs: startup. */
const struct rt_process_ops *rt_process_find(void);

/** The operations that serve this object, or NULL. Runs: handler-safe. */
const struct rt_process_ops *rt_ops(void);

#endif
