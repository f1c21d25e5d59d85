/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * `arcline archive`: writes a profile with all files that reports of it read.
 * It loads the data of all reports, and packs the files that were opened.
 */
#include "base/err.h"
#include "base/gzip_stream.h"
#include "base/in_file.h"
#include "base/out_file.h"
#include "base/progress.h"
#include "cmd/archive_contents.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/line_input.h"
#include "counts/flow_load.h"
#include "counts/inlined.h"
#include "model/model.h"
#include "profile/graph_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_OUTPUT = 1, OPT_SOURCES };

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "FILE",
     "write the archive to FILE; - is stdout"},
    {OPT_SOURCES, 0, "sources", OPTION_NO_ARGUMENT, NULL,
     "include source files"},
    OPTIONS_OF_COVERAGE,
    OPTIONS_OF_SOURCES,
    OPTIONS_OF_INPUTS,
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  const char *path;
  struct archive_contents contents;
  struct common_options common;
  struct model model;
  struct flow_data flow;
  struct line_input lines;
  struct graph_profile program;
  struct inlined inlined;
  struct err watch; // of the function that is called with each file
};

static void release(struct run *run) {
  in_file_watch(NULL, NULL);
  line_input_release(&run->lines);
  inlined_release(&run->inlined);
  graph_profile_release(&run->program);
  flow_data_release(&run->flow);
  model_close(&run->model);
  common_options_release(&run->common);
  archive_contents_release(&run->contents);
}

// --- Command line ---

/** Record an option that readers of the archive get, too. */
static int record(struct run *run, const char *name, const char *value,
                  struct err *err) {
  char *word;
  if (asprintf(&word, value ? "%s=%s" : "%s", name, value) < 0)
    return err_no_memory(err);
  const int rc = archive_words_add(&run->contents.options, word, err);
  free(word);
  return rc;
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;
  const char *const name = common_options_name(id);
  switch (id) {
  case OPT_OUTPUT:
    run->path = value;
    return 0;
  case OPT_SOURCES:
    run->contents.has_sources = true;
    return 0;
  default:
    return (name && record(run, name, value, err)) ||
                   common_options_apply(&run->common, id, value, err)
               ? -1
               : 0;
  }
}

/** Refuse to replace another kind of file: an image, for instance, that should
 * have been an operand. */
static int check_output(const char *path, struct err *err) {
  struct stat status;
  uint8_t bytes[32];
  if (strcmp(path, "-") == 0)
    return isatty(STDOUT_FILENO)
               ? err_set(err, ERR_USAGE,
                         "-o -: not written to a terminal; use -o FILE")
               : 0;
  const ssize_t n = in_file_start(path, bytes, sizeof(bytes), &status);
  return n > 0 && !archive_begins(bytes, (size_t)n)
             ? err_set(err, ERR_USAGE,
                       "%s: file exists and is not an archive; remove it, or "
                       "use another name after -o",
                       path)
             : 0;
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);
  common_options_take_operands(&run->common, argv + first, argc - first);
  if (rc)
    return rc;
  if (!run->path || !run->path[0])
    return err_set(err, ERR_USAGE,
                   "no output given; use arcline archive -o FILE.arcz");
  for (int i = first; i < argc; i++)
    if (strcmp(argv[i], "-") == 0)
      return err_set(
          err, ERR_USAGE,
          "-: standard input cannot be archived; write it to a file");
  return check_output(run->path, err);
}

// --- Files ---

static void take_opened(void *context, const char *path,
                        enum in_file_kind kind) {
  struct run *const run = context;
  // Commands read standard output as "-" only; others are regular files.
  if (kind != IN_FILE_PIPE && !run->watch.code)
    archive_contents_add(
        &run->contents, path,
        kind == IN_FILE_SOURCE ? ARCHIVED_SOURCE : ARCHIVED_OTHER, &run->watch);
}

/** Add the profile of a side file's entry, if it can be read. */
static int add_entry(struct run *run, const struct side_file *side,
                     const struct side_entry *entry, struct err *err) {
  const char *const slash = strrchr(side->path, '/');
  char *path;
  if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - side->path) : 0,
               side->path, entry->file) < 0)
    return err_no_memory(err);
  const int rc =
      in_file_access(path, R_OK)
          ? 0
          : archive_contents_add(&run->contents, path, ARCHIVED_PROFILE, err);
  free(path);
  return rc;
}

static int add_ids(struct run *run, struct err *err) {
  struct archive_contents *const contents = &run->contents;
  contents->profiled =
      calloc(run->model.n_objects + 1, sizeof(*contents->profiled));
  if (!contents->profiled)
    return err_no_memory(err);
  contents->n_profiled = run->model.n_objects;
  for (size_t i = 0; i < run->model.n_objects; i++) {
    const struct image *const image = &run->model.objects[i].image;
    struct image_id *const id = &contents->profiled[i];
    memcpy(id->bytes, image->build_id, image->n_build_id);
    id->n_bytes = image->n_build_id;
  }
  return 0;
}

/** Add the files that operands stand for. */
static int add_inputs(struct run *run, struct err *err) {
  const struct inputs *const inputs = &run->model.inputs;
  struct archive_contents *const contents = &run->contents;
  for (size_t i = 0; i < inputs->n_objects; i++) {
    const struct input_object *const object = &inputs->objects[i];
    if (archive_contents_add(contents, object->image_path, ARCHIVED_IMAGE, err))
      return -1;
    for (size_t j = 0; j < object->n_profile_paths; j++)
      if (archive_contents_add(contents, object->profile_paths[j],
                               ARCHIVED_PROFILE, err))
        return -1;
  }
  for (size_t i = 0; i < inputs->n_sides; i++) {
    const struct side_file *const side = &inputs->sides[i];
    if (archive_contents_add(contents, side->path, ARCHIVED_PROFILE, err))
      return -1;
    for (size_t j = 0; j < side->n_entries; j++)
      if (side->entries[j].file && add_entry(run, side, &side->entries[j], err))
        return -1;
  }
  contents->root = &run->common.root;
  const struct inputs_options *const options = &run->common.inputs;
  for (size_t i = 0; i < options->n_operands; i++)
    if (archive_words_add(&contents->operands, options->operands[i], err))
      return -1;
  for (size_t i = 0; i < run->common.archive.options.n; i++)
    if (archive_words_add(&contents->options,
                          run->common.archive.options.list[i], err))
      return -1;
  return 0;
}

/** Ignore that the profile lacks data which some reports need. */
static int ignore_missing(int rc, struct err *err) {
  if (rc == 0 || err->code != ERR_INPUT)
    return rc;
  *err = (struct err){0};
  return 0;
}

/** Load the data of all reports. */
static int load(struct run *run, struct err *err) {
  const struct model_symbols symbols = {.has_files = true};
  return ignore_missing(flow_load(&run->model, &run->flow, err), err) ||
                 inlined_open(&run->model, &run->flow, &symbols, &run->program,
                              &run->inlined, err) ||
                 graph_profile_locate(&run->program, err) ||
                 ignore_missing(
                     line_input_load(&run->model, &run->flow, &run->program,
                                     LINE_INPUT_CALLEES | LINE_INPUT_BRANCHES,
                                     &run->lines, err),
                     err)
             ? -1
             : 0;
}

/** Open all sources: pages and listings show them. */
static int open_sources(struct run *run, struct err *err) {
  for (uint32_t i = 0; i < run->flow.files.n_names; i++) {
    struct source_text text;
    int reason;
    if (source_load(&run->common.sources, run->flow.files.names[i], &text,
                    &reason, err)) {
      if (reason == 0)
        return -1;
      *err = (struct err){0};
    }
    source_release(&text);
  }
  return 0;
}

/** Add source files that have several names: reports join these. */
static int add_aliases(struct run *run, struct err *err) {
  const struct file_table *const files = &run->flow.files;
  const char *name;
  uint32_t i_file;
  for (uint32_t i = 0; (name = file_table_next_alias(files, &i, &i_file));)
    if (archive_contents_add(&run->contents, name, ARCHIVED_SOURCE, err) ||
        archive_contents_add(&run->contents, files->names[i_file],
                             ARCHIVED_SOURCE, err))
      return -1;
  return 0;
}

static int collect(struct run *run, struct err *err) {
  if (common_options_open(&run->common, "archive", MEASURE_BLOCKS, &run->model,
                          err) ||
      add_ids(run, err) || add_inputs(run, err))
    return -1;
  in_file_watch(take_opened, run);
  const int rc =
      load(run, err) || (run->contents.has_sources && open_sources(run, err));
  in_file_watch(NULL, NULL);
  if (rc == 0 && run->watch.code)
    *err = run->watch;
  return rc || run->watch.code || add_aliases(run, err) ? -1 : 0;
}

// --- Output ---

static void print_size(const struct run *run, uint64_t n_bytes) {
  const struct archive_contents *const contents = &run->contents;
  printf("%s: %" PRIu64 " bytes, %" PRIu64
         " unpacked; images and debug files %zu, profiles %zu, sources %zu\n",
         run->path, n_bytes, contents->n_bytes,
         contents->n_files[ARCHIVED_IMAGE] + contents->n_files[ARCHIVED_OTHER],
         contents->n_files[ARCHIVED_PROFILE],
         contents->n_files[ARCHIVED_SOURCE]);
}

static int write_archive(struct run *run, struct err *err) {
  struct out_file file;
  if (out_file_open(run->path, &file, err))
    return -1;
  FILE *const out = gzip_stream_open(file.stream, err);
  int rc = out ? archive_contents_write(&run->contents, out, err) : -1;
  // Errors of writing stay with the file's stream.
  if (out)
    fclose(out);
  const long n_bytes = ftell(file.stream);
  const bool is_stdout = file.stream == stdout;
  if (rc == 0)
    rc = out_file_commit(&file, err);
  out_file_release(&file);
  if (rc == 0 && !is_stdout)
    print_size(run, n_bytes > 0 ? (uint64_t)n_bytes : 0);
  return rc;
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {.path = NULL};
  int rc = parse(&run, argc, argv, err);
  progress_begin();
  if (rc == 0)
    rc = collect(&run, err);
  if (rc == 0)
    rc = write_archive(&run, err);
  progress_end();
  release(&run);
  return rc;
}

const struct command cmd_archive = {
    .name = "archive",
    .summary = "pack a profile with all that its reports read",
    .synopsis = "-o FILE.arcz [OPTION]... [IMAGE [PROFILE]...]...\n"
                "-o FILE.arcz [OPTION]... SIDE-FILE...|FOLDER",
    .description =
        "Pack a profile, and the parts of images and debug files that reports "
        "read.\n" OPERANDS_OF_INPUTS
        "\nEvery command reads FILE.arcz instead of these operands, on any "
        "machine and after\nthe program was built again, and prints the same. "
        "It is a tar file that gzip\ncompressed.\n",
    .examples = "-o run.arcz\n-o run.arcz --sources prog gmon.out\n-o "
                "suite.arcz profiles/\n",
    .options = option_specs,
    .run = run,
};
