/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses formulas by recursive descent: sum, product and atom call each other,
   which is a cycle in the call graph. */
#include "parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

struct parser {
  const char *at;
  struct formula *out;
  int failed;
};

static void parse_sum(struct parser *parser);

static void emit(struct parser *parser, char op, double number) {
  struct formula *out = parser->out;
  if (out->n_ops == (int)sizeof(out->ops)) {
    parser->failed = 1;
    return;
  }
  out->ops[out->n_ops] = op;
  out->numbers[out->n_ops++] = number;
}

static char next_char(struct parser *parser) {
  while (isspace((unsigned char)*parser->at))
    parser->at++;
  return *parser->at;
}

static void parse_atom(struct parser *parser) {
  char c = next_char(parser);
  if (c == '(' || c == 's') {
    parser->at++;
    if (c == 's')
      parse_atom(parser);
    else
      parse_sum(parser);
    if (c == 's')
      emit(parser, 's', 0);
    else if (next_char(parser) == ')')
      parser->at++;
    else
      parser->failed = 1;
  } else if (c == 'x') {
    parser->at++;
    emit(parser, 'x', 0);
  } else if (isdigit((unsigned char)c)) {
    char *end;
    emit(parser, 'n', strtod(parser->at, &end));
    parser->at = end;
  } else {
    parser->failed = 1;
  }
}

static void parse_product(struct parser *parser) {
  parse_atom(parser);
  for (char c;
       !parser->failed && ((c = next_char(parser)) == '*' || c == '/');) {
    parser->at++;
    parse_atom(parser);
    emit(parser, c, 0);
  }
}

static void parse_sum(struct parser *parser) {
  parse_product(parser);
  for (char c;
       !parser->failed && ((c = next_char(parser)) == '+' || c == '-');) {
    parser->at++;
    parse_product(parser);
    emit(parser, c, 0);
  }
}

int formula_parse(const char *text, struct formula *out) {
  struct parser parser = {.at = text, .out = out};
  out->n_ops = 0;
  parse_sum(&parser);
  return parser.failed || next_char(&parser) != '\0' ? -1 : 0;
}

double formula_eval(const struct formula *formula, double x) {
  double stack[128];
  int top = 0;

  for (int i = 0; i < formula->n_ops; i++) {
    switch (formula->ops[i]) {
    case 'n':
      stack[top++] = formula->numbers[i];
      break;
    case 'x':
      stack[top++] = x;
      break;
    case '+':
      top--;
      stack[top - 1] += stack[top];
      break;
    case '-':
      top--;
      stack[top - 1] -= stack[top];
      break;
    case '*':
      top--;
      stack[top - 1] *= stack[top];
      break;
    case '/':
      top--;
      stack[top - 1] /= stack[top];
      break;
    case 's':
      stack[top - 1] = sqrt(fabs(stack[top - 1]));
      break;
    }
  }
  return stack[0];
}
