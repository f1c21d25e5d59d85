/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An entry is one word, so that a relative that finds the process gone claims
   the entry in one step, and no two relatives report it. A child claims its
   entry by itself: fork() may fail, and its handlers do not get the child's
   number.

   If several processes replace one file, it has to report all of them: then the
   sums are in the shared memory, too. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "live/children.h"
#include "os/os.h"
#include "os/process_state.h"
#include "settings/settings.h"

enum {
  N_ENTRIES = 4095, /* with the rest, whole pages */
  FORKS_PER_LOOK = N_ENTRIES / 4,
};

/* An entry: the process in the upper half, and one of these in the lower. */
enum entry_state {
  IS_DONE, /* then there is no entry */
  IS_RUNNING,
  IS_SAFE,    /* its relatives have its counts */
  IS_OTHER,   /* it is another program, or is about to be */
  IS_DENIED,  /* no permission to write its file */
  HAS_FAILED, /* to write, for another reason */
  IS_LEFT_OUT,
  STATES = 0xff,
  IS_AWAITED = 0x100, /* was reported as still running */
};

struct family {
  uint64_t entries[N_ENTRIES];
  uint32_t n_forks;
  uint32_t n_writers;        /* processes that wrote the file of all */
  uint64_t device, inode;    /* of the first one's folder */
  struct rt_missing missing; /* if all processes share one file */
};

static struct {
  struct family *shared;
  uint64_t *entry;              /* NULL: none */
  bool has_written, has_forked; /* this process */
  bool is_apart;             /* relatives see another number of this process */
  struct rt_missing missing; /* that this process found */
} children;

static bool is_one_file(void) { return !rt_settings()->has_own_files; }

static struct rt_missing *sums(struct family *shared) {
  return is_one_file() ? &shared->missing : &children.missing;
}

void rt_children_begin(bool is_off) {
  struct family *const shared = children.shared;
  const uint32_t pid = rt_pid();

  children.entry = NULL;
  children.has_written = false;
  children.has_forked = false;
  children.missing = (struct rt_missing){0};
  // Its parent has numbers of processes of its own.
  children.is_apart |= rt_sys(SYS_getppid, 0, 0, 0, 0, 0) == 0;
  if (!shared || is_off || children.is_apart)
    return;
  for (size_t i = 0; i < N_ENTRIES && !children.entry; i++) {
    uint64_t *const entry = &shared->entries[(pid + i) % N_ENTRIES];
    uint64_t free_entry = 0;
    if (rt_cas(entry, &free_entry, (uint64_t)pid << 32 | IS_RUNNING))
      children.entry = entry;
  }
}

static void add_one(uint64_t *number) {
  __atomic_add_fetch(number, 1, __ATOMIC_RELAXED);
}

static void set_state(enum entry_state state) {
  uint64_t *const entry = children.entry;

  if (!entry || !rt_is_own())
    return;
  uint64_t old = rt_load(entry);
  while (old >> 32 == rt_pid())
    if (rt_cas(entry, &old, state ? (old & ~(uint64_t)STATES) | state : 0)) {
      if (!state && old & IS_AWAITED)
        add_one(&sums(children.shared)->arrived);
      return;
    }
  children.entry = NULL; // a relative has claimed it
}

void rt_children_save(void) { set_state(IS_SAFE); }

/* Is the working folder, which the name of the file is one of, still that of
   the process that wrote first? */
static bool is_same_folder(struct family *shared) {
  struct stat status;

  if (rt_settings()->out)
    return true;
  if (rt_sys(SYS_newfstatat, AT_FDCWD, (long)".", (long)&status, 0, 0))
    return false;
  if (!rt_load(&shared->n_writers)) {
    shared->device = status.st_dev;
    shared->inode = status.st_ino;
  }
  return shared->device == status.st_dev && shared->inode == status.st_ino;
}

static void count_writer(struct family *shared) {
  if (is_one_file() && is_same_folder(shared))
    __atomic_add_fetch(&shared->n_writers, 1, __ATOMIC_ACQ_REL);
}

void rt_children_prepare(void) {
  struct family *none = NULL;
  struct family *shared = rt_load(&children.shared);

  children.has_forked = true;
  if (shared) {
    if (__atomic_add_fetch(&shared->n_forks, 1, __ATOMIC_RELAXED) %
            FORKS_PER_LOOK ==
        0)
      rt_children_check(false); // there is room again
    return;
  }
  shared = rt_map_shared(sizeof(*shared));
  if (!shared)
    return;
  if (children.has_written)
    count_writer(shared);
  if (!rt_cas(&children.shared, &none, shared))
    rt_unmap(shared, sizeof(*shared));
}

static bool is_denial(int error) {
  return error == -EACCES || error == -EPERM || error == -EROFS;
}

void rt_children_written(int error) {
  if (!rt_is_own())
    return;
  if (error) {
    if (!children.entry || (rt_load(children.entry) & STATES) != IS_SAFE)
      set_state(is_denial(error) ? IS_DENIED : HAS_FAILED);
    return;
  }
  if (!children.has_written && children.shared)
    count_writer(children.shared);
  children.has_written = true;
  set_state(IS_DONE);
}

void rt_children_lose(int error) {
  if (children.shared)
    add_one(is_denial(error) ? &sums(children.shared)->denied
                             : &sums(children.shared)->failed);
}

void rt_children_execute(void) { set_state(IS_OTHER); }

void rt_children_end(bool is_lost) {
  set_state(is_lost ? IS_LEFT_OUT : IS_DONE);
}

bool rt_children_is_detectable(void) { return children.entry && rt_is_own(); }

// --- What became of the others ---

/* Is it another program by now? */
static bool has_executed(uint32_t pid) {
  char text[32] = "/proc/";
  struct rt_str path = {.text = text, .room = sizeof(text), .length = 6};
  struct stat own, other;

  rt_str_add_number(&path, pid);
  rt_str_add(&path, "/exe");
  return rt_sys(SYS_newfstatat, AT_FDCWD, (long)text, (long)&other, 0, 0) ==
             0 &&
         rt_sys(SYS_newfstatat, AT_FDCWD, (long)"/proc/self/exe", (long)&own, 0,
                0) == 0 &&
         (own.st_dev != other.st_dev || own.st_ino != other.st_ino);
}

/* Returns what of *missing it is one more of, or NULL; and what the entry is to
   be, or the same. */
static uint64_t *judge(uint64_t entry, bool is_last, struct rt_missing *missing,
                       uint64_t *fresh) {
  *fresh = 0;
  switch (entry & STATES) {
  case IS_DENIED:
    return &missing->denied;
  case HAS_FAILED:
    return &missing->failed;
  case IS_LEFT_OUT:
    return &missing->shared;
  default:
    break;
  }
  const bool is_other = (entry & STATES) == IS_OTHER;
  const bool is_safe = (entry & STATES) == IS_SAFE || is_other;
  const uint32_t pid = (uint32_t)(entry >> 32);
  switch (rt_process_state(pid, false, 0)) {
  case RT_PROCESS_WAS_KILLED:
    return is_safe ? NULL : &missing->killed;
  case RT_PROCESS_HAS_ENDED:
    return is_safe ? NULL : &missing->gone;
  case RT_PROCESS_RUNS:
    break;
  }
  if (is_last && has_executed(pid))
    return NULL;
  *fresh = entry;
  if (!is_last || is_other || entry & IS_AWAITED)
    return NULL;
  *fresh = entry | IS_AWAITED;
  return &missing->running;
}

static void check_entry(uint64_t *entry, bool is_last,
                        struct rt_missing *missing) {
  uint64_t old = rt_load(entry), fresh;

  if (!old || entry == children.entry)
    return;
  uint64_t *const more = judge(old, is_last, missing, &fresh);
  if (fresh == old || !rt_cas(entry, &old, fresh))
    return;
  if (!fresh && old & IS_AWAITED)
    add_one(&missing->arrived);
  if (more)
    add_one(more);
}

void rt_children_check(bool is_last) {
  struct family *const shared = children.shared;

  if (!shared || rt_are_syscalls_blocked() || !rt_is_own())
    return;
  struct rt_missing *const missing = sums(shared);
  for (size_t i = 0; i < N_ENTRIES && children.has_forked; i++)
    check_entry(&shared->entries[i], is_last, missing);
}

struct rt_missing rt_children_missing(void) {
  struct family *const shared = children.shared;
  struct rt_missing missing = {0};

  if (!shared)
    return missing;
  missing = *sums(shared);
  const uint32_t n_writers = rt_load(&shared->n_writers);
  missing.shared += n_writers > 1 ? n_writers - 1 : 0;
  return missing;
}
