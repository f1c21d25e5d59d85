#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print name and time of each profile of a file of speedscope; check that weights add up."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    for profile in json.load(file)["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"]
        print(profile["name"], profile["endValue"])
