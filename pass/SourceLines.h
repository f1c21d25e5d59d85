// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Maps the code of a function to lines of the source. Pure analysis.
#ifndef ARCLINE_SOURCELINES_H
#define ARCLINE_SOURCELINES_H

#include "FlowGraph.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace arcline {

class SourceText;

/// The line of an instruction; line 0 if it is not in the source.
SourceLine lineOf(const llvm::Function &F, const llvm::Instruction &I);

/// Fill in the source lines of each node: those at which control enters code of
/// the source.
void collectLines(FlowGraph &Graph, SourceText &Text,
                  const llvm::DominatorTree &Dominators);

} // namespace arcline

#endif
