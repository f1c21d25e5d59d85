/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/call_decoder.h"

#include "base/err.h"
#include "image/code.h"
#include "image/disassemble.h"
#include "image/slots.h"
#include "model/model.h"
#include "profile/side_join.h"

#include <stdlib.h>

#define NONE SIZE_MAX

/** Data read from an object. */
struct call_code {
  bool is_loaded;
  struct image_code code;
  struct image_slots slots;
};

int call_decoder_init(const struct side_join *join, struct call_decoder *out,
                      struct err *err) {
  const size_t n_objects = join->program ? join->program->n_objects : 0;
  *out = (struct call_decoder){
      .join = join, .codes = calloc(n_objects + 1, sizeof(*out->codes))};
  return out->codes ? 0 : err_no_memory(err);
}

void call_decoder_release(struct call_decoder *targets) {
  const size_t n_objects = targets->codes && targets->join->program
                               ? targets->join->program->n_objects
                               : 0;
  for (size_t i = 0; i < n_objects; i++) {
    image_code_release(&targets->codes[i].code);
    image_slots_release(&targets->codes[i].slots);
  }
  free(targets->codes);
  *targets = (struct call_decoder){0};
}

static int load(const struct image *image, struct call_code *code,
                struct err *err) {
  if (code->is_loaded)
    return 0;
  code->is_loaded = true;
  return image_code_load(image, &code->code, err) ||
                 image_slots_load(image, &code->slots, err)
             ? -1
             : 0;
}

/** The function that begins at an address of an object; NONE if the address is
 * inside one: the bytes were no call then, or the call leads into a table. */
static size_t function_at(const struct call_decoder *targets, size_t i_object,
                          uint64_t vaddr) {
  const struct model *const program = targets->join->program;
  const struct symtab_object *const place = &program->objects[i_object].place;
  if (vaddr < place->low || vaddr >= place->high)
    return NONE;
  const size_t i_symbol = symtab_find(&program->symtab, vaddr + place->base);
  return i_symbol != SYMTAB_NONE && program->symtab.symbols[i_symbol].is_func &&
                 program->symtab.symbols[i_symbol].vaddr == vaddr + place->base
             ? i_symbol
             : NONE;
}

/** The function that a stub leads to. */
static size_t stub_target(const struct call_decoder *targets, size_t i_object,
                          const struct call_code *code,
                          const struct image_section *section, uint64_t vaddr) {
  const struct image *const image =
      &targets->join->program->objects[i_object].image;
  const size_t at = (size_t)(vaddr - section->vaddr);
  uint64_t slot_vaddr;
  if (!disassemble_stub(image, section->bytes + at, section->n_bytes - at,
                        vaddr, code->slots.base_vaddr, &slot_vaddr))
    return NONE;
  const struct image_slot *const slot =
      image_slots_find(&code->slots, slot_vaddr);
  if (!slot)
    return NONE;
  return slot->name ? side_join_callee(targets->join, slot->name)
                    : function_at(targets, i_object, slot->to_vaddr);
}

int call_decoder_find(const struct call_decoder *targets, size_t i_object,
                      uint64_t last_vaddr, size_t *i_symbol, struct err *err) {
  *i_symbol = NONE;
  if (i_object == NONE)
    return 0;
  const struct image *const image =
      &targets->join->program->objects[i_object].image;
  struct call_code *const code = &targets->codes[i_object];
  uint64_t to_vaddr;
  if (!disassemble_is_known(image))
    return 0;
  if (load(image, code, err))
    return -1;
  const struct image_section *section =
      image_code_find(&code->code, last_vaddr);
  if (!section ||
      !disassemble_call_before(image, section->bytes,
                               (size_t)(last_vaddr - section->vaddr) + 1,
                               section->vaddr, &to_vaddr))
    return 0;
  section = image_code_find(&code->code, to_vaddr);
  if (section)
    *i_symbol = image_code_is_stubs(section)
                    ? stub_target(targets, i_object, code, section, to_vaddr)
                    : function_at(targets, i_object, to_vaddr);
  return 0;
}

int call_decoder_is_stub(const struct call_decoder *targets, size_t i_object,
                         uint64_t vaddr, struct err *err) {
  if (i_object == NONE)
    return 0;
  struct call_code *const code = &targets->codes[i_object];
  if (load(&targets->join->program->objects[i_object].image, code, err))
    return -1;
  const struct image_section *const section =
      image_code_find(&code->code, vaddr);
  return section && image_code_is_stubs(section);
}
