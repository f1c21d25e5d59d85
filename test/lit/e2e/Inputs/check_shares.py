"""Check functions in a report of `arcline gprof -b`.

    check_shares.py REPORT CHECK...

CHECK is one of
    NAME>=PERCENT, NAME<=PERCENT   its self time, all functions that match added up
    NAME>>PERCENT                  its time with callees, from the call graph
    CALLER->CALLEE=COUNT           calls
NAME, CALLER and CALLEE are regular expressions that match the whole name. Per cent are those of the
time that was sampled: CPU time without samples, <[unknown]>, is up to the machine. On a busy one the
kernel may not check a thread for many milliseconds at its end.
"""
import re
import sys


def read_flat(lines):
    """Self time by name, in per cent."""
    shares = {}
    for line in lines:
        if line.startswith("\t\t\tCall graph"):
            break
        match = re.match(r" *(\d+\.\d+) +\d+\.\d+ +\d+\.\d+.{27}  (.*)$", line)
        if match:
            shares[match[2]] = shares.get(match[2], 0) + float(match[1])
    return shares


def read_graph(lines):
    """Time with callees by name, in per cent; calls by caller and callee."""
    totals, calls, owner = {}, {}, None
    begin = lines.index("\t\t\tCall graph\n")
    for entry in "".join(lines[begin:]).split("-" * 47 + "\n"):
        rows = entry.splitlines()
        owners = [i for i, row in enumerate(rows) if re.match(r"\[\d+\] +\d", row)]
        if not owners:
            continue
        match = re.match(r"\[\d+\] +(\d+\.\d+) +[\d.]+ +[\d.]+ .{13,} (.*?)(?: <cycle.*)? \[\d+\]$",
                         rows[owners[0]])
        owner = match[2].split("  ")[-1].strip()
        totals[owner] = float(match[1])
        for row in rows[owners[0] + 1:]:
            match = re.match(r" +[\d.]+ +[\d.]+ +(\d+)/\d+ +(.*?) \[\d+\]$", row)
            if match:
                calls[owner, match[2]] = int(match[1])
    return totals, calls


def value(table, pattern):
    return sum(n for name, n in table.items() if re.fullmatch(pattern, name))


def holds(check, flat, totals, calls):
    match = re.fullmatch(r"(.*)->(.*)=(\d+)", check)
    if match:
        return int(match[3]) == sum(n for (caller, callee), n in calls.items()
                                    if re.fullmatch(match[1], caller)
                                    and re.fullmatch(match[2], callee))
    name, sign, percent = re.fullmatch(r"(.*)(>=|<=|>>)(\d+)", check).groups()
    if sign == ">>":
        return value(totals, name) >= float(percent)
    share = value(flat, name)
    return share >= float(percent) if sign == ">=" else share <= float(percent)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.readlines()
    flat = read_flat(lines)
    totals, calls = read_graph(lines)
    sampled = 1 - flat.pop("<[unknown]>", 0) / 100
    flat = {name: share / sampled for name, share in flat.items()}
    totals = {name: share / sampled for name, share in totals.items()}
    wrong = [check for check in sys.argv[2:] if not holds(check, flat, totals, calls)]
    for check in wrong:
        print(f"{sys.argv[1]}: {check} does not hold")
    if wrong:
        sys.stdout.writelines(lines)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
