/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What objects and the process part know of one another.
 *
 * Each linked object that was instrumented contains a copy of the runtime. The
 * per-object part (object.c, arcs.c) serves that object alone. The process
 * part (all other files) has state, of which one copy serves all objects: the
 * one that the dynamic linker finds first under the name __arcline_process_v6.
 * The name's number stands for the layout of the structs that objects and the
 * process part share.
 */
#ifndef ARCLINE_RT_PROCESS_H
#define ARCLINE_RT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/abi.h"
#include "arcs.h"
#include "handlers.h"
#include "os.h"

enum {
  RT_MAX_TEXTS = 4, /* executable segments of one object */
  RT_MAX_SUFFIX = 256,
  RT_MAX_BUILD_ID = 20,
  RT_OLD_LOADS = 32,
  RT_CHUNK_BINS = 512, /* bins that share one "touched" byte */
};

/** What an object tells of itself. The pointers die with the object. */
struct rt_image {
  const void *anchor; /* any address inside of the object */
  uint64_t *cells, *cells_end;
  const struct arcline_func *funcs, *funcs_end;
  const struct arcline_body *bodies, *bodies_end;
  const struct arcline_copy *copies, *copies_end;
  struct arcline_site *sites, *sites_end;
  const uint8_t *data, *data_end;
  const uint8_t *addrs, *addrs_end; /* struct arcline_addrs */
  struct rt_arc *early; /* RT_EARLY_ARCS slots, shared by all threads */
  uint64_t *n_lost;     /* arcs that found no room anywhere */
  uint64_t *n_met;      /* threads that began unannounced */
  bool has_segment;     /* some code counts by way of GS */
};

/** A range of text; vaddrs are multiples of the object's bin width. */
struct rt_text {
  uint64_t low_vaddr, high_vaddr;
  uint64_t *bins;   /* NULL if out of memory */
  uint8_t *touched; /* per RT_CHUNK_BINS bins: not all of them are 0 */
  bool is_wiped;    /* like rt_arcs.is_wiped */
};

enum rt_object_state { RT_DETACHED, RT_CHANGING, RT_ATTACHED };

/** An object as the process part knows it. It outlives the object's mapping
 * and is taken up again when the same file is loaded again. */
struct rt_object {
  struct rt_object *next;
  uint32_t state;  /* enum rt_object_state */
  unsigned number; /* from 1; its own for good */
  struct rt_image image;
  uint64_t load_bias;
  size_t position;        /* among the objects that the dynamic linker lists */
  char path[RT_MAX_PATH]; /* absolute */
  char suffix[RT_MAX_SUFFIX];        /* ".<soname>"; empty for the executable */
  uint8_t build_id[RT_MAX_BUILD_ID]; /* zeros if absent */
  size_t n_build_id;
  struct rt_text texts[RT_MAX_TEXTS];
  size_t n_texts;
  unsigned bin_bytes;
  size_t n_cells;
  struct arcline_live_kept *kept; /* what follows lies in it; or NULL */
  uint64_t *kept_cells; /* of earlier loads, less those of resets; or NULL */
  struct rt_arc *kept_arcs; /* the same; vaddrs */
  size_t n_kept_arcs, n_kept_room;
  uint64_t n_loads;
  struct arcline_live_object *live; /* in the live file, or NULL */
  uint32_t live_number;             /* of its region */
  uint8_t *early_copy;              /* of the cells and early arcs; or NULL */
  struct arcline_live_callees *callees; /* a mirror of the sites; or NULL */
  size_t n_callees;
  uint64_t *entries; /* vaddrs of functions, of what was unloaded once */
  size_t n_entries, entries_bytes;
  uint64_t old_biases[RT_OLD_LOADS]; /* load_bias of earlier loads */
  size_t n_old_biases;
  struct rt_arc *crossing; /* of the last file: with an end outside, names of
                              callees being offsets in names; or NULL */
  size_t n_crossing;
  char *names;
  size_t names_bytes;
  uint64_t written_sum; /* of all counts in the last file */
  bool is_written;
  bool is_joined_at_start; /* by the first thread: later it could not */
};

/** The process part as seen from an object. */
struct rt_process_ops {
  /** Returns NULL if the program must not be profiled. Runs: startup. */
  struct rt_object *(*attach)(const struct rt_image *image);
  /** Writes the object's file and forgets its addresses. Runs: exit. */
  void (*detach)(struct rt_object *object);
  /** Give the thread a copy of the cells (if bias) and an arc table (if arcs):
   * sets *bias, *arcs, its thread-local variables; not if out of memory. Runs:
   * hook. */
  void (*join)(struct rt_object *object, intptr_t *bias, struct rt_arcs **arcs);
  int (*dump)(void);              /* handler-safe */
  void (*cleanup)(void);          /* what _mcleanup() does; handler-safe */
  void (*reset)(void);            /* handler-safe */
  void (*sample)(bool is_wanted); /* handler-safe */
  void (*before_exit)(void);      /* of _exit(); handler-safe */
  /** What the object's sigaction() and sigaltstack() do; real are those that it
   * would call otherwise. Runs: handler-safe. */
  int (*set_action)(rt_sigaction_fn *real, int number,
                    const struct sigaction *action, struct sigaction *old);
  int (*set_stack)(rt_sigaltstack_fn *real, const stack_t *stack, stack_t *old);
};

__attribute__((visibility("default"))) const struct rt_process_ops *
__arcline_process_v6(void);

/** The operations that serve this object, or NULL. Runs: handler-safe. */
const struct rt_process_ops *rt_ops(void);

struct rt_object *rt_objects(void); /* first of all; handler-safe */

/** What the side file tells of the process itself. */
struct rt_usage {
  uint32_t pid;
  bool has_cpu;
  uint64_t user_us, system_us; /* CPU time */
};

void rt_process_usage(struct rt_usage *out); /* handler-safe */

struct rt_options;
struct rt_str;
const struct rt_options *rt_process_options(void); /* handler-safe */
/** As arcline_dump(); add to written a newline and a name for each file, with
 * what is wrong if it could not be written. is_reset: what was written counts
 * no more, and nothing is lost in between. Runs: handler-safe. */
int rt_process_dump(bool is_reset, struct rt_str *written);
void rt_process_reset(void);       /* handler-safe */
uint64_t rt_process_n_dumps(void); /* at exit or before; handler-safe */

#endif
