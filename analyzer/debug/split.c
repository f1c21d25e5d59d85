/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/split.h"

#include "base/array.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/map64.h"
#include "debug/debug_elf.h"
#include "debug/func_table.h"
#include "debug/line_files.h"
#include "debug/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Kinds of sections that a package's index has columns for. The numbers of the
 * precursor are the same, except for range lists, which it lacks. */
enum column {
  COLUMN_INFO = 1,
  COLUMN_ABBREV = 3,
  COLUMN_STR_OFFSETS = 6,
  COLUMN_RNGLISTS = 8,
  N_COLUMNS = 9,
};

/** The index of a package. */
struct package_index {
  uint32_t n_columns, n_units, n_slots;
  struct byte_reader slots, rows; // at the start of these
  uint32_t kinds[N_COLUMNS];      // of each column
};

/** A file that was read, or could not be. */
struct split_file {
  struct debug_sections sections; // none: could not be read
  struct map64 units;             // id -> offset of its entry; or row + 1
  bool is_package;
  struct package_index index;
};

struct split_files {
  const char *image_path;
  struct line_bytes addrs, old_ranges;
  bool is_big_endian;
  struct line_files names; // of all files that were requested
  struct split_file *files;
  size_t n_files, files_capacity;
  size_t n_bytes;      // of their sections
  struct map64 opened; // ids of units
};

//===--- Units ------------------------------------------------------------===//

/** Open the debug information of some parts of a file. */
static bool open_part(const struct split_file *file,
                      const struct debug_section *parts, size_t n_parts,
                      struct split_unit *out) {
  const struct debug_sections *const sections = &file->sections;
  out->elf = debug_elf_compose(sections, parts, n_parts);
  out->dwarf = out->elf ? dwarf_begin_elf(out->elf, DWARF_C_READ, NULL) : NULL;
  return out->dwarf;
}

void split_unit_close(struct split_unit *unit) {
  if (unit->dwarf)
    dwarf_end(unit->dwarf);
  elf_end(unit->elf);
  *unit = (struct split_unit){0};
}

/** Go on to the next unit with code. */
static bool next_unit(Dwarf *dwarf, Dwarf_CU **cu, uint64_t *id,
                      uint64_t *die_off) {
  Dwarf_Die die;
  uint8_t type;
  while (dwarf_get_units(dwarf, *cu, cu, NULL, &type, &die, NULL) == 0) {
    Dwarf_Attribute attr;
    Dwarf_Word value = 0;
    *die_off = dwarf_dieoffset(&die);
    if (type == DW_UT_split_type || type == DW_UT_type ||
        dwarf_cu_info(*cu, NULL, NULL, NULL, NULL, id, NULL, NULL))
      continue;
    if (dwarf_attr(&die, DW_AT_GNU_dwo_id, &attr) &&
        dwarf_formudata(&attr, &value) == 0)
      *id = value;
    return true;
  }
  return false;
}

/** List the units of a file that is no package. */
static int list_units(struct split_file *file, struct err *err) {
  struct split_unit all = {0};
  Dwarf_CU *cu = NULL;
  uint64_t id, die_off;
  int rc = 0;
  if (open_part(file, file->sections.list, file->sections.n, &all))
    while (rc == 0 && next_unit(all.dwarf, &cu, &id, &die_off))
      if (die_off < MAP64_NONE && map64_find(&file->units, id) == MAP64_NONE)
        rc = map64_insert(&file->units, id, (uint32_t)die_off, err);
  split_unit_close(&all);
  return rc;
}

//===--- Packages ---------------------------------------------------------===//

/** Read the index's header (DWARF 5, 7.3.5.3). Returns false if damaged. */
static bool read_index(struct package_index *index, struct line_bytes bytes,
                       bool is_big_endian) {
  struct byte_reader reader = {.at = bytes.bytes,
                               .end = bytes.bytes + bytes.n_bytes,
                               .is_big_endian = is_big_endian};
  const uint64_t head = byte_reader_uint(&reader, 4);
  const bool is_new = head != 2; // 2 bytes of version there
  index->n_columns = (uint32_t)byte_reader_uint(&reader, 4);
  index->n_units = (uint32_t)byte_reader_uint(&reader, 4);
  index->n_slots = (uint32_t)byte_reader_uint(&reader, 4);
  index->slots = reader;
  byte_reader_skip(&reader, (uint64_t)index->n_slots * 12);
  for (uint32_t i = 0; i < index->n_columns; i++) {
    const uint64_t kind = byte_reader_uint(&reader, 4);
    // Number 8 is another section in the precursor.
    if (i < N_COLUMNS && (is_new || kind != COLUMN_RNGLISTS))
      index->kinds[i] = (uint32_t)kind;
    if (reader.has_failed)
      return false;
  }
  index->rows = reader;
  return !reader.has_failed && index->n_columns > 0 &&
         index->n_columns <= N_COLUMNS &&
         (uint64_t)index->n_units * index->n_columns <=
             byte_reader_left(&reader) / 8;
}

static int list_package(struct split_file *file, struct err *err) {
  const struct package_index *const index = &file->index;
  struct byte_reader ids = index->slots, rows = index->slots;
  byte_reader_skip(&rows, (uint64_t)index->n_slots * 8);
  for (uint32_t i = 0; i < index->n_slots; i++) {
    const uint64_t id = byte_reader_uint(&ids, 8);
    const uint64_t row = byte_reader_uint(&rows, 4);
    if (row && row <= index->n_units &&
        map64_find(&file->units, id) == MAP64_NONE &&
        map64_insert(&file->units, id, (uint32_t)row, err))
      return -1;
  }
  return 0;
}

/** The part of a section that belongs to a row of the index; a section without
 * a column belongs to all. Returns false if damaged. */
static bool find_part(const struct package_index *index, uint32_t row,
                      enum column kind, struct line_bytes *bytes) {
  for (uint32_t i = 0; i < index->n_columns; i++) {
    if (index->kinds[i] != kind)
      continue;
    const uint64_t place = (uint64_t)(row - 1) * index->n_columns + i;
    struct byte_reader offsets = index->rows, sizes = index->rows;
    byte_reader_skip(&offsets, place * 4);
    byte_reader_skip(&sizes,
                     ((uint64_t)index->n_units * index->n_columns + place) * 4);
    const uint64_t off = byte_reader_uint(&offsets, 4);
    const uint64_t n_bytes = byte_reader_uint(&sizes, 4);
    if (off > bytes->n_bytes || n_bytes > bytes->n_bytes - off)
      return false;
    *bytes = (struct line_bytes){.bytes = bytes->bytes + off,
                                 .n_bytes = (size_t)n_bytes};
  }
  return true;
}

/** Cut the sections of a package down to those of one unit. */
static bool cut_sections(const struct package_index *index, uint32_t row,
                         struct debug_section *parts, size_t n_parts) {
  static const struct {
    const char *name;
    enum column kind;
  } cuts[] = {
      {".debug_info", COLUMN_INFO},
      {".debug_abbrev", COLUMN_ABBREV},
      {".debug_str_offsets", COLUMN_STR_OFFSETS},
      {".debug_rnglists", COLUMN_RNGLISTS},
  };
  for (size_t i = 0; i < n_parts; i++)
    for (size_t k = 0; k < sizeof(cuts) / sizeof(*cuts); k++)
      if (strcmp(parts[i].name, cuts[k].name) == 0 &&
          !find_part(index, row, cuts[k].kind, &parts[i].bytes))
        return false;
  return true;
}

//===--- Files ------------------------------------------------------------===//

/** Read a file, if it is one. */
static int load_file(struct split_files *files, const char *path,
                     struct split_file *file, struct err *err) {
  struct stat status;
  const int fd = in_file_open(path, IN_FILE_REGULAR, &status);
  if (fd < 0)
    return 0;
  Elf *const elf = elf_begin(fd, ELF_C_READ, NULL);
  int rc = 0;
  if (elf && elf_kind(elf) == ELF_K_ELF)
    rc = debug_sections_load(
        elf, (struct line_bytes){.n_bytes = (size_t)status.st_size}, ".dwo",
        &file->sections, err);
  elf_end(elf);
  close(fd);
  if (rc || !file->sections.start)
    return rc;
  files->n_bytes += file->sections.n_bytes;
  if (!file->is_package)
    return list_units(file, err);
  const struct line_bytes index = debug_sections_find(
      file->sections.list, file->sections.n, ".debug_cu_index");
  return read_index(&file->index, index, files->is_big_endian)
             ? list_package(file, err)
             : 0;
}

/** Find a file that was read, or read it. path is freed. Returns -1 or 0. */
static int find_file(struct split_files *files, char *path, bool is_package,
                     const struct split_file **out, struct err *err) {
  const uint32_t i_file = line_files_add(&files->names, path);
  if (i_file == UINT32_MAX)
    return err_no_memory(err);
  if (i_file == files->n_files) {
    struct split_file *const grown = array_grow(
        files->files, files->n_files, &files->files_capacity, sizeof(*grown));
    if (!grown)
      return err_no_memory(err);
    files->files = grown;
    grown[files->n_files] = (struct split_file){.is_package = is_package};
    if (load_file(files, files->names.names[i_file], &grown[files->n_files++],
                  err))
      return -1;
  }
  *out = &files->files[i_file];
  return 0;
}

struct split_files *split_files_create(const char *image_path,
                                       struct line_bytes addrs,
                                       struct line_bytes old_ranges,
                                       bool is_big_endian, struct err *err) {
  struct split_files *const files = calloc(1, sizeof(*files));
  if (!files) {
    err_no_memory(err);
    return NULL;
  }
  files->image_path = image_path;
  files->addrs = addrs;
  files->old_ranges = old_ranges;
  files->is_big_endian = is_big_endian;
  return files;
}

void split_files_destroy(struct split_files *files) {
  if (!files)
    return;
  for (size_t i = 0; i < files->n_files; i++) {
    debug_sections_release(&files->files[i].sections);
    map64_release(&files->files[i].units);
  }
  free(files->files);
  map64_release(&files->opened);
  line_files_release(&files->names);
  free(files);
}

//===--- Opening a unit ---------------------------------------------------===//

static struct line_bytes rest_of(struct line_bytes bytes, uint64_t off) {
  return off < bytes.n_bytes
             ? (struct line_bytes){.bytes = bytes.bytes + off,
                                   .n_bytes = bytes.n_bytes - (size_t)off}
             : (struct line_bytes){.bytes = NULL};
}

/** Open a skeleton's unit if the file has it. Returns 1 or 0. */
static int open_in_file(const struct split_files *files,
                        const struct split_file *file,
                        const struct split_skeleton *skeleton,
                        struct split_unit *out) {
  const uint32_t found = map64_find(&file->units, skeleton->id);
  struct debug_section parts[DEBUG_SECTIONS];
  const size_t n_parts = file->sections.n;
  if (found == MAP64_NONE)
    return 0;
  memcpy(parts, file->sections.list, n_parts * sizeof(*parts));
  if ((file->is_package &&
       !cut_sections(&file->index, found, parts, n_parts)) ||
      !open_part(file, parts, n_parts, out))
    goto none;
  out->die_off = found;
  uint64_t id;
  Dwarf_CU *cu = NULL;
  if (file->is_package &&
      (!next_unit(out->dwarf, &cu, &id, &out->die_off) || id != skeleton->id))
    goto none;
  out->abbrevs = debug_sections_find(parts, n_parts, ".debug_abbrev");
  out->n_info_bytes =
      debug_sections_find(parts, n_parts, ".debug_info").n_bytes;
  out->addresses = (struct unit_addresses){
      .version = skeleton->version,
      .address_bytes = skeleton->address_bytes,
      .offset_bytes = skeleton->offset_bytes,
      .is_big_endian = files->is_big_endian,
      .addrs = rest_of(files->addrs, skeleton->addr_base),
      .lists = skeleton->version < 5
                   ? rest_of(files->old_ranges, skeleton->ranges_base)
                   : debug_sections_find(parts, n_parts, ".debug_rnglists"),
      .base = skeleton->low_pc,
  };
  return 1;
none:
  split_unit_close(out);
  return 0;
}

size_t split_files_bytes(const struct split_files *files) {
  return files->n_bytes;
}

/** Join the image's folder with a name. */
static char *beside_image(const struct split_files *files, const char *name) {
  const char *const slash = strrchr(files->image_path, '/');
  const size_t n_folder = slash ? (size_t)(slash - files->image_path) + 1 : 0;
  char *const path = malloc(n_folder + strlen(name) + 1);
  if (path) {
    memcpy(path, files->image_path, n_folder);
    strcpy(path + n_folder, name);
  }
  return path;
}

static char *package_path(const struct split_files *files) {
  const size_t n_bytes = strlen(files->image_path);
  char *const path = malloc(n_bytes + sizeof(".dwp"));
  if (path) {
    memcpy(path, files->image_path, n_bytes);
    strcpy(path + n_bytes, ".dwp");
  }
  return path;
}

/** The file in which a unit may be, by the number of the place. Returns a path
 * to free(), or NULL (no memory). */
static char *path_of(const struct split_files *files,
                     const struct split_skeleton *skeleton, int place) {
  switch (place) {
  case 0:
    return package_path(files);
  case 1:
    return source_join(skeleton->comp_dir, NULL, skeleton->name);
  default:
    return beside_image(files, skeleton->name);
  }
}

int split_unit_open(struct split_files *files,
                    const struct split_skeleton *skeleton,
                    struct split_unit *out, struct err *err) {
  *out = (struct split_unit){0};
  const int n_places = skeleton->name[0] == '/' ? 2 : 3;
  if (map64_find(&files->opened, skeleton->id) != MAP64_NONE)
    return 0;
  for (int place = 0; place < n_places; place++) {
    const struct split_file *file = NULL;
    if (find_file(files, path_of(files, skeleton, place), place == 0, &file,
                  err))
      return -1;
    if (!open_in_file(files, file, skeleton, out))
      continue;
    if (map64_insert(&files->opened, skeleton->id, 0, err) == 0)
      return 1;
    split_unit_close(out);
    return -1;
  }
  return 0;
}

//===--- Skeletons --------------------------------------------------------===//

/** The value of the first of two attributes that a DIE has, or a default. */
static uint64_t number_of(Dwarf_Die *die, unsigned first, unsigned second,
                          uint64_t value) {
  Dwarf_Attribute attr;
  Dwarf_Word number;
  return (dwarf_attr(die, first, &attr) || dwarf_attr(die, second, &attr)) &&
                 dwarf_formudata(&attr, &number) == 0
             ? number
             : value;
}

bool split_skeleton_read(struct Dwarf *dwarf, uint64_t die_off,
                         struct split_skeleton *out) {
  enum { MAX_NAME_BYTES = 4096 };
  Dwarf_Die die;
  Dwarf_Attribute attr;
  Dwarf_Half version;
  uint64_t id;
  *out = (struct split_skeleton){.name = NULL};
  if (!dwarf_offdie(dwarf, die_off, &die) || !func_table_is_whole(&die) ||
      !(dwarf_attr(&die, DW_AT_dwo_name, &attr) ||
        dwarf_attr(&die, DW_AT_GNU_dwo_name, &attr)) ||
      dwarf_cu_info(die.cu, &version, NULL, NULL, NULL, &id, NULL, NULL))
    return false;
  out->name = dwarf_formstring(&attr);
  if (!out->name || !*out->name || strlen(out->name) > MAX_NAME_BYTES)
    return false;
  if (dwarf_attr(&die, DW_AT_comp_dir, &attr))
    out->comp_dir = dwarf_formstring(&attr);
  if (out->comp_dir && strlen(out->comp_dir) > MAX_NAME_BYTES)
    return false;
  uint8_t address_bytes, offset_bytes;
  if (!dwarf_cu_die(die.cu, &die, NULL, NULL, &address_bytes, &offset_bytes,
                    NULL, NULL))
    return false;
  const bool is_new = version >= 5;
  Dwarf_Addr low;
  out->version = version;
  out->address_bytes = address_bytes;
  out->offset_bytes = offset_bytes;
  out->id = is_new ? id : number_of(&die, DW_AT_GNU_dwo_id, 0, 0);
  // After the header of .debug_addr, which the precursor lacks.
  out->addr_base =
      number_of(&die, DW_AT_addr_base, DW_AT_GNU_addr_base, is_new ? 8 : 0);
  out->ranges_base = number_of(&die, DW_AT_GNU_ranges_base, 0, 0);
  out->low_pc = dwarf_lowpc(&die, &low) == 0 ? low : 0;
  return true;
}
