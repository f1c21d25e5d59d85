"""Compare the functions of a tracefile of ours with those of clang's coverage.

    compare_functions.py INFO JSON [FOLDER]

JSON is of `llvm-cov export`. Files below FOLDER alone, if it is named. Prints the functions that one
side has alone, or that ran by one side alone, and sums; exit 1 if there are any.

In clang's coverage, functions that begin at one place are instances of one, and begin at their
bodies, a few lines after Arcline's. It also has unused functions without code, which never run:
their number is printed.
"""
import collections
import json
import sys

FARTHEST = 40  # lines from a name to the body
EXPANSION = 1  # kind of a region


def read_info(path, folder):
    """(line, count, name) of functions, by file."""
    files, source, lines = collections.defaultdict(list), None, {}
    for row in open(path, encoding="utf-8").read().splitlines():
        key, _, value = row.partition(":")
        if key == "SF":
            source, lines = value, {}
        elif key == "FN":
            line, name = value.split(",", 1)
            lines[name] = int(line)
        elif key == "FNDA" and source.startswith(folder):
            count, name = value.split(",", 1)
            files[source].append([lines[name], int(count), name])
    return files


def read_export(path, folder):
    """The same, by place of the body; instances added up."""
    places = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, None]))
    for data in json.load(open(path, encoding="utf-8"))["data"]:
        for function in data["functions"]:
            source = function["filenames"][0]
            if not source.startswith(folder):
                continue
            # Of functions that a macro makes: where that is used.
            expanded = {r[6] for r in function["regions"] if r[7] == EXPANSION}
            region = next(r for r in function["regions"] if r[5] not in expanded)
            name = function["name"].rpartition(":")[2] if ":_Z" in function["name"] else function["name"]
            entry = places[source][region[0], region[1]]
            entry[0] += function["count"]
            entry[1] = min(entry[1] or name, name)
    return {
        source: [[line, count, name] for (line, _), (count, name) in sorted(of_file.items())]
        for source, of_file in places.items()
    }


def pair(ours, theirs):
    """Pairs of functions, of which one side may be None."""
    ours, theirs = sorted(ours), sorted(theirs)
    # Those of equal names first, then what is nearest.
    for our, their in [(o, t) for o in ours for t in theirs if o[2] == t[2]]:
        ours.remove(our)
        theirs.remove(their)
        yield our, their
    for their in theirs:
        fitting = [our for our in ours if our[0] <= their[0] <= our[0] + FARTHEST]
        near = [our for our in fitting if our[0] == max(f[0] for f in fitting)]
        # Of several on a line, one that is alike.
        our = min(near, key=lambda o: (o[1] > 0) != (their[1] > 0), default=None)
        if our:
            ours.remove(our)
        yield our, their
    yield from ((our, None) for our in ours)


def main():
    folder = sys.argv[3] if len(sys.argv) > 3 else ""
    ours, theirs = read_info(sys.argv[1], folder), read_export(sys.argv[2], folder)
    n_different = n_without_code = 0
    sums = [0, 0, 0, 0]
    for source in sorted(set(ours) | set(theirs)):
        for our, their in pair(ours.get(source, []), theirs.get(source, [])):
            if not our and not their[1]:
                n_without_code += 1
                continue
            sums[0] += our is not None
            sums[1] += our is not None and our[1] > 0
            sums[2] += their is not None
            sums[3] += their is not None and their[1] > 0
            if our and their and (our[1] > 0) == (their[1] > 0):
                continue
            n_different += 1
            print(source, "ours:", our, "clang's:", their)
    print("ours: %d, %d ran; clang's: %d, %d ran" % tuple(sums), end="; ")
    print("clang's without code:", n_without_code)
    return n_different > 0


if __name__ == "__main__":
    sys.exit(main())
