/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/dyn_names.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sorted.h"
#include "debug/debug_elf.h"
#include "image/image.h"
#include "image/image_elf.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) {
  const struct dyn_name *const x = a, *const y = b;
  const int by_name = strcmp(x->name, y->name);
  if (by_name)
    return by_name;
  return (x->i_symbol > y->i_symbol) - (x->i_symbol < y->i_symbol);
}

/** Does the dynamic linker find a function of the image by this symbol? */
static bool is_offered(const GElf_Sym *sym) {
  const unsigned type = GELF_ST_TYPE(sym->st_info);
  const unsigned binding = GELF_ST_BIND(sym->st_info);
  const unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);
  return (type == STT_FUNC || type == STT_NOTYPE) && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED) &&
         sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS &&
         sym->st_shndx != SHN_COMMON;
}

static bool is_ifunc(const GElf_Sym *sym) {
  return GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC &&
         sym->st_shndx != SHN_UNDEF;
}

static bool is_import(const GElf_Sym *sym) {
  return sym->st_shndx == SHN_UNDEF && sym->st_name != 0;
}

/** Read the wanted symbols of the first table of a type. */
static int load(const struct image *image, uint32_t type,
                bool (*is_wanted)(const GElf_Sym *sym), struct dyn_names *out,
                struct err *err) {
  Elf *const elf = image->elf->elf;
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  size_t capacity = 0;
  *out = (struct dyn_names){0};
  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, &header) && header.sh_type == type)
      break;
  Elf_Data *const data = section && debug_elf_has_strings(elf, header.sh_link)
                             ? elf_getdata(section, NULL)
                             : NULL;
  const size_t symbol_bytes = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
  if (!data || symbol_bytes == 0)
    return 0;
  const size_t n_symbols = data->d_size / symbol_bytes;
  for (size_t i = 0; i < n_symbols && i <= INT32_MAX; i++) {
    GElf_Sym sym;
    if (!gelf_getsym(data, (int)i, &sym) || !is_wanted(&sym))
      continue;
    const char *const name = elf_strptr(elf, header.sh_link, sym.st_name);
    if (!name)
      continue;
    struct dyn_name *const names =
        array_grow(out->names, out->n_names, &capacity, sizeof(*names));
    if (!names) {
      dyn_names_release(out);
      return err_no_memory(err);
    }
    out->names = names;
    names[out->n_names++] =
        (struct dyn_name){.name = name, .vaddr = sym.st_value, .i_symbol = i};
  }
  if (out->n_names)
    qsort(out->names, out->n_names, sizeof(*out->names), compare_names);
  return 0;
}

int dyn_names_load(const struct image *image, struct dyn_names *out,
                   struct err *err) {
  return load(image, SHT_DYNSYM, is_offered, out, err);
}

int dyn_names_load_ifuncs(const struct image *image, struct dyn_names *out,
                          struct err *err) {
  return load(image, SHT_SYMTAB, is_ifunc, out, err);
}

int dyn_names_load_imports(const struct image *image, struct dyn_names *out,
                           struct err *err) {
  return load(image, SHT_DYNSYM, is_import, out, err);
}

bool dyn_names_find(const struct dyn_names *names, const char *name,
                    uint64_t *vaddr) {
  const size_t i =
      sorted_find(names->names, names->n_names, sizeof(*names->names), &name,
                  sorted_compare_names, NULL);
  if (i == names->n_names)
    return false;
  *vaddr = names->names[i].vaddr;
  return true;
}

void dyn_names_release(struct dyn_names *names) {
  free(names->names);
  *names = (struct dyn_names){0};
}
