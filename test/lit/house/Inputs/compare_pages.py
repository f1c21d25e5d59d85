"""Compare the manual pages of arcline's commands with the program; print what differs.

usage: compare_pages.py ARCLINE DOCS
"""
import re
import subprocess
import sys

arcline, docs = sys.argv[1:]


def told_by(*arguments):
    return subprocess.run(
        [arcline, *arguments], capture_output=True, text=True, check=True
    ).stdout


def read_page(name):
    with open(f"{docs}/{name}.1", encoding="utf-8") as page:
        return page.read().replace("\\-", "-")


commands = dict(re.findall(r"^  ([a-z]+) +(.*)$", told_by("--help"), re.M))
if len(commands) < 8:
    print("too few commands")
overview = read_page("arcline")
for command in commands:
    page = read_page("arcline-" + command)
    if f"\narcline-{command} - " not in page:
        print(f"{command}: no name")
    if f"arcline-{command} (1)" not in overview:
        print(f"{command}: not in arcline.1")
    told = re.findall(r"^ +(?:-., )?(--[a-z0-9-]+)", told_by(command, "--help"), re.M)
    heads = re.findall(r"^\.TP\n(.*-.*)$", page, re.M)
    named = re.findall(r"--[a-z0-9]+(?:-[a-z0-9]+)*", "\n".join(heads))
    for option in sorted(set(told) ^ set(named)):
        print(f"{command}: {option}")
