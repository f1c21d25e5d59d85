// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives each function that is left after inlining its cells, and emits the
/// constant data of arcline/abi.h that maps them to counters.
#ifndef ARCLINE_BODIES_H
#define ARCLINE_BODIES_H

#include "Addresses.h"

#include "llvm/ADT/STLFunctionalExtras.h"
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
/// Place      lists the blocks of a function whose code is final
/// Used       gets globals without references that must not be dropped
void finishBodies(
    llvm::Module &M, const SourceFunctions &Sources,
    llvm::FunctionAnalysisManager &FAM, bool IsMinimal,
    llvm::function_ref<llvm::SmallVector<BlockEntry, 0>(llvm::Function &)>
        Place,
    llvm::SmallVectorImpl<llvm::GlobalValue *> &Used);

} // namespace arcline

#endif
