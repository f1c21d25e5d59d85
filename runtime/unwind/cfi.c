/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/cfi.h"

enum {
  MAX_INSTRUCTIONS = 1 << 15, /* of one function */
  MAX_AUGMENTATION = 8,       /* bytes */
  EXTENDED_LENGTH = 0xfffffff0,
};

/* DWARF 5, 7.24, and what GNU tools and AArch64 add. */
enum {
  CFA_ADVANCE_LOC = 1, /* these three: the upper two bits */
  CFA_OFFSET,
  CFA_RESTORE,
  CFA_NOP = 0x00,
  CFA_SET_LOC,
  CFA_ADVANCE_LOC1,
  CFA_ADVANCE_LOC2,
  CFA_ADVANCE_LOC4,
  CFA_OFFSET_EXTENDED,
  CFA_RESTORE_EXTENDED,
  CFA_UNDEFINED,
  CFA_SAME_VALUE,
  CFA_REGISTER,
  CFA_REMEMBER_STATE,
  CFA_RESTORE_STATE,
  CFA_DEF_CFA,
  CFA_DEF_CFA_REGISTER,
  CFA_DEF_CFA_OFFSET,
  CFA_DEF_CFA_EXPRESSION,
  CFA_EXPRESSION,
  CFA_OFFSET_EXTENDED_SF,
  CFA_DEF_CFA_SF,
  CFA_DEF_CFA_OFFSET_SF,
  CFA_VAL_OFFSET,
  CFA_VAL_OFFSET_SF,
  CFA_VAL_EXPRESSION,
  CFA_AARCH64_SIGNED_WITH_PC = 0x2c,
  CFA_AARCH64_SIGNED = 0x2d, /* it is removed in any case */
  CFA_GNU_ARGS_SIZE = 0x2e,
  CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* --- Descriptions --- */

/* The length that an entry begins with; the cursor's end becomes that of the
   entry. */
static void enter(struct rt_cursor *cursor) {
  const uint64_t length = rt_cursor_fixed(cursor, 4);

  // Entries of more than 4 GiB have another format.
  cursor->is_bad |=
      !length || length >= EXTENDED_LENGTH || cursor->at + length < cursor->at;
  cursor->end = cursor->at + length;
}

static void read_augmentation(struct rt_cursor *cursor, const char *letters,
                              struct rt_cfi *out) {
  for (const char *at = letters; *at && !cursor->is_bad; at++) {
    if (*at == 'R')
      out->encoding = (uint8_t)rt_cursor_fixed(cursor, 1);
    else if (*at == 'L')
      rt_cursor_fixed(cursor, 1);
    else if (*at == 'P')
      rt_cursor_size(cursor, (uint8_t)rt_cursor_fixed(cursor, 1));
    else if (*at == 'S')
      out->is_signal = true;
    else if (*at != 'B' && *at != 'G')
      return; // the rest is skipped
  }
}

/* Reads the shared part of descriptions, the CIE. */
static bool read_common(struct rt_safe_reader *tables, uint64_t at,
                        struct rt_cfi *out, bool *has_data) {
  struct rt_cursor cursor = {.reader = tables, .at = at, .end = ~(uint64_t)0};
  char letters[MAX_AUGMENTATION];
  size_t n = 0;

  enter(&cursor);
  cursor.is_bad |= rt_cursor_fixed(&cursor, 4) != 0;
  const uint64_t version = rt_cursor_fixed(&cursor, 1);
  cursor.is_bad |= version != 1 && version != 3;
  do
    letters[n] = (char)rt_cursor_fixed(&cursor, 1);
  while (letters[n++] && n < MAX_AUGMENTATION);
  *has_data = letters[0] == 'z';
  // Without its length, the rest cannot be decoded.
  if (cursor.is_bad || letters[n - 1] || (letters[0] && !*has_data))
    return false;
  out->code_alignment = rt_cursor_unsigned(&cursor);
  out->data_alignment = rt_cursor_signed(&cursor);
  out->link =
      version == 1 ? rt_cursor_fixed(&cursor, 1) : rt_cursor_unsigned(&cursor);
  if (*has_data) {
    const uint64_t n_data = rt_cursor_unsigned(&cursor);
    const uint64_t data = cursor.at;
    read_augmentation(&cursor, letters + 1, out);
    cursor.is_bad |= n_data > cursor.end - data;
    cursor.at = data + n_data;
  }
  out->initial = cursor.at;
  out->initial_end = cursor.end;
  return !cursor.is_bad && out->link < RT_CPU_N_REGISTERS;
}

bool rt_cfi_read(struct rt_safe_reader *tables, uint64_t fde,
                 struct rt_cfi *out) {
  struct rt_cursor cursor = {.reader = tables, .at = fde, .end = ~(uint64_t)0};
  bool has_data;

  rt_zero(out, sizeof(*out));
  out->encoding = RT_POINTER_ABSOLUTE;
  enter(&cursor);
  const uint64_t here = cursor.at;
  const uint64_t distance = rt_cursor_fixed(&cursor, 4);
  if (cursor.is_bad || !distance ||
      !read_common(tables, here - distance, out, &has_data))
    return false;
  out->start = rt_cursor_pointer(&cursor, out->encoding);
  out->end = out->start + rt_cursor_size(&cursor, out->encoding);
  if (has_data)
    rt_cursor_skip(&cursor, rt_cursor_unsigned(&cursor));
  out->code = cursor.at;
  out->code_end = cursor.end;
  return !cursor.is_bad && out->end >= out->start;
}

/* --- Instructions --- */

struct machine {
  struct rt_cursor cursor;
  const struct rt_cfi *cfi;
  struct rt_cfi_room *room;
  uint64_t at, pc; /* of the row, and the one that is searched for */
  unsigned n_remembered;
};

static int64_t scaled(const struct machine *machine, int64_t factor) {
  return (int64_t)((uint64_t)factor * (uint64_t)machine->cfi->data_alignment);
}

static int64_t read_scaled(struct machine *machine) {
  return scaled(machine, (int64_t)rt_cursor_unsigned(&machine->cursor));
}

static int64_t read_scaled_signed(struct machine *machine) {
  return scaled(machine, rt_cursor_signed(&machine->cursor));
}

static struct rt_cfi_rule read_expression(struct machine *machine,
                                          enum rt_cfi_kind kind) {
  const uint64_t n = rt_cursor_unsigned(&machine->cursor);
  const struct rt_cfi_rule rule = {.kind = kind,
                                   .n_bytes = (uint32_t)n,
                                   .value = (int64_t)machine->cursor.at};

  rt_cursor_skip(&machine->cursor, n);
  return rule;
}

/* Vector registers and similar ones are skipped. */
static void set_rule(struct machine *machine, uint64_t number,
                     struct rt_cfi_rule rule) {
  if (number < RT_CPU_N_REGISTERS)
    machine->room->row.registers[number] = rule;
}

static void set_value(struct machine *machine, uint64_t number,
                      enum rt_cfi_kind kind, int64_t value) {
  set_rule(machine, number, (struct rt_cfi_rule){.kind = kind, .value = value});
}

static void restore(struct machine *machine, uint64_t number) {
  if (number < RT_CPU_N_REGISTERS)
    machine->room->row.registers[number] =
        machine->room->initial.registers[number];
}

static void set_cfa(struct machine *machine, uint64_t number) {
  machine->cursor.is_bad |= number >= RT_CPU_N_REGISTERS;
  machine->room->row.cfa =
      (struct rt_cfi_rule){.kind = RT_CFI_REGISTER, .value = (int64_t)number};
}

static void advance(struct machine *machine, uint64_t distance) {
  machine->at += distance * machine->cfi->code_alignment;
}

static void remember(struct machine *machine) {
  if (machine->n_remembered == RT_CFI_REMEMBERED)
    machine->cursor.is_bad = true;
  else
    rt_copy(&machine->room->remembered[machine->n_remembered++],
            &machine->room->row, sizeof(machine->room->row));
}

static void recall(struct machine *machine) {
  if (!machine->n_remembered)
    machine->cursor.is_bad = true;
  else
    rt_copy(&machine->room->row,
            &machine->room->remembered[--machine->n_remembered],
            sizeof(machine->room->row));
}

/* Instructions for the CFA. */
static void define_cfa(struct machine *machine, uint8_t code) {
  struct rt_cursor *cursor = &machine->cursor;
  struct rt_cfi_row *row = &machine->room->row;

  if (code == CFA_DEF_CFA_EXPRESSION) {
    row->cfa = read_expression(machine, RT_CFI_VAL_EXPRESSION);
    return;
  }
  if (code == CFA_DEF_CFA || code == CFA_DEF_CFA_SF ||
      code == CFA_DEF_CFA_REGISTER)
    set_cfa(machine, rt_cursor_unsigned(cursor));
  if (code == CFA_DEF_CFA || code == CFA_DEF_CFA_OFFSET)
    row->cfa_offset = (int64_t)rt_cursor_unsigned(cursor);
  else if (code != CFA_DEF_CFA_REGISTER)
    row->cfa_offset = read_scaled_signed(machine);
}

/* Instructions for a register. */
static void define_register(struct machine *machine, uint8_t code) {
  const uint64_t number = rt_cursor_unsigned(&machine->cursor);

  switch (code) {
  case CFA_OFFSET_EXTENDED:
    set_value(machine, number, RT_CFI_OFFSET, read_scaled(machine));
    break;
  case CFA_OFFSET_EXTENDED_SF:
    set_value(machine, number, RT_CFI_OFFSET, read_scaled_signed(machine));
    break;
  case CFA_GNU_NEGATIVE_OFFSET:
    set_value(machine, number, RT_CFI_OFFSET,
              (int64_t)(0 - (uint64_t)read_scaled(machine)));
    break;
  case CFA_VAL_OFFSET:
    set_value(machine, number, RT_CFI_VAL_OFFSET, read_scaled(machine));
    break;
  case CFA_VAL_OFFSET_SF:
    set_value(machine, number, RT_CFI_VAL_OFFSET, read_scaled_signed(machine));
    break;
  case CFA_RESTORE_EXTENDED:
    restore(machine, number);
    break;
  case CFA_UNDEFINED:
    set_value(machine, number, RT_CFI_UNDEFINED, 0);
    break;
  case CFA_SAME_VALUE:
    set_value(machine, number, RT_CFI_SAME, 0);
    break;
  case CFA_REGISTER:
    set_value(machine, number, RT_CFI_REGISTER,
              (int64_t)rt_cursor_unsigned(&machine->cursor));
    break;
  case CFA_EXPRESSION:
    set_rule(machine, number, read_expression(machine, RT_CFI_EXPRESSION));
    break;
  case CFA_VAL_EXPRESSION:
    set_rule(machine, number, read_expression(machine, RT_CFI_VAL_EXPRESSION));
    break;
  default:
    machine->cursor.is_bad = true;
  }
}

static void execute_other(struct machine *machine, uint8_t code) {
  struct rt_cursor *cursor = &machine->cursor;

  switch (code) {
  case CFA_NOP:
  case CFA_AARCH64_SIGNED:
  case CFA_AARCH64_SIGNED_WITH_PC:
    break;
  case CFA_SET_LOC:
    machine->at = rt_cursor_pointer(cursor, machine->cfi->encoding);
    break;
  case CFA_ADVANCE_LOC1:
  case CFA_ADVANCE_LOC2:
  case CFA_ADVANCE_LOC4:
    advance(machine,
            rt_cursor_fixed(cursor, (size_t)1 << (code - CFA_ADVANCE_LOC1)));
    break;
  case CFA_REMEMBER_STATE:
    remember(machine);
    break;
  case CFA_RESTORE_STATE:
    recall(machine);
    break;
  case CFA_DEF_CFA:
  case CFA_DEF_CFA_SF:
  case CFA_DEF_CFA_REGISTER:
  case CFA_DEF_CFA_OFFSET:
  case CFA_DEF_CFA_OFFSET_SF:
  case CFA_DEF_CFA_EXPRESSION:
    define_cfa(machine, code);
    break;
  case CFA_GNU_ARGS_SIZE:
    rt_cursor_unsigned(cursor);
    break;
  default:
    define_register(machine, code);
  }
}

static void execute(struct machine *machine) {
  const uint8_t code = (uint8_t)rt_cursor_fixed(&machine->cursor, 1);
  const uint8_t operand = code & 0x3f;

  switch (code >> 6) {
  case CFA_ADVANCE_LOC:
    advance(machine, operand);
    break;
  case CFA_OFFSET:
    set_value(machine, operand, RT_CFI_OFFSET, read_scaled(machine));
    break;
  case CFA_RESTORE:
    restore(machine, operand);
    break;
  default:
    execute_other(machine, code);
  }
}

/* Up to the beginning of the next row after pc. */
static bool run(struct machine *machine, uint64_t from, uint64_t to) {
  machine->cursor.at = from;
  machine->cursor.end = to;
  for (int n = 0; machine->cursor.at < to && machine->at <= machine->pc; n++) {
    if (n == MAX_INSTRUCTIONS || machine->cursor.is_bad)
      return false;
    execute(machine);
  }
  return !machine->cursor.is_bad;
}

/* The instruction that advances beyond pc changes only the place. */
bool rt_cfi_find(struct rt_safe_reader *tables, const struct rt_cfi *cfi,
                 uint64_t pc, struct rt_cfi_room *room) {
  struct machine machine = {.cursor = {.reader = tables},
                            .cfi = cfi,
                            .room = room,
                            .at = cfi->start,
                            .pc = pc};

  rt_zero(&room->row, sizeof(room->row));
  rt_zero(&room->initial, sizeof(room->initial));
  if (pc < cfi->start || pc >= cfi->end ||
      !run(&machine, cfi->initial, cfi->initial_end))
    return false;
  rt_copy(&room->initial, &room->row, sizeof(room->row));
  return run(&machine, cfi->code, cfi->code_end);
}
