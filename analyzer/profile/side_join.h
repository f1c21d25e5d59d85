/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Adds the records of side files to the profile of a program: arcs that cross
 * objects, calls by name, and time outside of instrumented code (FORMAT.md,
 * part 5; outside.h).
 */
#ifndef ARCLINE_SIDE_JOIN_H
#define ARCLINE_SIDE_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/functions_by_name.h"
#include "profile/outside.h"
#include "profile/side_maps.h"

struct err;
struct inputs;
struct model;
struct profile;
struct side_choice;
struct symbol;

/** Find the functions that were inlined at a place of an object of the program,
 * the innermost first, without the one that the code belongs to. Returns how
 * many, at most max. */
typedef size_t side_join_inlined(void *context, size_t i_object, uint64_t vaddr,
                                 uint32_t *symbols, size_t max);

/** All zero is empty. */
struct side_join {
  const struct inputs *inputs;
  struct model *program;
  struct side_maps maps; /* private, like all below */
  struct functions_by_name names;
  struct side_choice *choices; /* of ifuncs' resolvers, sorted */
  size_t n_choices, max_choices;
  struct outside outside;
  size_t i_profiler; /* symbol of the profiler's own time; SIZE_MAX: none */
  side_join_inlined *find_inlined; /* NULL: inlined functions have no symbols */
  void *inlined_context;
};

/**
 * Find out which objects of the side files are which of the program's, and add
 * symbols for code in others that took time or was called, and one for the
 * profiler's own.
 *
 * program  borrowed until side_join_release(); its symbols are loaded. If it is
 *          forced, an object may have another build-id than its image.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: an image is not the one that was run; no memory.
 */
int side_join_init(struct side_join *out, struct model *program,
                   struct err *err);

/**
 * Add arcs and time.
 *
 * profile  of the program, with the measures of its objects.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int side_join_apply(const struct side_join *join, struct profile *profile,
                    struct err *err);

/** Bring the time of the profiler's own code in the program's objects to the
 * symbol for it. After profile_finish(). */
void side_join_finish(const struct side_join *join, struct profile *profile);

/** How many ticks of the profile a sample of a side file is; 0: its samples are
 * not to be added. */
double side_join_ticks_per_sample(const struct side_join *join,
                                  const struct profile *profile, size_t i_side);

/** The function at a place: a vaddr in an instrumented object, in others an
 * offset. PROFILE_NONE: none. After side_join_apply(). */
uint32_t side_join_function(const struct side_join *join,
                            const struct profile *profile, size_t i_side,
                            size_t i_entry, uint64_t address);

/** The functions that were inlined at a place, as side_join_inlined. */
size_t side_join_inlined_at(const struct side_join *join, size_t i_side,
                            size_t i_entry, uint64_t address, uint32_t *symbols,
                            size_t max);

/** The program's object that an entry is; SIZE_MAX: none. */
size_t side_join_object(const struct side_join *join, size_t i_side,
                        size_t i_entry);

/** Is a symbol code of the profiler itself? */
bool side_join_is_profiler(const struct symbol *symbol);

/** Is an entry no object, but code of an unknown one ("[unknown]")? */
bool side_join_is_unknown(const struct side_join *join, size_t i_side,
                          size_t i_entry);

/** The symbol of a function that was called by a name, in any object; SIZE_MAX:
 * none. Of several of a name, the first that the dynamic linker finds. */
size_t side_join_callee(const struct side_join *join, const char *name);

/** Free; an empty one may be released too. */
void side_join_release(struct side_join *join);

#endif
