# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random programs, in C or C++, that count some of their own lines.

A line `H(7);` adds one to count[7]. The same seed makes the same program. Calls
use up fuel, so that each program ends.
"""
import contextlib
import random

PRELUDE = """\
#include <setjmp.h>
#define H(k) count[k]++
#define FUEL (fuel > 0 && fuel-- > 0)
%(extern)s unsigned long count[];
%(extern)s int fuel, n_thrown, sink[64];
%(extern)s int draw(void);
%(extern)s int outside(int);
typedef int function(int, int);
static jmp_buf place;
static int is_armed;
static volatile int result;
"""

CONDITIONS = ("0", "(a < 3)", "(a == b)", "((a ^ b) & 1)", "(b & {0})",
              "(a > {1})", "(draw() % {0} == 0)", "(a >= {0} && a <= {1})",
              "(a == 1 || b == 2 || (draw() & 3) == 1)", "(!(a && b))",
              "__builtin_expect(draw() % 16 == 0, 0)", "outside(a)",
              "((draw() % 3 ? a : b) > {1})")

MAX_DEPTH = 5


class Program:
    """source: its text. lines[k]: the line, from 1, of H(k). entries: the k of the first line of
    each function that its name identifies."""

    twin = None  # it counts itself

    def __init__(self, seed, is_cxx):
        self.random = random.Random(seed)
        self.is_cxx = is_cxx
        self.text = []
        self.lines = []
        self.entries = {}
        self.depth = 0
        self.n_functions = self.random.randint(3, 8)
        self._write()
        self.source = "\n".join(self.text) + "\n"

    def _chance(self, probability):
        return self.random.random() < probability

    def _emit(self, line):
        self.text.append("  " * self.depth + line)

    @contextlib.contextmanager
    def _braces(self, head, tail="}"):
        self._emit(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self._emit(tail)

    def _mark(self):
        self._emit(f"H({len(self.lines)});")
        self.lines.append(len(self.text))

    def _condition(self):
        return self.random.choice(CONDITIONS).format(
            self.random.randint(2, 9), self.random.randint(9, 30))

    def _call(self, caller):
        """Mostly of a later function, sometimes recursive or by a pointer."""
        pick = self.random
        if caller + 1 < self.n_functions and self._chance(.85):
            callee = pick.randrange(caller + 1, self.n_functions)
            first = pick.choice(("a", "b", "a + b", "3"))
            second = pick.choice(("a", "b", "1", "draw() % 10"))
            return f"f{callee}({first}, {second})"
        return pick.choice((f"small({pick.choice('ab')})",
                            f"f{pick.randrange(self.n_functions)}(a - 1, b + 1)",
                            f"table[draw() % {self.n_functions}](b, a)"))

    # Statements. Each has the function that it is in, and whether `continue` and `break`
    # are valid there.

    def _block(self, *context):
        if self._chance(.8):
            self._mark()
        for _ in range(self.random.randint(1, 3)):
            self._statement(*context)

    def _statement(self, *context):
        compound = [self._if, self._if, self._for, self._while, self._do,
                    self._switch, self._leave, self._vectors, self._value]
        compound += ([self._try, self._lambda] if self.is_cxx
                     else [self._goto, self._jump])
        if self.depth > MAX_DEPTH or self._chance(.35):
            self._simple(*context)
        else:
            self.random.choice(compound)(*context)

    def _simple(self, function, *_):
        pick = self.random
        call = self._call(function)
        kinds = [f"a += {pick.randint(1, 5)};", f"b ^= a + {pick.randint(1, 5)};",
                 f"a {pick.choice(('=', '+=', '^='))} {call};", f"b = {call};",
                 "sink[(unsigned)a % 64] += b;",
                 f"a = {self._condition()} ? b + 1 : {call};"]
        self._mark()
        if not self.is_cxx or self._chance(.8):
            self._emit(pick.choice(kinds))
        elif self._chance(.5):
            self._emit(f"Guard guard{len(self.text)}(a);")
        else:
            with self._braces("if (n_thrown < 4000 && draw() % 8 == 0)"):
                self._mark()
                self._emit("n_thrown++;")
                self._emit(pick.choice(("throw a;", "throw Error{b};")))
        if self._chance(.5):
            self._mark()

    def _if(self, *context):
        with self._braces(f"if ({self._condition()})"):
            self._block(*context)
        if self._chance(.5):
            with self._braces("else"):
                self._block(*context)

    def _for(self, function, *_):
        end = self.random.choice((str(self.random.randint(0, 8)), "(a & 7)",
                                  "draw() % 6", "b % 5"))
        i = f"i{self.depth}"
        with self._braces(f"for (int {i} = 0; {i} < {end} && FUEL; {i}++)"):
            self._block(function, True, True)

    def _while(self, function, *_):
        with self._braces(f"while (FUEL && {self._condition()})"):
            self._block(function, True, True)

    def _do(self, function, *_):
        with self._braces("do", f"}} while (FUEL && {self._condition()});"):
            self._block(function, True, True)

    def _vectors(self, *_):
        """A loop that can be vectorised."""
        i = f"i{self.depth}"
        with self._braces(f"for (int {i} = 0; {i} < (a & 63); {i}++)"):
            self._mark()
            self._emit(f"sink[{i}] += {i} * b;")

    def _switch(self, function, can_continue, _):
        context = function, can_continue, True
        value = self.random.choice(("(a & 7)", "draw() % 6", "b"))
        with self._braces(f"switch ({value})"):
            for case in self.random.sample(range(8), self.random.randint(1, 6)):
                with self._braces(f"case {case}:"):
                    self._block(*context)
                if self._chance(.7):
                    self._emit("break;")
            if self._chance(.6):
                with self._braces("default:"):
                    self._block(*context)

    def _leave(self, function, can_continue, can_break):
        ways = [f"return {self.random.choice(('a', '0', self._call(function)))};"]
        ways += ["continue;"] * can_continue + ["break;"] * can_break
        self._mark()
        self._emit(f"if ({self._condition()})")
        self._emit("  " + self.random.choice(ways))
        self._mark()

    def _value(self, *_):
        """A statement in an expression. In clang's code the last line but one stores the value,
        too, so that it has no mark."""
        with self._braces("a = (", "});"):
            self._mark()
            self._emit("b++;")
            self._emit(f"{self._condition()} ? b : a;")

    def _goto(self, *context):
        label = f"label{len(self.text)}"
        if self._chance(.5):
            self._emit(f"if ({self._condition()}) goto {label};")
            self._block(*context)
            self._emit(f"{label}:;")
        else:
            self._emit(f"{label}:;")
            self._block(*context)
            self._emit(f"if (FUEL && {self._condition()}) goto {label};")
        self._mark()

    def _jump(self, function, *_):
        """longjmp() out of calls."""
        with self._braces("if (!is_armed)"):
            self._emit("is_armed = 1;")
            with self._braces("if (setjmp(place) == 0)"):
                self._mark()
                self._emit(f"result = {self._call(function)};")
                self._mark()
            with self._braces("else"):
                self._mark()
            self._emit("is_armed = 0;")
        with self._braces("else if (draw() % 8 == 0)"):
            self._mark()
            self._emit("longjmp(place, 1);")

    def _try(self, *context):
        with self._braces("try"):
            self._block(*context)
        with self._braces(f"catch ({self.random.choice(('int', 'Error &', '...'))})"):
            self._block(*context)

    def _lambda(self, *_):
        name = f"lambda{len(self.text)}"
        with self._braces(f"auto {name} = [&](int n)", "};"):
            self._mark()
            with self._braces("if (n > 3)"):
                self._mark()
                self._emit("return n;")
            self._emit("return n + b;")
        self._emit(f"a = {name}(a) + {name}(b & 7);")

    # Functions.

    def _write_small(self):
        with self._braces("static inline int small(int a)"):
            self._mark()
            with self._braces("if (a < 2)"):
                self._mark()
                self._emit("return 1;")
            self._mark()
            self._emit("return a & 15;")

    def _write_classes(self):
        self._emit("struct Error { int value; };")
        with self._braces("struct Guard", "};"):
            self._emit("int &of;")
            with self._braces("explicit Guard(int &n) : of(n)"):
                self._mark()
                self._emit("of++;")
            with self._braces("~Guard()"):
                self._mark()
                self._emit("of ^= 1;")

    def _write_function(self, i, storage):
        attribute = self.random.choice(
            ("", "", "", "__attribute__((noinline)) ", "__attribute__((cold)) "))
        with self._braces(f"{attribute}{storage}int f{i}(int a, int b)"):
            self.entries[f"f{i}"] = len(self.lines)
            self._mark()
            self._emit("if (!FUEL)")
            self._emit("  return 0;")
            for _ in range(self.random.randint(1, 4)):
                self._statement(i, False, False)
            self._mark()
            # Often a call in tail position.
            self._emit(f"return {self.random.choice(('a', 'a + b', self._call(i)))};")

    def _write_run(self):
        linkage = 'extern "C" ' if self.is_cxx else ""
        with self._braces(f"{linkage}int run(int n)"):
            self._emit("int sum = 0;")
            with self._braces("for (int i = 0; i < n; i++)"):
                self._mark()
                self._emit("fuel = 2000;")
                self._emit("is_armed = 0;")
                if self.is_cxx:
                    with self._braces("try"):
                        self._emit("sum += f0(i, draw() % 40);")
                    with self._braces("catch (...)"):
                        self._mark()
                else:
                    self._emit("sum += f0(i, draw() % 40);")
            self._mark()
            self._emit("return sum;")

    def _write(self):
        extern = 'extern "C"' if self.is_cxx else "extern"
        self.text += (PRELUDE % {"extern": extern}).splitlines()
        if self.is_cxx:
            self._write_classes()
        storages = ["static " if self._chance(.6) else ""
                    for _ in range(self.n_functions)]
        for i, storage in enumerate(storages):
            self._emit(f"{storage}int f{i}(int a, int b);")
        names = ", ".join(f"f{i}" for i in range(self.n_functions))
        self._emit(f"static function *const table[] = {{{names}}};")
        self._write_small()
        for i, storage in enumerate(storages):
            self._write_function(i, storage)
        self._write_run()
