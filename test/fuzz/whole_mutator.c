/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mutates inputs for the whole tool part by part, so that the others stay
   whole; and adds records that fit the image. Linked with libFuzzer only. */
#include "base/err.h"
#include "fuzz.h"
#include "image/image.h"
#include "image/symtab.h"
#include "whole_input.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n_bytes, size_t max_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n_bytes, size_t max_bytes,
                               unsigned seed);

enum { PART_BYTES = 65535, MAX_SYMBOLS = 64 };

/** A part that may change. */
struct buffer {
  uint8_t bytes[PART_BYTES];
  size_t n_bytes;
};

/** What records may be about. */
struct targets {
  uint64_t vaddrs[MAX_SYMBOLS];
  size_t n_vaddrs;
  unsigned pointer_bytes;
  int is_big_endian;
};

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void fill(struct buffer *buffer, const struct whole_part *part) {
  buffer->n_bytes = part->n_bytes < PART_BYTES ? part->n_bytes : PART_BYTES;
  memcpy(buffer->bytes, part->bytes, buffer->n_bytes);
}

static void put(struct buffer *buffer, uint64_t value, unsigned n_bytes,
                int is_big_endian) {
  if (buffer->n_bytes + n_bytes > PART_BYTES)
    return;
  for (unsigned i = 0; i < n_bytes; i++)
    buffer->bytes[buffer->n_bytes++] =
        (uint8_t)(value >> 8 * (is_big_endian ? n_bytes - 1 - i : i));
}

static int find_targets(const struct buffer *elf, struct targets *out) {
  struct image image;
  struct symtab symtab = {0};
  struct err err = {0};

  out->n_vaddrs = 0;
  if (image_open(fuzz_file(0, elf->bytes, elf->n_bytes), &image, &err))
    return -1;
  out->pointer_bytes = image.class_bits / 8;
  out->is_big_endian = image.is_big_endian;
  out->vaddrs[out->n_vaddrs++] = image.text_vaddr;
  out->vaddrs[out->n_vaddrs++] = image.text_vaddr + image.text_bytes;
  if (image_load_symbols(&image, 0, NULL, &symtab, &err) == 0)
    for (size_t i = 0; i < symtab.n_symbols && out->n_vaddrs < MAX_SYMBOLS; i++)
      out->vaddrs[out->n_vaddrs++] = symtab.symbols[i].vaddr;
  symtab_release(&symtab);
  image_close(&image);
  return 0;
}

/** An address in or near a symbol. */
static uint64_t choose(const struct targets *targets, unsigned *random) {
  const uint64_t vaddr =
      targets->vaddrs[next_random(random) % targets->n_vaddrs];
  return next_random(random) % 2 ? vaddr + next_random(random) % 64 : vaddr;
}

static void add_histogram(struct buffer *profile, const struct targets *targets,
                          unsigned *random) {
  const uint64_t low = targets->vaddrs[0];
  const uint64_t n_text = targets->vaddrs[1] - low;
  const unsigned bin_bytes = 2u << next_random(random) % 4;
  uint64_t n_bins = n_text / bin_bytes;

  if (n_bins > 2048)
    n_bins = 2048;
  put(profile, 0, 1, 0);
  put(profile, low, targets->pointer_bytes, targets->is_big_endian);
  put(profile, low + n_bins * bin_bytes, targets->pointer_bytes,
      targets->is_big_endian);
  put(profile, n_bins, 4, targets->is_big_endian);
  put(profile, 100, 4, targets->is_big_endian);
  for (const char *at = "seconds"; *at; at++)
    put(profile, (unsigned char)*at, 1, 0);
  put(profile, 0, 8, 0);
  put(profile, 's', 1, 0);
  for (uint64_t i = 0; i < n_bins; i++)
    put(profile, next_random(random) % 16, 2, targets->is_big_endian);
}

static void add_record(struct buffer *profile, const struct targets *targets,
                       unsigned *random) {
  const unsigned pointer = targets->pointer_bytes;
  const int is_big = targets->is_big_endian;
  const unsigned kind = next_random(random) % 8;

  if (profile->n_bytes < 20) {
    memcpy(profile->bytes, "gmon", 4);
    profile->n_bytes = 4;
    put(profile, 1, 4, is_big);
    put(profile, 0, 8, 0);
    put(profile, 0, 4, 0);
  }
  if (kind == 0) {
    add_histogram(profile, targets, random);
  } else if (kind == 1) {
    const unsigned n_blocks = next_random(random) % 32;
    put(profile, 2, 1, 0);
    put(profile, n_blocks, 4, is_big);
    for (unsigned i = 0; i < n_blocks; i++) {
      put(profile, choose(targets, random), pointer, is_big);
      put(profile, next_random(random) % 100, pointer, is_big);
    }
  } else {
    put(profile, 1, 1, 0);
    put(profile, choose(targets, random), pointer, is_big);
    put(profile, choose(targets, random), pointer, is_big);
    put(profile, next_random(random) % 1000, 4, is_big);
  }
}

static void mutate_options(struct buffer *options, unsigned *random) {
  static const char letters[] = "AJCZpPqQiBrRsSabcDlxzILmyYtTnNwkeEfFdO0123456";
  if (next_random(random) % 3 == 0) {
    options->n_bytes = LLVMFuzzerMutate(options->bytes, options->n_bytes, 1024);
    return;
  }
  if (next_random(random) % 8 == 0)
    options->n_bytes = 0;
  put(options,
      (unsigned char)letters[next_random(random) % (sizeof letters - 1)], 1, 0);
  put(options, 0, 1, 0);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n_bytes, size_t max_bytes,
                               unsigned seed) {
  static struct buffer image, profile, options;
  const struct whole_input input = whole_input_read(bytes, n_bytes);
  struct targets targets;
  unsigned random = seed;

  fill(&image, &input.image);
  fill(&profile, &input.profile);
  fill(&options, &input.options);
  switch (next_random(&random) % 8) {
  case 0:
  case 1:
  case 2:
    image.n_bytes = LLVMFuzzerMutate(image.bytes, image.n_bytes, PART_BYTES);
    break;
  case 3:
    profile.n_bytes =
        LLVMFuzzerMutate(profile.bytes, profile.n_bytes, PART_BYTES);
    break;
  case 4:
  case 5:
    if (find_targets(&image, &targets) == 0)
      add_record(&profile, &targets, &random);
    break;
  default:
    mutate_options(&options, &random);
  }
  const size_t n_all =
      WHOLE_HEAD_BYTES + image.n_bytes + profile.n_bytes + options.n_bytes;
  if (n_all > max_bytes)
    return n_bytes;
  bytes[0] = (uint8_t)image.n_bytes;
  bytes[1] = (uint8_t)(image.n_bytes >> 8);
  bytes[2] = (uint8_t)profile.n_bytes;
  bytes[3] = (uint8_t)(profile.n_bytes >> 8);
  bytes += WHOLE_HEAD_BYTES;
  memcpy(bytes, image.bytes, image.n_bytes);
  memcpy(bytes + image.n_bytes, profile.bytes, profile.n_bytes);
  memcpy(bytes + image.n_bytes + profile.n_bytes, options.bytes,
         options.n_bytes);
  return n_all;
}
