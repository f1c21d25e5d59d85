/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Makes up images: 64-bit ELF files with symbols and a build-id, without code,
 * for tests of look-ups of addresses and names.
 */
#ifndef MADE_IMAGE_H
#define MADE_IMAGE_H

#include <stddef.h>

#include <elf.h>

#include "scratch.h"

/* The only section of code, and segment. */
enum { MADE_TEXT_LOW = 0x1000, MADE_TEXT_HIGH = 0x2000 };

enum made_symbol_flags {
  MADE_LOCAL = 1 << 0,    /* static */
  MADE_OFFERED = 1 << 1,  /* among the dynamic symbols, too */
  MADE_IMPORTED = 1 << 2, /* not defined; with MADE_OFFERED */
  MADE_IFUNC = 1 << 3,    /* its value is a resolver's */
};

/** A function. */
struct made_symbol {
  const char *name;
  uint64_t vaddr;
  unsigned flags; /* enum made_symbol_flags */
};

/** A file that is being composed. */
struct made_elf {
  uint8_t bytes[4096];
  size_t n_bytes;
};

struct made_note {
  Elf64_Nhdr header;
  char name[4], id[64];
};

/* Sections by number. */
enum { MADE_TEXT = 1, MADE_NOTE, MADE_SYMTAB, MADE_STRTAB };
enum { MADE_DYNSYM = 5, MADE_DYNSTR, MADE_SHSTRTAB, N_MADE_SECTIONS };

/** Append bytes, aligned to 8. Returns their offset in the file. */
static inline size_t made_append(struct made_elf *elf, const void *bytes,
                                 size_t n_bytes) {
  const size_t at = (elf->n_bytes + 7) & ~(size_t)7;

  assert_true(at + n_bytes <= sizeof(elf->bytes));
  if (n_bytes)
    memcpy(&elf->bytes[at], bytes, n_bytes);
  elf->n_bytes = at + n_bytes;
  return at;
}

/** Append a table of those symbols that have all flags, and its strings. */
static inline void made_symbols(struct made_elf *elf, Elf64_Shdr *symtab,
                                Elf64_Shdr *strtab,
                                const struct made_symbol *symbols, size_t n,
                                unsigned flags) {
  Elf64_Sym table[32] = {{0}};
  char names[512] = "";
  size_t n_table = 1, n_names = 1;

  for (size_t i = 0; i < n; i++) {
    if ((symbols[i].flags & flags) != flags)
      continue;
    const size_t n_name = strlen(symbols[i].name) + 1;
    assert_true(n_table < 32 && n_names + n_name <= sizeof(names));
    const int binding = symbols[i].flags & MADE_LOCAL ? STB_LOCAL : STB_GLOBAL;
    const int type = symbols[i].flags & MADE_IFUNC ? STT_GNU_IFUNC : STT_FUNC;
    table[n_table++] = (Elf64_Sym){
        .st_name = (Elf64_Word)n_names,
        .st_info = (unsigned char)ELF64_ST_INFO(binding, type),
        .st_shndx = symbols[i].flags & MADE_IMPORTED ? SHN_UNDEF : MADE_TEXT,
        .st_value = symbols[i].vaddr,
    };
    memcpy(&names[n_names], symbols[i].name, n_name);
    n_names += n_name;
  }
  symtab->sh_entsize = sizeof(*table);
  symtab->sh_size = n_table * sizeof(*table);
  symtab->sh_offset = made_append(elf, table, symtab->sh_size);
  strtab->sh_type = SHT_STRTAB;
  strtab->sh_size = n_names;
  strtab->sh_offset = made_append(elf, names, n_names);
}

/** Write an image. id: its build-id, of n_id bytes; 0: it has none. */
static inline void made_image(const char *path, const char *id, size_t n_id,
                              const struct made_symbol *symbols, size_t n) {
  static const char section_names[] = "\0.text\0.note\0.names";
  struct made_elf elf = {.n_bytes = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr)};
  struct made_note note = {{4, (Elf64_Word)n_id, NT_GNU_BUILD_ID}, "GNU", ""};
  Elf64_Shdr sections[N_MADE_SECTIONS] = {
      [MADE_TEXT] = {.sh_name = 1,
                     .sh_type = SHT_NOBITS,
                     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                     .sh_addr = MADE_TEXT_LOW,
                     .sh_size = MADE_TEXT_HIGH - MADE_TEXT_LOW},
      [MADE_NOTE] = {.sh_name = 7, .sh_type = n_id ? SHT_NOTE : SHT_NULL},
      [MADE_SYMTAB] = {.sh_type = SHT_SYMTAB, .sh_link = MADE_STRTAB},
      [MADE_DYNSYM] = {.sh_type = SHT_DYNSYM, .sh_link = MADE_DYNSTR},
      [MADE_SHSTRTAB] = {.sh_name = 13,
                         .sh_type = SHT_STRTAB,
                         .sh_size = sizeof(section_names)},
  };
  Elf64_Ehdr header = {
      .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                  __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB
                                                         : ELFDATA2LSB,
                  EV_CURRENT},
      .e_type = ET_DYN,
      .e_machine = EM_X86_64,
      .e_version = EV_CURRENT,
      .e_phoff = sizeof(header),
      .e_ehsize = sizeof(header),
      .e_phentsize = sizeof(Elf64_Phdr),
      .e_phnum = 1,
      .e_shentsize = sizeof(*sections),
      .e_shnum = N_MADE_SECTIONS,
      .e_shstrndx = MADE_SHSTRTAB,
  };
  const Elf64_Phdr segment = {.p_type = PT_LOAD,
                              .p_flags = PF_R | PF_X,
                              .p_vaddr = MADE_TEXT_LOW,
                              .p_memsz = MADE_TEXT_HIGH - MADE_TEXT_LOW};

  assert_true(n_id <= sizeof(note.id));
  if (n_id)
    memcpy(note.id, id, n_id);
  // Notes end at multiples of 4.
  sections[MADE_NOTE].sh_size =
      offsetof(struct made_note, id) + ((n_id + 3) & ~(size_t)3);
  sections[MADE_NOTE].sh_offset =
      made_append(&elf, &note, sections[MADE_NOTE].sh_size);
  made_symbols(&elf, &sections[MADE_SYMTAB], &sections[MADE_STRTAB], symbols, n,
               0);
  made_symbols(&elf, &sections[MADE_DYNSYM], &sections[MADE_DYNSTR], symbols, n,
               MADE_OFFERED);
  sections[MADE_SHSTRTAB].sh_offset =
      made_append(&elf, section_names, sizeof(section_names));
  header.e_shoff = made_append(&elf, sections, sizeof(sections));
  memcpy(elf.bytes, &header, sizeof(header));
  memcpy(elf.bytes + sizeof(header), &segment, sizeof(segment));
  write_bytes(path, elf.bytes, elf.n_bytes);
}

#endif
