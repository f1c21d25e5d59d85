/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The process part: start, objects that come and go, fork(), and when files
   are written. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arcline/ctl_format.h"
#include "counting/reserve.h"
#include "counting/segment.h"
#include "dump/baseline.h"
#include "dump/side.h"
#include "life/control.h"
#include "life/crash.h"
#include "life/fork.h"
#include "life/interval.h"
#include "life/losses.h"
#include "life/output.h"
#include "life/process.h"
#include "life/relatives.h"
#include "life/reload.h"
#include "life/room.h"
#include "life/writer.h"
#include "live/children.h"
#include "live/family.h"
#include "live/persist.h"
#include "objects/link_map.h"
#include "objects/load_history.h"
#include "os/executable.h"
#include "os/exit_word.h"
#include "os/libc.h"
#include "os/linked.h"
#include "os/scratch.h"
#include "sample/call_stacks.h"
#include "sample/sampler.h"
#include "sample/uninstrumented.h"
#include "settings/exec_options.h"
#include "settings/settings.h"
#include "threads/defer_samples.h"

enum {
  WAIT_NS = 1000000, /* between checks whether another exit() is done */
  MAX_WAITS = 10000,
};

/* Identifies the object to libc. The symbol is in the compiler's start files,
   which some programs are linked without. */
extern void *__dso_handle __attribute__((weak, visibility("hidden")));
void *__dso_handle = &__dso_handle;

static bool is_asked_for;

static struct {
  bool is_off;
  bool is_ending; /* the object with this copy is being unloaded, or was */
  bool is_exiting;
  const struct rt_object *main; /* the executable if it is instrumented, else
                                   the object with this copy, or NULL */
  uint32_t n_detaching;         /* threads in detach() */
  uint32_t n_open;              /* attached objects whose destructors come */
  bool has_executable;          /* in rt_tail */
} process;

struct rt_tail rt_tail __attribute__((common));

static void leave(const struct rt_signals *signals) {
  rt_writer_leave(signals, process.is_exiting);
}

/* The process is known to be ours. */
static int write_own(const struct rt_output_mode *mode) {
  struct rt_signals signals;

  if (process.is_off)
    return 0;
  rt_crash_wait();
  int rc = rt_writer_enter(&signals);

  if (rc)
    return rc;
  rt_relatives_write(mode);
  rc = rt_output_all(mode);
  rt_writer_leave(&signals, process.is_exiting || mode->is_final);
  return rc;
}

static int write_all(const struct rt_output_mode *mode) {
  if (rt_are_syscalls_blocked())
    return -ENOSYS;
  rt_fork_check();
  return rt_is_own() ? write_own(mode) : 0;
}

static int dump(void) { return write_all(&(const struct rt_output_mode){0}); }

/* Writes counts that came after the last time. */
static int write_rest(bool is_retried, bool is_final) {
  return write_all(
      &(const struct rt_output_mode){.skip_unchanged = true,
                                     .is_retried = is_retried,
                                     .is_exiting = process.is_exiting,
                                     .is_last = true,
                                     .is_final = is_final});
}

/* As arcline_dump(), for `arcline ctl`. */
static int dump_and_list(bool is_reset, struct rt_str *written) {
  const struct rt_output_mode mode = {.is_reset = is_reset, .written = written};
  struct rt_signals signals;
  int rc = rt_writer_enter(&signals);

  if (rc)
    return rc;
  rt_relatives_write(&mode);
  rc = rt_output_all(&mode);
  if (!rc && is_reset)
    rt_side_reset();
  leave(&signals);
  return rc;
}

/* Objects' destructors come later. */
static void write_at_exit(void) {
  const struct timespec pause = {.tv_nsec = WAIT_NS};

  if (rt_are_syscalls_blocked() ||
      rt_load(&rt_process_part.state) == RT_PART_IS_GONE)
    return;
  rt_exec_options_withdraw();
  rt_fork_check();
  if (!rt_is_own()) {
    const long pid = rt_sys(SYS_getpid, 0, 0, 0, 0, 0);
    if (pid < 0) // it may be ours, but nothing shows that
      rt_output_lost((int)pid);
    return;
  }
  process.is_exiting = true;
  const int rc =
      write_own(&(const struct rt_output_mode){.skip_unchanged = true,
                                               .is_retried = true,
                                               .is_exiting = true,
                                               .is_last = true});
  if (!rc)
    rt_children_end(false);
  // Another thread in exit() may have begun with the destructors; if this one
  // went on to the end, it would cut that off.
  for (int i = 0; i < MAX_WAITS && rt_load(&process.n_detaching); i++)
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
}

/* Called by the program, or at exit by gcrt1.o, after write_at_exit(): then
   there is nothing to write, and samples are taken to the end. */
static void cleanup(void) {
  if (!process.is_exiting)
    rt_sampler_want(false);
  write_rest(process.is_exiting, false);
}

/* No thread will count any more, or its counts will not be written: the live
   file is removed, unless it has counts that are in no other file. */
static void finish_live_file(void) {
  if (rt_persist_is_on() && !rt_output_has_failed() && rt_is_own())
    rt_persist_finish();
}

static int dump_for_good(void) {
  const int rc = dump();

  if (!rc)
    finish_live_file();
  return rc;
}

static void write_and_finish(bool is_final) {
  if (write_rest(false, is_final) == 0) {
    finish_live_file();
    rt_children_end(false);
  }
}

/* Other functions that are registered for the same may follow. */
static void write_at_quick_exit(void) { write_and_finish(false); }

/* Is this a child of fork() whose file would replace that of its parent, which
   is still running, or appear in any folder that the child changes to? Most
   children of a shell are. */
static bool is_child_without_own_file(void) {
  const uint32_t parent = rt_fork_parent();

  return parent && !rt_settings()->has_own_files &&
         rt_sys(SYS_getppid, 0, 0, 0, 0, 0) == (long)parent;
}

static void before_exit(void) {
  rt_fork_check();
  if (rt_are_syscalls_blocked())
    return;
  rt_exec_options_withdraw();
  if (!rt_settings()->is_exit_dumped) {
    if (rt_persist_is_shared() && rt_is_own())
      rt_persist_finish(); // nor does a relative write
    rt_children_end(false);
  } else if (is_child_without_own_file()) {
    rt_children_end(rt_output_is_wanted());
  } else {
    write_and_finish(true);
  }
}

/* The last chance to write, unless exec() fails, as it does for each folder of
   PATH in which there is no such file. */
static void before_exec(uint32_t how, const void *file,
                        char *const *environment) {
  static char *const empty[] = {NULL}; // the kernel takes NULL for this
  char text[RT_MAX_PATH];
  const char *path;

  rt_fork_check();
  const struct rt_output_mode mode = {.skip_empty = rt_fork_parent() != 0};
  if (rt_are_syscalls_blocked() || !rt_executable_find(how, file, text, &path))
    return;
  if (how & ARCLINE_EXEC_IN_GIVEN && !environment)
    environment = empty;
  rt_settings_carry(path, environment);
  if (!rt_settings()->is_exec_dumped || is_child_without_own_file() ||
      write_all(&mode) == 0)
    rt_children_execute();
  if (rt_is_own())
    rt_family_execute();
}

/* Threads may be counting: a zero that we stored could be overwritten by an
   addition that had begun before. So nothing is zeroed; what has been counted
   is subtracted from then on. */
static void reset(void) {
  struct rt_signals signals;

  if (rt_writer_enter(&signals))
    return;
  for (struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_baseline_reset(it) == 0) {
      rt_sampler_zero(it);
      it->is_written = false;
    }
  rt_side_reset();
  leave(&signals);
}

static void in_child(bool is_off) {
  process.n_detaching = 0;
  process.is_off = is_off;
}

static void dump_at_interval(void) { dump(); }

static void begin_interval(void) {
  const unsigned seconds = rt_settings()->dump_seconds;

  if (seconds && !rt_sampler_clock()->has_samples)
    rt_message(
        "ARCLINE_OPTIONS: dump=: requires samples, which are off; ignored",
        NULL);
  else
    rt_interval_init(seconds, dump_at_interval);
}

/* Is it the executable, in the record that stays? */
static bool is_executable(const struct rt_object *object) {
  return object == &rt_tail.executable && !object->suffix[0];
}

static char *memory_of_texts(const struct rt_object *first) {
  return is_executable(first)
             ? (char *)&rt_tail + offsetof(struct rt_object, path) +
                   rt_length(first->path) + 1
             : rt_tail.texts;
}

/* first: the object that it is for. */
static void start(const struct rt_object *first) {
  static const struct rt_sigprof_parts parts = {.command = rt_control_handle,
                                                .end = rt_crash_handle,
                                                .sampled = rt_interval_check};

  const uint32_t tid = rt_tid();
  // The first thread starts executables; any may load a library.
  const bool is_main = !first->suffix[0];

  rt_store(&rt_process_part.state, RT_PART_SERVES);
  rt_cpu_init(rt_auxv(AT_HWCAP2));
  rt_message_init();
  rt_settings_start(first->image.options, memory_of_texts(first));
  if (rt_settings()->is_silent)
    rt_message_end();
  if (rt_settings()->fork_mode == RT_FORK_INHERIT)
    rt_never_wipe();
  rt_room_for_process(first);
  rt_own_init(is_main ? tid : (uint32_t)rt_sys(SYS_getpid, 0, 0, 0, 0, 0));
  if (rt_sampler_init(rt_settings()->source, rt_settings()->rate_hz,
                      rt_settings()->stacks, !rt_settings()->blocks_syscalls,
                      is_main, &parts))
    rt_control_init(&(const struct rt_control_ops){dump_and_list, reset});
  begin_interval();
  rt_persist_start(rt_settings(), rt_sampler_clock());
  if (rt_settings()->is_crash_dumped)
    rt_crash_init(dump_for_good);
  rt_threads_init(tid, (uint64_t)rt_settings()->max_mib << 20,
                  rt_sampler_clock()->has_samples || rt_crash_is_on(),
                  &rt_sampler_watch);
  rt_fork_init(in_child, __dso_handle);
  rt_at_exit(write_at_exit, __dso_handle);
}

static struct rt_object *find_or_create(struct rt_object *like) {
  for (struct rt_object *it = rt_objects(); it; it = it->next) {
    uint32_t state = RT_DETACHED;
    if (!rt_object_is_same_file(it, like) ||
        !rt_cas(&it->state, &state, RT_CHANGING))
      continue;
    it->load_bias = like->load_bias;
    it->position = like->position;
    it->image = like->image;
    return it;
  }
  const bool is_kept = is_executable(like);
  if (!is_kept)
    rt_room_for_library(like, &rt_process_part.n_waiting);
  struct rt_object *fresh = is_kept ? like : rt_map(sizeof(*fresh));
  if (!fresh)
    return NULL;
  process.has_executable |= is_kept;
  if (!is_kept) {
    rt_copy(fresh, like, offsetof(struct rt_object, path));
    rt_copy(fresh->path, like->path, rt_length(like->path));
  }
  rt_objects_number(fresh);
  rt_persist_describe(fresh);
  rt_room_for_bins(fresh);
  rt_objects_add(fresh);
  return fresh;
}

/* The shared library with this copy of the runtime goes away: either it is
   unmapped, and no thread is inside of it; or the process ends, and threads may
   continue to count in it. */
static void release(void) {
  rt_store(&__arcline_slot, 0);
  rt_store(&__arcline_ready, 0);
  rt_store(&rt_process_part.state, RT_PART_IS_GONE);
  rt_leave_libc(__dso_handle);
  rt_sampler_release();
  rt_control_release();
  rt_crash_release();
  const bool is_passed_on =
      !rt_settings()->is_persistent && rt_reload_save(rt_objects());
  if (rt_persist_is_shared())
    rt_persist_finish(); // its copies of baselines are removed
  if (!rt_threads_release(!rt_may_exit_have_begun()))
    return;
  if (!is_passed_on)
    rt_reload_forget();
  rt_scratch_close(false);
  rt_start_memory_release();
}

/* Its code would write beside its cells if GS is not 0. */
static void give_up_segment(const struct rt_object *library) {
  rt_segment_give_up();
  rt_message(library->path,
             ": code of a library was compiled for an executable, so threads "
             "may lose counts; compile it with -fPIC",
             NULL);
  rt_threads_clear_segment(rt_sampler_has_handler());
}

/* Finds the object, in *found, which becomes its record if it is that of the
   executable, and the object too. */
static struct rt_object *attach_in(const struct rt_image *image,
                                   struct rt_object *found) {
  const bool is_first = rt_load(&rt_process_part.state) == RT_PART_IS_IDLE;

  if (is_first)
    process.is_off = rt_auxv(AT_SECURE) != 0;
  rt_zero(found, offsetof(struct rt_object, path) + 1);
  found->state = RT_CHANGING;
  found->image = *image;
  found->n_cells = (size_t)(image->cells_end - image->cells);
  if (process.is_off || rt_image_find(image, found))
    return NULL;
  const bool is_library = found->suffix[0];
  if (is_first)
    start(found);
  // A library that was not loaded with the program may be unloaded.
  if (is_first && is_library && !rt_linked_is_from_start()) {
    // It may have been loaded before; the list of all mappings shows that.
    if (!rt_settings()->is_persistent)
      rt_objects_replace(rt_reload_restore(found));
    rt_watch_exit();
  }
  if (is_library)
    rt_object_set_apart(found);
  struct rt_object *object = find_or_create(found);
  if (!object) {
    rt_output_lost(-ENOMEM);
    if (is_first)
      release(); // the handler may be unmapped before the program ends
    return NULL;
  }
  if (!is_library || (image->anchor == &__arcline_ready && !process.main)) {
    process.main = object;
    rt_output_name_side(object);
    rt_persist_main(object);
  }
  rt_persist_attach(object);
  object->slot = image->slot;
  if (is_library && !object->slot && rt_reserve_alloc)
    object->slot = rt_reserve_alloc();
  // If a live file is to have all counts, none may go to the cells.
  object->is_attached_at_start =
      rt_settings()->blocks_syscalls ||
      (rt_settings()->is_persistent && image->has_segment);
  __atomic_fetch_add(&process.n_open, 1, __ATOMIC_ACQ_REL);
  rt_store(&object->state, RT_ATTACHED);
  if (is_library && image->has_segment)
    give_up_segment(object);
  // Not undone when a shared library is unloaded.
  if (!is_library && image->anchor == &__arcline_ready)
    rt_at_quick_exit(write_at_quick_exit, __dso_handle);
  return object;
}

/* Not in attach(), which would have its memory on the stack each time. */
static __attribute__((noinline)) struct rt_object *
attach_library(const struct rt_image *image) {
  struct rt_object found;

  return attach_in(image, &found);
}

static struct rt_object *attach(const struct rt_image *image) {
  rt_store(&is_asked_for, true); // written before its page is read
  return process.has_executable ? attach_library(image)
                                : attach_in(image, &rt_tail.executable);
}

static bool is_any_library_attached(void) {
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (it->suffix[0] && rt_load(&it->state) == RT_ATTACHED)
      return true;
  return false;
}

/* A library is unmapped, or no thread counts there any more. */
static void forget_library(struct rt_object *object) {
  rt_baseline_unload(object);
  rt_load_history_remember(object);
  rt_persist_unload(object);
  rt_store(&object->state, RT_DETACHED);
  if (!process.is_exiting) {
    object->position = SIZE_MAX;
    if (object->slot != object->image.slot) {
      rt_threads_part(object);
      rt_reserve_free(object->slot);
    }
  }
  rt_threads_forget(object);
  rt_zero(&object->image, sizeof(object->image));
}

/* Is it never unloaded, so that its end is that of the process? Then nothing
   has to be kept of it; other objects may still call it. */
static bool is_lasting(const struct rt_object *object) {
  return !object->suffix[0] || (process.is_exiting && !rt_persist_is_on() &&
                                rt_linked_is_needed(object->image.dynamic));
}

/* Another library's copy of the runtime is to serve those that stay. */
static void hand_over(struct rt_image *stay, size_t room) {
  const struct rt_output_mode mode = {.skip_unchanged = true};
  struct rt_signals signals;
  size_t n = 0;

  if (rt_writer_enter(&signals))
    return;
  for (struct rt_object *it = rt_objects(); it && n < room; it = it->next) {
    if (rt_load(&it->state) != RT_ATTACHED)
      continue;
    stay[n] = it->image;
    if (!process.is_off)
      rt_output_object(it, &mode);
    rt_store(&it->state, RT_DETACHED);
    rt_threads_part(it);
    forget_library(it);
    rt_fork_zero(&stay[n++]); // the baseline has that now
  }
  leave(&signals);
  release();
  while (n)
    stay[--n].attach_again();
}

/* The library with this copy goes. */
static void leave_for_good(void) {
  size_t n = 0;

  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    n += rt_load(&it->state) == RT_ATTACHED;
  if (!n) {
    release();
    return;
  }
  if (rt_has_exit_begun())
    return; // they come later
  struct rt_image *stay = rt_map(n * sizeof(*stay));
  if (stay)
    hand_over(stay, n);
  rt_unmap(stay, n * sizeof(*stay));
}

static void detach(struct rt_object *object) {
  struct rt_signals signals;
  const bool is_ours = object->image.anchor == &__arcline_ready;
  const bool is_written = !process.is_off;
  const struct rt_output_mode mode = {.skip_unchanged = true,
                                      .is_exiting = process.is_exiting,
                                      .is_last = process.is_exiting};

  rt_fork_check();
  // Of an exit() that has begun it is known.
  if (!process.is_exiting && !rt_is_own())
    return;
  const bool stays = is_lasting(object);
  // Destructors of libraries may have called objects whose own have run.
  const bool is_last =
      __atomic_sub_fetch(&process.n_open, 1, __ATOMIC_ACQ_REL) == 0 &&
      process.is_exiting;
  if (is_written)
    rt_report_losses(object, object == process.main);
  __atomic_fetch_add(&process.n_detaching, 1, __ATOMIC_ACQ_REL);
  const bool is_done =
      stays && !rt_writer_is_busy() &&
      (!is_written || (is_last ? rt_output_are_all_done(&mode)
                               : rt_output_is_done(object, &mode)));
  if (!is_done && rt_writer_enter(&signals)) {
    __atomic_fetch_sub(&process.n_detaching, 1, __ATOMIC_ACQ_REL);
    return;
  }
  if (is_written && !is_done && is_last)
    rt_output_all(&mode);
  else if (is_written && !is_done)
    rt_output_object(object, &mode);
  if (!stays)
    forget_library(object);
  if (!is_done)
    leave(&signals);
  process.is_ending |= is_ours;
  if (process.is_ending && !is_any_library_attached())
    finish_live_file();
  __atomic_fetch_sub(&process.n_detaching, 1, __ATOMIC_ACQ_REL);
  if (object->suffix[0] && is_ours)
    leave_for_good();
}

static int set_action(rt_sigaction_fn *real, int number,
                      const struct sigaction *action, struct sigaction *old) {
  return number == SIGPROF ? rt_sampler_sigaction(real, action, old)
                           : rt_crash_sigaction(real, number, action, old);
}

static rt_handler_fn *set_handler(rt_signal_fn *real, int number,
                                  rt_handler_fn *handler) {
  return number == SIGPROF ? rt_sampler_signal(real, handler)
                           : rt_crash_signal(real, number, handler);
}

static const struct rt_process_ops process_ops = {
    .attach = attach,
    .detach = detach,
    .attach_thread = rt_thread_attach,
    .find = rt_thread_find,
    .dump = dump,
    .cleanup = cleanup,
    .reset = reset,
    .sample = rt_sampler_want,
    .before_exit = before_exit,
    .next_exit = rt_next_exit,
    .before_exec = before_exec,
    .before_fork = rt_fork_expect,
    .after_fork = rt_fork_check,
    .set_action = set_action,
    .set_handler = set_handler,
    .set_stack = rt_thread_set_stack,
};

struct rt_process_part rt_process_part = {.ops = &process_ops};
