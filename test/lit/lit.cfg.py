# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of the lit suite: what a test may call, and where it runs.

Every test runs in an empty folder of its own, %t.cwd, so that a gmon.out of one
test is never seen by another. `lit --param update=1` makes tests that compare
with a file beside them rewrite that file (they ask %update).
"""
import glob
import inspect
import os
import platform
import re
import shutil
import subprocess

import lit.formats

config.name = "arcline"
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
# LLVM 23 renames the option.
external = inspect.signature(lit.formats.ShTest.__init__).parameters
config.test_format = lit.formats.ShTest(
    **{
        name: True
        for name in ("execute_external", "force_execute_external")
        if name in external
    },
    preamble_commands=["rm -rf %t.cwd", "mkdir -p %t.cwd", "cd %t.cwd"],
)

# FileCheck, not, opt, llvm-nm, yaml2obj and their like: the matching LLVM's.
config.environment["PATH"] = os.pathsep.join(
    [
        config.tools_dir,
        config.llvm_tools_dir,
        os.path.join(config.build_dir, "bin"),
        os.environ["PATH"],
    ]
)
for variable in list(config.environment):
    if variable.startswith(("ARCLINE_", "GMON_OUT_PREFIX", "CCACHE_", "MAKEFLAGS")):
        del config.environment[variable]
config.environment["LC_ALL"] = "C"
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
if config.sanitize:
    # Looking for leaks takes as long as the rest of a run. Unit tests do, and the
    # tests that run a command a thousand times do in one run of four.
    config.environment["ASAN_OPTIONS"] = ":".join(
        ["detect_leaks=0", os.environ.get("ASAN_OPTIONS", "")]
    )


def built(*parts):
    return os.path.join(config.build_dir, *parts)


# Each name matches as a whole word: %clang is not the beginning of %clangxx.
substitutions = {
    "%clang": config.clang,
    "%clangxx": config.clang + "++",
    "%plugin": built("lib", "ArclinePass.so"),
    "%libdir": built("lib"),
    "%include": os.path.join(config.source_dir, "include"),
    "%arcline-c++": built("bin", "arcline-c++"),
    "%arcline-cc": built("bin", "arcline-cc"),
    "%arcline": built("bin", "arcline"),
    "%arcline-gprof": built("bin", "arcline-gprof"),
    "%gprof": config.gprof,
    "%cc": config.gcc,
    "%cxx": config.gxx,
    "%python": config.python,
    "%check-truth": " ".join(
        (
            config.python,
            os.path.join(config.test_source_root, "e2e/Inputs/check_truth.py"),
            "--arcline",
            built("bin", "arcline"),
            "--gprof=" + config.gprof,
        )
    ),
    "%cmake": config.cmake,
    "%cpack": os.path.join(os.path.dirname(config.cmake), "cpack"),
    "%node-modules": built("npm", "node_modules"),
    "%pprof": "go tool pprof",
    "%mpi-merge": built("bin", "arcline-mpi-merge"),
    # As many ranks as the test likes, and root, which containers test as.
    "%mpirun": "mpirun --oversubscribe --bind-to none --mca btl ^tcp",
    "%root": config.source_dir,
    "%sanitizers": config.sanitize,
    "%build": config.build_dir,
    "%llvm_major": config.llvm_major,
    "%update": lit_config.params.get("update", "0"),
}
# Programs of another machine, by the tree that scripts/machines makes. Its tests are not
# those of ctest.
machine = lit_config.params.get("machine")
if machine:
    for name, tool in (
        ("%arcline-cc", "arcline-cc"),
        ("%arcline-c++", "arcline-c++"),
        ("%clang", "clang"),
        ("%clangxx", "clang++"),
    ):
        substitutions[name] = built("test", "machine-" + machine, "tools", tool)
    substitutions["%libdir"] = built(
        "test", "machine-" + machine, "lib", "arcline", machine
    )
    for name, tool in (("%cc", "gcc"), ("%cxx", "g++"), ("%gprof", "gprof")):
        substitutions[name] = "%s-linux-gnu-%s" % (machine, tool)
    substitutions["%check-truth"] = substitutions["%check-truth"].replace(
        "--gprof=" + config.gprof, "--gprof=" + substitutions["%gprof"]
    )
    config.environment["PATH"] = os.pathsep.join(
        [built("test", "machine-" + machine, "tools"), config.environment["PATH"]]
    )
    config.test_exec_root = built("test", "machine-" + machine, "lit")
    config.environment["QEMU_LD_PREFIX"] = "/usr/%s-linux-gnu" % machine
# The version of qemu-user if it runs the programs: those of scripts/machines, or all of a root
# that scripts/roots made for another machine.
qemu = os.environ.get("ARCLINE_QEMU")
if machine:
    qemu = subprocess.run(
        ["qemu-" + machine, "--version"], capture_output=True, text=True, check=True
    ).stdout
if qemu:
    config.available_features.add("emulated")
    config.available_features.add("qemu-" + re.search(r"version (\d+)", qemu)[1])
    config.environment["ARCLINE_OPTIONS"] = "hz=0"
    with open(
        os.path.join(config.test_source_root, "e2e/Inputs/not_emulated.txt"),
        encoding="utf-8",
    ) as left_out:
        for row in left_out:
            config.excludes += row.split()[:1]
for name, value in substitutions.items():
    config.substitutions.append((re.escape(name) + r"(?![\w+-])", value))

config.available_features.add("llvm-" + config.llvm_major)
if config.lines_of_macro_arguments:
    config.available_features.add("lines-of-macro-arguments")
config.available_features.add("sanitized" if config.sanitize else "not-sanitized")
if config.gprof:
    config.available_features.add("gprof")
if os.geteuid() == 0:
    config.available_features.add("root")
for feature, library in (("clang-coverage", "profile"), ("sanitizers", "tsan")):
    if glob.glob(
        os.path.join(
            config.llvm_tools_dir, f"../lib/clang/*/lib/**/libclang_rt.{library}*"
        ),
        recursive=True,
    ):
        config.available_features.add(feature)
for feature, header in (("libcheck", "check.h"), ("googletest", "gtest/gtest.h")):
    if os.path.exists("/usr/include/" + header):
        config.available_features.add(feature)
if os.path.exists(os.path.join(config.llvm_tools_dir, "ld.lld")):
    config.available_features.add("lld")
if config.capstone:
    config.available_features.add("capstone")
if shutil.which("go"):
    config.available_features.add("pprof")
if shutil.which("node"):
    if shutil.which("chromium") and os.path.exists(built("npm", "node_modules")):
        config.available_features.add("browser")
    for feature, package in (
        ("dockerfile-utils", "dockerfile-utils"),
        ("report-readers", "@cvrg-report/clover-json"),
    ):
        if os.path.exists(built("npm", "node_modules", package)):
            config.available_features.add(feature)
if shutil.which("pandoc") and config.has_node_20:
    for feature, package in (("prose", "textlint"), ("site", "minisearch")):
        if os.path.exists(built("npm", "node_modules", package)):
            config.available_features.add(feature)
for tool in (
    "autoconf", "ccache", "dwz", "fish", "lintian", "makepkg", "man", "meson", "nix-instantiate",
    "pytest-3", "ruby", "script", "valgrind", "objdump", "zsh",
):
    if shutil.which(tool):
        config.available_features.add(tool)
# C++ modules: CMake 3.28 and later, and the clang-scan-deps of this LLVM.
if [int(part) for part in config.cmake_version.split(".")[:2]] >= [3, 28] and os.path.exists(
    os.path.join(config.llvm_tools_dir, "clang-scan-deps")
):
    config.available_features.add("cmake-modules")
# Bazel 4 without network. Later ones fetch the rules for C++.
if shutil.which("bazel") and os.path.exists("/usr/share/bazel/rules/java"):
    config.available_features.add("bazel-bootstrap")
# Other front ends, if they are of the plugin's LLVM.
for name in ("flang", "flang-new"):
    path = os.path.join(os.path.dirname(config.clang), name)
    if os.path.exists(path):
        config.available_features.add("flang")
        config.substitutions.append((r"%flang(?![\w+-])", path))
        break
for folder in dict.fromkeys([*os.environ["PATH"].split(os.pathsep), "/usr/bin"]):
    # One that rustup has installed brings an LLVM of its own, which cannot load
    # the plugin.
    if ".cargo" in folder:
        continue
    path = os.path.join(folder, "rustc")
    if os.path.exists(path) and "LLVM version: " + config.llvm_major + "." in (
        subprocess.run([path, "-vV"], capture_output=True, text=True, check=False).stdout
    ):
        config.available_features.add("rustc")
        config.substitutions.append((r"%rustc(?![\w+-])", path))
        break
if os.path.exists(os.path.join(config.llvm_tools_dir, "../lib/libomp.so")):
    config.available_features.add("openmp")
# LLVM's plugin of GNU ld, gold and mold, which Debian does not have for every machine.
if os.path.exists(os.path.join(config.llvm_tools_dir, "../lib/LLVMgold.so")):
    config.available_features.add("ld-plugin")
# GNU gprof of other machines.
for target in "i686-linux-gnu", "arm-linux-gnueabihf", "s390x-linux-gnu":
    if shutil.which(target + "-gprof"):
        config.available_features.add("gprof-" + target)
if os.path.exists(built("bin", "arcline-mpi-merge")) and shutil.which("mpirun"):
    config.available_features.add("mpi")
    if config.mpi_runs_two_programs:
        config.available_features.add("mpi-of-two-programs")
    config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
    config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    config.environment["HOME"] = os.environ.get("HOME", "/")  # Open MPI 5 requires it
if config.can_trace:
    config.available_features.add("strace")
config.available_features.add(machine or platform.machine())
# Debian has gold for some machines, and from 13 on for its own alone.
if shutil.which(machine + "-linux-gnu-ld.gold" if machine else "ld.gold"):
    config.available_features.add("gold")
if machine:
    # Their libraries and tools are those of this machine.
    config.available_features -= {
        "clang-coverage", "flang", "googletest", "libcheck", "meson", "mpi",
        "mpi-of-two-programs", "openmp", "root", "rustc", "sanitizers", "strace",
        "valgrind",
    }
