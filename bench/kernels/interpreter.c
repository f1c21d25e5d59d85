/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * An interpreter of a small byte code, with a switch in a loop: one branch per
 * instruction, hard to predict, no calls. The program that it runs counts the
 * steps of the Collatz sequences of the numbers below a limit.
 *
 *   interpreter [SCALE]    limit: SCALE times 10,000
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum opcode {
  PUSH,
  LOAD,
  STORE,
  ADD,
  MULTIPLY,
  HALVE,
  IS_ODD,
  IS_LESS,
  JUMP,
  JUMP_IF,
  HALT
};

struct instruction {
  enum opcode opcode;
  uint32_t operand;
};

enum { LIMIT, NUMBER, CURRENT, STEPS, N_VARIABLES };

enum { STACK_SIZE = 8 };

// clang-format off
static const struct instruction program[] = {
  /*  0 */ {PUSH, 1},      {STORE, NUMBER},
  /*  2 */ {LOAD, NUMBER}, {STORE, CURRENT},
  // while 1 < current
  /*  4 */ {PUSH, 1},      {LOAD, CURRENT},  {IS_LESS, 0}, {JUMP_IF, 9},
  /*  8 */ {JUMP, 25},
  /*  9 */ {LOAD, STEPS},  {PUSH, 1},        {ADD, 0},     {STORE, STEPS},
  /* 13 */ {LOAD, CURRENT}, {IS_ODD, 0},     {JUMP_IF, 19},
  /* 16 */ {LOAD, CURRENT}, {HALVE, 0},      {JUMP, 23},
  /* 19 */ {LOAD, CURRENT}, {PUSH, 3},       {MULTIPLY, 0}, {JUMP, 31},
  /* 23 */ {STORE, CURRENT}, {JUMP, 4},
  // until limit
  /* 25 */ {LOAD, NUMBER}, {PUSH, 1},        {ADD, 0},     {STORE, NUMBER},
  /* 29 */ {JUMP, 34},     {HALT, 0},
  /* 31 */ {PUSH, 1},      {ADD, 0},         {JUMP, 23},
  /* 34 */ {LOAD, NUMBER}, {LOAD, LIMIT},    {IS_LESS, 0}, {JUMP_IF, 2},
  /* 38 */ {HALT, 0},
};
// clang-format on

static uint64_t run(uint64_t *variables) {
  uint64_t stack[STACK_SIZE] = {0};
  uint64_t *top = stack; // the topmost value; stack[0] is never used
  uint64_t n_executed = 0;
  const struct instruction *next = program;

  for (;;) {
    const struct instruction *const current = next++;
    n_executed++;
    switch (current->opcode) {
    case PUSH:
      *++top = current->operand;
      break;
    case LOAD:
      *++top = variables[current->operand];
      break;
    case STORE:
      variables[current->operand] = *top--;
      break;
    case ADD:
      top--;
      top[0] += top[1];
      break;
    case MULTIPLY:
      top--;
      top[0] *= top[1];
      break;
    case HALVE:
      top[0] /= 2;
      break;
    case IS_ODD:
      top[0] %= 2;
      break;
    case IS_LESS:
      top--;
      top[0] = top[0] < top[1];
      break;
    case JUMP:
      next = program + current->operand;
      break;
    case JUMP_IF:
      if (*top--)
        next = program + current->operand;
      break;
    case HALT:
      return n_executed;
    }
  }
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  uint64_t variables[N_VARIABLES] = {[LIMIT] = 10000ull * (unsigned)scale};

  const uint64_t n_executed = run(variables);
  printf("%llu instructions, %llu steps\n", (unsigned long long)n_executed,
         (unsigned long long)variables[STEPS]);
  return 0;
}
