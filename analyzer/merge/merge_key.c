/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "merge/merge_key.h"

#include "arcline/gmon_format.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  ID_OFFSET = GMON_SPARE_OFFSET + GMON_ARCLINE_MARK_BYTES,
  RANGE_BYTES = 2 * sizeof(uint64_t),
};

static bool has_mark(const struct sum_file *profile) {
  return profile->n_bytes >= GMON_HEADER_BYTES &&
         memcmp(profile->bytes + GMON_SPARE_OFFSET, GMON_ARCLINE_MARK,
                GMON_ARCLINE_MARK_BYTES) == 0;
}

/** The range of the first histogram in the file, or NULL. */
static const uint8_t *range_in(const struct sum_file *profile) {
  const size_t first = GMON_HEADER_BYTES;
  return profile->n_bytes > first + RANGE_BYTES &&
                 profile->bytes[first] == GMON_TAG_HISTOGRAM
             ? profile->bytes + first + 1
             : NULL;
}

static bool is_same_profile(const struct sum_file *a,
                            const struct sum_file *b) {
  if (has_mark(a) != has_mark(b))
    return false;
  static const uint8_t none[GMON_ARCLINE_BUILD_ID_BYTES];
  if (has_mark(a) && memcmp(a->bytes + ID_OFFSET, none, sizeof(none)) != 0)
    return memcmp(a->bytes + ID_OFFSET, b->bytes + ID_OFFSET, sizeof(none)) ==
           0;
  if (has_mark(a) && memcmp(b->bytes + ID_OFFSET, none, sizeof(none)) != 0)
    return false;
  const uint8_t *const of_a = range_in(a), *const of_b = range_in(b);
  return of_a && of_b ? memcmp(of_a, of_b, RANGE_BYTES) == 0 : of_a == of_b;
}

static bool is_equal(struct side_word a, struct side_word b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

/** The key of a program: the build-id of its first object, otherwise its path.
 * Empty: there is none. */
static struct side_word program_in(const struct sum_file *side) {
  static const char start[] = "\nobject 0 ";
  const char *const at =
      memmem(side->bytes, side->n_bytes, start, sizeof(start) - 1);
  if (!at)
    return (struct side_word){0};
  const char *const words = at + sizeof(start) - 1;
  const size_t n_left =
      side->n_bytes - (size_t)(words - (const char *)side->bytes);
  const char *const end = memchr(words, '\n', n_left);
  struct side_word line = {words, end ? (size_t)(end - words) : n_left};
  const struct side_word build_id = side_next_word(&line);
  if (!side_word_is(build_id, "-"))
    return build_id;
  side_next_word(&line); // load bias
  side_next_word(&line); // file
  return side_next_word(&line);
}

bool merge_is_same(const struct sum_file *a, const struct sum_file *b,
                   bool is_side) {
  if (!is_side)
    return is_same_profile(a, b);
  return is_equal(program_in(a), program_in(b));
}

bool merge_build_id(const struct sum_file *profile, char *out) {
  bool is_any = false;
  if (!has_mark(profile))
    return false;
  for (size_t i = 0; i < GMON_ARCLINE_BUILD_ID_BYTES; i++) {
    snprintf(out + 2 * i, 3, "%02x", profile->bytes[ID_OFFSET + i]);
    is_any |= profile->bytes[ID_OFFSET + i] != 0;
  }
  return is_any;
}

bool merge_object_id(struct side_word build_id, char *out) {
  memset(out, '0', MERGE_ID_TEXT);
  out[MERGE_ID_TEXT] = '\0';
  if (side_word_is(build_id, "-"))
    return false;
  memcpy(out, build_id.at,
         build_id.n < MERGE_ID_TEXT ? build_id.n : MERGE_ID_TEXT);
  return true;
}
