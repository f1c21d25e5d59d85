# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of many functions, profiles of it, and how much memory reading them takes.

    large_program.py source > FILE.s
    large_program.py profiles SYMBOLS
    large_program.py run COMMAND...

SYMBOLS is what nm prints. `profiles` writes one file of each kind that could take much
memory. `run` fails if a command's peak of memory is over 64 MiB and 16 times the size
of those of its arguments that are files.
"""
import os
import struct
import sys

N_FUNCTIONS = 100000
NAME = "function_%06d"


def print_source():
    print("\t.text\n\t.globl main\nmain:\tret")
    for i in range(N_FUNCTIONS):
        name = NAME % i
        print(f"\t.globl {name}\n\t.type {name}, @function\n"
              f"\t.p2align 4\n{name}:\tret")
    print('\t.section .note.GNU-stack,"",@progbits')


def arc(caller, callee):
    return struct.pack("<BQQI", 1, caller, callee, 1)


def histogram(low, high):
    n_bins = (high - low) // 4
    return struct.pack("<BQQII15sc", 0, low, high, n_bins, 100, b"seconds",
                       b"s") + b"\1\0" * n_bins


def write(path, *records):
    with open(path, "wb") as file:
        file.write(struct.pack("<4sI12x", b"gmon", 1))
        file.writelines(records)


def write_profiles(symbols_path):
    addresses = {}
    with open(symbols_path, encoding="utf-8") as file:
        for line in file:
            fields = line.split()
            if len(fields) == 3:
                addresses[fields[2]] = int(fields[0], 16)
    places = [addresses[NAME % i] for i in range(N_FUNCTIONS)]
    samples = histogram(places[0], places[-1])
    main = addresses["main"]
    write("samples.gmon", samples)
    write("children.gmon", *(arc(main, place) for place in places))
    write("parents.gmon", *(arc(place, places[7]) for place in places))
    write("chain.gmon", samples, *map(arc, places, places[1:]))
    write("cycle.gmon", samples, *map(arc, places, places[1:] + places[:1]))
    # Calls to and from where nothing is.
    write("nowhere.gmon", *(arc(1, 1) for _ in range(N_FUNCTIONS)))


def run(command):
    files = [name for name in command[1:] if os.path.isfile(name)]
    limit_kib = 64 * 1024 + 16 * sum(map(os.path.getsize, files)) // 1024
    child = os.fork()
    if child == 0:
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    print(f"{usage.ru_maxrss} of {limit_kib} KiB:", *command[1:], file=sys.stderr)
    if status or usage.ru_maxrss > limit_kib:
        sys.exit(1)


if sys.argv[1] == "source":
    print_source()
elif sys.argv[1] == "profiles":
    write_profiles(sys.argv[2])
else:
    run(sys.argv[2:])
