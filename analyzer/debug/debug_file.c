/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_file.h"

#include "base/in_file.h"

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
#include <zlib.h>

static const char default_root[] = "/usr/lib/debug";

/** What tells that a debug file belongs to a program. */
struct identity {
  const uint8_t *build_id; // NULL: has none
  size_t n_build_id;
  bool has_checksum;
  uint32_t checksum; // of the whole debug file
};

/** CRC-32 of a whole file, as .gnu_debuglink has it. */
static uint32_t checksum_file(int fd) {
  uint8_t bytes[1 << 14];
  uLong crc = crc32(0, NULL, 0);
  ssize_t n_bytes;
  for (off_t off = 0; (n_bytes = pread(fd, bytes, sizeof bytes, off)) > 0;
       off += n_bytes)
    crc = crc32(crc, bytes, (uInt)n_bytes);
  return (uint32_t)crc;
}

static bool belongs(const struct debug_file *file,
                    const struct identity *identity) {
  const void *build_id;
  const ssize_t n_build_id = dwelf_elf_gnu_build_id(file->elf, &build_id);
  if (identity->build_id && n_build_id > 0)
    return (size_t)n_build_id == identity->n_build_id &&
           memcmp(build_id, identity->build_id, identity->n_build_id) == 0;
  return identity->has_checksum &&
         checksum_file(file->fd) == identity->checksum;
}

/** Open a file if it is the one; frees path. */
static struct debug_file try_path(char *path, const struct identity *identity) {
  struct debug_file file = {.fd = -1};
  if (!path)
    return file;
  struct stat status;
  file.fd = in_file_open(path, IN_FILE_REGULAR, &status);
  free(path);
  if (file.fd >= 0)
    file.elf = elf_begin(file.fd, ELF_C_READ, NULL);
  if (!file.elf || elf_kind(file.elf) != ELF_K_ELF || !belongs(&file, identity))
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

/** Fill in the name of a debug file below a root, or NULL. */
typedef char *name_below(const char *root, int root_length, const void *what);

/** Try a name below each root: those of ARCLINE_DEBUG_PATH, then the default.
 */
static struct debug_file try_roots(name_below *name, const void *what,
                                   const struct identity *identity) {
  struct debug_file file = {.fd = -1};
  const char *root = getenv("ARCLINE_DEBUG_PATH");
  while (root && !file.elf) {
    const int length = (int)strcspn(root, ":");
    if (length)
      file = try_path(name(root, length, what), identity);
    root = root[length] ? root + length + 1 : NULL;
  }
  return file.elf ? file
                  : try_path(name(default_root, sizeof default_root - 1, what),
                             identity);
}

static char *name_by_build_id(const char *root, int root_length,
                              const void *what) {
  const char *const hex = what;
  return format("%.*s/.build-id/%.2s/%s.debug", root_length, root, hex,
                hex + 2);
}

static struct debug_file find_by_build_id(const struct identity *identity) {
  char hex[2 * 64 + 1];
  if (!identity->build_id || identity->n_build_id < 2 ||
      identity->n_build_id > 64)
    return (struct debug_file){.fd = -1};
  for (size_t i = 0; i < identity->n_build_id; i++)
    sprintf(hex + 2 * i, "%02x", identity->build_id[i]);
  return try_roots(name_by_build_id, hex, identity);
}

/** A link's name and the folder that the program is in. */
struct link {
  const char *name, *folder;
};

static char *name_by_link(const char *root, int root_length, const void *what) {
  const struct link *const link = what;
  return format("%.*s%s/%s", root_length, root, link->folder, link->name);
}

static struct debug_file find_by_link(const char *name, const char *path,
                                      const struct identity *identity) {
  struct debug_file file = {.fd = -1};
  char *const real = realpath(path, NULL);
  char *const slash = real ? strrchr(real, '/') : NULL;
  // A link is a plain name; a path would lead anywhere.
  if (slash && !strchr(name, '/')) {
    *slash = '\0';
    const struct link link = {.name = name, .folder = real};
    file = try_path(format("%s/%s", real, name), identity);
    if (!file.elf)
      file = try_path(format("%s/.debug/%s", real, name), identity);
    if (!file.elf)
      file = try_roots(name_by_link, &link, identity);
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

struct debug_file debug_file_find_alternative(struct Dwarf *dwarf,
                                              const char *path) {
  const char *name;
  const void *build_id;
  const ssize_t n_build_id =
      dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id);
  if (n_build_id <= 0)
    return (struct debug_file){.fd = -1};
  const struct identity identity = {.build_id = build_id,
                                    .n_build_id = (size_t)n_build_id};
  struct debug_file file = find_by_build_id(&identity);
  if (file.elf)
    return file;
  const char *const slash = strrchr(path, '/');
  const int n_folder = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
  return try_path(format("%.*s%s", n_folder, path, name), &identity);
}

void debug_file_close(struct debug_file *file) {
  if (file->elf)
    elf_end(file->elf);
  if (file->fd >= 0)
    close(file->fd);
  *file = (struct debug_file){.fd = -1};
}
