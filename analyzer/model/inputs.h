/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Resolves a command's operands: images with their profiles, and side files.
 * Operands are IMAGE [PROFILE]..., repeated for each object; or side files,
 * which name images and profiles themselves. A folder is replaced by its files:
 * profiles of the image before it, or else side files.
 *
 * Reads side files, and the first bytes of the other operands; opens images
 * only to find their profiles in a folder.
 */
#ifndef ARCLINE_INPUTS_H
#define ARCLINE_INPUTS_H

#include "gmon/side_file.h"
#include "image/image_index.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct image;
struct source_filter;
struct source_paths;

/** An image and its profiles, which are added up. */
struct input_object {
  const char *image_path;
  const char **profile_paths;
  size_t n_profile_paths;
  size_t max_profile_paths; /* private, as is the rest */
  uint8_t build_id[SIDE_BUILD_ID_BYTES];
  size_t n_build_id; /* 0: not read */
};

/** Options and operands of a command. */
struct inputs_options {
  char **operands; /* borrowed until inputs_release() */
  size_t n_operands;
  const char *image_folder; /* folder that is searched for images, too;
                               borrowed; or NULL */
  const char **unrun;       /* images that did not run, and folders of such; the
                               paths are borrowed until inputs_release() */
  size_t n_unrun, max_unrun;
  bool is_forced;                     /* images need not be those that ran */
  struct source_paths *sources;       /* model_open() adds folders; or NULL */
  const struct source_filter *filter; /* files of coverage; or NULL */
};

/** All zero is empty. */
struct inputs {
  struct input_object *objects; /* at least one */
  size_t n_objects;
  size_t max_objects; /* private */
  struct side_file *sides;
  size_t n_sides;
  bool is_joined; /* several objects were given, or a side file */
  char **owned;   /* private, as is the rest: names put together here */
  size_t n_owned, max_owned;
  struct image_index images;
  bool is_forced;
  struct source_paths *sources;       /* of the options, as the next */
  const struct source_filter *filter; /* never NULL */
  void
      *seen; /* profiles that were taken or left out, and warnings: tsearch() */
};

/** Kind of an operand, by the file's first bytes. */
enum operand {
  OPERAND_IMAGE,
  OPERAND_SIDE,
  OPERAND_PROFILE,
  OPERAND_FOLDER,
  OPERAND_ARCHIVE, /* of `arcline archive'; or another file of gzip */
};

/** Identify an operand. Only regular files are read: others, but for folders,
 * can be read only once, so they are taken for profiles, as are files that
 * cannot be read. */
enum operand inputs_operand_at(const char *path);

/**
 * Resolve operands. The defaults are a.out and gmon.out; an image alone is read
 * with gmon.out.
 *
 * Side files beside the profiles of several images are taken, too, or among
 * them; those among the profiles of one image are skipped. With side files as
 * operands, images and profiles that they name and that cannot be read are left
 * out with a warning; in a folder, without a warning if it is a probe of a
 * build (conftest) or if the folder that it was in is gone, too. So are those
 * that folder_has_probes(). A side file that is named twice is taken once.
 *
 * With a folder of side files, or a folder of images, an image with another
 * build-id than the one that ran is not used, but searched for there, and
 * warned of; so are images of profiles in the folder that no side file names.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls inputs_release(out).
 * Errors: a side file that is damaged; an image without profile, if there are
 *         several; a folder without such files; as unrun_images_add(); no
 *         memory.
 */
int inputs_find(const struct inputs_options *options, struct inputs *out,
                struct err *err);

/**
 * Is an object of a side file the image of an operand? By build-ids; by names
 * if one has none.
 *
 * is_forced  by names, too, if they differ.
 */
bool inputs_is_object(const struct input_object *input,
                      const struct image *image, const struct side_entry *entry,
                      bool is_forced);

/** Is one of the profiles the file that a side file names for its object? */
bool inputs_has_profile(const struct input_object *input,
                        const struct side_file *side,
                        const struct side_entry *entry);

/** Called with a record of a side file. Returns 0, or -1 with *err set. */
typedef int inputs_take_record(void *context, size_t i_side,
                               const struct side_record *record,
                               struct err *err);

/** Hand all records of a kind of a side file to a function. Returns 0, or -1
 * with *err set: that of the function, or no memory. */
int inputs_read_side(const struct inputs *inputs, size_t i_side,
                     enum side_kind kind, inputs_take_record *take,
                     void *context, struct err *err);

/** The same of all side files. */
int inputs_read_sides(const struct inputs *inputs, enum side_kind kind,
                      inputs_take_record *take, void *context, struct err *err);

/**
 * Add the side files beside the profiles of one image, which are then reported
 * as a program of several objects is. Only those of the same program, and
 * beside profiles that Arcline wrote.
 *
 * image  of the one object.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int inputs_join_sides(struct inputs *inputs, const struct image *image,
                      bool is_forced, struct err *err);

/** Free; empty ones may be released too. */
void inputs_release(struct inputs *inputs);

#endif
