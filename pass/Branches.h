// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives branches one class in all versions of LLVM: LLVM 23 has one for those
/// with a condition and another for those without.
#ifndef ARCLINE_BRANCHES_H
#define ARCLINE_BRANCHES_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Instructions.h"

namespace arcline {

/// A branch with a condition and two successors. LLVM 23 has classes of their
/// own for branches with and without a condition.
#if LLVM_VERSION_MAJOR >= 23
using ConditionalBranch = llvm::CondBrInst;
#else
using ConditionalBranch = llvm::BranchInst;
#endif

inline const ConditionalBranch *asConditional(const llvm::Instruction &I) {
  const auto *Branch = llvm::dyn_cast<ConditionalBranch>(&I);
#if LLVM_VERSION_MAJOR < 23
  if (Branch && !Branch->isConditional())
    return nullptr;
#endif
  return Branch;
}

inline ConditionalBranch *asConditional(llvm::Instruction &I) {
  return const_cast<ConditionalBranch *>(
      asConditional(const_cast<const llvm::Instruction &>(I)));
}

/// Is it a branch, with or without a condition?
inline bool isBranch(const llvm::Instruction &I) {
#if LLVM_VERSION_MAJOR >= 23
  return llvm::isa<llvm::UncondBrInst, llvm::CondBrInst>(I);
#else
  return llvm::isa<llvm::BranchInst>(I);
#endif
}

} // namespace arcline

#endif
