/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the newest profile in the working folder and its image, for commands
 * without operands. Files of any name are considered (gmon.out, those of
 * GMON_OUT_PREFIX and out=), and a folder "profiles", but no other folders.
 */
#ifndef ARCLINE_NEWEST_H
#define ARCLINE_NEWEST_H

#include <stddef.h>

struct err;
struct inputs_options;

enum { NEWEST_MAX_OPERANDS = 2 };

/** Operands as a user may give them. All zero: none. */
struct newest {
  char *operands[NEWEST_MAX_OPERANDS];
  size_t n_operands; /* 0: there is no profile */
  size_t n_others;   /* older profiles in the same place */
};

/** Set the folder that is searched in place of "profiles"; borrowed. NULL: that
 * one. */
void newest_set_folder(const char *path);

/** The folder that is searched. */
const char *newest_folder(void);

/**
 * Find it.
 *
 * image_path  the image of the profile; NULL: any. Profiles of other images are
 *             skipped, by build-id.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls newest_release(out).
 * Errors: the image cannot be read; there is a profile, but no image of it; no
 *         memory.
 */
int newest_find(const char *image_path, struct newest *out, struct err *err);

/**
 * Complete operands that leave out the profile: none at all, or an image alone.
 * Others stay as they are; so do these if the only profile is a gmon.out of a
 * format that cannot be identified.
 *
 * command  its name, for the error.
 * out      lends the operands.
 *
 * Returns 0; or -1 with *err set and *out empty: there is no profile.
 * Owns:   caller calls newest_release(out), when the inputs are released.
 */
int newest_complete(struct inputs_options *options, const char *command,
                    struct newest *out, struct err *err);

/** Free; an empty one may be released too. */
void newest_release(struct newest *newest);

#endif
