/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The commands that read an image and a profile as a whole: gprof, annotate,
   export, dump, report, html, diff (whole_input.h). They write gmon.sum, *-ann
   files, exports and pages to a temporary folder. */
#include "base/err.h"
#include "cmd/commands.h"
#include "fuzz.h"
#include "whole_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_OPTIONS = 24,
  MAX_WORD_BYTES = 256,
  MAX_OPERANDS = 8,
};

/* The same files are used for a program and for its library. */
static char image_path[] = "in/image", library_path[] = "in/library";
static char profile_path[] = "in/gmon.out", other_path[] = "in/gmon.out.lib";
static char side_path[] = "in/gmon.out.arcline", second_path[] = "in/second";

/** Options by letters of the input. */
struct letter {
  char letter;
  const char *option; /* the argument follows if it ends with "=" */
};

/* Other letters are gprof's own options. -R and -S read a file. */
static const struct letter gprof_letters[] = {
    {'0', "--inline-file-names"}, {'1', "--no-demangle"},
    {'2', "--gnu-bugs"},          {'3', "--force"},
    {'4', "--demangle=auto"},     {'5', "--help"},
    {'6', "--version"},           {'R', "-Rin/text"},
    {'S', "-Sin/text"},           {0},
};
static const struct letter annotate_letters[] = {
    {'f', "--file="},
    {'F', "--function="},
    {'c', "--calls"},
    {'i', "--instances"},
    {'a', "--all"},
    {'o', "--sort="},
    {'n', "--sort=name"},
    {'s', "--summary"},
    {'I', "--directory-path="},
    {'m', "--path-map="},
    {'C', "--color=always"},
    {'E', "--exclude="},
    {'x', "--exclude-function="},
    {'X', "--include-function="},
    {'k', "--marker="},
    {'3', "--force"},
    {0},
};
static const struct letter export_letters[] = {
    {'j', "--format=jacoco"},
    {'c', "--format=clover"},
    {'V', "--format=coveralls"},
    {'d', "--format=codecov"},
    {'q', "--format=sonarqube"},
    {'g', "--format=gcovr-summary"},
    {'r', "--root="},
    {'2', "--lcov-format=2.2"},
    {'1', "--lcov-format=legacy"},
    {'v', "--lcov-format="},
    {'f', "--format="},
    {'o', "--output=lcov"},
    {'3', "--force"},
    {0},
};
static const struct letter dump_letters[] = {
    {'c', "--class=32"},          {'b', "--byte-order=big"},
    {'B', "--file-format=bsd"},   {'4', "--file-format=4.4bsd"},
    {'m', "--file-format=magic"}, {0},
};

static const struct letter report_letters[] = {
    {'t', "--tree"},
    {'l', "--lines"},
    {'s', "--sort="},
    {'T', "--top="},
    {'f', "--fields="},
    {'p', "--percent-limit="},
    {'w', "--width="},
    {'C', "--color=always"},
    {'I', "--directory-path="},
    {'3', "--force"},
    {0},
};
static const struct letter html_letters[] = {
    {'I', "--directory-path="},
    {'m', "--path-map="},
    {'3', "--force"},
    {0},
};
static const struct letter diff_letters[] = {
    {'h', "--html=out"},     {'M', "--format=markdown"},
    {'J', "--format=junit"}, {'G', "--format=github"},
    {'g', "--fail-on="},     {'u', "--fail-under="},
    {'T', "--top="},         {'f', "--file="},
    {'m', "--path-map-a="},  {'C', "--color=always"},
    {'3', "--force"},        {0},
};

enum { MAX_FIRST = 2 };

/** A command of the tool. */
struct kind {
  const struct command *command;
  const char *first[MAX_FIRST]; /* options that are always given */
  const struct letter *letters;
};

static const struct kind kinds[] = {
    {&cmd_gprof, {"-Iin"}, gprof_letters},
    {&cmd_annotate, {"-Iin"}, annotate_letters},
    {&cmd_export, {"--format=lcov"}, export_letters},
    {&cmd_dump, {NULL}, dump_letters},
    {&cmd_report, {"-Iin", "--no-pager"}, report_letters},
    {&cmd_html, {"-Iin", "--output=out"}, html_letters},
    {&cmd_diff, {"-Iin", "--image=in/image"}, diff_letters},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/** A command line that is being built. */
struct command_line {
  char *argv[MAX_OPTIONS + MAX_OPERANDS + 3];
  int argc;
  char words[MAX_OPTIONS][MAX_WORD_BYTES];
};

static void add(struct command_line *line, const char *word) {
  line->argv[line->argc++] = (char *)word;
}

/** Add the option of a letter, with what follows the letter as argument. */
static void add_option(struct command_line *line, const struct kind *kind,
                       char *word, const char *text) {
  const char letter = text[0];
  const struct letter *at = kind->letters;

  while (at->letter && at->letter != letter)
    at++;
  if (at->letter) {
    const int has_argument = at->option[strlen(at->option) - 1] == '=';
    snprintf(word, MAX_WORD_BYTES, "%s%s", at->option,
             has_argument ? text + 1 : "");
    add(line, word);
  } else if (kind->command == &cmd_gprof &&
             ((letter >= 'a' && letter <= 'z') ||
              (letter >= 'A' && letter <= 'Z'))) {
    snprintf(word, MAX_WORD_BYTES, "-%s", text);
    add(line, word);
  }
}

/** The forms of naming files. */
static void add_operands(struct command_line *line, const struct kind *kind,
                         unsigned choice) {
  const int is_dump = kind->command == &cmd_dump;

  if (kind->command == &cmd_diff) {
    // The side file of other commands may be another profile here.
    static char *const sides[] = {profile_path, second_path, side_path, NULL};
    add(line, sides[choice % 3]);
    if (sides[choice / 3 % 4])
      add(line, sides[choice / 3 % 4]);
    return;
  }
  switch (choice % 4) {
  case 0: // dump takes the profile first
    add(line, is_dump ? profile_path : image_path);
    add(line, is_dump ? image_path : profile_path);
    break;
  case 1:
    add(line, side_path);
    break;
  case 2:
    add(line, image_path);
    add(line, profile_path);
    add(line, is_dump ? profile_path : side_path);
    break;
  default: // the side file is found beside the profile
    if (!is_dump) {
      add(line, image_path);
      add(line, profile_path);
      add(line, library_path);
    }
    add(line, other_path);
  }
}

static void make_files(const struct whole_input *input) {
  static int is_linked;

  fuzz_file(0, input->image.bytes, input->image.n_bytes);
  fuzz_file(1, input->profile.bytes, input->profile.n_bytes);
  fuzz_file(2, input->side.bytes, input->side.n_bytes);
  fuzz_file(3, input->options.bytes, input->options.n_bytes);
  if (is_linked)
    return;
  fuzz_folder_link(0, "image");
  fuzz_folder_link(0, "library");
  fuzz_folder_link(1, "gmon.out");
  fuzz_folder_link(1, "gmon.out.lib");
  fuzz_folder_link(2, "gmon.out.arcline");
  fuzz_folder_link(2, "second");
  // The files of -R and -S, and sources, are the text of the options again.
  fuzz_folder_link(3, "text");
  fuzz_folder_link(3, "seed.c");
  is_linked = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  const struct whole_input input = whole_input_read(bytes, n_bytes);
  const struct kind *const kind = &kinds[input.command % N_KINDS];
  char *const text = fuzz_copy(input.options.bytes, input.options.n_bytes, 1);
  const char *const end = text + input.options.n_bytes;
  struct command_line line = {.argc = 0};
  struct err err = {0};
  unsigned i_word = 0;

  fuzz_folder_enter();
  make_files(&input);
  add(&line, "command");
  for (int i = 0; i < MAX_FIRST && kind->first[i]; i++)
    add(&line, kind->first[i]);
  for (const char *at = text; at < end && i_word < MAX_OPTIONS;
       at += strlen(at) + 1)
    add_option(&line, kind, line.words[i_word++], at);
  add_operands(&line, kind, input.operands);
  kind->command->run(line.argc, line.argv, &err);
  free(text);
  fuzz_folder_leave();
  return 0;
}
