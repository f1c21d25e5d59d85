"""Compare two formats of one program.

    compare_coverage.py INFO gcov-json JSON [GCOV-JSON]   also the shape of gcov's own
    compare_coverage.py INFO cobertura XML
    compare_coverage.py INFO gcovr XML                    as gcovr made it: of files below
    compare_coverage.py INFO lcov INFO                    as geninfo made it
"""
import gzip
import json
import os
import re
import sys
import xml.etree.ElementTree


def read_info(path):
    """Lines by file, functions by file, branches as (found, hit)."""
    lines, functions, found, hit, source = {}, {}, 0, 0, None
    for row in open(path, encoding="utf-8").read().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            source = value
        elif key == "DA":
            number, count = value.split(",")[:2]
            lines[source, int(number)] = int(count)
        elif key == "FNDA":
            count, name = value.split(",", 1)
            functions[source, name] = int(count)
        elif key == "FNA":  # lcov 2
            _, count, name = value.split(",", 2)
            functions[source, name] = int(count)
        elif key == "BRDA":
            found += 1
            hit += value.rsplit(",", 1)[1] not in ("-", "0")
    return lines, functions, (found, hit)


def read_json(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def kinds(value):
    """Members of all objects of a kind, and the types of their values."""
    if isinstance(value, dict):
        return {key: kinds(inner) for key, inner in value.items()}
    if isinstance(value, list):
        merged = {}
        for inner in value:
            for key, kind in (kinds(inner) if isinstance(inner, dict) else {}).items():
                if not merged.get(key):
                    merged[key] = kind
        return [merged]
    return type(value).__name__


def check_gcov_json(info, path, own=None):
    data = read_json(path)
    lines, functions, (found, hit) = {}, {}, (0, 0)
    for file in data["files"]:
        for line in file["lines"]:
            lines[file["file"], line["line_number"]] = line["count"]
            found += sum(not b["throw"] for b in line["branches"])
            hit += sum(b["count"] > 0 and not b["throw"] for b in line["branches"])
        for function in file["functions"]:
            functions[file["file"], function["name"]] = function["execution_count"]
    assert (lines, functions, (found, hit)) == info
    # Version 2 of the format, of gcc 14, is version 1 with more members.
    assert data["format_version"] == "2"
    for file in data["files"]:
        check_names(file["functions"])
        check_blocks(file["lines"])
    if own:
        check_members(kinds(data), kinds(read_json(own)))


# Members that gcc 15 added to version 2.
PATHS = "total_prime_paths", "covered_prime_paths", "prime_path_coverage"


def check_members(ours, theirs):
    """All of gcov's members are there, with values of the same types."""
    if isinstance(theirs, dict):
        for key, kind in theirs.items():
            if key not in PATHS:
                check_members(ours[key], kind)
    elif isinstance(theirs, list):
        check_members(ours[0], theirs[0])
    else:
        assert ours == theirs, (ours, theirs)


def check_names(functions):
    """gcovr merges functions of one name."""
    for key in "name", "demangled_name":
        names = [function[key] for function in functions]
        assert len(set(names)) == len(names), names


def check_blocks(lines):
    """Branches begin at a block of their line, which no other line has."""
    seen = set()
    for line in lines:
        blocks = line["block_ids"]
        assert blocks and not seen & set(blocks)
        seen |= set(blocks)
        assert all(branch["source_block_id"] in blocks for branch in line["branches"])
        targets = [branch["destination_block_id"] for branch in line["branches"]]
        assert len(set(targets)) == len(targets) and not set(targets) & set(blocks)


def check_cobertura(info, path):
    root = xml.etree.ElementTree.parse(path).getroot()
    source = root.find("sources/source").text
    lines, functions = {}, {}
    for element in root.iter("class"):
        name = os.path.join(source, element.get("filename"))
        for line in element.findall("lines/line"):
            lines[name, int(line.get("number"))] = int(line.get("hits"))
        for method in element.iter("method"):
            functions[name, method.get("name")] = int(method.find("lines/line").get("hits"))
    branches = int(root.get("branches-valid")), int(root.get("branches-covered"))
    assert (lines, functions, branches) == info
    folders = [element.get("name") for element in root.iter("package")]
    assert len(set(folders)) == len(folders) > 1, folders
    assert int(root.get("lines-valid")) == len(lines)
    assert int(root.get("lines-covered")) == sum(count > 0 for count in lines.values())


def check_gcovr(info, path):
    root = xml.etree.ElementTree.parse(path).getroot()
    folder = os.path.realpath(root.find("sources/source").text)
    ours = {key: count for key, count in info[0].items() if key[0].startswith(folder + "/")}
    lines = {}
    for element in root.iter("class"):
        name = os.path.join(folder, element.get("filename"))
        for line in element.findall("lines/line"):
            lines[name, int(line.get("number"))] = int(line.get("hits"))
    # gcovr ignores lines with braces only that never ran.
    assert len(lines) > 30 and all(ours[key] == count for key, count in lines.items())
    assert all(ours[key] == 0 for key in set(ours) - set(lines))
    assert 0 < int(root.get("branches-covered")) <= int(root.get("branches-valid")) <= info[2][0]


def check_lcov(info, path):
    lines, functions, _ = read_info(path)
    # geninfo assumes that only files below its own prefix belong to the program.
    assert lines and functions
    assert all(info[0][key] == count for key, count in lines.items())
    assert {key[0] for key in lines} == {key[0] for key in info[0]}
    assert len(lines) == len(info[0]), (len(lines), len(info[0]))
    assert {key: count for key, count in functions.items()} == info[1]


def main():
    info = read_info(sys.argv[1])
    globals()["check_" + sys.argv[2].replace("-", "_")](info, *sys.argv[3:])


if __name__ == "__main__":
    main()
