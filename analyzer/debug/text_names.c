/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/text_names.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sort_u64.h"
#include "base/sorted.h"
#include "debug/debug_elf.h"

#include <gelf.h>
#include <stdlib.h>

/* Symbols of one address that are compared; more would cost without end. */
enum { MAX_ALIASES = 256 };

static uint64_t vaddr_of(const void *name) {
  return ((const struct text_name *)name)->vaddr;
}

/** Can a symbol name code? */
static bool names_code(const GElf_Sym *sym) {
  switch (GELF_ST_TYPE(sym->st_info)) {
  case STT_SECTION:
  case STT_FILE:
  case STT_OBJECT:
  case STT_COMMON:
  case STT_TLS:
    return false;
  case STT_NOTYPE:
    // Local, hidden symbols without a size are marks of compilers' plugins.
    return sym->st_size || GELF_ST_BIND(sym->st_info) != STB_LOCAL ||
           GELF_ST_VISIBILITY(sym->st_other) != STV_HIDDEN;
  default:
    return true;
  }
}

static Elf_Scn *find_symbols(Elf *elf, GElf_Shdr *shdr) {
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, shdr) && shdr->sh_type == SHT_SYMTAB)
      return section;
  return NULL;
}

static bool is_executable(Elf *elf, size_t i_section) {
  GElf_Shdr shdr;
  Elf_Scn *const section = elf_getscn(elf, i_section);
  return section && gelf_getshdr(section, &shdr) &&
         (shdr.sh_flags & SHF_EXECINSTR);
}

/** Address of a symbol's code. ARM and MIPS mark functions in an instruction
 * set of 2-byte units by an odd value. */
static uint64_t code_of(const GElf_Ehdr *ehdr, const GElf_Sym *sym) {
  const bool is_marked =
      (ehdr->e_machine == EM_ARM || ehdr->e_machine == EM_MIPS) &&
      GELF_ST_TYPE(sym->st_info) == STT_FUNC;
  return is_marked ? sym->st_value & ~(GElf_Addr)1 : sym->st_value;
}

int text_names_load(struct Elf *elf, size_t only_section,
                    struct text_names *out, struct err *err) {
  *out = (struct text_names){0};
  GElf_Ehdr ehdr;
  GElf_Shdr shdr;
  Elf_Scn *const section =
      gelf_getehdr(elf, &ehdr) ? find_symbols(elf, &shdr) : NULL;
  Elf_Data *const data = section && debug_elf_has_strings(elf, shdr.sh_link)
                             ? elf_getdata(section, NULL)
                             : NULL;
  const size_t entry_bytes = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
  if (!data || entry_bytes == 0 || data->d_size < entry_bytes)
    return 0;
  const size_t n_symbols = data->d_size / entry_bytes;
  out->names = calloc(n_symbols, sizeof(*out->names));
  if (!out->names)
    return err_no_memory(err);
  for (size_t i = 0; i < n_symbols && i <= INT32_MAX; i++) {
    GElf_Sym sym;
    if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF ||
        sym.st_shndx >= SHN_LORESERVE || !names_code(&sym))
      continue;
    if (only_section ? sym.st_shndx != only_section
                     : !is_executable(elf, sym.st_shndx))
      continue;
    const char *const name = elf_strptr(elf, shdr.sh_link, sym.st_name);
    if (!name)
      continue;
    const unsigned type = GELF_ST_TYPE(sym.st_info);
    out->names[out->n_names++] = (struct text_name){
        .vaddr = code_of(&ehdr, &sym),
        .size_bytes = sym.st_size ? sym.st_size : 1,
        .name = name,
        .is_func = type == STT_FUNC || type == STT_GNU_IFUNC,
        .is_typed = type != STT_NOTYPE,
    };
  }
  // Most symbols may be of data.
  out->names = array_trim(out->names, out->n_names, sizeof(*out->names));
  if (sort_by_key(out->names, out->n_names, sizeof(*out->names), vaddr_of) == 0)
    return 0;
  text_names_release(out);
  return err_no_memory(err);
}

/** Is a better than b for vaddr? Both start at the same address. */
static bool is_better(const struct text_name *a, const struct text_name *b,
                      uint64_t vaddr) {
  const uint64_t reach = vaddr - a->vaddr;
  if (b->size_bytes <= reach)
    return a->size_bytes > b->size_bytes;
  if (a->size_bytes <= reach)
    return false;
  if (a->is_func != b->is_func)
    return a->is_func;
  if (a->is_typed != b->is_typed)
    return a->is_typed;
  return a->size_bytes < b->size_bytes;
}

const struct text_name *text_names_find(const struct text_names *names,
                                        uint64_t vaddr) {
  const size_t end = sorted_count_keys(names->names, names->n_names,
                                       sizeof(*names->names), vaddr);
  if (end == 0)
    return NULL;
  const uint64_t start = names->names[end - 1].vaddr;
  size_t first = end - 1;
  while (first > 0 && end - first < MAX_ALIASES &&
         names->names[first - 1].vaddr == start)
    first--;
  const struct text_name *best = &names->names[first];
  for (size_t i = first + 1; i < end; i++)
    if (is_better(&names->names[i], best, vaddr))
      best = &names->names[i];
  return best;
}

void text_names_release(struct text_names *names) {
  free(names->names);
  *names = (struct text_names){0};
}
