/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds debug information that was split off a program into a file of its own,
 * as distributions do (`objcopy --only-keep-debug`). For lines.h and image.h.
 */
#ifndef ARCLINE_DEBUG_FILE_H
#define ARCLINE_DEBUG_FILE_H

#include "base/mapped_file.h"

struct Dwarf;
struct Elf;

/** An open debug file, for debug_elf.h; stays where it is. All zero: none. */
struct debug_file {
  struct Elf *elf; /* NULL: none */
  struct mapped_file mapped;
};

/**
 * Find and open the debug file of a program.
 *
 * path  of the program.
 *
 * Tried: by build-id below ROOT/.build-id; by the name in .gnu_debuglink in the
 * program's folder, in .debug there, and below ROOT. ROOT is each folder of the
 * environment's ARCLINE_DEBUG_PATH, then /usr/lib/debug. Files that are not
 * regular, or of another program (build-id, or checksum if there is none), are
 * skipped. Finding none is no error.
 *
 * Owns: caller closes *out.
 */
void debug_file_find(struct Elf *elf, const char *path, struct debug_file *out);

/**
 * Find and open the file in .gnu_debugaltlink: the file to which dwz moved
 * entries that several debug files share. Only a regular file with the build-id
 * given there: by it below ROOT, as above, or by the name.
 *
 * path  of the file that dwarf is of.
 *
 * Owns: caller closes *out.
 */
void debug_file_find_alternative(struct Dwarf *dwarf, const char *path,
                                 struct debug_file *out);

/** Close; none may be closed too. */
void debug_file_close(struct debug_file *file);

#endif
