"""Check that all reports of one run have the same files, and the same totals of lines and functions.

    check_totals.py FILE...

Reads summary, all.info, all.xml, all.json, site/index.html and diff.json of the present folder. FILEs
are the names that all must have, and no others.
"""
import json
import os
import re
import sys
import xml.etree.ElementTree


def read(path):
    return open(path, encoding="utf-8").read()


def of_summary():
    rows = [row for row in read("summary").splitlines() if re.search(r"\d of +\d", row)]
    found = re.findall(r"(\d+) of +(\d+)", rows[-1])
    files = [row.split()[-1] for row in rows[:-1]]
    return [(int(run), int(n)) for run, n in found], files


def of_info():
    text = read("all.info")
    number = lambda key: sum(map(int, re.findall(f"^{key}:(\\d+)", text, re.M)))
    totals = [(number("LH"), number("LF")), (number("FNH"), number("FNF"))]
    return totals, re.findall(r"^SF:(.*)", text, re.M)


def of_cobertura():
    root = xml.etree.ElementTree.parse("all.xml").getroot()
    ran = [int(m.find("lines/line").get("hits")) > 0 for m in root.iter("method")]
    lines = int(root.get("lines-covered")), int(root.get("lines-valid"))
    return [lines, (sum(ran), len(ran))], [c.get("filename") for c in root.iter("class")]


def of_gcov():
    files = json.loads(read("all.json"))["files"]
    lines = [line["count"] > 0 for file in files for line in file["lines"]]
    ran = [f["execution_count"] > 0 for file in files for f in file["functions"]]
    totals = [(sum(lines), len(lines)), (sum(ran), len(ran))]
    return totals, [file["file"] for file in files]


def of_pages():
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", read("site/index.html")))
    lines, ways, functions = [
        tuple(map(int, re.search(rf"(\d+) of (\d+) {kind}", text).groups()))
        for kind in ("lines", "ways", "functions")
    ]
    table = re.findall(r"(\d+) / (\d+)", text[text.rindex("Total ") :])
    assert [tuple(map(int, pair)) for pair in table] == [lines, ways, functions], table
    # Those of the system have rows of their own, which are in no total.
    return [lines, functions], None


def of_diff():
    covered = json.loads(read("diff.json"))["coverage"]
    sides = [covered[kind]["b"] for kind in ("lines", "functions")]
    return [(side["executed"], side["all"]) for side in sides], None


def main():
    first = None
    for reader in of_summary, of_info, of_cobertura, of_gcov, of_pages, of_diff:
        totals, files = reader()
        first = first or totals
        assert totals == first, (reader.__name__, totals, first)
        if files is not None:
            names = sorted(os.path.basename(file) for file in files)
            assert names == sorted(sys.argv[1:]), (reader.__name__, names)
    print("%d of %d lines, %d of %d functions" % (*first[0], *first[1]))


if __name__ == "__main__":
    main()
