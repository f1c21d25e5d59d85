# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random decisions: their text in C and C++, and the conditions that determine their outcome.

An expression is evaluated as the language does it. A condition is masked if an operand of && or ||
that contains it has another value than the whole; conditions that are not evaluated may have any
value. So a condition that selects an operand of ?: is never masked by that.
"""
import random

MAX_CONDITIONS = 64


class Leaf:
    """A condition: its text uses bits of the input `v`. With ?: in the program, it may have decisions
    of its own, and is of type bool in C++: operands of ?: that differ in type are converted, so that
    clang evaluates them as values."""

    def __init__(self, rng, choices):
        self.number = 0
        self.bit = rng.randrange(8)
        bit = f"(v >> {self.bit} & 1)"
        other = rng.randrange(8)
        self.uses = lambda v: v >> self.bit & 1
        kind = rng.randrange(8)
        if not choices and kind in (2, 3, 4):
            kind = 1
        if kind == 0:
            self.text = f"called{bit}"
        elif kind == 1:
            self.text = f"{bit} == 1"
        elif kind == 2:
            # A decision of its own, on its own line.
            self.text = f"called(\n    {bit} && (v >> {other} & 1))"
            self.uses = lambda v: (v >> self.bit & 1) and (v >> other & 1)
        elif kind == 3:
            self.text = f"chosen(\n    {bit} ? 7 : 3) > 5"
        elif kind == 4:
            self.text = f"BIT(v, {self.bit})"
        elif kind == 5:
            self.text = f"(v & {1 << self.bit})"
        else:
            self.text = bit
        if choices and kind not in (1, 3):
            self.text += " != 0"

    def leaves(self):
        return [self]

    def evaluate(self, v):
        value = bool(self.uses(v))
        return value, [(self.number, value, True)]


class Not:
    def __init__(self, operand):
        self.operand = operand
        self.text = f"!({operand.text})"

    def leaves(self):
        return self.operand.leaves()

    def evaluate(self, v):
        value, seen = self.operand.evaluate(v)
        return not value, seen


class Pair:
    """&& or ||."""

    def __init__(self, is_and, left, right):
        self.is_and, self.left, self.right = is_and, left, right
        self.text = f"({left.text} {'&&' if is_and else '||'} {right.text})"

    def leaves(self):
        return self.left.leaves() + self.right.leaves()

    def evaluate(self, v):
        left, seen = self.left.evaluate(v)
        if left != self.is_and:
            return left, seen
        right, more = self.right.evaluate(v)
        if right != left:
            seen = [(number, value, False) for number, value, _ in seen]
        return right, seen + more


class Choice:
    """?: with conditions as operands."""

    def __init__(self, first, second, third):
        self.parts = first, second, third
        self.text = f"({first.text} ? {second.text} : {third.text})"

    def leaves(self):
        return [leaf for part in self.parts for leaf in part.leaves()]

    def evaluate(self, v):
        first, seen = self.parts[0].evaluate(v)
        value, more = self.parts[1 if first else 2].evaluate(v)
        return value, seen + more


class Value(Leaf):
    """?: as a value: clang evaluates its operands as such, so it is one condition."""

    def __init__(self, choice):
        self.text = choice.text
        self.uses = lambda v: choice.evaluate(v)[0]


def as_value(expression):
    """The expression where clang evaluates it as a value: the last operand of && and || is one, too."""
    if isinstance(expression, Choice):
        return Value(expression)
    if isinstance(expression, Not):
        return Not(as_value(expression.operand))
    if isinstance(expression, Pair):
        return Pair(expression.is_and, expression.left, as_value(expression.right))
    return expression


def make_expression(rng, n, choices):
    """An expression of n conditions. Without choices it is one that
    clang instruments: no opposite of && or ||."""
    if rng.randrange(8) == 0 and (choices or n == 1):
        return Not(make_expression(rng, n, choices))
    if n == 1:
        return Leaf(rng, choices)
    if choices and n > 2 and rng.randrange(6) == 0:
        a = rng.randrange(1, n - 1)
        b = rng.randrange(1, n - a)
        return Choice(make_expression(rng, a, choices), make_expression(rng, b, choices),
                      make_expression(rng, n - a - b, choices))
    a = rng.randrange(1, n)
    return Pair(rng.randrange(2) == 0, make_expression(rng, a, choices),
                make_expression(rng, n - a, choices))


# The outermost operator, so that each form has a decision of several conditions.
FORMS = (
    "if ({})\n    result = 1;",
    "if ({})\n    result = 1;\n  else\n    result = 2;",
    "for (int i = 0; i == 0; i++)\n    while ({}) {{\n      result++;\n      break;\n    }}",
    "for (; {};) {{\n    result = 1;\n    break;\n  }}",
    "do\n    result++;\n  while ({} && chosen(result) < 0);",
    "result = {} ? 4 : 2;",
    "result = {};",
    "return {};",
    "result = chosen({}) + 1;",
    "bool b = {};\n  result = b;",
)

HEAD = """#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#define BIT(v, n) ((v) >> (n) & 1)
__attribute__((noinline)) int called(int x) { return x; }
static int chosen(int x) { return x; }
"""


class Decision:
    """A function with a decision in it."""

    def __init__(self, rng, number, choices, most):
        n = rng.randrange(2, most + 1)
        self.is_inline = rng.randrange(2) == 0
        self.expression = make_expression(rng, n, choices)
        while not isinstance(strip(self.expression), Pair):
            self.expression = make_expression(rng, n, choices)
        self.form = rng.choice(FORMS)
        if "result) < 0" in self.form:
            # The loop's second condition is never true.
            self.expression = Pair(True, self.expression, Never())
            self.form = self.form.replace(" && chosen(result) < 0", "")
        if "if (" not in self.form:
            self.expression = as_value(self.expression)
        for i, leaf in enumerate(self.expression.leaves()):
            leaf.number = i
        self.number = number

    def text(self, first_line):
        """The function; sets the line on which the decision begins."""
        body = self.form.format(self.expression.text)
        head = "static inline int" if self.is_inline else "int"
        text = f"{head} f{self.number}(int v) {{\n  int result = 0;\n  {body}\n  return result;\n}}\n"
        before = text[:text.index(self.expression.text)]
        self.line = first_line + before.count("\n")
        return text


class Never(Leaf):
    """The condition of a loop that is not repeated."""

    def __init__(self):
        self.text = "chosen(result) < 0"
        self.uses = lambda v: 0


def strip(expression):
    while isinstance(expression, Not):
        expression = expression.operand
    return expression


def make_program(seed, choices, most=8, n_decisions=12):
    """Returns the text, the decisions and the inputs of a program."""
    rng = random.Random(seed)
    decisions = [Decision(rng, i, choices, most) for i in range(n_decisions)]
    text = HEAD
    for decision in decisions:
        text += decision.text(text.count("\n") + 1)
    text += "int main(int argc, char **argv) {\n  int sum = 0;\n"
    text += "  for (int i = 1; i < argc; i++) {\n    int v = atoi(argv[i]);\n"
    for decision in decisions:
        text += f"    sum += f{decision.number}(v);\n"
    text += '  }\n  printf("%d\\n", sum);\n  return 0;\n}\n'
    inputs = [rng.randrange(256) for _ in range(rng.choice((1, 3, 6, 12, 40)))]
    return text, decisions, inputs


def expected_counts(decision, inputs):
    """By condition: [true decided, true, false decided, false]."""
    counts = [[0, 0, 0, 0] for _ in decision.expression.leaves()]
    for v in inputs:
        for number, value, is_unmasked in decision.expression.evaluate(v)[1]:
            counts[number][0 if value else 2] += is_unmasked
            counts[number][1 if value else 3] += 1
    return counts
