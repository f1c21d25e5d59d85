"""Compare all formats of coverage with lcov's, of one program: lines, branches and totals.

    check_services.py FOLDER SCHEMA
"""
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

import jsonschema

FOLDER, SCHEMA = sys.argv[1:]


def at(name):
    return os.path.join(FOLDER, name)


def read_lcov():
    """By file: counts of lines, ways of branches as (line, block, number) with their counts, and
    totals as (n, n_run) of lines, functions and branches."""
    files, name = {}, None
    for row in open(at("lcov.info"), encoding="utf-8").read().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            name = os.path.relpath(value, os.getcwd())
            files[name] = {"lines": {}, "ways": {}, "functions": {}}
        elif key == "DA":
            line, count = value.split(",")
            files[name]["lines"][int(line)] = int(count)
        elif key == "FNDA":
            count, function = value.split(",", 1)
            files[name]["functions"][function] = int(count)
        elif key == "BRDA":
            line, block, number, count = value.split(",")
            files[name]["ways"][int(line), int(block), int(number)] = 0 if count == "-" else int(count)
    for file in files.values():
        file["totals"] = [(len(values), sum(count > 0 for count in values.values()))
                          for values in (file["lines"], file["functions"], file["ways"])]
    return files


FILES = read_lcov()
TOTALS = [tuple(map(sum, zip(*(file["totals"][i] for file in FILES.values())))) for i in range(3)]


def ways_of(file, line):
    counts = [count for (at_line, _, _), count in file["ways"].items() if at_line == line]
    return len(counts), sum(count > 0 for count in counts)


def parse(name):
    return xml.etree.ElementTree.parse(at(name)).getroot()


def ints(element, *names):
    return tuple(int(element.get(name)) for name in names)


def check_sonarqube():
    found = {}
    for file in parse("sonarqube.xml"):
        for line in file:
            number = int(line.get("lineNumber"))
            n, n_run = ways_of(FILES[file.get("path")], number)
            assert (int(line.get("branchesToCover", 0)), int(line.get("coveredBranches", 0))) == (n, n_run)
            found[file.get("path"), number] = line.get("covered") == "true"
    assert found == {(name, line): count > 0 for name, file in FILES.items()
                     for line, count in file["lines"].items()}


def check_jacoco():
    kinds = ("LINE", "METHOD", "BRANCH")

    def totals(element):
        counters = {c.get("type"): ints(c, "missed", "covered") for c in element.findall("counter")}
        return [(sum(counters[kind]), counters[kind][1]) for kind in kinds]

    report = parse("jacoco.xml")
    assert totals(report) == TOTALS
    for package in report.findall("package"):
        for source in package.findall("sourcefile"):
            file = FILES[package.get("name") + "/" + source.get("name")]
            assert totals(source) == file["totals"]
            for line in source.findall("line"):
                count = file["lines"][int(line.get("nr"))]
                assert ints(line, "mi", "ci") == (count == 0, count > 0)
                mb, cb = ints(line, "mb", "cb")
                assert (mb + cb, cb) == ways_of(file, int(line.get("nr")))
            assert len(source.findall("line")) == len(file["lines"])
        methods = [m for c in package.findall("class") for m in c.findall("method")]
        # Those that never ran: no line of theirs did.
        for method in methods:
            (n, n_run), (_, has_run), _ = totals(method)
            assert n > 0 and (n_run > 0) == (has_run > 0), method.get("name")


def check_clover():
    names = ("statements", "coveredstatements", "methods", "coveredmethods", "conditionals",
             "coveredconditionals")

    def totals(element):
        values = ints(element.find("metrics"), *names)
        metrics = element.find("metrics")
        assert int(metrics.get("elements")) == sum(values[::2])
        assert int(metrics.get("coveredelements")) == sum(values[1::2])
        return list(zip(values[::2], values[1::2]))

    [project] = parse("clover.xml")
    assert totals(project) == TOTALS
    for found in project.iter("file"):
        file = FILES[os.path.relpath(found.get("path"), os.getcwd())]
        assert totals(found) == file["totals"]
        lines = found.findall("line")
        assert {int(l.get("num")): int(l.get("count")) for l in lines
                if l.get("type") != "method"} == file["lines"]
        assert sorted(int(l.get("count")) for l in lines if l.get("type") == "method") == \
            sorted(file["functions"].values())
        conditions = [l for l in lines if l.get("type") == "cond"]
        for line in conditions:
            ways = sorted(count for (n, _, _), count in file["ways"].items() if n == int(line.get("num")))
            assert sorted(ints(line, "truecount", "falsecount")) == ways
        assert conditions or not file["ways"]


def check_coveralls(schema):
    data = json.load(open(at("coveralls.json"), encoding="utf-8"))
    jsonschema.validate(data, {**schema, "$ref": "#/definitions/coveralls"})
    assert {file["name"] for file in data["source_files"]} == set(FILES)
    for file in data["source_files"]:
        text = open(file["name"], "rb").read()
        assert file["source_digest"] == hashlib.md5(text).hexdigest()
        assert len(file["coverage"]) == len(text.splitlines())
        assert {i + 1: count for i, count in enumerate(file["coverage"]) if count is not None} == \
            FILES[file["name"]]["lines"]
        groups = [file["branches"][i:i + 4] for i in range(0, len(file["branches"]), 4)]
        assert {tuple(group[:3]): group[3] for group in groups} == FILES[file["name"]]["ways"]


def check_codecov(schema):
    data = json.load(open(at("codecov.json"), encoding="utf-8"))
    jsonschema.validate(data, {**schema, "$ref": "#/definitions/codecov"})
    assert set(data["coverage"]) == set(FILES)
    partial = 0
    for name, lines in data["coverage"].items():
        assert {int(line) for line in lines} == set(FILES[name]["lines"])
        for line, value in lines.items():
            n, n_run = ways_of(FILES[name], int(line))
            count = FILES[name]["lines"][int(line)]
            assert value == (f"{n_run}/{n}" if count and n_run < n else count)
            partial += isinstance(value, str)
    assert partial > 0


def check_csv():
    rows = list(csv.DictReader(open(at("coverage.csv"), encoding="utf-8", newline="")))
    assert {row["filename"] for row in rows} == set(FILES)
    for row in rows:
        for kind, (n, n_run) in zip(("line", "function", "branch"), FILES[row["filename"]]["totals"]):
            assert (int(row[kind + "_total"]), int(row[kind + "_covered"])) == (n, n_run)
            assert row[kind + "_percent"] == (f"{n_run / n:.3f}" if n else "")


def check_gcovr():
    data = json.load(open(at("gcovr-summary.json"), encoding="utf-8"))

    def check(part, totals):
        for kind, (n, n_run) in zip(("line", "function", "branch"), totals):
            assert (part[kind + "_total"], part[kind + "_covered"]) == (n, n_run)
            assert part[kind + "_percent"] == (round(100 * n_run / n, 1) if n else None)

    check(data, TOTALS)
    assert [file["filename"] for file in data["files"]] == sorted(FILES)
    for file in data["files"]:
        check(file, FILES[file["filename"]]["totals"])


def check_llvm():
    [data] = json.load(open(at("llvm-summary.json"), encoding="utf-8"))["data"]

    def check(part, totals):
        for kind, (n, n_run) in zip(("lines", "functions", "branches"), totals):
            assert (part[kind]["count"], part[kind]["covered"]) == (n, n_run)
            assert abs(part[kind]["percent"] - (100 * n_run / n if n else 0)) < 1e-5

    check(data["totals"], TOTALS)
    for file in data["files"]:
        check(file["summary"], FILES[os.path.relpath(file["filename"], os.getcwd())]["totals"])


def cells(totals):
    return [f"{100 * n_run / n:.1f} % ({n_run} of {n})" if n else "none" for n, n_run in totals]


def check_tables():
    wanted = [[name, *cells(FILES[name]["totals"])] for name in sorted(FILES)]
    html = subprocess.run(["xmllint", "--html", "--xmlout", at("coverage.html")], check=True,
                          stdout=subprocess.PIPE).stdout
    rows = [[cell.text for cell in row] for row in xml.etree.ElementTree.fromstring(html).iter("tr")]
    assert rows == [["File", "Lines", "Functions", "Branches"], *wanted, ["Total", *cells(TOTALS)]]
    page = subprocess.run(["pandoc", "-f", "gfm", "-t", "html", at("coverage.md")], check=True,
                          stdout=subprocess.PIPE).stdout
    table = xml.etree.ElementTree.fromstring(page)
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    assert rows == [["file", "lines", "functions", "branches"], *wanted, ["total", *cells(TOTALS)]]


def check_badge():
    root = parse("coverage.svg")
    texts = [text.text.strip() for text in root.iter("{http://www.w3.org/2000/svg}text")]
    n, n_run = TOTALS[0]
    assert texts == ["coverage", f"{1000 * n_run // n / 10} %"], texts
    assert root.get("aria-label") == ": ".join(texts)


def check_reports():
    """The same totals in reports and pages."""
    summary = open(at("summary"), encoding="utf-8").read()
    assert re.search(r"(\d+) of +(\d+) +[\d.]+ +(\d+) of +(\d+)  total", summary).groups() == \
        tuple(str(x) for n, n_run in TOTALS[:2] for x in (n_run, n))
    gates = open(at("gates"), encoding="utf-8").read()
    page = open(at("pages/index.html"), encoding="utf-8").read()
    for kind, (n, n_run) in zip(("lines", "functions", "branches"), TOTALS):
        assert re.search(rf"{kind} covered +{100 * n_run / n:.1f} % of {n}\n", gates), kind
        assert f">{n_run} of {n} {'ways' if kind == 'branches' else kind}<" in page, kind


schema = json.load(open(SCHEMA, encoding="utf-8"))
check_sonarqube()
check_jacoco()
check_clover()
check_coveralls(schema)
check_codecov(schema)
check_csv()
check_gcovr()
check_llvm()
check_tables()
check_badge()
check_reports()
