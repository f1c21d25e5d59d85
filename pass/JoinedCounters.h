// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Joins counters that control always passes together to one, as long as the
/// optimiser works: most updates of inlined code follow from others, and all
/// passes visit each of them. Cells and plans are those of the members.
#ifndef ARCLINE_JOINEDCOUNTERS_H
#define ARCLINE_JOINEDCOUNTERS_H

#include "Counters.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace arcline {

/// Let JoinPass join counters in M. Returns the array of joined counters, whose
/// address has to be in use.
llvm::GlobalVariable *createJoinedCounters(llvm::Module &M);

/// The counters that Counter is joined from, or Counter alone.
llvm::SmallVector<CounterRef, 4> membersOf(CounterRef Counter);

/// Undo what SimplifyCFG did: replace each update in F that is of one of
/// several counters by updates of these. Of joined counters, only updates by 1
/// are left. Reports an error through the context if the counters cannot be
/// found.
void separateMerged(llvm::Function &F);

/// Replace an update of a joined counter by updates of its members.
llvm::SmallVector<CounterUpdate, 4> takeApart(const CounterUpdate &Update);

/// Remove the array and the metadata of joined counters.
void eraseJoinedCounters(llvm::Module &M);

/// Joins counters of one block that control always passes together.
struct JoinPass : llvm::PassInfoMixin<JoinPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace arcline

#endif
