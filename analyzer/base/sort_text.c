/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/sort_text.h"

#include "base/array.h"
#include "base/sort_u64.h"

#include <stdbool.h>
#include <stdlib.h>

enum { KEY_BYTES = 8 };

/** Texts that begin with the same bytes, n_alike of them. */
struct part {
  size_t first, n;
  size_t n_alike;
};

struct sorter {
  const char *const *texts;
  struct sort_pair *pairs; // key: some bytes; value: index of the text
  struct part *parts;      // that remain to be sorted
  size_t n_parts, parts_capacity;
};

/** The next bytes of a text as a number of the same order; zeros after its
 * end. */
static uint64_t key_of(const char *text) {
  uint64_t key = 0;

  for (unsigned i = 0; i < KEY_BYTES && text[i]; i++)
    key |= (uint64_t)(unsigned char)text[i] << 8 * (KEY_BYTES - 1 - i);
  return key;
}

static bool has_end(uint64_t key) { return (key & 0xff) == 0; }

static int add_part(struct sorter *sorter, size_t first, size_t n,
                    size_t n_alike) {
  struct part *const parts = array_grow(
      sorter->parts, sorter->n_parts, &sorter->parts_capacity, sizeof(*parts));

  if (!parts)
    return -1;
  sorter->parts = parts;
  parts[sorter->n_parts++] = (struct part){first, n, n_alike};
  return 0;
}

/** Are all texts of a part the same one? All lines of a function share its
 * name. */
static bool is_one_text(const struct sorter *sorter, const struct part *part) {
  const struct sort_pair *const pairs = &sorter->pairs[part->first];

  for (size_t i = 1; i < part->n; i++)
    if (sorter->texts[pairs[i].value] != sorter->texts[pairs[0].value])
      return false;
  return true;
}

/** Sort by the next bytes; texts that are equal so far become new parts. */
static int sort_part(struct sorter *sorter, struct part part) {
  struct sort_pair *const pairs = &sorter->pairs[part.first];
  size_t start = 0;

  if (is_one_text(sorter, &part))
    return 0;
  for (size_t i = 0; i < part.n; i++)
    pairs[i].key = key_of(sorter->texts[pairs[i].value] + part.n_alike);
  if (sort_pairs(pairs, part.n))
    return -1;
  for (size_t i = 1; i <= part.n; i++) {
    if (i < part.n && pairs[i].key == pairs[start].key)
      continue;
    if (i - start > 1 && !has_end(pairs[start].key) &&
        add_part(sorter, part.first + start, i - start,
                 part.n_alike + KEY_BYTES))
      return -1;
    start = i;
  }
  return 0;
}

int sort_texts(const char *const *texts, size_t n, uint32_t *order) {
  struct sorter sorter = {
      .texts = texts,
      .pairs = reallocarray(NULL, n + 1, sizeof(*sorter.pairs)),
  };
  int rc = sorter.pairs ? add_part(&sorter, 0, n, 0) : -1;

  for (size_t i = 0; rc == 0 && i < n; i++)
    sorter.pairs[i].value = i;
  while (rc == 0 && sorter.n_parts > 0)
    rc = sort_part(&sorter, sorter.parts[--sorter.n_parts]);
  for (size_t i = 0; rc == 0 && i < n; i++)
    order[i] = (uint32_t)sorter.pairs[i].value;
  free(sorter.pairs);
  free(sorter.parts);
  return rc;
}
