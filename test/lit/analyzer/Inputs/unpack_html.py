# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the data that scripts of `arcline html` read.

    unpack_html.py FILE.js       JSON of a file in data/
    unpack_html.py PAGE.html...  lines of pages of source, as text
"""
import base64
import gzip
import json
import re
import sys

MARKS = str.maketrans({"\x80": "</>", "\x81": "<c>", "\x82": "<s>", "\x83": "<d>", "\x84": "<w>"})


def unpack(text):
    """The JSON of a text in base64."""
    return gzip.decompress(base64.b64decode(text, validate=True)).decode("utf-8")


def read_file(path):
    """The JSON of a file in data/."""
    text = open(path, encoding="ascii").read()
    return unpack(re.fullmatch(r'arcline\.data\.\w+ = "([A-Za-z0-9+/=]*)";\n', text)[1])


def read_page(path):
    """The data of a page of source."""
    text = open(path, encoding="utf-8").read()
    return json.loads(unpack(re.search(r'<template id="data">([^<]*)</template>', text)[1]))


def numbers_of(data):
    """Numbers of lines, by row."""
    ranges = data["lines"]
    return [first + i for first, n in zip(ranges[::2], ranges[1::2]) for i in range(n)]


def groups(values, n):
    return [values[i:i + n] for i in range(0, len(values), n)]


def function(data, i):
    place = data["places"][i]
    name = f"{data['names'][i]}{' as ' + data['briefs'][i] if data['briefs'][i] else ''}"
    return name + (f" at {data['pages'][place[0]]}:{place[1]}" if place else "")


def note_texts(data):
    """[row, text] of the notes of lines."""
    last = []
    for row, *rest in data["notes"]["calls"]:
        for count, i, time in groups(rest, 3):
            yield row, f"call: {count} {function(data, i)}{f', {time}' if time else ''}"
    for row, *blocks in data["notes"]["branches"]:
        for ways in blocks:
            yield row, f"branch: {ways}"
    for row, *decisions in data["notes"].get("conditions", []):
        for conditions in decisions:
            yield row, f"decision: {conditions}"
    for row, names, *counts in data["notes"]["instances"]:
        last = names or last
        for count, i in zip(counts, last, strict=True):
            yield row, f"instance: {count} {function(data, i)}"
    for row, set_number in data["notes"].get("tests", []):
        yield row, f"tests: {data['tests'][set_number]}"


def print_lines(data):
    times = dict(groups(data.get("times", []), 2))
    texts = data["text"].split("\n") if "text" in data else None
    notes = list(note_texts(data))
    for row, line in enumerate(numbers_of(data)):
        for at, i, calls, inlined, self, total, is_estimate, callers, n, *tests in data["heads"]:
            if at != row:
                continue
            print(f"function {function(data, i)}: {calls} calls, {inlined} inlined, "
                  f"self {self}, total {'~' if is_estimate else ''}{total}, {n} callers")
            for count, file, at_line, around in groups(callers, 4):
                print(f" from {data['files'][file]}:{at_line}: {count} "
                      f"{data['names'][around - 1] if around else '?'}")
            for set_number in tests:
                print(f" tests: {data['tests'][set_number]}")
        text = texts[row].translate(MARKS) if texts else "?"
        mark = "+" if row in data["changed"] else ""
        print(f"{mark}{line}: {data['counts'][row] if 'counts' in data else '?'} "
              f"[{times.get(row, 0)}] {text}")
        for at, text in notes:
            if at == row:
                print(f" {text}")


def main():
    for path in sys.argv[1:]:
        if path.endswith(".html"):
            print_lines(read_page(path))
        else:
            text = read_file(path)
            json.loads(text)
            print(text, end="")


if __name__ == "__main__":
    main()
