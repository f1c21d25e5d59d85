"""Change a word of both heads of a pool, with checksums that are right.

forge_pool.py POOL WORD VALUE
"""
import struct
import sys

HEADS = 16384
MASK = (1 << 64) - 1


def mix(total, word):
    total = (total ^ word) * 0x9E3779B97F4A7C15 & MASK
    return total ^ total >> 29


def count_used(words):
    """The number of words that the checksum, the first of them, is of; 0: it is wrong."""
    total = 0
    for i, word in enumerate(words[1:], 2):
        total = mix(total, word)
        if i > 8 and total == words[0]:
            return i
    return 0


def forge(data, offset, n_bytes, word, value):
    words = list(struct.unpack_from(f"={n_bytes // 8}Q", data, offset))
    n_used = count_used(words)
    if not n_used:
        return False
    words[word] = value
    words[0] = 0
    for item in words[1:n_used]:
        words[0] = mix(words[0], item)
    struct.pack_into(f"={n_used}Q", data, offset, *words[:n_used])
    return True


def main(path, word, value):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    done = forge(data, HEADS, 4096, int(word), int(value, 0))
    done = forge(data, HEADS + 4096, 4096, int(word), int(value, 0)) and done
    if not done:
        sys.exit("no valid head")
    with open(path, "wb") as file:
        file.write(data)


main(*sys.argv[1:])
