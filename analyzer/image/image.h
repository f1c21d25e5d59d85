/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens ELF files: class, byte order, build-id, sections, function symbols. No
 * debug information (lines.h) and no counts (profile.h).
 */
#ifndef ARCLINE_IMAGE_H
#define ARCLINE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct file_map;
struct symtab;
struct image_elf;

enum { IMAGE_BUILD_ID_BYTES = 64 };

/** An open ELF file. All zero is closed. */
struct image {
  const char *path;    /* as given */
  unsigned class_bits; /* width of a pointer: 32 or 64 */
  bool is_big_endian;
  uint16_t machine;    /* e_machine */
  bool is_program;     /* an executable; otherwise a shared library */
  uint64_t text_vaddr; /* section .text; without any, all executable ones */
  uint64_t text_bytes;
  uint64_t low_vaddr; /* of all segments; without any: of .text */
  uint64_t high_vaddr;
  uint64_t file_bytes;
  uint8_t build_id[IMAGE_BUILD_ID_BYTES];
  size_t n_build_id;     /* bytes of build_id, or of arcline/image_id.h; 0: has
                            neither */
  struct image_elf *elf; /* private */
};

/** A section; pointers live as long as the image is open. */
struct image_section {
  const char *name;
  uint64_t vaddr;
  uint64_t size_bytes;  /* in memory */
  const uint8_t *bytes; /* contents; NULL if there are none in the file */
  size_t n_bytes;       /* bytes at `bytes`: size_bytes or 0 */
  bool is_executable;
};

enum image_symbol_flags {
  IMAGE_NO_STATIC = 1 << 0,  /* leave out local symbols */
  IMAGE_FUNCS_ONLY = 1 << 1, /* leave out local symbols but functions */
  IMAGE_PARTS = 1 << 2,  /* keep parts and copies of functions that compilers
                            make */
  IMAGE_CLONES = 1 << 3, /* the same, and indirect functions */
};

/**
 * Open an ELF file.
 *
 * path  kept by pointer; must outlive the image.
 *
 * Returns 0; or -1 with *err set and *out closed.
 * Errors: unreadable, not ELF, no executable section.
 */
int image_open(const char *path, struct image *out, struct err *err);

/**
 * Fill an empty table with the image's function symbols, sorted and unique.
 *
 * flags  enum image_symbol_flags.
 * map    symbols in it represent object files, or are left out; NULL: none.
 *        Lends names.
 *
 * The symbols that count as functions are those of GNU gprof, oddities
 * included: all symbols of code and weak ones of data, except local ones whose
 * names compilers generate for parts of functions. Names live as long as the
 * image is open; file and line are left unknown.
 *
 * An image without such symbols was stripped. Then those of its debug file
 * (debug_file.h) are taken; otherwise those that it exports, those in
 * .gnu_debugdata, and those of the constant data (body_names.h); a warning is
 * printed if there are exported ones only. With IMAGE_PARTS, instrumented
 * functions without a symbol (strip -x) are added to any image.
 *
 * Errors: no symbol that is a function; a symbol table that is damaged.
 */
int image_load_symbols(const struct image *image, unsigned flags,
                       const struct file_map *map, struct symtab *out,
                       struct err *err);

/**
 * Fill an empty table with all known functions of the image, each with its last
 * byte, which is the first one if the size is unknown. Parts and copies that
 * compilers make are there, indirect functions are not: calls by their names
 * reach other code.
 *
 * Symbols are the image's; if it was stripped, those of its debug file, those
 * in .gnu_debugdata, and those that it exports. None at all is no error.
 *
 * Errors: a symbol table that is damaged; no memory. *out is then empty.
 */
int image_load_extents(const struct image *image, struct symtab *out,
                       struct err *err);

/** Find a section by name. Returns true and fills *out, or false. */
bool image_find_section(const struct image *image, const char *name,
                        struct image_section *out);

/** Is code in the image, not debug information alone? */
bool image_has_code(const struct image *image);

/** The same as image_find_section() for a section that is not loaded with the
 * image: with its contents, from the image's debug file if they were stripped
 * off. */
bool image_find_split_section(const struct image *image, const char *name,
                              struct image_section *out);

/** Visit the libraries that the dynamic linker loads for the image, by name,
 * until one visit returns other than 0, which is then the result. Names live as
 * long as the image is open. */
int image_visit_needed(const struct image *image,
                       int (*visit)(void *context, const char *name),
                       void *context);

/** Addresses low <= vaddr < high. */
struct image_range {
  uint64_t low, high;
};

/** Fill in at most max executable segments, in the image's order. Returns their
 * number; *n_bytes is the size of all, also of those beyond max. */
size_t image_texts(const struct image *image, struct image_range *out,
                   size_t max, uint64_t *n_bytes);

/** The vaddr of a byte of the file. Returns false if it is in no executable
 * segment. */
bool image_code_vaddr(const struct image *image, uint64_t offset,
                      uint64_t *vaddr);

/** Is it the image with that build-id, as a run recorded it? Runs record no
 * more than the first bytes, and zeros at the end may be missing. */
bool image_is_recorded(const uint8_t build_id[IMAGE_BUILD_ID_BYTES],
                       const uint8_t *recorded, size_t n_recorded);

/** Close; a closed image may be closed again. */
void image_close(struct image *image);

#endif
