"""Compare formats of `arcline export` that are of lines with `arcline annotate --calls`.

    check_lines.py LISTING lcov|cobertura|gcov-json|llvm-sample FILE

Of a program of one file.
"""
import gzip
import json
import re
import sys
import xml.etree.ElementTree

FUNCTION = re.compile(r" *\|-- (?P<name>.*): called (?P<count>\d+) times?$")
# Calls of library functions have times before their count.
CALL = re.compile(r" (?:.* )?(?P<count>\d+) +\|   -> (?P<name>.*)$")


class Listing:
    """Counts that annotate prints: of lines, of functions, and of calls by pair."""

    def __init__(self, path):
        self.lines, self.functions, self.calls, self.first_line = {}, {}, {}, {}
        self.totals = {}
        function = pending = None
        end = 0
        for row in open(path, encoding="utf-8"):
            row = row.rstrip("\n")
            if match := FUNCTION.match(row):
                function = pending = match["name"]
                self.functions[function] = int(match["count"])
            elif match := CALL.match(row):
                self.calls[function, match["name"]] = int(match["count"])
            elif match := re.match(r"(Lines executed|Functions called): (\d+) of (\d+)", row):
                self.totals[match[1]] = int(match[2]), int(match[3])
            elif match := re.match(r" .*? count .*\bline\|", row):
                count_end = row.index("count") + len("count")
                end = match.end() - 1
            elif re.match(r" *\d+$", row[:end][-5:]) and row[end] == "|":
                number = int(row[:end].split()[-1])
                if pending:
                    self.first_line[pending], pending = number, None
                if row[count_end - 1] != " ":
                    count = row[:count_end].split()[-1]
                    self.lines[number] = 0 if count == "#####" else int(count)
        assert len(self.lines) == self.totals["Lines executed"][1], self.lines
        assert self.functions and self.calls


def check_lcov(listing, path):
    text = open(path, encoding="utf-8").read()
    lines = {int(n): int(c) for n, c in re.findall(r"^DA:(\d+),(\d+)$", text, re.M)}
    functions = {name: int(c) for c, name in re.findall(r"^FNDA:(\d+),(.*)$", text, re.M)}
    assert lines == listing.lines, (lines, listing.lines)
    assert functions == listing.functions
    assert re.findall(r"^L[HF]:(\d+)$", text, re.M) == [
        str(n) for n in reversed(listing.totals["Lines executed"])]


def check_cobertura(listing, path):
    root = xml.etree.ElementTree.parse(path).getroot()
    [one] = root.iter("class")
    lines = {int(e.get("number")): int(e.get("hits")) for e in one.findall("lines/line")}
    methods = {e.get("name"): int(e.find("lines/line").get("hits")) for e in one.iter("method")}
    assert lines == listing.lines, (lines, listing.lines)
    assert methods == listing.functions, (methods, listing.functions)
    run, all_lines = listing.totals["Lines executed"]
    assert (int(root.get("lines-covered")), int(root.get("lines-valid"))) == (run, all_lines)
    for element in (root, one, next(root.iter("package"))):
        assert abs(float(element.get("line-rate")) - run / all_lines) < 1e-6
    ways = [re.fullmatch(r"(\d+)% \((\d+)/(\d+)\)", e.get("condition-coverage"))
            for e in one.iter("line") if e.get("branch") == "true"]
    assert sum(int(m[2]) for m in ways) == int(root.get("branches-covered"))
    assert sum(int(m[3]) for m in ways) == int(root.get("branches-valid")) > 0


def check_gcov_json(listing, path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)
    [file] = data["files"]
    assert {n["line_number"]: n["count"] for n in file["lines"]} == listing.lines
    assert {f["name"]: f["execution_count"] for f in file["functions"]} == listing.functions
    for function in file["functions"]:
        assert (function["blocks_executed"] > 0) == (function["execution_count"] > 0)
        assert function["start_line"] <= function["end_line"]
    for line in file["lines"]:
        if line["count"] == 0:
            assert line["unexecuted_block"], line
    names = {line["function_name"] for line in file["lines"]}
    assert names == set(listing.functions), names


def check_llvm_sample(listing, path):
    heads, calls, totals, function, largest = {}, {}, {}, None, {}
    for row in open(path, encoding="utf-8").read().splitlines():
        if not row.startswith(" "):
            function, total, head = row.rsplit(":", 2)
            heads[function], totals[function] = int(head), int(total)
            continue
        place, count, *targets = row.split()
        totals[function] -= int(count)
        line = listing.first_line[function] + int(place.rstrip(":").split(".")[0])
        largest[line] = max(largest.get(line, 0), int(count))
        assert sum(int(target.rsplit(":", 1)[1]) for target in targets) <= int(count)
        for target in targets:
            name, _, made = target.rpartition(":")
            calls[function, name] = calls.get((function, name), 0) + int(made)
    assert heads == {n: c for n, c in listing.functions.items() if c > 0}, heads
    assert not any(totals.values()), totals
    assert calls == {pair: n for pair, n in listing.calls.items() if n > 0}, calls
    # A line is entered at least as often as each of its blocks, unless these are in a loop on it.
    assert set(largest) <= set(listing.lines)
    assert all(largest[line] > 0 for line, count in listing.lines.items() if line in largest and count)


def main():
    listing = Listing(sys.argv[1])
    globals()["check_" + sys.argv[2].replace("-", "_")](listing, sys.argv[3])


if __name__ == "__main__":
    main()
