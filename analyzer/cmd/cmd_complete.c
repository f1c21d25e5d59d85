/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline complete`: prints words for the end of a command line, from the
 * tables of options that parse commands. Scripts of shells run it; no help
 * names it. Its answer is a word on each line, and its help after a tab; or one
 * line,
 * ":files" or ":folders". An option that ends in "=" has an argument.
 */
#include "base/err.h"
#include "cmd/commands.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

/** The place of the last word. */
struct place {
  const struct command *command;    // NULL: it is that one
  const struct option_spec *option; // whose argument it is; or NULL
  size_t n_operands;                // before it
  bool is_operand;                  // even if it begins with a dash
  bool is_unknown;                  // of a command that does not exist
};

// --- Place ---

/** The option that a word names: exactly, or by its beginning. */
static const struct option_spec *find_option(const struct command *command,
                                             const char *word) {
  const size_t n = strcspn(word, "=");
  const struct option_spec *found = NULL, *spec;

  for (size_t i = 0; (spec = options_at(command->options, i)); i++) {
    if (word[1] != '-') {
      if (spec->short_name && word[1] == spec->short_name && !word[2])
        return spec;
    } else if (spec->long_name && n > 2 &&
               strncmp(spec->long_name, word + 2, n - 2) == 0) {
      if (!found || !spec->long_name[n - 2])
        found = spec;
    }
  }
  return found;
}

static void pass_option(struct place *place, const char *word,
                        const char *next) {
  const struct option_spec *const option =
      place->command ? find_option(place->command, word) : NULL;
  // Bash hands over --name=value as three words.
  const bool has_more = option && strcmp(next, "=") == 0;

  if (strcmp(word, "--") == 0)
    place->is_operand = true;
  else if (option && !strchr(word, '=') &&
           (option->argument == OPTION_ARGUMENT || has_more))
    place->option = option;
}

static struct place find_place(int n_words, char **words) {
  struct place place = {0};
  struct err err;

  for (int i = 0; i + 1 < n_words; i++) {
    const char *const word = words[i];
    if (strcmp(word, "=") == 0)
      continue;
    if (place.option) {
      place.option = NULL;
    } else if (word[0] == '-' && !place.is_operand) {
      pass_option(&place, word, words[i + 1]);
    } else if (place.command) {
      place.n_operands++;
    } else {
      place.command = commands_find(word, &err);
      place.is_unknown = place.is_unknown || !place.command;
    }
  }
  return place;
}

// --- Answers ---

/** Print a word, and help unless there is none. */
static void answer(const char *before, const char *word, const char *after,
                   const char *help) {
  printf("%s%s%s%s%s\n", before, word, after, help ? "\t" : "",
         help ? help : "");
}

/** Print the first n characters of "a|b" as words. */
static void answer_alternatives(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    putchar(text[i] == '|' ? '\n' : text[i]);
  putchar('\n');
}

static void answer_commands(void) {
  for (size_t i = 0; commands[i]; i++)
    answer("", commands[i]->name, "", commands[i]->summary);
}

static void answer_options(const struct command *command) {
  const struct option_spec *spec;

  if (!command) {
    puts("--help\n--version");
    return;
  }
  for (size_t i = 0; (spec = options_at(command->options, i)); i++) {
    const char short_name[] = {spec->short_name, '\0'};
    if (spec->help && spec->long_name)
      answer("--", spec->long_name,
             spec->argument == OPTION_ARGUMENT ? "=" : "", spec->help);
    else if (spec->help)
      answer("-", short_name, "", spec->help);
  }
}

static void answer_argument(const struct command *command,
                            const struct option_spec *spec) {
  static const char *const files[] = {"FILE", "OUT", "MAP"};
  static const char *const folders[] = {"FOLDER", "DIR", "DIRS"};
  const char *const name = spec->argument_name ? spec->argument_name : "";
  const char *value = NULL;

  if (strchr(name, '|')) {
    answer_alternatives(name, strlen(name));
    return;
  }
  for (size_t i = 0;
       command->value_at && (value = command->value_at(spec->id, i)); i++)
    puts(value);
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
    if (strcmp(name, files[i]) == 0)
      puts(":files");
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
    if (strcmp(name, folders[i]) == 0)
      puts(":folders");
}

/** Print the processes that run, by their ids. */
static void answer_processes(void) {
  DIR *const folder = opendir("/proc");

  for (const struct dirent *entry; folder && (entry = readdir(folder));) {
    char path[sizeof(entry->d_name) + 16], name[32];
    if (!isdigit((unsigned char)entry->d_name[0]))
      continue;
    snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
    FILE *const file = fopen(path, "re");
    if (file && fgets(name, sizeof(name), file)) {
      name[strcspn(name, "\n")] = '\0';
      answer("", entry->d_name, "", name);
    }
    if (file)
      fclose(file);
  }
  if (folder)
    closedir(folder);
}

/** Print completions of operand i of a command. */
static void answer_operand(const struct command *command, size_t i) {
  const char *at = command->operands ? command->operands : "";

  for (; i > 0 && *at; i--) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  const size_t n = strcspn(at, " ");
  if (n == 0 || strncmp(at, "FILE", n) == 0)
    puts(":files");
  else if (strncmp(at, "PID", n) == 0)
    answer_processes();
  else if (strncmp(at, "COMMAND", n) == 0)
    answer_commands();
  else
    answer_alternatives(at, n);
}

// --- The command ---

static int run(int argc, char **argv, struct err *err) {
  const struct place place = find_place(argc - 1, argv + 1);
  const char *const word = argc > 1 ? argv[argc - 1] : "";
  const bool is_option = word[0] == '-' && !place.is_operand;
  const struct option_spec *const named =
      is_option && place.command && strchr(word, '=')
          ? find_option(place.command, word)
          : NULL;

  (void)err;
  if (place.is_unknown)
    return 0;
  if (place.option || named)
    answer_argument(place.command, place.option ? place.option : named);
  else if (is_option)
    answer_options(place.command);
  else if (!place.command)
    answer_commands();
  else
    answer_operand(place.command, place.n_operands);
  return 0;
}

const struct command cmd_complete = {.name = "complete", .run = run};
