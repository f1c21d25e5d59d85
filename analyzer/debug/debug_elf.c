/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_elf.h"

#include "base/byte_reader.h"
#include "base/decompress.h"
#include "base/err.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ELFCOMPRESS_ZSTD, which older versions of elf.h lack.
enum { COMPRESS_ZLIB = 1, COMPRESS_ZSTD = 2 };

/** Names of all sections that are ever read, as a string table. */
static const char section_names[] = "\0.debug_info\0.debug_types\0.debug_abbrev"
                                    "\0.debug_line\0.debug_line_str"
                                    "\0.debug_str\0.debug_str_offsets"
                                    "\0.debug_addr\0.debug_ranges"
                                    "\0.debug_rnglists\0.debug_cu_index"
                                    "\0.gnu_debugaltlink"
                                    "\0.shstrtab";

enum {
  // Size of a file's headers, with the names.
  HEADER_BYTES = sizeof(Elf64_Ehdr) +
                 (DEBUG_SECTIONS + 2) * sizeof(Elf64_Shdr) +
                 (sizeof(section_names) + 7) / 8 * 8,
};
_Static_assert((int)HEADER_BYTES <= (int)DEBUG_ELF_ROOM_BYTES,
               "headers fit before a file");
_Static_assert(HEADER_BYTES % 8 == 0, "headers before a file are aligned");

/** Find a name in section_names; 0 if it is not one of these. */
static uint32_t find_name(const char *name) {
  for (size_t off = 1; off < sizeof(section_names);
       off += strlen(section_names + off) + 1)
    if (strcmp(section_names + off, name) == 0)
      return (uint32_t)off;
  return 0;
}

/** Write a structure of the ELF format. Returns how long it is there. */
static size_t write_struct(const struct debug_sections *from, uint8_t *at,
                           void *value, size_t n_bytes, Elf_Type type) {
  const Elf_Data native = {.d_buf = value,
                           .d_type = type,
                           .d_version = EV_CURRENT,
                           .d_size = n_bytes};
  Elf_Data out = native;
  out.d_buf = at;
  if (from->class == ELFCLASS64)
    elf64_xlatetof(&out, &native, from->order);
  else
    elf32_xlatetof(&out, &native, from->order);
  return n_bytes;
}

static size_t write_header(const struct debug_sections *from, uint8_t *at,
                           size_t n_sections) {
  Elf64_Ehdr wide = {
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, from->class, from->order,
                  EV_CURRENT},
      .e_type = ET_EXEC,
      .e_machine = from->machine,
      .e_version = EV_CURRENT,
      .e_shoff = sizeof(wide),
      .e_ehsize = sizeof(wide),
      .e_shentsize = sizeof(Elf64_Shdr),
      .e_shnum = (uint16_t)n_sections,
      .e_shstrndx = 1,
  };
  if (from->class == ELFCLASS64)
    return write_struct(from, at, &wide, sizeof(wide), ELF_T_EHDR);
  Elf32_Ehdr narrow = {
      .e_type = wide.e_type,
      .e_machine = wide.e_machine,
      .e_version = wide.e_version,
      .e_shoff = sizeof(narrow),
      .e_ehsize = sizeof(narrow),
      .e_shentsize = sizeof(Elf32_Shdr),
      .e_shnum = wide.e_shnum,
      .e_shstrndx = wide.e_shstrndx,
  };
  memcpy(narrow.e_ident, wide.e_ident, sizeof(narrow.e_ident));
  return write_struct(from, at, &narrow, sizeof(narrow), ELF_T_EHDR);
}

static size_t write_section(const struct debug_sections *from, uint8_t *at,
                            Elf64_Shdr shdr) {
  if (from->class == ELFCLASS64)
    return write_struct(from, at, &shdr, sizeof(shdr), ELF_T_SHDR);
  Elf32_Shdr narrow = {
      .sh_name = shdr.sh_name,
      .sh_type = shdr.sh_type,
      .sh_offset = (uint32_t)shdr.sh_offset,
      .sh_size = (uint32_t)shdr.sh_size,
      .sh_addralign = (uint32_t)shdr.sh_addralign,
  };
  return write_struct(from, at, &narrow, sizeof(narrow), ELF_T_SHDR);
}

struct Elf *debug_elf_compose(const struct debug_sections *from,
                              const struct debug_section *parts,
                              size_t n_parts) {
  uint8_t *const start = from->start;
  uint8_t *const names = start + HEADER_BYTES - sizeof(section_names);
  memcpy(names, section_names, sizeof(section_names));
  uint8_t *next = start + write_header(from, start, n_parts + 2);
  next += write_section(from, next, (Elf64_Shdr){.sh_type = SHT_NULL});
  next += write_section(from, next,
                        (Elf64_Shdr){.sh_name = find_name(".shstrtab"),
                                     .sh_type = SHT_STRTAB,
                                     .sh_offset = (uint64_t)(names - start),
                                     .sh_size = sizeof(section_names),
                                     .sh_addralign = 1});
  for (size_t i = 0; i < n_parts; i++)
    next += write_section(
        from, next,
        (Elf64_Shdr){.sh_name = find_name(parts[i].name),
                     .sh_type = SHT_PROGBITS,
                     .sh_offset = (uint64_t)(parts[i].bytes.bytes - start),
                     .sh_size = parts[i].bytes.n_bytes,
                     .sh_addralign = 1});
  return elf_memory((char *)start, from->n_bytes);
}

//===--- Strings ----------------------------------------------------------===//

bool debug_elf_has_strings(struct Elf *elf, size_t i_section) {
  GElf_Shdr shdr;
  Elf_Scn *const section = elf_getscn(elf, i_section);
  return !section || !gelf_getshdr(section, &shdr) ||
         !(shdr.sh_flags & SHF_COMPRESSED);
}

bool debug_elf_find_names(struct Elf *elf, size_t *i_names) {
  return elf_getshdrstrndx(elf, i_names) == 0 &&
         debug_elf_has_strings(elf, *i_names);
}

//===--- Compressed sections ----------------------------------------------===//

/** A section that is read, as it is in the file. */
struct packed {
  uint32_t name;           // in section_names; 0: it is not read
  uint32_t kind;           // COMPRESS_...; 0: not compressed
  uint64_t size;           // of its contents
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
  if (packed->kind == 0) // which means "not compressed" here
    packed->kind = UINT32_MAX;
  if (is_64)
    byte_reader_skip(&reader, 4); // reserved
  packed->size = byte_reader_uint(&reader, word_bytes);
  byte_reader_skip(&reader, word_bytes); // alignment
  packed->bytes = (struct line_bytes){.bytes = reader.at,
                                      .n_bytes = byte_reader_left(&reader)};
}

/** Find the name of a section in section_names, or 0. Names of the older form
 * begin with .zdebug_. */
static uint32_t find_plain_name(const char *name, const char *suffix,
                                bool *is_old) {
  char plain[32] = ".debug_";
  *is_old = strncmp(name, ".zdebug_", 8) == 0;
  if (strcmp(name, ".gnu_debugaltlink") == 0)
    return find_name(name);
  if (!*is_old && strncmp(name, plain, 7) != 0)
    return 0;
  const char *const rest = name + (*is_old ? 8 : 7);
  const size_t n_rest = strlen(rest), n_suffix = strlen(suffix);
  if (n_rest >= sizeof(plain) - 7)
    return 0;
  strcpy(plain + 7, rest);
  if (n_suffix == 0)
    return find_name(plain);
  if (n_rest < n_suffix || strcmp(rest + n_rest - n_suffix, suffix) != 0)
    return strcmp(rest, "cu_index") == 0 ? find_name(plain) : 0;
  plain[7 + n_rest - n_suffix] = '\0';
  return find_name(plain);
}

static struct packed read_section(Elf *elf, size_t i_names, const char *suffix,
                                  Elf_Scn *section) {
  struct packed packed = {.name = 0};
  GElf_Shdr shdr;
  // Groups are in objects that are not linked: their units are in other
  // objects, too.
  if (!gelf_getshdr(section, &shdr) || shdr.sh_type == SHT_NOBITS ||
      shdr.sh_flags & SHF_GROUP)
    return packed;
  const char *const name = elf_strptr(elf, i_names, shdr.sh_name);
  bool is_old = false;
  packed.name = name ? find_plain_name(name, suffix, &is_old) : 0;
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

/** The sections that are read. */
struct sections {
  struct packed packed[DEBUG_SECTIONS];
  size_t n;
};

/** Index of the section of a name, or n if there is none. */
static size_t place_of(const struct sections *sections, uint32_t name) {
  size_t i = 0;
  while (i < sections->n && sections->packed[i].name != name)
    i++;
  return i;
}

static void list_sections(Elf *elf, const char *suffix, struct sections *out) {
  Elf_Scn *section = NULL;
  size_t i_names;
  out->n = 0;
  if (!debug_elf_find_names(elf, &i_names))
    return;
  while ((section = elf_nextscn(elf, section))) {
    const struct packed packed = read_section(elf, i_names, suffix, section);
    if (!packed.name)
      continue;
    // Compilers write type units first, in sections of the same name.
    const size_t i = place_of(out, packed.name);
    out->packed[i] = packed;
    if (i == out->n)
      out->n++;
  }
}

/** Can all sections be read in place, without a copy? */
static bool can_stay(const struct sections *sections, struct line_bytes file) {
  for (size_t i = 0; i < sections->n; i++) {
    const struct packed *const packed = &sections->packed[i];
    const size_t off = (size_t)(packed->bytes.bytes - file.bytes);
    if (packed->kind || off > file.n_bytes ||
        packed->bytes.n_bytes > file.n_bytes - off)
      return false;
  }
  return file.bytes;
}

/** List the sections in place. */
static void keep_all(const struct sections *sections, struct line_bytes file,
                     struct debug_sections *out) {
  out->start = (uint8_t *)file.bytes - HEADER_BYTES;
  out->n_bytes = HEADER_BYTES + file.n_bytes;
  for (size_t i = 0; i < sections->n; i++)
    out->list[out->n++] =
        (struct debug_section){.name = section_names + sections->packed[i].name,
                               .bytes = sections->packed[i].bytes};
  out->is_complete = true;
}

/**
 * Drop sections that claim to be too large.
 *
 * limit  of the bytes that decompression may yield.
 *
 * Returns the total size of the others.
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

/** Write the contents of a section. Returns false if it is damaged. */
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

/** Copy the listed sections into new memory. */
static int unpack_all(struct sections *sections, size_t file_bytes,
                      struct debug_sections *out, struct err *err) {
  const size_t n_listed = sections->n;
  out->n_bytes =
      HEADER_BYTES + limit_sections(sections, decompress_limit(file_bytes));
  out->start = malloc(out->n_bytes);
  if (!out->start)
    return err_no_memory(err);
  out->is_copy = true;
  uint8_t *next = out->start + HEADER_BYTES;
  for (size_t i = 0; i < sections->n; i++) {
    const struct packed *const packed = &sections->packed[i];
    if (unpack(packed, next))
      out->list[out->n++] = (struct debug_section){
          .name = section_names + packed->name,
          .bytes = {.bytes = next, .n_bytes = (size_t)packed->size}};
    next += packed->size;
  }
  out->is_complete = out->n == n_listed;
  return 0;
}

/** Cut sections of strings off after the last NUL: libdw returns strings that
 * end neither with their section nor with the file. */
static void end_strings(struct debug_sections *sections) {
  for (size_t i = 0; i < sections->n; i++) {
    const char *const name = sections->list[i].name;
    struct line_bytes *const bytes = &sections->list[i].bytes;
    if (strcmp(name, ".debug_str") != 0 && strcmp(name, ".debug_line_str") != 0)
      continue;
    const uint8_t *const end =
        bytes->n_bytes ? memrchr(bytes->bytes, 0, bytes->n_bytes) : NULL;
    bytes->n_bytes = end ? (size_t)(end + 1 - bytes->bytes) : 0;
  }
}

int debug_sections_load(struct Elf *original, struct line_bytes file,
                        const char *suffix, struct debug_sections *out,
                        struct err *err) {
  struct sections sections;
  GElf_Ehdr ehdr;
  *out = (struct debug_sections){.n = 0};
  if (!gelf_getehdr(original, &ehdr))
    return 0;
  out->class = ehdr.e_ident[EI_CLASS];
  out->order = ehdr.e_ident[EI_DATA];
  out->machine = ehdr.e_machine;
  list_sections(original, suffix, &sections);
  if (can_stay(&sections, file))
    keep_all(&sections, file, out);
  else if (unpack_all(&sections, file.n_bytes, out, err))
    return -1;
  end_strings(out);
  return 0;
}

struct line_bytes debug_sections_find(const struct debug_section *sections,
                                      size_t n_sections, const char *name) {
  for (size_t i = 0; i < n_sections; i++)
    if (strcmp(sections[i].name, name) == 0)
      return sections[i].bytes;
  return (struct line_bytes){.bytes = NULL};
}

void debug_sections_release(struct debug_sections *sections) {
  if (sections->is_copy)
    free(sections->start);
  *sections = (struct debug_sections){.n = 0};
}
