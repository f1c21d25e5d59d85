/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads settings from the environment, and makes the names of files that
 * follow from them. */
#ifndef ARCLINE_RT_SETTINGS_H
#define ARCLINE_RT_SETTINGS_H

#include "arcline/context_format.h"
#include "os/os.h"
#include "timers/trigger.h"

enum { RT_DEFAULT_RATE = 100 };

#define RT_LOG_NAME "arcline.log" /* in the folder of pools */

/** Counts of a child of fork(). */
enum rt_fork_mode {
  RT_FORK_ZERO,    /* its own alone */
  RT_FORK_INHERIT, /* the parent's up to the fork, and its own */
  RT_FORK_OFF,     /* not written: the child is not profiled */
};

/** Samples that have a call stack. */
enum rt_stack_mode {
  RT_STACKS_AUTO, /* as many as cost little */
  RT_STACKS_OFF,
  RT_STACKS_ON, /* all */
};

struct rt_settings {
  /* Texts, or NULL: their memory is shared, so that a process with few of them
     touches one page. */
  const char *out;     /* pattern */
  const char *log;     /* pattern of the file for messages */
  const char *folder;  /* working directory at start, to which both are
                          relative */
  const char *prefix;  /* GMON_OUT_PREFIX */
  const char *context; /* folder of ARCLINE_CONTEXT; only with %m */
  bool is_pool;      /* it has %m, %n or %t: each file gets the counts since the
                        previous one, added to its contents */
  bool is_of_module; /* it has %m */
  bool has_pid;      /* it, or log, has %p */
  bool is_timed;     /* it has %t */
  unsigned rate_hz;  /* 0: no sampling */
  const struct rt_source *source;
  unsigned verbose;
  bool is_silent;     /* verbose=0 was given */
  bool is_persistent; /* persist=mmap */
  unsigned max_mib;   /* of threads' cells; 0: no limit */
  enum rt_fork_mode fork_mode;
  bool has_own_files;    /* their names differ from other processes', or are
                            those of pools */
  bool is_exit_dumped;   /* not _exit=off */
  bool is_exec_dumped;   /* not exec=off */
  bool is_crash_dumped;  /* crash=dump */
  unsigned dump_seconds; /* between dumps; 0: none */
  bool is_side_chosen;   /* by side=, else by the names of files */
  bool is_side_wanted;
  bool
      has_all_blocks; /* files list blocks of functions that were not entered */
  enum rt_stack_mode stacks;
  bool blocks_syscalls; /* syscalls=none: no system call after the start */
  char program[RT_MAX_SUFFIX];
};

enum { RT_TEXTS_BYTES = 6 * RT_MAX_PATH };

/** Read the environment, which overrides options built into the program
 * (built_in; NULL: none). memory: RT_TEXTS_BYTES for the texts, to the end of
 * the process. Runs: startup. */
void rt_settings_start(const char *built_in, char *memory);
/** The settings that were read; zeros before. Runs: hook. */
const struct rt_settings *rt_settings(void);
/** Like rt_settings_start(), but into *out. Runs: startup. */
void rt_settings_read(const char *built_in, char *memory,
                      struct rt_settings *out);
/** Parse "key=value:..."; report errors by message. Runs: startup. */
void rt_settings_parse(const char *text, struct rt_settings *out);

/** Before the process executes the program at path, with that environment
 * (NULL: its own): pass the settings on to it unless the environment does.
 * Runs: handler-safe, also in a child of vfork(). */
void rt_settings_carry(const char *path, char *const *environment);
/** Direct messages to the log file, if there is one. Runs: startup, and in a
 * child. */
void rt_settings_place_messages(const struct rt_settings *settings);

enum rt_file_place {
  RT_PLACE_FOLDER,   /* that of the pattern */
  RT_PLACE_CONTEXTS, /* of all contexts, in it */
  RT_PLACE_CONTEXT,  /* of this process's context, in that */
};

/** Parts of a file's name, beside the pattern. */
struct rt_name {
  enum rt_file_place place;
  const char *suffix; /* of an object's file, unless the pattern has %m */
  const char *module; /* for %m; NULL: the program's name */
  const char *kind;   /* always at the end */
  uint32_t pid;       /* of the process whose file it is; 0: this one */
  bool is_numbered;   /* by rt_settings_begin_program(), if this one's */
};

/** Set the dump for %n and %t: its number in this process and its time in
 * seconds since 1970 (used if is_timed). Runs: handler-safe; one thread at a
 * time, as rt_settings_name(). */
void rt_settings_begin_dump(uint64_t number, int64_t time);

/** Set the number of this program among those that the process has executed, if
 * it is not the first one. Runs: as above. */
void rt_settings_begin_program(unsigned number);

/** Append the name of the file to write now, by the current process. */
void rt_settings_name(const struct rt_settings *settings,
                      const struct rt_name *name, struct rt_str *out);

#endif
