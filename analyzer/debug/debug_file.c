/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char debug_root[] = "/usr/lib/debug";

/** What tells that a debug file belongs to a program. */
struct identity {
  const uint8_t *build_id; // NULL: has none
  size_t n_build_id;
  bool has_checksum;
  uint32_t checksum; // of the whole debug file
};

/** CRC-32 as .gnu_debuglink has it (IEEE 802.3, reflected). */
static uint32_t checksum(const uint8_t *bytes, size_t n_bytes) {
  uint32_t table[256];
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
  }
  uint32_t crc = ~(uint32_t)0;
  for (size_t i = 0; i < n_bytes; i++)
    crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
  return ~crc;
}

static bool belongs(Elf *elf, const struct identity *identity) {
  const void *build_id;
  const ssize_t n_build_id = dwelf_elf_gnu_build_id(elf, &build_id);
  if (identity->build_id && n_build_id > 0)
    return (size_t)n_build_id == identity->n_build_id &&
           memcmp(build_id, identity->build_id, identity->n_build_id) == 0;
  size_t n_bytes;
  const char *const bytes = elf_rawfile(elf, &n_bytes);
  return identity->has_checksum && bytes &&
         checksum((const uint8_t *)bytes, n_bytes) == identity->checksum;
}

/** Open a file if it is the one; frees path. */
static struct debug_file try_path(char *path, const struct identity *identity) {
  struct debug_file file = {.fd = -1};
  if (!path)
    return file;
  file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  free(path);
  struct stat status;
  if (file.fd >= 0 && fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode))
    file.elf = elf_begin(file.fd, ELF_C_READ_MMAP, NULL);
  if (!file.elf || elf_kind(file.elf) != ELF_K_ELF ||
      !belongs(file.elf, identity))
    debug_file_close(&file);
  return file;
}

__attribute__((format(printf, 1, 2))) static char *format(const char *text,
                                                          ...) {
  va_list args;
  char *out;
  va_start(args, text);
  if (vasprintf(&out, text, args) < 0)
    out = NULL;
  va_end(args);
  return out;
}

static struct debug_file find_by_build_id(const struct identity *identity) {
  char hex[2 * 64 + 1];
  if (!identity->build_id || identity->n_build_id < 2 ||
      identity->n_build_id > 64)
    return (struct debug_file){.fd = -1};
  for (size_t i = 0; i < identity->n_build_id; i++)
    sprintf(hex + 2 * i, "%02x", identity->build_id[i]);
  return try_path(
      format("%s/.build-id/%.2s/%s.debug", debug_root, hex, hex + 2), identity);
}

static struct debug_file find_by_link(const char *link, const char *path,
                                      const struct identity *identity) {
  struct debug_file file = {.fd = -1};
  char *const real = realpath(path, NULL);
  char *const slash = real ? strrchr(real, '/') : NULL;
  // A link is a plain name; a path would lead anywhere.
  if (slash && !strchr(link, '/')) {
    *slash = '\0';
    file = try_path(format("%s/%s", real, link), identity);
    if (!file.elf)
      file = try_path(format("%s/.debug/%s", real, link), identity);
    if (!file.elf)
      file = try_path(format("%s%s/%s", debug_root, real, link), identity);
  }
  free(real);
  return file;
}

struct debug_file debug_file_find(struct Elf *elf, const char *path) {
  struct identity identity = {.build_id = NULL};
  const void *build_id;
  const ssize_t n_build_id = dwelf_elf_gnu_build_id(elf, &build_id);
  if (n_build_id > 0) {
    identity.build_id = build_id;
    identity.n_build_id = (size_t)n_build_id;
  }
  struct debug_file file = find_by_build_id(&identity);
  GElf_Word link_checksum;
  const char *const link =
      file.elf ? NULL : dwelf_elf_gnu_debuglink(elf, &link_checksum);
  if (link) {
    identity.has_checksum = true;
    identity.checksum = link_checksum;
    file = find_by_link(link, path, &identity);
  }
  return file;
}

void debug_file_close(struct debug_file *file) {
  if (file->elf)
    elf_end(file->elf);
  if (file->fd >= 0)
    close(file->fd);
  *file = (struct debug_file){.fd = -1};
}
