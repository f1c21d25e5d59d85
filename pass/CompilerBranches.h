// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds branches that clang makes and the source does not have: for cleanups,
/// guards of static objects, null checks of delete and casts, loops over the
/// elements of arrays, the choice of a handler, coroutines, OpenMP, sanitizers.
#ifndef ARCLINE_COMPILERBRANCHES_H
#define ARCLINE_COMPILERBRANCHES_H

#include "Compat.h"
#include "Markers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class BasicBlock;
class AllocaInst;
class Instruction;
class Function;
class SwitchInst;
class Value;
} // namespace llvm

namespace arcline {

/// V without conversions to the opposite.
const llvm::Value *withoutNot(const llvm::Value *V);

/// Is V the opposite of withoutNot(V)?
bool isOpposite(const llvm::Value *V);

/// Does a loop begin here that is not in the source, such as that over the
/// elements of an array?
bool beginsOwnLoop(const llvm::BasicBlock &Block);

/// Does it belong to the test of `case A ... B` if that is a large range? clang
/// puts it after the code of the case, and has no location for it.
bool isOfCaseRange(const llvm::Instruction &I);

class CompilerBranches {
public:
  explicit CompilerBranches(const llvm::Function &F);

  /// Is this conditional branch or switch not in the source?
  bool contains(const ConditionalBranch &Branch) const;
  bool contains(const llvm::SwitchInst &Switch) const;

  /// Is it code that clang puts at the end of a scope: the destructor of a
  /// variable, the end of a handler, or the store of the target after it?
  bool endsScope(const llvm::Instruction &I) const;

  /// Is it where a loop ends: at the last token of its body, or the brace?
  bool isAtEndOfLoop(const llvm::Instruction &I) const;

private:
  bool isCleanupSlot(const llvm::AllocaInst &Variable) const;
  bool testsForTurns(const llvm::Value *Condition) const;
  bool isSection(const llvm::Value *V) const;
  bool testsForSection(const llvm::Value *Condition) const;

  /// Variables that debug information names.
  llvm::DenseMap<const llvm::Value *, llvm::StringRef> Names;
  llvm::DenseSet<DebugPlace> LoopEnds;
  /// Variables that OpenMP sets to the iterations of a thread.
  llvm::DenseSet<const llvm::AllocaInst *> Bounds;
};

} // namespace arcline

#endif
