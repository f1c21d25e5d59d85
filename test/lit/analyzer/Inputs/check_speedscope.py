"""Compare the tables of functions that speedscope shows with the JSON of `arcline export`.

    check_speedscope.py JSON TABLES

TABLES is the output of print_speedscope.js. Where a format has no unit, numbers are
microseconds.
"""
import json
import re
import sys

SECONDS = {"": 1e-6, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
TIME = r"([\d,]+(?:\.\d+)?)(ns|µs|ms|s|) \(<?\d+(?:\.\d+)?%\)"


def seconds(cell):
    match = re.fullmatch(TIME, cell)
    assert match, cell
    return float(match[1].replace(",", "")) * SECONDS[match[2]]


def main():
    expected, tables = sys.argv[1:]
    with open(expected, encoding="utf-8") as file:
        functions = {f["name"]: f for f in json.load(file)["functions"]}
    with open(tables, encoding="utf-8") as file:
        tables = json.load(file)
    assert len(tables) == 4, list(tables)
    for path, table in tables.items():
        rows = {name: (seconds(total), seconds(own)) for total, own, name in table}
        for name in ("burn", "main"):
            total, own = rows[name]
            measured, self_time = functions[name]["measured"]["time"], functions[name]["self"]["time"]
            # It shows two digits after the point of its unit; callgrind has no stacks,
            # but shares.
            assert abs(own - self_time) < 0.011 * self_time + 1e-4, (path, name, rows[name], self_time)
            assert abs(total - measured) < 0.011 * measured + 1e-4 or path.endswith("callgrind"), (
                path, name, rows[name], measured)


if __name__ == "__main__":
    main()
