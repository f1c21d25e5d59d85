/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Describes the headers of tar files: POSIX.1-2001, "pax".
 */
#ifndef ARCLINE_TAR_FORMAT_H
#define ARCLINE_TAR_FORMAT_H

enum { TAR_BLOCK_BYTES = 512 };

/** A block before the bytes of a file. Numbers are octal. */
struct tar_header {
  char name[100];
  char mode[8], uid[8], gid[8];
  char size[12], mtime[12];
  char checksum[8];
  char type; /* enum tar_type */
  char link_name[100];
  char magic[8]; /* TAR_MAGIC */
  char user[32], group[32];
  char major[8], minor[8];
  char prefix[155]; /* before the name, with a slash; or empty */
  char unused[12];
};
_Static_assert(sizeof(struct tar_header) == TAR_BLOCK_BYTES,
               "a header is a block");

#define TAR_MAGIC "ustar\00000"

enum tar_type {
  TAR_FILE = '0',
  TAR_OLD_FILE = '\0',
  TAR_LINK = '1',
  TAR_FOLDER = '5',
  TAR_EXTENDED = 'x', /* records "LENGTH KEY=VALUE\n" about the next header */
};

/** The sum of a header's bytes, those of the checksum taken as blanks. */
static inline unsigned tar_checksum(const struct tar_header *header) {
  const unsigned char *const bytes = (const unsigned char *)header;
  unsigned sum = 0;
  for (unsigned i = 0; i < TAR_BLOCK_BYTES; i++)
    sum += i - 148 < 8 ? ' ' : bytes[i];
  return sum;
}

#endif
