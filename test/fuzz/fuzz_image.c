/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ELF files: sections, build-id, symbols, dynamic symbols. */
#include "base/err.h"
#include "fuzz.h"
#include "image/code_names.h"
#include "image/dyn_names.h"
#include "image/image.h"
#include "image/symtab.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXTS = 4 };

static void load_symbols(const struct image *image, unsigned flags) {
  struct symtab symtab = {0};
  struct err err = {0};
  volatile size_t sum = 0;

  if (image_load_symbols(image, flags, NULL, &symtab, &err) == 0)
    for (size_t i = 0; i < symtab.n_symbols; i++)
      sum += strlen(symtab.symbols[i].name) +
             symtab_find(&symtab, symtab.symbols[i].vaddr);
  symtab_release(&symtab);
  (void)sum; // gcc 16 warns that it is not read
}

static void look_around(const struct image *image) {
  static const char *const names[] = {".text", ".data", ".debug_line",
                                      "arcline_data"};
  struct image_range texts[MAX_TEXTS];
  struct image_section section;
  struct dyn_names dyn_names;
  struct err err = {0};
  uint64_t n_bytes, vaddr;
  volatile uint64_t sum = 0;

  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (image_find_section(image, names[i], &section) && section.bytes)
      for (size_t k = 0; k < section.n_bytes; k++)
        sum += section.bytes[k];
  image_texts(image, texts, MAX_TEXTS, &n_bytes);
  if (dyn_names_load(image, &dyn_names, &err) == 0) {
    for (size_t i = 0; i < dyn_names.n_names; i++)
      dyn_names_find(&dyn_names, dyn_names.names[i].name, &vaddr);
    dyn_names_release(&dyn_names);
  }
  (void)sum; // gcc 16 warns that it is not read
}

/** Request names of code all over its segments. */
static void name_code(const char *path, const struct image *image) {
  enum { N_PLACES = 64 };
  struct image_range texts[MAX_TEXTS];
  struct code_names *names;
  struct code_function function;
  struct err err = {0};
  uint64_t n_bytes, vaddr;
  volatile size_t sum = 0;

  const size_t n_texts = image_texts(image, texts, MAX_TEXTS, &n_bytes);
  if (code_names_open(path, NULL, 0, &names, &err))
    return;
  for (size_t i = 0; i < n_texts; i++)
    for (uint64_t k = 0; k < N_PLACES; k++) {
      const uint64_t at =
          texts[i].low + (texts[i].high - texts[i].low) / N_PLACES * k;
      if (!code_names_at(names, at, &function))
        continue;
      char *const text = code_names_text(names, &function);
      sum += text ? strlen(text) : 0;
      free(text);
      code_names_vaddr(names, k * 64, &vaddr);
    }
  code_names_offered(names, "main", &vaddr);
  code_names_close(names);
  (void)sum; // gcc 16 warns that it is not read
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes) {
  struct image image;
  struct err err = {0};
  const char *const path = fuzz_file(0, bytes, n_bytes);

  if (image_open(path, &image, &err))
    return 0;
  name_code(path, &image);
  load_symbols(&image, 0);
  load_symbols(&image, IMAGE_NO_STATIC);
  load_symbols(&image, IMAGE_FUNCS_ONLY);
  look_around(&image);
  image_close(&image);
  return 0;
}
