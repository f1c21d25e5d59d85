/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* `arcline gprof` as a whole: an image, a profile and options (whole_input.h).
   It writes gmon.sum and *-ann files to an empty folder of its own. */
#include "base/err.h"
#include "cmd/commands.h"
#include "fuzz.h"
#include "whole_input.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OPTIONS = 24, MAX_WORD_BYTES = 256 };

/* Behind letters that are no options of one letter. */
static const char *const long_options[] = {
    "--inline-file-names", "--no-demangle", "--gnu-bugs", "--force",
    "--demangle=auto",     "--help",        "--version",
};

enum { N_LONG_OPTIONS = sizeof long_options / sizeof long_options[0] };

/** A command line in the making. */
struct command {
  char *argv[2 * MAX_OPTIONS + 4];
  int argc;
  char words[MAX_OPTIONS][MAX_WORD_BYTES + 3];
};

static void add(struct command *command, const char *word) {
  command->argv[command->argc++] = (char *)word;
}

/** Add the option of a letter, with what follows the letter as argument. */
static void add_option(struct command *command, char *word, const char *text,
                       const char *file) {
  const char letter = text[0];

  if (letter >= '0' && letter < '0' + N_LONG_OPTIONS) {
    add(command, long_options[letter - '0']);
  } else if (letter == 'R' || letter == 'S') {
    snprintf(word, MAX_WORD_BYTES, "-%c", letter);
    add(command, word);
    add(command, file);
  } else if ((letter >= 'a' && letter <= 'z') ||
             (letter >= 'A' && letter <= 'Z')) {
    snprintf(word, MAX_WORD_BYTES + 2, "-%.*s", MAX_WORD_BYTES, text);
    add(command, word);
  }
}

/** Go to a folder of our own; remove what an earlier run left in it. */
static void tidy_up(void) {
  static char folder[] = "/tmp/arcline-fuzz-XXXXXX";
  static int has_folder;

  if (!has_folder) {
    if (!mkdtemp(folder) || chdir(folder) || !freopen("/dev/null", "w", stdout))
      _exit(1);
    has_folder = 1;
  }
  DIR *const files = opendir(".");
  for (struct dirent *file; files && (file = readdir(files));)
    if (file->d_name[0] != '.' || strlen(file->d_name) > 2)
      unlink(file->d_name);
  if (files)
    closedir(files);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  const struct whole_input input = whole_input_read(bytes, n_bytes);
  char *const text = fuzz_copy(input.options.bytes, input.options.n_bytes, 1);
  const char *const end = text + input.options.n_bytes;
  // What -R and -S read is the text of the options again.
  const char *const image =
      fuzz_file(0, input.image.bytes, input.image.n_bytes);
  const char *const profile =
      fuzz_file(1, input.profile.bytes, input.profile.n_bytes);
  const char *const file =
      fuzz_file(2, input.options.bytes, input.options.n_bytes);
  struct command command = {.argc = 0};
  struct err err = {0};

  tidy_up();
  add(&command, "gprof");
  for (const char *at = text; at < end && command.argc < MAX_OPTIONS;
       at += strlen(at) + 1)
    add_option(&command, command.words[command.argc], at, file);
  add(&command, image);
  add(&command, profile);
  cmd_gprof(command.argc, command.argv, &err);
  free(text);
  return 0;
}
