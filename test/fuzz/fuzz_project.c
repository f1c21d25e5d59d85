/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The texts that a project's coverage depends on: arcline.ini, markers in
   comments, gates, and the output of git diff. The first byte selects one. */
#include "base/err.h"
#include "cmd/commands.h"
#include "cmd/project_file.h"
#include "debug/source.h"
#include "debug/source_markers.h"
#include "diff/changed_lines.h"
#include "diff/gate.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_settings(const uint8_t *bytes, size_t n_bytes) {
  static char name[] = "arcline", *words[] = {name, NULL};
  struct project_file file;
  struct err err = {0};

  setenv("ARCLINE_CONFIG", fuzz_file(0, bytes, n_bytes), 1);
  if (project_file_find(commands, &file, &err) != 0)
    return;
  for (size_t i = 0; commands[i]; i++) {
    char **argv;
    int argc;
    if (project_file_arguments(&file, commands[i], 1, words, &argc, &argv,
                               &err) == 0)
      free(argv);
  }
  project_file_release(&file);
}

/** The first line is a marker of the project's own, the rest the source. */
static void find_markers(const uint8_t *bytes, size_t n_bytes) {
  struct source_markers own = {0}, found;
  struct source_text text;
  struct err err = {0};
  int reason;
  char *const option = fuzz_copy(bytes, n_bytes, 1);

  option[strcspn(option, "\n")] = '\0';
  if (source_load(NULL, fuzz_file(0, bytes, n_bytes), &text, &reason, &err) ==
      0) {
    (void)source_markers_add(&own, option, &err);
    if (source_markers_find(&text, &own, &found, &err) == 0)
      source_markers_release(&found);
    source_release(&text);
  }
  source_markers_release(&own);
  free(option);
}

static void parse_gates(const uint8_t *bytes, size_t n_bytes) {
  char *const text = fuzz_copy(bytes, n_bytes, 1);
  struct gate gate;
  struct err err = {0};

  if (gate_parse(text, &gate, &err) == 0)
    gate_release(&gate);
  if (gate_parse_under(text, &gate, &err) == 0)
    gate_release(&gate);
  free(text);
}

static void read_changes(const uint8_t *bytes, size_t n_bytes) {
  struct changed_lines changed = {0};
  struct err err = {0};
  FILE *const stream = fopen(fuzz_file(0, bytes, n_bytes), "re");

  if (!stream)
    return;
  (void)changed_lines_read(stream, &changed, &err);
  for (uint32_t line = 0; line < 8; line++)
    (void)changed_lines_have(&changed, changed_lines_path(&changed, "/src/a.c"),
                             line);
  changed_lines_release(&changed);
  fclose(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  static void (*const readers[])(const uint8_t *, size_t) = {
      read_settings, find_markers, parse_gates, read_changes};
  const unsigned choice = fuzz_take(&bytes, &n_bytes);

  readers[choice % (sizeof(readers) / sizeof(*readers))](bytes, n_bytes);
  return 0;
}
