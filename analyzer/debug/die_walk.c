/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/die_walk.h"

#include "base/array.h"
#include "base/byte_reader.h"
#include "base/err.h"
#include "base/map64.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>

enum {
  NO_FORM = 0,
  MAX_FUNC_ATTRS = 256,
  NEAR_CODES = 1024, // compilers number abbreviations from 1
};

/** An attribute of an abbreviation. */
struct attr {
  unsigned attr, form;
};

/** To skip an entry: so many bytes, then a value whose length must be read. */
struct step {
  uint32_t n_bytes;
  uint32_t form; // NO_FORM: the entry ends here
};

/** The form that entries of an abbreviation have. */
struct shape {
  uint32_t i_first_step;
  uint32_t i_first_attr, n_attrs; // of functions only
  bool is_func, is_inlined;
  bool has_children;
};

struct die_walk {
  struct die_unit unit;
  struct byte_reader dies;
  struct byte_reader abbrevs; // at the first one that is not read yet
  bool has_all_abbrevs;
  unsigned depth; // number of entries around the current one
  struct shape *shapes;
  size_t n_shapes, shapes_capacity;
  struct step *steps;
  size_t n_steps, steps_capacity;
  struct attr *attrs;
  size_t n_attrs, attrs_capacity;
  uint32_t near[NEAR_CODES]; // index of shape + 1
  struct map64 far;          // of larger codes
};

//===--- Forms ------------------------------------------------------------===//

/** Bytes that a value of a form takes, or UINT32_MAX if it must be read. */
static uint32_t bytes_of_form(const struct die_unit *unit, unsigned form) {
  switch (form) {
  case DW_FORM_flag_present:
  case DW_FORM_implicit_const:
    return 0;
  case DW_FORM_data1:
  case DW_FORM_ref1:
  case DW_FORM_flag:
  case DW_FORM_strx1:
  case DW_FORM_addrx1:
    return 1;
  case DW_FORM_data2:
  case DW_FORM_ref2:
  case DW_FORM_strx2:
  case DW_FORM_addrx2:
    return 2;
  case DW_FORM_strx3:
  case DW_FORM_addrx3:
    return 3;
  case DW_FORM_data4:
  case DW_FORM_ref4:
  case DW_FORM_strx4:
  case DW_FORM_addrx4:
  case DW_FORM_ref_sup4:
    return 4;
  case DW_FORM_data8:
  case DW_FORM_ref8:
  case DW_FORM_ref_sig8:
  case DW_FORM_ref_sup8:
    return 8;
  case DW_FORM_data16:
    return 16;
  case DW_FORM_addr:
    return unit->address_bytes;
  case DW_FORM_ref_addr:
    return unit->version == 2 ? unit->address_bytes : unit->offset_bytes;
  case DW_FORM_strp:
  case DW_FORM_line_strp:
  case DW_FORM_sec_offset:
  case DW_FORM_strp_sup:
  case DW_FORM_GNU_ref_alt:
  case DW_FORM_GNU_strp_alt:
    return unit->offset_bytes;
  default:
    return UINT32_MAX;
  }
}

/** Skip a value whose length must be read. An unknown form is damage. */
static void skip_long_value(struct byte_reader *dies, unsigned form) {
  switch (form) {
  case DW_FORM_sdata:
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
  case DW_FORM_GNU_addr_index:
  case DW_FORM_GNU_str_index:
    byte_reader_leb(dies, false);
    break;
  case DW_FORM_exprloc:
  case DW_FORM_block:
    byte_reader_skip(dies, byte_reader_leb(dies, false));
    break;
  case DW_FORM_block1:
    byte_reader_skip(dies, byte_reader_uint(dies, 1));
    break;
  case DW_FORM_block2:
    byte_reader_skip(dies, byte_reader_uint(dies, 2));
    break;
  case DW_FORM_block4:
    byte_reader_skip(dies, byte_reader_uint(dies, 4));
    break;
  case DW_FORM_string:
    byte_reader_string(dies);
    break;
  default:
    dies->has_failed = true;
  }
}

/** Skip any value. Some forms are stored with the value. */
static void skip_value(const struct die_unit *unit, struct byte_reader *dies,
                       unsigned form) {
  if (form == DW_FORM_indirect)
    form = (unsigned)byte_reader_leb(dies, false);
  const uint32_t n_bytes = bytes_of_form(unit, form);
  if (n_bytes == UINT32_MAX)
    skip_long_value(dies, form);
  else
    byte_reader_skip(dies, n_bytes);
}

//===--- Abbreviations ----------------------------------------------------===//

static int add_step(struct die_walk *walk, uint32_t n_bytes, unsigned form,
                    struct err *err) {
  struct step *const steps = array_grow(walk->steps, walk->n_steps,
                                        &walk->steps_capacity, sizeof(*steps));
  if (!steps)
    return err_no_memory(err);
  walk->steps = steps;
  steps[walk->n_steps++] = (struct step){.n_bytes = n_bytes, .form = form};
  return 0;
}

static int add_attr(struct die_walk *walk, const struct attr *attr,
                    struct err *err) {
  struct attr *const attrs = array_grow(walk->attrs, walk->n_attrs,
                                        &walk->attrs_capacity, sizeof(*attrs));
  if (!attrs)
    return err_no_memory(err);
  walk->attrs = attrs;
  attrs[walk->n_attrs++] = *attr;
  return 0;
}

/** Read the attributes of an abbreviation, up to the pair of zeros. */
static int read_attrs(struct die_walk *walk, struct shape *shape,
                      struct err *err) {
  struct byte_reader *const abbrevs = &walk->abbrevs;
  uint32_t n_bytes = 0;
  for (;;) {
    const struct attr attr = {.attr = (unsigned)byte_reader_leb(abbrevs, false),
                              .form =
                                  (unsigned)byte_reader_leb(abbrevs, false)};
    if (attr.form == DW_FORM_implicit_const)
      byte_reader_leb(abbrevs, true);
    if (abbrevs->has_failed || (attr.attr == 0 && attr.form == NO_FORM))
      return add_step(walk, n_bytes, NO_FORM, err);
    // Functions have a dozen. Thousands, which need not take a byte of the
    // entry, would each be read again for each entry.
    if (walk->n_attrs - shape->i_first_attr == MAX_FUNC_ATTRS)
      shape->is_func = false;
    if (shape->is_func && add_attr(walk, &attr, err))
      return -1;
    const uint32_t form_bytes = bytes_of_form(&walk->unit, attr.form);
    if (form_bytes != UINT32_MAX && n_bytes < UINT32_MAX / 2) {
      n_bytes += form_bytes;
      continue;
    }
    if (add_step(walk, n_bytes, attr.form, err))
      return -1;
    n_bytes = 0;
  }
}

static bool is_function(uint64_t tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_entry_point ||
         tag == DW_TAG_inlined_subroutine;
}

/** Read one more abbreviation. Returns -1 if there is no memory. */
static int read_abbrev(struct die_walk *walk, struct err *err) {
  struct byte_reader *const abbrevs = &walk->abbrevs;
  const uint64_t code = byte_reader_leb(abbrevs, false);
  const uint64_t tag = code ? byte_reader_leb(abbrevs, false) : 0;
  const bool has_children = code && byte_reader_uint(abbrevs, 1) != 0;
  if (code == 0 || abbrevs->has_failed) {
    walk->has_all_abbrevs = true;
    return 0;
  }
  struct shape *const shapes = array_grow(
      walk->shapes, walk->n_shapes, &walk->shapes_capacity, sizeof(*shapes));
  if (!shapes)
    return err_no_memory(err);
  walk->shapes = shapes;
  struct shape *const shape = &shapes[walk->n_shapes];
  *shape = (struct shape){.i_first_step = (uint32_t)walk->n_steps,
                          .i_first_attr = (uint32_t)walk->n_attrs,
                          .is_func = is_function(tag),
                          .is_inlined = tag == DW_TAG_inlined_subroutine,
                          .has_children = has_children};
  if (read_attrs(walk, shape, err))
    return -1;
  shape->n_attrs = (uint32_t)walk->n_attrs - shape->i_first_attr;
  const uint32_t i_shape = (uint32_t)walk->n_shapes++;
  if (code < NEAR_CODES) {
    if (!walk->near[code])
      walk->near[code] = i_shape + 1;
    return 0;
  }
  return map64_find(&walk->far, code) == MAP64_NONE
             ? map64_insert(&walk->far, code, i_shape, err)
             : 0;
}

/** Find a shape that was read, or MAP64_NONE. */
static uint32_t known_shape(const struct die_walk *walk, uint64_t code) {
  if (code >= NEAR_CODES)
    return map64_find(&walk->far, code);
  return walk->near[code] ? walk->near[code] - 1 : MAP64_NONE;
}

/** Find the shape of a code. *out is NULL if none has it: damage. */
static int find_shape(struct die_walk *walk, uint64_t code,
                      const struct shape **out, struct err *err) {
  uint32_t i_shape = known_shape(walk, code);
  while (i_shape == MAP64_NONE && !walk->has_all_abbrevs) {
    if (read_abbrev(walk, err))
      return -1;
    i_shape = known_shape(walk, code);
  }
  *out = i_shape == MAP64_NONE ? NULL : &walk->shapes[i_shape];
  return 0;
}

//===--- Entries ----------------------------------------------------------===//

static void skip_entry(struct die_walk *walk, const struct shape *shape) {
  struct byte_reader *const dies = &walk->dies;
  for (const struct step *step = &walk->steps[shape->i_first_step];; step++) {
    if (!byte_reader_skip(dies, step->n_bytes) || step->form == NO_FORM)
      return;
    skip_value(&walk->unit, dies, step->form);
  }
}

/** The member for an attribute of a function, or NULL if it is not used. */
static struct die_value *place_of(struct die_func *func, unsigned attr) {
  switch (attr) {
  case DW_AT_name:
    return &func->name;
  case DW_AT_linkage_name:
  case DW_AT_MIPS_linkage_name:
    return &func->linkage_name;
  case DW_AT_abstract_origin:
  case DW_AT_specification:
    return &func->origin;
  case DW_AT_low_pc:
    return &func->low_pc;
  case DW_AT_high_pc:
    return &func->high_pc;
  case DW_AT_ranges:
    return &func->ranges;
  default:
    return NULL;
  }
}

/** Does this attribute replace the one that the same member has already, if
 * any? */
static bool is_preferred(const struct die_value *place, unsigned attr) {
  return place->attr == 0 || attr == DW_AT_abstract_origin ||
         attr == DW_AT_linkage_name;
}

static void read_function(struct die_walk *walk, const struct shape *shape,
                          struct die_func *out) {
  struct byte_reader *const dies = &walk->dies;
  for (uint32_t i = 0; i < shape->n_attrs; i++) {
    const struct attr *const attr = &walk->attrs[shape->i_first_attr + i];
    struct die_value *const place = place_of(out, attr->attr);
    if (place && is_preferred(place, attr->attr)) {
      *place = (struct die_value){
          .attr = attr->attr, .form = attr->form, .bytes = dies->at};
      out->has_remote_values |= attr->form == DW_FORM_implicit_const ||
                                attr->form == DW_FORM_indirect;
    }
    skip_value(&walk->unit, dies, attr->form);
  }
}

struct die_walk *die_walk_begin(const struct die_unit *unit, struct err *err) {
  struct die_walk *const walk = calloc(1, sizeof(*walk));
  if (!walk) {
    err_no_memory(err);
    return NULL;
  }
  walk->unit = *unit;
  walk->dies =
      (struct byte_reader){.at = unit->dies.bytes,
                           .end = unit->dies.bytes + unit->dies.n_bytes,
                           .is_big_endian = unit->is_big_endian};
  walk->abbrevs =
      (struct byte_reader){.at = unit->abbrevs.bytes,
                           .end = unit->abbrevs.bytes + unit->abbrevs.n_bytes,
                           .is_big_endian = unit->is_big_endian};
  return walk;
}

int die_walk_next(struct die_walk *walk, struct die_func *out,
                  struct err *err) {
  struct byte_reader *const dies = &walk->dies;
  unsigned least_depth = UINT_MAX;
  while (dies->at < dies->end) {
    const uint8_t *const start = dies->at;
    const uint64_t code = byte_reader_leb(dies, false);
    if (code == 0) {
      // The unit's own entry has no siblings.
      if (walk->depth <= 1)
        break;
      walk->depth--;
      continue;
    }
    const struct shape *shape;
    if (find_shape(walk, code, &shape, err))
      return -1;
    if (!shape)
      break;
    const unsigned depth = walk->depth;
    walk->depth += shape->has_children;
    if (depth < least_depth)
      least_depth = depth;
    if (!shape->is_func) {
      skip_entry(walk, shape);
    } else {
      *out = (struct die_func){.bytes = start,
                               .depth = depth,
                               .least_depth = least_depth,
                               .is_inlined = shape->is_inlined};
      read_function(walk, shape, out);
    }
    if (dies->has_failed || walk->depth == 0)
      break;
    if (shape->is_func)
      return 1;
  }
  dies->at = dies->end;
  return 0;
}

size_t die_walk_abbrev_bytes(const struct die_walk *walk) {
  return (size_t)(walk->abbrevs.at - walk->unit.abbrevs.bytes);
}

void die_walk_end(struct die_walk *walk) {
  if (!walk)
    return;
  free(walk->shapes);
  free(walk->steps);
  free(walk->attrs);
  map64_release(&walk->far);
  free(walk);
}
