/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/build_id.h"

#include "base/byte_reader.h"

#include <gelf.h>
#include <stdbool.h>
#include <string.h>

/** Find the build-id among the notes of a section: type 3 of owner "GNU".
 * Source: gABI "Note Section". */
static size_t find_in(struct byte_reader reader, uint64_t alignment,
                      const uint8_t **out) {
  static const char owner[] = "GNU";
  const uint64_t mask = alignment == 8 ? 7 : 3;
  const uint8_t *const start = reader.at;
  while (byte_reader_left(&reader)) {
    const uint64_t n_name = byte_reader_uint(&reader, 4);
    const uint64_t n_bytes = byte_reader_uint(&reader, 4);
    const bool is_id = byte_reader_uint(&reader, 4) == NT_GNU_BUILD_ID;
    const uint8_t *const name = reader.at;
    byte_reader_skip(&reader, n_name);
    byte_reader_skip(&reader, -(uint64_t)(reader.at - start) & mask);
    const uint8_t *const bytes = reader.at;
    if (!byte_reader_skip(&reader, n_bytes))
      break;
    if (is_id && n_name == sizeof(owner) &&
        memcmp(name, owner, sizeof(owner)) == 0) {
      *out = bytes;
      return (size_t)n_bytes;
    }
    if (!byte_reader_skip(&reader, -(uint64_t)(reader.at - start) & mask))
      break;
  }
  return 0;
}

size_t build_id_find(struct Elf *elf, const uint8_t **out) {
  Elf_Scn *section = NULL;
  GElf_Ehdr header;
  size_t n = 0;
  if (!gelf_getehdr(elf, &header))
    return 0;
  while (n == 0 && (section = elf_nextscn(elf, section))) {
    GElf_Shdr note;
    if (!gelf_getshdr(section, &note) || note.sh_type != SHT_NOTE ||
        note.sh_flags & SHF_COMPRESSED)
      continue;
    const Elf_Data *const data = elf_rawdata(section, NULL);
    if (data && data->d_buf)
      n = find_in(
          (struct byte_reader){
              .at = data->d_buf,
              .end = (const uint8_t *)data->d_buf + data->d_size,
              .is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB},
          note.sh_addralign, out);
  }
  return n;
}
