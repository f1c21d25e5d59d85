/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the programs and libraries of a profile with the time of each. A
 * program has the time of its own code and of all code outside of the profile
 * that its processes ran; a library that of its own code, by all callers.
 */
#ifndef ARCLINE_PROGRAMS_H
#define ARCLINE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct model;

struct program_row {
  size_t i_object; /* of the model */
  bool is_library;
  double ticks;                /* of the model's unit */
  uint64_t n_processes;        /* 0: unknown; of libraries, too */
  uint64_t user_us, system_us; /* CPU time of these */
};

/** All zero is empty. */
struct programs {
  struct program_row *rows; /* programs, then libraries, those with most time
                               first */
  size_t n_programs, n_libraries;
};

/**
 * Collect them.
 *
 * model  its profiles were read.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls programs_release(out).
 * Errors: those of side_maps_init().
 */
int programs_load(const struct model *model, struct programs *out,
                  struct err *err);

/** The path of the one with most time: of a program, if there is any. */
const char *programs_first_path(const struct programs *programs,
                                const struct model *model);

/** Free; an empty one may be released too. */
void programs_release(struct programs *programs);

#endif
