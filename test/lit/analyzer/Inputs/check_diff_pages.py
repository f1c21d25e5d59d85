# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compare the pages of `arcline diff --html` with its text, printed with --top=0: the same rows
# in the same order, with the same numbers. Each link leads somewhere.
#
#     check_diff_pages.py REPORT TEXT
import html.parser
import os
import re
import sys

report, text_path = sys.argv[1:]


class Page(html.parser.HTMLParser):
    """The rows of all tables, as texts of cells; links, and what they may lead to."""

    def __init__(self, path):
        super().__init__()
        self.rows, self.links, self.ids, self.cell = [], [], set(), None
        self.feed(open(path).read())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            assert attributes["id"] not in self.ids, attributes
            self.ids.add(attributes["id"])
        for name in ("href", "src", "action"):
            if name in attributes:
                self.links.append(attributes[name])
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


def sections(path):
    """Rows of each table of the text: numbers and names between runs of blanks."""
    found, rows = {}, None
    for line in open(path):
        title = re.match(r"(Functions: calls|Calls from|Lines:|Functions: self|Functions: time)", line)
        if title:
            rows = found.setdefault(title[1], [])
        elif rows is not None and re.match(r" +[0-9]", line) and "lines of A" not in line:
            rows.append(line.split())
    return found


pages = {}
for folder, _, files in os.walk(report):
    for name in files:
        if name.endswith(".html"):
            path = os.path.join(folder, name)
            pages[os.path.normpath(path)] = Page(path)
for path, page in pages.items():
    for link in page.links:
        target, _, fragment = link.partition("#")
        place = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        assert os.path.exists(place), (path, link)
        assert not fragment or fragment in pages[place].ids, (path, link)


def rows_of(name):
    return [row for row in pages[os.path.join(report, name)].rows if row and "Change" not in row]


told = sections(text_path)


def compare(rows, lines, n_names):
    assert len(rows) == len(lines) > 0, (rows, lines)
    for row, line in zip(rows, lines):
        numbers = [cell.replace(",", "") for cell in row[n_names:n_names + 3]]
        assert numbers == line[:3], (row, line)
        percent = row[n_names + 3].replace(" %", "")
        assert percent == line[3].rstrip("%"), (row, line)
        for name in row[:n_names]:
            assert name.rpartition("/")[2] in " ".join(line[4:]), (row, line)


compare(rows_of("functions.html"), told["Functions: calls"], 1)
compare(rows_of("calls.html"), told["Calls from"], 2)
compare(rows_of("lines.html"), told["Lines:"], 1)
