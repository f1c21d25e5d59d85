/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/func_table.h"

#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "base/sorted.h"
#include "debug/die_walk.h"
#include "debug/func_spans.h"
#include "debug/range_list.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

enum { MAX_ORIGIN_STEPS = 16 }; // of abstract origins and specifications

/** A function's name, if it has any. */
struct name {
  const char *text;
  bool is_linkage;
};

/** A function that has begun and not ended: others are below it. */
struct open_func {
  unsigned depth;
  size_t i_func; // FUNC_NONE: it is not in the table
};

/** State of reading a unit. */
struct reader {
  const struct func_options *options;
  struct func_table *table;
  Dwarf_CU *unit;
  bool is_linkage_language; // plain names are linkage names
  struct func_span *ranges; // of functions, in any order
  size_t n_ranges, ranges_capacity, funcs_capacity;
  size_t i_first_range; // of the function being read
  struct name *names;   // of those that others are copies of
  size_t n_names, names_capacity;
  struct map64 name_index; // address of the entry in memory -> names
  struct open_func *open;  // of the entry being read, outermost first
  size_t n_open, open_capacity;
};

/**
 * Does a language have no mangling of its own? GNU gprof's list (section 3.5
 * of the behaviour it shows): only there is a plain DW_AT_name a linkage name.
 */
static bool has_plain_names(Dwarf_Word language) {
  switch (language) {
  case DW_LANG_C89:
  case DW_LANG_C:
  case DW_LANG_Cobol74:
  case DW_LANG_Cobol85:
  case DW_LANG_Fortran77:
  case DW_LANG_Pascal83:
  case DW_LANG_PLI:
  case DW_LANG_C99:
  case DW_LANG_UPC:
  case DW_LANG_C11:
  case DW_LANG_Mips_Assembler:
    return true;
  default:
    return false;
  }
}

/** Find the first of two attributes that a DIE has. */
static bool find_attr(Dwarf_Die *die, unsigned first, unsigned second,
                      Dwarf_Attribute *out) {
  return dwarf_attr(die, first, out) || dwarf_attr(die, second, out);
}

/** Is a value in a file that is missing? */
static bool is_out_of_reach(const struct func_options *options,
                            Dwarf_Attribute *attr) {
  switch (dwarf_whatform(attr)) {
  case DW_FORM_GNU_strp_alt:
  case DW_FORM_GNU_ref_alt:
  case DW_FORM_strp_sup:
  case DW_FORM_ref_sup4:
  case DW_FORM_ref_sup8:
    return !options->has_alternative;
  default:
    return false;
  }
}

static const char *read_string(const struct func_options *options,
                               Dwarf_Attribute *attr) {
  return is_out_of_reach(options, attr) ? NULL : dwarf_formstring(attr);
}

static bool follow(const struct func_options *options, Dwarf_Attribute *attr,
                   Dwarf_Die *out) {
  return !is_out_of_reach(options, attr) && dwarf_formref_die(attr, out);
}

static int pass_over(Dwarf_Attribute *attr, void *unused) {
  (void)attr;
  (void)unused;
  return DWARF_CB_OK;
}

bool func_table_is_whole(void *die) {
  // It computes the length of each value, and returns 1 at the end of the list.
  return dwarf_getattrs(die, pass_over, NULL, 0) == 1;
}

/**
 * Name of a function: the linkage name if it or its origin has one. If both
 * have one (constructors), GNU gprof takes that of the attribute that comes
 * last, be it the name or the reference to the origin.
 */
static struct name find_name(Dwarf_Die *die,
                             const struct func_options *options) {
  Dwarf_Die current = *die;
  const char *plain = NULL, *linkage = NULL;
  // By hand: libdw would follow a circular chain for ever.
  for (int step = 0; step < MAX_ORIGIN_STEPS && func_table_is_whole(&current);
       step++) {
    Dwarf_Attribute attr, origin_attr;
    Dwarf_Die origin;
    const bool has_origin = find_attr(&current, DW_AT_abstract_origin,
                                      DW_AT_specification, &origin_attr) &&
                            follow(options, &origin_attr, &origin);
    if (find_attr(&current, DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
                  &attr)) {
      const char *const name = read_string(options, &attr);
      if (name)
        linkage = name;
      if (name &&
          (!options->is_gnu || !has_origin || attr.valp > origin_attr.valp))
        break;
    }
    if (!plain && dwarf_attr(&current, DW_AT_name, &attr))
      plain = read_string(options, &attr);
    if (!has_origin)
      break;
    current = origin;
  }
  return (struct name){.text = linkage ? linkage : plain,
                       .is_linkage = linkage != NULL};
}

static Dwarf_Attribute attribute_of(const struct reader *reader,
                                    const struct die_value *value) {
  return (Dwarf_Attribute){.code = value->attr,
                           .form = value->form,
                           .valp = (unsigned char *)value->bytes,
                           .cu = reader->unit};
}

static Dwarf_Die die_of(const struct reader *reader,
                        const struct die_func *func) {
  return (Dwarf_Die){.addr = (void *)func->bytes, .cu = reader->unit};
}

/** Name of a function's origin; looked up once for all copies. */
static int find_origin_name(struct reader *reader, Dwarf_Die *origin,
                            struct name *out, struct err *err) {
  const uint64_t key = (uintptr_t)origin->addr;
  const uint32_t i_name = map64_find(&reader->name_index, key);
  if (i_name != MAP64_NONE) {
    *out = reader->names[i_name];
    return 0;
  }
  *out = find_name(origin, reader->options);
  struct name *const names = array_grow(
      reader->names, reader->n_names, &reader->names_capacity, sizeof(*names));
  if (!names)
    return err_no_memory(err);
  reader->names = names;
  names[reader->n_names] = *out;
  return map64_insert(&reader->name_index, key, (uint32_t)reader->n_names++,
                      err);
}

/** Name of a function, the short way if its entry is of a usual kind: either
 * names, or a copy that has none. */
static int name_func(struct reader *reader, const struct die_func *func,
                     struct name *out, struct err *err) {
  const struct die_value *const own =
      func->linkage_name.attr ? &func->linkage_name : &func->name;
  Dwarf_Die die = die_of(reader, func);
  if (func->has_remote_values || (own->attr && func->origin.attr)) {
    *out = find_name(&die, reader->options);
    return 0;
  }
  *out = (struct name){.text = NULL};
  if (own->attr) {
    Dwarf_Attribute attr = attribute_of(reader, own);
    out->text = read_string(reader->options, &attr);
    out->is_linkage = out->text && func->linkage_name.attr;
    if (!out->text && func->linkage_name.attr)
      *out = find_name(&die, reader->options);
    return 0;
  }
  Dwarf_Die origin;
  Dwarf_Attribute attr = attribute_of(reader, &func->origin);
  return func->origin.attr && follow(reader->options, &attr, &origin)
             ? find_origin_name(reader, &origin, out, err)
             : 0;
}

static int add_range(struct reader *reader, uint64_t low, uint64_t high,
                     struct err *err) {
  if (high <= low || low < reader->options->lowest)
    return 0;
  // Merge adjacent ranges: it matters, as the smallest range wins.
  for (size_t i = reader->i_first_range;
       reader->options->is_gnu && i < reader->n_ranges &&
       i < reader->i_first_range + 64;
       i++) {
    if (reader->ranges[i].high == low) {
      reader->ranges[i].high = high;
      return 0;
    }
    if (reader->ranges[i].low == high) {
      reader->ranges[i].low = low;
      return 0;
    }
  }
  struct func_span *const ranges =
      array_grow(reader->ranges, reader->n_ranges, &reader->ranges_capacity,
                 sizeof(*ranges));
  if (!ranges)
    return err_no_memory(err);
  reader->ranges = ranges;
  ranges[reader->n_ranges++] = (struct func_span){
      .low = low, .high = high, .i_func = reader->table->n_funcs};
  return 0;
}

/** Read ranges by libdw, in any form. */
static int add_ranges(struct reader *reader, Dwarf_Die *die, struct err *err) {
  Dwarf_Attribute attr;
  const bool has_list = dwarf_attr(die, DW_AT_ranges, &attr) != NULL;
  if (has_list && reader->options->is_gnu &&
      dwarf_whatform(&attr) == DW_FORM_rnglistx)
    return 0;
  Dwarf_Addr base, low, high;
  ptrdiff_t off = 0;
  // Many functions may name one long list, hence the budget.
  size_t *const budget = reader->options->range_budget;
  while (*budget > 0 &&
         (off = dwarf_ranges(die, off, &base, &low, &high)) > 0) {
    (*budget)--;
    if (add_range(reader, low, high, err))
      return -1;
  }
  return 0;
}

/** Read an address of a split unit: itself, or its number. */
static bool read_split_address(const struct reader *reader,
                               const struct die_value *value, uint64_t *vaddr) {
  const struct unit_addresses *const unit = reader->options->split;
  // The walk has skipped the value, so all of its bytes are there.
  struct byte_reader at = {.at = value->bytes,
                           .end = value->bytes + 10,
                           .is_big_endian = unit->is_big_endian};
  switch (value->form) {
  case DW_FORM_addr:
    *vaddr = byte_reader_uint(&at, unit->address_bytes);
    return true;
  case DW_FORM_addrx:
  case DW_FORM_GNU_addr_index:
    return unit_address(unit, byte_reader_leb(&at, false), vaddr);
  case DW_FORM_addrx1:
    return unit_address(unit, byte_reader_uint(&at, 1), vaddr);
  case DW_FORM_addrx2:
    return unit_address(unit, byte_reader_uint(&at, 2), vaddr);
  case DW_FORM_addrx3:
    return unit_address(unit, byte_reader_uint(&at, 3), vaddr);
  case DW_FORM_addrx4:
    return unit_address(unit, byte_reader_uint(&at, 4), vaddr);
  default:
    return false;
  }
}

/** Read the place of a list of ranges. Returns false if it is of no such form.
 */
static bool read_split_place(const struct reader *reader,
                             const struct die_value *value, uint64_t *place) {
  const struct unit_addresses *const unit = reader->options->split;
  struct byte_reader at = {.at = value->bytes,
                           .end = value->bytes + 10,
                           .is_big_endian = unit->is_big_endian};
  switch (value->form) {
  case DW_FORM_rnglistx:
    *place = byte_reader_leb(&at, false);
    return true;
  case DW_FORM_sec_offset:
    *place = byte_reader_uint(&at, unit->offset_bytes);
    return true;
  case DW_FORM_data4:
    *place = byte_reader_uint(&at, 4);
    return true;
  default:
    return false;
  }
}

static int add_split_ranges(struct reader *reader, const struct die_func *func,
                            struct err *err) {
  uint64_t place, low, high;
  if (func->has_remote_values ||
      !read_split_place(reader, &func->ranges, &place))
    return 0;
  struct range_list list = range_list_begin(
      reader->options->split, place, func->ranges.form == DW_FORM_rnglistx);
  size_t *const budget = reader->options->range_budget;
  while (*budget > 0 && range_list_next(&list, &low, &high)) {
    (*budget)--;
    if (add_range(reader, low, high, err))
      return -1;
  }
  return 0;
}

/** Read a function's ranges without libdw, which does not find the addresses of
 * a split unit. */
static int locate_split_func(struct reader *reader, const struct die_func *func,
                             struct err *err) {
  uint64_t low, high;
  if (func->ranges.attr)
    return add_split_ranges(reader, func, err);
  if (!read_split_address(reader, &func->low_pc, &low))
    return 0;
  if (!read_split_address(reader, &func->high_pc, &high)) {
    Dwarf_Die die = die_of(reader, func);
    Dwarf_Attribute attr;
    Dwarf_Word n_bytes;
    if (!dwarf_attr(&die, DW_AT_high_pc, &attr) ||
        dwarf_formudata(&attr, &n_bytes))
      return 0;
    high = low + n_bytes;
  }
  return add_range(reader, low, high, err);
}

static int locate_func(struct reader *reader, const struct die_func *func,
                       struct err *err) {
  if (reader->options->split)
    return locate_split_func(reader, func, err);
  if (func->has_remote_values || func->ranges.attr ||
      func->low_pc.form != DW_FORM_addr) {
    Dwarf_Die die = die_of(reader, func);
    return add_ranges(reader, &die, err);
  }
  Dwarf_Attribute low_attr = attribute_of(reader, &func->low_pc);
  Dwarf_Attribute high_attr = attribute_of(reader, &func->high_pc);
  Dwarf_Addr low, high;
  Dwarf_Word n_bytes;
  if (dwarf_formaddr(&low_attr, &low))
    return 0;
  if (dwarf_formaddr(&high_attr, &high)) {
    if (dwarf_formudata(&high_attr, &n_bytes))
      return 0;
    high = low + n_bytes;
  }
  return add_range(reader, low, high, err);
}

/** Add a function or an inlined copy, if it has code. */
static int add_func(struct reader *reader, const struct die_func *die,
                    struct err *err) {
  const bool has_code =
      (die->low_pc.attr && die->high_pc.attr) || die->ranges.attr;
  reader->i_first_range = reader->n_ranges;
  if (!has_code || locate_func(reader, die, err))
    return has_code ? -1 : 0;
  if (reader->n_ranges == reader->i_first_range)
    return 0;
  struct func_table *const table = reader->table;
  struct func *const funcs = array_grow(
      table->funcs, table->n_funcs, &reader->funcs_capacity, sizeof(*funcs));
  if (!funcs)
    return err_no_memory(err);
  table->funcs = funcs;
  struct name name;
  if (name_func(reader, die, &name, err))
    return -1;
  funcs[table->n_funcs++] = (struct func){
      .name = name.text,
      .low = reader->ranges[reader->i_first_range].low,
      .is_linkage = name.is_linkage || reader->is_linkage_language,
      .is_inlined = die->is_inlined,
      .i_caller =
          reader->n_open ? reader->open[reader->n_open - 1].i_func : FUNC_NONE};
  return 0;
}

/** End the functions that do not contain an entry of this depth. */
static void close_funcs(struct reader *reader, unsigned depth) {
  while (reader->n_open && reader->open[reader->n_open - 1].depth >= depth)
    reader->n_open--;
}

/** Begin a function, which is the last one of the table if it has code. */
static int open_func(struct reader *reader, unsigned depth, bool is_in_table,
                     struct err *err) {
  struct open_func *const open = array_grow(
      reader->open, reader->n_open, &reader->open_capacity, sizeof(*open));
  if (!open)
    return err_no_memory(err);
  reader->open = open;
  open[reader->n_open++] = (struct open_func){
      depth, is_in_table ? reader->table->n_funcs - 1 : FUNC_NONE};
  return 0;
}

/** Describe a unit's bytes. Returns false if they are damaged. */
static bool find_bytes(Dwarf *dwarf, Dwarf_Die *unit_die,
                       const struct func_options *options,
                       struct die_unit *out) {
  const Dwarf_Off die_off = dwarf_dieoffset(unit_die);
  Dwarf_Off next_off, abbrev_off;
  Dwarf_Half version;
  uint8_t address_bytes, offset_bytes;
  if (dwarf_next_unit(dwarf, die_off - dwarf_cuoffset(unit_die), &next_off,
                      NULL, &version, &abbrev_off, &address_bytes,
                      &offset_bytes, NULL, NULL))
    return false;
  if (next_off > options->n_info_bytes)
    next_off = options->n_info_bytes;
  if (die_off > next_off || abbrev_off > options->abbrevs.n_bytes)
    return false;
  size_t n_abbrev_bytes = options->abbrevs.n_bytes - abbrev_off;
  if (n_abbrev_bytes > *options->walk_budget)
    n_abbrev_bytes = *options->walk_budget;
  *out = (struct die_unit){
      .dies = {.bytes = unit_die->addr, .n_bytes = next_off - die_off},
      .abbrevs = {.bytes = options->abbrevs.bytes + abbrev_off,
                  .n_bytes = n_abbrev_bytes},
      .version = version,
      .address_bytes = address_bytes,
      .offset_bytes = offset_bytes,
      .is_big_endian = options->is_big_endian,
  };
  return true;
}

/** Visit all functions of a unit. */
static int read_unit(struct reader *reader, const struct die_unit *unit,
                     struct err *err) {
  struct die_walk *const walk = die_walk_begin(unit, err);
  if (!walk)
    return -1;
  struct die_func func;
  int state;
  while ((state = die_walk_next(walk, &func, err)) > 0) {
    const size_t n_funcs = reader->table->n_funcs;
    close_funcs(reader, func.least_depth);
    if (add_func(reader, &func, err) ||
        open_func(reader, func.depth, reader->table->n_funcs > n_funcs, err)) {
      state = -1;
      break;
    }
  }
  *reader->options->walk_budget -= die_walk_abbrev_bytes(walk);
  die_walk_end(walk);
  return state;
}

int func_table_load(struct Dwarf *dwarf, uint64_t die_off,
                    const struct func_options *options, struct func_table *out,
                    struct err *err) {
  *out = (struct func_table){0};
  Dwarf_Die die;
  struct die_unit unit;
  if (!dwarf_offdie(dwarf, die_off, &die) ||
      !find_bytes(dwarf, &die, options, &unit))
    return 0;
  struct reader reader = {.options = options, .table = out, .unit = die.cu};
  Dwarf_Attribute attr;
  Dwarf_Word language;
  if (dwarf_attr(&die, DW_AT_language, &attr) &&
      dwarf_formudata(&attr, &language) == 0)
    reader.is_linkage_language = has_plain_names(language);
  const int rc = read_unit(&reader, &unit, err) ||
                         func_spans_build(reader.ranges, reader.n_ranges,
                                          &out->spans, &out->n_spans, err)
                     ? -1
                     : 0;
  free(reader.ranges);
  free(reader.names);
  free(reader.open);
  map64_release(&reader.name_index);
  if (rc)
    func_table_release(out);
  return rc;
}

struct func *func_table_find(struct func_table *table, uint64_t vaddr) {
  const size_t n_spans =
      sorted_count_up_to(table->spans, table->n_spans, sizeof(*table->spans),
                         vaddr, &table->span_hint);
  if (n_spans == 0 || vaddr >= table->spans[n_spans - 1].high)
    return NULL;
  return &table->funcs[table->spans[n_spans - 1].i_func];
}

void func_table_release(struct func_table *table) {
  free(table->funcs);
  free(table->spans);
  *table = (struct func_table){0};
}
