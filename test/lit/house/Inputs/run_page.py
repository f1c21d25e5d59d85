# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type the commands of a page, and compare their output with the output shown there.

    run_page.py PAGE        in a folder with what the page starts from

Commands are the lines with "$ " in console blocks, all in one shell. Each must
succeed, unless "echo $?" comes next. A block of diff is applied as the reader would.

Below a command is its output, or its text on standard error. "..." is any number of lines. In the
comparison, blanks count as one, and parts that differ from run to run are left out: numbers with a
decimal point, which are measured, the marks of estimates and of hot lines, build-ids, folders, and
the part of a name that identifies the CPU of a variant in glibc.
"""
import re
import subprocess
import sys

ANY = "..."


def normal(line):
    line = re.sub(r"\b__(\w+?)_(?:evex|avx|sse)\w*", r"\1", line)
    line = re.sub(r"(^| )/\S*/", r"\1", line)
    line = re.sub(r"build [0-9a-f]{12}", "build", line)
    line = re.sub(r"^>", " ", line)
    line = line.replace("~", "")
    line = re.sub(r"(?<![\w.])[-+±]?[\d,]+\.\d+( ?%)?", " ", line)
    return " ".join(line.split())


def steps(text):
    """(command, shown lines), or (None, diff)."""
    found = []
    for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        language, body = block.groups()
        if language == "diff":
            found.append((None, body))
        elif language == "console":
            for line in body.splitlines():
                if line.startswith("$ "):
                    found.append((line[2:], []))
                elif found and found[-1][0] and found[-1][0].endswith("\\"):
                    found[-1] = (found[-1][0] + "\n" + line, [])
                else:
                    found[-1][1].append(line)
    return found


def fits(shown, actual):
    """Whether the lines shown are the actual ones, in order. Returns the first
    line that is not, or None."""
    at, is_free = 0, False
    for line in shown:
        if line.strip() == ANY:
            is_free = True
            continue
        want = normal(line)
        while is_free and at < len(actual) and normal(actual[at]) != want:
            at += 1
        if at == len(actual) or normal(actual[at]) != want:
            return line
        at, is_free = at + 1, False
    if shown and not is_free and at < len(actual):
        return "(nothing after that)"
    return None


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read().splitlines()


def main(page):
    found = steps("\n".join(read(page)))
    script = []
    for i, (command, shown) in enumerate(found):
        if command is None:
            with open(f"step.{i}.diff", "w", encoding="utf-8") as file:
                file.write(shown)
            command = f"patch -s -p0 < step.{i}.diff"
        script.append(
            f"(exit $status)\n{{ {command}\n}} > step.{i}.out 2> step.{i}.err; status=$?\n"
            f"echo $status > step.{i}.status"
        )
    subprocess.run(["bash", "-c", "status=0\n" + "\n".join(script)], check=True)

    n_failed = n_compared = 0
    for i, (command, shown) in enumerate(found):
        actual, message, status = (
            read(f"step.{i}.{what}") for what in ("out", "err", "status")
        )
        problem = None
        is_asked = i + 1 < len(found) and (found[i + 1][0] or "") == "echo $?"
        if status != ["0"] and not is_asked:
            problem = f"exit status {status[0]}"
        elif command is not None and shown:
            n_compared += 1
            line = fits(shown, actual)
            if line and fits(shown, message):
                problem = "does not print: " + line
        if problem:
            n_failed += 1
            print(f"{page}: {command}\n{problem}\n" + "\n".join(actual + message))
    print(f"{len(found)} steps, output of {n_compared} compared")
    return 1 if n_failed or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
