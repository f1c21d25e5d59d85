"""Import profiles into speedscope, and compare its numbers with the JSON of `arcline export`.

    check_speedscope.py PACKAGE BROWSER JSON FILE...

PACKAGE is the folder of speedscope's npm package. Its table of functions is read from the page
as the browser has it in the end. Where a format has no unit, numbers are microseconds.
"""
import base64
import html
import json
import os
import re
import subprocess
import sys
import urllib.parse

SECONDS = {"": 1e-6, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
TIME = r"([\d,]+(?:\.\d+)?)(ns|µs|ms|s|) \((?:<|&lt;)?\d+(?:\.\d+)?%\)"


def import_profile(package, browser, path):
    """Returns {function: (total, self) in seconds}."""
    name = os.path.basename(path)
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    script = os.path.abspath(name + ".js")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"speedscope.loadFileFromBase64({json.dumps(name)}, {json.dumps(data)})")
    page = "file://" + os.path.join(package, "dist/release/index.html")
    shown = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
         "--user-data-dir=" + os.path.abspath("browser"), "--virtual-time-budget=20000",
         "--dump-dom", f"{page}#view=sandwich&localProfilePath={urllib.parse.quote(script)}"],
        check=True, capture_output=True, text=True, timeout=280).stdout
    rows = {}
    for row in re.findall(r"<tr\b.*?</tr>", shown, re.S):
        cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td\b.*?</td>", row, re.S)]
        if len(cells) == 3:
            times = [re.fullmatch(TIME, cell.strip()) for cell in cells[:2]]
            # The list of a file's profiles has a number, a name and the time of each.
            if cells[0].strip().isdigit() and not times[0]:
                continue
            assert all(times), cells
            rows[html.unescape(cells[2]).strip()] = tuple(
                float(match[1].replace(",", "")) * SECONDS[match[2]] for match in times)
    assert rows, (name, shown[-2000:])
    return rows


def main():
    package, browser, expected, *paths = sys.argv[1:]
    with open(expected, encoding="utf-8") as file:
        functions = {f["name"]: f for f in json.load(file)["functions"]}
    for path in paths:
        rows = import_profile(package, browser, path)
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
