/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds up any number of profiles and side files, of any number of programs and
 * libraries: one sum for each object, and one for the side files of each
 * program. Memory is that of the sums, not of the files.
 *
 * Needs images for pools alone. Profiles are matched by the build-id in their
 * mark; those without one by the ranges of their histograms.
 */
#ifndef ARCLINE_MERGE_H
#define ARCLINE_MERGE_H

#include "gmon/byte_sink.h"
#include "image/image_index.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/** The sum of an object's profiles, or of a program's side files. There are
 * several of one object if its files do not fit one another. */
struct merge_sum {
  bool is_side;
  struct write_byte_sink bytes; /* in sorted form */
  char *name;     /* base name of the object's file; NULL: not known. Of
                     several the first one in alphabetical order */
  char *first;    /* path of the first of its files */
  char *file;     /* base name to be written */
  size_t n_files; /* added */
};

/** All zero is empty. The folder of images may be set before files are added.
 */
struct merge {
  struct image_index images; /* of pools, which are solved */
  struct merge_sum *sums;
  size_t n_sums, max_sums;
  size_t n_files;                /* added */
  size_t n_skipped;              /* with a warning */
  struct write_byte_sink spare;  /* private: the next sum */
  struct write_byte_sink sorted; /* private */
  bool has_unsorted; /* private: files must be sorted first, it seems */
};

/**
 * Add a file, or all profiles and side files in a folder and the folders in
 * it. A file that cannot be added is reported by a warning, counted and left
 * out; in folders, files of other kinds, and names that begin with a dot, are
 * skipped.
 *
 * Returns 0; or -1 with *err set: no memory.
 */
int merge_add(struct merge *merge, const char *path, struct err *err);

/** Add one file; is_given: by the user, not found in a folder. Otherwise as
 * merge_add(). */
int merge_add_file(struct merge *merge, const char *path, bool is_given,
                   struct err *err);

/** Add a sum of another merge, which is not changed. If it cannot be added, its
 * files are counted as left out. Otherwise as merge_add(). */
int merge_add_sum(struct merge *merge, const struct merge_sum *sum,
                  struct err *err);

/** Of files of one object that do not fit one another, such as those of samples
 * of several rates, keep those that fit the most others, whatever their order;
 * warn of the others, and count them as left out. Needed before writing.
 *
 * Returns 0; or -1 with *err set: no memory. */
int merge_choose(struct merge *merge, struct err *err);

/** Free memory that only adding needs; more can be added all the same. */
void merge_trim(struct merge *merge);

/**
 * Write all sums: to the file at path, with names of libraries and ".arcline"
 * appended, as a process would; or, if they are of several programs, if path
 * ends in a slash or is a folder, into that folder, which is made, as
 * NAME.BUILD_ID.
 *
 * Returns 0; or -1 with *err set: a file that cannot be written, no memory.
 */
int merge_write(struct merge *merge, const char *path, struct err *err);

/** Free; an empty one may be released too. */
void merge_release(struct merge *merge);

#endif
