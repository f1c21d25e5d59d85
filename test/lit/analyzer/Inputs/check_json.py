"""Compare `arcline export --format=json` with a report of `arcline gprof -b`.

    check_json.py JSON REPORT [stacks]
"""
import json
import re
import sys

FLAT = re.compile(r" *\d+\.\d+ +\d+\.\d+ +(\d+\.\d+) +(\d+) +\d+\.\d+ +\d+\.\d+  (.*)$")


def check_shape(data, has_stacks):
    assert data["format"] == "arcline-functions" and data["version"] == 1
    assert data["unit"] == "seconds"
    assert ("stacks" in data) == has_stacks, "stacks"
    if has_stacks:
        assert 0 < data["stacks"]["looks"] <= 500 * data["stacks"]["time"] + 1
    for function in data["functions"]:
        assert ("measured" in function) == ("differs" in function) == has_stacks
        if has_stacks:
            check_difference(function, data["stacks"]["time"])
        check_total(function)
        for key in ("self", "measured"):
            sampled = function.get(key)
            if sampled:
                assert 0 <= sampled["low"] <= sampled["time"] <= sampled["high"]
    n = len(data["functions"])
    for arc in data["arcs"]:
        assert 0 <= arc["caller"] < n and 0 <= arc["callee"] < n
        assert ("measured" in arc) == has_stacks


def check_total(function):
    """Measured if that is known, never less than its own time, else an estimate."""
    total, own = function["total"], function["self"]["time"]
    measured = function.get("measured", {"time": 0})["time"]
    assert total["time"] >= own - 1e-6, function
    if measured > 0:
        assert not total["is_estimate"], function
        assert abs(total["time"] - max(measured, own)) < 1e-5, function
    elif total["is_estimate"]:
        assert abs(total["time"] - function["propagated"]) < 1e-5, function


def check_difference(function, time):
    """Off by more than chance, and by a hundredth of all time."""
    measured = function["measured"]
    off = abs(function["propagated"] - measured["time"])
    limit = max(measured["high"] - measured["time"], 0.01 * time)
    if abs(off - limit) > 1e-5:  # within six decimals
        assert function["differs"] == (measured["time"] > 0 and off > limit), function


def check_numbers(data, path):
    functions = {f["name"]: f for f in data["functions"]}
    total = sum(f["self"]["time"] for f in data["functions"])
    # Bins of other writers are no whole number of bytes wide; their parts, as
    # gprof has them, add up to nearly the whole.
    assert abs(total - data["time"]) < 0.01 * data["time"] + 1e-4, (total, data["time"])
    n_rows = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = FLAT.match(line)
            if not match:
                continue
            function = functions[match[3]]
            assert abs(function["self"]["time"] - float(match[1])) < 0.0051, line
            assert function["calls"] == int(match[2]), line
            n_rows += 1
    assert n_rows >= 3, n_rows
    calls = {(data["functions"][a["caller"]]["name"], data["functions"][a["callee"]]["name"]):
             a["calls"] for a in data["arcs"]}
    assert calls["main", "burn"] == 100
    odd = next(name for name in functions if name.startswith("odd"))
    assert odd in ("odd", 'odd"\\name'), odd
    assert calls["main", odd] == 100
    assert calls["fact", odd] == 900
    assert functions["fact"]["recursive_calls"] == 900


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    check_shape(data, "stacks" in sys.argv[3:])
    check_numbers(data, sys.argv[2])


if __name__ == "__main__":
    main()
