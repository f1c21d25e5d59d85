/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds profiles in a folder, as many processes leave them: GMON_OUT_PREFIX, %p
 * in out=. Reads the first bytes of its files and of those in its subfolders
 * (file_walk.h).
 */
#ifndef ARCLINE_FOLDER_H
#define ARCLINE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct image;

/** Names of files with their folder, in the order of file_walk.h. All zero is
 * empty. */
struct folder_files {
  char **paths;
  size_t n_paths;
  size_t max_paths; /* private */
};

/**
 * Find the profiles of an image: those with its build-id, and all gmon files
 * without one.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls folder_files_release(out).
 * Errors: the folder cannot be read, or contains none; no memory.
 *
 * image  NULL: of any image; then there may be none.
 */
int folder_find_profiles(const char *folder, const struct image *image,
                         struct folder_files *out, struct err *err);

/** Find the side files, as folder_find_profiles(); there may be none. */
int folder_find_sides(const char *folder, struct folder_files *out,
                      struct err *err);

/** Is a program a probe by which a build system tests the compiler? By the
 * names in its path. */
bool folder_is_probe(const char *path);

/** Is a program in a folder that has only such probes? A program elsewhere may
 * have the name of a probe and be the project's. */
bool folder_has_probes(const char *path);

/** Is an image a probe of a build, or was it a program in a folder that is
 * gone? If it is missing, that is not reported, since its side files stay in
 * the folder of profiles for ever. */
bool folder_image_is_gone(const char *path);

/** Free; empty ones may be released too. */
void folder_files_release(struct folder_files *files);

#endif
