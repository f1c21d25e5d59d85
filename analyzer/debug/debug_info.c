/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_info.h"

#include "base/err.h"
#include "debug/debug_elf.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void note_debug_section(struct debug_info *info, const char *name,
                               Elf_Scn *section) {
  Elf_Data *const data = elf_rawdata(section, NULL);
  if (!data || !data->d_buf)
    return;
  info->n_bytes += data->d_size;
  const struct line_bytes bytes = {.bytes = data->d_buf,
                                   .n_bytes = data->d_size};
  if (strcmp(name, ".debug_line") == 0)
    info->sections.line = bytes;
  else if (strcmp(name, ".debug_str") == 0)
    info->sections.str = bytes;
  else if (strcmp(name, ".debug_line_str") == 0)
    info->sections.line_str = bytes;
  else if (strcmp(name, ".debug_abbrev") == 0)
    info->abbrevs = bytes;
  else if (strcmp(name, ".debug_addr") == 0)
    info->addrs = bytes;
  else if (strcmp(name, ".debug_ranges") == 0)
    info->ranges = bytes;
  else if (strcmp(name, ".debug_info") == 0)
    info->n_info_bytes = bytes.n_bytes;
}

/** Call for each section of an ELF file that has a name. */
static void read_sections(struct debug_info *info, Elf *elf,
                          void (*read)(struct debug_info *info,
                                       const char *name, Elf_Scn *section)) {
  size_t i_names;
  Elf_Scn *section = NULL;
  if (elf_getshdrstrndx(elf, &i_names))
    return;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr shdr;
    const char *const name = gelf_getshdr(section, &shdr)
                                 ? elf_strptr(elf, i_names, shdr.sh_name)
                                 : NULL;
    if (name)
      read(info, name, section);
  }
}

static void note_text_section(struct debug_info *info, const char *name,
                              Elf_Scn *section) {
  GElf_Shdr shdr;
  if (!gelf_getshdr(section, &shdr))
    return;
  if (shdr.sh_flags & SHF_EXECINSTR && shdr.sh_addr < info->lowest)
    info->lowest = shdr.sh_addr;
  if (strcmp(name, ".text") == 0)
    info->i_text = elf_ndxscn(section);
}

static void note_file_text_section(struct debug_info *info, const char *name,
                                   Elf_Scn *section) {
  if (strcmp(name, ".text") == 0)
    info->i_file_text = elf_ndxscn(section);
}

/**
 * Tell libdw which file dwz made, or that there is none: else it would open
 * whatever .gnu_debugaltlink names, and wait for it if that is a pipe.
 */
static void attach_alternative(struct debug_info *info, const char *path) {
  if (!info->dwarf)
    return;
  info->alternative = debug_file_find_alternative(info->dwarf, path);
  if (info->alternative.elf)
    info->alternative_dwarf =
        dwarf_begin_elf(info->alternative.elf, DWARF_C_READ, NULL);
  info->has_alternative = info->alternative_dwarf != NULL;
  // The last one of the chain is its own alternative: nobody else will be
  // looked for.
  if (info->has_alternative)
    dwarf_setalt(info->alternative_dwarf, info->alternative_dwarf);
  dwarf_setalt(info->dwarf,
               info->has_alternative ? info->alternative_dwarf : info->dwarf);
}

/** Take the debug sections of an ELF file, if it has any. */
static int read_debug(struct debug_info *info, Elf *elf, size_t file_bytes,
                      const char *path, struct err *err) {
  if (debug_elf_expand(elf, file_bytes, path, &info->expanded, &info->memory,
                       err))
    return -1;
  if (info->expanded)
    elf = info->expanded;
  info->n_bytes = 0;
  info->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
  attach_alternative(info, path);
  read_sections(info, elf, note_debug_section);
  return 0;
}

static void release_debug(struct debug_info *info) {
  if (info->dwarf)
    dwarf_end(info->dwarf);
  info->dwarf = NULL;
  if (info->alternative_dwarf)
    dwarf_end(info->alternative_dwarf);
  info->alternative_dwarf = NULL;
  debug_file_close(&info->alternative);
  elf_end(info->expanded);
  info->expanded = NULL;
  free(info->memory);
  info->memory = NULL;
}

int debug_info_open(const char *path, struct debug_info *out, struct err *err) {
  *out = (struct debug_info){
      .lowest = UINT64_MAX, .file = {.fd = -1}, .alternative = {.fd = -1}};
  if (mapped_file_open(path, &out->image, err))
    return -1;
  elf_version(EV_CURRENT);
  out->elf = elf_memory((char *)out->image.bytes, out->image.n_bytes);
  GElf_Ehdr ehdr;
  if (!out->elf || elf_kind(out->elf) != ELF_K_ELF ||
      !gelf_getehdr(out->elf, &ehdr))
    return err_set(err, ERR_INPUT, "%s: not an ELF file", path);
  out->sections.is_big_endian = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
  read_sections(out, out->elf, note_text_section);
  if (read_debug(out, out->elf, out->image.n_bytes, path, err))
    return -1;
  if (out->sections.line.n_bytes)
    return 0;
  out->file = debug_file_find(out->elf, path);
  if (!out->file.elf)
    return 0;
  release_debug(out);
  read_sections(out, out->file.elf, note_file_text_section);
  struct stat status;
  const size_t file_bytes =
      fstat(out->file.fd, &status) == 0 ? (size_t)status.st_size : 0;
  return read_debug(out, out->file.elf, file_bytes, path, err);
}

void debug_info_close(struct debug_info *info) {
  release_debug(info);
  debug_file_close(&info->file);
  if (info->elf)
    elf_end(info->elf);
  mapped_file_close(&info->image);
  *info = (struct debug_info){.file = {.fd = -1}, .alternative = {.fd = -1}};
}
