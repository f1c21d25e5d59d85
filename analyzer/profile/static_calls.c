/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/static_calls.h"

#include "base/err.h"
#include "base/trace.h"
#include "image/code.h"
#include "image/disassemble.h"
#include "image/slots.h"
#include "model/model.h"
#include "profile/functions_by_name.h"
#include "profile/profile.h"
#include "profile/static_calls_gnu.h"

#include <inttypes.h>

/** The search of one object's code. */
struct scan {
  const struct model *model;
  const struct model_object *object;
  const struct functions_by_name *names;
  struct image_code code;
  struct image_slots slots;
  struct profile *profile;
  struct err *err;
  size_t i_parent;    // symbol that the code belongs to
  uint64_t low, last; // of its code, link-time
};

/** The symbol that begins at a link-time address of an object, or
 * SYMTAB_NONE. */
static size_t symbol_at(const struct scan *scan,
                        const struct model_object *object, uint64_t vaddr) {
  const struct symtab *const symtab = &scan->model->symtab;
  const uint64_t place = object->place.base; // 0 if it is the only one
  const size_t n = symtab_count_up_to(symtab, vaddr + place);

  return n && symtab->symbols[n - 1].vaddr == vaddr + place ? n - 1
                                                            : SYMTAB_NONE;
}

/** The function that the dynamic linker finds for a name: the first object
 * that has it counts. */
static size_t symbol_of_name(const struct scan *scan, const char *name) {
  uint64_t vaddr;

  for (size_t i = 0; i < scan->model->n_objects; i++)
    if (functions_by_name_find_offered(scan->names, i, name, &vaddr))
      return symbol_at(scan, &scan->model->objects[i], vaddr);
  return SYMTAB_NONE;
}

static size_t symbol_through_slot(const struct scan *scan, uint64_t vaddr) {
  const struct image_slot *const slot = image_slots_find(&scan->slots, vaddr);

  if (!slot)
    return SYMTAB_NONE;
  return slot->name ? symbol_of_name(scan, slot->name)
                    : symbol_at(scan, scan->object, slot->to_vaddr);
}

/** The symbol that a branch leads to, if to a beginning. */
static size_t find_callee(const struct scan *scan,
                          const struct branch *branch) {
  uint64_t slot_vaddr;

  if (branch->is_slot)
    return symbol_through_slot(scan, branch->to_vaddr);
  const struct image_section *const section =
      image_code_find(&scan->code, branch->to_vaddr);
  if (!section || !image_code_is_stubs(section))
    return symbol_at(scan, scan->object, branch->to_vaddr);
  const uint64_t off = branch->to_vaddr - section->vaddr;
  return disassemble_stub(&scan->object->image, section->bytes + off,
                          section->n_bytes - off, branch->to_vaddr,
                          scan->slots.base_vaddr, &slot_vaddr)
             ? symbol_through_slot(scan, slot_vaddr)
             : SYMTAB_NONE;
}

/** Is a branch to this symbol a call? Lines are not called. Labels of assembly
 * are, but jumps to them stay within a function. */
static bool is_callee(const struct scan *scan, size_t i_callee,
                      const struct branch *branch) {
  const struct symbol *const symbols = scan->model->symtab.symbols;
  const size_t i_function = scan->profile->function_of[scan->i_parent];

  if (branch->is_call && !(scan->profile->flags & PROFILE_LINES))
    return true;
  if (branch->is_call)
    return symbols[i_callee].is_func;
  return symbols[i_callee].is_func && i_callee != i_function;
}

static int add_branch(void *context, const struct branch *branch) {
  const struct scan *const scan = context;
  const struct symbol *const symbols = scan->model->symtab.symbols;

  // Most branches are of loops and conditions.
  if (!branch->is_call && !branch->is_slot && branch->to_vaddr > scan->low &&
      branch->to_vaddr <= scan->last)
    return 0;
  const size_t i_callee = find_callee(scan, branch);
  if (i_callee == SYMTAB_NONE || !is_callee(scan, i_callee, branch))
    return 0;
  TRACE(TRACE_STATIC, "%s %s %s at 0x%" PRIx64, symbols[scan->i_parent].name,
        branch->is_call ? "calls" : "jumps to", symbols[i_callee].name,
        branch->from_vaddr);
  return profile_add_static_arc(scan->profile, (uint32_t)scan->i_parent,
                                (uint32_t)i_callee, scan->err);
}

/** Search a symbol's code. *i_section is the first section that may contain it:
 * symbols and sections are both in order. */
static int scan_symbol(struct scan *scan, size_t *i_section) {
  const struct image_code *const code = &scan->code;

  while (*i_section < code->n_sections &&
         code->sections[*i_section].vaddr +
                 (code->sections[*i_section].n_bytes - 1) <
             scan->low)
    ++*i_section;
  for (size_t i = *i_section;
       i < code->n_sections && code->sections[i].vaddr <= scan->last; i++) {
    const struct image_section *const section = &code->sections[i];
    if (image_code_is_stubs(section))
      continue;
    const uint64_t first =
        scan->low > section->vaddr ? scan->low - section->vaddr : 0;
    const uint64_t n_bytes = scan->last - section->vaddr < section->n_bytes
                                 ? scan->last - section->vaddr + 1
                                 : section->n_bytes;
    if (disassemble_branches(&scan->object->image, section->bytes + first,
                             n_bytes - first, section->vaddr + first,
                             add_branch, scan))
      return -1;
  }
  return 0;
}

static int scan_object(struct scan *scan) {
  const struct symtab *const symtab = &scan->model->symtab;
  size_t i_section = 0;

  for (size_t i = 0; i < symtab->n_symbols; i++) {
    const struct symbol *const symbol = &symtab->symbols[i];
    if (scan->model->is_joined && symbol->object != &scan->object->place)
      continue;
    uint64_t last = symbol->last;
    // Lines are within functions.
    if (i + 1 < symtab->n_symbols && last >= symbol[1].vaddr)
      last = symbol[1].vaddr - 1;
    if (last < symbol->vaddr)
      continue;
    scan->i_parent = i;
    scan->low = symtab_vaddr(symbol, symbol->vaddr);
    scan->last = symtab_vaddr(symbol, last);
    if (scan_symbol(scan, &i_section))
      return -1;
  }
  return 0;
}

static int add_object(const struct model *model, size_t i_object,
                      const struct functions_by_name *names,
                      struct profile *profile, struct err *err) {
  struct scan scan = {
      .model = model,
      .object = &model->objects[i_object],
      .names = names,
      .profile = profile,
      .err = err,
  };
  int rc = -1;

  if (image_code_load(&scan.object->image, &scan.code, err) == 0 &&
      image_slots_load(&scan.object->image, &scan.slots, err) == 0)
    rc = scan_object(&scan);
  image_code_release(&scan.code);
  image_slots_release(&scan.slots);
  return rc;
}

int static_calls_add(const struct model *model, bool is_as_gnu,
                     struct profile *profile, struct err *err) {
  struct functions_by_name names = {0};
  int rc = 0;

  if (!is_as_gnu && functions_by_name_init(&names, model, err))
    return -1;
  for (size_t i = 0; i < model->n_objects && rc == 0; i++) {
    const struct model_object *const object = &model->objects[i];
    if (!disassemble_is_known(&object->image))
      warn("%s: -c does not support the code of this machine (ELF machine %u); "
           "it supports x86-64, i386 and AArch64",
           object->image.path, (unsigned)object->image.machine);
    else if (is_as_gnu)
      rc = static_calls_gnu_add(object, profile, err);
    else
      rc = add_object(model, i, &names, profile, err);
  }
  functions_by_name_release(&names);
  return rc;
}
