# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines the command line options that benchmarks share."""
import argparse
import os
import sys

import programs as all_programs
import variants as all_variants


def parser_of(docstring):
    names = "\n".join([
        "programs: " + ", ".join(p.name for p in all_programs.PROGRAMS),
        "variants: " + ", ".join(v.name for v in all_variants.VARIANTS)])
    parser = argparse.ArgumentParser(
        description=docstring, epilog=names,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(all_programs.BENCH)
    parser.add_argument("--programs", metavar="NAME,...",
                        help="these programs only")
    parser.add_argument("--variants", metavar="NAME,...",
                        help="these variants only, and what they are compared "
                             "with")
    parser.add_argument("--build", default=os.path.join(root, "build"),
                        help="folder of the finished build (build)")
    parser.add_argument("--jobs", type=positive, default=2,
                        help="programs to build at the same time (2)")
    return parser


def fail(message):
    """Wrong usage, or a missing tool: reported in one sentence."""
    print(message, file=sys.stderr)
    sys.exit(2)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def chosen(known, names, what):
    """Those of `known` that are named, in its order; all if names is None."""
    if names is None:
        return list(known)
    wanted = set(names.split(","))
    unknown = wanted - {item.name for item in known}
    if unknown:
        raise ValueError(f"unknown {what}: {', '.join(sorted(unknown))}; known "
                         f"are {', '.join(item.name for item in known)}")
    return [item for item in known if item.name in wanted]


def chosen_programs(names):
    return chosen(all_programs.PROGRAMS, names, "program")


def chosen_variants(names):
    """With the variants that they are compared with."""
    wanted = chosen(all_variants.VARIANTS, names, "variant")
    bases = {variant.base for variant in wanted}
    return [variant for variant in all_variants.VARIANTS
            if variant in wanted or variant.name in bases]
