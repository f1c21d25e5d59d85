/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline completion`: scripts by which shells complete command lines, out of
 * the tables of options that commands are parsed by.
 */
#include "base/err.h"
#include "cmd/commands.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec option_specs[] = {{0}};

/** What may stand where an argument does. */
enum kind { KIND_TEXT, KIND_FILE, KIND_FOLDER, KIND_WORDS };

static enum kind kind_of(const struct command *command,
                         const struct option_spec *spec) {
  static const char *const files[] = {"FILE", "OUT", "MAP"};
  static const char *const folders[] = {"FOLDER", "DIR", "DIRS"};
  const char *const name = spec->argument_name ? spec->argument_name : "";

  if (strchr(name, '|') ||
      (command->value_at && command->value_at(spec->id, 0)))
    return KIND_WORDS;
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
    if (strcmp(name, files[i]) == 0)
      return KIND_FILE;
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
    if (strcmp(name, folders[i]) == 0)
      return KIND_FOLDER;
  return KIND_TEXT;
}

/** Print "a|b" as words. */
static void print_alternatives(const char *text, size_t n, FILE *out) {
  for (size_t i = 0; i < n; i++)
    fputc(text[i] == '|' ? ' ' : text[i], out);
}

/** Print the values of an option that has some. */
static void print_values(const struct command *command,
                         const struct option_spec *spec, FILE *out) {
  const char *value;

  if (strchr(spec->argument_name, '|')) {
    print_alternatives(spec->argument_name, strlen(spec->argument_name), out);
    return;
  }
  for (size_t i = 0; (value = command->value_at(spec->id, i)); i++)
    fprintf(out, "%s%s", i ? " " : "", value);
}

static void print_command_names(FILE *out) {
  for (size_t i = 0; commands[i]; i++)
    fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
}

/** Print text between the quotes of a shell, with what ends them, and further
 * characters, made plain. */
static void print_quoted(const char *text, const char *quote, const char *also,
                         FILE *out) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs(quote, out);
    else
      fprintf(out, "%s%c", strchr(also, *text) ? "\\" : "", *text);
  }
}

/** A word of struct command's operands. */
struct operand_word {
  const char *text;
  size_t n;
};

/** Word i; or an empty one. */
static struct operand_word operand_at(const struct command *command, size_t i) {
  const char *at = command->operands ? command->operands : "FILE";

  for (; i > 0 && *at; i--) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  return (struct operand_word){at, strcspn(at, " ")};
}

static bool is_word(struct operand_word word, const char *text) {
  return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

// --- Bash ---

/** Print a case of the argument of an option. */
static void print_bash_argument(const struct command *command,
                                const struct option_spec *spec, FILE *out) {
  static const char *const kinds[] = {"text", "file", "folder"};
  const char *separator = "";
  const enum kind kind = kind_of(command, spec);

  fputs("  ", out);
  if (spec->short_name && spec->argument == OPTION_ARGUMENT) {
    fprintf(out, "%s:-%c", command->name, spec->short_name);
    separator = " | ";
  }
  if (spec->long_name) {
    fprintf(out, "%s%s:--%s=", separator, command->name, spec->long_name);
    if (spec->argument == OPTION_ARGUMENT)
      fprintf(out, " | %s:--%s", command->name, spec->long_name);
  }
  if (kind == KIND_WORDS) {
    fputs(") kind=words words='", out);
    print_values(command, spec, out);
    fputs("' ;;\n", out);
  } else {
    fprintf(out, ") kind=%s ;;\n", kinds[kind]);
  }
}

/** Print what all commands give for one question, as cases. */
static void print_bash_arguments(FILE *out) {
  const struct option_spec *spec;

  for (size_t i = 0; commands[i]; i++)
    for (size_t k = 0; (spec = options_at(commands[i]->options, k)); k++)
      if (spec->argument == OPTION_ARGUMENT ||
          (spec->argument == OPTION_OPTIONAL_ARGUMENT && spec->long_name))
        print_bash_argument(commands[i], spec, out);
}

static void print_bash_options(FILE *out) {
  const struct option_spec *spec;

  for (size_t i = 0; commands[i]; i++) {
    fprintf(out, "    %s) words='", commands[i]->name);
    for (size_t k = 0; (spec = options_at(commands[i]->options, k)); k++) {
      if (!spec->help)
        continue;
      if (spec->long_name)
        fprintf(out, "%s--%s%s", k ? " " : "", spec->long_name,
                spec->argument == OPTION_ARGUMENT ? "=" : "");
      else
        fprintf(out, "%s-%c", k ? " " : "", spec->short_name);
    }
    fputs("' ;;\n", out);
  }
}

static void print_bash_operands(FILE *out) {
  for (size_t i = 0; commands[i]; i++) {
    if (!commands[i]->operands)
      continue;
    for (size_t k = 0;; k++) {
      const struct operand_word word = operand_at(commands[i], k);
      if (word.n == 0)
        break;
      fprintf(out, "    %s:%zu) kind=words words=", commands[i]->name, k);
      if (is_word(word, "PID")) {
        fputs("$(cd /proc && echo [0-9]*)", out);
      } else if (is_word(word, "COMMAND")) {
        fputc('\'', out);
        print_command_names(out);
        fputc('\'', out);
      } else if (is_word(word, "FILE")) {
        fputs(" kind=file", out);
      } else {
        fputc('\'', out);
        print_alternatives(word.text, word.n, out);
        fputc('\'', out);
      }
      fputs(" ;;\n", out);
    }
  }
}

static void print_bash(FILE *out) {
  fputs("# Completion of arcline's command lines for bash.\n"
        "_arcline() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev= option= command= word\n"
        "  local kind= words= i n=0\n"
        "  COMPREPLY=()\n"
        "  ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  # Bash takes \"=\" for a word of its own.\n"
        "  if [[ $cur == '=' ]]; then\n"
        "    option=$prev= cur=\n"
        "  elif [[ $prev == '=' ]]; then\n"
        "    option=${COMP_WORDS[COMP_CWORD - 2]}=\n"
        "  else\n"
        "    option=$prev\n"
        "  fi\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    word=${COMP_WORDS[i]}\n"
        "    if [[ $word == -* || $word == '=' || ${COMP_WORDS[i - 1]} == "
        "'=' ]]; then\n"
        "      continue\n"
        "    elif [[ $command ]]; then\n"
        "      n=$((n + 1))\n"
        "    else\n"
        "      command=$word\n"
        "    fi\n"
        "  done\n"
        "  case $command:$option in\n",
        out);
  print_bash_arguments(out);
  fputs("  esac\n"
        "  if [[ ! $kind && $cur == -* ]]; then\n"
        "    kind=options\n"
        "    case $command in\n"
        "    '') words='--help --version' ;;\n",
        out);
  print_bash_options(out);
  fputs("    esac\n"
        "  elif [[ ! $kind && ! $command ]]; then\n"
        "    kind=words words='",
        out);
  print_command_names(out);
  fputs("'\n"
        "  elif [[ ! $kind ]]; then\n"
        "    case $command:$n in\n",
        out);
  print_bash_operands(out);
  fputs("    *) kind=file ;;\n"
        "    esac\n"
        "  fi\n"
        "  case $kind in\n"
        "  words | options) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
        "\"$cur\") ;;\n"
        "  file) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
        "  folder) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
        "  esac\n"
        "  case $kind in\n"
        "  file | folder) compopt -o filenames 2> /dev/null ;;\n"
        "  options) [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> "
        "/dev/null ;;\n"
        "  esac\n"
        "  return 0\n"
        "}\n"
        "complete -F _arcline arcline\n",
        out);
}

// --- Zsh ---

static void print_zsh_option(const struct command *command,
                             const struct option_spec *spec, FILE *out) {
  static const char quote[] = "'\\''";
  const bool has_both = spec->short_name && spec->long_name;
  const bool is_optional = spec->argument == OPTION_OPTIONAL_ARGUMENT;
  const bool has_argument = spec->argument != OPTION_NO_ARGUMENT;
  const char *const of_short = !has_argument ? "" : is_optional ? "-" : "+";
  const char *const of_long = !has_argument ? "" : is_optional ? "=-" : "=";

  fputs(" \\\n      ", out);
  if (has_both)
    fprintf(out, "'*'{-%c%s,--%s%s}", spec->short_name, of_short,
            spec->long_name, of_long);
  else if (spec->long_name)
    fprintf(out, "'*'--%s%s", spec->long_name, of_long);
  else
    fprintf(out, "'*'-%c%s", spec->short_name, of_short);
  fputs("'[", out);
  print_quoted(spec->help, quote, "[]:\\", out);
  fputc(']', out);
  if (has_argument) {
    fprintf(out, "%s:", is_optional ? ":" : "");
    print_quoted(spec->argument_name ? spec->argument_name : "ARG", quote,
                 ":\\", out);
    fputc(':', out);
    switch (kind_of(command, spec)) {
    case KIND_TEXT:
      fputc(' ', out);
      break;
    case KIND_FILE:
      fputs("_files", out);
      break;
    case KIND_FOLDER:
      fputs("_files -/", out);
      break;
    case KIND_WORDS:
      fputc('(', out);
      print_values(command, spec, out);
      fputc(')', out);
    }
  }
  fputc('\'', out);
}

static void print_zsh_operands(const struct command *command, FILE *out) {
  for (size_t i = 0; command->operands; i++) {
    const struct operand_word word = operand_at(command, i);
    if (word.n == 0)
      return;
    fprintf(out, " \\\n      '%zu:", i + 1);
    if (is_word(word, "PID")) {
      fputs("process:_pids", out);
    } else if (is_word(word, "COMMAND")) {
      fputs("command:(", out);
      print_command_names(out);
      fputc(')', out);
    } else if (is_word(word, "FILE")) {
      fputs("file:_files", out);
    } else {
      fputs("word:(", out);
      print_alternatives(word.text, word.n, out);
      fputc(')', out);
    }
    fputc('\'', out);
  }
  fputs(" \\\n      '*:file:_files'", out);
}

static void print_zsh(FILE *out) {
  const struct option_spec *spec;

  fputs("#compdef arcline\n"
        "# Completion of arcline's command lines for zsh.\n"
        "_arcline() {\n"
        "  local -a commands\n"
        "  commands=(\n",
        out);
  for (size_t i = 0; commands[i]; i++) {
    fprintf(out, "    '%s:", commands[i]->name);
    print_quoted(commands[i]->summary, "'\\''", ":\\", out);
    fputs("'\n", out);
  }
  fputs("  )\n"
        "  if ((CURRENT == 2)); then\n"
        "    _describe -t commands command commands\n"
        "    return\n"
        "  fi\n"
        "  local command=$words[2]\n"
        "  shift words\n"
        "  ((CURRENT--))\n"
        "  case $command in\n",
        out);
  for (size_t i = 0; commands[i]; i++) {
    fprintf(out, "  %s)\n    _arguments -s", commands[i]->name);
    for (size_t k = 0; (spec = options_at(commands[i]->options, k)); k++)
      if (spec->help)
        print_zsh_option(commands[i], spec, out);
    print_zsh_operands(commands[i], out);
    fputs("\n    ;;\n", out);
  }
  fputs("  esac\n"
        "}\n"
        "# As a file among zsh's functions it is the function; else it was "
        "sourced.\n"
        "if [[ $funcstack[1] == _arcline ]]; then\n"
        "  _arcline \"$@\"\n"
        "else\n"
        "  compdef _arcline arcline\n"
        "fi\n",
        out);
}

// --- Fish ---

static void print_fish_option(const struct command *command,
                              const struct option_spec *spec, FILE *out) {
  fprintf(out, "complete -c arcline -n '__fish_seen_subcommand_from %s'",
          command->name);
  if (spec->short_name)
    fprintf(out, " -s %c", spec->short_name);
  if (spec->long_name)
    fprintf(out, " -l %s", spec->long_name);
  const enum kind kind = kind_of(command, spec);
  if (spec->argument == OPTION_ARGUMENT)
    fputs(kind == KIND_FILE || kind == KIND_FOLDER ? " -r -F" : " -x", out);
  if (spec->argument != OPTION_NO_ARGUMENT && kind == KIND_WORDS) {
    fputs(" -a '", out);
    print_values(command, spec, out);
    fputc('\'', out);
  }
  fputs(" -d '", out);
  print_quoted(spec->help, "\\'", "\\", out);
  fputs("'\n", out);
}

static void print_fish_operands(const struct command *command, FILE *out) {
  for (size_t i = 0;; i++) {
    const struct operand_word word = operand_at(command, i);
    if (word.n == 0)
      return;
    fprintf(out, "complete -c arcline -n '__fish_seen_subcommand_from %s'",
            command->name);
    if (is_word(word, "FILE")) {
      fputs(" -F\n", out);
    } else if (is_word(word, "PID")) {
      fputs(" -a '(__fish_complete_pids)'\n", out);
    } else {
      fputs(" -a '", out);
      if (is_word(word, "COMMAND"))
        print_command_names(out);
      else
        print_alternatives(word.text, word.n, out);
      fputs("'\n", out);
    }
  }
}

static void print_fish(FILE *out) {
  const struct option_spec *spec;

  fputs("# Completion of arcline's command lines for fish.\n"
        "complete -c arcline -f\n",
        out);
  for (size_t i = 0; commands[i]; i++) {
    fprintf(out, "complete -c arcline -n __fish_use_subcommand -a %s -d '",
            commands[i]->name);
    print_quoted(commands[i]->summary, "\\'", "\\", out);
    fputs("'\n", out);
    for (size_t k = 0; (spec = options_at(commands[i]->options, k)); k++)
      if (spec->help)
        print_fish_option(commands[i], spec, out);
    print_fish_operands(commands[i], out);
  }
}

// --- The command ---

static const struct {
  const char *name;
  void (*print)(FILE *out);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

static int apply(void *context, int id, const char *value, struct err *err) {
  (void)context, (void)id, (void)value, (void)err;
  return 0;
}

static int run(int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, NULL, &first, err);

  if (rc)
    return rc;
  for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
    if (argc - first == 1 && strcmp(argv[first], shells[i].name) == 0) {
      shells[i].print(stdout);
      return 0;
    }
  return err_set(err, ERR_USAGE,
                 "name a shell: arcline completion bash, zsh or fish");
}

const struct command cmd_completion = {
    .name = "completion",
    .summary = "completion of command lines, for a shell",
    .synopsis = "bash|zsh|fish",
    .description =
        "Print a script that has a shell complete arcline's command "
        "lines:\n\n"
        "  eval \"$(arcline completion bash)\"    in ~/.bashrc\n"
        "  eval \"$(arcline completion zsh)\"     in ~/.zshrc, after compinit\n"
        "  arcline completion fish | source     in ~/.config/fish/config.fish\n"
        "\nAn installed Arcline has put these where the shells look.\n",
    .options = option_specs,
    .operands = "bash|zsh|fish",
    .run = run,
};
