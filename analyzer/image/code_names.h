/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Names the code of an object that need not be built for profiling: a system
 * library, stripped or not. Functions are those of its symbol table, or of that
 * of its debug file (debug_file.h); exported ones; those in .gnu_debugdata;
 * and, without a name, those that only .eh_frame lists. Linkers' stubs have the
 * names of the functions that they jump to.
 */
#ifndef ARCLINE_CODE_NAMES_H
#define ARCLINE_CODE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct code_names;

/** A function, or a part of one. */
struct code_function {
  uint64_t low, high; /* vaddrs: low <= vaddr < high */
  const char *name;   /* linkage name, perhaps with a version after an @; lives
                         as long as the object is open. NULL: it has none */
  bool is_stub;       /* the linker's, which jumps to the function of the
                         name */
};

/**
 * Open an object.
 *
 * path        copied.
 * build_id    that it must have; n_build_id 0: any.
 *
 * Returns 0; or -1 with *err set and *out NULL.
 * Errors: unreadable, no ELF file, another build-id, no memory. Damaged symbols
 *         are left out.
 * Owns:   caller calls code_names_close(*out).
 */
int code_names_open(const char *path, const uint8_t *build_id,
                    size_t n_build_id, struct code_names **out,
                    struct err *err);

/** The vaddr of a byte of the file. Returns false if it is no code. */
bool code_names_vaddr(const struct code_names *names, uint64_t offset,
                      uint64_t *vaddr);

/** Find the function that has a vaddr. Returns false if no code is there.
 * O(log n). */
bool code_names_at(const struct code_names *names, uint64_t vaddr,
                   struct code_function *out);

/** Find the function that the object exports under a name. Returns false if
 * there is none, or if it is chosen at load time (ifunc). */
bool code_names_offered(const struct code_names *names, const char *name,
                        uint64_t *vaddr);

/**
 * A function's name in reports: NAME, NAME@plt, or OBJECT+0xVADDR.
 *
 * Returns a text to free(); or NULL (no memory).
 */
char *code_names_text(const struct code_names *names,
                      const struct code_function *function);

/** Close; NULL may be closed too. */
void code_names_close(struct code_names *names);

#endif
