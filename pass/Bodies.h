// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives each function that is left after inlining its cells, and emits the
/// constant data of arcline/abi.h that maps them to counters.
#ifndef ARCLINE_BODIES_H
#define ARCLINE_BODIES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class GlobalValue;
class Module;
} // namespace llvm

namespace arcline {

class SourceFunctions;

/// In each function, replace the counters that it updates, of whatever source
/// function, by cells of its own, and the markers of indirect calls by what
/// they stand for.
///
/// IsMinimal  there are no more counters than needed already
/// Used       gets globals without references that must not be dropped
void finishBodies(llvm::Module &M, const SourceFunctions &Sources,
                  llvm::FunctionAnalysisManager &FAM, bool IsMinimal,
                  llvm::SmallVectorImpl<llvm::GlobalValue *> &Used);

} // namespace arcline

#endif
