# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random programs, in C or C++, mostly of control flow: one statement a line, most without
braces, so that control joins on lines of other statements.

Each program has a twin with the same lines, in which each statement also counts
itself. The same seed makes the same program.
"""
import random

PRELUDE = """\
#define FUEL (fuel > 0 && fuel-- > 0)
%(extern)s unsigned long count[];
%(extern)s int fuel, n_thrown, sink[64];
%(extern)s int draw(void);
%(extern)s int outside(int);
%(extern)s int run(int);
static int x, y, z;
static volatile int seen;
#ifdef __cplusplus
__attribute__((noinline)) static bool ask(int n) { return outside(n) & 1; }
#else
#define ask(n) (outside(n) & 1)
#endif
"""

CXX_PRELUDE = """\
struct Guard {
  explicit Guard(int n) : n(n) { seen = n; }
  ~Guard() { seen = -n; }
  explicit operator bool() const { return n; }
  int n;
};
static Guard take(int n) { return Guard(n); }
template <class F> static int apply(F f, int n) { return f(n) ^ f(n + 1); }
static const int numbers[] = {3, 1, 4, 1, 5};
static const Guard guards[] = {Guard(2), Guard(7), Guard(1)};
"""

# Conditions that cannot be one expression count in a statement of their own.
CONDITIONS = ("a < 3", "a", "!b", "a == b", "(a ^ b) & 1", "draw() % {0}", "x > y",
              "draw() % {0} == 0", "a >= {0} && a <= {1}", "draw() & 1 && b > {0}",
              "a == 1 || b == 2 || draw() % 3 == 1", "!(a && draw() & 1)",
              "ask(a)", "ask(x) && ask(b)", "!(ask(b) || a)",
              "outside(a)", "outside(b) || outside(a)", "(draw() & 1 ? a : b) > {0}")
CONTINUED = (("draw() % {0} == 0", "&& b != a"), ("outside(a)", "|| draw() & 1"),
             ("a < {1}", "&& outside(b)"), ("draw() & 1", "&& draw() & 1"),
             ("ask(a)", "|| ask(b)"), ("!ask(x)", "&& ask(a) && b"),
             ("x < y", "|| a == {0}"))
SIMPLE = ("a++;", "b--;", "x += a;", "y = b;", "a = draw() % 8;", "b ^= 5;", "z++;",
          "a += outside(b);", "x = y + z;", "seen = a;", "sink[a & 63] += b;",
          "b = a > 3 ? x : y;", "a = b < 2 && draw() & 1;")
# With temporary objects, some of which only one way has. Arguments that count have parentheses of
# their own, since the twin counts before a comma.
CXX_SIMPLE = ("@a += take(b).n;", "@a = take(a).n ? b : take(b).n;",
              "@x = draw() & 1 ? take(a).n : y;", "@b = take(a) && take(b);",
              "@a = draw() & 1 || take(b).n;", "@delete new Guard(b);",
              "if (Guard t = take((@a & 1))) b++;")

MAX_DEPTH = 6


class Scope:
    """The targets that a jump may have from here."""

    breaks = continues = in_try = is_guarded = False

    def inside(self, **changes):
        inner = Scope()
        inner.__dict__.update(self.__dict__, is_guarded=False)
        inner.__dict__.update(changes)
        return inner


class ControlFlow:
    """source: its text. twin: the same, counting. lines[k]: the line, from 1, of
    count[k]. entries: none are known by name."""

    def __init__(self, seed, is_cxx):
        self.random = random.Random(f"control flow {seed}")
        self.is_cxx = is_cxx
        self.rows = []  # (plain, twin)
        self.lines = []
        self.entries = {}
        self.depth = 0
        self.n_ends = 0  # jumps at ends of scopes
        self.n_functions = self.random.randint(3, 7)
        self.braces = self.random.choice((.1, .1, .3, .8))
        self._write()
        self.source = "\n".join(row[0] for row in self.rows) + "\n"
        self.twin = "\n".join(row[1] for row in self.rows) + "\n"

    def _chance(self, probability):
        return self.random.random() < probability

    def _emit(self, plain, twin=None):
        indent = "  " * self.depth
        self.rows.append((indent + plain,
                          indent + (plain if twin is None else twin)))

    def _number(self):
        """Returns the index of the count of the next line."""
        self.lines.append(len(self.rows) + 1)
        return len(self.lines) - 1

    def _counted(self, text):
        """A line with "@" where it counts in the twin."""
        k = self._number()
        self._emit(text.replace("@", ""), text.replace("@", f"count[{k}]++, "))

    def _jump(self, text):
        k = self._number()
        self._emit(text, f"{{ count[{k}]++; {text} }}")

    def _fill(self, text):
        return text.format(self.random.randint(2, 5), self.random.randint(6, 12))

    def _condition(self, form, is_fuelled=False):
        """The head of a statement, with "$" for the condition, over one line or
        two."""
        fuel = "FUEL && " if is_fuelled else ""
        if self._chance(.12):
            first, second = self.random.choice(CONTINUED)
            operator, _, second = self._fill(second).partition(" ")
            head, tail = form.split("$")
            self._counted(f"{head}@{fuel}({self._fill(first)})")
            k = self._number()
            operator = "&&" if is_fuelled else operator
            self._emit(f"    {operator} ({second}){tail}",
                       f"    {operator} (count[{k}]++, ({second})){tail}")
        else:
            condition = (f"({self._logic()})" if self._chance(.15)
                         else self._fill(self.random.choice(CONDITIONS)))
            self._counted(form.replace("$", f"@{fuel}({condition})"
                                       if fuel else f"@{condition}"))

    def _logic(self, depth=0):
        """An expression of operands that may not be evaluated."""
        if depth == 3 or self._chance(.25 * depth):
            return self._fill(self.random.choice(CONDITIONS))
        first, second = self._logic(depth + 1), self._logic(depth + 1)
        return self.random.choice((f"({first}) && !({second})", f"({first}) || ({second})",
                                   f"!({first}) && ({second})", f"({first}) & ({second})",
                                   f"({first}) ? ({second}) : b > 3"))

    # Statements.

    def _body(self, scope, is_closed=False):
        """The statement that another one controls. is_closed: an else follows."""
        self.depth += 1
        wants_braces = self._chance(self.braces) or is_closed
        if wants_braces:
            self.depth -= 1
            row = len(self.rows) - 1
            self.rows[row] = tuple(text + " {" for text in self.rows[row])
            self.depth += 1
            for _ in range(self.random.randint(1, 3)):
                self._statement(scope)
            self.depth -= 1
            self._emit("}")
        else:
            self._statement(scope, is_alone=True)
            self.depth -= 1

    def _statement(self, scope, is_alone=False):
        pick = self.random
        compound = [self._if, self._if, self._if, self._for, self._for, self._while,
                    self._do, self._switch]
        jumps = [self._leave] * 2
        if not is_alone:
            jumps.append(self._label)
        if self.is_cxx:
            compound.append(self._range_for)
            if not is_alone:
                compound += [self._guarded, self._try, self._lambda]
        if self.depth > MAX_DEPTH or self._chance(.3):
            self._simple(scope)
        elif self._chance(.2):
            pick.choice(jumps)(scope)
        else:
            pick.choice(compound)(scope)

    def _simple(self, _):
        if self._chance(.15) and self.function + 1 < self.n_functions:
            callee = self.random.randrange(self.function + 1, self.n_functions)
            first = self.random.choice(("a", "b", "x"))
            second = self.random.choice(("a", "b", "draw() % 9"))
            self._counted(f"@a += f{callee}({first}, {second});")
        elif self._chance(.15):
            to = self.random.choice(("a =", "x +=", "b = 2 *"))
            self._counted(f"@{to} ({self._logic()});")
        elif self._chance(.08):
            self._choice()
        elif self.is_cxx and self._chance(.15):
            self._objects()
        else:
            self._counted("@" + self.random.choice(SIMPLE))

    def _choice(self):
        """An expression over three lines, with operands that call or not."""
        to = self.random.choice(("a =", "x +=", "b = 2 *", "a += outside(b) +"))
        condition = self._fill(self.random.choice(CONDITIONS))
        self._counted(f"@{to} (({condition})")
        # clang makes one of equal values, without a branch.
        values = self.random.sample(("x + y", "7", "outside(a)", "a - b", "ask(y)"), 2)
        for value, mark, end in zip(values, "?:", ("", ");")):
            k = self._number()
            self._emit(f"    {mark} {value}{end}", f"    {mark} (count[{k}]++, {value}){end}")

    def _objects(self):
        if self._chance(.1):
            self._jump(f"static int once{len(self.rows)} = outside(a);")
        else:
            self._counted(self.random.choice(CXX_SIMPLE))

    def _leave(self, scope):
        kinds = ["return a;", "return b + 1;"]
        if scope.breaks:
            kinds += ["break;"] * 3
        if scope.continues:
            kinds += ["continue;"] * 3
        if scope.in_try:
            kinds += ["throw a;"]
        # A label cannot be reached from a lambda, nor past a construction.
        if not self.is_cxx:
            kinds += [f"goto l{self.function}_{k};" for k in range(2)]
        text = self.random.choice(kinds)
        if text.startswith("goto"):
            self.wanted.add(int(text[-2]))
            self._counted("if (@FUEL)")
            self.depth += 1
            self._jump(text)
            self.depth -= 1
        elif scope.is_guarded or (text.startswith("return") and self._chance(.7)):
            # See _end.
            self._counted("if (@draw() % 4 == 0)")
            self.depth += 1
            self._jump(text)
            self.depth -= 1
        else:
            self._jump(text)

    def _label(self, scope):
        if self.free_labels and not self.is_cxx:
            self._emit(f"l{self.function}_{self.free_labels.pop()}:")
        self._statement(scope)

    def _guard(self):
        """The beginning of a head that declares an object, and whether it does."""
        if self.is_cxx and self._chance(.15):
            return f"Guard g{self.depth}(a); ", True
        return "", False

    def _if(self, scope):
        guard, is_guarded = self._guard()
        self._condition(f"if ({guard}$)")
        if is_guarded:
            scope = scope.inside(is_guarded=True)
        has_else = self._chance(.5)
        start = len(self.rows)
        self._body(scope, is_closed=has_else and self._chance(.3))
        while has_else:
            closes = self.rows[-1][0].strip() == "}" and \
                self.rows[start - 1][0].endswith("{")
            if not closes and self._is_open(start):
                return  # the else would belong to an inner if
            prefix = ""
            if closes:
                self.rows.pop()
                prefix = "} "
            if self._chance(.4):
                self._condition(prefix + "else if ($)")
                has_else = self._chance(.5)
                start = len(self.rows)
                self._body(scope, is_closed=has_else and self._chance(.3))
            else:
                self._emit(prefix + "else")
                self._body(scope)
                return

    def _is_open(self, start):
        """Does some if without braces begin at a row or after it?"""
        return any("if (" in row[0] for row in self.rows[start:])

    def _int(self):
        """In C, a goto may lead into the loop past a declaration."""
        return "int " if self.is_cxx else ""

    def _for(self, scope):
        inner = scope.inside(breaks=True, continues=True)
        kind = self.random.randrange(4)
        if kind == 0:
            guard, _ = self._guard()
            self._condition(f"for ({guard or '; '}$;)", is_fuelled=True)
        elif kind == 1 and self.is_cxx and self._chance(.2):
            self._counted(f"for (; Guard g{self.depth} = take((@FUEL && draw() % 4));)")
            inner = inner.inside(is_guarded=True)
        elif kind == 1:
            i = f"i{self.depth}"
            self._counted(f"for ({self._int()}{i} = 0; "
                          f"@{i} < {self.random.randint(0, 5)}; {i}++)")
        elif kind == 2:
            # It ends by this condition only, or by a statement in its body. Tools
            # disagree on the count of the head.
            self._emit("for (;;) {")
            self.depth += 1
            self._counted("if (@!(FUEL && draw() % 4))")
            self.depth += 1
            self._jump("break;")
            self.depth -= 1
            self._statement(inner)
            self.depth -= 1
            self._emit("}")
            return
        else:
            i, j = f"i{self.depth}", f"j{self.depth}"
            self._counted(f"for ({self._int()}{i} = 0, {j} = "
                          f"{self.random.randint(0, 8)}; @{i} < {j}; {i}++, {j}--)")
        self._body(inner)

    def _while(self, scope):
        if self.is_cxx and self._chance(.2):
            self._counted(f"while (Guard w{self.depth} = take((@FUEL && ("
                          f"{self._fill(self.random.choice(CONDITIONS))}))))")
            scope = scope.inside(is_guarded=True)
        elif self.is_cxx and self._chance(.1):
            self._condition("while (take(($)))", is_fuelled=True)
        else:
            self._condition("while ($)", is_fuelled=True)
        self._body(scope.inside(breaks=True, continues=True))

    def _do(self, scope):
        self._emit("do")
        start = len(self.rows)
        self._body(scope.inside(breaks=True, continues=True))
        if self.rows[-1][0].strip() == "}" and self.rows[start - 1][0].endswith("{") \
                and self._chance(.7):
            self.rows.pop()
            self._counted(f"}} while (@FUEL && draw() % {self.random.randint(2, 4)});")
        else:
            self._counted(f"while (@FUEL && draw() % {self.random.randint(2, 4)});")

    def _switch(self, scope):
        inner = scope.inside(breaks=True)
        guard, _ = self._guard()
        self._counted(f"switch ({guard}@draw() % {self.random.randint(1, 5)})")
        if self._chance(.1):
            self._emit("case 1:")
            self.depth += 1
            self._simple(inner)
            self.depth -= 1
            return
        self.rows[-1] = tuple(text + " {" for text in self.rows[-1])
        cases = self.random.sample(range(5), self.random.randint(1, 4))
        if self._chance(.5):
            cases.insert(self.random.randint(0, len(cases)), None)
        for case in cases:
            self._emit("default:" if case is None else f"case {case}:")
            self.depth += 1
            # For a case that only breaks, clang emits no code when it optimises.
            self._counted("@z++;")
            if self._chance(.85):
                for _ in range(self.random.randint(1, 2)):
                    self._statement(inner, is_alone=True)
            if self._chance(.65):
                self._jump(self.random.choice(
                    ["break;"] * 4 + ["continue;"] * scope.continues + ["return b;"]))
            self.depth -= 1
        self._emit("}")

    # Statements of C++.

    def _range_for(self, scope):
        i = f"r{self.depth}"
        k = self._number()
        is_guarded = self._chance(.3)
        if is_guarded:
            self._emit(f"for (Guard {i} : guards)",
                       f"for (int p{i} = 0; count[{k}]++, "
                       f"p{i} < 3 && (Guard(guards[p{i}]), true); p{i}++)")
        else:
            self._emit(f"for (int {i} : numbers)",
                       f"for (int p{i} = 0, {i}; count[{k}]++, "
                       f"p{i} < 5 && ({i} = numbers[p{i}], true); p{i}++)")
        self._body(scope.inside(breaks=True, continues=True, is_guarded=is_guarded))

    def _guarded(self, scope):
        self._emit("{")
        self.depth += 1
        self._counted(f"Guard g{self.depth}((@a + {self.depth}));")
        n_ends = self.n_ends
        for _ in range(self.random.randint(1, 3)):
            self._statement(scope.inside(is_guarded=True))
        self._end(scope, n_ends)
        self.depth -= 1
        self._emit("}")

    def _end(self, scope, n_ends):
        """A jump that always leaves the scope of an object or a handler, unless another one does:
        clang keeps only the end of the scope."""
        if n_ends == self.n_ends and self._chance(.3):
            self._jump(self.random.choice(["return 7;"] + ["break;"] * scope.breaks
                                          + ["continue;"] * scope.continues))
            self.n_ends += 1

    def _try(self, scope):
        self._emit("try {")
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self._statement(scope.inside(in_try=True, is_guarded=scope.is_guarded))
        if self._chance(.7):
            self._condition("if ($)")
            self.depth += 1
            self._jump("throw a;")
            self.depth -= 1
        self.depth -= 1
        self._emit("} catch (int) {" if self._chance(.5) else "} catch (...) {")
        self.depth += 1
        n_ends = self.n_ends
        for _ in range(self.random.randint(1, 2)):
            self._statement(scope.inside(is_guarded=True))
        self._end(scope, n_ends)
        self.depth -= 1
        self._emit("}")

    def _lambda(self, _):
        """On one line, over several, or as an argument, whose line also has the call."""
        name = f"local{len(self.rows)}"
        kind = self.random.choice(("line", "lines", "argument"))
        k = self._number()
        if kind == "line":
            text = self._fill(self.random.choice(CONDITIONS))
            head = f"auto {name} = [&](int a) -> int {{"
            self._emit(f"{head} return {text}; }};",
                       f"{head} count[{k}]++; return {text}; }};")
        else:
            is_argument = kind == "argument"
            head = f"{'b += apply(' if is_argument else f'auto {name} = '}[&](int a) -> int {{"
            self._emit(head, f"{f'count[{k}]++, ' if is_argument else ''}{head} count[{k}]++;")
            self.depth += 1
            for _ in range(self.random.randint(1, 3)):
                self._statement(Scope())
            self._jump("return a;")
            self.depth -= 1
            self._emit("}, a);" if is_argument else "};")
        if kind != "argument":
            self._counted(f"@b += {name}(a);")

    # The program.

    def _write(self):
        extern = 'extern "C"' if self.is_cxx else "extern"
        for row in (PRELUDE % {"extern": extern}).splitlines():
            self._emit(row)
        if self.is_cxx:
            for row in CXX_PRELUDE.splitlines():
                self._emit(row)
        for k in range(self.n_functions):
            self._emit(f"static int f{k}(int, int);")
        for self.function in range(self.n_functions):
            self._write_function()
        self._emit(f"{extern} int run(int n);")
        self._emit("int run(int n) {")
        self._emit("  int s = 0;")
        self._emit("  for (int i = 0; i < n; i++) {")
        self._emit("    fuel = 60;")
        self._emit("    try {" if self.is_cxx else "    {")
        self._emit("      s ^= f0(draw() % 10, i % 7);")
        self._emit("    } catch (int) { s++; }" if self.is_cxx else "    }")
        self._emit("  }")
        self._emit("  return s ^ x ^ y ^ z;")
        self._emit("}")

    def _write_function(self):
        self.wanted, self.free_labels = set(), [1, 0]
        self._emit(f"static int f{self.function}(int a, int b) {{")
        self.depth = 1
        if not self.is_cxx:
            names = [f"{name}{k} = 0" for k in range(1, MAX_DEPTH + 1)
                     for name in "ij"]
            self._emit(f"int {', '.join(names)};")
        for _ in range(self.random.randint(2, 6)):
            self._statement(Scope())
        for label in sorted(self.wanted & set(self.free_labels)):
            self._emit(f"l{self.function}_{label}:")
            self._simple(Scope())
        self._jump("return a + b;")
        self.depth = 0
        self._emit("}")
