// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds functions of a module that are not in the source. Pure analysis.
#ifndef ARCLINE_COMPILERMADE_H
#define ARCLINE_COMPILERMADE_H

namespace llvm {
class Function;
} // namespace llvm

namespace arcline {

/// Did the compiler add the function to those of the source? It adds implicit
/// members, thunks, initialisers of globals, and parts that OpenMP outlined. A
/// member that the source declares as defaulted is part of the source; so are
/// the variants of a constructor or destructor, except for isRestOfDestructor.
bool isMadeByCompiler(const llvm::Function &F);

/// Is it the variant for `delete` of a destructor without other variants? At
/// -O1 and above clang calls that of the base instead if the destructor has no
/// other work, so that its count is unknown.
bool isRestOfDestructor(const llvm::Function &F);

} // namespace arcline

#endif
