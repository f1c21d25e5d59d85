/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/lines.h"

#include "base/array.h"
#include "base/err.h"
#include "base/sort_u64.h"
#include "debug/debug_info.h"
#include "debug/file_naming.h"
#include "debug/func_table.h"
#include "debug/line_files.h"
#include "debug/line_table.h"
#include "debug/split.h"
#include "debug/text_names.h"
#include "debug/unit_claims.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

enum {
  WALKS = 16, // over all debug information; average nesting is less deep
};

/** A compilation unit. */
struct unit {
  uint64_t die_off;
  Dwarf_Word line_off;
  struct line_unit names; /* that file names are relative to */
  bool has_lines;         /* line_off is set */
  bool has_table;         /* decoded: table and file_map */
  bool has_files_only;    /* of the table: LINE_TABLE_FILES_ONLY */
  bool is_decoded;        /* altogether */
  struct line_table table;
  struct func_table funcs;
  uint32_t *file_map; /* line_files_make_map() */
};

struct lines {
  const char *path;
  struct debug_info info;
  unsigned flags;
  const struct file_naming *naming; /* or NULL */
  uint64_t lowest; /* code below it was dropped by the linker */

  struct unit *units;
  size_t n_units, units_capacity;
  struct unit_claims claims;
  bool has_loose_units; /* without ranges of code, not decoded yet */
  size_t line_budget;   /* bytes of line programs that may still be decoded */
  size_t range_budget;
  size_t walk_budget;

  struct split_files *split; /* NULL: no unit was split so far */
  size_t n_split_bytes;      /* of its files, that are in the budgets */
  bool has_missing_split;    /* a warning was printed */

  struct text_names names;

  struct line_files files;
};

static bool is_gnu(const struct lines *lines) {
  return lines->flags & LINES_GNU;
}

/** Name a row's file, once. */
static int name_file(struct lines *lines, struct unit *unit,
                     const struct line_row *row, struct err *err) {
  uint32_t *const mapped =
      &unit->file_map[line_files_place(&unit->table, row->i_file)];
  if (*mapped == LINES_NO_FILE)
    *mapped = line_files_add(&lines->files,
                             file_naming_make(lines->naming, &unit->table,
                                              row->i_file, &unit->names));
  return *mapped == LINES_NO_FILE ? err_no_memory(err) : 0;
}

static int name_all_files(struct lines *lines, struct unit *unit,
                          struct err *err) {
  for (size_t i = 0; i < unit->table.n_rows; i++)
    if (name_file(lines, unit, &unit->table.rows[i], err))
      return -1;
  return 0;
}

//===--- Units ------------------------------------------------------------===//

/** Record that a unit has code at some addresses. */
static int add_claim(struct lines *lines, uint64_t low, uint64_t high,
                     size_t i_unit, struct err *err) {
  return low < lines->lowest
             ? 0
             : unit_claims_add(&lines->claims, low, high, i_unit, err);
}

/**
 * Open the split unit of a unit that is a skeleton. If it cannot be found, its
 * functions are not known; their lines are.
 */
static int open_split(struct lines *lines, const struct unit *unit,
                      struct split_unit *out, struct err *err) {
  const struct debug_info *const info = &lines->info;
  struct split_skeleton skeleton;
  *out = (struct split_unit){0};
  if (lines->flags & LINES_GNU_BUGS ||
      !split_skeleton_read(info->dwarf, unit->die_off, &skeleton))
    return 0;
  if (!lines->split)
    lines->split = split_files_create(lines->path, info->addrs, info->ranges,
                                      info->sections.is_big_endian, err);
  const int found =
      lines->split ? split_unit_open(lines->split, &skeleton, out, err) : -1;
  if (found == 0 && !lines->has_missing_split) {
    lines->has_missing_split = true;
    warn("%s: split debug information is missing, such as %s; functions that "
         "were inlined there have no names",
         lines->path, skeleton.name);
  }
  if (found < 0)
    return -1;
  const size_t n_bytes = split_files_bytes(lines->split);
  lines->range_budget += n_bytes - lines->n_split_bytes;
  lines->walk_budget += (n_bytes - lines->n_split_bytes) * WALKS;
  lines->n_split_bytes = n_bytes;
  return 0;
}

static int decode_funcs(struct lines *lines, struct unit *unit,
                        struct err *err) {
  struct split_unit split;
  if (open_split(lines, unit, &split, err))
    return -1;
  const struct debug_info *const info = &lines->info;
  const struct func_options options = {
      .is_gnu = is_gnu(lines),
      .lowest = lines->lowest,
      .range_budget = &lines->range_budget,
      .walk_budget = &lines->walk_budget,
      .abbrevs = split.dwarf ? split.abbrevs : info->abbrevs,
      .n_info_bytes = split.dwarf ? split.n_info_bytes : info->n_info_bytes,
      .is_big_endian = info->sections.is_big_endian,
      .has_alternative = !split.dwarf && info->has_alternative,
      .split = split.dwarf ? &split.addresses : NULL,
  };
  const int rc = split.dwarf ? func_table_load(split.dwarf, split.die_off,
                                               &options, &unit->funcs, err)
                             : func_table_load(info->dwarf, unit->die_off,
                                               &options, &unit->funcs, err);
  split_unit_close(&split);
  return rc;
}

static int load_table(struct lines *lines, struct unit *unit, struct err *err) {
  const unsigned flags = (lines->flags & LINES_FILE_0 ? LINE_TABLE_FILE_0 : 0) |
                         (unit->has_files_only ? LINE_TABLE_FILES_ONLY : 0);
  if (unit->has_lines && lines->line_budget > 0) {
    if (line_table_load(&lines->info.sections, unit->line_off, lines->lowest,
                        flags, &unit->table, err))
      return -1;
    lines->line_budget -= unit->table.n_bytes < lines->line_budget
                              ? unit->table.n_bytes
                              : lines->line_budget;
  }
  unit->file_map = line_files_make_map(&unit->table);
  return unit->file_map ? 0 : err_no_memory(err);
}

static void release_table(struct unit *unit) {
  line_table_release(&unit->table);
  free(unit->file_map);
  unit->file_map = NULL;
}

/** Decode a unit's lines, once, or again if only its files are known. Damage
 * leaves them empty, as does lack of memory. */
static int decode_table(struct lines *lines, struct unit *unit, bool needs_line,
                        struct err *err) {
  if (unit->has_table && !(unit->has_files_only && needs_line))
    return 0;
  release_table(unit);
  unit->has_table = true;
  unit->has_files_only = !needs_line;
  if (load_table(lines, unit, err) == 0)
    return 0;
  line_table_release(&unit->table);
  return -1;
}

/** Decode all of a unit, once, as decode_table(). */
static int decode_unit(struct lines *lines, struct unit *unit,
                       struct err *err) {
  if (unit->is_decoded)
    return 0;
  unit->is_decoded = true;
  if (decode_table(lines, unit, true, err) == 0 &&
      decode_funcs(lines, unit, err) == 0 &&
      name_all_files(lines, unit, err) == 0)
    return 0;
  line_table_release(&unit->table);
  func_table_release(&unit->funcs);
  return -1;
}

/** Decode the units that do not record where their code is, and claim it. */
static int decode_loose_units(struct lines *lines, struct err *err) {
  if (!lines->has_loose_units)
    return 0;
  lines->has_loose_units = false;
  bool *const has_claim = calloc(lines->n_units, sizeof(*has_claim));
  if (!has_claim)
    return err_no_memory(err);
  for (size_t i = 0; i < lines->claims.n_claims; i++)
    has_claim[lines->claims.claims[i].i_unit] = true;
  int rc = -1;
  for (size_t i = 0; i < lines->n_units; i++) {
    struct unit *const unit = &lines->units[i];
    if (has_claim[i])
      continue;
    if (decode_unit(lines, unit, err))
      goto out;
    for (size_t k = 0; k < unit->table.n_seqs; k++)
      if (add_claim(lines, unit->table.seqs[k].low, unit->table.seqs[k].high, i,
                    err))
        goto out;
    for (size_t k = 0; k < unit->funcs.n_spans; k++)
      if (add_claim(lines, unit->funcs.spans[k].low, unit->funcs.spans[k].high,
                    i, err))
        goto out;
  }
  rc = 0;
out:
  unit_claims_sort(&lines->claims);
  free(has_claim);
  return rc;
}

/** List a unit and claim the ranges that it names. */
static int add_unit(struct lines *lines, Dwarf_Die *die, struct err *err) {
  struct unit *const units = array_grow(lines->units, lines->n_units,
                                        &lines->units_capacity, sizeof(*units));
  if (!units)
    return err_no_memory(err);
  lines->units = units;
  struct unit *const unit = &units[lines->n_units];
  *unit = (struct unit){.die_off = dwarf_dieoffset(die)};
  Dwarf_Attribute attr;
  unit->has_lines = dwarf_formudata(dwarf_attr(die, DW_AT_stmt_list, &attr),
                                    &unit->line_off) == 0;
  if (func_table_is_whole(die)) {
    unit->names.comp_dir =
        dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
    unit->names.name = dwarf_formstring(dwarf_attr(die, DW_AT_name, &attr));
  }
  const size_t i_unit = lines->n_units++;
  const size_t n_claims = lines->claims.n_claims;
  Dwarf_Addr base, low, high;
  ptrdiff_t off = 0;
  while (lines->range_budget > 0 &&
         (off = dwarf_ranges(die, off, &base, &low, &high)) > 0) {
    lines->range_budget--;
    if (add_claim(lines, low, high, i_unit, err))
      return -1;
  }
  if (lines->claims.n_claims == n_claims)
    lines->has_loose_units = true;
  return 0;
}

/**
 * Is the unit listed? GNU gprof takes a type unit of DWARF 5 for one with code,
 * because it names a line table. One is enough for each table.
 */
static bool is_listed(const struct lines *lines, uint8_t unit_type,
                      Dwarf_Half version, Dwarf_Die *die,
                      uint64_t *last_types) {
  if (unit_type == DW_UT_compile || unit_type == DW_UT_skeleton)
    return true;
  Dwarf_Attribute attr;
  Dwarf_Word line_off;
  if (!is_gnu(lines) || unit_type != DW_UT_type || version < 5 ||
      !dwarf_attr(die, DW_AT_stmt_list, &attr) ||
      dwarf_formudata(&attr, &line_off) || line_off == *last_types)
    return false;
  *last_types = line_off;
  return true;
}

static int list_units(struct lines *lines, struct err *err) {
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  Dwarf_Half version;
  uint8_t unit_type;
  uint64_t last_types = UINT64_MAX; // line table of the last type unit listed
  while (dwarf_get_units(lines->info.dwarf, unit, &unit, &version, &unit_type,
                         &die, NULL) == 0)
    if (is_listed(lines, unit_type, version, &die, &last_types) &&
        add_unit(lines, &die, err))
      return -1;
  unit_claims_sort(&lines->claims);
  return 0;
}

//===--- Opening ----------------------------------------------------------===//

static int read_info(struct lines *lines, const char *path, struct err *err) {
  struct debug_info *const info = &lines->info;
  if (debug_info_open(path, info, err))
    return -1;
  // GNU gprof treats code at address 0 as code.
  if (!is_gnu(lines) && info->lowest != UINT64_MAX)
    lines->lowest = info->lowest;
  lines->line_budget = info->sections.line.n_bytes * 2;
  lines->range_budget = info->n_bytes;
  lines->walk_budget = info->n_bytes * WALKS;
  if (text_names_load(info->elf, is_gnu(lines) ? info->i_text : 0,
                      &lines->names, err))
    return -1;
  // Stripped altogether.
  return lines->names.n_names == 0 && info->file.elf
             ? text_names_load(info->file.elf,
                               is_gnu(lines) ? info->i_file_text : 0,
                               &lines->names, err)
             : 0;
}

int lines_open(const char *path, unsigned flags,
               const struct file_naming *naming, struct lines **out,
               struct err *err) {
  *out = NULL;
  struct lines *const lines = calloc(1, sizeof(*lines));
  if (!lines)
    return err_no_memory(err);
  lines->path = path;
  lines->flags = flags;
  lines->naming = naming;
  if (read_info(lines, path, err) ||
      (lines->info.dwarf && list_units(lines, err))) {
    lines_close(lines);
    return -1;
  }
  *out = lines;
  return 0;
}

bool lines_has_debug(const struct lines *lines) {
  return lines->n_units > 0 && lines->info.sections.line.n_bytes > 0;
}

/**
 * Name of a function that has no linkage name. GNU gprof looks for one in the
 * symbol table when it first reaches the function, and keeps it if the symbol
 * is the function's own.
 */
static const char *settle_name(const struct lines *lines, struct func *func,
                               uint64_t vaddr) {
  const struct text_name *const symbol = text_names_find(&lines->names, vaddr);
  func->is_linkage = true;
  if (symbol && symbol->vaddr == func->low)
    func->name = symbol->name;
  return func->name;
}

static void set_row(const struct unit *unit, const struct line_row *row,
                    struct line_pos *out) {
  out->line = row->line;
  out->i_file = unit->file_map[line_files_place(&unit->table, row->i_file)];
}

/** Find function and row of vaddr in one unit. Returns false if it has
 * neither. */
static bool find_in_unit(const struct lines *lines, struct unit *unit,
                         uint64_t vaddr, struct line_pos *out) {
  struct func *const func = func_table_find(&unit->funcs, vaddr);
  const struct line_row *const row = line_table_find(&unit->table, vaddr);
  if (!func && !row)
    return false;
  if (func)
    out->func = is_gnu(lines) && !func->is_linkage
                    ? settle_name(lines, func, vaddr)
                    : func->name;
  if (row)
    set_row(unit, row, out);
  return true;
}

static bool find_in_units(struct lines *lines, uint64_t vaddr,
                          struct line_pos *out) {
  const struct unit_candidates *const found =
      unit_claims_find(&lines->claims, vaddr, is_gnu(lines));
  for (size_t i = 0; i < found->n_units; i++) {
    struct unit *const unit = &lines->units[found->units[i]];
    struct err ignored;
    if (decode_unit(lines, unit, &ignored) == 0 &&
        find_in_unit(lines, unit, vaddr, out))
      return true;
  }
  return false;
}

bool lines_find(struct lines *lines, uint64_t vaddr, struct line_pos *out) {
  *out = (struct line_pos){.i_file = LINES_NO_FILE};
  if (!find_in_units(lines, vaddr, out) && lines->has_loose_units) {
    struct err ignored;
    if (decode_loose_units(lines, &ignored) == 0)
      find_in_units(lines, vaddr, out);
  }
  if (!out->func) {
    const struct text_name *const symbol =
        text_names_find(&lines->names, vaddr);
    if (symbol)
      out->func = symbol->name;
  }
  return out->i_file != LINES_NO_FILE && out->line && out->func;
}

/** Follow a unit's function outwards. */
static size_t list_callers(struct unit *unit, uint64_t vaddr,
                           const char **names, size_t max) {
  const struct func *func = func_table_find(&unit->funcs, vaddr);
  size_t n = 0;
  while (func && n < max) {
    names[n++] = func->name ? func->name : "";
    func = func->is_inlined && func->i_caller != FUNC_NONE
               ? &unit->funcs.funcs[func->i_caller]
               : NULL;
  }
  return n;
}

size_t lines_find_inlined(struct lines *lines, uint64_t vaddr,
                          const char **names, size_t max) {
  struct err ignored;
  if (lines->has_loose_units)
    decode_loose_units(lines, &ignored);
  const struct unit_candidates *const found =
      unit_claims_find(&lines->claims, vaddr, is_gnu(lines));
  for (size_t i = 0; i < found->n_units; i++) {
    struct unit *const unit = &lines->units[found->units[i]];
    if (decode_unit(lines, unit, &ignored))
      continue;
    const size_t n = list_callers(unit, vaddr, names, max);
    if (n)
      return n;
  }
  return 0;
}

/** A unit's row for vaddr, its file being named; or NULL. */
static const struct line_row *find_row(struct lines *lines, struct unit *unit,
                                       uint64_t vaddr, bool needs_line) {
  struct err ignored;
  const struct line_row *const row =
      decode_table(lines, unit, needs_line, &ignored) == 0
          ? line_table_find(&unit->table, vaddr)
          : NULL;
  return row && name_file(lines, unit, row, &ignored) == 0 ? row : NULL;
}

bool lines_find_place(struct lines *lines, uint64_t vaddr, bool needs_line,
                      struct line_pos *out) {
  const struct unit_candidates *const found =
      unit_claims_find(&lines->claims, vaddr, is_gnu(lines));
  const struct line_row *row = NULL;
  size_t i = 0;
  *out = (struct line_pos){.i_file = LINES_NO_FILE};
  for (; !row && i < found->n_units; i++)
    row = find_row(lines, &lines->units[found->units[i]], vaddr, needs_line);
  // Functions make no difference if no unit has a row; or if the first unit has
  // one, and the symbol table has a name.
  if (!row && !lines->has_loose_units)
    return false;
  const struct text_name *const symbol = text_names_find(&lines->names, vaddr);
  if (!row || i > 1 || !symbol || row->line == 0)
    return lines_find(lines, vaddr, out);
  out->func = symbol->name;
  set_row(&lines->units[found->units[0]], row, out);
  return true;
}

/** Collects break points. */
struct collector {
  uint64_t low, high;
  struct lines_breaks *breaks;
  size_t capacity;
};

static int add_break(struct collector *collector, uint64_t vaddr,
                     struct err *err) {
  if (vaddr < collector->low || vaddr >= collector->high)
    return 0;
  struct lines_breaks *const breaks = collector->breaks;
  uint64_t *const vaddrs = array_grow(breaks->vaddrs, breaks->n_vaddrs,
                                      &collector->capacity, sizeof(*vaddrs));
  if (!vaddrs)
    return err_no_memory(err);
  breaks->vaddrs = vaddrs;
  vaddrs[breaks->n_vaddrs++] = vaddr;
  return 0;
}

static int add_unit_breaks(struct collector *collector, const struct unit *unit,
                           struct err *err) {
  for (size_t i = 0; i < unit->table.n_rows; i++)
    if (add_break(collector, unit->table.rows[i].vaddr, err))
      return -1;
  for (size_t i = 0; i < unit->table.n_seqs; i++)
    if (add_break(collector, unit->table.seqs[i].low, err) ||
        add_break(collector, unit->table.seqs[i].high, err))
      return -1;
  for (size_t i = 0; i < unit->funcs.n_spans; i++)
    if (add_break(collector, unit->funcs.spans[i].low, err) ||
        add_break(collector, unit->funcs.spans[i].high, err))
      return -1;
  return 0;
}

static int collect_breaks(struct lines *lines, struct collector *collector,
                          struct err *err) {
  if (decode_loose_units(lines, err) ||
      add_break(collector, collector->low, err))
    return -1;
  bool *const is_done = calloc(lines->n_units + 1, sizeof(*is_done));
  if (!is_done)
    return err_no_memory(err);
  int rc = -1;
  for (size_t i = 0; i < lines->claims.n_claims; i++) {
    const struct unit_claim *const claim = &lines->claims.claims[i];
    if (claim->low >= collector->high)
      break;
    if (claim->high <= collector->low)
      continue;
    // At the ends of a unit's claim another unit may take over.
    if (add_break(collector, claim->low, err) ||
        add_break(collector, claim->high, err))
      goto out;
    if (is_done[claim->i_unit])
      continue;
    is_done[claim->i_unit] = true;
    struct unit *const unit = &lines->units[claim->i_unit];
    if (decode_unit(lines, unit, err) || add_unit_breaks(collector, unit, err))
      goto out;
  }
  for (size_t i = 0; i < lines->names.n_names; i++) {
    const struct text_name *const name = &lines->names.names[i];
    if (add_break(collector, name->vaddr, err) ||
        add_break(collector, name->vaddr + name->size_bytes, err))
      goto out;
  }
  rc = 0;
out:
  free(is_done);
  return rc;
}

int lines_breaks_find(struct lines *lines, uint64_t low, uint64_t high,
                      struct lines_breaks *out, struct err *err) {
  *out = (struct lines_breaks){0};
  struct collector collector = {.low = low, .high = high, .breaks = out};
  if (low >= high)
    return 0;
  if (collect_breaks(lines, &collector, err)) {
    lines_breaks_release(out);
    return -1;
  }
  if (sort_u64_unique(out->vaddrs, &out->n_vaddrs)) {
    lines_breaks_release(out);
    return err_no_memory(err);
  }
  return 0;
}

void lines_breaks_release(struct lines_breaks *breaks) {
  free(breaks->vaddrs);
  *breaks = (struct lines_breaks){0};
}

size_t lines_n_files(const struct lines *lines) { return lines->files.n_names; }

const char *lines_file_name(const struct lines *lines, uint32_t i_file) {
  return lines->files.names[i_file];
}

void lines_close(struct lines *lines) {
  if (!lines)
    return;
  for (size_t i = 0; i < lines->n_units; i++) {
    release_table(&lines->units[i]);
    func_table_release(&lines->units[i].funcs);
  }
  free(lines->units);
  unit_claims_release(&lines->claims);
  line_files_release(&lines->files);
  text_names_release(&lines->names);
  split_files_destroy(lines->split);
  debug_info_close(&lines->info);
  free(lines);
}
