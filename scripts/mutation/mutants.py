# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of a C file: the file with one small change in the body of a function.

Changes are: another comparison, + for - and back, && for || and back, 0 for 1 and
back, a negated condition, a dropped `!`, and a statement that is left out.
"""
import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<comment> //[^\n]* | /\*.*?\*/ )
  | (?P<directive> ^[ \t]*\#(?: \\\n | [^\n] )* )
  | (?P<text> "(?: \\. | [^"\\] )*" | '(?: \\. | [^'\\] )*' )
  | (?P<number> \.?[0-9](?: [eEpP][+-] | [\w.] )* )
  | (?P<name> [A-Za-z_]\w* )
  | (?P<mark> <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | <= | >= | == | != | && | \|\|
      | [-+*/%&|^]= | [^\s\w] )
""", re.VERBOSE | re.MULTILINE | re.DOTALL)

SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "++": "--", "--": "++",
    "true": "false", "false": "true",
}
SIGNS = {"+": "-", "-": "+"}
CONTROL = {"if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto"}
TYPES = {
    "auto", "bool", "char", "const", "double", "enum", "float", "int", "long", "register",
    "short", "signed", "static", "struct", "typedef", "union", "unsigned", "void", "volatile",
    "_Alignas", "_Atomic", "_Static_assert", "__attribute__", "__extension__", "asm", "__asm__",
}
# Statements that have no effect but lines of `arcline gprof -d`.
NOT_LEFT_OUT = {"TRACE"}
KEYWORDS = CONTROL | TYPES | {"break", "continue", "sizeof"}


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    function: str
    line: int
    before: str  # the lines that the change touches, blanks as one
    after: str
    text: str = dataclasses.field(repr=False)  # the whole file, changed

    @property
    def key(self):
        """The change by its content: it stays the same where lines move."""
        return self.path, self.function, self.before, self.after


def tokens_of(text):
    return [Token(match.lastgroup, match[0], match.start()) for match in TOKEN.finditer(text)
            if match.lastgroup not in ("comment", "directive")]


def find_partner(tokens, i):
    """The index of the bracket that belongs to the one at i."""
    depth = 0
    for k in range(i, len(tokens)) if tokens[i].text in "([{" else range(i, -1, -1):
        depth += (tokens[k].text in "([{") - (tokens[k].text in ")]}")
        if depth == 0:
            return k
    raise ValueError("brackets do not match")


def function_before(tokens, i_brace):
    """The name of the function whose body begins at i_brace, or None: a table, a type."""
    i = i_brace - 1
    while i > 0 and tokens[i].text == ")":
        i = find_partner(tokens, i) - 1
        if i >= 0 and tokens[i].kind == "name" and tokens[i].text != "__attribute__":
            return tokens[i].text
        i -= 1
    return None


def bodies_of(tokens):
    """(name, index of "{", index of "}") of each function."""
    i = 0
    while i < len(tokens):
        if tokens[i].text == "{":
            end = find_partner(tokens, i)
            name = function_before(tokens, i)
            if name:
                yield name, i, end
            i = end
        i += 1


def is_operand_end(token):
    return (token.kind in ("name", "number", "text") and token.text not in KEYWORDS
            or token.text in (")", "]"))


def swapped_number(text):
    match = re.fullmatch(r"([01])([uUlL]*)", text)
    return match and str(1 - int(match[1])) + match[2]


def operators(tokens, first, last):
    """(start, end, replacement) of operators and constants."""
    for i in range(first + 1, last):
        token = tokens[i]
        new = SWAPPED.get(token.text)
        if token.kind == "number":
            new = swapped_number(token.text)
        elif token.text in SIGNS and is_operand_end(tokens[i - 1]):
            new = SIGNS[token.text]
        if new:
            yield token.start, token.end, new


def is_covered(condition):
    """Is its negation the same as a change of its only operator?"""
    texts = [token.text for token in condition]
    if "&&" in texts or "||" in texts or "?" in texts:
        return False
    return texts[0] == "!" or texts.count("==") + texts.count("!=") == 1


def conditions(tokens, first, last):
    """Negated conditions of if and while, and "!" dropped."""
    for i in range(first + 1, last):
        if tokens[i].text in ("if", "while") and tokens[i + 1].text == "(":
            end = find_partner(tokens, i + 1)
            if not is_covered(tokens[i + 2:end]):
                yield tokens[i + 1].end, tokens[end].start, None
        elif tokens[i].text == "!":
            yield tokens[i].start, tokens[i].end, ""


def is_declaration(statement):
    first, second = statement[0], statement[min(1, len(statement) - 1)]
    if first.text in TYPES:
        return True
    if first.kind != "name" or len(statement) < 2:
        return False
    return second.kind == "name" or second.text == "*" and statement[2].kind in ("name", "mark")


def statements(tokens, first, last):
    """Statements to leave out: calls, assignments, break, continue."""
    i = first
    while i < last:
        text = tokens[i].text
        if text in ("if", "for", "while", "switch") and tokens[i + 1].text == "(":
            i = find_partner(tokens, i + 1) + 1
        elif text in ("{", "}", ";", "else", "do"):
            i += 1
        elif text in ("case", "default") or tokens[i + 1].text == ":":
            while tokens[i].text != ":":
                i += 1
            i += 1
        else:
            end = i
            while tokens[end].text != ";":
                end = find_partner(tokens, end) if tokens[end].text in "([{" else end
                end += 1
            statement = tokens[i:end]
            is_cast_away = [token.text for token in statement[:3]] == ["(", "void", ")"]
            if text not in CONTROL | NOT_LEFT_OUT and not is_declaration(statement) and not is_cast_away:
                yield statement[0].start, tokens[end].start, ""
            i = end + 1


def squeeze(text):
    return " ".join(text.split())


def make_mutant(path, function, text, start, end, new):
    if new is None:
        new = f"!({text[start:end]})"
    from_line = text.rfind("\n", 0, start) + 1
    to_line = text.find("\n", end)
    # Lines keep their numbers, since code may depend on them (__LINE__).
    kept = new + "\n" * (text[start:end].count("\n") - new.count("\n"))
    return Mutant(path, function, text.count("\n", 0, start) + 1,
                  squeeze(text[from_line:to_line]),
                  squeeze(text[from_line:start] + new + text[end:to_line]),
                  text[:start] + kept + text[end:])


def mutants_of(path, text):
    """All mutants of the file, in the order of their places."""
    tokens = tokens_of(text)
    found = []
    for function, first, last in bodies_of(tokens):
        for make in (operators, conditions, statements):
            for change in make(tokens, first, last):
                found.append((change, make_mutant(path, function, text, *change)))
    found.sort(key=lambda one: (one[0][0], one[0][1], one[0][2] or ""))
    return [mutant for _, mutant in found]
