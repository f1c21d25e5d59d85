/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mutates inputs for the whole tool part by part, so that the other parts stay
   valid; and adds records that fit the image. Linked with libFuzzer only. */
#include "arcline/abi.h"
#include "arcline/gmon_format.h"
#include "base/err.h"
#include "fuzz.h"
#include "image/image.h"
#include "image/symtab.h"
#include "whole_input.h"

#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n_bytes, size_t max_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n_bytes, size_t max_bytes,
                               unsigned seed);

enum { PART_BYTES = 65535, MAX_SYMBOLS = 64, MAX_CELLS = 256 };

/** Of fuzz_whole.c: commands, and ways to name files. */
enum { N_COMMANDS = 7, N_OPERANDS = 12 };

/** The parts, in the order of the input. */
enum { IMAGE, PROFILE, SIDE, OPTIONS, N_PARTS };

/** A part that may change. */
struct buffer {
  uint8_t bytes[PART_BYTES];
  size_t n_bytes;
};

/** Properties of an image that records may refer to. */
struct targets {
  uint64_t vaddrs[MAX_SYMBOLS];
  size_t n_vaddrs;
  uint64_t cells_vaddr; /* of counters of arcline */
  size_t n_cells;
  uint8_t build_id[GMON_ARCLINE_BUILD_ID_BYTES];
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
  struct image_section cells;
  struct symtab symtab = {0};
  struct err err = {0};

  *out = (struct targets){.n_vaddrs = 0};
  if (image_open(fuzz_file(0, elf->bytes, elf->n_bytes), &image, &err))
    return -1;
  out->pointer_bytes = image.class_bits / 8;
  out->is_big_endian = image.is_big_endian;
  out->vaddrs[out->n_vaddrs++] = image.text_vaddr;
  out->vaddrs[out->n_vaddrs++] = image.text_vaddr + image.text_bytes;
  if (image_load_symbols(&image, 0, NULL, &symtab, &err) == 0)
    for (size_t i = 0; i < symtab.n_symbols && out->n_vaddrs < MAX_SYMBOLS; i++)
      out->vaddrs[out->n_vaddrs++] = symtab.symbols[i].vaddr;
  if (image_find_section(&image, ARCLINE_SECTION_CELLS, &cells)) {
    out->cells_vaddr = cells.vaddr;
    out->n_cells = cells.size_bytes / sizeof(uint64_t) % MAX_CELLS;
  }
  memcpy(out->build_id, image.build_id, sizeof(out->build_id));
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

/** The address of a count: of a block of any compiler, or of a cell. */
static uint64_t choose_block(const struct targets *targets, unsigned *random) {
  if (targets->n_cells == 0 || next_random(random) % 4 == 0)
    return choose(targets, random);
  return targets->cells_vaddr +
         next_random(random) % targets->n_cells * sizeof(uint64_t);
}

static void start_profile(struct buffer *profile, const struct targets *targets,
                          unsigned *random) {
  profile->n_bytes = 0;
  for (const char *at = "gmon"; *at; at++)
    put(profile, (unsigned char)*at, 1, 0);
  put(profile, 1, 4, targets->is_big_endian);
  if (next_random(random) % 2) {
    put(profile, 0, 8, 0);
    put(profile, 0, 4, 0);
    return;
  }
  for (const char *at = GMON_ARCLINE_MARK; *at; at++)
    put(profile, (unsigned char)*at, 1, 0);
  for (size_t i = 0; i < sizeof(targets->build_id); i++)
    put(profile, targets->build_id[i], 1, 0);
}

static void add_record(struct buffer *profile, const struct targets *targets,
                       unsigned *random) {
  const unsigned pointer = targets->pointer_bytes;
  const int is_big = targets->is_big_endian;
  const unsigned kind = next_random(random) % 8;

  if (profile->n_bytes < 20)
    start_profile(profile, targets, random);
  if (kind == 0) {
    add_histogram(profile, targets, random);
  } else if (kind < 3) {
    const unsigned n_blocks = next_random(random) % 32;
    put(profile, 2, 1, 0);
    put(profile, n_blocks, 4, is_big);
    for (unsigned i = 0; i < n_blocks; i++) {
      put(profile, choose_block(targets, random), pointer, is_big);
      put(profile, next_random(random) % 100, pointer, is_big);
    }
  } else {
    put(profile, 1, 1, 0);
    put(profile, choose(targets, random), pointer, is_big);
    put(profile, choose(targets, random), pointer, is_big);
    put(profile, next_random(random) % 1000, 4, is_big);
  }
}

/** Format a line of a side file that fits the image. */
static void format_line(const struct targets *targets, unsigned *random,
                        char *out, size_t room) {
  static const char *const files[] = {"gmon.out", "gmon.out.lib", "-", "gone"};
  static const char *const paths[] = {"in/image", "in/library", "[kernel]",
                                      "/lib/libc.so.6"};
  const unsigned left = next_random(random) % 3;
  const unsigned right = next_random(random) % 3;
  const unsigned count = next_random(random) % 1000;
  const unsigned long long from = choose(targets, random);
  const unsigned long long self = choose(targets, random);

  switch (next_random(random) % 6) {
  case 0:
    snprintf(out, room, "object %u - 0x%llx %s %s\n", left, from & ~0xfffull,
             files[next_random(random) % 4], paths[next_random(random) % 4]);
    break;
  case 1:
    snprintf(out, room, "%s %u 0x%llx %u\n", right ? "time" : "kernel", left,
             from, count);
    break;
  case 2:
    snprintf(out, room, "call %u 0x%llx %u f%u\n", left, from, count, right);
    break;
  case 3:
    snprintf(out, room, "text %u 0x%llx 0x%llx\n", left, from, from + count);
    break;
  default:
    snprintf(out, room, "arc %u 0x%llx %u 0x%llx %u\n", left, from, right, self,
             count);
  }
}

/** Put a line into a side file, before another one. */
static void add_line(struct buffer *side, const struct targets *targets,
                     unsigned *random) {
  char line[256];
  size_t at = side->n_bytes;

  format_line(targets, random, line, sizeof(line));
  const size_t n_line = strlen(line);
  if (side->n_bytes + n_line > PART_BYTES)
    return;
  // Most often before the last one, "end".
  for (unsigned n = next_random(random) % 4 ? 1 : next_random(random) % 32; n;
       n--)
    do
      at -= at > 0;
    while (at > 0 && side->bytes[at - 1] != '\n');
  memmove(side->bytes + at + n_line, side->bytes + at, side->n_bytes - at);
  memcpy(side->bytes + at, line, n_line);
  side->n_bytes += n_line;
}

static void mutate_options(struct buffer *options, unsigned *random) {
  static const char letters[] =
      "AJCZpPqQiBrRsSabcDlxzILmyYtTnNwkeEfFdOov0123456";
  if (next_random(random) % 3 == 0) {
    options->n_bytes = LLVMFuzzerMutate(options->bytes, options->n_bytes, 1024);
    return;
  }
  if (next_random(random) % 8 == 0)
    options->n_bytes = 0;
  put(options,
      (unsigned char)letters[next_random(random) % (sizeof(letters) - 1)], 1,
      0);
  put(options, 0, 1, 0);
}

/** Put an input together. Returns its size; 0 if it is too large. */
static size_t join(const struct buffer *parts, unsigned command,
                   unsigned operands, uint8_t *bytes, size_t max_bytes) {
  size_t n_all = WHOLE_HEAD_BYTES;

  for (unsigned i = 0; i < N_PARTS; i++)
    n_all += parts[i].n_bytes;
  if (n_all > max_bytes)
    return 0;
  for (unsigned i = 0; i < OPTIONS; i++) {
    bytes[2 * i] = (uint8_t)parts[i].n_bytes;
    bytes[2 * i + 1] = (uint8_t)(parts[i].n_bytes >> 8);
  }
  bytes[2 * OPTIONS] = (uint8_t)command;
  bytes[2 * OPTIONS + 1] = (uint8_t)operands;
  bytes += WHOLE_HEAD_BYTES;
  for (unsigned i = 0; i < N_PARTS; i++) {
    memcpy(bytes, parts[i].bytes, parts[i].n_bytes);
    bytes += parts[i].n_bytes;
  }
  return n_all;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n_bytes, size_t max_bytes,
                               unsigned seed) {
  static struct buffer parts[N_PARTS];
  const struct whole_input input = whole_input_read(bytes, n_bytes);
  struct targets targets;
  unsigned random = seed, command = input.command, operands = input.operands;

  fill(&parts[IMAGE], &input.image);
  fill(&parts[PROFILE], &input.profile);
  fill(&parts[SIDE], &input.side);
  fill(&parts[OPTIONS], &input.options);
  const unsigned choice = next_random(&random) % 16;
  if (choice < 6) {
    const unsigned part = choice < 4 ? IMAGE : choice < 5 ? PROFILE : SIDE;
    parts[part].n_bytes =
        LLVMFuzzerMutate(parts[part].bytes, parts[part].n_bytes, PART_BYTES);
  } else if (choice < 12) {
    if (find_targets(&parts[IMAGE], &targets) == 0 && choice < 9)
      add_record(&parts[PROFILE], &targets, &random);
    else if (targets.n_vaddrs)
      add_line(&parts[SIDE], &targets, &random);
  } else if (choice < 15) {
    mutate_options(&parts[OPTIONS], &random);
  } else {
    command = next_random(&random) % N_COMMANDS;
    operands = next_random(&random) % N_OPERANDS;
  }
  const size_t n_all = join(parts, command, operands, bytes, max_bytes);
  return n_all ? n_all : n_bytes;
}
