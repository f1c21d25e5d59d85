/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defines the range of LLVM's releases that the pass can be built for.
 * CMakeLists.txt and scripts/install-deps read the numbers from here. */
#ifndef ARCLINE_LLVM_RELEASES_H
#define ARCLINE_LLVM_RELEASES_H

#define ARCLINE_LLVM_OLDEST 16
#define ARCLINE_LLVM_NEWEST 23

#endif
