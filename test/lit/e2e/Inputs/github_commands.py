"""Read workflow commands of GitHub from a log, as the runner does, and print one line for each:
  COMMAND | file:line-endLine | title | message

Source: docs.github.com, "Workflow commands for GitHub Actions"; actions/toolkit escapes values.
"""
import re
import sys

COMMAND = re.compile(r"^::(\w+)(?: ([^:]*(?::(?!:)[^:]*)*?))?::(.*)$")


def unescape(text):
    return re.sub(r"%(0D|0A|25|3A|2C|[0-9A-F]{2})", lambda m: chr(int(m[1], 16)), text)


for line in open(sys.argv[1], encoding="utf-8"):
    found = COMMAND.match(line.rstrip("\n"))
    if not found:
        assert "::" not in line[:2], line
        continue
    command, properties, message = found.groups()
    assert command in ("error", "warning", "notice"), command
    values = dict(part.split("=", 1) for part in (properties or "").split(","))
    assert set(values) <= {"file", "line", "endLine", "title"}, values
    values = {key: unescape(value) for key, value in values.items()}
    assert not values.get("file", "").startswith("/"), values
    place = values.get("file", "")
    if "line" in values:
        place += ":" + str(int(values["line"]))
    if "endLine" in values:
        place += "-" + str(int(values["endLine"]))
    print(command, place, values["title"], unescape(message), sep=" | ")
