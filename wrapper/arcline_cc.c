/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Runs clang as arcline-cc and arcline-c++: with the pass plugin if code is
 * generated, and with the runtime if a program or shared library is linked.
 * Acts as a C++ compiler if its name ends with "++", and runs the clang of LLVM
 * 19 if that ends with "-19". Finds plugin and runtime relative to itself, so
 * that the installed tree can be moved. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arcline/link_options.h"
#include "arcline/llvm_releases.h"
#include "args.h"
#include "classify.h"
#include "help.h"
#include "linker.h"
#include "target.h"
#include "toolchain.h"

// The names of files in it must fit, too.
enum { EXIT_USAGE = 2, PATH_BYTES = TOOLCHAIN_PATH_BYTES };
enum { MAX_SUITE_BYTES = 3500 };

// Clang that tracks assignments of variables, and has an option for that.
enum { FIRST_WITH_ASSIGNMENTS = 17 };

static const char suite_option[] = "--arcline-suite=";
static const char clang_option[] = "--arcline-clang=";

static const char decisions_wish[] = "mcdc=on";

static const char pass_options_variable[] = "ARCLINE_PASS_OPTIONS";

struct wrapper {
  const char *name;     // of this program, for messages
  char dir[PATH_BYTES]; // of this program
  bool is_cxx;
  bool show;
  char suite[PATH_BYTES];             // one of these; empty: none
  char pass_options[PATH_BYTES + 64]; // options for the pass
  struct args launchers;              // ccache, before the compiler
  const char *clang; // the chosen compiler; NULL: not yet decided
  int major;         // release of clang; 0: unknown
  bool is_clang_overridden;
  char default_clang[PATH_BYTES]; // clang may be this
  char plugin[PATH_BYTES];        // empty unless needed
  char runtime[PATH_BYTES];       // empty unless needed
  char threads[PATH_BYTES];       // the same
};

static void warn(const struct wrapper *wrapper, const char *sentence) {
  fprintf(stderr, "%s: warning: %s\n", wrapper->name, sentence);
}

__attribute__((format(printf, 3, 4), noreturn)) static void
fail(const struct wrapper *wrapper, int status, const char *format, ...) {
  va_list values;

  fprintf(stderr, "%s: ", wrapper->name);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  exit(status);
}

static const char *base_name(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// arcline-c++, or arcline-c++-19.
static bool is_cxx_name(const char *name) {
  size_t n = strlen(name);

  if (toolchain_major_of_name(name) > 0)
    n = (size_t)(strrchr(name, '-') - name);
  return n >= 2 && strncmp(name + n - 2, "++", 2) == 0;
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void find_self(struct wrapper *wrapper, const char *argv0) {
  wrapper->name = base_name(argv0);
  const ssize_t n =
      readlink("/proc/self/exe", wrapper->dir, sizeof(wrapper->dir));
  if (n <= 0 || n == sizeof(wrapper->dir))
    fail(wrapper, 1, "cannot read /proc/self/exe to find its own folder: %s",
         n < 0 ? strerror(errno) : "the path is too long");
  wrapper->dir[n] = '\0';
  // Either name counts: this one for links to this program, the real one for a
  // link from cc to arcline-c++.
  wrapper->is_cxx =
      is_cxx_name(wrapper->name) || is_cxx_name(base_name(wrapper->dir));
  *strrchr(wrapper->dir, '/') = '\0';
}

// The installed place first, then the one in the build tree.
static bool find_in(const struct wrapper *wrapper, const char *folder,
                    const char *name, char *out) {
  const char *const places[] = {ARCLINE_LIBDIR, "../lib"};
  char path[2 * PATH_BYTES];

  for (size_t i = 0; i < 2; i++) {
    snprintf(path, sizeof(path), "%s/%s%s/%s", wrapper->dir, places[i], folder,
             name);
    // Fails with ENAMETOOLONG rather than overrun out: PATH_MAX is 4096.
    if (realpath(path, out))
      return true;
  }
  return false;
}

// Archives for other machines are in folders of their own.
static void find_archive(const struct wrapper *wrapper, const struct job *job,
                         const char *name, const char *what, char *out) {
  const char *const machine = target_machine(job->target, job->width);
  char folder[64] = "";

  if (strcmp(machine, target_own_machine()) != 0)
    snprintf(folder, sizeof(folder), "/arcline/%s", machine);
  if (find_in(wrapper, folder, name, out))
    return;
  if (folder[0])
    fail(wrapper, 1,
         "cannot find the runtime for %s: %s/arcline/%s/%s does not exist in "
         "%s; see \"Other machines\" in arcline-cc(1)",
         machine, ARCLINE_LIBDIR, machine, name, wrapper->dir);
  fail(wrapper, 1,
       "cannot find the %s: neither %s/%s nor ../lib/%s exists in %s", what,
       ARCLINE_LIBDIR, name, name, wrapper->dir);
}

static void ask_pass(struct wrapper *wrapper, const char *wish) {
  const size_t n = strlen(wrapper->pass_options);

  if (!strstr(wrapper->pass_options, wish))
    snprintf(wrapper->pass_options + n, sizeof(wrapper->pass_options) - n,
             "%s%s", n > 0 ? ":" : "", wish);
}

// The last one counts. The program may run in any folder.
static void ask_for_suite(struct wrapper *wrapper, const char *folder) {
  char here[PATH_BYTES] = "";

  if (folder[0] != '/' && !getcwd(here, sizeof(here)))
    fail(wrapper, 1, "cannot get the current folder: %s", strerror(errno));
  const int n = snprintf(wrapper->suite, sizeof(wrapper->suite), "suite=%s%s%s",
                         here, here[0] ? "/" : "", folder);
  if (!folder[0] || n < 0 || n >= MAX_SUITE_BYTES ||
      strchr(wrapper->suite, ':'))
    fail(wrapper, EXIT_USAGE,
         "--arcline-suite=: requires a folder name of at most %d bytes, "
         "without a colon",
         MAX_SUITE_BYTES);
}

// ccache, and whatever else clang's name follows: distcc, env.
static bool is_launcher(const char *word, const char *next) {
  return strcmp(base_name(word), "ccache") == 0 ||
         (!toolchain_is_clang_name(base_name(word)) && next &&
          toolchain_is_clang_name(base_name(next)));
}

// The rest is the command of a build system that runs it through the wrapper:
// the compiler, perhaps after ccache. Returns the last word that was read.
static char **parse_launched(struct wrapper *wrapper, char **argv) {
  while (argv[1] && is_launcher(argv[1], argv[2]))
    args_add(&wrapper->launchers, *++argv);
  if (!argv[1])
    fail(wrapper, EXIT_USAGE, "--arcline-launch: requires a command after it");
  wrapper->clang = *++argv;
  return argv;
}

// Remove the --arcline- options from argv; the rest is for clang.
static void parse_own_options(struct wrapper *wrapper, char **argv,
                              struct args *rest) {
  bool calls_only = false;
  bool blocks_only = false;
  for (; *argv; argv++) {
    const char *const arg = *argv;
    if (strcmp(arg, "--arcline-launch") == 0)
      argv = parse_launched(wrapper, argv);
    else if (starts_with(arg, clang_option))
      wrapper->clang = arg + strlen(clang_option);
    else if (strcmp(arg, "--arcline-show") == 0)
      wrapper->show = true;
    else if (strcmp(arg, "--arcline-calls-only") == 0)
      calls_only = true;
    else if (strcmp(arg, "--arcline-blocks-only") == 0)
      blocks_only = true;
    else if (strcmp(arg, "--arcline-mcdc") == 0)
      ask_pass(wrapper, decisions_wish);
    else if (strcmp(arg, "--arcline-no-segment") == 0)
      ask_pass(wrapper, "segment=off");
    else if (starts_with(arg, suite_option))
      ask_for_suite(wrapper, arg + strlen(suite_option));
    else if (starts_with(arg, "--arcline-"))
      fail(wrapper, EXIT_USAGE, "%s: unknown option; try %s --help", arg,
           wrapper->name);
    else
      args_add_lasting(rest, arg);
  }
  if (calls_only && blocks_only)
    fail(wrapper, EXIT_USAGE,
         "--arcline-calls-only and --arcline-blocks-only are mutually "
         "exclusive");
  if (calls_only)
    ask_pass(wrapper, "blocks=off");
  if (blocks_only)
    ask_pass(wrapper, "calls=off");
  // Last: its name may contain that of another one.
  if (wrapper->suite[0])
    ask_pass(wrapper, wrapper->suite);
}

// CC and CXX are not specific to Arcline: their compiler is used only if it is
// a clang that has a plugin.
static bool parse_variable(struct wrapper *wrapper, const char *variable) {
  const char *const value = getenv(variable);
  char plugin[PATH_BYTES];
  char word[PATH_BYTES];

  if (!value)
    return false;
  const int n = (int)strcspn(value, " ");
  if (n >= PATH_BYTES)
    return false;
  snprintf(word, sizeof(word), "%.*s", n, value);
  if (!toolchain_is_clang_name(base_name(word)) || toolchain_is_wrapper(word))
    return false;
  const int major = toolchain_major(word);
  if (!toolchain_find_plugin(wrapper->dir, major, plugin))
    return false;
  memcpy(wrapper->default_clang, word, sizeof(word));
  wrapper->clang = wrapper->default_clang;
  wrapper->major = major;
  return true;
}

// The order of precedence: an option, ARCLINE_CLANG, the name of the wrapper,
// CC, the newest clang that is installed.
static void choose_clang(struct wrapper *wrapper) {
  const char *const variable = getenv("ARCLINE_CLANG");
  const int major = toolchain_major_of_name(wrapper->name);

  if (!wrapper->clang && variable && *variable) {
    wrapper->clang = variable;
    if (toolchain_is_wrapper(variable))
      fail(wrapper, 1, "ARCLINE_CLANG=%s: not clang, but a link to arcline-cc",
           variable);
  }
  if (wrapper->clang) {
    wrapper->is_clang_overridden = true;
    return;
  }
  if (major > 0) {
    if (!toolchain_find_clang(wrapper->dir, major, wrapper->default_clang))
      fail(wrapper, 1,
           "cannot find clang of LLVM %d; install clang-%d, or use "
           "--arcline-clang=CLANG",
           major, major);
    wrapper->major = major;
  } else {
    if ((wrapper->is_cxx && parse_variable(wrapper, "CXX")) ||
        parse_variable(wrapper, "CC"))
      return;
    wrapper->major = toolchain_newest(wrapper->dir);
    if (wrapper->major == 0 ||
        !toolchain_find_clang(wrapper->dir, wrapper->major,
                              wrapper->default_clang)) {
      wrapper->major = ARCLINE_LLVM_MAJOR;
      snprintf(wrapper->default_clang, PATH_BYTES, "%s", ARCLINE_CLANG);
    }
  }
  wrapper->clang = wrapper->default_clang;
}

static void find_plugin(struct wrapper *wrapper) {
  char there[TOOLCHAIN_TEXT_BYTES];

  if (wrapper->major == 0)
    wrapper->major = toolchain_major(wrapper->clang);
  if (wrapper->major == TOOLCHAIN_GCC)
    fail(wrapper, 1, "%s: gcc, not clang; use --arcline-clang=CLANG",
         wrapper->clang);
  // It may be a script that does not print a version: assume the newest
  // release.
  if (wrapper->major == 0)
    wrapper->major = toolchain_newest(wrapper->dir);
  if (wrapper->major == 0)
    wrapper->major = ARCLINE_LLVM_MAJOR;
  if (toolchain_find_plugin(wrapper->dir, wrapper->major, wrapper->plugin))
    return;
  toolchain_list(wrapper->dir, there);
  if (wrapper->major < ARCLINE_LLVM_OLDEST ||
      wrapper->major > ARCLINE_LLVM_NEWEST)
    fail(wrapper, 1,
         "%s: clang version %d is not supported, LLVM %d to %d is required; "
         "use --arcline-clang=CLANG (installed plugins: %s)",
         wrapper->clang, wrapper->major, ARCLINE_LLVM_OLDEST,
         ARCLINE_LLVM_NEWEST, there);
  fail(wrapper, 1,
       "cannot find a pass plugin for LLVM %d, the version of %s: neither "
       "%s/arcline/llvm-%d/ArclinePass.so nor ../lib/ArclinePass.so exists in "
       "%s (installed plugins: %s)",
       wrapper->major, wrapper->clang, ARCLINE_LIBDIR, wrapper->major,
       wrapper->dir, there);
}

// Everything after -- is an input for clang, including the added options. So
// the -- is removed, and inputs after it that begin with a dash become ./-file.
static void add_user_args(struct args *command, const struct args *user,
                          size_t i_dashes) {
  for (size_t i = 0; i < user->n; i++) {
    if (i == i_dashes)
      continue;
    if (i > i_dashes && user->items[i][0] == '-') {
      char path[PATH_BYTES];
      snprintf(path, sizeof(path), "./%s", user->items[i]);
      args_add(command, path);
    } else {
      args_add(command, user->items[i]);
    }
  }
}

static void add_for_linker(struct args *command, const char *word) {
  // Not -Wl: a path may contain a comma. Not as an input: -x may be in effect.
  args_add(command, "-Xlinker");
  args_add(command, word);
}

#define ADD_FOR_LINKER(command, ...)                                           \
  add_all_for_linker(command, (const char *const[]){__VA_ARGS__, NULL})

static void add_all_for_linker(struct args *command, const char *const *words) {
  for (; *words; words++)
    add_for_linker(command, *words);
}

static bool wants_decisions(const struct wrapper *wrapper) {
  const char *const options = getenv(pass_options_variable);

  return strstr(wrapper->pass_options, decisions_wish) ||
         (options && strstr(options, decisions_wish));
}

// Before the user's arguments, as is the next.
static void add_for_compiling(struct wrapper *wrapper, const struct job *job,
                              struct args *command) {
  find_plugin(wrapper);
  char option[PATH_BYTES + sizeof("-fpass-plugin=")];
  snprintf(option, sizeof(option), "-fpass-plugin=%s", wrapper->plugin);
  args_add(command, option);
  // Marks the functions without no_instrument_function; the pass removes the
  // marks, see pass/Policy.cpp.
  args_add(command, "-Xclang");
  args_add(command, "-pg");
  // If the front end ends lifetimes, as it does when it optimises, it drops the
  // lines of jumps and adds lines to closing braces. The pass ends lifetimes
  // instead, which requires declarations of variables at their place in the
  // source.
  if (!job->sanitizes) {
    args_add(command, "-Xclang");
    args_add(command, "-disable-lifetime-markers");
    // In older releases of clang it is off by default.
    if (wrapper->major >= FIRST_WITH_ASSIGNMENTS) {
      args_add(command, "-Xclang");
      args_add(command, "-fexperimental-assignment-tracking=disabled");
    }
    ask_pass(wrapper, "lifetimes=on");
  }
  // The pass finds decisions by the names of blocks.
  if (wants_decisions(wrapper))
    args_add(command, "-fno-discard-value-names");
  if (!job->has_debug)
    args_add(command, "-gline-tables-only");
  // A library of plain code that needs no relocation can be linked without it,
  // such as those by which configure scripts test options of the linker. The
  // user's -fno-PIC or -fPIE comes last and wins.
  if (job->links && job->is_shared)
    args_add(command, "-fPIC");
  // By libarcline-threads.a, see add_runtime().
  ask_pass(wrapper, "threads=announced");
}

static bool has_threads(const struct job *job) {
  return job->links && !job->is_shared && !job->lacks_libc;
}

// GNU ld keeps functions that nothing refers to, since our sections do, unless
// a script has the bounds of these sections. Others reject that script.
static void add_script(const struct wrapper *wrapper, const struct job *job,
                       const struct args *user, struct args *command) {
  char path[PATH_BYTES];

  if (job->drops_sections && !job->has_script &&
      find_in(wrapper, "/arcline", "gc-sections.ld", path) &&
      linker_is_gnu_ld(wrapper->clang, user))
    ADD_FOR_LINKER(command, "-T", path);
}

static void add_link_options(const struct job *job, struct args *command) {
  // A --build-id of the user's comes last and wins.
  ADD_FOR_LINKER(command, ARCLINE_LINK_ALL);
  if (!job->lacks_libc)
    ADD_FOR_LINKER(command, ARCLINE_LINK_WRAP);
  if (has_threads(job))
    ADD_FOR_LINKER(command, ARCLINE_LINK_WRAPPED, ARCLINE_LINK_THREADS);
  if (has_threads(job) && !job->is_static)
    ADD_FOR_LINKER(command, ARCLINE_LINK_EXIT);
}

// After the user's inputs: the linker extracts the members of an archive that
// earlier inputs refer to.
static void add_runtime(struct wrapper *wrapper, const struct job *job,
                        struct args *command) {
  if (has_threads(job)) {
    find_archive(wrapper, job, "libarcline-threads.a", "runtime for threads",
                 wrapper->threads);
    add_for_linker(command, wrapper->threads);
  }
  if (job->is_shared) {
    find_archive(wrapper, job, "libarcline-shared.a",
                 "runtime for shared objects", wrapper->runtime);
    add_for_linker(command, wrapper->runtime);
  } else {
    find_archive(wrapper, job, "libarcline.a", "runtime", wrapper->runtime);
    add_for_linker(command, wrapper->runtime);
    // Parts of libc that it needs are in an archive, pthread_atfork() for one;
    // the user's -lc is before it.
    if (job->lacks_libc && job->names_libc)
      add_for_linker(command, "-lc");
  }
}

// Code for other targets has no counters, which the pass has reported. It can
// be linked if it needs no libc, as that of a boot loader, or if the user
// turned that warning off.
static bool needs_runtime(const struct wrapper *wrapper,
                          const struct job *job) {
  if (!job->links || target_machine(job->target, job->width))
    return job->links;
  const bool is_wide = !job->width || strcmp(job->width, "-m64") == 0;
  const char *const unsupported = is_wide ? job->target : job->width;
  if (!job->lacks_libc && !job->may_lack_counters)
    fail(wrapper, 1,
         "%s: programs for this target are not supported; use clang, or "
         "-Wno-backend-plugin to link without counters (Arcline supports "
         "64-bit Linux on x86-64, AArch64 and RISC-V)",
         unsupported);
  return false;
}

static bool lacks_libc(const struct job *job) {
  return job->lacks_libc && !job->names_libc && !job->has_libc_file;
}

// The reason if code must not be instrumented, or NULL.
static const char *find_obstacle(const struct job *job) {
  // clang's code generator would turn the marks that add_for_compiling()
  // requests into calls of mcount.
  if (job->has_no_passes)
    return "code is not instrumented: with -disable-llvm-passes clang does not "
           "run the plugin";
  if (job->is_kernel_code)
    return "code is not instrumented: its options are those of kernels and "
           "firmware, which have no C library, and counting needs one";
  // Build systems test linkers by such programs.
  if (job->links && !job->is_shared && lacks_libc(job))
    return "code is not instrumented: the program is linked without a C "
           "library, which counting needs";
  return NULL;
}

static void make_command(struct wrapper *wrapper, const struct args *user,
                         struct args *command) {
  struct args expanded = {0};
  for (size_t i = 0; i < user->n; i++)
    args_add_expanded(&expanded, user->items[i]);
  const struct job job = classify(expanded.items, expanded.n);
  const bool links_runtime = needs_runtime(wrapper, &job);

  for (size_t i = 0; i < wrapper->launchers.n; i++)
    args_add(command, wrapper->launchers.items[i]);
  args_add(command, wrapper->clang);
  if (wrapper->is_cxx)
    args_add(command, "--driver-mode=g++");
  const char *const obstacle = find_obstacle(&job);
  if (job.compiles && obstacle && !job.may_lack_counters)
    warn(wrapper, obstacle);
  if (job.compiles && !obstacle)
    add_for_compiling(wrapper, &job, command);
  if (links_runtime) {
    add_link_options(&job, command);
    add_script(wrapper, &job, user, command);
  }
  // A -- inside of a response file is not detected.
  add_user_args(command, user, classify(user->items, user->n).i_dashes);
  if (links_runtime)
    add_runtime(wrapper, &job, command);
  args_release(&expanded);
}

static void print_command(const struct args *command,
                          const char *pass_options) {
  if (pass_options[0]) {
    printf("%s=", pass_options_variable);
    args_print_quoted(pass_options);
    putchar(' ');
  }
  args_print(command);
}

static void append_to_variable(const char *name, const char *separator,
                               const char *value) {
  const char *const old = getenv(name);
  if (!old || !*old) {
    setenv(name, value, 1);
    return;
  }
  const size_t size = strlen(old) + strlen(separator) + strlen(value) + 1;
  char *const joined = malloc(size);
  if (!joined)
    return;
  snprintf(joined, size, "%s%s%s", old, separator, value);
  setenv(name, joined, 1);
  free(joined);
}

static void set_environment(const struct wrapper *wrapper) {
  if (wrapper->pass_options[0])
    append_to_variable(pass_options_variable, ":", wrapper->pass_options);
  // If the chosen clang is ccache, or runs through it, ccache must be given the
  // content of the plugin and the options of the pass, on which results depend.
  if (wrapper->is_clang_overridden && wrapper->plugin[0]) {
    append_to_variable("CCACHE_EXTRAFILES", ":", wrapper->plugin);
    const char *const options = getenv(pass_options_variable);
    if (options)
      append_to_variable("CCACHE_NAMESPACE", ",", options);
  }
}

int main(int argc, char **argv) {
  struct wrapper wrapper = {.name = "arcline-cc"};
  struct args user = {0};
  struct args command = {0};

  find_self(&wrapper, argc > 0 ? argv[0] : "arcline-cc");
  // With other options it is clang's.
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    help_print(wrapper.name, wrapper.is_cxx);
    return fflush(stdout) == 0 ? 0 : 1;
  }
  parse_own_options(&wrapper, argc > 0 ? argv + 1 : argv, &user);
  choose_clang(&wrapper);
  make_command(&wrapper, &user, &command);
  args_release(&user);
  if (wrapper.show) {
    print_command(&command, wrapper.pass_options);
    args_release(&command);
    return fflush(stdout) == 0 ? 0 : 1;
  }
  set_environment(&wrapper);
  execvp(command.items[0], command.items);
  fail(&wrapper, 1, "%s: cannot execute the compiler: %s", command.items[0],
       strerror(errno));
}
