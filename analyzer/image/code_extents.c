/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/code_extents.h"

#include "base/array.h"
#include "base/byte_reader.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "image/image.h"
#include "image/image_elf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>

/** .eh_frame being read. */
struct reading {
  const struct image *image;
  const char *e_ident;
  Elf_Data data;     // the section; only read
  uint64_t vaddr;    // of its first byte
  uint64_t cie;      // offset of the entry that encoding is of; or NO_CIE
  unsigned encoding; // of addresses: DW_EH_PE_*
  struct code_extents *out;
  size_t capacity;
};

#define NO_CIE UINT64_MAX

/** Read a number. format: low half of a DW_EH_PE_*. */
static uint64_t read_encoded(struct byte_reader *reader, unsigned format,
                             unsigned class_bits) {
  switch (format) {
  case DW_EH_PE_absptr:
    return byte_reader_uint(reader, class_bits / 8);
  case DW_EH_PE_uleb128:
    return byte_reader_leb(reader, false);
  case DW_EH_PE_sleb128:
    return byte_reader_leb(reader, true);
  case DW_EH_PE_udata2:
    return byte_reader_uint(reader, 2);
  case DW_EH_PE_sdata2:
    return (uint64_t)(int16_t)byte_reader_uint(reader, 2);
  case DW_EH_PE_udata4:
    return byte_reader_uint(reader, 4);
  case DW_EH_PE_sdata4:
    return (uint64_t)(int32_t)byte_reader_uint(reader, 4);
  case DW_EH_PE_udata8:
  case DW_EH_PE_sdata8:
    return byte_reader_uint(reader, 8);
  default:
    reader->has_failed = true;
    return 0;
  }
}

/** The encoding of addresses according to a common entry; DW_EH_PE_omit if it
 * cannot be determined. Source: LSB 5, "The Common Information Entry
 * Format". */
static unsigned encoding_of(const struct reading *reading,
                            const Dwarf_CIE *cie) {
  const char *letter = cie->augmentation;
  if (*letter != 'z')
    return *letter ? DW_EH_PE_omit : DW_EH_PE_absptr;
  struct byte_reader reader = {
      .at = cie->augmentation_data,
      .end = cie->augmentation_data + cie->augmentation_data_size,
      .is_big_endian = reading->image->is_big_endian,
  };
  if (!reader.at)
    return DW_EH_PE_omit;
  while (*++letter && !reader.has_failed) {
    if (*letter == 'R')
      return byte_reader_byte(&reader);
    if (*letter == 'L')
      byte_reader_byte(&reader);
    else if (*letter == 'P')
      read_encoded(&reader, byte_reader_byte(&reader) & 0x0f,
                   reading->image->class_bits);
    else if (*letter != 'S' && *letter != 'B')
      return DW_EH_PE_omit;
  }
  return reader.has_failed ? DW_EH_PE_omit : DW_EH_PE_absptr;
}

static Dwarf_Off next_entry(struct reading *reading, Dwarf_Off offset,
                            Dwarf_CFI_Entry *out, int *rc) {
  Dwarf_Off next = offset;
  *rc = dwarf_next_cfi((const unsigned char *)reading->e_ident, &reading->data,
                       true, offset, &next, out);
  return next;
}

static void find_encoding(struct reading *reading, uint64_t cie_offset) {
  Dwarf_CFI_Entry entry;
  int rc;
  if (reading->cie == cie_offset)
    return;
  reading->cie = cie_offset;
  reading->encoding = DW_EH_PE_omit;
  next_entry(reading, cie_offset, &entry, &rc);
  if (rc == 0 && dwarf_cfi_cie_p(&entry))
    reading->encoding = encoding_of(reading, &entry.cie);
}

/** Read the addresses that an entry covers; false if they cannot be read. */
static bool read_extent(struct reading *reading, const Dwarf_FDE *fde,
                        struct code_extent *out) {
  const struct image *const image = reading->image;
  struct byte_reader reader = {
      .at = fde->start, .end = fde->end, .is_big_endian = image->is_big_endian};
  find_encoding(reading, fde->CIE_pointer);
  const unsigned encoding = reading->encoding;
  const unsigned application = encoding & 0xf0;
  if (encoding == DW_EH_PE_omit ||
      (application != DW_EH_PE_absptr && application != DW_EH_PE_pcrel))
    return false;
  const uint64_t at =
      (uint64_t)(fde->start - (const uint8_t *)reading->data.d_buf);
  const uint64_t mask = image->class_bits == 32 ? UINT32_MAX : UINT64_MAX;
  uint64_t low = read_encoded(&reader, encoding & 0x0f, image->class_bits);
  // A signed format of the address is an unsigned one of the length.
  const uint64_t length =
      read_encoded(&reader, encoding & 0x07, image->class_bits);
  if (application == DW_EH_PE_pcrel)
    low += reading->vaddr + at;
  low &= mask;
  *out = (struct code_extent){low, low + length};
  return !reader.has_failed && length > 0 && length <= mask - low;
}

static int read_entries(struct reading *reading, struct err *err) {
  struct code_extents *const out = reading->out;
  Dwarf_Off offset = 0;
  for (;;) {
    Dwarf_CFI_Entry entry;
    int rc;
    const Dwarf_Off next = next_entry(reading, offset, &entry, &rc);
    // An invalid entry may still have the offset of the next one.
    if (rc > 0 || next <= offset || next == (Dwarf_Off)-1)
      return 0;
    offset = next;
    struct code_extent extent;
    if (rc < 0 || dwarf_cfi_cie_p(&entry) ||
        !read_extent(reading, &entry.fde, &extent))
      continue;
    struct code_extent *const extents = array_grow(
        out->extents, out->n_extents, &reading->capacity, sizeof(*extents));
    if (!extents)
      return err_no_memory(err);
    out->extents = extents;
    extents[out->n_extents++] = extent;
  }
}

static int compare_extents(const void *left_ptr, const void *right_ptr,
                           const void *context) {
  const struct code_extent *const left = left_ptr;
  const struct code_extent *const right = right_ptr;
  (void)context;
  return (left->low > right->low) - (left->low < right->low);
}

int code_extents_load(const struct image *image, struct code_extents *out,
                      struct err *err) {
  struct image_section section;
  *out = (struct code_extents){0};
  if (!image_find_section(image, ".eh_frame", &section) || !section.bytes)
    return 0;
  struct reading reading = {
      .image = image,
      .e_ident = elf_getident(image->elf->elf, NULL),
      .data = {.d_buf = (void *)section.bytes,
               .d_type = ELF_T_BYTE,
               .d_version = EV_CURRENT,
               .d_size = section.n_bytes,
               .d_align = 1},
      .vaddr = section.vaddr,
      .cie = NO_CIE,
      .out = out,
  };
  if (!reading.e_ident)
    return 0;
  int rc = read_entries(&reading, err);
  if (rc == 0 && merge_sort(out->extents, out->n_extents, sizeof(*out->extents),
                            compare_extents, NULL))
    rc = err_no_memory(err);
  if (rc) {
    code_extents_release(out);
    return -1;
  }
  size_t n_kept = 0;
  for (size_t i = 0; i < out->n_extents; i++)
    if (n_kept == 0 || out->extents[n_kept - 1].low != out->extents[i].low)
      out->extents[n_kept++] = out->extents[i];
  out->n_extents = n_kept;
  return 0;
}

size_t code_extents_count_up_to(const struct code_extents *extents,
                                uint64_t vaddr) {
  return sorted_count_keys(extents->extents, extents->n_extents,
                           sizeof(*extents->extents), vaddr);
}

void code_extents_release(struct code_extents *extents) {
  free(extents->extents);
  *extents = (struct code_extents){0};
}
