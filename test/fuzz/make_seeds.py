#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make inputs for the fuzz targets to begin with, from small real programs.

    make_seeds.py FOLDER LLVM-BIN

FOLDER gets one folder per target. Compilers that are missing or do not know an
option give fewer seeds; none at all is an error.
"""

import itertools
import os
import struct
import subprocess
import sys
import tempfile

C_SOURCE = """
static int leaf(int n) { return n * 3; }
__attribute__((noinline)) static int twice(int n) { return leaf(n) + leaf(n + 1); }
__attribute__((weak, noinline)) int again(int n) { return n ? again(n - 1) : twice(n); }
void _start(void) {
  volatile int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += again(i);
  for (;;)
    ;
}
"""
CXX_SOURCE = """
namespace a { template <class T> struct S {
  T v; S(T t) : v(t) {} virtual T get() const { return v; } }; }
struct B : a::S<int> { B() : S(4) {} int get() const override { return v + 1; } };
int use(const a::S<int> &s) { return [&] { return s.get() * 2; }(); }
extern "C" void _start() { B b; volatile int x = use(b); (void)x; for (;;); }
extern "C" void *__cxa_pure_virtual; namespace __cxxabiv1 {
struct __class_type_info { virtual ~__class_type_info(); }; }
"""
LINK = ["-nostdlib", "-fno-pic", "-no-pie", "-static", "-Wl,--build-id",
        "-Wl,-z,max-page-size=64", "-Wl,-z,noseparate-code"]


def variants(llvm):
    """Name, command and source of each program."""
    clang = os.path.join(llvm, "clang")
    for cc, dwarf in itertools.product(("gcc", clang), (2, 3, 4, 5)):
        name = os.path.basename(cc)
        yield f"{name}-{dwarf}", [cc, f"-gdwarf-{dwarf}", "-O1", *LINK], C_SOURCE
    for cc in ("g++", clang + "++"):
        name = os.path.basename(cc)
        cxx = [cc, "-x", "c++", "-fno-rtti", "-fno-exceptions", "-O1", *LINK]
        yield f"{name}-4", cxx + ["-gdwarf-4", "-fdebug-types-section"], CXX_SOURCE
        yield f"{name}-5", cxx + ["-gdwarf-5", "-ffunction-sections"], CXX_SOURCE
    yield "plain", ["gcc", "-O2", *LINK], C_SOURCE
    yield "zlib", ["gcc", "-g", "-gz=zlib", *LINK], C_SOURCE
    yield "zlib-gnu", ["gcc", "-g", "-gz=zlib-gnu", *LINK], C_SOURCE
    yield "zstd", [clang, "-g", "-gz=zstd", "-fuse-ld=lld", *LINK], C_SOURCE
    yield "split", ["gcc", "-g", "-gsplit-dwarf", *LINK], C_SOURCE
    yield "i386", ["gcc", "-m32", "-g", *LINK], C_SOURCE
    yield "shared", ["gcc", "-g", "-shared", "-fpic", "-nostdlib",
                     "-Wl,-z,max-page-size=64"], C_SOURCE
    for arch in ("aarch64", "aarch64_be", "mips", "powerpc64", "riscv32"):
        yield arch, [clang, f"--target={arch}-linux-gnu", "-g", "-O1",
                     "-fuse-ld=lld", *LINK], C_SOURCE


def build(folder, llvm):
    """Compile all; yields name and bytes of each image."""
    for name, command, text in variants(llvm):
        source = os.path.join(folder, "seed.c")
        image = os.path.join(folder, name)
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        run = subprocess.run(
            [*command, "-w", "seed.c", "-o", image], cwd=folder, check=False,
            stderr=subprocess.PIPE)
        if run.returncode:
            print(f"no seed {name}: {run.stderr.decode().splitlines()[-1:]}",
                  file=sys.stderr)
            continue
        yield name, read(image)
        if name == "gcc-4":
            yield from strip(folder, image)


def strip(folder, image):
    for name, options in (
            ("stripped", ["--strip-all"]),
            ("debug", ["--only-keep-debug"]),
            ("linked", ["--strip-debug", "--add-gnu-debuglink=" + image])):
        out = os.path.join(folder, name)
        if subprocess.run(["objcopy", *options, image, out],
                          check=False).returncode == 0:
            yield name, read(out)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def profile(width=8, order="<", low=0x1000, version=1):
    """A gmon file with each kind of record."""
    pointer = "Q" if width == 8 else "I"
    out = b"gmon" + struct.pack(order + "I", version) + bytes(12)
    out += struct.pack(order + "B2" + pointer + "II15sc", 0, low, low + 64, 32,
                       100, b"seconds", b"s")
    out += struct.pack(order + "32H", *range(32))
    for caller, callee in ((0, 16), (16, 32), (32, 16), (16, 16)):
        out += struct.pack(order + "B2" + pointer + "I", 1, low + caller,
                           low + callee, 7)
    if version:
        blocks = [low, 3, low + 16, 2**32 - 1, low + 20, 5]
        out += struct.pack(order + "BI6" + pointer, 2, 3, *blocks)
    else:
        block = struct.pack("QQ", 5, low) + b"f\0g\0" + bytes(4)
        out += struct.pack(order + "BI", 2, 2) + b"names\0" + 2 * block
    return out


def old_profile(width, order, is_bsd44):
    pointer = "Q" if width == 8 else "I"
    n_header = 2 * width + 4 + (20 if is_bsd44 else 0)
    out = struct.pack(order + "2" + pointer + "I", 0x1000, 0x1040, n_header + 64)
    if is_bsd44:
        out += struct.pack(order + "II12x", 0x51879, 100)
    out += struct.pack(order + "32H", *range(32))
    return out + struct.pack(order + "3" + pointer, 0x1001, 0x1010, 4) * 3


def gmon_seeds():
    for choice in range(32):
        width = 4 if choice & 1 else 8
        order = ">" if choice & 2 else "<"
        made = {0: profile(width, order), 4: profile(width, order, version=0),
                8: old_profile(width, order, False),
                12: old_profile(width, order, True)}
        yield bytes([choice]) + made[choice & 12]
        # The format is found out.
        yield bytes([choice & 19]) + made[choice & 12]


def text_address(image):
    """Entry point, which lies in .text; width and order of numbers."""
    width = 8 if image[4] == 2 else 4
    order = "<" if image[5] == 1 else ">"
    (entry,) = struct.unpack_from(order + ("Q" if width == 8 else "I"), image, 24)
    return entry, width, order


OPTIONS = [b"", b"l", b"A\0x", b"l\0A\0C", b"C\0z", b"b\0s", b"r", b"Rmap", b"S",
           b"c", b"T", b"0\0L", b"l\0s", b"ptwice\0q", b"kagain/twice", b"i\0d",
           b"qseed.c:5", b"l\0A\0y\0I/tmp"]


def whole(image, gmon, options):
    return struct.pack("<HH", len(image), len(gmon)) + image + gmon + options


SIDE = b"""arcline-side 1
process 12 prog
clock seconds 100
cpu 5 6
object 0 00112233 1000 gmon.out /bin/prog
object 1 - 0 - [vdso]
text 0 1000 2000
time 0 1010 7
time 1 0 3
arc 0 1010 0 1020 9
call 0 1010 4 memcpy
thread 13 5
lost arcs 3
end
"""


def live():
    """A live file as fuzz_live.c expects it: fuzz_live.c, live_format.h."""
    kinds = [(2, 4504), (3, 24), (4, 48), (5, 9), (6, 104), (8, 32)]
    head = b"arclive\0" + struct.pack(
        "<IIQIIII15scQQQ", 1, 4 << 16, 0x0102030405060708, 7, 100, 100, 0,
        b"seconds", b"s", len(kinds), (4 + len(kinds)) << 16, 0)
    head += b"gmon.out".ljust(256, b"\0") + b"prog".ljust(256, b"\0")
    head += struct.pack("<Q", 0)
    for i, (kind, size) in enumerate(kinds):
        head += struct.pack("<IIQQQQ", kind, 0, (4 + i) << 16, 1 << 16, size, 0)
    made = struct.pack("<QQQQQQII2Q48x20sIQ", 1, 0x10000, 5, 3, 0x5000, 2, 16, 1,
                       0x1000, 0x1010, b"id", 1, 0)
    made += bytes(256) + b"/bin/prog".ljust(4096, b"\0")
    regions = [made, struct.pack("<3Q", 1, 2, 3), struct.pack("<6Q", *range(6)),
               struct.pack("<QB", 9, 1),
               struct.pack("<13Q", 1, 3, 2, *range(10)), bytes(32)]
    return head.ljust(1024, b"\0") + b"".join(
        region.ljust(5120, b"\0") for region in regions)


def write(folder, target, name, data):
    path = os.path.join(folder, target)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, name), "wb") as file:
        file.write(data)


def main():
    folder, llvm = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        images = [(name, image) for name, image in build(work, llvm)
                  if len(image) < 60000]
    if not images:
        sys.exit("make_seeds.py: no compiler made a program")
    for name, image in images:
        write(folder, "image", name, image)
        write(folder, "lines", name, image)
    for i, (options, (name, image)) in enumerate(
            itertools.product(OPTIONS, images)):
        low, width, order = text_address(image)
        write(folder, "whole", f"{name}-{i}",
              whole(image, profile(width, order, low), options + b"\0b\0"))
    for i, seed in enumerate(gmon_seeds()):
        write(folder, "gmon", str(i), seed)
    write(folder, "side", "all", SIDE)
    write(folder, "live", "all", live())
    write(folder, "symspec", "each-form",
          b"ab\naone.c\na5\naone.c:b\nbone.c:5\nca:\ne/b\nfa/b\nf/\n@:c\naa.c/b:2")


if __name__ == "__main__":
    main()
