/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_file.h"

#include "base/err.h"
#include "base/in_file.h"
#include "debug/build_id.h"
#include "debug/debug_elf.h"

#include <elfutils/libdwelf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char default_root[] = "/usr/lib/debug";

/** The marks by which a debug file belongs to a program. */
struct identity {
  const uint8_t *build_id; // NULL: has none
  size_t n_build_id;
  bool has_checksum;
  uint32_t checksum; // of the whole debug file
};

static bool belongs(const struct debug_file *file,
                    const struct identity *identity) {
  const uint8_t *build_id;
  const size_t n_build_id = build_id_find(file->elf, &build_id);
  if (identity->build_id && n_build_id)
    return n_build_id == identity->n_build_id &&
           memcmp(build_id, identity->build_id, identity->n_build_id) == 0;
  // The checksum in .gnu_debuglink is that of the whole file.
  return identity->has_checksum &&
         crc32_z(0, file->mapped.bytes, file->mapped.n_bytes) ==
             identity->checksum;
}

/** Open a file if it belongs to the program, and return whether it does; frees
 * path. */
static bool try_path(char *path, const struct identity *identity,
                     struct debug_file *out) {
  struct err ignored;
  *out = (struct debug_file){.elf = NULL};
  if (path &&
      mapped_file_open(path, DEBUG_ELF_ROOM_BYTES, &out->mapped, &ignored) == 0)
    out->elf = elf_memory((char *)out->mapped.bytes, out->mapped.n_bytes);
  free(path);
  if (!out->elf || elf_kind(out->elf) != ELF_K_ELF || !belongs(out, identity))
    debug_file_close(out);
  return out->elf;
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
static bool try_roots(name_below *name, const void *what,
                      const struct identity *identity, struct debug_file *out) {
  const char *root = getenv("ARCLINE_DEBUG_PATH");
  while (root) {
    const int length = (int)strcspn(root, ":");
    if (length && try_path(name(root, length, what), identity, out))
      return true;
    root = root[length] ? root + length + 1 : NULL;
  }
  return try_path(name(default_root, sizeof(default_root) - 1, what), identity,
                  out);
}

static char *name_by_build_id(const char *root, int root_length,
                              const void *what) {
  const char *const hex = what;
  return format("%.*s/.build-id/%.2s/%s.debug", root_length, root, hex,
                hex + 2);
}

static bool find_by_build_id(const struct identity *identity,
                             struct debug_file *out) {
  char hex[2 * 64 + 1];
  if (!identity->build_id || identity->n_build_id < 2 ||
      identity->n_build_id > 64)
    return false;
  for (size_t i = 0; i < identity->n_build_id; i++)
    sprintf(hex + 2 * i, "%02x", identity->build_id[i]);
  return try_roots(name_by_build_id, hex, identity, out);
}

/** A link's name, and the program's folder. */
struct link {
  const char *name, *folder;
};

static char *name_by_link(const char *root, int root_length, const void *what) {
  const struct link *const link = what;
  return format("%.*s%s/%s", root_length, root, link->folder, link->name);
}

static void find_by_link(const char *name, const char *path,
                         const struct identity *identity,
                         struct debug_file *out) {
  char *const real = in_file_real(path);
  char *const slash = real ? strrchr(real, '/') : NULL;
  // A link is a plain name; a path would lead anywhere.
  if (slash && !strchr(name, '/')) {
    *slash = '\0';
    const struct link link = {.name = name, .folder = real};
    if (!try_path(format("%s/%s", real, name), identity, out) &&
        !try_path(format("%s/.debug/%s", real, name), identity, out))
      try_roots(name_by_link, &link, identity, out);
  }
  free(real);
}

void debug_file_find(struct Elf *elf, const char *path,
                     struct debug_file *out) {
  struct identity identity = {.build_id = NULL};
  *out = (struct debug_file){.elf = NULL};
  identity.n_build_id = build_id_find(elf, &identity.build_id);
  if (find_by_build_id(&identity, out))
    return;
  GElf_Word link_checksum;
  const char *const link = dwelf_elf_gnu_debuglink(elf, &link_checksum);
  if (!link)
    return;
  identity.has_checksum = true;
  identity.checksum = link_checksum;
  find_by_link(link, path, &identity, out);
}

void debug_file_find_alternative(struct Dwarf *dwarf, const char *path,
                                 struct debug_file *out) {
  const char *name;
  const void *build_id;
  *out = (struct debug_file){.elf = NULL};
  const ssize_t n_build_id =
      dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id);
  if (n_build_id <= 0)
    return;
  const struct identity identity = {.build_id = build_id,
                                    .n_build_id = (size_t)n_build_id};
  if (find_by_build_id(&identity, out))
    return;
  const char *const slash = strrchr(path, '/');
  const int n_folder = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
  try_path(format("%.*s%s", n_folder, path, name), &identity, out);
}

void debug_file_close(struct debug_file *file) {
  elf_end(file->elf);
  mapped_file_close(&file->mapped);
  *file = (struct debug_file){.elf = NULL};
}
