/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes the files of objects, and messages about them. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "dump/baseline.h"
#include "dump/file.h"
#include "dump/pool.h"
#include "dump/pool_side.h"
#include "dump/side.h"
#include "life/message_once.h"
#include "life/output.h"
#include "live/children.h"
#include "live/persist.h"
#include "os/process_state.h"
#include "os/scratch.h"
#include "sample/sampler.h"
#include "settings/settings.h"

#define NO_PROFILE "; no profile written"

enum {
  LITTLE_US = 1000,
  NUMBER_BYTES = 24, /* of add(), and the end of the text */
  MAX_PROGRAMS = 10000,
};

static struct {
  const struct rt_object
      *main;          /* after which the side file is named, or NULL */
  bool is_child;      /* of fork() */
  bool has_left;      /* a relative's file is newer than the side file */
  int left_error;     /* of a relative's file */
  bool is_side_stale; /* an object's file is newer than the side file */
  bool is_in_figures; /* the main object's pool got all that it needs */
  bool is_over;       /* the last counts were written */
  bool has_failed;
  bool has_no_context;   /* its folder cannot be written to */
  bool is_dump_open;     /* the next files belong to the same dump */
  uint32_t numbered_pid; /* of which the program's number is known */
  uint64_t n_begun;      /* dumps; each has names of its own */
  uint64_t n_dumps;
} output;

static void add_written(struct rt_str *written, const char *path,
                        const char *error) {
  rt_str_add(written, "\n");
  rt_str_add(written, path);
  rt_str_add(written, error ? ": cannot write: " : "");
  rt_str_add(written, error ? error : "");
}

/* One line is enough: an error of one file is an error of the others, too. The
   same is true of the processes of a test suite, if each has files of its own.
 */
static void report(const struct rt_output_mode *mode, const char *path,
                   int error, const char *loss) {
  const struct rt_settings *settings = rt_settings();
  const bool is_verbose = settings->verbose;
  char text[64];
  struct rt_str str = {.text = text, .room = sizeof(text)};

  rt_str_add_error(&str, error);
  if (mode->written)
    add_written(mode->written, path, error ? text : NULL);
  if (!error) {
    if (is_verbose)
      rt_message("wrote ", path, NULL);
    return;
  }
  if (mode->is_retried || (output.has_failed && !is_verbose))
    return;
  output.has_failed = true;
  if (!is_verbose && settings->has_own_files && !rt_message_has_log() &&
      (rt_children_is_detectable() ||
       !rt_message_is_first(settings->out ? settings->out : settings->prefix,
                            text)))
    return;
  rt_message(path, ": cannot write: ", text, loss, NULL);
}

void rt_output_lost(int error) {
  report(&(const struct rt_output_mode){0}, "profile", error, NO_PROFILE);
}

/* Is this an error of that pool for this process, rather than of the file
   system? For example, a server's worker that has dropped its rights cannot
   replace its parent's file in a folder with the sticky bit. */
static bool is_incompatible(int rc) {
  return rc == -EPERM || rc == -EACCES || rc == -RT_EINCOMPATIBLE ||
         rc == -RT_EFTYPE || rc == -ETIMEDOUT || rc == -ENOLCK ||
         rc == -EOPNOTSUPP || rc == -EBADF;
}

/* The content of a file: a profile, or (with a kind) a side file. */
struct content {
  const struct rt_object *object; /* or NULL */
  const char *kind;
  struct rt_profile *profile;
  bool is_of_context;
  struct rt_pool_figures *figures; /* or NULL */
};

static int write_content(const void *what, struct write_sink *sink) {
  const struct content *content = what;
  const struct rt_side side = {rt_settings(), output.main};

  return content->profile ? rt_profile_write(content->profile, sink)
                          : rt_side_write(&side, sink);
}

static int add_to(const char *path, const struct content *content,
                  bool is_own) {
  return content->profile
             ? rt_pool_add(path,
                           &(const struct rt_pool_part){
                               .object = content->object,
                               .profile = content->profile,
                               .figures = is_own ? NULL : content->figures,
                               .main = output.main,
                               .has_cells_only = content->is_of_context,
                               .is_own = is_own})
             : rt_pool_side_add(path, write_content, content);
}

/* Adds to the file; if that cannot be added to, to one of this process's own
   beside it. */
static int add(const struct rt_output_mode *mode, struct rt_str *path,
               const struct content *content) {
  struct rt_output_mode now = *mode;
  int rc = add_to(path->text, content, false);

  if (!is_incompatible(rc))
    return rc;
  const size_t n_path = path->length;
  rt_str_add(path, ".");
  rt_str_add_number(path, rt_pid());
  const int own_rc =
      path->is_cut ? -ENAMETOOLONG : add_to(path->text, content, true);
  if (own_rc)
    return own_rc;
  now.is_retried = false; // to a file of its own
  path->text[n_path] = '\0';
  report(&now, path->text, rc, "; this process writes its own file");
  path->text[n_path] = '.';
  return 0;
}

/* Would it change nothing but the time of the file? */
static bool is_added(const char *path, const struct content *content) {
  return content->profile && !content->profile->sum && !content->figures &&
         rt_sys(SYS_faccessat, AT_FDCWD, (long)path, F_OK, 0, 0) == 0;
}

static void name_file(const struct rt_output_mode *mode,
                      const struct content *content, enum rt_file_place place,
                      struct rt_str *out) {
  const struct rt_object *object = content->object;
  char text[RT_MAX_SUFFIX] = "";
  struct rt_str module = {.text = text, .room = sizeof(text)};

  out->length = 0;
  if (object)
    rt_object_module(object, &module);
  rt_settings_name(
      rt_settings(),
      &(const struct rt_name){.place = place,
                              .suffix = object ? object->suffix : "",
                              .module = object ? text : NULL,
                              .kind = content->kind,
                              .pid = mode->left_by,
                              .is_numbered = true},
      out);
}

/* Adds to the counts of the context, if there is one. Returns the place of the
   file that has all counts of the process: a process whose context has no
   counts is one without a context. */
static enum rt_file_place add_to_context(const struct rt_output_mode *mode,
                                         const struct content *content,
                                         struct rt_str *path) {
  struct rt_output_mode now = *mode;
  struct content part = *content;

  if (!rt_settings()->context || output.has_no_context)
    return RT_PLACE_FOLDER;
  if (!content->profile)
    return RT_PLACE_CONTEXTS;
  part.is_of_context = true;
  part.figures = NULL; // those of the process go to the other file
  name_file(mode, &part, RT_PLACE_CONTEXT, path);
  const int rc = path->is_cut ? -ENAMETOOLONG : add(mode, path, &part);
  if (!rc)
    return RT_PLACE_CONTEXTS;
  now.is_retried = false; // to the file of processes without a context
  report(&now, path->text, rc, "; the process has no context");
  output.has_no_context = true;
  path->is_cut = false;
  return RT_PLACE_FOLDER;
}

static int write_named(const struct rt_output_mode *mode,
                       const struct content *content) {
  const struct rt_settings *settings = rt_settings();
  char *name = rt_alloc_text(RT_MAX_PATH);
  struct rt_str path = {.text = name, .room = RT_MAX_PATH};
  int rc = -ENAMETOOLONG;

  if (!name) {
    report(mode, "profile", -ENOMEM, NO_PROFILE);
    return -ENOMEM;
  }
  name_file(mode, content, add_to_context(mode, content, &path), &path);
  if (!settings->context && path.length + NUMBER_BYTES < path.room) {
    path.room = path.length + NUMBER_BYTES; // no longer name was there
    rt_trim(name, path.room);
  }
  if (!path.is_cut && settings->is_pool)
    rc = is_added(path.text, content) ? 0 : add(mode, &path, content);
  else if (!path.is_cut && mode->left_by)
    rc = rt_file_create(path.text, write_content, content);
  else if (!path.is_cut)
    rc = rt_file_write(path.text, write_content, content);
  if (rc != -EEXIST || !mode->left_by) // else it is the process's own
    report(mode, path.text, rc, NO_PROFILE);
  rt_free(name, RT_MAX_PATH);
  return rc;
}

/* Writes a file of this process, not of a relative. */
static int write_own(const struct rt_output_mode *mode,
                     const struct content *content) {
  const int rc = write_named(mode, content);

  rt_children_written(rc);
  return rc;
}

/* Makes of a profile what is written to a file: pools get it as it is. */
static int solve(struct rt_object *object, struct rt_profile *profile) {
  if (rt_settings()->is_pool)
    return 0;
  const int rc = rt_profile_solve(object, profile);

  return rc ? rc : rt_side_keep_crossing(object, profile);
}

// --- Figures in the main object's pool, in place of the side file ---

/* Forgets what was added to a side file. */
static void forget_side(void) {
  rt_side_commit();
  rt_sampler_reset();
}

/* Returns NULL if the pool of the object cannot have them. */
static struct rt_pool_figures *find_figures(const struct rt_object *object,
                                            uint64_t n_ended,
                                            struct rt_pool_figures *figures) {
  return rt_settings()->is_pool && rt_settings()->is_side_wanted &&
                 output.main && object->number == output.main->number &&
                 rt_side_find_figures(rt_settings(), n_ended, figures)
             ? figures
             : NULL;
}

static void note_figures(const struct rt_pool_figures *figures) {
  if (!figures || !figures->is_added)
    return;
  if (figures->n[ARCLINE_POOL_UNKNOWN] || figures->n[ARCLINE_POOL_PROFILER])
    forget_side();
  else
    rt_side_commit();
  output.is_in_figures = true;
}

/* Adds figures alone. Returns whether the pool has them. */
static bool add_figures(const struct rt_output_mode *mode,
                        struct rt_pool_figures *figures) {
  const struct content content = {.object = output.main, .kind = ""};
  char *name = rt_alloc_text(RT_MAX_PATH);
  struct rt_str path = {.text = name, .room = RT_MAX_PATH};

  if (!name)
    return false;
  name_file(mode, &content, add_to_context(mode, &content, &path), &path);
  if (!path.is_cut)
    rt_pool_add(path.text, &(const struct rt_pool_part){.object = output.main,
                                                        .figures = figures,
                                                        .main = output.main});
  rt_free(name, RT_MAX_PATH);
  return figures->is_added;
}

/* If no other thread counts, this costs less than a baseline. Relatives that
   see the counts find all of them or none. */
static void zero_counts(struct rt_object *object, struct rt_profile *profile) {
  rt_persist_finish_object(object);
  rt_profile_zero(object, profile);
  rt_sampler_zero(object);
  rt_persist_finish_object(NULL);
}

/* Is there nothing to write? A file written before this exit() is written
   again: there may be new samples, and another process may have replaced it. A
   file that counts are added to keeps those that it has. */
static bool is_idle(const struct rt_object *object,
                    const struct rt_output_mode *mode) {
  const bool is_pool = rt_settings()->is_pool;

  if (output.is_over)
    return true;
  if (mode->skip_empty ||
      (is_pool && (object->is_written || output.is_child))) {
    const bool is_zero = rt_profile_is_zero(object);
    if (is_zero || is_pool)
      return is_zero;
  }
  return mode->skip_unchanged && object->is_written &&
         object->written_sum == rt_profile_sum(object);
}

/* Will all counts of the process be written with this object? Then nothing has
   to be subtracted from later ones. */
static bool is_end(const struct rt_object *object,
                   const struct rt_output_mode *mode) {
  return mode->is_final && rt_settings()->is_pool && object == rt_objects() &&
         !object->next;
}

/* Nor does a relative write them again. */
static void end_counts(struct rt_object *object) {
  output.is_over = true;
  object->is_written = true;
  if (rt_persist_is_shared())
    rt_persist_finish();
}

static int write_object(struct rt_object *object,
                        const struct rt_output_mode *mode) {
  const bool is_pool = rt_settings()->is_pool;
  const bool is_reset = mode->is_reset || is_pool;
  struct rt_profile profile;
  struct rt_baseline_next next = {0};
  struct rt_pool_figures figures = {0};

  if (is_idle(object, mode))
    return 0;
  int rc = mode->is_last && !mode->is_reset
               ? rt_profile_collect_last(object, &profile)
               : rt_profile_collect(object, &profile);
  const bool has_end = is_end(object, mode);
  const bool is_zeroed = !rc && is_pool &&
                         (!rt_persist_is_on() || rt_persist_is_shared()) &&
                         rt_profile_is_original(object, &profile);
  if (!rc && is_reset && !is_zeroed && !has_end)
    rc = rt_baseline_prepare(object, &profile, &next);
  if (!rc)
    rc = solve(object, &profile);
  if (!rc)
    rc = write_own(mode,
                   &(const struct content){object, "", &profile, false,
                                           find_figures(object, 0, &figures)});
  if (!rc) {
    note_figures(&figures);
    object->written_sum = profile.sum;
    output.is_side_stale = true;
  }
  if (!rc && is_zeroed && !has_end)
    zero_counts(object, &profile);
  else if (!rc && is_reset && !has_end) {
    rt_baseline_commit(object, &next);
    rt_sampler_zero(object);
  }
  if (!rc)
    object->is_written = mode->is_exiting || is_pool;
  if (!rc && has_end)
    end_counts(object);
  rt_baseline_cancel(object, &next);
  rt_profile_release(&profile);
  if (rc == -ENOMEM)
    report(mode, "profile", rc,
           mode->skip_unchanged && object->is_written
               ? "; the latest calls may be missing"
               : NO_PROFILE);
  return rc;
}

/* Are these but the time of a few destructors? */
static bool is_little(const struct rt_pool_figures *figures) {
  return !figures->n[ARCLINE_POOL_PROCESSES] &&
         !figures->n[ARCLINE_POOL_UNKNOWN] &&
         !figures->n[ARCLINE_POOL_PROFILER] &&
         figures->n[ARCLINE_POOL_USER_US] + figures->n[ARCLINE_POOL_SYSTEM_US] <
             LITTLE_US;
}

static int write_whole_side(const struct rt_output_mode *mode) {
  const bool is_pool = rt_settings()->is_pool;
  struct rt_pool_figures figures;
  const bool has_figures =
      output.main && find_figures(output.main, 0, &figures) != NULL;

  if (has_figures && mode->is_exiting && is_little(&figures))
    return 0;
  if (has_figures && add_figures(mode, &figures)) {
    note_figures(&figures);
    return 0;
  }
  const int rc =
      write_own(mode, &(const struct content){output.main, RT_SIDE_SUFFIX, NULL,
                                              false, NULL});
  if (rc || !is_pool)
    return rc;
  forget_side();
  // From now on, processes of this kind need not write it.
  if (has_figures) {
    figures.is_note_new = true;
    add_figures(mode, &figures);
  }
  return 0;
}

/* After the files of objects. */
static int write_side(const struct rt_output_mode *mode) {
  rt_children_check(mode->is_last);
  output.is_side_stale =
      (output.is_side_stale && !output.is_in_figures) || rt_side_has_news();
  output.is_in_figures = false;
  if (!output.is_side_stale || !rt_settings()->is_side_wanted)
    return 0;
  const int rc = write_whole_side(mode);
  output.is_side_stale = rc != 0;
  output.is_in_figures = false;
  return rc;
}

void rt_output_name_side(const struct rt_object *main) { output.main = main; }

/* Has an earlier program of this process written an object's file? */
static bool is_name_taken(const struct rt_output_mode *mode) {
  char *name = rt_alloc_text(RT_MAX_PATH);
  bool is_taken = false;
  struct stat status;

  for (struct rt_object *it = rt_objects(); it && name && !is_taken;
       it = it->next) {
    struct rt_str path = {.text = name, .room = RT_MAX_PATH};
    name_file(mode, &(const struct content){.object = it, .kind = ""},
              RT_PLACE_FOLDER, &path);
    is_taken = !path.is_cut &&
               rt_sys(SYS_newfstatat, AT_FDCWD, (long)name, (long)&status,
                      AT_SYMLINK_NOFOLLOW, 0) == 0 &&
               S_ISREG(status.st_mode) && rt_is_since_start(&status.st_mtim);
  }
  rt_free(name, RT_MAX_PATH);
  return is_taken;
}

/* exec() keeps the number of the process, which the name has. A file from
   before the process began is that of another one, and is replaced. */
static void number_program(const struct rt_output_mode *mode) {
  const uint32_t pid = rt_pid();
  unsigned n = 0;

  if (output.numbered_pid == pid || mode->left_by || rt_settings()->is_pool ||
      !rt_settings()->has_own_files)
    return;
  output.numbered_pid = pid;
  do {
    n++;
    rt_settings_begin_program(n > 1 ? n : 0);
  } while (n < MAX_PROGRAMS && is_name_taken(mode));
}

/* At exit, the first files and counts that come after them are one dump: these
   are added to the files. */
static void begin_dump(const struct rt_output_mode *mode) {
  struct timespec now = {0};

  number_program(mode);
  if (!output.is_dump_open) {
    if (rt_settings()->is_timed)
      rt_sys(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0);
    rt_settings_begin_dump(++output.n_begun, now.tv_sec);
  }
  output.is_dump_open = mode->is_exiting;
}

void rt_output_left(struct rt_object *view, const struct rt_counters *counters,
                    const struct rt_output_mode *mode) {
  struct rt_profile profile;
  struct rt_pool_figures figures = {0};
  int rc = rt_profile_collect_left(view, counters, &profile);

  if (!rc && !profile.sum) {
    rt_profile_release(&profile);
    return;
  }
  begin_dump(mode);
  if (!rc)
    rc = solve(view, &profile);
  if (!rc)
    rc = write_named(mode,
                     &(const struct content){
                         view, "", &profile, false,
                         find_figures(view, !*mode->is_counted, &figures)});
  if (!rc)
    note_figures(&figures);
  *mode->is_counted |= figures.is_added;
  output.has_left |= !rc;
  rt_side_release(view);
  rt_profile_release(&profile);
  if (rc == -ENOMEM)
    report(mode, "profile of a child", rc, NO_PROFILE);
  if (rc && rc != -EEXIST)
    output.left_error = rc;
}

void rt_output_end_left(const struct rt_output_mode *mode) {
  const bool has_left = output.has_left || mode->is_resumed;

  if (output.left_error)
    rt_children_lose(output.left_error);
  output.left_error = 0;
  output.has_left = false;
  if (!has_left)
    return;
  output.is_side_stale = true;
  if (!*mode->is_counted)
    rt_side_add_process();
  // Otherwise none: only the process itself could fill in most of it.
  if (rt_settings()->is_pool)
    write_side(mode);
}

int rt_output_all(const struct rt_output_mode *mode) {
  int rc = 0;

  begin_dump(mode);
  for (struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED) {
      const int one = write_object(it, mode);
      rc = rc ? rc : one;
    }
  const int side_rc = write_side(mode);
  rc = rc ? rc : side_rc;
  output.n_dumps += !rc;
  return rc;
}

void rt_output_object(struct rt_object *object,
                      const struct rt_output_mode *mode) {
  begin_dump(mode);
  write_object(object, mode);
  write_side(mode);
}

bool rt_output_is_done(const struct rt_object *object,
                       const struct rt_output_mode *mode) {
  return !output.is_side_stale && is_idle(object, mode);
}

bool rt_output_are_all_done(const struct rt_output_mode *mode) {
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED && !rt_output_is_done(it, mode))
      return false;
  return true;
}

bool rt_output_is_wanted(void) {
  for (const struct rt_object *it = rt_objects(); it; it = it->next)
    if (rt_load(&it->state) == RT_ATTACHED && !rt_profile_is_zero(it))
      return true;
  return false;
}

bool rt_output_has_failed(void) { return output.has_failed; }

uint64_t rt_output_n_dumps(void) { return rt_load(&output.n_dumps); }

void rt_output_in_child(void) {
  output.is_dump_open = false;
  output.n_begun = 0;
  output.n_dumps = 0;
  output.is_child = true;
  output.is_over = false;
  rt_side_in_child();
  if (rt_settings()->has_pid)
    rt_settings_place_messages(rt_settings());
}
