// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Marks the lifetimes of local variables of blocks for the optimiser, if the
/// front end does not, so that they share slots of the frame.
#ifndef ARCLINE_LIFETIMES_H
#define ARCLINE_LIFETIMES_H

namespace llvm {
class Function;
} // namespace llvm

namespace arcline {

/// Insert lifetime markers, in a function as the front end made it, with debug
/// information on variables; in C only. Otherwise nothing is changed.
void markLifetimes(llvm::Function &F);

} // namespace arcline

#endif
