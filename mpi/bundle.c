/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bundle.h"

#include "base/err.h"

#include <string.h>

/** The head of each sum; its texts and its bytes follow. */
struct part {
  uint64_t is_side;
  uint64_t n_files;
  uint64_t n_first; // with its NUL
  uint64_t n_name;  // the same; 0: none
  uint64_t n_bytes;
};

static size_t name_bytes(const struct merge_sum *sum) {
  return sum->name ? strlen(sum->name) + 1 : 0;
}

size_t bundle_bytes(const struct merge *merge) {
  size_t n = sizeof(struct bundle);
  for (size_t i = 0; i < merge->n_sums; i++)
    n += sizeof(struct part) + strlen(merge->sums[i].first) + 1 +
         name_bytes(&merge->sums[i]) +
         byte_sink_file(&merge->sums[i].bytes).n_bytes;
  return n;
}

size_t bundle_room(size_t n_tried, uint64_t n_needed) {
  if (!n_tried && n_needed > BUNDLE_MAX_BYTES)
    return 0;
  // Sums of the same programs do not grow much.
  if (!n_tried)
    n_needed += n_needed / 4;
  // The required size is known only after the addition. For a thousand sums of
  // one program, the estimate may be a thousand times too large, so that it is
  // not allocated at once.
  else if (n_needed / 2 > n_tried)
    n_needed = 2 * (uint64_t)n_tried;
  if (n_needed <= BUNDLE_MAX_BYTES)
    return n_needed;
  return n_tried < BUNDLE_MAX_BYTES ? BUNDLE_MAX_BYTES : 0;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t n) {
  if (n)
    memcpy(at, bytes, n);
  return at + n;
}

void bundle_pack(const struct merge *merge, void *buffer, size_t n_bytes) {
  struct bundle bundle = {.n_needed = bundle_bytes(merge),
                          .n_files = merge->n_files,
                          .n_skipped = merge->n_skipped,
                          .n_sums = merge->n_sums};
  uint8_t *at = put(buffer, &bundle, sizeof(bundle));
  if (bundle.n_needed > n_bytes)
    return;
  for (size_t i = 0; i < merge->n_sums; i++) {
    const struct merge_sum *const sum = &merge->sums[i];
    const struct sum_file file = byte_sink_file(&sum->bytes);
    const struct part part = {.is_side = sum->is_side,
                              .n_files = sum->n_files,
                              .n_first = strlen(sum->first) + 1,
                              .n_name = name_bytes(sum),
                              .n_bytes = file.n_bytes};
    at = put(at, &part, sizeof(part));
    at = put(at, sum->first, part.n_first);
    at = put(at, sum->name, part.n_name);
    at = put(at, file.bytes, file.n_bytes);
  }
}

int bundle_unpack(const void *buffer, struct merge *merge, struct err *err) {
  struct bundle bundle;
  // The bytes are read only.
  uint8_t *at = (uint8_t *)buffer;
  memcpy(&bundle, at, sizeof(bundle));
  at += sizeof(bundle);
  merge->n_skipped += bundle.n_skipped;
  for (uint64_t i = 0; i < bundle.n_sums; i++) {
    struct part part;
    memcpy(&part, at, sizeof(part));
    at += sizeof(part);
    struct merge_sum sum = {
        .is_side = part.is_side, .n_files = part.n_files, .first = (char *)at};
    at += part.n_first;
    sum.name = part.n_name ? (char *)at : NULL;
    at += part.n_name;
    sum.bytes.sink = (struct write_sink){.first = at, .at = at + part.n_bytes};
    at += part.n_bytes;
    if (merge_add_sum(merge, &sum, err))
      return -1;
  }
  return 0;
}

void bundle_add(const void *from, void *to, size_t n_bytes) {
  struct bundle a, b;
  struct merge merge = {0};
  struct err err = {0};
  memcpy(&a, from, sizeof(a));
  memcpy(&b, to, sizeof(b));
  bool has_failed = a.has_failed || b.has_failed;
  if (!has_failed && a.n_needed <= n_bytes && b.n_needed <= n_bytes) {
    if (bundle_unpack(to, &merge, &err) == 0 &&
        bundle_unpack(from, &merge, &err) == 0) {
      bundle_pack(&merge, to, n_bytes);
      merge_release(&merge);
      return;
    }
    merge_release(&merge);
    has_failed = true;
  }
  b.has_failed = has_failed;
  b.n_needed += a.n_needed;
  b.n_sums = 0;
  memcpy(to, &b, sizeof(b));
}
