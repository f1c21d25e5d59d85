# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the pages of `arcline html`.

    check_html.py FOLDER                    pages alone: form, links, no scripts
                                            but those of files; data of pages of
                                            source, and its links
    check_html.py FOLDER LCOV JSON SUMMARY  numbers, too: those of `arcline export`
                                            and of `arcline annotate -s`
"""
import html.parser
import json
import os
import re
import sys
import urllib.parse

import unpack_html

VOID = {"meta", "link", "input", "br", "rect", "path"}


class Page(html.parser.HTMLParser):
    """Elements of a page: ids, links, rows of tables."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.open, self.ids, self.links = path, [], set(), []
        self.tables, self.text, self.data = [], "", None
        self.feed(open(path, encoding="utf-8").read())
        self.close()
        assert not self.open, (path, self.open)
        if self.data:
            self.add_data()

    def add_data(self):
        """Lines and links that the script of the page makes of its data."""
        data = self.data
        self.ids |= {f"L{line}" for line in unpack_html.numbers_of(data)}
        places = [place for place in data["places"] if place]
        for head in data["heads"]:
            places += [at[1:3] for at in unpack_html.groups(head[7], 4)]
        for file, line in places:
            part = (line - 1) // data["pageLines"] + 1
            if data["pages"][file]:
                self.links.append(
                    f"{data['pages'][file]}{f'.{part}' if part > 1 else ''}.html#L{line}")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        assert "style" not in values and tag != "style", (self.path, tag)
        assert not any(name.startswith("on") for name in values), (self.path, values)
        assert tag != "script" or "src" in values, self.path
        if "id" in values:
            assert values["id"] not in self.ids, (self.path, values["id"])
            self.ids.add(values["id"])
        if tag == "template":
            self.data = unpack_html.read_page(self.path)
        for name in ("href", "src", "action"):
            if name in values:
                self.links.append(values[name])
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.path, tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        assert "script" not in self.open or not data.strip(), self.path
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data


def read_pages(folder):
    pages = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.normpath(os.path.join(root, name))
            if name.endswith(".html"):
                assert re.fullmatch(r"[A-Za-z0-9._-]+", name), name
                pages[path] = Page(path)
    return pages


def check_links(folder, pages):
    tests = os.path.join(folder, "data", "tests.js")
    names = json.loads(unpack_html.read_file(tests)) if os.path.exists(tests) else []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            assert not parts.scheme and not parts.netloc, (path, link)
            target = os.path.normpath(
                os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))
            ) if parts.path else path
            assert os.path.isfile(target), (path, link)
            if parts.fragment.startswith("test="):
                assert parts.path == "functions.html", (path, link)
                assert urllib.parse.unquote(parts.fragment[5:]) in names, (path, link)
            elif parts.fragment:
                assert parts.fragment in pages[target].ids, (path, link)


def check_lines(folder, pages, lcov):
    """Counts of all lines, by the last part of their file's name."""
    shown, wanted, name = set(), set(), None
    for line in open(lcov, encoding="utf-8"):
        if line.startswith("SF:"):
            name = os.path.basename(line[3:].strip())
        elif line.startswith("DA:"):
            line_number, count = line[3:].split(",")[:2]
            wanted.add((name, int(line_number), int(count)))
    for path, page in pages.items():
        if os.path.basename(os.path.dirname(path)) != "src":
            continue
        name = re.sub(r"-[0-9a-f]{8}(\.\d+)?\.html$", "", os.path.basename(path))
        for line, count in zip(unpack_html.numbers_of(page.data), page.data["counts"],
                               strict=True):
            if count != "":
                shown.add((name, line, int(count)))
    assert shown == wanted and wanted, sorted(shown ^ wanted)[:9]


def read_functions(folder):
    return json.loads(unpack_html.read_file(os.path.join(folder, "data/functions.js")))


def check_functions(folder, path, lcov):
    """Calls and self times of all functions: those of the call graph, and of
    the source."""
    data, functions = json.load(open(path, encoding="utf-8")), read_functions(folder)
    rows = {}
    for i, number_of_name in enumerate(functions["name"]):
        row = rows.setdefault(functions["names"][number_of_name], [0, 0])
        row[0] += int(functions["calls"][i])
        row[1] += functions["self"][i]
    for function in data["functions"]:
        calls = function["calls"] + function["recursive_calls"]
        time = function["self"]["time"] * (functions["rate"] or 1) * 1000
        if not calls and not time:
            continue
        row = rows[function["name"]]
        # A profile that was made up may have counts of lines, and no arcs.
        assert row[0] == calls or not calls, (function, row)
        assert abs(row[1] - time) <= 1, (function, row)
    total = sum(row[1] for row in rows.values())
    wanted = sum(f["self"]["time"] for f in data["functions"])
    wanted *= (functions["rate"] or 1) * 1000
    assert abs(total - wanted) <= len(rows), (total, wanted)
    called = re.findall(r"^FNDA:(\d+),", open(lcov, encoding="utf-8").read(), re.M)
    inlined = sum(map(int, functions["calls"])) - sum(
        f["calls"] + f["recursive_calls"] for f in data["functions"])
    assert sum(map(int, called)) <= sum(map(int, functions["calls"])) and inlined >= 0


def check_totals(pages, folder, path):
    """The last row of the overview is that of `arcline annotate -s`."""
    row = pages[os.path.normpath(os.path.join(folder, "index.html"))].tables[-1][-1]
    last = open(path, encoding="utf-8").read().splitlines()[-1]
    seconds, share, executed, lines, _, called, funcs = re.match(
        r"\s*([\d.]+)\s+([\d.]+)\s+(\d+) of\s+(\d+)\s+([\d.]+)\s+(\d+) of\s+(\d+)  total",
        last).groups()
    assert row[0] == "Total" and seconds in row and share in row, (row, last)
    assert f"{int(executed):,} / {int(lines):,}" in row, (row, last)
    percent = 100 * int(called) / int(funcs)
    assert row[-1] == f"{percent:.1f} {int(called):,} / {int(funcs):,}", (row, last)


def main():
    folder = sys.argv[1]
    pages = read_pages(folder)
    assert {"index.html", "functions.html", "flame.html"} <= {
        os.path.relpath(path, folder) for path in pages}
    check_links(folder, pages)
    if len(sys.argv) > 2:
        check_lines(folder, pages, sys.argv[2])
        check_functions(folder, sys.argv[3], sys.argv[2])
        check_totals(pages, folder, sys.argv[4])


main()
