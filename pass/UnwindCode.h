// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds the code of a function that runs while an exception unwinds it. Pure
/// analysis.
#ifndef ARCLINE_UNWINDCODE_H
#define ARCLINE_UNWINDCODE_H

#include "FlowGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instruction.h"

namespace arcline {

class SourceText;

/// Does a handler get its exception here? clang gives this call the location of
/// the code that it compiled before, the end of another handler.
bool beginsHandler(const llvm::Instruction &I);

/// Landing pads, cleanups on the exceptional way and the choice of a handler,
/// up to the point at which that one has its exception; but no block that
/// normal paths lead to as well. None of it is a statement: clang gives it the
/// location of some closing brace, or of the code that it compiled before.
class UnwindCode {
public:
  UnwindCode(llvm::Function &F, SourceText &Text);

  bool contains(const llvm::Instruction &I) const {
    return Blocks.contains(I.getParent()) || InHandlers.contains(&I);
  }

  /// The line of the `catch`, if its handler begins with I; otherwise line 0.
  SourceLine catchAt(const llvm::Instruction &I) const {
    return Catches.lookup(&I);
  }

private:
  void visitHandler(llvm::Instruction &Begin, SourceText &Text);

  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Blocks;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> InHandlers;
  llvm::DenseMap<const llvm::Instruction *, SourceLine> Catches;
};

} // namespace arcline

#endif
