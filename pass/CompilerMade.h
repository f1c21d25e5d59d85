// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds functions of a module that are not in the source. Pure analysis.
#ifndef ARCLINE_COMPILERMADE_H
#define ARCLINE_COMPILERMADE_H

namespace llvm {
class Function;
} // namespace llvm

namespace arcline {

/// Did the compiler add the function to what the source has? Such are implicit
/// members, thunks, initialisers of globals, and parts that OpenMP outlined. A
/// member that the source declares as defaulted is none, and neither is a
/// constructor or destructor that exists in several variants, but for
/// isRestOfDestructor.
bool isMadeByCompiler(const llvm::Function &F);

/// Is it the variant for `delete` of a destructor that exists in no other one?
/// At -O1 and above clang calls that of the base in its place if nothing else
/// is to be done, so how often it ran is not known.
bool isRestOfDestructor(const llvm::Function &F);

} // namespace arcline

#endif
