/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/code_names.h"

#include "base/err.h"
#include "image/code_extents.h"
#include "image/disassemble.h"
#include "image/dyn_names.h"
#include "image/image.h"
#include "image/slots.h"
#include "image/symtab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXTS = 16, MAX_STUBS = 4 };

struct code_names {
  char *path;
  struct image image;
  struct symtab symtab; // last is vaddr for symbols without a size
  struct code_extents extents;
  struct dyn_names offered;
  struct image_slots slots;
  struct image_section stubs[MAX_STUBS];
  size_t n_stubs;
  struct image_range texts[MAX_TEXTS];
  size_t n_texts;
};

// --- Open ---

static int check_build_id(const struct image *image, const uint8_t *build_id,
                          size_t n_build_id, struct err *err) {
  if (n_build_id == 0)
    return 0;
  return image_is_recorded(image->build_id, build_id, n_build_id)
             ? 0
             : err_set(err, ERR_INPUT,
                       "%s: build ID differs from that of the image that ran",
                       image->path);
}

static int load(struct code_names *names, struct err *err) {
  static const char *const stub_sections[MAX_STUBS] = {".plt", ".plt.sec",
                                                       ".plt.got", ".iplt"};
  uint64_t n_text_bytes;
  names->n_texts =
      image_texts(&names->image, names->texts, MAX_TEXTS, &n_text_bytes);
  if (image_load_extents(&names->image, &names->symtab, err)) {
    if (err->code != ERR_INPUT)
      return -1;
    *err = (struct err){0};
  }
  if (code_extents_load(&names->image, &names->extents, err) ||
      dyn_names_load(&names->image, &names->offered, err) ||
      image_slots_load(&names->image, &names->slots, err))
    return -1;
  for (size_t i = 0; i < MAX_STUBS; i++) {
    struct image_section *const section = &names->stubs[names->n_stubs];
    if (image_find_section(&names->image, stub_sections[i], section) &&
        section->n_bytes)
      names->n_stubs++;
  }
  return 0;
}

int code_names_open(const char *path, const uint8_t *build_id,
                    size_t n_build_id, struct code_names **out,
                    struct err *err) {
  *out = NULL;
  struct code_names *const names = calloc(1, sizeof(*names));
  char *const copy = strdup(path);
  if (!names || !copy) {
    free(names);
    free(copy);
    return err_no_memory(err);
  }
  names->path = copy;
  if (image_open(copy, &names->image, err) ||
      check_build_id(&names->image, build_id, n_build_id, err) ||
      load(names, err)) {
    code_names_close(names);
    return -1;
  }
  *out = names;
  return 0;
}

void code_names_close(struct code_names *names) {
  if (!names)
    return;
  symtab_release(&names->symtab);
  code_extents_release(&names->extents);
  dyn_names_release(&names->offered);
  image_slots_release(&names->slots);
  image_close(&names->image);
  free(names->path);
  free(names);
}

bool code_names_vaddr(const struct code_names *names, uint64_t offset,
                      uint64_t *vaddr) {
  return image_code_vaddr(&names->image, offset, vaddr);
}

// --- Stubs ---

/** Size of a stub. Those of .plt.got on x86-64 without ENDBR are a jump of six
 * bytes and a filler of two. */
static uint64_t stub_bytes(const struct image_section *section) {
  return strcmp(section->name, ".plt.got") == 0 && section->n_bytes >= 8 &&
                 section->bytes[0] == 0xff && section->bytes[1] == 0x25 &&
                 section->bytes[6] == 0x66
             ? 8
             : 16;
}

/** Find the stub that has a vaddr; false: none has it. */
static bool find_stub(const struct code_names *names, uint64_t vaddr,
                      struct code_function *out) {
  for (size_t i = 0; i < names->n_stubs; i++) {
    const struct image_section *const section = &names->stubs[i];
    const uint64_t off = vaddr - section->vaddr;
    if (off >= section->n_bytes)
      continue;
    const uint64_t n_bytes = stub_bytes(section);
    const uint64_t at = off - off % n_bytes;
    const uint64_t n_left = section->n_bytes - at;
    uint64_t slot_vaddr;
    const struct image_slot *slot = NULL;
    if (disassemble_stub(&names->image, section->bytes + at, n_left,
                         section->vaddr + at, names->slots.base_vaddr,
                         &slot_vaddr))
      slot = image_slots_find(&names->slots, slot_vaddr);
    *out = (struct code_function){
        .low = section->vaddr + at,
        .high = section->vaddr + at + (n_left < n_bytes ? n_left : n_bytes),
        .name = slot ? slot->name : NULL,
        .is_stub = true,
    };
    return true;
  }
  return false;
}

// --- Functions ---

static const struct image_range *find_text(const struct code_names *names,
                                           uint64_t vaddr) {
  for (size_t i = 0; i < names->n_texts; i++)
    if (vaddr >= names->texts[i].low && vaddr < names->texts[i].high)
      return &names->texts[i];
  return NULL;
}

/** The symbol of a function that begins at vaddr, or NULL. */
static const struct symbol *symbol_at(const struct code_names *names,
                                      uint64_t vaddr) {
  const size_t n = symtab_count_up_to(&names->symtab, vaddr);
  const struct symbol *const symbol = n ? &names->symtab.symbols[n - 1] : NULL;
  return symbol && symbol->vaddr == vaddr ? symbol : NULL;
}

/** The gap between the functions around vaddr: code whose beginning is unknown,
 * or code of a symbol without a size. */
static void find_gap(const struct code_names *names, uint64_t vaddr,
                     const struct image_range *text,
                     struct code_function *out) {
  const struct symtab *const symtab = &names->symtab;
  const struct code_extents *const extents = &names->extents;
  const size_t n_symbols = symtab_count_up_to(symtab, vaddr);
  const size_t n_extents = code_extents_count_up_to(extents, vaddr);
  *out = (struct code_function){.low = text->low, .high = text->high};
  if (n_extents && extents->extents[n_extents - 1].high > out->low)
    out->low = extents->extents[n_extents - 1].high;
  if (n_symbols && symtab->symbols[n_symbols - 1].vaddr >= out->low) {
    const struct symbol *const symbol = &symtab->symbols[n_symbols - 1];
    const bool has_size = symbol->last > symbol->vaddr;
    out->low = has_size ? symbol->last + 1 : symbol->vaddr;
    out->name = has_size ? NULL : symbol->name;
  }
  if (n_symbols < symtab->n_symbols &&
      symtab->symbols[n_symbols].vaddr < out->high)
    out->high = symtab->symbols[n_symbols].vaddr;
  if (n_extents < extents->n_extents &&
      extents->extents[n_extents].low < out->high)
    out->high = extents->extents[n_extents].low;
}

static bool find_at(const struct code_names *names, uint64_t vaddr,
                    struct code_function *out) {
  const struct image_range *const text = find_text(names, vaddr);
  if (!text)
    return false;
  if (find_stub(names, vaddr, out))
    return true;
  const size_t i_symbol = symtab_find(&names->symtab, vaddr);
  if (i_symbol != SYMTAB_NONE) {
    const struct symbol *const symbol = &names->symtab.symbols[i_symbol];
    if (symbol->last > symbol->vaddr) {
      *out = (struct code_function){
          .low = symbol->vaddr, .high = symbol->last + 1, .name = symbol->name};
      return true;
    }
  }
  const size_t n = code_extents_count_up_to(&names->extents, vaddr);
  const struct code_extent *const extent =
      n ? &names->extents.extents[n - 1] : NULL;
  if (!extent || vaddr >= extent->high) {
    find_gap(names, vaddr, text, out);
    return true;
  }
  // Symbols within are labels, unless they have a size.
  const struct symbol *const symbol = symbol_at(names, extent->low);
  *out = (struct code_function){.low = extent->low,
                                .high = extent->high,
                                .name = symbol ? symbol->name : NULL};
  return true;
}

bool code_names_at(const struct code_names *names, uint64_t vaddr,
                   struct code_function *out) {
  if (!find_at(names, vaddr, out))
    return false;
  // Symbols of handcrafted files may have an empty name.
  if (out->name && !out->name[0])
    out->name = NULL;
  return true;
}

bool code_names_offered(const struct code_names *names, const char *name,
                        uint64_t *vaddr) {
  return dyn_names_find(&names->offered, name, vaddr);
}

char *code_names_text(const struct code_names *names,
                      const struct code_function *function) {
  char *text;
  int n;
  if (function->name) {
    // A linkage name may begin with an @; the version follows another one.
    const char *const at = strchr(function->name + 1, '@');
    const int length =
        (int)(at ? (size_t)(at - function->name) : strlen(function->name));
    n = asprintf(&text, "%.*s%s", length, function->name,
                 function->is_stub ? "@plt" : "");
  } else {
    const char *const slash = strrchr(names->path, '/');
    n = asprintf(&text, "%s+0x%" PRIx64, slash ? slash + 1 : names->path,
                 function->low);
  }
  return n < 0 ? NULL : text;
}
