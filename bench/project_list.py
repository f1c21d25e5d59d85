# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the projects of bench/projects: the commands of their users, and required packages."""
import dataclasses
import re

# Results printed by test programs and their drivers.
AUTOMAKE = re.compile(
    r"^(?P<result>PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (?P<name>.+)$", re.M)
CTEST = re.compile(r"^ *\d+/\d+ Test +#\d+: (?P<name>\S+) \.*(?:\*\*\*)?"
                   r" *(?P<result>[A-Z][a-z]+(?: [A-Z][a-z]+)?)", re.M)
MESON = re.compile(
    r"^ *\d+/\d+ (?P<name>.+?) +(?P<result>[A-Z]{2,})\b", re.M)
LIT = re.compile(
    r"^(?P<result>[A-Z]+): (?P<name>.+?) \(\d+ of \d+\)$", re.M)
GOOGLE = re.compile(
    r"^\[ +(?P<result>OK|FAILED|SKIPPED) +\] (?P<name>\S+) \(", re.M)

B2 = ("b2 --ignore-site-config --user-config=measured.jam -j{jobs} toolset=clang-measured "
      "variant=release debug-symbols=on link=static threading=multi " +
      " ".join(f"libs/{library}/test" for library in (
          "context", "coroutine2", "fiber", "program_options")))

QT_TESTS = ("qstring qbytearray qstringview qregularexpression qlist qhash qmap qdatetime "
            "qcborvalue qmetaobject qthread qthreadpool qfuture qmutex qsemaphore").split()

GRPC_TESTS = [f"{test}_test" for test in (
    "activity arena_promise join memory_quota_stress memory_quota resource_quota seq thread_pool "
    "uri_parser work_queue").split()]
MARIADB_TESTS = ("aes base64 bitmap byte_order crc32 dynstring json json_lib json_normalize lf "
                 "ma_control_file ma_dyncol ma_pagecache_consist_1k ma_pagecache_rwconsist_1k "
                 "ma_pagecache_single_1k ma_test_loghandler ma_test_loghandler_multigroup "
                 "ma_test_loghandler_nologs ma_test_loghandler_purge mf_iocache my_apc my_atomic "
                 "my_decimal my_getopt my_malloc my_symlink my_vsnprintf queues strings "
                 "trnman").split()


@dataclasses.dataclass(frozen=True)
class Project:
    """A project, built in a copy of Debian's sources, with the compilers in CC and CXX."""
    name: str  # of the source package
    what: str
    system: str  # that builds it
    build: str  # commands for the shell; {jobs}: at the same time
    test: str
    results: re.Pattern  # `name` and `result` of a test, in what that prints
    needs: tuple = ()  # Debian packages, besides compilers


PROJECTS = [
    Project("bzip2", "compressor, C", "make",
            'make -j{jobs} CC="$CC"', 'make test CC="$CC"',
            re.compile(r"^(?P<result>cmp) (?P<name>.+)$", re.M)),
    Project("jimtcl", "interpreter that loads extensions, C", "autosetup",
            "./configure --full --docs=0 && make -j{jobs}", "make test",
            re.compile(r"^ *(?P<name>\S+\.test): +Total +(?P<result>.+)$", re.M)),
    Project("gawk", "interpreter that loads extensions, C", "autoconf",
            # Debian's sources have no manual.
            "./configure && make -j{jobs} -C support && "
            "make -j{jobs} gawk && make -j{jobs} -C extension",
            "make -C test check",
            # Names are printed when tests begin, and again when one has failed.
            re.compile(r"^(?:make: \[Makefile:\d+: )?(?P<name>[\w-]+)"
                       r"(?P<result>(?:\] Error \d+ \(ignored\))?)$", re.M)),
    Project("hunspell", "library and programs, C++", "autoconf",
            "./configure --disable-nls && make -j{jobs}", "make check",
            AUTOMAKE),
    Project("jansson", "library, C", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo && "
            "ninja -C build", "ctest --test-dir build", CTEST),
    Project("libuv1", "library with threads and processes, C", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo && "
            "ninja -C build", "UV_RUN_AS_ROOT=1 build/uv_run_tests",
            re.compile(r"^(?P<result>ok|not ok) \d+ - (?P<name>\S+)", re.M)),
    Project("libjsoncpp", "library, C++", "CMake",
            # The tests run in each build, unless listed otherwise.
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "
            "-DJSONCPP_WITH_POST_BUILD_UNITTEST=OFF && ninja -C build",
            "build/bin/jsoncpp_test", re.compile(
                r"^Testing (?P<name>\S+): (?P<result>.+)$", re.M)),
    Project("tinyxml2", "library, C++", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo && "
            "ninja -C build", "build/xmltest",
            re.compile(r"^\[(?P<result>pass|fail)\] *(?P<name>.+)$", re.M)),
    Project("fribidi", "library and program, C", "Meson",
            "meson setup build --buildtype=debugoptimized -Ddocs=false && "
            "ninja -C build", "meson test -C build", MESON),
    Project("lighttpd", "server with modules, C", "Meson",
            "meson setup build --buildtype=debugoptimized -Dwith_pcre2=false && "
            "ninja -C build", "meson test -C build", MESON),
    Project("php8.2", "interpreter with its extensions, C", "autoconf",
            "./configure --disable-all --enable-cli --enable-ctype --enable-filter "
            "--enable-mbstring --disable-mbregex --enable-tokenizer --enable-posix "
            "--enable-pcntl --enable-phar --enable-session --enable-shmop && make -j{jobs}",
            "NO_INTERACTION=1 make test TESTS=-q", re.compile(
                r"\x1b\[[\d;]*m(?P<result>[A-Z]+)\S*\x1b\[0m .*\[(?P<name>\S+\.phpt)\]")),
    Project("eigen3", "library of templates, C++", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo && "
            "ninja -C build -j{jobs} linearstructure householder",
            "ctest --test-dir build -R '^(linearstructure|householder)_'", CTEST),
    Project("llvm-toolchain-19", "tools and their libraries, C++", "CMake",
            "cmake -S llvm -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "
            "-DLLVM_TARGETS_TO_BUILD=X86 -DLLVM_INCLUDE_BENCHMARKS=OFF && "
            "ninja -C build -j{jobs} FileCheck not count "
            "llvm-config llvm-cxxfilt llvm-undname",
            "build/bin/llvm-lit -v llvm/test/FileCheck llvm/test/Demangle "
            "llvm/test/tools/llvm-cxxfilt", LIT),
    Project("opencv", "library with threads and vector instructions, C++", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "
            "-DBUILD_LIST=core,ts -DBUILD_PERF_TESTS=OFF -DWITH_IPP=OFF -DWITH_ADE=OFF "
            "-DWITH_PNG=OFF -DWITH_JPEG=OFF -DWITH_TIFF=OFF -DWITH_WEBP=OFF "
            "-DWITH_OPENJPEG=OFF -DWITH_JASPER=OFF -DWITH_OPENEXR=OFF -DWITH_FFMPEG=OFF "
            "-DWITH_GSTREAMER=OFF -DWITH_GTK=OFF -DWITH_OPENCL=OFF -DWITH_PROTOBUF=OFF "
            "-DWITH_ITT=OFF -DWITH_QUIRC=OFF -DWITH_LAPACK=OFF -DENABLE_CCACHE=OFF && "
            "ninja -C build -j{jobs} opencv_test_core",
            "build/bin/opencv_test_core", GOOGLE),
    Project("emacs", "interpreter that dumps and loads its heap, C", "autoconf",
            "./autogen.sh && ./configure --without-all --without-x && make -j{jobs}",
            "make -k -C test check-src; cat test/src/*.log",
            re.compile(r"^ *(?P<result>passed|FAILED|skipped|failed) +\d+/\d+ +(?P<name>\S+)",
                       re.M)),
    Project("boost1.81", "libraries that switch stacks and start threads, C++", "b2",
            "echo \"using clang : measured : $CXX ;\" > measured.jam; " +
            B2,
            "find bin.v2 -name '*.run' -delete -o -name '*.output' -delete "
            "-o -name '*.test' -delete; " + B2,
            re.compile(r"^(?P<result>\*\*passed\*\*|\.\.\.failed testing\.capture-output) "
                       r"bin\.v2/(?P<name>\S+?\.test)\b", re.M),
            ("libboost1.81-tools-dev",)),
    Project("qt6-base", "library with threads and generated code, C++", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "
            "-DINPUT_opengl=no -DQT_FEATURE_xcb=OFF -DQT_FEATURE_sql=OFF "
            "-DQT_FEATURE_dbus=OFF -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=ON "
            "-DQT_BUILD_TESTS_BY_DEFAULT=OFF && ninja -C build -j{jobs} " +
            " ".join("tst_" + test for test in QT_TESTS),
            "for test in " + " ".join(QT_TESTS) + "; do "
            "$(find build/tests -type f -name tst_$test); done",
            re.compile(r"^(?P<result>PASS|FAIL!|SKIP|XFAIL|XPASS) *: (?P<name>\S+\(.*\))", re.M),
            ("libb2-dev", "libdouble-conversion-dev", "libicu-dev", "libpcre2-dev")),
    Project("mariadb", "libraries of a server: threads, locks, a storage engine, C", "CMake",
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWITH_SSL=system "
            "-DWITH_PCRE=system -DWITH_ZLIB=system -DWITH_UNIT_TESTS=ON " +
            " ".join(f"-DPLUGIN_{plugin}=NO" for plugin in (
                "ROCKSDB TOKUDB MROONGA SPIDER CONNECT SPHINX OQGRAPH COLUMNSTORE S3").split()) +
            " && ninja -C build -j{jobs} " + " ".join(f"{test}-t" for test in MARIADB_TESTS),
            "ctest --test-dir build -R '^(" + "|".join(MARIADB_TESTS) + ")$'", CTEST,
            ("libncurses-dev", "bison", "libaio-dev", "libpcre2-dev", "libssl-dev")),
    Project("grpc", "library with threads and promises, C++", "CMake",
            # The tests of the libraries without security. Names are those of gcc's libraries, and
            # a template is one that clang rejects since 19.
            "cp -r /usr/src/googletest/. third_party/googletest/ && "
            "cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DgRPC_BUILD_TESTS=ON "
            "-DCMAKE_CXX_FLAGS='-O2 -g -fclang-abi-compat=17 "
            "-Wno-missing-template-arg-list-after-template-kw' " +
            " ".join(f"-DgRPC_{library}_PROVIDER=package" for library in (
                "ABSL CARES BENCHMARK PROTOBUF RE2 SSL ZLIB").split()) +
            " && ninja -C build -j{jobs} " + " ".join(GRPC_TESTS),
            "for test in " + " ".join(GRPC_TESTS) + "; do build/$test; done", GOOGLE,
            ("libabsl-dev", "libprotobuf-dev", "libprotoc-dev", "protobuf-compiler",
             "libc-ares-dev", "libre2-dev", "libssl-dev", "libbenchmark-dev", "googletest")),
]
