/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses ARCLINE_OPTIONS, of which the manual has a table, and names files.
   Texts are copied: the program may change its environment before a profile is
   written. */
#define _GNU_SOURCE
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "arcline/gmon_format.h"
#include "os/libc.h"
#include "settings/exec_options.h"
#include "settings/settings.h"

enum {
  MAX_VERBOSE = 1,
  MAX_MIB = 1 << 24,
  MAX_DUMP_SECONDS = 1000 * 3600,
};

/* Texts that are kept, each with its NUL. */
static struct {
  char *memory;
  size_t n_used, last; /* where the last one begins */
  const char *log;     /* name of the file for messages, or NULL */
} texts;

/* The place of the next text, in which it may be built. */
static struct rt_str begin_text(void) {
  const size_t n_left = RT_TEXTS_BYTES - texts.n_used;

  return (struct rt_str){.text = texts.memory + texts.n_used,
                         .room = n_left < RT_MAX_PATH ? n_left : RT_MAX_PATH};
}

/* Returns the text, or NULL if it is empty or too long. It takes the place of
   an old one, or NULL, if that was the last one. */
static const char *end_text(const struct rt_str *str, const char *old) {
  char *at = str->text;

  // A byte is left, or the next text would have no room for its NUL.
  if (!str->length || str->is_cut ||
      at + str->length + 1 == texts.memory + RT_TEXTS_BYTES)
    return NULL;
  if (old && rt_equal(old, at, str->length + 1))
    return old;
  if (old && old == texts.memory + texts.last) {
    at = texts.memory + texts.last;
    rt_copy(at, str->text, str->length + 1); // from a higher address
  }
  texts.last = (size_t)(at - texts.memory);
  texts.n_used = texts.last + str->length + 1;
  return at;
}

static const char *keep(const char *text, size_t n, const char *old) {
  struct rt_str str = begin_text();

  rt_str_add_n(&str, text, n);
  return end_text(&str, old);
}

static bool parse_number(const char *text, size_t n, unsigned max,
                         unsigned *out) {
  unsigned value = 0;

  for (size_t i = 0; i < n; i++) {
    if (text[i] < '0' || text[i] > '9')
      return false;
    value = value * 10 + (unsigned)(text[i] - '0');
    if (value > max)
      return false;
  }
  if (!n)
    return false;
  *out = value;
  return true;
}

static bool has_letter(const char *pattern, char letter) {
  for (const char *at = pattern; at && *at; at += at[0] == '%' && at[1] ? 2 : 1)
    if (at[0] == '%' && at[1] == letter)
      return true;
  return false;
}

static bool parse_pattern(const char *text, size_t n, const char **out) {
  const char *kept = keep(text, n, *out);

  *out = kept ? kept : *out;
  return kept != NULL;
}

static bool parse_out(const char *text, size_t n, struct rt_settings *out) {
  return parse_pattern(text, n, &out->out);
}

static bool parse_log(const char *text, size_t n, struct rt_settings *out) {
  return parse_pattern(text, n, &out->log);
}

static bool parse_hz(const char *text, size_t n, struct rt_settings *out) {
  return parse_number(text, n, ARCLINE_MAX_RATE_HZ, &out->rate_hz);
}

static bool parse_source(bool is_event, const char *text, size_t n,
                         struct rt_settings *out) {
  const struct rt_source *found = rt_source_find(is_event, text, n);

  out->source = found ? found : out->source;
  return found != NULL;
}

static bool parse_clock(const char *text, size_t n, struct rt_settings *out) {
  return parse_source(false, text, n, out);
}

static bool parse_event(const char *text, size_t n, struct rt_settings *out) {
  return parse_source(true, text, n, out);
}

static bool parse_verbose(const char *text, size_t n, struct rt_settings *out) {
  const bool is_known = parse_number(text, n, MAX_VERBOSE, &out->verbose);

  if (is_known)
    out->is_silent = !out->verbose;
  return is_known;
}

static bool parse_persist(const char *text, size_t n, struct rt_settings *out) {
  const bool is_known = n == 4 && rt_equal(text, "mmap", 4);

  out->is_persistent |= is_known;
  return is_known;
}

/* A number of seconds, minutes (m) or hours (h). */
static bool parse_dump(const char *text, size_t n, struct rt_settings *out) {
  static const struct {
    char letter;
    unsigned seconds;
  } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
  unsigned unit = 1, n_units;

  for (size_t i = 0; n && i < sizeof(units) / sizeof(*units); i++)
    if (text[n - 1] == units[i].letter) {
      unit = units[i].seconds;
      n--;
      break;
    }
  if (!parse_number(text, n, MAX_DUMP_SECONDS / unit, &n_units))
    return false;
  out->dump_seconds = n_units * unit;
  return true;
}

static bool parse_memory(const char *text, size_t n, struct rt_settings *out) {
  return parse_number(text, n, MAX_MIB, &out->max_mib);
}

/* Returns the index of the text among the words, or -1. */
static int parse_word(const char *text, size_t n, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (rt_length(words[i]) == n && rt_equal(words[i], text, n))
      return i;
  return -1;
}

/* One of two words, for false and true. */
static bool parse_flag(const char *text, size_t n, const char *no,
                       const char *yes, bool *out) {
  const char *const words[] = {no, yes, NULL};
  const int i = parse_word(text, n, words);

  if (i >= 0)
    *out = i;
  return i >= 0;
}

static bool parse_exit(const char *text, size_t n, struct rt_settings *out) {
  return parse_flag(text, n, "off", "dump", &out->is_exit_dumped);
}

static bool parse_exec(const char *text, size_t n, struct rt_settings *out) {
  return parse_flag(text, n, "off", "dump", &out->is_exec_dumped);
}

static bool parse_crash(const char *text, size_t n, struct rt_settings *out) {
  return parse_flag(text, n, "off", "dump", &out->is_crash_dumped);
}

static bool parse_fork(const char *text, size_t n, struct rt_settings *out) {
  static const char *const words[] = {"zero", "inherit", "off", NULL};
  const int i = parse_word(text, n, words);

  if (i >= 0)
    out->fork_mode = (enum rt_fork_mode)i;
  return i >= 0;
}

static bool parse_side(const char *text, size_t n, struct rt_settings *out) {
  const bool is_known = parse_flag(text, n, "off", "on", &out->is_side_wanted);

  out->is_side_chosen |= is_known;
  return is_known;
}

static bool parse_blocks(const char *text, size_t n, struct rt_settings *out) {
  return parse_flag(text, n, "entered", "all", &out->has_all_blocks);
}

static bool parse_stacks(const char *text, size_t n, struct rt_settings *out) {
  static const char *const words[] = {"auto", "off", "on", NULL};
  const int i = parse_word(text, n, words);

  if (i >= 0)
    out->stacks = (enum rt_stack_mode)i;
  return i >= 0;
}

static bool parse_syscalls(const char *text, size_t n,
                           struct rt_settings *out) {
  return parse_flag(text, n, "all", "none", &out->blocks_syscalls);
}

static const struct {
  const char *key;
  bool (*parse)(const char *text, size_t n, struct rt_settings *out);
} table[] = {
    {"out", parse_out}, /* file name; %p pid, %h host, %e program, %m object,
                           %n number and %t time of the dump, %% % */
    {"log", parse_log}, /* file for messages; %p, %h, %e, %% as in out= */
    {"hz", parse_hz},   /* samples per second of CPU time; 0: none */
    {"clock", parse_clock},     /* cpu, wall */
    {"event", parse_event},     /* cycles, ...; hz= per billion or so of them */
    {"persist", parse_persist}, /* mmap: count in a file */
    {"memory", parse_memory}, /* most MiB for threads' counters; 0: no limit */
    {"verbose",
     parse_verbose}, /* 1: report files that were written; 0: report nothing */
    {"dump", parse_dump},     /* write every so many seconds: 60s, 5m, 1h */
    {"side", parse_side},     /* write a side file: on, off */
    {"blocks", parse_blocks}, /* of functions that are listed: entered, all */
    {"stacks", parse_stacks}, /* samples with call stacks: auto, off, on */
    {"fork", parse_fork},     /* a child's counts: zero, inherit, off */
    {"_exit", parse_exit},    /* dump: write at _exit() too; off */
    {"exec", parse_exec},     /* dump: write before exec() too; off */
    {"crash", parse_crash},   /* dump: write before a signal kills */
    {"syscalls", parse_syscalls}, /* after the start: all, none */
};

/* The file for messages is not open yet. */
static bool is_first_pass;

static void complain(const char *what, const char *text, size_t n,
                     const struct rt_settings *settings) {
  char buffer[64];
  struct rt_str item = {.text = buffer, .room = sizeof(buffer)};
  bool is_list = false; // may be several settings, separated as elsewhere

  if (settings->is_silent || is_first_pass)
    return;

  for (size_t i = 0; i < n; i++)
    is_list |= text[i] == ',' || text[i] == ';' || text[i] == ' ';
  rt_str_add_n(&item, text, n);
  // Characters that may harm a terminal are not printed.
  for (size_t i = 0; i < item.length; i++)
    if (buffer[i] < ' ' || buffer[i] > '~')
      buffer[i] = '?';
  rt_message("ARCLINE_OPTIONS: ", buffer, ": ", what, ", ignored",
             is_list ? "; separate options by ':'"
                     : "; arcline(1) describes all options",
             NULL);
}

static void parse_item(const char *text, size_t n, struct rt_settings *out) {
  size_t n_key = 0;

  while (n_key < n && text[n_key] != '=')
    n_key++;
  for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
    if (rt_length(table[i].key) != n_key ||
        !rt_equal(table[i].key, text, n_key))
      continue;
    if (n_key == n || !table[i].parse(text + n_key + 1, n - n_key - 1, out))
      complain("bad value", text, n, out);
    return;
  }
  complain("unknown option", text, n, out);
}

void rt_settings_parse(const char *text, struct rt_settings *out) {
  while (*text) {
    size_t n = 0;
    while (text[n] && text[n] != ':')
      n++;
    if (n)
      parse_item(text, n, out);
    text += n + (text[n] == ':');
  }
  out->has_pid = has_letter(out->out, 'p') || has_letter(out->log, 'p');
  out->is_of_module = has_letter(out->out, 'm');
  out->is_timed = has_letter(out->out, 't');
  out->is_pool =
      out->is_of_module || out->is_timed || has_letter(out->out, 'n');
  out->has_own_files =
      out->is_pool || has_letter(out->out, 'p') || (!out->out && out->prefix);
}

/* Among variables with values: libraries that do not serve read it, and the
   dynamic linker has written to that page. */
static bool should_block_syscalls __attribute__((section(".data")));

/* After the constructor of this object, which has attached this thread. */
__attribute__((constructor(102))) static void block_at_start(void) {
  if (should_block_syscalls)
    rt_block_syscalls();
}

static bool is_relative(const char *pattern) {
  return pattern && pattern[0] != '/';
}

static struct rt_exec_options exec_options; /* for the next program */

/* The program may change its working directory, as daemons do. The default name
   is relative to the directory at exit, as with gprof. */
static void find_folder(struct rt_settings *out) {
  struct rt_str str = begin_text();

  out->folder = exec_options.folder;
  if (out->folder || (!is_relative(out->out) && !is_relative(out->log)) ||
      rt_sys(SYS_getcwd, (long)str.text, (long)str.room, 0, 0, 0) <= 0 ||
      str.text[0] != '/') // it is out of reach
    return;
  str.length = rt_length(str.text);
  rt_str_add(&str, "/");
  out->folder = exec_options.folder = end_text(&str, NULL);
}

static struct {
  uint64_t number;
  int64_t time;
  unsigned program;
} dump_now;

static void add_pid(const struct rt_name *name, struct rt_str *out) {
  rt_str_add_number(out, name->pid ? name->pid : rt_pid());
  if (!name->is_numbered || name->pid || !dump_now.program)
    return;
  rt_str_add(out, ".");
  rt_str_add_number(out, dump_now.program);
}

static void add_host(struct rt_str *out) {
  struct utsname system;

  if (rt_sys(SYS_uname, (long)&system, 0, 0, 0, 0) == 0)
    rt_str_add(out, system.nodename);
}

void rt_settings_begin_dump(uint64_t number, int64_t time) {
  dump_now.number = number;
  dump_now.time = time;
}

void rt_settings_begin_program(unsigned number) { dump_now.program = number; }

static void add_two_digits(unsigned number, struct rt_str *out) {
  rt_str_add_number(out, number / 10);
  rt_str_add_number(out, number % 10);
}

/* UTC, as 20261231T235959, which sorts. By the civil calendar, without libc,
   which would read files for the time zone; days are counted from 1 March. */
static void add_time(int64_t seconds, struct rt_str *out) {
  enum { DAYS_TO_1970 = 719468, PER_ERA = 146097, PER_DAY = 86400 };
  const unsigned of_day = (unsigned)(seconds % PER_DAY);
  const unsigned day = (unsigned)(seconds / PER_DAY) + DAYS_TO_1970;
  const unsigned of_era = day % PER_ERA;
  const unsigned year_of_era =
      (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const unsigned of_year =
      of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned month = (5 * of_year + 2) / 153;
  const bool is_next = month >= 10;

  rt_str_add_number(out, year_of_era + day / PER_ERA * 400 + is_next);
  add_two_digits(is_next ? month - 9 : month + 3, out);
  add_two_digits(of_year - (153 * month + 2) / 5 + 1, out);
  rt_str_add(out, "T");
  add_two_digits(of_day / 3600, out);
  add_two_digits(of_day / 60 % 60, out);
  add_two_digits(of_day % 60, out);
}

static void add_place(const struct rt_settings *settings,
                      enum rt_file_place place, struct rt_str *out) {
  if (place == RT_PLACE_FOLDER)
    return;
  rt_str_add(out, ARCLINE_CONTEXTS_FOLDER "/");
  if (place == RT_PLACE_CONTEXTS)
    return;
  rt_str_add(out, settings->context);
  rt_str_add(out, "/");
}

static void add_pattern(const struct rt_settings *settings, const char *pattern,
                        const struct rt_name *name, struct rt_str *out) {
  const char *base = pattern + rt_folder_length(pattern);

  if (is_relative(pattern) && settings->folder)
    rt_str_add(out, settings->folder);
  for (const char *at = pattern; *at; at++) {
    if (at == base)
      add_place(settings, name->place, out);
    if (at[0] == '%' && at[1] == 'p')
      add_pid(name, out);
    else if (at[0] == '%' && at[1] == 'h')
      add_host(out);
    else if (at[0] == '%' && at[1] == 'e')
      rt_str_add(out, settings->program);
    else if (at[0] == '%' && at[1] == 'm')
      rt_str_add(out, name->module ? name->module : settings->program);
    else if (at[0] == '%' && at[1] == 'n')
      rt_str_add_number(out, dump_now.number);
    else if (at[0] == '%' && at[1] == 't')
      add_time(dump_now.time, out);
    else if (at[0] == '%' && at[1] == '%')
      rt_str_add(out, "%");
    else {
      rt_str_add_n(out, at, 1);
      continue;
    }
    at++;
  }
}

void rt_settings_name(const struct rt_settings *settings,
                      const struct rt_name *name, struct rt_str *out) {
  if (settings->out) {
    add_pattern(settings, settings->out, name, out);
  } else if (settings->prefix) {
    rt_str_add(out, settings->prefix);
    rt_str_add(out, ".");
    add_pid(name, out);
  } else {
    rt_str_add(out, "gmon.out");
  }
  if (!settings->is_of_module)
    rt_str_add(out, name->suffix);
  rt_str_add(out, name->kind);
}

/* If many processes write profiles, their messages go to a file beside these:
   standard error belongs to the program, and a test may compare it. */
void rt_settings_place_messages(const struct rt_settings *settings) {
  static const struct rt_name name = {.suffix = "", .kind = ""};
  struct rt_str path = begin_text();

  if (settings->log) {
    add_pattern(settings, settings->log, &name, &path);
  } else if (settings->out && settings->has_own_files && !settings->verbose) {
    add_pattern(settings, settings->out, &name, &path);
    path.length = rt_folder_length(path.text);
    path.text[path.length] = '\0';
    rt_str_add(&path, RT_LOG_NAME);
  }
  texts.log = end_text(&path, texts.log);
  if (texts.log)
    rt_message_to(texts.log, settings->program);
}

/* Returns the options of the environment, or else those that the previous
   program of this process has left. */
static const char *find_options(bool is_asked) {
  const char *options = rt_variable("ARCLINE_OPTIONS");

  exec_options = (struct rt_exec_options){.options = NULL};
  if (!options && is_asked && rt_exec_options_receive(&exec_options))
    return exec_options.options ? exec_options.options : "";
  if (options)
    exec_options.options = keep(options, rt_length(options), NULL);
  return options ? options : "";
}

void rt_settings_carry(const char *path, char *const *environment) {
  rt_exec_options_leave(&exec_options, path, environment);
}

static void parse_all(const char *const *all, struct rt_settings *out) {
  for (; *all; all++)
    rt_settings_parse(*all, out);
}

static void find_program(struct rt_settings *out) {
  const char *path = (const char *)rt_auxv(AT_EXECFN);
  struct rt_str program = {.text = out->program, .room = sizeof(out->program)};

  if (path)
    rt_str_add(&program, path + rt_folder_length(path));
}

/* A name that is too long is the context of no test: the counts are then those
   of processes without one, which is reported when tests are selected. */
static void find_context(struct rt_settings *out) {
  const char *name = rt_variable("ARCLINE_CONTEXT");

  if (!name)
    name = exec_options.context;
  if (!name || !name[0])
    return;
  struct rt_str folder = begin_text();
  if (folder.room < ARCLINE_CONTEXT_MAX_BYTES ||
      !arcline_context_folder(name, folder.text)) {
    rt_message("ARCLINE_CONTEXT: too long, ignored", NULL);
    return;
  }
  folder.length = rt_length(folder.text);
  out->context = end_text(&folder, NULL);
  if (name != exec_options.context)
    exec_options.context = keep(name, rt_length(name), NULL);
}

/* Settings that exclude each other. */
static void reconcile(struct rt_settings *out) {
  // If files have glibc's names (GMON_OUT_PREFIX), gprof may read all of them.
  if (!out->is_side_chosen)
    out->is_side_wanted = out->out || !out->prefix;
  if (!out->is_side_wanted) {
    if (out->stacks == RT_STACKS_ON)
      rt_message("ARCLINE_OPTIONS: stacks=on: no side file is written, "
                 "ignored; use side=on",
                 NULL);
    out->stacks = RT_STACKS_OFF;
  }
  // The parent adds its own counts itself.
  if (out->is_pool && out->fork_mode == RT_FORK_INHERIT) {
    rt_message("ARCLINE_OPTIONS: fork=inherit: ignored, since %m, %n or %t in "
               "out= adds up counts of all processes",
               NULL);
    out->fork_mode = RT_FORK_ZERO;
  }
  if (out->context && !out->is_of_module) {
    rt_message("ARCLINE_CONTEXT: ignored, since out= has no %m", NULL);
    out->context = NULL;
  }
  if (out->blocks_syscalls) {
    // A handler's return is a system call.
    out->rate_hz = 0;
    out->is_crash_dumped = false;
    should_block_syscalls = true;
  }
}

/* Texts of earlier settings are lost. */
void rt_settings_read(const char *built_in, char *memory,
                      struct rt_settings *out) {
  const char *prefix = rt_variable("GMON_OUT_PREFIX");

  texts.memory = memory;
  texts.n_used = texts.last = 0;
  texts.log = NULL;
  const char *options = find_options(!prefix);

  rt_zero(out, sizeof(*out));
  out->rate_hz = RT_DEFAULT_RATE;
  out->is_exit_dumped = true;
  out->is_exec_dumped = true;
  out->source = rt_source_find(false, "cpu", 3);
  find_program(out);
  // GMON_OUT_PREFIX, if set, overrides options that were built in.
  const char *const all[] = {built_in && !prefix ? built_in : "", options,
                             NULL};
  is_first_pass = true;
  parse_all(all, out);
  is_first_pass = false;
  if (prefix)
    out->prefix = keep(prefix, rt_length(prefix), NULL);
  find_folder(out);
  rt_settings_place_messages(out);
  parse_all(all, out); // and complain
  find_context(out);
  if (prefix && prefix[0] && !out->prefix)
    rt_message("GMON_OUT_PREFIX: too long, ignored", NULL);
  reconcile(out);
}

static struct rt_settings current;

void rt_settings_start(const char *built_in, char *memory) {
  rt_settings_read(built_in, memory, &current);
}

const struct rt_settings *rt_settings(void) { return &current; }
