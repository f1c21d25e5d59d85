# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that the benchmarks build and run.

To add one: write its workload (bench/workloads/*_workload.c or bench/kernels/*.c), which takes a
scale as its first argument, does the same work in every build and prints a checksum of its work;
then add an entry to PROGRAMS. Other input is downloaded by bench/fetch.
"""
import dataclasses
import glob
import os

BENCH = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Program:
    """A program that is compiled and linked by one command.

    Paths are relative to bench/, or to the folder of downloads if they begin
    with the name of one of `downloads`; there they may be patterns.
    """
    name: str
    sources: tuple
    scale: int  # for 0.5 to 2 s of CPU time without a profiler
    downloads: tuple = ()
    options: tuple = ()
    libraries: tuple = ()
    is_cxx: bool = False
    threads: int = 0  # argument after the scale; 0: has no threads
    folder: str = ""  # of its builds, if it shares them with another entry
    outputs: tuple = ()  # files that it writes, to be compared too

    can_be_library = True  # see library_steps

    @property
    def build_folder(self):
        return self.folder or self.name

    def source_files(self, downloads):
        files = []
        for source in self.sources:
            if source.split("/")[0] in self.downloads:
                found = sorted(glob.glob(os.path.join(downloads, source)))
                files += [file for file in found if not is_test(file)]
            else:
                files.append(os.path.join(BENCH, source))
        return files

    def compile_options(self, downloads):
        """-O2 -g, and its own options: {} in them is the downloads' folder."""
        own = [option.replace("{}", downloads) for option in self.options]
        return ["-O2", "-g", *(expand(option) for option in own)]

    def prepare_steps(self, clang, downloads, factor):
        """The commands that make the input of its runs."""
        del clang, downloads, factor
        return []

    def build_steps(self, compiler, downloads):
        """The commands that build it as the file `program`."""
        return [[*compiler, *self.compile_options(downloads),
                 *self.source_files(downloads), "-o", "program",
                 *self.libraries]]

    def library_steps(self, compiler, downloads):
        """The commands that build all of it, including main, as a shared library, and `program`,
        which only loads that."""
        return [[*compiler, *self.compile_options(downloads), "-fPIC",
                 "-shared", *self.source_files(downloads), "-o",
                 "libprogram.so", *self.libraries],
                [*compiler, "libprogram.so", "-Wl,-rpath,$ORIGIN", "-o",
                 "program"]]

    def arguments(self, downloads, factor):
        """Arguments of a run. factor 0: the least possible work."""
        del downloads
        scale = max(1, round(self.scale * factor))
        return [str(scale)] + ([str(self.threads)] if self.threads else [])


class GnuAs(Program):
    """GNU as, by its own configure script; it assembles SQLite."""

    can_be_library = False
    CONFIGURE = ("--quiet", "--disable-nls", "--disable-plugins",
                 "--disable-werror", "--disable-shared", "MAKEINFO=true")

    def source_files(self, downloads):
        return [os.path.join(downloads, "binutils", "configure")]

    def build_steps(self, compiler, downloads):
        # As part of CC: libtool drops unknown options.
        configure = [os.path.join(downloads, "binutils", "configure"),
                     "CC=" + " ".join(compiler), "CFLAGS=-O2 -g -w",
                     *self.CONFIGURE]
        return [configure, ["make", "-s", "all-gas", "MAKEINFO=true"],
                ["ln", "-f", os.path.join("gas", "as-new"), "program"]]

    def input_file(self, downloads, factor):
        """The file to assemble, and the source that it is made from."""
        if factor == 0:
            return (os.path.join(downloads, "interpreter-lines.s"),
                    os.path.join(BENCH, "kernels", "interpreter.c"))
        return (os.path.join(downloads, "sqlite3-lines.s"),
                os.path.join(downloads, "sqlite3", "sqlite3.c"))

    def prepare_steps(self, clang, downloads, factor):
        text, source = self.input_file(downloads, factor)
        if os.path.exists(text):
            return []
        # Without clang's own directives.
        return [[clang, "-O2", "-gline-tables-only", "-S", "-fno-addrsig",
                 source, "-o", text + ".new"],
                ["mv", text + ".new", text]]

    def arguments(self, downloads, factor):
        return [self.input_file(downloads, factor)[0], "-o", self.outputs[0]]


def is_test(file):
    name = os.path.basename(file)
    return name.endswith("_test.cc") or name.startswith(("test", "db_bench",
                                                         "leveldbutil"))


def expand(option):
    """-I with a pattern becomes -I with the folder that matches."""
    if option.startswith("-I") and "*" in option:
        return "-I" + glob.glob(option[2:])[0]
    return option


# -lpthread, never -pthread: with that, gcc --coverage takes atomic counters.
LEVELDB = Program(
    "leveldb",
    ("workloads/leveldb_workload.cc", "leveldb/leveldb-*/db/*.cc",
     "leveldb/leveldb-*/table/*.cc", "leveldb/leveldb-*/util/*.cc",
     "leveldb/leveldb-*/port/*.cc", "leveldb/leveldb-*/helpers/memenv/*.cc",
     "leveldb/snappy/snappy/snappy.cc",
     "leveldb/snappy/snappy/snappy-s[it]*.cc"),
    scale=6, downloads=("leveldb",), is_cxx=True, threads=1,
    options=("-std=c++11", "-w", "-DOS_LINUX", "-DSNAPPY",
             "-DLEVELDB_PLATFORM_POSIX", "-DHAVE_CONFIG_H",
             "-I{}/leveldb/leveldb-*", "-I{}/leveldb/leveldb-*/include",
             "-I{}/leveldb/snappy/snappy", "-I{}/leveldb/snappy/linux"),
    libraries=("-lpthread",))

THREADS = Program("threads-1", ("kernels/threads.c",), scale=130, threads=1,
                  libraries=("-lpthread",), folder="threads")

PROGRAMS = [
    Program("sqlite", ("workloads/sqlite_workload.c", "sqlite3/sqlite3.c"), scale=20,
            downloads=("sqlite3",),
            options=("-I{}/sqlite3", "-DSQLITE_OMIT_LOAD_EXTENSION"),
            libraries=("-lm", "-lpthread")),
    LEVELDB,
    dataclasses.replace(LEVELDB, name="leveldb-mt", scale=3, threads=4,
                        folder="leveldb"),
    Program("zlib",
            ("workloads/zlib_workload.c", *(f"binutils/zlib/{name}.c" for name in (
                "adler32", "compress", "crc32", "deflate", "inffast", "inflate",
                "inftrees", "trees", "uncompr", "zutil"))),
            scale=7, downloads=("binutils",),
            options=("-w", "-I{}/binutils/zlib")),
    GnuAs("gnu-as", (), scale=1, downloads=("binutils", "sqlite3"),
          outputs=("out.o",)),
    Program("json", ("workloads/json_workload.cc",), scale=80, downloads=("json",),
            options=("-I{}/json",), is_cxx=True),
    Program("matrix", ("kernels/matrix.c",), scale=300),
    Program("sort", ("kernels/sort.c",), scale=100),
    Program("hash", ("kernels/hash.c",), scale=200),
    Program("interpreter", ("kernels/interpreter.c",), scale=30),
    THREADS,
    dataclasses.replace(THREADS, name="threads-4", threads=4),
    # A control set: fetched after all work on the cost of counting, which was not
    # measured with them.
    Program("expat", ("workloads/expat_workload.c", "expat/xmlparse.c", "expat/xmlrole.c",
                      "expat/xmltok.c"),
            scale=60, downloads=("expat",),
            options=("-w", "-DHAVE_EXPAT_CONFIG_H", "-I{}/expat")),
    Program("brotli", ("workloads/brotli_workload.c", "brotli/common/*.c",
                       "brotli/dec/*.c", "brotli/enc/*.c"),
            scale=20, downloads=("brotli",), options=("-w", "-I{}/brotli/include"),
            libraries=("-lm",)),
    Program("lz4", ("workloads/lz4_workload.c", "lz4/lz4.c", "lz4/lz4hc.c"), scale=12,
            downloads=("lz4",), options=("-w", "-I{}/lz4")),
    Program("libxml2", ("workloads/libxml2_workload.c", *(
        f"libxml2/{name}.c" for name in (
            "buf", "catalog", "chvalid", "dict", "encoding", "entities",
            "error", "globals", "hash", "HTMLparser", "HTMLtree", "legacy",
            "list", "parser", "parserInternals", "pattern", "relaxng",
            "schematron", "SAX2", "SAX", "tree", "threads", "uri", "valid",
            "xinclude", "xlink", "xmlIO", "xmlmemory", "xmlmodule", "xmlreader",
            "xmlregexp", "xmlsave", "xmlschemas", "xmlschemastypes",
            "xmlstring", "xmlunicode", "xmlwriter", "xpath", "xpointer"))),
            scale=80, downloads=("libxml2",),
            options=("-w", "-I{}/libxml2", "-I{}/libxml2/include"),
            libraries=("-lm", "-lpthread", "-ldl")),
    Program("rapidjson", ("workloads/rapidjson_workload.cc",), scale=300,
            downloads=("headers",), options=("-w", "-I{}/headers"),
            is_cxx=True),
    Program("fmt", ("workloads/fmt_workload.cc",), scale=100, downloads=("headers",),
            options=("-DFMT_HEADER_ONLY", "-I{}/headers"), is_cxx=True),
    # The same, for work on block addresses and on the end of a process.
    Program("hunspell", ("workloads/hunspell_workload.cc", *(
        f"hunspell/{name}.cxx" for name in (
            "affentry", "affixmgr", "csutil", "dictmgr", "filemgr", "hashmgr",
            "hunspell", "hunzip", "phonet", "replist", "strmgr",
            "suggestmgr"))),
            scale=8, downloads=("hunspell",), is_cxx=True,
            options=("-w", "-DHUNSPELL_STATIC", "-I{}/hunspell",
                     '-DDICTIONARY="{}/hunspell/en_US"')),
    Program("libsass", ("workloads/libsass_workload.cc", "libsass/src/*.cpp",
                        "libsass/src/memory/*.cpp"),
            scale=100, downloads=("libsass",), is_cxx=True,
            options=("-w", '-DLIBSASS_VERSION="3.5"', "-I{}/libsass/src",
                     "-I{}/libsass/include"),
            libraries=("-ldl",)),
    Program("oniguruma", ("workloads/oniguruma_workload.c", *(
        f"onig/{name}.c" for name in (
            "regcomp", "regenc", "regerror", "regexec", "regparse",
            "regsyntax", "regtrav", "regversion", "st", "enc/ascii",
            "enc/unicode", "enc/utf8"))),
            scale=240, downloads=("onig",), options=("-w", "-I{}/onig")),
    Program("opus", ("workloads/opus_workload.c", *(
        f"opus/src/{name}.c" for name in (
            "analysis", "mlp", "mlp_data", "opus", "opus_decoder",
            "opus_encoder", "repacketizer")), *(
        f"opus/celt/{name}.c" for name in (
            "bands", "celt", "celt_decoder", "celt_encoder", "celt_lpc",
            "cwrs", "entcode", "entdec", "entenc", "kiss_fft", "laplace",
            "mathops", "mdct", "modes", "pitch", "quant_bands", "rate", "vq")),
        "opus/silk/*.c", "opus/silk/float/*.c"),
            scale=30, downloads=("opus",), libraries=("-lm",),
            options=("-w", "-DHAVE_CONFIG_H", "-I{}/opus", "-I{}/opus/include",
                     "-I{}/opus/celt", "-I{}/opus/silk",
                     "-I{}/opus/silk/float")),
    Program("pegtl", ("workloads/pegtl_workload.cc",), scale=480, downloads=("pegtl",),
            options=("-std=c++17", "-w", "-I{}/pegtl"), is_cxx=True),
    Program("re2", ("workloads/re2_workload.cc", "re2/re2/*.cc", "re2/util/rune.cc",
                    "re2/util/strutil.cc"),
            scale=500, downloads=("re2",), is_cxx=True,
            options=("-std=c++17", "-w", "-I{}/re2"),
            libraries=("-lpthread",)),
    Program("treesitter", ("workloads/treesitter_workload.c", "sitter/src/lib.c",
                           "sitter/c/parser.c"),
            scale=10, downloads=("sitter",),
            options=("-w", "-I{}/sitter/include", "-I{}/sitter/src",
                     "-D_DEFAULT_SOURCE")),
    Program("xz", ("workloads/xz_workload.c", *(f"xz/liblzma/{name}.c" for name in (
        "check/check", "check/crc32_fast", "check/crc32_table",
        "check/crc64_fast", "check/crc64_table", "lz/lz_*",
        "lzma/fastpos_table", "lzma/lzma*coder", "lzma/lzma_encoder_*",
        "rangecoder/price_table", "common/block_*coder", "common/block_util",
        "common/common", "common/easy_buffer_encoder", "common/easy_preset",
        "common/filter_*", "common/index", "common/index_hash",
        "common/index_encoder", "common/index_decoder",
        "common/stream_*coder", "common/stream_flags_common",
        "common/vli_*"))),
            scale=8, downloads=("xz",),
            options=("-w", "-DHAVE_CONFIG_H", "-DHAVE_STDINT_H",
                     "-DHAVE_INTTYPES_H",
                     "-DHAVE_STDBOOL_H", "-DHAVE_STRING_H", "-DHAVE_LIMITS_H",
                     "-DHAVE_CHECK_CRC32", "-DHAVE_CHECK_CRC64",
                     "-DHAVE_ENCODER_LZMA1", "-DHAVE_ENCODER_LZMA2",
                     "-DHAVE_DECODER_LZMA1", "-DHAVE_DECODER_LZMA2",
                     "-DHAVE_MF_HC3", "-DHAVE_MF_HC4", "-DHAVE_MF_BT2",
                     "-DHAVE_MF_BT3", "-DHAVE_MF_BT4", "-DSIZEOF_SIZE_T=8",
                     "-DTUKLIB_SYMBOL_PREFIX=lzma_",
                     "-DTUKLIB_FAST_UNALIGNED_ACCESS", "-I{}/xz/common",
                     *(f"-I{{}}/xz/liblzma/{name}" for name in (
                         "api", "common", "check", "lz", "rangecoder", "lzma",
                         "simple", "delta")))),
    # The same, for work on block data, branches and compile time.
    Program("cmark", ("workloads/cmark_workload.c", "cmark/src/[a-l]*.c",
                      "cmark/src/man.c", "cmark/src/[n-z]*.c"),
            scale=300, downloads=("cmark",), options=("-w", "-I{}/cmark/src")),
    Program("lua", ("workloads/lua_workload.c", "lua5.4/src/l[a-t]*.c",
                    "lua5.4/src/lun*.c", "lua5.4/src/lut*.c",
                    "lua5.4/src/l[v-z]*.c"),
            scale=200, downloads=("lua5.4",), libraries=("-lm",),
            options=("-w", "-DLUA_USE_POSIX", "-I{}/lua5.4/src")),
    Program("minisat", ("workloads/minisat_workload.cc", "minisat2/minisat/core/Solver.cc",
                        "minisat2/minisat/utils/*.cc"),
            scale=150, downloads=("minisat2",), is_cxx=True,
            options=("-w", "-Wno-reserved-user-defined-literal",
                     "-I{}/minisat2")),
    Program("mujs", ("workloads/mujs_workload.c", "mujs/one.c"), scale=900,
            downloads=("mujs",), options=("-w", "-I{}/mujs"),
            libraries=("-lm",)),
    Program("pugixml", ("workloads/pugixml_workload.cc", "pugixml/src/pugixml.cpp"),
            scale=1000, downloads=("pugixml",), is_cxx=True,
            options=("-w", "-I{}/pugixml/src")),
    Program("yaml-cpp", ("workloads/yaml_workload.cc", "yaml-cpp/src/*.cpp"), scale=300,
            downloads=("yaml-cpp",), is_cxx=True,
            options=("-std=c++17", "-w", "-I{}/yaml-cpp/include")),
    Program("zstd", ("workloads/zstd_workload.c", *(
        f"libzstd/lib/{name}/*.c" for name in (
            "common", "compress", "decompress"))),
            scale=90, downloads=("libzstd",), libraries=("-lpthread",),
            options=("-w", "-DZSTD_DISABLE_ASM", "-I{}/libzstd/lib")),
    # The same, for work on tight loops.
    Program("box2d", ("workloads/box2d_workload.cc", *(
        f"box2d/src/{name}/*.cpp" for name in (
            "collision", "common", "dynamics", "rope"))),
            scale=3500, downloads=("box2d",), is_cxx=True,
            options=("-w", "-I{}/box2d/include", "-I{}/box2d/src")),
    Program("bzip2", ("workloads/bzip2_workload.c", *(
        f"bzip2/{name}.c" for name in (
            "blocksort", "bzlib", "compress", "crctable", "decompress",
            "huffman", "randtable"))),
            scale=8, downloads=("bzip2",), options=("-w", "-I{}/bzip2")),
    Program("double", ("workloads/double_workload.cc",
                       "double-conversion/double-conversion/*.cc"),
            scale=2500, downloads=("double-conversion",), is_cxx=True,
            options=("-w", "-I{}/double-conversion")),
    Program("duktape", ("workloads/duktape_workload.c", "duktape/src/duktape.c"),
            scale=1300, downloads=("duktape",), libraries=("-lm",),
            options=("-w", "-I{}/duktape/src")),
    Program("libyaml", ("workloads/libyaml_workload.c", "libyaml/src/*.c"), scale=600,
            downloads=("libyaml",),
            options=("-w", "-I{}/libyaml/include", "-DYAML_VERSION_MAJOR=0",
                     "-DYAML_VERSION_MINOR=2", "-DYAML_VERSION_PATCH=5",
                     '-DYAML_VERSION_STRING="0.2.5"')),
    Program("tidy", ("workloads/tidy_workload.c", "tidy-html5/src/*.c"), scale=140,
            downloads=("tidy-html5",),
            options=("-w", "-I{}/tidy-html5/include", "-I{}/tidy-html5/src",
                     '-DLIBTIDY_VERSION="5"', '-DRELEASE_DATE="2026"')),
    # Chosen and sized on 2026-11-25 with plain builds only.
    Program("glpk", ("workloads/glpk_workload.c", "glpk/src/[a-o]*/*.c",
                     "glpk/src/proxy/proxy*.c", "glpk/src/[q-z]*/*.c"),
            scale=130, downloads=("glpk",), libraries=("-lm",),
            options=("-w", *(f"-I{{}}/glpk/src{name}" for name in (
                "", "/amd", "/api", "/bflib", "/colamd", "/draft", "/env",
                "/intopt", "/minisat", "/misc", "/mpl", "/npp", "/proxy",
                "/simplex", "/zlib")))),
    Program("muparser", ("workloads/muparser_workload.cc", *(
        f"muparser/src/muParser{name}.cpp" for name in (
            "", "Base", "Bytecode", "Callback", "Error", "TokenReader"))),
            scale=220, downloads=("muparser",), is_cxx=True,
            options=("-std=c++11", "-w", "-DMUPARSER_STATIC",
                     "-I{}/muparser/include")),
    Program("polyclipping", ("workloads/polyclipping_workload.cc",
                             "libpolyclipping/cpp/clipper.cpp"),
            scale=250, downloads=("libpolyclipping",), is_cxx=True,
            options=("-w", "-I{}/libpolyclipping/cpp")),
    Program("tinyscheme", ("workloads/tinyscheme_workload.c", "tinyscheme/scheme.c"),
            scale=60, downloads=("tinyscheme",), libraries=("-lm",),
            options=("-w", "-DSTANDALONE=0", "-I{}/tinyscheme",
                     '-DINIT_FILE="{}/tinyscheme/init.scm"')),
    Program("tommath", ("workloads/tommath_workload.c", "libtommath/bn_*.c"), scale=80,
            downloads=("libtommath",), options=("-w", "-I{}/libtommath")),
    Program("zopfli", ("workloads/zopfli_workload.c", *(
        f"zopfli/src/zopfli/{name}.c" for name in (
            "blocksplitter", "cache", "deflate", "gzip_container", "hash",
            "katajainen", "lz77", "squeeze", "tree", "util",
            "zlib_container", "zopfli_lib"))),
            scale=10, downloads=("zopfli",), libraries=("-lm",),
            options=("-w", "-I{}/zopfli/src/zopfli")),
]
