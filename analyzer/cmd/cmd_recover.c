/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/**
 * `arcline recover`: writes the gmon files of a program that was killed, from
 * the live file that it counted in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/options.h"
#include "base/out_file.h"
#include "cmd/commands.h"
#include "gmon/live_file.h"
#include "image/image.h"
#include "recover/live_program.h"

enum {
  OPT_OUTPUT = 1,
  OPT_FORCE,
};

static const struct option_spec option_specs[] = {
    {OPT_OUTPUT, 'o', "output", OPTION_ARGUMENT, "NAME",
     "folder for the files, or name of the first file"},
    {OPT_FORCE, 0, "force", OPTION_NO_ARGUMENT, NULL,
     "ignore build IDs; skip objects without image"},
    {0},
};

/** Everything a run has in hand. All zero is empty. */
struct run {
  bool is_forced;
  const char *output;
  const char *path;
  char **images; /* named on the command line */
  int n_images;
  struct live_file file;
  struct live_program program;
};

static void release(struct run *run) {
  live_program_release(&run->program);
  live_file_close(&run->file);
}

static int apply(void *context, int id, const char *value, struct err *err) {
  struct run *const run = context;

  (void)err;
  if (id == OPT_OUTPUT)
    run->output = value;
  else
    run->is_forced = true;
  return 0;
}

static int parse(struct run *run, int argc, char **argv, struct err *err) {
  int first;
  const int rc =
      options_parse(option_specs, argc, argv, apply, run, &first, err);

  if (rc)
    return rc;
  if (first >= argc)
    return err_set(err, ERR_USAGE,
                   "no live file given; try arcline recover --help");
  run->path = argv[first];
  run->images = argv + first + 1;
  run->n_images = argc - first - 1;
  return 0;
}

// --- Images ---

static bool has_build_id(const struct image *image,
                         const struct arcline_live_object *live) {
  return memcmp(image->build_id, live->build_id, sizeof(live->build_id)) == 0;
}

/** Open the image on the command line that has the object's build-id. Returns
 * 1; or 0 if there is none; or -1 with *err set. */
static int open_named(const struct run *run,
                      const struct arcline_live_object *live, struct image *out,
                      struct err *err) {
  for (int i = 0; i < run->n_images; i++) {
    if (image_open(run->images[i], out, err) != 0)
      return -1;
    if (has_build_id(out, live))
      return 1;
    image_close(out);
  }
  return 0;
}

static int open_recorded(const struct run *run,
                         const struct arcline_live_object *live,
                         struct image *out, struct err *err) {
  if (image_open(live->path, out, err) != 0)
    return err_prefix(err, "%s", run->path);
  if (run->is_forced || has_build_id(out, live))
    return 0;
  image_close(out);
  return err_set(err, ERR_INPUT,
                 "%s: build ID differs from that of %s; name the image that "
                 "ran, or use --force",
                 run->path, live->path);
}

static int add_object(struct run *run, const struct live_object *object,
                      struct err *err) {
  struct image image;
  const int rc = open_named(run, &object->record, &image, err);

  if (rc < 0 ||
      (rc == 0 && open_recorded(run, &object->record, &image, err) != 0))
    return -1;
  return live_program_add(&run->program, object, &image, err);
}

/** Add all objects. With --force, those without an image are dropped. */
static int add_objects(struct run *run, struct err *err) {
  const struct live_file *file = &run->file;

  run->program.file = file;
  for (size_t i = 0; i < file->n_objects; i++) {
    if (add_object(run, &file->objects[i], err) == 0)
      continue;
    if (!run->is_forced)
      return -1;
    warn("%s; object is skipped", err->text);
  }
  if (run->program.n_parts == 0)
    return err_set(err, ERR_INPUT, "%s: nothing to recover%s", run->path,
                   file->n_objects ? "" : ": no object was loaded");
  return 0;
}

// --- Files ---

/** Build the name of an object's file. */
static char *make_name(const struct run *run, const char *suffix) {
  const char *slash = strrchr(run->path, '/');
  struct stat status;
  char *name = NULL;
  int rc;

  if (!run->output)
    rc = asprintf(&name, "%.*s%s%s", slash ? (int)(slash + 1 - run->path) : 0,
                  run->path, run->file.head.name, suffix);
  else if (stat(run->output, &status) == 0 && S_ISDIR(status.st_mode))
    rc = asprintf(&name, "%s/%s%s", run->output, run->file.head.name, suffix);
  else
    rc = asprintf(&name, "%s%s", run->output, suffix);
  return rc < 0 ? NULL : name;
}

/** Write the profile of part number i, or (i = n_parts) the side file. */
static int write_file(struct run *run, size_t i, const char *suffix,
                      struct err *err) {
  struct live_program *program = &run->program;
  char *name = make_name(run, suffix);
  struct out_file file;

  if (!name)
    return err_no_memory(err);
  int rc = out_file_open(name, &file, err);
  if (rc == 0) {
    rc = i < program->n_parts
             ? live_program_write(program, i, file.stream, err)
             : live_program_write_side(program, file.stream, err);
    if (rc == 0)
      rc = out_file_commit(&file, err);
    if (rc == 0)
      puts(name);
    out_file_release(&file);
  }
  free(name);
  return rc;
}

static int write_side(struct run *run, struct err *err) {
  const struct live_program *program = &run->program;
  const char *suffix = "";
  char name[ARCLINE_LIVE_MAX_NAME + sizeof(".arcline")];

  for (size_t i = 0; i < program->n_parts; i++)
    if (program->parts[i].object->record.number == run->file.head.main)
      suffix = program->parts[i].object->record.suffix;
  snprintf(name, sizeof(name), "%s.arcline", suffix);
  return write_file(run, program->n_parts, name, err);
}

static int recover(struct run *run, struct err *err) {
  const struct live_program *program = &run->program;

  if (live_file_open(run->path, &run->file, err) != 0 ||
      add_objects(run, err) != 0)
    return -1;
  if (run->file.head.n_missing)
    warn("%s: %ju memory regions did not fit into the file; their counts are "
         "missing",
         run->path, (uintmax_t)run->file.head.n_missing);
  for (size_t i = 0; i < program->n_parts; i++)
    if (write_file(run, i, program->parts[i].object->record.suffix, err) != 0)
      return -1;
  return write_side(run, err);
}

static int run(int argc, char **argv, struct err *err) {
  struct run run = {0};
  int rc = parse(&run, argc, argv, err);

  if (rc == 0)
    rc = recover(&run, err);
  release(&run);
  return rc;
}

const struct command cmd_recover = {
    .name = "recover",
    .summary = "write profiles of a program that was killed",
    .synopsis = "[OPTION]... FILE [IMAGE]...",
    .description =
        "Write the profiles of a program that was killed.\n"
        "The program ran with ARCLINE_OPTIONS=persist=mmap; FILE is its live "
        "file,\ngmon.out.live.PID. Writes a gmon file for each object, as at a "
        "normal end.\nExecutable and libraries are searched for among the "
        "IMAGEs, then at the paths\nwhere they ran.\n",
    .examples =
        "gmon.out.live.1234\n-o recovered gmon.out.live.1234 prog libprog.so\n",
    .options = option_specs,
    .run = run,
};
