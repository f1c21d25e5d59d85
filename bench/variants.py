# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the compilers and options of the builds of each program."""
import dataclasses
import os
import shutil
import subprocess


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    compiler: str  # a key of find_compilers()
    options: tuple = ()
    base: str = "clang"  # the variant that it is compared with
    profile: str = ""  # pattern of the files that each run must write
    counters: str = ""  # pattern of the symbols, or name of the section
    pass_options: str = ""  # ARCLINE_PASS_OPTIONS while compiling
    is_atomic: bool = False  # for threaded programs only
    in_library: bool = False  # all of the program is in a shared library

    @property
    def title(self):
        compiler = self.compiler.replace("arcline", "arcline-cc")
        words = [compiler, *self.options]
        if self.pass_options:
            words.append("with " + self.pass_options)
        if self.in_library:
            words.append("-fPIC, in a library")
        return " ".join(words)


ATOMIC = "-fprofile-update=atomic"
SOURCE_COVERAGE = ("-fprofile-instr-generate", "-fcoverage-mapping")
GMON = "gmon.out"

# A variant that is compared with another one comes after it.
VARIANTS = [
    Variant("clang", "clang"),
    Variant("arcline", "arcline", profile=GMON, counters="__arcline_cnts"),
    Variant("arcline-blocks", "arcline", ("--arcline-blocks-only",),
            profile=GMON, counters="__arcline_cnts"),
    Variant("arcline-calls", "arcline", ("--arcline-calls-only",), profile=GMON,
            counters="__arcline_cnts"),
    Variant("arcline-mcount", "arcline", ("--arcline-calls-only",),
            profile=GMON, counters="__arcline_cnts",
            pass_options="calls=mcount"),
    Variant("clang-library", "clang", base="clang-library", in_library=True),
    Variant("arcline-library", "arcline", base="clang-library",
            profile=GMON + "*", in_library=True),
    Variant("clang-pg", "clang", ("-pg",), profile=GMON),
    Variant("clang-coverage", "clang", ("--coverage",), profile="*.gcda",
            counters="__llvm_gcov_ctr*"),
    Variant("clang-source", "clang", SOURCE_COVERAGE, profile="*.profraw",
            counters="__llvm_prf_cnts"),
    Variant("clang-pgo", "clang", ("-fprofile-generate",), profile="*.profraw",
            counters="__llvm_prf_cnts"),
    Variant("clang-coverage-atomic", "clang", ("--coverage", ATOMIC),
            profile="*.gcda", counters="__llvm_gcov_ctr*", is_atomic=True),
    Variant("clang-source-atomic", "clang", (*SOURCE_COVERAGE, ATOMIC),
            profile="*.profraw", counters="__llvm_prf_cnts", is_atomic=True),
    Variant("clang-pgo-atomic", "clang", ("-fprofile-generate", ATOMIC),
            profile="*.profraw", counters="__llvm_prf_cnts", is_atomic=True),
    Variant("gcc", "gcc", base="gcc"),
    Variant("gcc-pg", "gcc", ("-pg",), base="gcc", profile=GMON),
    Variant("gcc-coverage", "gcc", ("--coverage",), base="gcc",
            profile="*.gcda", counters="__gcov0.*"),
    Variant("gcc-coverage-atomic", "gcc", ("--coverage", ATOMIC), base="gcc",
            profile="*.gcda", counters="__gcov0.*", is_atomic=True),
    Variant("gcc-library", "gcc", base="gcc-library", in_library=True),
    Variant("gcc-coverage-library", "gcc", ("--coverage",), base="gcc-library",
            profile="*.gcda", in_library=True),
]


@dataclasses.dataclass(frozen=True)
class Compiler:
    cc: str
    cxx: str
    files: tuple  # builds are out of date when one of these changes


def find_compilers(build):
    """The compilers by name; clang is the one that arcline-cc runs."""
    wrapper = os.path.join(build, "bin", "arcline-cc")
    if not os.path.exists(wrapper):
        raise FileNotFoundError(f"{wrapper} does not exist: build Arcline "
                                "first, or name its folder with --build")
    shown = subprocess.run([wrapper, "--arcline-show", "--version"],
                           check=True, capture_output=True, text=True)
    clang = shown.stdout.split()[0]
    gcc, gxx = shutil.which("gcc"), shutil.which("g++")
    if not gcc or not gxx:
        raise FileNotFoundError("gcc or g++ is missing: install the package g++")
    lib = os.path.join(build, "lib")
    return {
        "clang": Compiler(clang, clang + "++", (clang,)),
        "gcc": Compiler(gcc, gxx, (gcc,)),
        "arcline": Compiler(wrapper, os.path.join(build, "bin", "arcline-c++"),
                            (clang, wrapper,
                             os.path.join(lib, "ArclinePass.so"),
                             os.path.join(lib, "libarcline-threads.a"),
                             os.path.join(lib, "libarcline.a"),
                             os.path.join(lib, "libarcline-shared.a"))),
    }
