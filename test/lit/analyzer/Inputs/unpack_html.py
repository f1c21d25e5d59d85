# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print the data that scripts of a page of `arcline html` read: JSON.

    unpack_html.py FILE.js
"""
import base64
import gzip
import json
import re
import sys


def unpack(text):
    """The JSON of a text in base64."""
    return gzip.decompress(base64.b64decode(text, validate=True)).decode("utf-8")


def read_file(path):
    """The JSON of a file in data/."""
    text = open(path, encoding="ascii").read()
    return unpack(re.fullmatch(r'arcline\.data\.\w+ = "([A-Za-z0-9+/=]*)";\n', text)[1])


if __name__ == "__main__":
    text = read_file(sys.argv[1])
    json.loads(text)
    print(text, end="")
