#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make initial inputs for the fuzz targets, from small real programs.

    make_seeds.py FOLDER LLVM-BIN ARCLINE-CC

FOLDER gets one folder per target. Compilers that are missing or do not know an
option give fewer seeds; none at all is an error.
"""

import io
import itertools
import os
import struct
import subprocess
import sys
import tarfile
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
# With a call that the callee counts, and a switch.
COUNTED_SOURCE = """
static int leaf(int n) { return n * 3; }
static int (*volatile chosen)(int);
__attribute__((noinline)) static int twice(int n) { return leaf(n) + leaf(n + 1); }
__attribute__((weak, noinline)) int again(int n) { return n ? again(n - 1) : twice(n); }
int other(int n) { switch (n) {
  case 1: return 4; case 2: return again(3); case 7: return 9;
  default: return (n > 3 || n == 2) && n < 90; } }
void _start(void) {
  volatile int sum = 0;
  chosen = sum ? again : other;
  for (int i = 0; i < 9; i++)
    sum += again(i) + chosen(i);
  for (;;)
    ;
}
"""
# The symbols of the runtime that such a program needs; the runtime itself is too
# large for a small image.
RUNTIME = """
char __arcline_ready; __thread long __arcline_bias;
__thread char __arcline_gs_set; char __arcline_threads; void __arcline_attach_thread(void) {}
void __arcline_bias_slow(void) {} void __arcline_mcount(void) {}
void __arcline_indirect(void) {} void __arcline_resolver(void) {}
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


def run(command, name, folder):
    """Returns whether that worked."""
    done = subprocess.run(command, cwd=folder, check=False,
                          stderr=subprocess.PIPE)
    if done.returncode:
        print(f"no seed {name}: {done.stderr.decode().splitlines()[-1:]}",
              file=sys.stderr)
    return done.returncode == 0


def build(folder, llvm):
    """Compile all; yields name and bytes of each image."""
    prefix = f"-ffile-prefix-map={folder}=."
    for name, command, text in variants(llvm):
        source = os.path.join(folder, "seed.c")
        image = os.path.join(folder, name)
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        if not run([*command, prefix, "-w", "seed.c", "-o", image], name,
                   folder):
            continue
        yield name, read(image)
        if name == "gcc-4":
            yield from strip(folder, image)


def build_counted(folder, arcline_cc):
    """The same for programs with counters."""
    prefix = f"-ffile-prefix-map={folder}=."
    for name, text in ("seed.c", COUNTED_SOURCE), ("runtime.c", RUNTIME):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    if not run(["gcc", "-O", "-fpic", "-c", "runtime.c"], "runtime", folder):
        return
    for kind, is_shared in itertools.product(("-O0", "-O2", "-O1 --arcline-mcdc"),
                                             (False, True)):
        level, *more = kind.split()
        name = f"counted{level}" + ("-shared" if is_shared else "")
        pic, link = (("-fpic", ["-shared"]) if is_shared else
                     ("-fno-pic", ["-no-pie", "-static"]))
        if (run([arcline_cc, "-g", level, *more, pic, prefix, "-c", "seed.c"], name,
                folder) and
                run(["gcc", "seed.o", "runtime.o", "-nostdlib", *link,
                     "-Wl,--build-id=sha1", "-Wl,-z,max-page-size=64",
                     "-Wl,-z,noseparate-code", "-o", name], name, folder)):
            yield name, read(os.path.join(folder, name))


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


def profile(width=8, order="<", low=0x1000, version=1, counted=None, more=0):
    """A gmon file with each kind of record. counted: the image's Counted; more: to add to
    its counts."""
    pointer = "Q" if width == 8 else "I"
    mark = b"ARC1" + counted.build_id[:8] if counted else b""
    out = b"gmon" + struct.pack(order + "I", version) + mark.ljust(12, b"\0")
    out += struct.pack(order + "B2" + pointer + "II15sc", 0, low, low + 64, 32,
                       100, b"seconds", b"s")
    out += struct.pack(order + "32H", *range(32))
    for caller, callee in ((0, 16), (16, 32), (32, 16), (16, 16)):
        out += struct.pack(order + "B2" + pointer + "I", 1, low + caller,
                           low + callee, 7)
    if version:
        blocks = [low, 3, low + 16, 2**32 - 1, low + 20, 5]
        for i in range(counted.n_cells if counted else 0):
            blocks += [counted.cells_vaddr + 8 * i, 9 + i % 4 + more]
        out += struct.pack(f"{order}BI{len(blocks)}{pointer}", 2,
                           len(blocks) // 2, *blocks)
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
        # The format is detected.
        yield bytes([choice & 19]) + made[choice & 12]


def text_address(image):
    """Entry point, which is in .text; width and order of numbers."""
    width = 8 if image[4] == 2 else 4
    order = "<" if image[5] == 1 else ">"
    (entry,) = struct.unpack_from(order + ("Q" if width == 8 else "I"), image, 24)
    return entry, width, order


OPTIONS = [b"", b"l", b"A\0x", b"l\0A\0C", b"C\0z", b"b\0s", b"r", b"Rmap", b"S",
           b"c", b"T", b"0\0L", b"l\0s", b"ptwice\0q", b"kagain/twice", b"i\0d",
           b"qseed.c:5", b"l\0A\0y\0I/tmp"]


# Of commands 1 to 5; operands that name the side file are added to them.
OTHER_OPTIONS = [(1, b""), (1, b"c\0i\0a\0C"), (1, b"n\0s\0Ftwice"),
                 (1, b"I/tmp\0m.=in\0f*seed*\0a"), (2, b"2"), (2, b"1\0o"),
                 (3, b""), (3, b"m"), (4, b""), (4, b"t"), (4, b"l\0Tx\0fself,calls"),
                 (4, b"scalls\0w20\0C"), (5, b""), (5, b"m.=in")]

# Of diff, with a second profile in place of the side file, or with side files.
DIFF_OPTIONS = [(b"", 3), (b"h", 3), (b"h\0M\0gcalls(*) > +3%\0ulines=80", 3),
                (b"h\0gself(twice)>1\0gcount(seed.c:3)<-1", 3), (b"h", 6), (b"h\0C", 8),
                (b"ulines=80", 9)]


def whole(image, gmon, side, command, operands, options):
    return struct.pack("<HHHBB", len(image), len(gmon), len(side), command,
                       operands) + image + gmon + side + options


SIDE = b"""arcline-side 1
process 12 prog
clock seconds 100
cpu 5 6
object 0 00112233 0x1000 gmon.out /bin/prog
object 1 - 0x0 - [vdso]
text 0 0x1000 0x2000
time 0 0x1010 7
time 1 0x0 3
arc 0 0x1010 0 0x1020 9
call 0 0x1010 4 mem%20cpy
thread 13 5
thread-name 13 a%20b
frame 1 0 0 0x1004
frame 2 1 1 0x0
stack 2 5
began 1700000000000000000
moment 13 23 4 0 5
moment 13 25 1 2 5
lost arcs 3
end
"""


def side_of(low):
    """A side file of a program and a library that are one image."""
    return f"""arcline-side 1
process 12 image
clock seconds 100
cpu 5 6
object 0 - 0x0 gmon.out in/image
object 1 - 0x1000 gmon.out.lib in/library
object 2 - 0x0 - [kernel]
text 0 {low:#x} {low + 64:#x}
time 1 {low + 4:#x} 7
time 2 0x0 3
kernel 0 {low + 4:#x} 2
kernel 1 {low + 4:#x} 4
arc 0 {low + 4:#x} 1 {low:#x} 9
arc 1 {low + 20:#x} 0 {low + 16:#x} 2
call 0 {low + 8:#x} 4 memcpy
thread 13 5
thread-name 13 a%20b
frame 1 0 0 0x1004
frame 2 1 1 0x0
stack 2 5
began 1700000000000000000
moment 13 23 4 0 5
moment 13 25 1 2 5
lost arcs 3
end
""".encode()


class Counted:
    """Places of Arcline's data in an image (64 bits, little-endian)."""

    def __init__(self, image):
        at, = struct.unpack_from("<Q", image, 40)
        n, i_names = struct.unpack_from("<HH", image, 60)
        headers = [struct.unpack_from("<IIQQQQ", image, at + 64 * i)
                   for i in range(n)]
        names = headers[i_names][4]
        found = {}
        for name, _, _, vaddr, offset, size in headers:
            end = image.index(b"\0", names + name)
            found[image[names + name:end]] = vaddr, offset, size
        self.cells_vaddr, _, n_bytes = found[b"__arcline_cnts"]
        self.n_cells = n_bytes // 8
        self.n_sites = found[b"__arcline_site"][2] // 32
        self.text = found[b".text"][0]
        _, offset, size = found[b".note.gnu.build-id"]
        self.build_id = image[offset + size - 20:offset + size]


def live(counted=None):
    """A live file as live_input.h has it: starts of head and regions. Values that
    depend on the image are filled in there."""
    n_cells = counted.n_cells if counted else 3
    n_sites = counted.n_sites if counted else 2
    text = counted.text if counted else 0x1000
    cells = n_cells * 8
    arcs = [(text + 5 + i, text + 16 * (i % 3), 4 + i) for i in range(3)]
    some_arcs = struct.pack("<9Q", *itertools.chain(*arcs))
    values = struct.pack(f"<{n_cells}Q", *(9 + i % 4 for i in range(n_cells)))
    bins = struct.pack("<8Q", *range(8)) + b"\1"
    regions = [
        (2, 0, struct.pack(
            "<QQQQQQII2Q48x20sIQ", 1, 0, 6, n_cells, 0x5000, n_sites, 2, 1,
            0x1000, 0x1010, b"id", 0, 0) + bytes(256) +
         b"/bin/prog".ljust(4096, b"\0")),
        (3, 0, values), (4, 0, some_arcs), (5, 0, bins),
        (8, 0, struct.pack("<2Q", text, text + 16) * n_sites),
        (6, 0, struct.pack("<4Q", 1, n_cells, 2, 0) + bytes(cells) +
         some_arcs[:48]),
        (7, 0, values + some_arcs)]
    head = b"arclive\0" + struct.pack(
        "<IIQIIII15scQQQ", 1, 4 << 16, 0x0102030405060708, 7, 100, 100, 0,
        b"seconds", b"s", len(regions), (4 + len(regions)) << 16, 0)
    head += b"gmon.out".ljust(256, b"\0") + b"prog".ljust(256, b"\0")
    head += struct.pack("<Q", 0)
    for i, (kind, i_object, data) in enumerate(regions):
        head += struct.pack("<IIQQQQ", kind, i_object, (4 + i) << 16, 1 << 16,
                            len(data), 0)
    return head.ljust(1024, b"\0") + b"".join(
        data.ljust(5120, b"\0") for _, _, data in regions)


def pool(counted):
    """A pool as fuzz_pool.c has it. Values that depend on the image are filled in
    there."""
    start = b"arcpool\0" + bytes(8) + struct.pack("<III15scI", 2, 0x01020304, 100, b"seconds",
                                                  b"s", 20)
    head = struct.pack("<8Q", 0, 1, 1, 3, 1, 0, 0, 0)
    n_words = 64 + counted.n_cells + counted.n_cells % 2
    words = [0] * 64 + [9 + i % 4 for i in range(counted.n_cells)]
    words += [0] * (n_words - len(words)) + [counted.text, counted.text + 16] * counted.n_sites
    arcs = [(counted.text + 5, counted.text, 4, 0), (0, counted.text + 16, 2, 0),
            (1 << 63 | 1 << 48 | 0x1000, counted.text, 3, 0), (3 << 62, counted.text, 7, 0)]
    chunks = struct.pack("<64Q", *(words + [0] * 64)[:64])
    more = struct.pack("<16Q", *itertools.chain(*arcs))
    return start.ljust(512, b"\0") + head + chunks + more.ljust(512, b"\0")


def recovered(image, flags, file):
    """An input for fuzz_live.c and fuzz_recover.c."""
    return struct.pack("<HB", len(image), flags) + image + file


def archive(files, operands):
    """A tar file as `arcline archive` packs it; the last file has a second name."""
    index = "arcline-archive 1\nfolder /in\n" + "".join(
        f"operand {operand}\n" for operand in operands)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in (("arcline-archive", index.encode()), *files):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        link = tarfile.TarInfo("files/in/" + "l" * 120)
        link.type, link.linkname = tarfile.LNKTYPE, files[-1][0]
        tar.addfile(link)
    return out.getvalue()


def write_archives(folder, images, counted):
    for name, image in images[:2] + counted:
        low, width, order = text_address(image)
        found = Counted(image) if name.startswith("counted") else None
        files = [("files/in/image", image),
                 ("files/in/gmon.out", profile(width, order, found.text if found else low,
                                               counted=found)),
                 ("files/in/gmon.out.arcline", side_of(low)),
                 ("files/in/seed.c", C_SOURCE.encode())]
        for i, operands in enumerate((["image", "gmon.out"], ["gmon.out.arcline"], ["."])):
            write(folder, "archive", f"{name}-{i}", archive(files, operands))


def write(folder, target, name, data):
    path = os.path.join(folder, target)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, name), "wb") as file:
        file.write(data)


def write_whole(folder, images, counted):
    for i, (options, (name, image)) in enumerate(
            itertools.product(OPTIONS, images)):
        low, width, order = text_address(image)
        write(folder, "whole", f"{name}-{i}",
              whole(image, profile(width, order, low), side_of(low), 0, 0,
                    options + b"\0b\0"))
    # One image of a compiler's without counters; those with them.
    for i, ((command, options), operands, (name, image)) in enumerate(
            itertools.product(OTHER_OPTIONS, (0, 2), images[:1] + counted)):
        write_other(folder, f"{name}-other-{i}", name, image, command, operands,
                    options)
    write_diffs(folder, images[:1] + counted)
    for i, (options, operands, (name, image)) in enumerate(
            itertools.product(OPTIONS, (1, 2, 3), images[:1] + counted)):
        write_other(folder, f"{name}-side-{i}", name, image, 0, operands,
                    options)


def write_diffs(folder, images):
    for i, ((options, operands), (name, image)) in enumerate(
            itertools.product(DIFF_OPTIONS, images)):
        low, width, order = text_address(image)
        found = Counted(image) if name.startswith("counted") else None
        low = found.text if found else low
        first = profile(width, order, low, counted=found)
        second = profile(width, order, low, counted=found, more=2)
        write(folder, "whole", f"{name}-diff-{i}",
              whole(image, first, second if operands < 6 else side_of(low), 6,
                    operands, options + b"\0"))


def write_other(folder, file, name, image, command, operands, options):
    low, width, order = text_address(image)
    found = None
    if name.startswith("counted"):
        found = Counted(image)
        low = found.text
    write(folder, "whole", file,
          whole(image, profile(width, order, low, counted=found), side_of(low),
                command, operands, options + b"\0"))


def write_contexts(folder):
    """Records of an index as fuzz_contexts.c has them, and two texts."""
    name = b"/prog"
    thing = (b"\4\1\2\3\4" b"\1" b"\1/a.c\0\0" b"\2\0\3\0\5" b"\2f\0\0\0\3\1g\0\0\0\5\1")
    runs = b"".join(bytes([2, 0, len(test), 2, 0]) + test + bits
                    for test, bits in ((b"one", b"\1\1"), (b"two", b"\3\2"), (b"one", b"\2\2"), (b"", b"\1\1")))
    write(folder, "contexts", "records", b"\1" + bytes([1, 0, len(name), len(thing), 0]) + name + thing + runs)
    write(folder, "contexts", "empty", b"\0arcctx\0\0\1\0\0\0\0\0\0\0")
    old = (b"/* c */\n#if A\nint f(int x) {\n#else\nint f(long x) {\n#endif\n  return 'a' + x; // r\n}\n"
           b'auto g() -> int { char s[] = R"x(})x"; return s[0]; }\n')
    for i, new in enumerate((old.replace(b"+ x", b"- x"), old.replace(b"c */", b"c"), old + b"}")):
        write(folder, "contexts", f"texts-{i}", b"\2" + old + b"\0" + new)


def main():
    folder, llvm, arcline_cc = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        images, counted = ([(name, image) for name, image in made
                            if len(image) < 40000]
                           for made in (build(work, llvm),
                                        build_counted(work, arcline_cc)))
    if not images or not counted:
        sys.exit("make_seeds.py: no compiler made a program")
    for name, image in images + counted:
        write(folder, "image", name, image)
        write(folder, "lines", name, image)
    write_whole(folder, images, counted)
    write_archives(folder, images, counted)
    write_contexts(folder)
    for i, seed in enumerate(gmon_seeds()):
        write(folder, "gmon", str(i), seed)
    write(folder, "side", "all", SIDE)
    write(folder, "side", "joined", side_of(0x1000))
    for flags in range(8):
        write(folder, "live", str(flags), recovered(b"", flags, live()))
        for name, image in counted:
            write(folder, "recover", f"{name}-{flags}",
                  recovered(image, flags, live(Counted(image))))
            write(folder, "pool", f"{name}-{flags}",
                  recovered(image, flags, pool(Counted(image))))
    for i, (name, text) in enumerate((
            ("settings", b"; text\nprofiles = runs\nexclude = third/*\n  made/*\nroot = .\n"
                         b"path-map = .=src\nforce = no\n[diff]\nfail-under = lines=80\n[annotate]\n"
                         b"branches = yes\nsort = name\n"),
            ("markers", b"stop=cov(on)\na // LCOV_EXCL_START\nb // cov(on)\n/* GCOVR_EXCL_FUNCTION */\n"
                        b"LCOV_EXCL_BR_LINE LCOV_UNREACHABLE_STOP"),
            ("gates", b"file:lines(src/*) = 80.5 %"),
            ("changes", b'diff --git a/a.c b/a.c\n--- a.c\n+++ "\\303\\244\\t.c"\n@@ -1,2 +3,4 @@\n+x\n'
                        b"+++ a.c\n@@ -1 +1,0 @@\n"))):
        write(folder, "project", name, bytes([i]) + text)
    for i, text in enumerate((b"calls(f(int)) > +3%", b"function:branches(A::*)<50", b"count(a.c:7)>9")):
        write(folder, "project", f"gate-{i}", b"\x02" + text)
    write(folder, "symspec", "each-form",
          b"ab\naone.c\na5\naone.c:b\nbone.c:5\nca:\ne/b\nfa/b\nf/\n@:c\naa.c/b:2")


if __name__ == "__main__":
    main()
