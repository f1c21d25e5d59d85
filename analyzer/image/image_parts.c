/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/image_parts.h"

#include "base/err.h"
#include "debug/build_id.h"
#include "debug/debug_elf.h"

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/** Is it a section of debug information that is read? */
static bool is_read_debug(const char *name) {
  static const char *const kinds[] = {
      "info",        "types", "abbrev", "line",     "line_str", "str",
      "str_offsets", "addr",  "ranges", "rnglists", "cu_index"};
  const char *const kind = name + (begins_with(name, ".zdebug_") ? 8 : 7);
  const size_t n = strcspn(kind, ".");
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
    if (strlen(kinds[i]) == n && strncmp(kind, kinds[i], n) == 0)
      return true;
  return false;
}

/** Is it code of stubs, which have names of functions in other objects? */
static bool is_stubs(const char *name) {
  return begins_with(name, ".plt") || begins_with(name, ".iplt");
}

/** Does any report read a section? */
static bool is_read(const char *name, const GElf_Shdr *header,
                    bool has_names_only) {
  static const char *const names[] = {".eh_frame", ".got", ".got.plt", ".opd",
                                      ".interp"};
  if (begins_with(name, ".debug_") || begins_with(name, ".zdebug_"))
    return !has_names_only && is_read_debug(name);
  if (header->sh_flags & SHF_EXECINSTR)
    return !has_names_only || is_stubs(name);
  if (begins_with(name, "__arcline_") || begins_with(name, ".gnu_debug"))
    return true;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  switch (header->sh_type) {
  case SHT_PROGBITS:
  case SHT_INIT_ARRAY:
  case SHT_FINI_ARRAY:
  case SHT_PREINIT_ARRAY:
  case SHT_GNU_HASH:
  case SHT_HASH:
    return false;
  default:
    return true;
  }
}

/** Does a file keep its identity if parts are missing? One with code, or with a
 * build-id; otherwise a checksum of the whole file is compared. */
static bool may_be_cut(Elf *elf) {
  GElf_Ehdr header;
  GElf_Shdr section_header;
  const uint8_t *build_id;
  Elf_Scn *section = NULL;
  if (!gelf_getehdr(elf, &header) ||
      (header.e_type != ET_EXEC && header.e_type != ET_DYN))
    return false;
  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, &section_header) &&
        section_header.sh_flags & SHF_EXECINSTR &&
        section_header.sh_type != SHT_NOBITS)
      return true;
  return build_id_find(elf, &build_id) > 0;
}

/** Are only names read of the file? Files without symbols have debug
 * information that several others share, or parts of theirs. */
static bool has_names_only(Elf *elf, const struct image_id *profiled,
                           size_t n_profiled) {
  GElf_Shdr header;
  const uint8_t *id;
  Elf_Scn *section = NULL;
  bool has_symbols = false;
  const size_t n = build_id_find(elf, &id);
  for (size_t i = 0; n && i < n_profiled; i++)
    if (profiled[i].n_bytes == n && memcmp(profiled[i].bytes, id, n) == 0)
      return false;
  while ((section = elf_nextscn(elf, section)))
    has_symbols |=
        gelf_getshdr(section, &header) &&
        (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM);
  return n_profiled && has_symbols;
}

static void add(struct image_part *list, size_t *n, uint64_t begin,
                uint64_t n_bytes) {
  if (n_bytes && begin <= UINT64_MAX - n_bytes)
    list[(*n)++] = (struct image_part){begin, begin + n_bytes};
}

/** Headers are read, wherever they are. */
static void add_headers(struct image_parts *parts, const GElf_Ehdr *header,
                        size_t n_segments, size_t n_sections) {
  add(parts->read, &parts->n_read, 0, header->e_ehsize);
  add(parts->read, &parts->n_read, header->e_phoff,
      (uint64_t)header->e_phentsize * n_segments);
  add(parts->read, &parts->n_read, header->e_shoff,
      (uint64_t)header->e_shentsize * n_sections);
}

static int find_in(Elf *elf, bool is_names, struct image_parts *out,
                   struct err *err) {
  size_t n_sections, n_segments, i_names;
  GElf_Ehdr header;
  Elf_Scn *section = NULL;
  if (!may_be_cut(elf) || !gelf_getehdr(elf, &header) ||
      elf_getshdrnum(elf, &n_sections) || elf_getphdrnum(elf, &n_segments) ||
      !debug_elf_find_names(elf, &i_names))
    return 0;
  out->unread = calloc(n_sections + 3, sizeof(*out->unread));
  out->read = calloc(n_sections + 3, sizeof(*out->read));
  if (!out->unread || !out->read)
    return err_no_memory(err);
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr at;
    if (!gelf_getshdr(section, &at) || at.sh_type == SHT_NOBITS)
      continue;
    const char *const name = elf_strptr(elf, i_names, at.sh_name);
    if (!name || is_read(name, &at, is_names))
      add(out->read, &out->n_read, at.sh_offset, at.sh_size);
    else
      add(out->unread, &out->n_unread, at.sh_offset, at.sh_size);
  }
  add_headers(out, &header, n_segments, n_sections);
  return 0;
}

int image_parts_find(const uint8_t *bytes, size_t n_bytes,
                     const struct image_id *profiled, size_t n_profiled,
                     struct image_parts *out, struct err *err) {
  *out = (struct image_parts){0};
  if (n_bytes < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
      elf_version(EV_CURRENT) == EV_NONE)
    return 0;
  Elf *const elf = elf_memory((char *)(uintptr_t)bytes, n_bytes);
  const int rc =
      elf ? find_in(elf, has_names_only(elf, profiled, n_profiled), out, err)
          : 0;
  elf_end(elf);
  if (rc)
    image_parts_release(out);
  return rc;
}

/** Copy the part of a piece that is in a range, or zeros if from is NULL. */
static void copy_overlap(const struct image_part *part, const uint8_t *from,
                         uint64_t at, size_t n, uint8_t *out) {
  const uint64_t begin = part->begin > at ? part->begin : at;
  const uint64_t end = part->end < at + n ? part->end : at + n;
  if (begin >= end)
    return;
  if (from)
    memcpy(out + (begin - at), from + begin, (size_t)(end - begin));
  else
    memset(out + (begin - at), 0, (size_t)(end - begin));
}

void image_parts_copy(const struct image_parts *parts, const uint8_t *bytes,
                      uint64_t at, size_t n, uint8_t *out) {
  memcpy(out, bytes + at, n);
  for (size_t i = 0; i < parts->n_unread; i++)
    copy_overlap(&parts->unread[i], NULL, at, n, out);
  for (size_t i = 0; i < parts->n_read; i++)
    copy_overlap(&parts->read[i], bytes, at, n, out);
}

void image_parts_release(struct image_parts *parts) {
  free(parts->unread);
  free(parts->read);
  *parts = (struct image_parts){0};
}
