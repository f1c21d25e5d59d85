"""Compare formats of `arcline export` with its JSON.

    check_exports.py JSON callgrind|folded|speedscope|dot|pprof FILE

For pprof, FILE is what `go tool pprof -raw` prints.
"""
import json
import re
import sys


def read_callgrind(path):
    """Self cost by function, calls by pair, and the totals."""
    names, self_cost, calls, totals = {}, {}, {}, []

    def name(text):
        number, _, rest = text.partition(" ")
        assert (rest != "") == (number not in names), text
        return names.setdefault(number, rest)

    function = callee = None
    for line in open(path, encoding="utf-8").read().split("\n"):
        key, _, value = line.partition("=")
        if key == "fn":
            function = name(value)
        elif key == "cfn":
            callee = name(value)
        elif key == "calls":
            pair = (function, callee)
            calls[pair] = calls.get(pair, 0) + int(value.split()[0])
        elif re.fullmatch(r"\d+ \d+", line):
            if callee is None:
                self_cost[function] = self_cost.get(function, 0) + int(line.split()[1])
            callee = None
        elif line.startswith(("summary: ", "totals: ")):
            totals.append(int(line.split()[1]))
    return self_cost, calls, totals


def counted_calls(data):
    """Without arcs that only call stacks have, such as those within the C library."""
    names = [f["name"] for f in data["functions"]]
    return {(names[a["caller"]], names[a["callee"]]): a["calls"]
            for a in data["arcs"] if a["calls"] > 0}


def json_calls(data):
    """The same, with one for each of those arcs."""
    names = [f["name"] for f in data["functions"]]
    timed = {(names[a["caller"]], names[a["callee"]]): 1 for a in data["arcs"]
             if a["propagated"] > 0 or a["measured"]["time"] > 0}
    return timed | counted_calls(data)


def check_callgrind(data, path):
    self_cost, calls, totals = read_callgrind(path)
    wanted = {f["name"]: round(f["self"]["time"] * 1e6) for f in data["functions"]}
    counts = {f["name"]: f["calls"] + f["recursive_calls"] for f in data["functions"]}
    # Of functions without counted calls, one from each caller on call stacks.
    for arc in data["arcs"]:
        callee = data["functions"][arc["callee"]]
        if not callee["calls"] and not arc["calls"] and arc["measured"]["time"] > 0:
            counts[callee["name"]] += 1
    of_all = {name: 0 for name in counts}
    for (_, callee), n in calls.items():
        of_all[callee] += n
    assert of_all == counts, (of_all, counts)
    assert self_cost.pop("(unknown)", 0) == 0
    assert self_cost == wanted, (self_cost, wanted)
    calls = {pair: n for pair, n in calls.items() if pair[0] != "(unknown)"}
    assert totals == [sum(wanted.values())] * 2, totals
    assert abs(totals[0] - data["time"] * 1e6) <= len(wanted), totals
    assert calls == json_calls(data), (calls, json_calls(data))


def check_stacks(data, stacks):
    """stacks: pairs of names, outermost first, and microseconds."""
    assert abs(sum(time for _, time in stacks) - data["stacks"]["time"] * 1e6) < 1
    for function in data["functions"]:
        time = sum(t for names, t in stacks if function["name"] in names)
        assert abs(time - function["measured"]["time"] * 1e6) <= 1, function
    assert len({tuple(names) for names, _ in stacks}) == len(stacks)
    assert any(names[-2:] == ["main", "burn"] for names, _ in stacks)


def check_folded(data, path):
    lines = [line.rpartition(" ") for line in open(path, encoding="utf-8").read().splitlines()]
    check_stacks(data, [(names.split(";"), int(time)) for names, _, time in lines])


def check_speedscope(data, path):
    page = json.load(open(path, encoding="utf-8"))
    frames, [profile, calls] = page["shared"]["frames"], page["profiles"]
    assert page["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert (profile["type"], profile["unit"]) == ("sampled", "microseconds")
    assert len(profile["samples"]) == len(profile["weights"])
    assert profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"])
    assert len({frame["name"] for frame in frames}) == len(frames)
    burn = next(frame for frame in frames if frame["name"] == "burn")
    assert burn["file"].endswith("/json.c") and burn["line"] > 1, burn
    check_stacks(data, [([frames[i]["name"] for i in sample], weight)
                        for sample, weight in zip(profile["samples"], profile["weights"])])
    assert (calls["type"], calls["name"], calls["unit"]) == ("sampled", "calls", "none")
    assert calls["startValue"] == 0 and calls["endValue"] == sum(calls["weights"])
    found = {tuple(frames[i]["name"] for i in sample): weight
             for sample, weight in zip(calls["samples"], calls["weights"])}
    assert len(found) == len(calls["samples"]) == len(calls["weights"])
    wanted = counted_calls(data)
    assert {pair: n for pair, n in found.items() if len(pair) == 2} == wanted, (found, wanted)


def check_dot(data, path):
    text = open(path, encoding="utf-8").read()
    names = {n: re.sub(r"\\(.)", r"\1", label)
             for n, label in re.findall(r'^  (n\d+) \[label="((?:[^"\\]|\\["\\])*)\\n', text, re.M)}
    arcs = re.findall(r'^  (n\d+) -> (n\d+) \[label="(\d+)"', text, re.M)
    found = {(names[a], names[b]): int(calls) for a, b, calls in arcs}
    wanted = json_calls(data)
    assert found["main", "burn"] == 100, found
    assert all(wanted[pair] == calls for pair, calls in found.items())
    left_out = int(re.search(r"// (\d+) functions", text)[1])
    assert len(names) + left_out == len(data["functions"])


def check_pprof(data, path):
    """Samples are of a pair of functions with calls, or of a stack with time."""
    text = open(path, encoding="utf-8").read()
    assert "\nPeriodType: time nanoseconds\nPeriod: 2000000\n" in text
    assert re.search(r"^calls/count time/nanoseconds\[dflt\]$", text, re.M)
    samples, locations = text.split("\nLocations\n")
    locations, mappings = locations.split("\nMappings\n")
    names = {}
    for number, name in re.findall(r"^ *(\d+): 0x\w+ (?:M=1 )?(.*?) ?\S*:\d+ s=\d+", locations, re.M):
        names[number] = name
    calls, self_time, inclusive = {}, {}, {}
    for count, time, places in re.findall(r"^ *(\d+) +(\d+): ([\d ]+)$", samples, re.M):
        stack = [names[number] for number in places.split()]
        assert count == "0" or (time == "0" and len(stack) <= 2)
        if len(stack) == 2 and count != "0":
            pair = stack[1], stack[0]
            assert pair not in calls
            calls[pair] = int(count)
        self_time[stack[0]] = self_time.get(stack[0], 0) + int(time)
        for name in set(stack):
            inclusive[name] = inclusive.get(name, 0) + int(time)
    assert calls == counted_calls(data), (calls, counted_calls(data))
    for function in data["functions"]:
        name = function["name"]
        assert abs(self_time.get(name, 0) - function["self"]["time"] * 1e9) <= 1001, function
        if "measured" in function:
            low = function["measured"]["time"] * 1e9 - 1001
            assert inclusive.get(name, 0) >= low, function
    assert abs(sum(self_time.values()) - data["time"] * 1e9) < 10000, sum(self_time.values())
    assert re.search(r"^1: 0x\w+/0x\w+/0x0 prog [0-9a-f]{40} \[FN\]\[FL\]\[LN\]$", mappings, re.M)
    assert re.search(r" burn /.*/json\.c:\d+(:\d+)? s=\d+", locations, re.M)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    globals()["check_" + sys.argv[2]](data, sys.argv[3])


if __name__ == "__main__":
    main()
