/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts samples outside of instrumented objects, and samples by thread. */
#ifndef ARCLINE_RT_UNINSTRUMENTED_H
#define ARCLINE_RT_UNINSTRUMENTED_H

#include "objects/objects.h"
#include "sample/call_stacks.h"

/** The file of a sample, as /proc names it, or one of "[vdso]", "[anonymous]"
 * (memory without a file), "[unknown]" (nothing is mapped there, or the address
 * was not recorded), and of frames "[kernel]" (below a system call) and
 * "[waiting]" (below the place of a wait). */
struct rt_uninstrumented_object {
  const char *path;
  uint8_t build_id[RT_MAX_BUILD_ID];
  size_t n_build_id; /* 0: unknown */
};

struct rt_uninstrumented_time {
  uint64_t i_object;
  uint64_t offset; /* in the file; 0 for names in brackets */
  uint64_t n_samples;
};

/** The number of samples that a thread's CPU time since its first instrumented
 * call amounts to. */
struct rt_thread_time {
  uint32_t tid; /* 0: of threads that found no room */
  uint64_t n_samples;
};

/** The address of a frame. */
struct rt_place {
  uint64_t pc;
  uint64_t end; /* in an instrumented object, as an end of an arc; or 0 */
  uint64_t i_object, offset; /* else */
  bool is_at_syscall; /* samples of stacks that end here are the kernel's */
};

/** Samples for the side file. */
struct rt_uninstrumented {
  struct rt_uninstrumented_object *objects; /* each has times or frames */
  size_t n_objects;
  struct rt_uninstrumented_time *times;  /* by object, then offset */
  size_t n_times, n_times_room;          /* of either */
  struct rt_uninstrumented_time *kernel; /* of these: in system calls */
  size_t n_kernel;
  struct rt_thread_time *threads; /* each thread once */
  size_t n_threads, n_threads_room;
  struct rt_frames frames;
  struct rt_place *places; /* of frames, by pc */
  size_t n_places;
  size_t i_kernel;    /* object that is called at system calls of stacks */
  size_t i_waiting;   /* object that is called where threads wait */
  struct rt_str text; /* of paths */
  struct rt_uninstrumented_names *names; /* not touched without samples */
};

/** How much of rt_map_wiped()'s memory the next one takes, in whole pages. */
size_t rt_uninstrumented_bytes(void);
void rt_uninstrumented_init(void);     /* startup */
void rt_uninstrumented_release(void);  /* exit */
void rt_uninstrumented_in_child(void); /* in fork()'s child */
void rt_uninstrumented_reset(void);    /* handler-safe */
void rt_uninstrumented_add(uint64_t pc, uint64_t n_samples); /* hook */
void rt_uninstrumented_add_thread(uint32_t tid, uint64_t n); /* hook */
void rt_uninstrumented_add_samples(uint64_t n_samples);      /* hook */
uint64_t rt_uninstrumented_n_samples(void);                  /* handler-safe */
struct rt_usage;

/** usage: as it is now. n_due, n_own: what rt_sampler_n_due() and
 * rt_sampler_n_own() return for it. Returns 0 or -ENOMEM.
 * rt_uninstrumented_free() afterwards, in any case. Runs: handler-safe. */
int rt_uninstrumented_collect(const struct rt_usage *usage, uint64_t n_due,
                              uint64_t n_own, struct rt_uninstrumented *out);
/** The place of a frame's pc. Runs: handler-safe. */
const struct rt_place *
rt_uninstrumented_place(const struct rt_uninstrumented *outside, uint64_t pc);
void rt_uninstrumented_free(struct rt_uninstrumented *outside);

#endif
