"""Turn gcov's JSON into its text, a file for each source, for programs that do not read its JSON.

    gcov_text.py JSON FOLDER
"""
import gzip
import json
import os
import sys


def write_file(data, out):
    """One .gcov file, as `gcov -b -c` writes it."""
    out.write(f"        -:    0:Source:{data['file']}\n")
    lines = {line["line_number"]: line for line in data["lines"]}
    functions = {}
    for function in data["functions"]:
        functions.setdefault(function["start_line"], []).append(function)
    with open(data["file"], encoding="utf-8") as source:
        for number, text in enumerate(source.read().splitlines(), 1):
            for function in functions.get(number, []):
                out.write(f"function {function['name']} called {function['execution_count']} "
                          f"returned 100% blocks executed 100%\n")
            line = lines.get(number)
            count = "-" if not line else line["count"] or "#####"
            out.write(f"{count:>9}:{number:5}:{text}\n")
            for i, branch in enumerate(line["branches"] if line else []):
                throw = " (throw)" if branch["throw"] else ""
                out.write(f"branch {i:2} taken {branch['count']}{throw}\n"
                          if line["count"] else f"branch {i:2} never executed{throw}\n")


with gzip.open(sys.argv[1], "rt", encoding="utf-8") as file:
    profile = json.load(file)
os.mkdir(sys.argv[2])
for i, source in enumerate(profile["files"]):
    name = f"{os.path.basename(source['file'])}.{i}.gcov"
    with open(os.path.join(sys.argv[2], name), "w", encoding="utf-8") as file:
        write_file(source, file)
