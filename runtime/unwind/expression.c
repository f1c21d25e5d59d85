/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/expression.h"

enum { MAX_VALUES = 16, MAX_STEPS = 128 };

/* DWARF 5, 7.7.1. */
enum {
  OP_ADDR = 0x03,
  OP_DEREF = 0x06,
  OP_CONST1U = 0x08,
  OP_CONST1S,
  OP_CONST2U,
  OP_CONST2S,
  OP_CONST4U,
  OP_CONST4S,
  OP_CONST8U,
  OP_CONST8S,
  OP_CONSTU,
  OP_CONSTS,
  OP_DUP,
  OP_DROP,
  OP_OVER,
  OP_PICK,
  OP_SWAP,
  OP_ABS = 0x19,
  OP_AND,
  OP_DIV,
  OP_MINUS,
  OP_MOD,
  OP_MUL,
  OP_NEG,
  OP_NOT,
  OP_OR,
  OP_PLUS,
  OP_PLUS_UCONST,
  OP_SHL,
  OP_SHR,
  OP_SHRA,
  OP_XOR,
  OP_EQ = 0x29,
  OP_GE,
  OP_GT,
  OP_LE,
  OP_LT,
  OP_NE,
  OP_LIT0 = 0x30,
  OP_BREG0 = 0x70,
  OP_BREGX = 0x92,
  OP_NOP = 0x96,
};

struct machine {
  struct rt_cursor *code;
  const struct rt_registers *registers;
  struct rt_safe_reader *memory;
  uint64_t values[MAX_VALUES];
  unsigned n;
  bool is_bad;
};

static void push(struct machine *machine, uint64_t value) {
  if (machine->n == MAX_VALUES)
    machine->is_bad = true;
  else
    machine->values[machine->n++] = value;
}

static uint64_t pop(struct machine *machine) {
  if (machine->n)
    return machine->values[--machine->n];
  machine->is_bad = true;
  return 0;
}

/* The value i below the top. */
static uint64_t look(struct machine *machine, uint64_t i) {
  if (i < machine->n)
    return machine->values[machine->n - 1 - i];
  machine->is_bad = true;
  return 0;
}

static void push_register(struct machine *machine, uint64_t number) {
  const int64_t offset = rt_cursor_signed(machine->code);

  if (rt_registers_has(machine->registers, number))
    push(machine, machine->registers->values[number] + (uint64_t)offset);
  else
    machine->is_bad = true;
}

static void dereference(struct machine *machine) {
  uint64_t value = 0;

  if (!rt_safe_read_word(machine->memory, pop(machine), &value))
    machine->is_bad = true;
  push(machine, value);
}

/* Division is not among them: no table needs it, and it may trap. */
static uint64_t combine(uint8_t op, uint64_t a, uint64_t b, bool *is_bad) {
  const int64_t signed_a = (int64_t)a, signed_b = (int64_t)b;

  switch (op) {
  case OP_AND:
    return a & b;
  case OP_MINUS:
    return a - b;
  case OP_MUL:
    return a * b;
  case OP_OR:
    return a | b;
  case OP_PLUS:
    return a + b;
  case OP_SHL:
    return b < 64 ? a << b : 0;
  case OP_SHR:
    return b < 64 ? a >> b : 0;
  case OP_SHRA:
    return (uint64_t)(signed_a >> (b < 64 ? b : 63));
  case OP_XOR:
    return a ^ b;
  case OP_EQ:
    return a == b;
  case OP_GE:
    return signed_a >= signed_b;
  case OP_GT:
    return signed_a > signed_b;
  case OP_LE:
    return signed_a <= signed_b;
  case OP_LT:
    return signed_a < signed_b;
  case OP_NE:
    return a != b;
  default:
    *is_bad = true;
    return 0;
  }
}

static void compute(struct machine *machine, uint8_t op) {
  const uint64_t b = pop(machine);
  const uint64_t a = pop(machine);

  push(machine, combine(op, a, b, &machine->is_bad));
}

static void rearrange(struct machine *machine, uint8_t op) {
  uint64_t a, b;

  switch (op) {
  case OP_DUP:
    push(machine, look(machine, 0));
    break;
  case OP_DROP:
    pop(machine);
    break;
  case OP_OVER:
    push(machine, look(machine, 1));
    break;
  case OP_PICK:
    push(machine, look(machine, rt_cursor_fixed(machine->code, 1)));
    break;
  case OP_SWAP:
    b = pop(machine);
    a = pop(machine);
    push(machine, b);
    push(machine, a);
    break;
  }
}

/* A number that follows the operation. */
static void push_constant(struct machine *machine, uint8_t op) {
  const size_t bytes = (size_t)1 << ((op - OP_CONST1U) / 2 & 3);
  const unsigned n_unused = 64 - 8 * (unsigned)bytes;
  const bool is_signed = (op - OP_CONST1U) % 2;

  if (op == OP_CONSTU) {
    push(machine, rt_cursor_unsigned(machine->code));
  } else if (op == OP_CONSTS) {
    push(machine, (uint64_t)rt_cursor_signed(machine->code));
  } else {
    const uint64_t value = rt_cursor_fixed(machine->code, bytes);
    push(machine, is_signed
                      ? (uint64_t)((int64_t)(value << n_unused) >> n_unused)
                      : value);
  }
}

static void step(struct machine *machine) {
  const uint8_t op = (uint8_t)rt_cursor_fixed(machine->code, 1);

  if (op >= OP_LIT0 && op < OP_LIT0 + 32)
    push(machine, op - OP_LIT0);
  else if (op >= OP_BREG0 && op < OP_BREG0 + 32)
    push_register(machine, op - OP_BREG0);
  else if (op == OP_BREGX)
    push_register(machine, rt_cursor_unsigned(machine->code));
  else if (op >= OP_CONST1U && op <= OP_CONSTS)
    push_constant(machine, op);
  else if (op >= OP_DUP && op <= OP_SWAP)
    rearrange(machine, op);
  else if (op == OP_ADDR)
    push(machine, rt_cursor_fixed(machine->code, 8));
  else if (op == OP_DEREF)
    dereference(machine);
  else if (op == OP_NEG)
    push(machine, 0 - pop(machine));
  else if (op == OP_NOT)
    push(machine, ~pop(machine));
  else if (op == OP_PLUS_UCONST)
    push(machine, pop(machine) + rt_cursor_unsigned(machine->code));
  else if (op != OP_NOP)
    compute(machine, op);
}

bool rt_expression(struct rt_cursor *code, const struct rt_registers *registers,
                   struct rt_safe_reader *memory, const uint64_t *initial,
                   uint64_t *out) {
  struct machine machine; // not initialised: the compiler would call memset()

  machine.code = code;
  machine.registers = registers;
  machine.memory = memory;
  machine.n = 0;
  machine.is_bad = false;
  if (initial)
    push(&machine, *initial);
  for (int i = 0; rt_cursor_has_more(code) && !machine.is_bad; i++) {
    if (i == MAX_STEPS)
      return false;
    step(&machine);
  }
  *out = pop(&machine);
  return !code->is_bad && !machine.is_bad;
}
