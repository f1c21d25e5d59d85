/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/unwind.h"
#include "unwind/code_map.h"
#include "unwind/expression.h"
#include "unwind/tables.h"

enum {
  MAX_SWITCHES = 16,         /* of a stack, by handlers and coroutines */
  MAX_CHAIN_BYTES = 1 << 20, /* from one frame pointer to the next */
};

/* The result of a step. */
enum step {
  STEP_TO_CALLER,
  STEP_TO_INTERRUPTED, /* out of a signal handler */
  STEP_OUTERMOST,
  STEP_UNKNOWN,
  STEP_BROKEN,
};

struct walk {
  struct rt_unwind *room;
  const struct rt_code *code;
  bool is_elsewhere; /* it has ended in no range of code */
  bool is_exact;     /* the pc was interrupted, and is not after a call */
};

size_t rt_unwind_bytes(void) { return rt_rules_bytes() + rt_code_bytes(); }

int rt_unwind_init(bool is_start) {
  rt_rules_init();
  return rt_code_init(is_start);
}

void rt_unwind_release(void) {
  rt_rules_release();
  rt_code_release();
}

void rt_unwind_in_child(void) { rt_code_in_child(); }

/* The address of the frame. A call may be the last instruction of a
   function. */
static uint64_t place_of(const struct walk *walk) {
  return walk->room->registers.pc - !walk->is_exact;
}

/* --- Signal handlers --- */

/* Whether pc is at what signal handlers return to, or at its second
   instruction. */
static bool is_sigreturn(struct walk *walk) {
  const uint64_t pc = walk->room->registers.pc;
  uint8_t code[RT_CPU_SIGRETURN_BYTES];

  if (rt_safe_read(&walk->room->tables, pc, code, sizeof(code)) &&
      rt_cpu_is_sigreturn(code))
    return true;
  return walk->is_exact &&
         rt_safe_read(&walk->room->tables, pc - RT_CPU_SIGRETURN_FIRST_BYTES,
                      code, sizeof(code)) &&
         rt_cpu_is_sigreturn(code);
}

static enum step leave_handler(struct walk *walk) {
  struct rt_unwind *room = walk->room;
  struct rt_registers *registers = &room->registers;

  if (!rt_safe_read(&room->stack,
                    registers->values[RT_CPU_SP] + RT_CPU_SIGRETURN_CONTEXT,
                    room->context, sizeof(room->context)))
    return STEP_BROKEN;
  registers->pc = rt_cpu_context_registers(room->context, registers->values);
  registers->known = ~(uint64_t)0;
  return STEP_TO_INTERRUPTED;
}

/* --- Unwind tables --- */

/* Evaluates the rule of a register. */
static bool evaluate(struct rt_unwind *room, const struct rt_cfi_rule *rule,
                     unsigned number, uint64_t cfa, uint64_t *out) {
  const struct rt_registers *registers = &room->registers;
  struct rt_cursor code = {.reader = &room->tables,
                           .at = (uint64_t)rule->value,
                           .end = (uint64_t)rule->value + rule->n_bytes};

  switch (rule->kind) {
  case RT_CFI_SAME:
    *out = registers->values[number];
    return rt_registers_has(registers, number);
  case RT_CFI_OFFSET:
    return rt_safe_read_word(&room->stack, cfa + (uint64_t)rule->value, out);
  case RT_CFI_VAL_OFFSET:
    *out = cfa + (uint64_t)rule->value;
    return true;
  case RT_CFI_REGISTER:
    if (!rt_registers_has(registers, (uint64_t)rule->value))
      return false;
    *out = registers->values[rule->value];
    return true;
  case RT_CFI_EXPRESSION:
    return rt_expression(&code, registers, &room->stack, &cfa, out) &&
           rt_safe_read_word(&room->stack, *out, out);
  case RT_CFI_VAL_EXPRESSION:
    return rt_expression(&code, registers, &room->stack, &cfa, out);
  default:
    return false;
  }
}

static bool find_cfa(struct rt_unwind *room, uint64_t *out) {
  const struct rt_cfi_row *row = &room->cfi.row;
  const struct rt_registers *registers = &room->registers;
  struct rt_cursor code = {.reader = &room->tables,
                           .at = (uint64_t)row->cfa.value,
                           .end = (uint64_t)row->cfa.value + row->cfa.n_bytes};

  if (row->cfa.kind == RT_CFI_VAL_EXPRESSION)
    return rt_expression(&code, registers, &room->stack, NULL, out);
  if (row->cfa.kind != RT_CFI_REGISTER ||
      !rt_registers_has(registers, (uint64_t)row->cfa.value))
    return false;
  *out = registers->values[row->cfa.value] + (uint64_t)row->cfa_offset;
  return true;
}

/* Steps by a row that is too unusual for a rule. */
static enum step apply_row(struct rt_unwind *room, uint64_t link) {
  const struct rt_cfi_row *row = &room->cfi.row;
  struct rt_registers next; // not initialised: the compiler would call memset()
  uint64_t cfa, value;

  next.known = 0;
  if (row->registers[link].kind == RT_CFI_UNDEFINED)
    return STEP_OUTERMOST;
  if (!find_cfa(room, &cfa) ||
      !evaluate(room, &row->registers[link], (unsigned)link, cfa, &next.pc))
    return STEP_BROKEN;
  for (unsigned number = 0; number < RT_CPU_N_REGISTERS; number++) {
    const bool is_kept = (uint64_t)RT_CPU_PRESERVED >> number & 1;
    const struct rt_cfi_rule *rule = &row->registers[number];
    if ((is_kept || rule->kind != RT_CFI_SAME) && number != link &&
        evaluate(room, rule, number, cfa, &value))
      rt_registers_set(&next, number, value);
  }
  if (row->registers[RT_CPU_SP].kind == RT_CFI_SAME)
    rt_registers_set(&next, RT_CPU_SP, cfa);
  rt_copy(&room->registers, &next, sizeof(next));
  return STEP_TO_CALLER;
}

static enum step apply(struct walk *walk, const struct rt_rule *rule) {
  struct rt_unwind *room = walk->room;

  if (rule->kind == RT_RULE_HANDLER)
    return leave_handler(walk);
  if (rule->kind == RT_RULE_OUTERMOST)
    return STEP_OUTERMOST;
  return rt_rule_apply(rule, &room->stack, &room->registers) ? STEP_TO_CALLER
                                                             : STEP_BROKEN;
}

static enum step step_by_row(struct walk *walk, const struct rt_cfi *cfi) {
  struct rt_unwind *room = walk->room;
  struct rt_rule rule;

  if (!rt_cfi_find(&room->tables, cfi, place_of(walk), &room->cfi))
    return STEP_BROKEN;
  if (!rt_rule_make(&room->cfi.row, cfi->link, &rule))
    return apply_row(room, cfi->link);
  rt_rules_keep(place_of(walk), walk->code->generation, &rule);
  return apply(walk, &rule);
}

/* --- Frame pointers --- */

/* Is it after a call, or the code that signal handlers return to? */
static bool is_return_address(const struct walk *walk, uint64_t pc) {
  uint8_t call[RT_CPU_CALL_BYTES], end[RT_CPU_SIGRETURN_BYTES];
  struct rt_safe_reader *tables = &walk->room->tables;

  return (rt_code_find(walk->code, pc - 1) &&
          rt_safe_read(tables, pc - sizeof(call), call, sizeof(call)) &&
          rt_cpu_is_call(call)) ||
         (rt_safe_read(tables, pc, end, sizeof(end)) &&
          rt_cpu_is_sigreturn(end));
}

/* A function that has not made a frame, such as a stub of a procedure linkage
   table: it was just called, or it does not change the frame pointer. */
static bool step_out_of_leaf(struct walk *walk) {
  struct rt_registers *registers = &walk->room->registers;
  uint64_t pc = registers->values[RT_CPU_LINK];

  if (!walk->is_exact ||
      (!RT_CPU_HAS_LINK &&
       !rt_safe_read_word(&walk->room->stack, registers->values[RT_CPU_SP],
                          &pc)))
    return false;
  pc = rt_cpu_unsigned(pc);
  if (!is_return_address(walk, pc))
    return false;
  registers->pc = pc;
  if (!RT_CPU_HAS_LINK)
    registers->values[RT_CPU_SP] += sizeof(pc);
  registers->known &= (uint64_t)RT_CPU_PRESERVED | (uint64_t)1 << RT_CPU_SP;
  return true;
}

/* A frame is above the stack pointer and not far away, and its return address
   follows a call. */
static bool step_by_chain(struct walk *walk) {
  struct rt_registers *registers = &walk->room->registers;
  const uint64_t fp = registers->values[RT_CPU_FP];
  const uint64_t sp = registers->values[RT_CPU_SP];
  uint64_t pc, next;

  if (!rt_registers_has(registers, RT_CPU_FP) || fp % sizeof(fp) || fp < sp ||
      fp - sp > MAX_CHAIN_BYTES ||
      !rt_safe_read_word(&walk->room->stack, fp + (uint64_t)RT_CPU_CHAIN_RA,
                         &pc) ||
      !rt_safe_read_word(&walk->room->stack, fp + (uint64_t)RT_CPU_CHAIN_FP,
                         &next))
    return false;
  pc = rt_cpu_unsigned(pc);
  if (!is_return_address(walk, pc))
    return false;
  registers->pc = pc;
  registers->known = 0;
  rt_registers_set(registers, RT_CPU_SP, fp + RT_CPU_CHAIN_CFA);
  rt_registers_set(registers, RT_CPU_FP, next);
  return true;
}

/* In a thread's first frame the frame pointer is 0, as the ABIs require. */
static enum step step_without_tables(struct walk *walk,
                                     const struct rt_code_range *range) {
  const struct rt_registers *registers = &walk->room->registers;
  // Among functions with tables, one without is most likely a few instructions
  // long; if none has tables, another compiler made the code.
  const bool is_leaf_likely = range->index != 0;

  if ((is_leaf_likely && step_out_of_leaf(walk)) || step_by_chain(walk) ||
      (!is_leaf_likely && step_out_of_leaf(walk)))
    return STEP_TO_CALLER;
  if (rt_registers_has(registers, RT_CPU_FP) && !registers->values[RT_CPU_FP])
    return STEP_OUTERMOST;
  return STEP_UNKNOWN;
}

/* --- The walk --- */

/* A call never pushes the address of a function's first instruction: it was put
   on the stack of a coroutine as a return address. The frame begins there. */
static bool is_made_up(struct walk *walk, const struct rt_code_range *range) {
  struct rt_unwind *room = walk->room;
  const uint64_t pc = room->registers.pc;
  bool is_index = false;
  struct rt_cfi cfi;

  if (walk->is_exact || !range->index)
    return false;
  const uint64_t fde =
      rt_tables_find(&room->tables, range->index, pc, &is_index);
  if (!fde || !rt_cfi_read(&room->tables, fde, &cfi) || cfi.start != pc)
    return false;
  room->pcs[room->n - 1] = pc;
  return true;
}

static enum step step_slowly(struct walk *walk) {
  struct rt_unwind *room = walk->room;
  const uint64_t place = place_of(walk);
  bool is_index = false;
  struct rt_cfi cfi;
  uint64_t fde = 0;

  const struct rt_code_range *range = rt_code_find(walk->code, place);
  if (range && range->index)
    fde = rt_tables_find(&room->tables, range->index, place, &is_index);
  if (range && range->index && !is_index)
    return STEP_BROKEN; // it has changed meanwhile
  if (fde && !rt_cfi_read(&room->tables, fde, &cfi))
    return STEP_BROKEN;
  const bool has_tables = fde && place >= cfi.start && place < cfi.end;
  if (has_tables && !cfi.is_signal)
    return step_by_row(walk, &cfi);
  if (has_tables || is_sigreturn(walk)) {
    const struct rt_rule rule = {.kind = RT_RULE_HANDLER};
    rt_rules_keep(place, walk->code->generation, &rule);
    return leave_handler(walk);
  }
  walk->is_elsewhere = !range;
  if (!range)
    return STEP_UNKNOWN;
  if (is_made_up(walk, range))
    return STEP_OUTERMOST;
  return step_without_tables(walk, range);
}

static enum step step_once(struct walk *walk) {
  struct rt_rule rule;

  return rt_rules_find(place_of(walk), walk->code->generation, &rule)
             ? apply(walk, &rule)
             : step_slowly(walk);
}

/* Of a thread that waits, only two registers are known. If its frame pointer is
   needed and no callee has saved it, the function's first instructions contain
   its distance from the stack pointer. */
static bool find_frame_pointer(struct walk *walk) {
  struct rt_unwind *room = walk->room;
  struct rt_registers *registers = &room->registers;
  const uint64_t place = place_of(walk);
  const struct rt_code_range *range = rt_code_find(walk->code, place);
  uint8_t code[RT_CPU_PROLOGUE_BYTES];
  bool is_index = false;
  struct rt_cfi cfi;
  uint64_t pc;

  if (rt_registers_has(registers, RT_CPU_FP) || !range || !range->index)
    return false;
  const uint64_t fde =
      rt_tables_find(&room->tables, range->index, place, &is_index);
  if (!fde || !rt_cfi_read(&room->tables, fde, &cfi) || place < cfi.start ||
      !rt_safe_read(&room->tables, cfi.start, code, sizeof(code)))
    return false;
  const int64_t bytes = rt_cpu_frame_bytes(code);
  const uint64_t fp = registers->values[RT_CPU_SP] + (uint64_t)bytes;
  if (bytes < 0 ||
      !rt_safe_read_word(&room->stack, fp + (uint64_t)RT_CPU_CHAIN_RA, &pc) ||
      !is_return_address(walk, rt_cpu_unsigned(pc)))
    return false;
  rt_registers_set(registers, RT_CPU_FP, fp);
  return true;
}

static enum step step(struct walk *walk) {
  const enum step what = step_once(walk);

  return (what == STEP_BROKEN || what == STEP_UNKNOWN) &&
                 find_frame_pointer(walk)
             ? step_once(walk)
             : what;
}

/* After the end of a handler's or a coroutine's stack, the next frame may be
   anywhere; otherwise it is above. */
static bool has_progress(const struct walk *walk, uint64_t old_sp,
                         uint64_t old_pc, unsigned *n_switches) {
  const struct rt_registers *registers = &walk->room->registers;
  const uint64_t sp = registers->values[RT_CPU_SP];

  if (!rt_registers_has(registers, RT_CPU_SP) ||
      (sp == old_sp && registers->pc == old_pc))
    return false;
  return sp >= old_sp || ++*n_switches <= MAX_SWITCHES;
}

static enum rt_unwind_end walk_all(struct walk *walk) {
  struct rt_unwind *room = walk->room;
  struct rt_registers *registers = &room->registers;
  unsigned n_switches = 0;

  for (room->n = 0; room->n < RT_UNWIND_FRAMES;) {
    const uint64_t sp = registers->values[RT_CPU_SP];
    const uint64_t pc = registers->pc;
    room->pcs[room->n++] = place_of(walk);
    const enum step what = step(walk);
    if (what == STEP_OUTERMOST)
      return RT_UNWIND_COMPLETE;
    // An address without code is no frame, unless it has just been running.
    room->n -= walk->is_elsewhere && room->n > 1;
    if (what == STEP_UNKNOWN)
      return RT_UNWIND_UNKNOWN;
    if (what == STEP_BROKEN || !has_progress(walk, sp, pc, &n_switches))
      return RT_UNWIND_BROKEN;
    walk->is_exact = what == STEP_TO_INTERRUPTED;
    if (!walk->is_exact)
      registers->pc = rt_cpu_unsigned(registers->pc);
    if (!registers->pc)
      return RT_UNWIND_COMPLETE;
  }
  return RT_UNWIND_DEEP;
}

/* *doubt: a possible cause of the end of the stack. */
static enum rt_unwind_end unwind_once(struct rt_unwind *room,
                                      const struct rt_registers *first,
                                      enum rt_code_doubt *doubt) {
  struct rt_code *code = rt_code_enter();
  struct walk walk = {.room = room, .code = code, .is_exact = true};

  rt_safe_reader_init(&room->stack, room->stack_bytes,
                      sizeof(room->stack_bytes));
  rt_safe_reader_init(&room->tables, room->table_bytes,
                      sizeof(room->table_bytes));
  rt_copy(&room->registers, first, sizeof(*first));
  const enum rt_unwind_end end = walk_all(&walk);
  *doubt = walk.is_elsewhere ? RT_CODE_ELSEWHERE : RT_CODE_CHANGED;
  rt_code_leave(code);
  return end;
}

static enum rt_unwind_end unwind(struct rt_unwind *room,
                                 const struct rt_registers *first) {
  enum rt_code_doubt doubt;
  const enum rt_unwind_end end = unwind_once(room, first, &doubt);

  // A library may have been loaded or unloaded.
  return (end == RT_UNWIND_UNKNOWN || end == RT_UNWIND_BROKEN) &&
                 rt_code_refresh(doubt)
             ? unwind_once(room, first, &doubt)
             : end;
}

enum rt_unwind_end rt_unwind(struct rt_unwind *room, const void *context) {
  struct rt_registers first; // not initialised: that would call memset()

  first.pc = rt_cpu_context_registers(context, first.values);
  first.known = ~(uint64_t)0;
  return unwind(room, &first);
}

enum rt_unwind_end rt_unwind_waiting(struct rt_unwind *room, uint64_t pc,
                                     uint64_t sp) {
  struct rt_registers first; // as above

  first.pc = pc;
  first.known = 0;
  rt_registers_set(&first, RT_CPU_SP, sp);
  return unwind(room, &first);
}
