/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_elf.h"

#include "base/byte_reader.h"
#include "base/decompress.h"
#include "base/err.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// What ELFCOMPRESS_ZSTD is where elf.h knows it.
enum { COMPRESS_ZLIB = 1, COMPRESS_ZSTD = 2 };

/** Names of all sections that are ever read, as a string table. */
static const char section_names[] = "\0.debug_info\0.debug_types\0.debug_abbrev"
                                    "\0.debug_line\0.debug_line_str"
                                    "\0.debug_str\0.debug_str_offsets"
                                    "\0.debug_addr\0.debug_ranges"
                                    "\0.debug_rnglists\0.shstrtab";

/** Find a name in section_names; 0 if it is none of these. */
static uint32_t find_name(const char *name) {
  for (size_t off = 1; off < sizeof section_names;
       off += strlen(section_names + off) + 1)
    if (strcmp(section_names + off, name) == 0)
      return (uint32_t)off;
  return 0;
}

/** Write a structure of the ELF format in the file's byte order. */
static size_t write_struct(Elf *like, uint8_t *at, void *value,
                           size_t value_bytes, Elf_Type type) {
  GElf_Ehdr ehdr;
  const size_t n_bytes = gelf_fsize(like, type, 1, EV_CURRENT);
  Elf_Data from = {.d_buf = value,
                   .d_type = type,
                   .d_version = EV_CURRENT,
                   .d_size = value_bytes};
  Elf_Data to = {
      .d_buf = at, .d_type = type, .d_version = EV_CURRENT, .d_size = n_bytes};
  if (gelf_getehdr(like, &ehdr))
    gelf_xlatetof(like, &to, &from, ehdr.e_ident[EI_DATA]);
  return n_bytes;
}

static size_t write_header(Elf *like, uint8_t *at, size_t n_sections) {
  GElf_Ehdr ehdr;
  if (!gelf_getehdr(like, &ehdr))
    return 0;
  const size_t ehdr_bytes = gelf_fsize(like, ELF_T_EHDR, 1, EV_CURRENT);
  ehdr.e_type = ET_EXEC;
  ehdr.e_phoff = ehdr.e_phnum = 0;
  ehdr.e_shoff = ehdr_bytes;
  ehdr.e_shnum = (uint16_t)n_sections;
  ehdr.e_shstrndx = 1;
  if (gelf_getclass(like) == ELFCLASS64)
    return write_struct(like, at, &ehdr, sizeof ehdr, ELF_T_EHDR);
  Elf32_Ehdr narrow = {
      .e_type = ehdr.e_type,
      .e_machine = ehdr.e_machine,
      .e_version = ehdr.e_version,
      .e_shoff = (uint32_t)ehdr.e_shoff,
      .e_ehsize = ehdr.e_ehsize,
      .e_shentsize = ehdr.e_shentsize,
      .e_shnum = ehdr.e_shnum,
      .e_shstrndx = ehdr.e_shstrndx,
  };
  memcpy(narrow.e_ident, ehdr.e_ident, sizeof narrow.e_ident);
  return write_struct(like, at, &narrow, sizeof narrow, ELF_T_EHDR);
}

static size_t write_section(Elf *like, uint8_t *at, Elf64_Shdr shdr) {
  if (gelf_getclass(like) == ELFCLASS64)
    return write_struct(like, at, &shdr, sizeof shdr, ELF_T_SHDR);
  Elf32_Shdr narrow = {
      .sh_name = shdr.sh_name,
      .sh_type = shdr.sh_type,
      .sh_offset = (uint32_t)shdr.sh_offset,
      .sh_size = (uint32_t)shdr.sh_size,
      .sh_addralign = 1,
  };
  return write_struct(like, at, &narrow, sizeof narrow, ELF_T_SHDR);
}

struct Elf *debug_elf_compose(struct Elf *like, uint8_t *at,
                              const struct debug_section *sections,
                              size_t n_sections, const uint8_t *end) {
  uint8_t *const names = at + DEBUG_HEADER_BYTES - sizeof section_names;
  memcpy(names, section_names, sizeof section_names);
  uint8_t *next = at + write_header(like, at, n_sections + 2);
  next += write_section(like, next, (Elf64_Shdr){0});
  next += write_section(like, next,
                        (Elf64_Shdr){.sh_name = find_name(".shstrtab"),
                                     .sh_type = SHT_STRTAB,
                                     .sh_offset = (uint64_t)(names - at),
                                     .sh_size = sizeof section_names,
                                     .sh_addralign = 1});
  for (size_t i = 0; i < n_sections; i++)
    next += write_section(
        like, next,
        (Elf64_Shdr){.sh_name = find_name(sections[i].name),
                     .sh_type = SHT_PROGBITS,
                     .sh_offset = (uint64_t)(sections[i].bytes.bytes - at),
                     .sh_size = sections[i].bytes.n_bytes,
                     .sh_addralign = 1});
  return elf_memory((char *)at, (size_t)(end - at));
}

//===--- Compressed sections ----------------------------------------------===//

/** A section that is read, as it lies in the file. */
struct packed {
  uint32_t name;           // in section_names; 0: it is not read
  uint32_t kind;           // COMPRESS_...; 0: not compressed
  uint64_t size;           // of what it holds
  struct line_bytes bytes; // without header
};

/** The older form: a name of its own, and a header of "ZLIB" and the size. */
static void read_old_header(struct packed *packed) {
  struct byte_reader reader = {.at = packed->bytes.bytes,
                               .end =
                                   packed->bytes.bytes + packed->bytes.n_bytes,
                               .is_big_endian = true};
  if (byte_reader_left(&reader) < 12 || memcmp(reader.at, "ZLIB", 4) != 0)
    return;
  byte_reader_skip(&reader, 4);
  packed->kind = COMPRESS_ZLIB;
  packed->size = byte_reader_uint(&reader, 8);
  packed->bytes = (struct line_bytes){.bytes = reader.at,
                                      .n_bytes = byte_reader_left(&reader)};
}

/** The gABI's form: a flag, and Elf32_Chdr or Elf64_Chdr before the bytes. */
static void read_new_header(Elf *elf, struct packed *packed) {
  GElf_Ehdr ehdr;
  if (!gelf_getehdr(elf, &ehdr))
    return;
  const bool is_64 = ehdr.e_ident[EI_CLASS] == ELFCLASS64;
  const unsigned word_bytes = is_64 ? 8 : 4;
  struct byte_reader reader = {
      .at = packed->bytes.bytes,
      .end = packed->bytes.bytes + packed->bytes.n_bytes,
      .is_big_endian = ehdr.e_ident[EI_DATA] == ELFDATA2MSB};
  packed->kind = (uint32_t)byte_reader_uint(&reader, 4);
  if (is_64)
    byte_reader_skip(&reader, 4); // reserved
  packed->size = byte_reader_uint(&reader, word_bytes);
  byte_reader_skip(&reader, word_bytes); // alignment
  packed->bytes = (struct line_bytes){.bytes = reader.at,
                                      .n_bytes = byte_reader_left(&reader)};
}

static struct packed read_section(Elf *elf, size_t i_names, Elf_Scn *section) {
  struct packed packed = {.name = 0};
  GElf_Shdr shdr;
  if (!gelf_getshdr(section, &shdr) || shdr.sh_type == SHT_NOBITS)
    return packed;
  const char *const name = elf_strptr(elf, i_names, shdr.sh_name);
  if (!name || strncmp(name, ".shstrtab", 9) == 0)
    return packed;
  const bool is_old = strncmp(name, ".zdebug_", 8) == 0;
  char plain[32] = ".debug_";
  if (is_old && strlen(name) < sizeof plain)
    strcpy(plain + 7, name + 8);
  packed.name = find_name(is_old ? plain : name);
  Elf_Data *const data = packed.name ? elf_rawdata(section, NULL) : NULL;
  if (!data || !data->d_buf) {
    packed.name = 0;
    return packed;
  }
  packed.bytes =
      (struct line_bytes){.bytes = data->d_buf, .n_bytes = data->d_size};
  packed.size = data->d_size;
  if (is_old)
    read_old_header(&packed);
  else if (shdr.sh_flags & SHF_COMPRESSED)
    read_new_header(elf, &packed);
  return packed;
}

/** The sections that are read, in the order of the file. */
struct sections {
  struct packed packed[DEBUG_SECTIONS];
  size_t n;
  bool has_compressed;
};

static void list_sections(Elf *elf, size_t i_names, struct sections *out) {
  Elf_Scn *section = NULL;
  out->n = 0;
  out->has_compressed = false;
  while (out->n < DEBUG_SECTIONS && (section = elf_nextscn(elf, section))) {
    const struct packed packed = read_section(elf, i_names, section);
    if (!packed.name)
      continue;
    out->packed[out->n++] = packed;
    out->has_compressed |= packed.kind != 0;
  }
}

/**
 * Drop what claims to be too large.
 *
 * limit  of the bytes that decompression may yield.
 *
 * Returns the bytes that all others hold.
 */
static size_t limit_sections(struct sections *sections, size_t limit) {
  size_t n_bytes = 0, n_kept = 0;
  for (size_t i = 0; i < sections->n; i++) {
    const struct packed *const packed = &sections->packed[i];
    if (packed->kind && packed->size > limit)
      continue;
    if (packed->kind)
      limit -= (size_t)packed->size;
    n_bytes += (size_t)packed->size;
    sections->packed[n_kept++] = *packed;
  }
  sections->n = n_kept;
  return n_bytes;
}

/** Write what a section holds. Returns false if it is damaged. */
static bool unpack(const struct packed *packed, uint8_t *out) {
  const struct line_bytes from = packed->bytes;
  switch (packed->kind) {
  case 0:
    memcpy(out, from.bytes, from.n_bytes);
    return true;
  case COMPRESS_ZLIB:
    return decompress_zlib(from.bytes, from.n_bytes, out, (size_t)packed->size);
  case COMPRESS_ZSTD:
    return decompress_zstd(from.bytes, from.n_bytes, out, (size_t)packed->size);
  default:
    return false;
  }
}

int debug_elf_expand(struct Elf *original, size_t file_bytes, const char *path,
                     struct Elf **out, uint8_t **memory, struct err *err) {
  struct sections sections;
  size_t i_names;
  *out = NULL;
  *memory = NULL;
  if (elf_getshdrstrndx(original, &i_names))
    return 0;
  list_sections(original, i_names, &sections);
  if (!sections.has_compressed)
    return 0;
  const size_t n_listed = sections.n;
  const size_t n_bytes =
      DEBUG_HEADER_BYTES +
      limit_sections(&sections, decompress_limit(file_bytes));
  uint8_t *const bytes = malloc(n_bytes);
  if (!bytes)
    return err_no_memory(err);
  struct debug_section placed[DEBUG_SECTIONS];
  size_t n_placed = 0;
  uint8_t *next = bytes + DEBUG_HEADER_BYTES;
  for (size_t i = 0; i < sections.n; i++) {
    const struct packed *const packed = &sections.packed[i];
    if (unpack(packed, next))
      placed[n_placed++] = (struct debug_section){
          .name = section_names + packed->name,
          .bytes = {.bytes = next, .n_bytes = (size_t)packed->size}};
    next += packed->size;
  }
  if (n_placed < n_listed)
    warn("%s: some of its compressed debug sections are left out: damaged, or "
         "more than 16 times the size of the file",
         path);
  *out = debug_elf_compose(original, bytes, placed, n_placed, bytes + n_bytes);
  if (*out) {
    *memory = bytes;
    return 0;
  }
  free(bytes);
  return err_no_memory(err);
}

_Static_assert(sizeof(Elf64_Ehdr) + (DEBUG_SECTIONS + 2) * sizeof(Elf64_Shdr) +
                       sizeof section_names <=
                   DEBUG_HEADER_BYTES,
               "headers and names overlap");
