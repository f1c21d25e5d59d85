/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/tar_write.h"

#include "base/tar_format.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static void put_zeros(FILE *out, size_t n_bytes) {
  static const char zeros[TAR_BLOCK_BYTES];
  for (; n_bytes > sizeof(zeros); n_bytes -= sizeof(zeros))
    fwrite(zeros, 1, sizeof(zeros), out);
  fwrite(zeros, 1, n_bytes, out);
}

void tar_write_end(FILE *out, uint64_t n_bytes) {
  put_zeros(out, (size_t)(-n_bytes % TAR_BLOCK_BYTES));
}

/** Does a number fit into a field of so many octal digits? */
static bool fits(uint64_t number, unsigned n_digits) {
  return number >> (3 * n_digits) == 0;
}

static void put_header(FILE *out, struct tar_header *header, char type,
                       uint64_t n_bytes, uint64_t written) {
  header->type = type;
  memcpy(header->mode, "0000644", 8);
  memcpy(header->uid, "0000000", 8);
  memcpy(header->gid, "0000000", 8);
  memcpy(header->magic, TAR_MAGIC, 8);
  snprintf(header->size, sizeof(header->size), "%011" PRIo64,
           fits(n_bytes, 11) ? n_bytes : 0);
  snprintf(header->mtime, sizeof(header->mtime), "%011" PRIo64,
           fits(written, 11) ? written : 0);
  snprintf(header->checksum, 7, "%06o", tar_checksum(header));
  header->checksum[7] = ' ';
  fwrite(header, 1, sizeof(*header), out);
}

/** Number of bytes of an extended record, of which its own length is part. */
static size_t record_bytes(const char *key, const char *value) {
  const size_t n = strlen(key) + strlen(value) + 3;
  size_t n_digits = 1, n_all = n + 1;
  for (size_t limit = 10; n_all >= limit; limit *= 10) {
    n_digits++;
    n_all = n + n_digits;
  }
  return n_all;
}

/** Set a name, or cut it and add what its extended record takes. */
static size_t set_name(char *field, size_t max, const char *key,
                       const char *name) {
  const size_t n = strlen(name);
  memcpy(field, name, n < max ? n : max);
  return n > max ? record_bytes(key, name) : 0;
}

static void put_record(FILE *out, const char *key, const char *value) {
  fprintf(out, "%zu %s=%s\n", record_bytes(key, value), key, value);
}

static void put(FILE *out, char type, const char *name, const char *target,
                uint64_t n_bytes, int64_t time) {
  static const char path[] = "path", link_path[] = "linkpath", size[] = "size";
  struct tar_header header = {.name = ""},
                    extended = {.name = "PaxHeaders/arcline"};
  char number[24];
  const uint64_t written = time > 0 ? (uint64_t)time : 0;
  const bool has_size = !fits(n_bytes, 11);
  const size_t n_name = set_name(header.name, sizeof(header.name), path, name);
  const size_t n_link =
      set_name(header.link_name, sizeof(header.link_name), link_path, target);
  snprintf(number, sizeof(number), "%" PRIu64, n_bytes);
  const size_t n_extended =
      n_name + n_link + (has_size ? record_bytes(size, number) : 0);
  if (n_extended) {
    put_header(out, &extended, TAR_EXTENDED, n_extended, written);
    if (n_name)
      put_record(out, path, name);
    if (n_link)
      put_record(out, link_path, target);
    if (has_size)
      put_record(out, size, number);
    tar_write_end(out, n_extended);
  }
  put_header(out, &header, type, n_bytes, written);
}

void tar_write_file(FILE *out, const char *name, uint64_t n_bytes,
                    int64_t written) {
  put(out, TAR_FILE, name, "", n_bytes, written);
}

void tar_write_link(FILE *out, const char *name, const char *target,
                    int64_t written) {
  put(out, TAR_LINK, name, target, 0, written);
}

void tar_write_finish(FILE *out) { put_zeros(out, 2 * TAR_BLOCK_BYTES); }
