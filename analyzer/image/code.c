/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/code.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "image/image_elf.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_sections(const void *left_ptr, const void *right_ptr,
                            const void *context) {
  const struct image_section *const left = left_ptr;
  const struct image_section *const right = right_ptr;

  (void)context;
  return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

/** Keep sections that do not overlap. */
static void drop_overlaps(struct image_code *code) {
  uint64_t end = 0;
  size_t n_kept = 0;

  for (size_t i = 0; i < code->n_sections; i++) {
    const struct image_section *const section = &code->sections[i];
    if (section->vaddr < end) {
      free((void *)section->bytes);
      continue;
    }
    end = section->vaddr + section->n_bytes;
    code->sections[n_kept++] = *section;
  }
  code->n_sections = n_kept;
}

/** Read bytes of a file. NULL: the file was truncated; or no memory. */
static uint8_t *read_bytes(int fd, uint64_t offset, size_t n_bytes) {
  uint8_t *const bytes = malloc(n_bytes);
  size_t n_read = 0;

  while (bytes && n_read < n_bytes) {
    const ssize_t n =
        pread(fd, bytes + n_read, n_bytes - n_read, (off_t)(offset + n_read));
    if (n > 0) {
      n_read += (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      free(bytes);
      return NULL;
    }
  }
  return bytes;
}

/** Read a section, without libelf, which would keep its bytes. Returns false if
 * it has no code. n_left: bytes that may still be read, as a damaged file may
 * name the same bytes many times. */
static bool read_section(const struct image *image, Elf_Scn *scn,
                         uint64_t *n_left, struct image_section *out) {
  GElf_Shdr header;

  if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
      header.sh_type == SHT_NOBITS || header.sh_size == 0 ||
      header.sh_size > *n_left || header.sh_offset > image->file_bytes ||
      header.sh_addr > UINT64_MAX - header.sh_size)
    return false;
  uint8_t *const bytes =
      read_bytes(image->elf->fd, header.sh_offset, header.sh_size);
  const char *const name =
      elf_strptr(image->elf->elf, image->elf->section_names, header.sh_name);
  if (!bytes)
    return false;
  *n_left -= header.sh_size;
  *out = (struct image_section){
      .name = name ? name : "",
      .vaddr = header.sh_addr,
      .size_bytes = header.sh_size,
      .bytes = bytes,
      .n_bytes = header.sh_size,
      .is_executable = true,
  };
  return true;
}

int image_code_load(const struct image *image, struct image_code *out,
                    struct err *err) {
  Elf_Scn *scn = NULL;
  size_t capacity = 0;
  uint64_t n_left = image->file_bytes;

  *out = (struct image_code){0};
  while ((scn = elf_nextscn(image->elf->elf, scn))) {
    struct image_section section;
    if (!read_section(image, scn, &n_left, &section))
      continue;
    struct image_section *const grown = array_grow(
        out->sections, out->n_sections, &capacity, sizeof(*out->sections));
    if (!grown) {
      free((void *)section.bytes);
      goto no_memory;
    }
    out->sections = grown;
    out->sections[out->n_sections++] = section;
  }
  if (merge_sort(out->sections, out->n_sections, sizeof(*out->sections),
                 compare_sections, NULL))
    goto no_memory;
  drop_overlaps(out);
  return 0;
no_memory:
  image_code_release(out);
  return err_no_memory(err);
}

const struct image_section *image_code_find(const struct image_code *code,
                                            uint64_t vaddr) {
  size_t low = 0, high = code->n_sections;

  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (code->sections[middle].vaddr <= vaddr)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return NULL;
  const struct image_section *const section = &code->sections[low - 1];
  return vaddr - section->vaddr < section->n_bytes ? section : NULL;
}

bool image_code_is_stubs(const struct image_section *section) {
  return strncmp(section->name, ".plt", 4) == 0 ||
         strcmp(section->name, ".iplt") == 0;
}

void image_code_release(struct image_code *code) {
  for (size_t i = 0; i < code->n_sections; i++)
    free((void *)code->sections[i].bytes);
  free(code->sections);
  *code = (struct image_code){0};
}
