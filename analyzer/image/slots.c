/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/slots.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "debug/debug_elf.h"
#include "image/image.h"
#include "image/image_elf.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>

/** The value that a relocation stores. */
enum filling { FILLS_NOTHING, FILLS_SYMBOL, FILLS_ADDEND };

static enum filling filling_of(uint16_t machine, uint64_t type) {
  switch (machine) {
  case EM_X86_64:
    return type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT
               ? FILLS_SYMBOL
           : type == R_X86_64_RELATIVE ? FILLS_ADDEND
                                       : FILLS_NOTHING;
  case EM_386:
    return type == R_386_GLOB_DAT || type == R_386_JMP_SLOT ? FILLS_SYMBOL
                                                            : FILLS_NOTHING;
  case EM_AARCH64:
    return type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT
               ? FILLS_SYMBOL
           : type == R_AARCH64_RELATIVE ? FILLS_ADDEND
                                        : FILLS_NOTHING;
  default:
    return FILLS_NOTHING;
  }
}

/** Relocations being read. */
struct reading {
  const struct image *image;
  struct image_section got; // other addends fill in data, and there are many
  struct image_slots *out;
  size_t capacity;
};

/** A section of relocations, with its symbols. */
struct relocations {
  Elf_Data *data;
  bool has_addends;
  Elf_Data *symbols; // or NULL
  size_t i_strings;
};

static int add_slot(struct reading *reading, const struct image_slot *slot,
                    struct err *err) {
  struct image_slots *const out = reading->out;
  struct image_slot *const grown = array_grow(
      out->slots, out->n_slots, &reading->capacity, sizeof(*out->slots));

  if (!grown)
    return err_no_memory(err);
  out->slots = grown;
  out->slots[out->n_slots++] = *slot;
  return 0;
}

static int read_relocation(struct reading *reading,
                           const struct relocations *relocations,
                           const GElf_Rela *rela, struct err *err) {
  const struct image_section *const got = &reading->got;
  struct image_slot slot = {.vaddr = rela->r_offset};
  GElf_Sym symbol;

  switch (filling_of(reading->image->machine, GELF_R_TYPE(rela->r_info))) {
  case FILLS_SYMBOL:
    if (!relocations->symbols ||
        !gelf_getsym(relocations->symbols, (int)GELF_R_SYM(rela->r_info),
                     &symbol))
      return 0;
    slot.name = elf_strptr(reading->image->elf->elf, relocations->i_strings,
                           symbol.st_name);
    return slot.name ? add_slot(reading, &slot, err) : 0;
  case FILLS_ADDEND:
    if (slot.vaddr - got->vaddr >= got->size_bytes)
      return 0;
    slot.to_vaddr = (uint64_t)rela->r_addend;
    return add_slot(reading, &slot, err);
  default:
    return 0;
  }
}

static int read_relocations(struct reading *reading,
                            const struct relocations *relocations,
                            struct err *err) {
  GElf_Rela rela = {0};
  GElf_Rel rel;

  for (int i = 0;; i++) {
    if (relocations->has_addends) {
      if (!gelf_getrela(relocations->data, i, &rela))
        return 0;
    } else {
      if (!gelf_getrel(relocations->data, i, &rel))
        return 0;
      rela.r_offset = rel.r_offset;
      rela.r_info = rel.r_info;
    }
    if (read_relocation(reading, relocations, &rela, err))
      return -1;
  }
}

static int compare_slots(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct image_slot *const left = left_ptr;
  const struct image_slot *const right = right_ptr;

  (void)context;
  return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

int image_slots_load(const struct image *image, struct image_slots *out,
                     struct err *err) {
  Elf *const elf = image->elf->elf;
  struct reading reading = {.image = image, .out = out};
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  *out = (struct image_slots){0};
  if (!image_find_section(image, ".got", &reading.got))
    reading.got = (struct image_section){0};
  // Source: System V ABI, Intel386 supplement, _GLOBAL_OFFSET_TABLE_.
  struct image_section got_plt;
  out->base_vaddr = image_find_section(image, ".got.plt", &got_plt)
                        ? got_plt.vaddr
                        : reading.got.vaddr;
  while ((section = elf_nextscn(elf, section))) {
    if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
        (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
      continue;
    struct relocations relocations = {
        .data = elf_getdata(section, NULL),
        .has_addends = header.sh_type == SHT_RELA,
    };
    Elf_Scn *const symbols = elf_getscn(elf, header.sh_link);
    if (symbols && gelf_getshdr(symbols, &header) &&
        header.sh_type == SHT_DYNSYM &&
        debug_elf_has_strings(elf, header.sh_link)) {
      relocations.symbols = elf_getdata(symbols, NULL);
      relocations.i_strings = header.sh_link;
    }
    if (relocations.data && read_relocations(&reading, &relocations, err))
      goto fail;
  }
  if (merge_sort(out->slots, out->n_slots, sizeof(*out->slots), compare_slots,
                 NULL) == 0)
    return 0;
  err_no_memory(err);
fail:
  image_slots_release(out);
  return -1;
}

const struct image_slot *image_slots_find(const struct image_slots *slots,
                                          uint64_t vaddr) {
  const struct image_slot key = {.vaddr = vaddr};
  const size_t i = sorted_find(slots->slots, slots->n_slots, sizeof(key), &key,
                               compare_slots, NULL);

  return i < slots->n_slots ? &slots->slots[i] : NULL;
}

void image_slots_release(struct image_slots *slots) {
  free(slots->slots);
  *slots = (struct image_slots){0};
}
