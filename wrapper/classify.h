/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Determines from a clang command line whether it generates code, links, and
 * requests debug information. */
#ifndef ARCLINE_WRAPPER_CLASSIFY_H
#define ARCLINE_WRAPPER_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>

struct job {
  bool compiles;          // runs the optimiser, and the plugin with it
  bool links;             // makes an executable or a shared object
  bool is_shared;         // and that a shared object, if it links
  bool is_static;         // without shared objects, if it links
  bool has_debug;         // a -g option decides the debug information
  bool lacks_libc;        // links without the C library, unless it names it
  bool names_libc;        // by -lc
  bool has_libc_file;     // among its inputs
  bool drops_sections;    // that nothing refers to, if it links
  bool has_script;        // instead of the linker's own
  bool is_kernel_code;    // for no process: a kernel, firmware, a boot loader
  bool sanitizes;         // a sanitizer may need the ends of variables
  bool has_no_passes;     // clang runs no pass, including those of plugins
  bool may_lack_counters; // warnings of code without counters are off
  const char *target;     // triple of the last --target; NULL: clang's default
  const char *width;      // the last of -m16, -m32, -mx32, -m64; NULL: none
  size_t i_dashes; // index of "--" among the arguments; their number if absent
};

/**
 * Classify a command line.
 *
 * args  without the program's name; response files expanded. The result
 *       refers to them.
 */
struct job classify(char *const *args, size_t n_args);

#endif
