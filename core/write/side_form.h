/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defines the form of side files (docs/FORMAT.md, part 5): one table of their
 * records, which the reader, `arcline dump`, pools and `arcline merge` use, and
 * the reading of a line by its row.
 *
 * Freestanding, and safe in signal handlers. */
#ifndef ARCLINE_WRITE_SIDE_FORM_H
#define ARCLINE_WRITE_SIDE_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  SIDE_MAX_FIELDS = 5,
  SIDE_MAX_WORDS = 3, /* of a record that are no numbers */
  SIDE_BUILD_ID_BYTES = 64,
};

/** In the order of the table. */
enum side_kind {
  SIDE_PROCESS,
  SIDE_PROCESSES,
  SIDE_CLOCK,
  SIDE_OBJECT,
  SIDE_CPU,
  SIDE_TEXT,
  SIDE_TIME,
  SIDE_KERNEL,
  SIDE_ARC,
  SIDE_CALL,
  SIDE_TARGET,
  SIDE_RESOLVED,
  SIDE_STACK_SIGNALS,
  SIDE_STACK_SQUARES,
  SIDE_SAMPLED,
  SIDE_LOST,
  SIDE_LATE_THREADS,
  SIDE_FRAME,
  SIDE_STACK,
  SIDE_THREAD,
  SIDE_THREAD_NAME,
  SIDE_BEGAN,
  SIDE_MOMENT,
  SIDE_N_KINDS,
};

/** How the records of a kind in two files become those of their sum. */
enum side_sum {
  SIDE_SUM_NONE,  /* a sum has none */
  SIDE_SUM_LINES, /* those of equal words become one; its fields `v' are sums.
                     They have one name at most, and no frames */
  SIDE_SUM_OWN,   /* side_sum.c has code for it */
};

/** A word of a record, after the first one. */
struct side_field {
  /**
   * d  decimal number             v  the same; it adds up
   * x  address, hexadecimal       h  the same, above the address before it
   * s  name or path, escaped      b  build-id, or "-"
   * l  name without a slash, escaped
   * o  number of an object        n  that of the next object
   * f  number of a frame          g  that of the next frame
   * c  number of a frame, or 0    w  decimal number below 64
   * p  decimal number; it and 1, times two to the power of the one before, are
   *    below 2^64
   */
  char type;     /* 0: the record has no further words */
  char name[11]; /* in `arcline dump` */
};

/** A kind of record. Arrays rather than pointers: the table then needs no
 * relocations in the programs that the runtime is linked into. */
struct side_form {
  char word[16];       /* the record's first one */
  char former_word[8]; /* the same in older files; empty: there was no other */
  enum side_kind kind;
  enum side_sum sum;
  struct side_field fields[SIDE_MAX_FIELDS + 1];
};

/** A sum has lines of several kinds in this order. The last row has no word. */
extern const struct side_form side_forms[];

/** A piece of a side file, still escaped; or the rest of a line.
 */
struct side_word {
  const char *at;
  size_t n;
};

/** The fields of a record, numbers and other words in order. */
struct side_values {
  uint64_t numbers[SIDE_MAX_FIELDS];
  struct side_word words[SIDE_MAX_WORDS];
};

/** The reason for which a line is rejected. */
enum side_wrong {
  SIDE_FINE,
  SIDE_BAD_NUMBER, /* missing, malformed or too large */
  SIDE_BAD_ADDRESS,
  SIDE_BAD_NAME,
  SIDE_SLASH, /* in a name that must not have any */
  SIDE_BAD_BUILD_ID,
  SIDE_EMPTY_RANGE,
  SIDE_OBJECT_ORDER,
  SIDE_FRAME_ORDER,
  SIDE_UNKNOWN_OBJECT, /* no line above lists it */
  SIDE_UNKNOWN_CALLER,
  SIDE_UNKNOWN_FRAME,
};

static inline bool side_type_is_word(char type) {
  return type == 's' || type == 'l' || type == 'b';
}

static inline bool side_type_is_address(char type) {
  return type == 'x' || type == 'h';
}

bool side_word_is(struct side_word word, const char *text);

/** Take the next word off a line; empty at the end. */
struct side_word side_next_word(struct side_word *line);

/** Read a whole number. Returns false if the word is none, or too large. */
bool side_read_number(struct side_word word, unsigned base, uint64_t *out);

/** The row of a record by its first word, present or former; NULL: its kind is
 * unknown. */
const struct side_form *side_form_find(struct side_word word);

/**
 * Read the words of a line that follow the first one.
 *
 * n_objects, n_frames  in the lines above.
 */
enum side_wrong side_form_read(const struct side_form *form,
                               struct side_word line, size_t n_objects,
                               size_t n_frames, struct side_values *out);

#endif
