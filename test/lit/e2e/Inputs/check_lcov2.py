"""Check a tracefile by the rules that lcov 2 has for them.

    check_lcov2.py INFO...

Prints what breaks a rule, and exits with 1 then:

* a function begins on a line with data, and ends on one that is not before it
* a name is one function of its file, on one line
* the line that a function begins on ran if and only if one that begins there did, unless it is a
  lambda, whose line is another function's, too
* a line that ran has a count for each branch; one that did not has none
* totals are those of the records
"""
import collections
import re
import sys

LAMBDA = re.compile(r"\{lambda|\$_\d|Ul.*E\d*_cl")


class Section:
    def __init__(self, source):
        self.source = source
        self.data, self.branches = {}, collections.defaultdict(list)
        self.functions = {}  # name -> [first line, last line or None, count]
        self.places = {}  # of the newer format: number -> (first, last)
        self.totals = {}
        self.complaints = []

    def complain(self, text):
        self.complaints.append(f"{self.source}: {text}")

    def add_function(self, name, first, last):
        if name in self.functions:
            self.complain(f"{name} is there twice, on lines {self.functions[name][0]} and {first}")
        self.functions[name] = [first, last, None]

    def read(self, key, value):
        parts = value.split(",")
        if key == "DA":
            self.data[int(parts[0])] = int(parts[1])
        elif key == "FN":
            self.add_function(",".join(parts[1:]), int(parts[0]), None)
        elif key == "FNDA":
            self.functions[",".join(parts[1:])][2] = int(parts[0])
        elif key == "FNL":
            self.places[parts[0]] = int(parts[1]), int(parts[2]) if len(parts) > 2 else None
        elif key == "FNA":
            name = ",".join(parts[2:])
            self.add_function(name, *self.places[parts[0]])
            self.functions[name][2] = int(parts[1])
        elif key == "BRDA":
            self.branches[int(parts[0])].append(parts[3])
        elif key in ("LF", "LH", "FNF", "FNH", "BRF", "BRH"):
            self.totals[key] = int(value)

    def check_functions(self):
        ran = collections.defaultdict(int)
        for first, _, count in self.functions.values():
            ran[first] += count
        for name, (first, last, count) in self.functions.items():
            if count is None:
                self.complain(f"{name} has no count")
            elif first not in self.data:
                self.complain(f"{name} begins on line {first}, which has no data")
            elif (ran[first] > 0) != (self.data[first] > 0) and not LAMBDA.search(name):
                self.complain(f"{name}: called {count} times, its line {first} {self.data[first]}")
            if last is not None and last < first:
                self.complain(f"{name} ends on line {last} and begins on {first}")
            # lcov finds the same where the format has no last lines.
            inside = [c for line, c in self.data.items() if first <= line <= (last or first)]
            if count and not any(inside):
                self.complain(f"{name} was called and no line of it ran")

    def check_branches(self):
        for line, counts in self.branches.items():
            if line not in self.data:
                self.complain(f"line {line} has branches and no data")
            elif self.data[line] and "-" in counts:
                self.complain(f"line {line} ran and has a branch without count")
            elif not self.data[line] and any(count not in ("-", "0") for count in counts):
                self.complain(f"line {line} did not run and a branch of it did")

    def check_totals(self):
        ways = [count for counts in self.branches.values() for count in counts]
        found = {
            "LF": len(self.data),
            "LH": sum(count > 0 for count in self.data.values()),
            "FNF": len(self.functions),
            "FNH": sum((count or 0) > 0 for _, _, count in self.functions.values()),
            "BRF": len(ways),
            "BRH": sum(count not in ("-", "0") for count in ways),
        }
        for key, n in found.items():
            if self.totals.get(key, 0) != n:
                self.complain(f"{key} is {self.totals.get(key)}, records are {n}")


def check(path):
    complaints, section = [], None
    for row in open(path, encoding="utf-8").read().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            section = Section(value)
        elif row == "end_of_record":
            section.check_functions()
            section.check_branches()
            section.check_totals()
            complaints += section.complaints
        elif section:
            section.read(key, value)
    if not section:
        complaints.append(path + ": empty")
    return complaints


def main():
    complaints = [complaint for path in sys.argv[1:] for complaint in check(path)]
    print("\n".join(complaints), end="\n" if complaints else "")
    return len(complaints) > 0


if __name__ == "__main__":
    sys.exit(main())
