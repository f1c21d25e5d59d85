/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/image.h"

#include "arcline/abi.h"
#include "arcline/image_id.h"
#include "arcline/live_format.h"

#include "base/err.h"
#include "base/in_file.h"
#include "debug/build_id.h"
#include "debug/debug_elf.h"
#include "image/image_elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Open ---

/** Read the build-id, or as much of it as there is space for. */
static void read_build_id(struct image *image) {
  const uint8_t *bytes;
  const size_t n = build_id_find(image->elf->elf, &bytes);

  image->n_build_id = n < sizeof(image->build_id) ? n : sizeof(image->build_id);
  if (n)
    memcpy(image->build_id, bytes, image->n_build_id);
}

bool image_is_recorded(const uint8_t build_id[IMAGE_BUILD_ID_BYTES],
                       const uint8_t *recorded, size_t n_recorded) {
  bool is_it = true;

  for (size_t i = 0; is_it && i < ARCLINE_LIVE_BUILD_ID_BYTES; i++)
    is_it = build_id[i] == (i < n_recorded ? recorded[i] : 0);
  return is_it;
}

/** Determine the addresses that the image occupies when it is loaded. */
static void read_range(struct image *image) {
  size_t n_segments;

  image->low_vaddr = UINT64_MAX;
  image->high_vaddr = 0;
  if (elf_getphdrnum(image->elf->elf, &n_segments))
    n_segments = 0;
  for (size_t i = 0; i < n_segments; i++) {
    GElf_Phdr header;
    if (!gelf_getphdr(image->elf->elf, (int)i, &header) ||
        header.p_type != PT_LOAD)
      continue;
    if (header.p_vaddr < image->low_vaddr)
      image->low_vaddr = header.p_vaddr;
    uint64_t high = header.p_vaddr + header.p_memsz;
    if (high > image->high_vaddr)
      image->high_vaddr = high;
  }
  if (image->low_vaddr >= image->high_vaddr) {
    image->low_vaddr = image->text_vaddr;
    image->high_vaddr = image->text_vaddr + image->text_bytes;
  }
}

/** Is a position-independent image a program? The linker sets DF_1_PIE; older
 * ones do not, but a program has no DT_SONAME, which a library with an
 * interpreter of its own has. */
static bool is_pie(Elf *elf, bool has_interpreter) {
  Elf_Scn *section = NULL;
  bool has_name = false;

  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC ||
        !header.sh_entsize)
      continue;
    Elf_Data *const data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag; i++)
      if (entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_PIE)
        return true;
      else
        has_name |= entry.d_tag == DT_SONAME;
  }
  return has_interpreter && !has_name;
}

int image_visit_needed(const struct image *image,
                       int (*visit)(void *context, const char *name),
                       void *context) {
  Elf *const elf = image->elf->elf;
  Elf_Scn *section = NULL;
  int rc = 0;

  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC ||
        !header.sh_entsize || !debug_elf_has_strings(elf, header.sh_link))
      continue;
    Elf_Data *const data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag; i++) {
      const char *const name =
          entry.d_tag == DT_NEEDED
              ? elf_strptr(elf, header.sh_link, entry.d_un.d_val)
              : NULL;
      if (name && (rc = visit(context, name)) != 0)
        return rc;
    }
  }
  return 0;
}

static bool is_program(Elf *elf, unsigned type) {
  size_t n_segments;
  GElf_Phdr header;
  bool has_interpreter = false;

  if (elf_getphdrnum(elf, &n_segments))
    n_segments = 0;
  for (size_t i = 0; i < n_segments; i++)
    has_interpreter |=
        gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP;
  return type == ET_EXEC || (type == ET_DYN && is_pie(elf, has_interpreter));
}

/** Find a section by name, without reading it: it may be most of the file. */
static Elf_Scn *find_header_in(Elf *elf, size_t section_names, const char *name,
                               GElf_Shdr *header) {
  Elf_Scn *section = NULL;

  while ((section = elf_nextscn(elf, section))) {
    if (!gelf_getshdr(section, header))
      continue;
    const char *const found = elf_strptr(elf, section_names, header->sh_name);
    if (found && strcmp(found, name) == 0)
      return section;
  }
  return NULL;
}

static Elf_Scn *find_header(const struct image *image, const char *name,
                            GElf_Shdr *header) {
  return find_header_in(image->elf->elf, image->elf->section_names, name,
                        header);
}

/** Find .text or, without any, the range of all executable sections. */
static bool find_text(struct image *image) {
  uint64_t low = UINT64_MAX;
  uint64_t high = 0;
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  if (find_header(image, ".text", &header)) {
    image->text_vaddr = header.sh_addr;
    image->text_bytes = header.sh_size;
    return true;
  }
  while ((section = elf_nextscn(image->elf->elf, section))) {
    if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
        header.sh_size == 0 || header.sh_addr > UINT64_MAX - header.sh_size)
      continue;
    if (header.sh_addr < low)
      low = header.sh_addr;
    if (header.sh_addr + header.sh_size > high)
      high = header.sh_addr + header.sh_size;
  }
  image->text_vaddr = low;
  image->text_bytes = high - low;
  return low < high;
}

/** Identify an instrumented image without a build-id as the runtime does. */
static void make_id(struct image *image) {
  struct image_section funcs, bodies;
  const bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

  if (image->is_big_endian != is_big_endian ||
      !image_find_section(image, ARCLINE_SECTION_FUNCS, &funcs) ||
      funcs.n_bytes == 0 || funcs.n_bytes % 8 != 0)
    return;
  uint64_t id =
      arcline_image_id_add(ARCLINE_IMAGE_ID_FIRST, funcs.bytes, funcs.n_bytes);
  if (image_find_section(image, ARCLINE_SECTION_BODIES, &bodies) &&
      bodies.n_bytes && bodies.n_bytes % 8 == 0)
    id = arcline_image_id_add(id, bodies.bytes, bodies.n_bytes);
  arcline_image_id_write(id, image->build_id);
  image->n_build_id = ARCLINE_IMAGE_ID_BYTES;
}

int image_open(const char *path, struct image *out, struct err *err) {
  *out = (struct image){.path = path};
  struct image_elf *elf = calloc(1, sizeof(*elf));
  if (!elf)
    return err_no_memory(err);
  out->elf = elf;
  struct stat status;
  elf->fd = in_file_open(path, IN_FILE_REGULAR, &status);
  if (elf->fd < 0) {
    err_set(err, ERR_INPUT, "%s: cannot open: %s", path, in_file_reason(errno));
    goto fail;
  }
  out->file_bytes = (uint64_t)status.st_size;
  if (elf_version(EV_CURRENT) == EV_NONE) {
    err_set(err, ERR_SYSTEM, "libelf: %s", elf_errmsg(-1));
    goto fail;
  }
  elf->elf = elf_begin(elf->fd, ELF_C_READ, NULL);
  GElf_Ehdr header;
  if (!elf->elf || elf_kind(elf->elf) != ELF_K_ELF ||
      !gelf_getehdr(elf->elf, &header)) {
    err_set(err, ERR_INPUT,
            "%s: not an ELF file; name an executable or a shared library",
            path);
    goto fail;
  }
  out->class_bits = header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
  out->is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  out->machine = header.e_machine;
  if (!debug_elf_find_names(elf->elf, &elf->section_names)) {
    err_set(err, ERR_INPUT, "%s: ELF file has no section names", path);
    goto fail;
  }
  if (!find_text(out)) {
    err_set(err, ERR_INPUT, "%s: ELF file has no executable section", path);
    goto fail;
  }
  read_range(out);
  read_build_id(out);
  if (out->n_build_id == 0)
    make_id(out);
  out->is_program = is_program(elf->elf, header.e_type);
  return 0;
fail:
  image_close(out);
  return -1;
}

static bool find_section_in(Elf *elf, size_t section_names, const char *name,
                            struct image_section *out) {
  GElf_Shdr header;
  Elf_Scn *const section = find_header_in(elf, section_names, name, &header);

  if (!section)
    return false;
  *out = (struct image_section){
      .name = elf_strptr(elf, section_names, header.sh_name),
      .vaddr = header.sh_addr,
      .size_bytes = header.sh_size,
      .is_executable = header.sh_flags & SHF_EXECINSTR,
  };
  Elf_Data *data =
      header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);
  if (data && data->d_buf) {
    out->bytes = data->d_buf;
    out->n_bytes = data->d_size;
  }
  return true;
}

bool image_find_section(const struct image *image, const char *name,
                        struct image_section *out) {
  return find_section_in(image->elf->elf, image->elf->section_names, name, out);
}

bool image_has_code(const struct image *image) {
  struct image_section text;
  return !image_find_section(image, ".text", &text) || text.n_bytes;
}

bool image_find_split_section(const struct image *image, const char *name,
                              struct image_section *out) {
  struct image_elf *const elf = image->elf;
  size_t section_names;

  if (image_find_section(image, name, out) && out->bytes)
    return true;
  if (!elf->debug.elf)
    debug_file_find(elf->elf, image->path, &elf->debug);
  return elf->debug.elf &&
         debug_elf_find_names(elf->debug.elf, &section_names) &&
         find_section_in(elf->debug.elf, section_names, name, out) &&
         out->bytes;
}

void image_close(struct image *image) {
  struct image_elf *elf = image->elf;

  if (elf) {
    debug_file_close(&elf->debug);
    elf_end(elf->mini);
    free(elf->mini_bytes);
    for (size_t i = 0; i < elf->n_made_names; i++)
      free(elf->made_names[i]);
    free(elf->made_names);
    elf_end(elf->elf);
    if (elf->fd >= 0)
      close(elf->fd);
    free(elf);
  }
  *image = (struct image){0};
}

// --- Addresses in memory ---

size_t image_texts(const struct image *image, struct image_range *out,
                   size_t max, uint64_t *n_bytes) {
  size_t n_headers = 0;
  size_t n = 0;

  *n_bytes = 0;
  if (elf_getphdrnum(image->elf->elf, &n_headers) != 0)
    return 0;
  for (size_t i = 0; i < n_headers; i++) {
    GElf_Phdr header;
    if (!gelf_getphdr(image->elf->elf, (int)i, &header) ||
        header.p_type != PT_LOAD || !(header.p_flags & PF_X))
      continue;
    *n_bytes += header.p_memsz;
    if (header.p_memsz && n < max)
      out[n++] = (struct image_range){.low = header.p_vaddr,
                                      .high = header.p_vaddr + header.p_memsz};
  }
  return n;
}

bool image_code_vaddr(const struct image *image, uint64_t offset,
                      uint64_t *vaddr) {
  size_t n_headers = 0;

  if (elf_getphdrnum(image->elf->elf, &n_headers) != 0)
    return false;
  for (size_t i = 0; i < n_headers; i++) {
    GElf_Phdr header;
    if (!gelf_getphdr(image->elf->elf, (int)i, &header) ||
        header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
        offset < header.p_offset || offset - header.p_offset >= header.p_filesz)
      continue;
    *vaddr = header.p_vaddr + (offset - header.p_offset);
    return true;
  }
  return false;
}
