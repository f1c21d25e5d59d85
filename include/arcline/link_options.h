/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists the linker's options for instrumented programs and libraries, as
 * strings. arcline-cc passes them on; packaging/CMakeLists.txt reads this file
 * for clang's configuration file.
 */
#ifndef ARCLINE_LINK_OPTIONS_H
#define ARCLINE_LINK_OPTIONS_H

/** For all images: the build-id identifies profiles. */
#define ARCLINE_LINK_ALL "--build-id"

/** With libc: samples are taken on stacks with room for them, and the program
 * sees the actions that it has set, see runtime/hooks/wrap.h. */
#define ARCLINE_LINK_WRAP                                                      \
  "--wrap=sigaction", "--wrap=sigaltstack", "--wrap=signal"

/** Executables with libc: these come from the archive even if only libc, after
 * it, refers to them. */
#define ARCLINE_LINK_WRAPPED                                                   \
  "--undefined=__wrap_sigaction", "--undefined=__wrap_sigaltstack",            \
      "--undefined=__wrap_signal"

/** Executables with libarcline-threads.a: threads that libraries create begin
 * in it, too; see runtime/start/, also if the user's options hide it. */
#define ARCLINE_LINK_THREADS                                                   \
  "--wrap=thrd_create", "--export-dynamic-symbol=pthread_create"

/** The same for dynamic ones: processes that a library has forked end in it.
 */
#define ARCLINE_LINK_EXIT                                                      \
  "--undefined=_exit", "--export-dynamic-symbol=_exit",                        \
      "--export-dynamic-symbol=_Exit"

#endif
