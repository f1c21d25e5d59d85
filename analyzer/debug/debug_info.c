/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/debug_info.h"

#include "base/err.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>

/** Call for each section of an ELF file that has a name. */
static void read_sections(struct debug_info *info, Elf *elf,
                          void (*read)(struct debug_info *info,
                                       const char *name, Elf_Scn *section)) {
  size_t i_names;
  Elf_Scn *section = NULL;
  if (!debug_elf_find_names(elf, &i_names))
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

/** Open the debug sections of a file, which is closed after them. */
static int open_dwarf(Elf *elf, const struct mapped_file *file,
                      const char *path, struct debug_dwarf *out,
                      struct err *err) {
  const struct line_bytes bytes = {.bytes = file->bytes,
                                   .n_bytes = file->n_bytes};
  struct debug_sections *const sections = &out->sections;
  if (debug_sections_load(elf, bytes, "", sections, err))
    return -1;
  if (sections->start && !sections->is_complete)
    warn("%s: compressed debug sections are skipped: corrupt, or larger than "
         "16 times the file",
         path);
  if (sections->n == 0)
    return 0;
  out->elf = debug_elf_compose(sections, sections->list, sections->n);
  if (!out->elf)
    return err_no_memory(err);
  out->dwarf = dwarf_begin_elf(out->elf, DWARF_C_READ, NULL);
  return 0;
}

static void close_dwarf(struct debug_dwarf *dwarf) {
  dwarf_end(dwarf->dwarf);
  elf_end(dwarf->elf);
  debug_sections_release(&dwarf->sections);
  *dwarf = (struct debug_dwarf){.dwarf = NULL};
}

/**
 * Set libdw's file of dwz, or that there is none: otherwise it would open any
 * file in .gnu_debugaltlink, and wait for it if that is a pipe.
 */
static int attach_alternative(struct debug_info *info, const char *path,
                              struct err *err) {
  struct debug_file *const file = &info->alternative_file;
  if (!info->dwarf)
    return 0;
  debug_file_find_alternative(info->dwarf, path, file);
  if (file->elf &&
      open_dwarf(file->elf, &file->mapped, path, &info->alternative, err))
    return -1;
  Dwarf *const alternative = info->alternative.dwarf;
  info->has_alternative = alternative != NULL;
  // The last one of the chain is its own alternative: libdw searches for no
  // other.
  if (alternative)
    dwarf_setalt(alternative, alternative);
  dwarf_setalt(info->dwarf, alternative ? alternative : info->dwarf);
  return 0;
}

/** Store the places of the sections that are read without libdw. */
static void note_sections(struct debug_info *info) {
  const struct debug_sections *const sections = &info->own.sections;
  const struct {
    const char *name;
    struct line_bytes *bytes;
  } places[] = {
      {".debug_line", &info->sections.line},
      {".debug_str", &info->sections.str},
      {".debug_line_str", &info->sections.line_str},
      {".debug_abbrev", &info->abbrevs},
      {".debug_addr", &info->addrs},
      {".debug_ranges", &info->ranges},
  };
  for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
    *places[i].bytes =
        debug_sections_find(sections->list, sections->n, places[i].name);
  info->n_info_bytes =
      debug_sections_find(sections->list, sections->n, ".debug_info").n_bytes;
  info->n_bytes = sections->n_bytes;
}

/** Take the debug sections of an ELF file, if it has any. */
static int read_debug(struct debug_info *info, Elf *elf,
                      const struct mapped_file *file, const char *path,
                      struct err *err) {
  if (open_dwarf(elf, file, path, &info->own, err))
    return -1;
  info->dwarf = info->own.dwarf;
  note_sections(info);
  return attach_alternative(info, path, err);
}

static void release_debug(struct debug_info *info) {
  close_dwarf(&info->own);
  info->dwarf = NULL;
  info->has_alternative = false;
  close_dwarf(&info->alternative);
  debug_file_close(&info->alternative_file);
}

int debug_info_open(const char *path, struct debug_info *out, struct err *err) {
  *out = (struct debug_info){.lowest = UINT64_MAX};
  if (mapped_file_open(path, DEBUG_ELF_ROOM_BYTES, &out->image, err))
    return -1;
  elf_version(EV_CURRENT);
  out->elf = elf_memory((char *)out->image.bytes, out->image.n_bytes);
  GElf_Ehdr ehdr;
  if (!out->elf || elf_kind(out->elf) != ELF_K_ELF ||
      !gelf_getehdr(out->elf, &ehdr))
    return err_set(
        err, ERR_INPUT,
        "%s: not an ELF file; name an executable, a library or its debug file",
        path);
  size_t i_names;
  if (!debug_elf_find_names(out->elf, &i_names))
    return err_set(err, ERR_INPUT, "%s: ELF file has no section names", path);
  out->sections.is_big_endian = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
  read_sections(out, out->elf, note_text_section);
  if (read_debug(out, out->elf, &out->image, path, err))
    return -1;
  if (out->sections.line.n_bytes)
    return 0;
  debug_file_find(out->elf, path, &out->file);
  if (!out->file.elf)
    return 0;
  release_debug(out);
  read_sections(out, out->file.elf, note_file_text_section);
  return read_debug(out, out->file.elf, &out->file.mapped, path, err);
}

void debug_info_close(struct debug_info *info) {
  release_debug(info);
  debug_file_close(&info->file);
  elf_end(info->elf);
  mapped_file_close(&info->image);
  *info = (struct debug_info){.dwarf = NULL};
}
