/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "classify.h"

#include <string.h>

// The stage at which clang stops. Later ones include the earlier ones.
enum stage {
  STAGE_NOTHING, // prints information
  STAGE_CHECK,   // preprocesses, checks or precompiles: no code
  STAGE_OBJECT,  // -S, -c
  STAGE_LINK,
};

enum input {
  INPUT_SOURCE,
  INPUT_HEADER, // precompiled, never linked
  INPUT_ASSEMBLY,
  INPUT_OBJECT, // anything for the linker
};

struct state {
  enum stage stage;
  const char *language; // operand of the last -x; NULL = go by the suffix
  bool has_source;
  bool has_linkable;
  bool relocatable;
  bool is_freestanding;
  bool lacks_red_zone; // or registers of floating-point numbers
  struct job job;
};

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))
#define IS_IN(text, list) is_in((text), (list), LENGTH(list))
#define BEGINS_WITH_ONE(text, list)                                            \
  begins_with_one((text), (list), LENGTH(list))

static bool is_in(const char *text, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(text, list[i]) == 0)
      return true;
  return false;
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool begins_with_one(const char *text, const char *const *list,
                            size_t n) {
  for (size_t i = 0; i < n; i++)
    if (starts_with(text, list[i]))
      return true;
  return false;
}

static bool ends_with(const char *text, const char *suffix) {
  const size_t n = strlen(text);
  const size_t n_suffix = strlen(suffix);
  return n >= n_suffix && strcmp(text + n - n_suffix, suffix) == 0;
}

// Options whose operand is the next argument.
static const char *const with_operand[] = {
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-F",
    "-B",
    "-A",
    "-G",
    "-T",
    "-e",
    "-u",
    "-z",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclangas",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xclang",
    "-Xlinker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-arch",
    "-b",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-cxx-isystem",
    "-dependency-dot",
    "-dependency-file",
    "-dumpdir",
    "-fdebug-compilation-dir",
    "-fmodules-user-build-path",
    "-framework",
    "-ftrapv-handler",
    "-gen-cdb-fragment-path",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-mthread-model",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-stdlib++-isystem",
    "-target",
    "-vfsoverlay",
    "-working-directory",
    "--analyzer-output",
    "--config",
    "--define-macro",
    "--for-linker",
    "--imacros",
    "--include",
    "--include-directory",
    "--language",
    "--library-directory",
    "--output",
    "--param",
    "--prefix",
    "--serialize-diagnostics",
    "--std",
    "--sysroot",
    "--undefine-macro",
    "--vfsoverlay",
};

// Not -###: its output must be the command that would run.
static const char *const stop_nothing[] = {
    "--version", "-dumpmachine", "-dumpversion",
    "--help",    "-help",        "--help-hidden",
    "-cc1",      "-cc1as",       "-cc1gen-reproducer",
};

static const char *const stop_check[] = {
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-emit-ast",
    "-extract-api",
    "-verify-pch",
    "-module-file-info",
    "-Eonly",
    "-emit-interface-stubs",
    "-rewrite-objc",
    "-rewrite-legacy-objc",
    "--analyze",
    "--precompile",
    "--preprocess",
    "--dependencies",
    "--user-dependencies",
};

static const char *const stop_object[] = {"-c", "-S", "--compile",
                                          "--assemble"};

static const char *const libc_options[] = {
    "-nodefaultlibs", "-nolibc", "-nostdlib", "--no-standard-libraries"};

// With these and -ffreestanding, code may run in handlers of interrupts.
static const char *const kernel_options[] = {"-mno-red-zone",
                                             "-mgeneral-regs-only"};

static const char *const no_passes_options[] = {"-disable-llvm-passes",
                                                "-disable-llvm-optzns"};

// -gz, -gsplit-dwarf and similar options do not turn debug information on or
// off: not listed.
static const char *const debug_options[] = {
    "-g",
    "-g0",
    "-g1",
    "-g2",
    "-g3",
    "-ggdb",
    "-ggdb0",
    "-ggdb1",
    "-ggdb2",
    "-ggdb3",
    "-gdwarf",
    "-gdwarf-2",
    "-gdwarf-3",
    "-gdwarf-4",
    "-gdwarf-5",
    "-gdwarf-6",
    "-gdwarf32",
    "-gdwarf64",
    "-gdbx",
    "-glldb",
    "-gsce",
    "-gfull",
    "-gused",
    "-gmodules",
    "-gmlt",
    "-gline-tables-only",
    "-gline-directives-only",
    "--debug",
};

static const char *const static_options[] = {"-static", "--static",
                                             "-static-pie"};
static const char *const shared_options[] = {"-shared", "--shared",
                                             "-Bshareable"};

static const char *const width_options[] = {"-m16", "-m32", "-mx32", "-m64"};
static const char target_option[] = "--target=";

static const char *const relocatable_options[] = {"-r", "-i", "-Ur",
                                                  "--relocatable"};

static const char *const drop_options[] = {"--gc-sections", "-gc-sections"};
static const char *const keep_options[] = {"--no-gc-sections",
                                           "-no-gc-sections"};
static const char *const script_options[] = {"-T", "--script", "-script",
                                             "--default-script", "-dT"};
static const char *const address_options[] = {"-Tbss", "-Tdata", "-Tldata",
                                              "-Trodata", "-Ttext"};

static const char *const header_suffixes[] = {"h",   "H",   "hh", "hp",
                                              "hpp", "hxx", "h++"};
static const char *const assembly_suffixes[] = {"s", "S", "sx", "asm"};
static const char *const source_suffixes[] = {
    "c",   "i",    "C",    "cc",  "CC",  "cp",  "CP",   "cpp", "CPP",
    "cxx", "CXX",  "c++",  "C++", "ii",  "m",   "M",    "mi",  "mm",
    "mii", "cppm", "cxxm", "ccm", "ixx", "iim", "c++m", "cl",  "cu",
    "cui", "hip",  "hipi", "ast", "bc",  "ll",  "pcm",  "pch", "gch",
};

static const char *base_name(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static enum input kind_of_input(const char *path, const char *language) {
  if (language) {
    if (starts_with(language, "assembler"))
      return INPUT_ASSEMBLY;
    return ends_with(language, "header") ? INPUT_HEADER : INPUT_SOURCE;
  }
  const char *const dot = strrchr(base_name(path), '.');
  if (!dot)
    return INPUT_OBJECT;
  if (IS_IN(dot + 1, source_suffixes))
    return INPUT_SOURCE;
  if (IS_IN(dot + 1, header_suffixes))
    return INPUT_HEADER;
  return IS_IN(dot + 1, assembly_suffixes) ? INPUT_ASSEMBLY : INPUT_OBJECT;
}

static void parse_input(struct state *state, const char *path) {
  const enum input kind = kind_of_input(path, state->language);
  state->job.has_libc_file |=
      kind == INPUT_OBJECT && starts_with(base_name(path), "libc.");
  state->has_source |= kind == INPUT_SOURCE;
  state->has_linkable |= kind != INPUT_HEADER;
}

static void parse_library(struct state *state, const char *name) {
  state->has_linkable = true;
  state->job.names_libc |= strcmp(name, "c") == 0;
  state->job.has_libc_file |= starts_with(name, ":libc.");
}

// A linker script in place of the linker's own, perhaps in the same word.
static bool names_script(const char *word) {
  return BEGINS_WITH_ONE(word, script_options) &&
         !BEGINS_WITH_ONE(word, address_options);
}

// One word for the linker, from -Wl, or -Xlinker.
static void parse_linker_word(struct state *state, const char *word) {
  if (starts_with(word, "-l"))
    parse_library(state, word + 2);
  else if (IS_IN(word, relocatable_options))
    state->relocatable = true;
  else if (IS_IN(word, shared_options))
    state->job.is_shared = true;
  else if (IS_IN(word, drop_options))
    state->job.drops_sections = true;
  else if (IS_IN(word, keep_options))
    state->job.drops_sections = false;
  else if (names_script(word))
    state->job.has_script = true;
  else if (word[0] != '-')
    state->has_linkable = true;
}

static void parse_linker_words(struct state *state, const char *words) {
  char word[32];
  while (*words) {
    const size_t size = strcspn(words, ",");
    // Longer words are file names or options without effect here, depending on
    // their beginning.
    const size_t kept = size < sizeof(word) ? size : sizeof(word) - 1;
    memcpy(word, words, kept);
    word[kept] = '\0';
    if (size > 0)
      parse_linker_word(state, word);
    words += size + (words[size] == ',');
  }
}

static void stop_at(struct state *state, enum stage stage) {
  if (stage < state->stage)
    state->stage = stage;
}

static void parse_language(struct state *state, const char *language) {
  state->language = strcmp(language, "none") == 0 ? NULL : language;
}

// One word for the compiler proper, from -Xclang.
static void parse_compiler_word(struct state *state, const char *word) {
  state->job.has_no_passes |= IS_IN(word, no_passes_options);
}

static void parse_option(struct state *state, const char *option) {
  if (IS_IN(option, stop_nothing) || starts_with(option, "-print-") ||
      starts_with(option, "--print-") || starts_with(option, "--autocomplete"))
    stop_at(state, STAGE_NOTHING);
  else if (IS_IN(option, stop_check) || starts_with(option, "-fmodule-header"))
    stop_at(state, STAGE_CHECK);
  else if (IS_IN(option, stop_object))
    stop_at(state, STAGE_OBJECT);
  else if (IS_IN(option, debug_options))
    state->job.has_debug = true;
  else if (IS_IN(option, libc_options))
    state->job.lacks_libc = true;
  else if (strcmp(option, "-ffreestanding") == 0)
    state->is_freestanding = true;
  else if (strcmp(option, "-fhosted") == 0)
    state->is_freestanding = false;
  else if (IS_IN(option, kernel_options))
    state->lacks_red_zone = true;
  else if (strcmp(option, "-mcmodel=kernel") == 0)
    state->job.is_kernel_code = true;
  else if (strncmp(option, "-fsanitize=", strlen("-fsanitize=")) == 0)
    state->job.sanitizes = true;
  else if (strcmp(option, "-Wno-backend-plugin") == 0)
    state->job.may_lack_counters = true;
  else if (strcmp(option, "-Wbackend-plugin") == 0)
    state->job.may_lack_counters = false;
  else if (starts_with(option, "-Xclang="))
    parse_compiler_word(state, option + strlen("-Xclang="));
  else if (strcmp(option, "-r") == 0)
    state->relocatable = true;
  else if (IS_IN(option, shared_options))
    state->job.is_shared = true;
  else if (IS_IN(option, static_options))
    state->job.is_static = true;
  else if (names_script(option))
    state->job.has_script = true;
  else if (IS_IN(option, width_options))
    state->job.width = option;
  else if (starts_with(option, target_option))
    state->job.target = option + strlen(target_option);
  else if (starts_with(option, "-Wl,"))
    parse_linker_words(state, option + 4);
  else if (starts_with(option, "-l"))
    parse_library(state, option + 2);
  else if (starts_with(option, "-x"))
    parse_language(state, option + 2);
  else if (starts_with(option, "--language="))
    parse_language(state, strchr(option, '=') + 1);
}

static void parse_option_with_operand(struct state *state, const char *option,
                                      const char *operand) {
  if (strcmp(option, "-x") == 0 || strcmp(option, "--language") == 0)
    parse_language(state, operand);
  else if (strcmp(option, "-Xlinker") == 0 ||
           strcmp(option, "--for-linker") == 0)
    parse_linker_word(state, operand);
  else if (strcmp(option, "-Xclang") == 0)
    parse_compiler_word(state, operand);
  else if (strcmp(option, "-target") == 0)
    state->job.target = operand;
  else if (strcmp(option, "-l") == 0)
    parse_library(state, operand);
  else if (names_script(option))
    state->job.has_script = true;
}

struct job classify(char *const *args, size_t n_args) {
  struct state state = {.stage = STAGE_LINK, .job = {.i_dashes = n_args}};

  for (size_t i = 0; i < n_args; i++) {
    const char *const arg = args[i];
    if (i > state.job.i_dashes || arg[0] != '-' || arg[1] == '\0') {
      parse_input(&state, arg);
    } else if (strcmp(arg, "--") == 0) {
      state.job.i_dashes = i;
    } else if (IS_IN(arg, with_operand) || starts_with(arg, "-Xarch_") ||
               starts_with(arg, "-Xopenmp-target=") ||
               starts_with(arg, "-Xoffload-linker")) {
      if (i + 1 < n_args)
        parse_option_with_operand(&state, arg, args[i + 1]);
      i++;
    } else {
      parse_option(&state, arg);
    }
  }
  state.job.is_kernel_code |= state.is_freestanding && state.lacks_red_zone;
  state.job.compiles = state.stage >= STAGE_OBJECT && state.has_source;
  state.job.links =
      state.stage == STAGE_LINK && state.has_linkable && !state.relocatable;
  return state.job;
}
