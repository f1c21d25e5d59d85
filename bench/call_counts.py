# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the calls of each function from the profiles of a run, with the tool of each profiler."""
import collections
import json
import os
import re
import subprocess

# Calls are the fourth number of a line of the flat profile.
FLAT = re.compile(r"^ *[\d.]+ +[\d.]+ +[\d.]+ +(\d+) .*?([\w.]+)$")
SECONDS = 60


def output_of(command, folder):
    """Standard output, or "" if the command fails."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False,
                          timeout=SECONDS)
    return "" if done.returncode else done.stdout.decode(errors="replace")


def plain_name(name):
    """Without the file of a local function and the suffix of a clone."""
    return name.rpartition(":")[2].partition(".")[0]


def by_flat_profile(command, folder, image, profile):
    counts = collections.Counter()
    # A line of a flat profile has no calls if the function was not called.
    text = output_of([*command, "-b", "-p", image, profile], folder)
    for line in text.splitlines():
        match = FLAT.match(line)
        if match:
            counts[plain_name(match[2])] += int(match[1])
    return counts


def image_of(profile, images):
    """The library whose name the profile's ends with, or the program."""
    for image in images[1:]:
        if profile.endswith("." + image):
            return image
    return images[0]


def by_flat_profiles(gprof, folder, images, profiles):
    counts = collections.Counter()
    for profile in profiles:
        counts += by_flat_profile(gprof, folder, image_of(profile, images),
                                  profile)
    return counts


def of_gprof(tools, folder, images, profiles):
    return by_flat_profiles(tools["gprof"], folder, images, profiles)


def of_arcline(tools, folder, images, profiles):
    return by_flat_profiles(tools["arcline"], folder, images, profiles)


def of_gcov(tools, folder, _images, profiles):
    counts = collections.Counter()
    for profile in profiles:
        text = output_of([*tools["gcov"], "--json-format", "--stdout",
                          os.path.basename(profile)],
                         os.path.join(folder, os.path.dirname(profile)))
        for line in text.splitlines():
            for file in json.loads(line)["files"]:
                for function in file["functions"]:
                    name = plain_name(function["name"])
                    counts[name] += function["execution_count"]
    return counts


def of_llvm(tools, folder, _images, profiles):
    counts = collections.Counter()
    for profile in profiles:
        name = None
        merged = os.path.join(folder, "merged.profdata")
        output_of([*tools["profdata"], "merge", "-o", merged, profile], folder)
        text = output_of([*tools["profdata"], "show", "--all-functions",
                          merged], folder)
        if os.path.exists(merged):
            os.unlink(merged)
        for line in text.splitlines():
            key, _, value = line.strip().partition(": ")
            if line.endswith(":") and line.startswith("  ") and not value:
                name = plain_name(line.strip()[:-1])
            elif key == "Function count" and name:
                counts[name] += int(value)
    return counts
