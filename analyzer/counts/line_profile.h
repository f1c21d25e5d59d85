/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * An image and its profiles, read and turned into counts of source lines in
 * the best way there is: what every command that shows lines begins with.
 */
#ifndef ARCLINE_LINE_PROFILE_H
#define ARCLINE_LINE_PROFILE_H

#include "counts/code_lines.h"
#include "counts/flow_data.h"
#include "counts/line_counts.h"
#include "image/image.h"
#include "image/symtab.h"
#include "profile/tally.h"

#include <stdbool.h>

struct err;
struct lines;

/** Where a profile comes from. */
struct line_profile_source {
  const char *image_path;
  char **profile_paths; /* added up */
  int n_profile_paths;
  bool is_forced; /* accept profiles that another image wrote */
};

/** All that is known of lines. All zero is empty. */
struct line_profile {
  struct image image;
  struct flow_data flow; /* lends names and the numbers of files */
  struct tally tally;
  struct lines *lines;
  struct code_lines code;
  struct symtab symtab;
  struct line_counts counts;
  bool has_counts; /* lines were counted, perhaps all 0 */
  bool is_exact;   /* counts are from flow graphs, which are solved */
};

/**
 * Take image and profiles from a command's operands: [IMAGE [PROFILE]...].
 * What is missing is a.out and gmon.out.
 *
 * argv   borrowed.
 * first  index of the first operand.
 * n      end of the operands.
 */
void line_profile_take_operands(struct line_profile_source *source, char **argv,
                                int first, int n);

/**
 * Read an image and its profiles and count lines.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls line_profile_close(out).
 * Errors: what cannot be read or does not belong together; no memory.
 */
int line_profile_open(const struct line_profile_source *source,
                      struct line_profile *out, struct err *err);

/** Free; an empty one may be closed too. */
void line_profile_close(struct line_profile *profile);

#endif
