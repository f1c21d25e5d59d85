/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Lists the linked objects that are instrumented, with all that the process
 * part records of each. Each contains a copy of the runtime; one copy serves
 * all (life/process.h). */
#ifndef ARCLINE_RT_OBJECTS_H
#define ARCLINE_RT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/abi.h"
#include "counting/arcs.h"
#include "objects/object_parts.h"
#include "os/os.h"

enum {
  RT_MAX_TEXTS = 4, /* executable segments of one object */
  RT_MAX_BUILD_ID = 20,
};

/** An object's description of itself. The pointers are valid while it is
 * loaded. */
struct rt_image {
  const void *anchor; /* any address inside of the object */
  uint64_t *cells, *cells_end;
  const struct arcline_func *funcs, *funcs_end;
  const struct arcline_body *bodies, *bodies_end;
  struct arcline_site *sites, *sites_end;
  const uint8_t *plans, *plans_end;
  const uint8_t *data, *data_end;
  struct solve_arc *early;     /* RT_EARLY_ARCS slots, shared by all threads */
  const bool *has_early;       /* false: they are free */
  uint64_t *n_lost;            /* arcs that found no room anywhere */
  uint64_t *n_late_threads;    /* threads that began unannounced */
  void (*attach_again)(void);  /* when another process part is to serve */
  void (*attach_thread)(void); /* the calling thread gets memory of its own */
  void (*find_late_thread)(void); /* the same, if it began unannounced */
  bool has_segment;               /* some code counts through GS */
  bool keeps_arcs; /* a thread's table of arcs is found after its cells */
  intptr_t slot;   /* from the thread pointer to a word for the bias, or 0 */
  const char *options; /* built into it; or NULL */
  const void *header;  /* its ELF header; or NULL */
  const void *dynamic; /* its dynamic section; or NULL */
  /* Without one: relocations of pointers that resolvers choose; or none. */
  const void *resolved, *resolved_end;
};

enum rt_object_state { RT_DETACHED, RT_CHANGING, RT_ATTACHED };

/** The process part's record of an object. It outlives the object's mapping and
 * is used again when the same file is loaded again. */
struct rt_object {
  struct rt_object *next;
  uint32_t state;  /* enum rt_object_state */
  unsigned number; /* from 1; its own for good */
  struct rt_image image;
  intptr_t slot; /* the image's, or that of a word of the executable's, or 0 */
  uint64_t load_bias;
  size_t position; /* among the objects that the dynamic linker lists; SIZE_MAX
                      once it is unloaded */
  char suffix[RT_MAX_SUFFIX]; /* ".<soname>", and more if there are several of
                                 that name; empty for the executable */
  uint8_t build_id[RT_MAX_BUILD_ID]; /* or arcline/image_id.h */
  size_t n_build_id;
  struct rt_text texts[RT_MAX_TEXTS];
  size_t n_texts;
  unsigned bin_bytes;
  size_t n_cells;
  struct rt_baseline baseline;
  struct rt_live_part live;
  struct rt_load_history loads;
  struct rt_crossing crossing;
  uint64_t written_sum;      /* of all counts in the last file */
  bool is_written;           /* in this exit() */
  bool is_attached_at_start; /* by the first thread: later it could not */
  char path[RT_MAX_PATH];    /* absolute; of the executable perhaps the base
                                name (rt_object_path()). At the end, which
                                takes no page if it is not used */
};

/* Since it is declared hidden, it is reached without the global offset table.
 */
#pragma GCC visibility push(hidden)
/** Set while the object with this copy of the runtime is connected to the
 * process part. Its address identifies the object. In hooks/object.c, which
 * code that refers to nothing else is to be linked with. */
extern uint8_t __arcline_ready;
/** See abi.h; 0 as long as __arcline_ready is. */
extern intptr_t __arcline_slot;
#pragma GCC visibility pop

/** Of the memory of a text's bins. */
size_t rt_object_bins_bytes(const struct rt_object *object, size_t i_text);
/** Append what the object's file is called among those of all programs: base
 * name, a dot and the first bytes of the build-id, if it has one. */
void rt_object_module(const struct rt_object *object, struct rt_str *out);
bool rt_object_is_same_file(const struct rt_object *a,
                            const struct rt_object *b);
/** Plugins of one name may be in different folders: those that come later get
 * their build-id into their suffix, and copies of one file a number. Runs:
 * startup. */
void rt_object_set_apart(struct rt_object *library);
/** The youngest of all. Objects are added while other threads read. Runs:
 * handler-safe. */
struct rt_object *rt_objects(void);
/** Give an object a number of its own. Runs: startup. */
void rt_objects_number(struct rt_object *object);
/** Add an object for others to find. Runs: startup. */
void rt_objects_add(struct rt_object *object);
/** Replace the list by these: objects of an earlier runtime, or none. No thread
 * may be reading the list. Runs: startup, exit. */
void rt_objects_replace(struct rt_object *first);

#endif
