"""Check the table of inclusive times of `arcline gprof`.

    check_measured.py REPORT CHECK...

CHECK is NAME:LOW-HIGH, what per cent of main's measured time NAME's is; with a star after it, the
row must be marked as differing from the propagated time; with a minus sign it must not.
"""
import re
import sys

ROW = re.compile(r" *(\d+\.\d+) +(\d+\.\d+) +(\d+\.\d+)  ([* ]) (.*?)(?: <cycle.*>)? [\[(]\d+[\])]$")


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin = text.index("Inclusive time:")
    rows = {}
    for line in text[begin:].splitlines():
        match = ROW.match(line)
        if match:
            rows[match[5]] = (float(match[1]), float(match[3]), match[4] == "*")
    return rows, text[begin:]


def holds(check, rows):
    name, low, high, mark = re.fullmatch(r"(.*):(\d+)-(\d+)([*-]?)", check).groups()
    if name not in rows:
        return False
    measured, _, is_marked = rows[name]
    share = round(100 * measured / rows["main"][0], 6)
    return (float(low) <= share <= float(high)
            and (not mark or is_marked == (mark == "*")))


def main():
    rows, table = read_rows(sys.argv[1])
    wrong = [check for check in sys.argv[2:] if not holds(check, rows)]
    for check in wrong:
        print(f"{sys.argv[1]}: {check} does not hold")
    if wrong:
        print(table)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
