/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Everything that the files of the runtime know of one another. The runtime
 * counts calls, blocks and timer samples of the program it is linked into and
 * writes them to gmon.out files; it never reads such files.
 *
 * Each linked object that was instrumented contains a copy of the runtime. The
 * per-object part (object.c, arcs.c) serves that object alone. The process
 * part (all other files) has state, of which one copy serves all objects: the
 * one that the dynamic linker finds first under the name __arcline_process_v2.
 * The name's number stands for the layout of the structs on this page.
 *
 * Where a function may run:
 *   hook          inside of instrumented code, also in signal handlers and in
 *                 handlers that interrupt another hook: no lock, no malloc, no
 *                 stdio; errno kept
 *   handler-safe  in a signal handler, but not inside of a hook
 *   startup, exit inside of constructors, destructors, fork and exit handlers
 *
 * Memory that counts is mapped once and never freed while the process part
 * lives: a thread may be counting in it at any time, and nobody knows when it
 * has stopped.
 */
#ifndef ARCLINE_RT_H
#define ARCLINE_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/abi.h"

#define rt_likely(x) __builtin_expect(!!(x), 1)
#define rt_load(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define rt_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define rt_cas(p, old, new)                                                    \
  __atomic_compare_exchange_n((p), (old), (new), false, __ATOMIC_ACQ_REL,      \
                              __ATOMIC_ACQUIRE)

enum {
  RT_FIRST_ARCS = 8192,   /* slots of a thread's first arc segment */
  RT_ARC_PROBES = 8,      /* slots that may hold a given arc in a segment */
  RT_EARLY_ARCS = 256,    /* slots of an object's shared table */
  RT_HEADER_SPAN = 65536, /* a segment's head, in the largest page size */
  RT_DEFAULT_HZ = 100,
  RT_MAX_TEXTS = 4, /* executable segments of one object */
  RT_MAX_SUFFIX = 256,
  RT_MAX_PATH = 4096,
  RT_CHUNK_BINS = 512, /* bins that share one "touched" byte */
};

/* arcs.c: tables of arcs ------------------------------------------------- */

/** One arc. from is 0 in a free slot, and set before self in a claimed one.
 * What __arcline_indirect() counts is an arc from the call site's record. */
struct rt_arc {
  uint64_t from; /* in tables: return pc; in profiles: vaddr of the call */
  uint64_t self; /* 0 in profiles: a site's callee outside of the object */
  uint64_t count;
};

/** Head of one segment of a thread's table; the head survives fork(). */
struct rt_arcs {
  struct rt_arcs *next; /* larger and younger, or NULL */
  uint64_t n_slots;     /* power of two; RT_ARC_PROBES more follow */
  bool is_wiped;        /* the kernel empties the slots in a fork()ed child */
};

/** The slots of a segment; free ones are all zero. */
static inline struct rt_arc *rt_arcs_slots(const struct rt_arcs *arcs) {
  return (struct rt_arc *)((uintptr_t)arcs + RT_HEADER_SPAN);
}

/** Index of the first slot that may hold the arc in a first segment. Calls that
 * lie side by side have slots side by side, for the sake of the caches; callees
 * of one indirect call are spread over sixteen slots. */
static inline uint64_t rt_arc_home(uint64_t from, uint64_t self) {
  return ((from >> 2) ^ ((self >> 4) & 15)) & (RT_FIRST_ARCS - 1);
}

/** Add 1 in a way that a signal handler on the same thread cannot split. */
static inline void rt_bump(uint64_t *count) {
#ifdef __x86_64__
  __asm__("addq $1, %0" : "+m"(*count) : : "cc");
#else
  __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
#endif
}

/** Map an empty segment of n_slots (a power of two). NULL if out of memory.
 * Runs: hook. */
struct rt_arcs *rt_arcs_create(uint64_t n_slots);

void rt_arcs_destroy(struct rt_arcs *arcs);
/** Zero all slots. Nobody may be counting. */
void rt_arcs_empty(struct rt_arcs *arcs);

/** Count an arc of this thread, in a segment of the chain that starts at arcs,
 * or in a new one. Returns 0, or -ENOMEM if there is no room. Runs: hook. */
int rt_arcs_count(struct rt_arcs *arcs, uint64_t from, uint64_t self);

/** Count an arc in a table that all threads share; -ENOMEM if it is full.
 * Runs: hook. */
int rt_arcs_count_shared(struct rt_arc *slots, size_t n_slots, uint64_t from,
                         uint64_t self);

/** Sort by (from, self) and add up equal arcs, in place. scratch: n arcs.
 * Returns how many are left; those of count 0 are dropped. */
size_t rt_arcs_merge(struct rt_arc *arcs, size_t n, struct rt_arc *scratch);

/* object.c to process.c -------------------------------------------------- */

/** What an object tells of itself. The pointers die with the object. */
struct rt_image {
  const void *anchor; /* any address inside of the object */
  uint64_t *cells, *cells_end;
  const struct arcline_func *funcs, *funcs_end;
  const struct arcline_body *bodies, *bodies_end;
  const struct arcline_copy *copies, *copies_end;
  struct arcline_site *sites, *sites_end;
  const uint8_t *data, *data_end;
  const struct arcline_addr *addrs, *addrs_end;
  struct rt_arc *early; /* RT_EARLY_ARCS slots, shared by all threads */
  uint64_t *n_lost;     /* arcs that found no room anywhere */
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
  uint32_t state; /* enum rt_object_state */
  struct rt_image image;
  uint64_t load_bias;
  char suffix[RT_MAX_SUFFIX]; /* ".<soname>"; empty for the executable */
  uint8_t build_id[20];       /* zeros if absent */
  struct rt_text texts[RT_MAX_TEXTS];
  size_t n_texts;
  unsigned bin_bytes;
  size_t n_cells;
  uint64_t *kept_cells; /* of earlier loads, less those of resets; or NULL */
  struct rt_arc *kept_arcs; /* the same; vaddrs */
  size_t n_kept_arcs, n_kept_room;
  uint64_t written_sum; /* of all counts in the last file */
  bool is_written;
  bool has_failed; /* and said so */
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
  void (*reset)(void);            /* handler-safe */
  void (*sample)(bool is_wanted); /* handler-safe */
};

__attribute__((visibility("default"))) const struct rt_process_ops *
__arcline_process_v2(void);

/** The operations that serve this object, or NULL. Runs: handler-safe. */
const struct rt_process_ops *rt_ops(void);

/** What rt_signals_block() found. */
struct rt_signals {
  uint64_t mask, pending;
};

/* threads.c: each thread's memory ---------------------------------------- */

/** What one thread has counted in one object. */
struct rt_block {
  struct rt_block *next;
  struct rt_object *object;
  uint64_t *copy; /* of the cell section, or NULL */
  bool is_wiped;  /* like rt_arcs.is_wiped */
  struct rt_arcs *arcs;
  intptr_t *tls_bias; /* the thread's variables that point here, or NULL */
  struct rt_arcs **tls_arcs;
};

/** Memory for one thread at a time; later threads go on with it. */
struct rt_thread {
  struct rt_thread *next;
  uint32_t owner; /* thread id, perhaps with RT_OWNER_LATE; 0: free */
  unsigned n_exit_rounds;
  bool has_timer;
  int timer;
  struct rt_block *blocks;
  bool is_forking;
  struct rt_signals fork_signals; /* to restore when is_forking */
};

/* owner is not told of its end: ask the kernel whether it lives. */
#define RT_OWNER_LATE 0x80000000u

/** The calling thread's record, or NULL if out of memory. Runs: hook. */
struct rt_thread *rt_thread_self(void);
void rt_threads_init(void); /* startup */
/** Unmap what threads count in; not, and return false, if some thread besides
 * the calling one may still be counting. Runs: exit. */
bool rt_threads_release(void);
void rt_threads_in_child(void);     /* in fork()'s child */
struct rt_thread *rt_threads(void); /* first of all; hook */
/** Forget the object's thread-local variables and empty its arc tables: it is
 * about to be unmapped. Runs: exit. */
void rt_threads_forget(struct rt_object *object);
void rt_thread_join(struct rt_object *object, intptr_t *bias,
                    struct rt_arcs **arcs); /* hook */

/* sampler.c: timers -> histograms ---------------------------------------- */

void rt_sampler_init(unsigned rate_hz);           /* startup */
void rt_sampler_release(void);                    /* exit */
void rt_sampler_in_child(void);                   /* in fork()'s child */
void rt_sampler_want(bool is_wanted);             /* handler-safe */
bool rt_sampler_has_timers(void);                 /* handler-safe */
bool rt_sampler_is_displaced(void);               /* handler-safe */
uint64_t rt_sampler_n_outside(void);              /* of all objects' text */
void rt_sampler_arm(struct rt_thread *thread);    /* the calling one; hook */
void rt_sampler_disarm(struct rt_thread *thread); /* any; hook */

/* image.c: what the dynamic linker knows of an object -------------------- */

/** Fill in load_bias, suffix, build_id, texts (without bins) and bin_bytes of
 * the object around anchor. Returns 0, -ENOENT if there is none.
 * Runs: startup. */
int rt_image_find(const void *anchor, struct rt_object *out);

/** Whether vaddr lies in executable code. Runs: exit, handler-safe. */
bool rt_image_has_text(const struct rt_object *object, uint64_t vaddr);

/* collect.c, solve.c: cells -> profile ------------------------------------ */

struct rt_pair {
  uint64_t vaddr, count;
};

/** All that goes into one file. */
struct rt_profile {
  const uint8_t *build_id;
  const struct rt_text *texts;
  size_t n_texts;
  unsigned bin_bytes, rate_hz;
  struct rt_arc *arcs; /* merged; vaddrs; from 0: outside of the object */
                       /* until they are solved: those from sites among them */
  size_t n_arcs, n_arcs_room;
  struct rt_pair *blocks;
  size_t n_blocks, n_blocks_room;
  uint64_t *cells;
  size_t n_cells;
  uint64_t cells_vaddr;
  uint64_t sum; /* of all cells, arcs and samples */
};

/** Add up what all threads have counted in an object.
 * Returns 0 or -ENOMEM. rt_profile_release() afterwards, in any case. */
int rt_profile_collect(const struct rt_object *object, struct rt_profile *out);
/** How many bins the histogram of a text has. */
static inline size_t rt_text_n_bins(const struct rt_text *text,
                                    unsigned bin_bytes) {
  return (text->high_vaddr - text->low_vaddr) / bin_bytes;
}
/** The one of the image's cells that counts calls of a site's second callee,
    or NULL. */
uint64_t *rt_site_cell(const struct rt_image *image, uint64_t *cells,
                       const struct arcline_site *site);
/** Solve the flow equations: cells -> blocks, arcs. Returns 0 or -ENOMEM. */
int rt_profile_solve(const struct rt_object *object, struct rt_profile *out);
/** Add arcs from sites to their first callees, which until then are what is
 * left of the sites' counts: the sites are about to be unmapped, and at the
 * next load another callee may come first. Returns 0 or -ENOMEM. */
int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out);
void rt_profile_release(struct rt_profile *profile);

/* gmon.c: profile -> bytes ----------------------------------------------- */

/** Where bytes go. error is sticky: after the first failure nothing is put. */
struct rt_sink {
  int (*put)(struct rt_sink *sink, const void *bytes, size_t n);
  int error; /* 0 or negative errno */
};

/** Write a whole gmon.out file. Returns sink->error. Runs: handler-safe. */
int rt_gmon_write(const struct rt_profile *profile, struct rt_sink *sink);

/* file.c: bytes -> file -------------------------------------------------- */

/** Write the profile into a file beside path, then rename it to path.
 * Returns 0 or a negative errno with any former file intact. The caller has
 * blocked all signals. -EFTYPE stands for "not a regular file". */
int rt_file_write(const char *path, const struct rt_profile *profile);

#define RT_EFTYPE 4000

/* options.c -------------------------------------------------------------- */

struct rt_options {
  char out[RT_MAX_PATH];    /* pattern, or "" */
  char prefix[RT_MAX_PATH]; /* GMON_OUT_PREFIX, or "" */
  unsigned rate_hz;         /* 0: no sampling */
  unsigned verbose;
  char program[RT_MAX_SUFFIX];
};

void rt_options_read(struct rt_options *out); /* startup */
/** Parse "key=value:..."; complain about what is wrong. */
void rt_options_parse(const char *text, struct rt_options *out);

struct rt_str;
/** Append the name of the file to write now, by the current process. */
void rt_options_name(const struct rt_options *options, const char *suffix,
                     struct rt_str *out);

/* process.c -------------------------------------------------------------- */

struct rt_object *rt_objects(void); /* first of all; handler-safe */
unsigned rt_rate_hz(void);          /* handler-safe */

/* os.c: system calls, strings, messages ---------------------------------- */

/** Returns the result or a negative errno; errno is kept. Runs: hook. */
long rt_sys(long number, long a, long b, long c, long d, long e);
/** Zeroed memory or NULL. Runs: hook. */
void *rt_map(size_t bytes);
void rt_unmap(void *memory, size_t bytes);
/** Ask for memory that reads as zero in a fork()ed child; false: do it. */
bool rt_wipe_on_fork(void *memory, size_t bytes);
void rt_zero(void *memory, size_t bytes);
/** Zero 8-byte words; writes only to those that are not zero. */
void rt_zero_words(uint64_t *words, size_t n);
void rt_copy(void *to, const void *from, size_t bytes);
size_t rt_length(const char *text);
bool rt_equal(const void *a, const void *b, size_t bytes);
uint32_t rt_tid(void);

/** Block all signals but those that a fault raises. */
void rt_signals_block(struct rt_signals *old);
/** Undo it; a SIGPIPE or SIGXFSZ of our own making is taken off first. */
void rt_signals_restore(const struct rt_signals *old);

/** Text in a fixed buffer, always terminated. */
struct rt_str {
  char *text;
  size_t room, length;
  bool is_cut;
};

void rt_str_add(struct rt_str *str, const char *text);
void rt_str_add_n(struct rt_str *str, const char *text, size_t n);
void rt_str_add_number(struct rt_str *str, uint64_t number);
void rt_str_add_error(struct rt_str *str, int error);

void rt_message_init(void); /* remember what fd 2 is; startup */
/** Write one line, "arcline: " and the given texts up to NULL, if fd 2 is still
 * what it was at start. Runs: handler-safe. */
void rt_message(const char *first, ...) __attribute__((sentinel));

#endif
