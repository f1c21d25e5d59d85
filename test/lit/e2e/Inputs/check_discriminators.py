"""Compare places of a sample profile with those that LLVM has.

    check_discriminators.py PROFILE IR LEAST

IR was through the pass add-discriminators. Places in the profile of a function that is in IR must
be there, and calls must be at the same places; but where unwinding goes on (resume): that block has
a line by accident only, which is not recorded, and takes a number from calls after it.
LEAST: how many places must be compared.
"""
import re
import sys


def read_profile(path):
    """{function: {(offset, discriminator): callees}}"""
    functions, function = {}, None
    for row in open(path, encoding="utf-8").read().splitlines():
        if row.startswith(" "):
            place, _, *targets = row.split()
            offset, _, number = place.rstrip(":").partition(".")
            function[int(offset), int(number or 0)] = {t.rsplit(":", 1)[0] for t in targets}
        else:
            function = functions.setdefault(row.rsplit(":", 2)[0], {})
    return functions


def base_discriminator(number):
    """Source: DILocation::getBaseDiscriminatorFromDiscriminator()."""
    if number & 1:
        return 0
    number >>= 1
    return (number >> 7 << 5 | number & 0x1f) & 0xfff if number & 0x20 else number & 0x1f


def read_ir(path):
    """The same, and for each function the line that offsets count from."""
    text = open(path, encoding="utf-8").read()
    first_lines = {n: int(line) for n, line in re.findall(
        r"^(!\d+) = distinct !DISubprogram\(.*?\bline: (\d+)", text, re.M)}
    numbers = {n: base_discriminator(int(d)) for n, d in re.findall(
        r"^(!\d+) = !DILexicalBlockFile\(.*discriminator: (\d+)\)", text, re.M)}
    places = {n: (int(line), numbers.get(scope, 0)) for n, line, scope in re.findall(
        r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+),.*?scope: (!\d+)", text, re.M)}
    functions, first_line, resuming = {}, 0, set()
    # An invoke's location is after its labels.
    for row in text.replace("\n          to label", " to label").splitlines():
        if match := re.match(r'define .*@"?([\w.$]+)"?\(.*!dbg (!\d+)', row):
            function = functions.setdefault(match[1], {})
            first_line = first_lines[match[2]]
        elif row == "}":
            function = None
        elif (match := re.search(r"!dbg (!\d+)", row)) and match[1] in places:
            line, number = places[match[1]]
            if row.lstrip().startswith("resume "):
                resuming.add(id(function))
            callees = function.setdefault((line - first_line & 0xffff, number), set())
            callee = re.search(r'(?:call|invoke) .*?@"?([\w.$]+)"?\(', row)
            if callee and not callee[1].startswith("llvm."):
                callees.add(callee[1])
    return functions, {name for name in functions if id(functions[name]) in resuming}


def main():
    profile = read_profile(sys.argv[1])
    ir, resuming = read_ir(sys.argv[2])
    compared = 0
    for name in profile.keys() & ir.keys():
        for place, callees in profile[name].items():
            # A function's first line is its entry, whether code is on it or not.
            assert place in ir[name] or place == (0, 0), (name, place, sorted(ir[name]))
            direct = callees & {c for known in ir[name].values() for c in known}
            known = ir[name].get(place, set()) | {"memcpy", "memset"}
            assert direct <= known or name in resuming, (name, place)
            compared += 1
    assert compared >= int(sys.argv[3]), compared


if __name__ == "__main__":
    main()
