/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Stores call stacks of samples: a tree of frames, in which a sample is
 * counted at its innermost frame. */
#ifndef ARCLINE_RT_CALL_STACKS_H
#define ARCLINE_RT_CALL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/timeline.h"
#include "settings/settings.h"

/* Takes the place of the outermost frame if frames are missing. */
#define RT_FRAME_MISSING (~(uint64_t)0)
/* Called by the innermost frame of a thread that waits. */
#define RT_FRAME_WAITING (~(uint64_t)1)

/** Samples with an incomplete stack, by reason. */
struct rt_stack_losses {
  uint64_t n_stacks;  /* all of it: there was no room, or no walk */
  uint64_t n_deep;    /* the outer frames: there are too many, */
  uint64_t n_unknown; /* or code could not be followed, */
  uint64_t n_broken;  /* or memory was not as it must be */
};

struct rt_frame {
  uint64_t pc;        /* as in struct rt_unwind; or one of these */
  uint32_t caller;    /* 1 + its place in the list, before this one; 0: none */
  uint64_t n_samples; /* taken here */
};

/** All frames, callers first. */
struct rt_frames {
  struct rt_frame *frames;
  size_t n, room;
  uint64_t n_stack_signals; /* signals that brought all samples of these */
  uint64_t n_sampled;       /* samples, if only some get a stack; else 0 */
  uint64_t n_squares; /* then: sum of the squares of what a stack stands for */
  struct rt_stack_losses losses;
  struct rt_moments moments; /* samples by thread and time */
};

/** Does a process in this mode record stacks? With RT_STACKS_AUTO, not in a
 * small address space (RLIMIT_AS), which is left to the program. Runs: startup.
 */
bool rt_call_stacks_are_wanted(enum rt_stack_mode mode);
/** How much of rt_map()'s memory rt_call_stacks_init() takes, in whole pages,
 * and how much of rt_map_wiped()'s. */
size_t rt_call_stacks_kept_bytes(void);
size_t rt_call_stacks_wiped_bytes(void);
/** Record stacks from now on. has_all: each sample gets one, at any cost;
 * otherwise see sample/stack_budget.h. is_start: the program starts.
 * rt_trigger_init() comes first. Runs: startup. */
void rt_call_stacks_init(bool has_all, bool is_start);
void rt_call_stacks_release(void); /* exit */
/** is_inherited: keep the parent's. Runs: in fork()'s child. */
void rt_call_stacks_in_child(bool is_inherited);
void rt_call_stacks_reset(void); /* handler-safe */
/** Count samples of the code of a thread that a signal has interrupted, if
 * stacks are recorded. Returns a handle of the stack, for
 * rt_call_stacks_add_to(); 0: no stack was walked. Runs: hook. */
uint32_t rt_call_stacks_add(const void *context, uint32_t tid,
                            uint64_t n_samples);
/** The same of another thread that waits at pc; is_still_there returns
 * afterwards whether it has waited all the time. Runs: hook. */
uint32_t rt_call_stacks_add_waiting(uint64_t pc, uint64_t sp,
                                    bool (*is_still_there)(void *thread),
                                    void *thread, uint32_t tid,
                                    uint64_t n_samples);
/** Count more samples of the same stack, of this process.
 * Runs: hook. */
void rt_call_stacks_add_to(uint32_t handle, uint32_t tid, uint64_t n_samples);
/** Copy all that have samples, and their callers; without memory, all are among
 * the losses. rt_frames_free() afterwards. Runs: handler-safe. */
void rt_call_stacks_collect(struct rt_frames *out);
void rt_frames_free(struct rt_frames *frames);

#endif
