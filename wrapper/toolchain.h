/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Selects the clang to run, and the pass plugin that fits it: a plugin is for
 * one major release of LLVM. Several may be installed side by side, each in a
 * folder llvm-N with a file `clang.path` that names the compiler that it was
 * built for; a build folder has one. */
#ifndef ARCLINE_WRAPPER_TOOLCHAIN_H
#define ARCLINE_WRAPPER_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOLCHAIN_PATH_BYTES = 4096, TOOLCHAIN_TEXT_BYTES = 256 };

enum { TOOLCHAIN_GCC = -1 };

/**
 * Find the plugin of a release.
 *
 * dir  folder of the wrapper.
 * out  of TOOLCHAIN_PATH_BYTES; set to its real path.
 *
 * Returns true, or false if it is not there.
 */
bool toolchain_find_plugin(const char *dir, int major, char *out);

/** Find the clang that a plugin was built for. The same way. */
bool toolchain_find_clang(const char *dir, int major, char *out);

/** The newest release with a plugin and a clang, or 0. */
int toolchain_newest(const char *dir);

/** List the releases that have a plugin: "16, 19", or "none". */
void toolchain_list(const char *dir, char out[TOOLCHAIN_TEXT_BYTES]);

/** The release that a name like clang-19, clang++-19 or arcline-cc-19 ends
 * with, or 0. A path is not a name. */
int toolchain_major_of_name(const char *name);

/** Is it a name of clang, with or without a release? A path is not a name. */
bool toolchain_is_clang_name(const char *name);

/** Is it a link to arcline-cc or arcline-c++? It would run itself for ever.
 * clang: as execvp() takes it. */
bool toolchain_is_wrapper(const char *clang);

/** Find the release of a compiler: by its name or its folder, or else by
 * running it.
 *
 * clang  as execvp() takes it.
 *
 * Returns 0 if that fails, as for a compiler that cannot be run, or
 * TOOLCHAIN_GCC. */
int toolchain_major(const char *clang);

#endif
