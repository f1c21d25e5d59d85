/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Loads the functions of an image's symbol tables. */
#include "base/byte_reader.h"
#include "base/decompress.h"
#include "base/err.h"
#include "image/body_names.h"
#include "image/file_map.h"
#include "image/image.h"
#include "image/image_elf.h"
#include "image/symtab.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>

/** The string table of symbol names. */
struct names {
  const char *bytes;
  size_t n_bytes;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/** If text follows the prefix, skip all of it but the last dot. */
static const char *skip_clone_prefix(const char *text, const char *prefix) {
  size_t length = strlen(prefix);

  if (strncmp(text, prefix, length) == 0 && text[length] != '\0')
    return text + length - 1;
  return text;
}

/**
 * May a local symbol of this name be a function of the source? Names that
 * compilers generate for parts of functions are rejected, as in GNU gprof;
 * clones that have a number only, and .clone and .constprop copies, are in.
 *
 * If a name ends within such a number, GNU gprof continues with the next string
 * of the string table and checks that one, too. Equal reports require the same
 * here. The end of the table ends the loop.
 */
static bool is_local_function_name(const struct names *names, size_t offset) {
  const char *at = names->bytes + offset;
  const char *end = names->bytes + names->n_bytes;

  if (*at == '\0' || strncmp(at, "__gnu_compiled", 14) == 0 ||
      strncmp(at, "___gnu_compiled", 15) == 0)
    return false;
  for (; at < end && *at != '\0'; at++) {
    if (*at == '$')
      return false;
    while (at < end && *at == '.') {
      const char *dot = skip_clone_prefix(at, ".clone.");
      if (dot == at)
        dot = skip_clone_prefix(at, ".constprop.");
      bool has_digit = false;
      for (at = dot + 1; *at != '\0'; at++) {
        if (has_digit && *at == '.')
          break;
        if (!is_digit(*at))
          return false;
        has_digit = true;
      }
    }
  }
  return true;
}

/** Is it a local name that may be kept together with clones? Marks of
 * assemblers ($x, .L) and of compilers are not. */
static bool is_clone_name(const char *name) {
  return *name != '\0' && *name != '$' && strncmp(name, ".L", 2) != 0 &&
         strncmp(name, "__gnu_compiled", 14) != 0 &&
         strncmp(name, "___gnu_compiled", 15) != 0;
}

enum symbol_class { CLASS_NONE, CLASS_GLOBAL, CLASS_LOCAL };

/** Class of a symbol as the program nm prints it: T or W, t, or anything else.
 */
static enum symbol_class classify(Elf *elf, const GElf_Sym *symbol,
                                  uint32_t i_section, unsigned flags) {
  unsigned type = GELF_ST_TYPE(symbol->st_info);
  unsigned binding = GELF_ST_BIND(symbol->st_info);

  if (type == STT_FILE || type == STT_SECTION || type == STT_COMMON ||
      (type == STT_GNU_IFUNC && !(flags & IMAGE_CLONES)) ||
      symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_COMMON)
    return CLASS_NONE;
  if (binding == STB_WEAK)
    return type == STT_OBJECT ? CLASS_NONE : CLASS_GLOBAL;
  if (binding != STB_LOCAL && binding != STB_GLOBAL)
    return CLASS_NONE;
  if (i_section == 0)
    return CLASS_NONE;
  GElf_Shdr header;
  Elf_Scn *section = elf_getscn(elf, i_section);
  if (!section || !gelf_getshdr(section, &header) ||
      !(header.sh_flags & SHF_EXECINSTR))
    return CLASS_NONE;
  return binding == STB_LOCAL ? CLASS_LOCAL : CLASS_GLOBAL;
}

/** A symbol table of an ELF file, and its related sections. */
struct elf_symbols {
  Elf *elf;
  Elf_Data *data;
  Elf_Data *extended_indices; // section numbers too large for st_shndx, or NULL
  size_t n_symbols;
  struct names names;
};

/** Find the symbol table of a type. None is an empty one. */
static int find_symbols(Elf *elf, uint32_t type, const char *path,
                        struct elf_symbols *out, struct err *err) {
  Elf_Scn *section = NULL;
  GElf_Shdr header;

  *out = (struct elf_symbols){.elf = elf};
  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, &header) && header.sh_type == type)
      break;
  // A debug file has the header of .dynsym, without contents.
  if (!section)
    return 0;
  size_t symbol_bytes = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
  Elf_Scn *string_section = elf_getscn(elf, header.sh_link);
  Elf_Data *strings = string_section ? elf_getdata(string_section, NULL) : NULL;
  out->data = elf_getdata(section, NULL);
  if (!out->data || !strings || !strings->d_buf || strings->d_size == 0 ||
      ((const char *)strings->d_buf)[strings->d_size - 1] != '\0')
    return err_set(err, ERR_INPUT,
                   "%s: symbol table is corrupt; name the image that ran",
                   path);
  out->n_symbols = out->data->d_size / symbol_bytes;
  out->names = (struct names){strings->d_buf, strings->d_size};

  size_t i_symtab = elf_ndxscn(section);
  section = NULL;
  while ((section = elf_nextscn(elf, section)))
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB_SHNDX &&
        header.sh_link == i_symtab)
      out->extended_indices = elf_getdata(section, NULL);
  return 0;
}

/** How values of function symbols lead to code, on machines where they are not
 * its address. */
struct function_values {
  uint16_t machine;
  struct image_section descriptors; // .opd of PowerPC 64: none unless n_bytes
  bool is_big_endian;
};

static struct function_values read_values(const struct image *image) {
  struct function_values values = {.machine = image->machine,
                                   .is_big_endian = image->is_big_endian};

  if (image->machine == EM_PPC64)
    image_find_section(image, ".opd", &values.descriptors);
  return values;
}

/**
 * Turn the value of a function symbol into the address of its code.
 *
 * ARM and MIPS mark an instruction set of 2-byte units by an odd value. In
 * PowerPC's first 64-bit ABI the value is the address of a descriptor, in
 * .opd, whose first word is the address of the code.
 *
 * Returns whether there was a descriptor.
 */
static bool resolve_function(const struct function_values *values,
                             uint64_t *vaddr) {
  const struct image_section *descriptors = &values->descriptors;
  const uint64_t off = *vaddr - descriptors->vaddr;

  if (values->machine == EM_ARM || values->machine == EM_MIPS)
    *vaddr &= ~(uint64_t)1;
  if (off >= descriptors->n_bytes || descriptors->n_bytes - off < 8)
    return false;
  struct byte_reader reader = {.at = descriptors->bytes + off,
                               .end = descriptors->bytes + off + 8,
                               .is_big_endian = values->is_big_endian};
  *vaddr = byte_reader_uint(&reader, 8);
  return true;
}

/** Besides enum image_symbol_flags: end symbols by their sizes, and leave out
 * indirect functions. */
enum { WITH_SIZES = 1 << 16 };

/** The last byte of a symbol, which is the first one if its size is unknown.
 */
static uint64_t last_byte(uint64_t vaddr, uint64_t n_bytes) {
  return n_bytes && n_bytes - 1 <= UINT64_MAX - vaddr ? vaddr + (n_bytes - 1)
                                                      : vaddr;
}

/** Append the functions that an ELF file's symbol table of a type names: the
 * image's own one, or that of its debug file. */
static int add_functions(const struct image *image, Elf *elf, uint32_t type,
                         unsigned flags, struct symtab *out, struct err *err) {
  const struct function_values values = read_values(image);
  const bool has_ifuncs = flags & IMAGE_CLONES && !(flags & WITH_SIZES);
  struct elf_symbols symbols;

  if (find_symbols(elf, type, image->path, &symbols, err))
    return -1;
  for (size_t i = 1; i < symbols.n_symbols; i++) {
    GElf_Sym symbol;
    Elf32_Word extended = 0;
    if (!gelf_getsymshndx(symbols.data, symbols.extended_indices, (int)i,
                          &symbol, &extended) ||
        symbol.st_name >= symbols.names.n_bytes)
      continue;
    bool is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
    unsigned kind = GELF_ST_TYPE(symbol.st_info);
    bool is_func = kind == STT_FUNC || (kind == STT_GNU_IFUNC && has_ifuncs);
    if (flags & WITH_SIZES && kind == STT_GNU_IFUNC)
      continue;
    if (is_local && (((flags & IMAGE_NO_STATIC)) ||
                     ((flags & IMAGE_FUNCS_ONLY) && !is_func)))
      continue;
    uint32_t i_section = symbol.st_shndx == SHN_XINDEX     ? extended
                         : symbol.st_shndx < SHN_LORESERVE ? symbol.st_shndx
                                                           : 0;
    enum symbol_class class = classify(elf, &symbol, i_section, flags);
    uint64_t vaddr = symbol.st_value;
    if (is_func && resolve_function(&values, &vaddr))
      class = is_local ? CLASS_LOCAL : CLASS_GLOBAL;
    const char *name = symbols.names.bytes + symbol.st_name;
    if (class == CLASS_NONE ||
        (class == CLASS_LOCAL &&
         (flags & (IMAGE_CLONES | IMAGE_PARTS)
              ? !is_clone_name(name)
              : !is_local_function_name(&symbols.names, symbol.st_name))))
      continue;
    const struct symbol found = {
        .vaddr = vaddr,
        .last = flags & WITH_SIZES ? last_byte(vaddr, symbol.st_size) : 0,
        .name = name,
        .is_func = is_func,
        .is_static = class == CLASS_LOCAL,
    };
    if (symtab_add(out, &found, err))
      return -1;
  }
  return 0;
}

// --- Stripped images ---

/** Open the symbol table that stripping may keep, compressed, in
 * .gnu_debugdata: functions that are not in .dynsym. Returns NULL if none. */
static Elf *open_mini_debug(const struct image *image) {
  struct image_elf *const elf = image->elf;
  struct image_section section;
  size_t n_bytes;

  if (elf->mini || !image_find_section(image, ".gnu_debugdata", &section))
    return elf->mini;
  elf->mini_bytes = decompress_xz(section.bytes, section.n_bytes,
                                  decompress_limit(section.n_bytes), &n_bytes);
  if (elf->mini_bytes)
    elf->mini = elf_memory((char *)elf->mini_bytes, n_bytes);
  return elf->mini;
}

/** Find the functions of a stripped image. */
static int add_stripped_functions(const struct image *image, unsigned flags,
                                  struct symtab *out, struct err *err) {
  struct image_elf *const elf = image->elf;
  size_t n_bodies;

  if (!elf->debug.elf)
    debug_file_find(elf->elf, image->path, &elf->debug);
  if (elf->debug.elf &&
      add_functions(image, elf->debug.elf, SHT_SYMTAB, flags, out, err))
    return -1;
  if (out->n_symbols)
    return 0;
  if (add_functions(image, elf->elf, SHT_DYNSYM, flags, out, err))
    return -1;
  const size_t n_exported = out->n_symbols;
  Elf *const mini = open_mini_debug(image);
  if (mini && add_functions(image, mini, SHT_SYMTAB, flags, out, err))
    return -1;
  const size_t n_named = out->n_symbols;
  if (body_names_add(image, true, out, &n_bodies, err))
    return -1;
  if (out->n_symbols > 0 && n_named == n_exported && n_bodies == 0)
    warn("%s: image is stripped and its debug file was not found; time and "
         "calls of functions that are not exported count for the function "
         "before them",
         image->path);
  return 0;
}

int image_load_extents(const struct image *image, struct symtab *out,
                       struct err *err) {
  const unsigned flags = IMAGE_CLONES | WITH_SIZES;
  struct image_elf *const elf = image->elf;

  int rc = add_functions(image, elf->elf, SHT_SYMTAB, flags, out, err);
  if (rc == 0 && out->n_symbols == 0) {
    if (!elf->debug.elf)
      debug_file_find(elf->elf, image->path, &elf->debug);
    Elf *const mini = open_mini_debug(image);
    rc = elf->debug.elf
             ? add_functions(image, elf->debug.elf, SHT_SYMTAB, flags, out, err)
             : 0;
    if (rc == 0 && mini)
      rc = add_functions(image, mini, SHT_SYMTAB, flags, out, err);
    if (rc == 0)
      rc = add_functions(image, elf->elf, SHT_DYNSYM, flags, out, err);
  }
  if (rc) {
    symtab_release(out);
    return -1;
  }
  return symtab_finish(out, image->text_vaddr + image->text_bytes - 1, err);
}

int image_load_symbols(const struct image *image, unsigned flags,
                       const struct file_map *map, struct symtab *out,
                       struct err *err) {
  size_t n_bodies;
  int rc = add_functions(image, image->elf->elf, SHT_SYMTAB, flags, out, err);
  if (rc == 0 && out->n_symbols == 0)
    rc = add_stripped_functions(image, flags, out, err);
  else if (rc == 0 && flags & IMAGE_PARTS)
    rc = body_names_add(image, false, out, &n_bodies, err);
  if (rc) {
    symtab_release(out);
    return -1;
  }
  if (map)
    file_map_apply(map, out);
  if (out->n_symbols == 0)
    return err_set(err, ERR_INPUT,
                   "%s: no function symbols, the image is stripped; name the "
                   "unstripped image, or put its debug file next to it",
                   image->path);
  return symtab_finish(out, image->text_vaddr + image->text_bytes - 1, err);
}
