// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CoroutineCode.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace arcline {

bool isSuspendPoint(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic &&
         (Intrinsic->getIntrinsicID() == Intrinsic::coro_suspend ||
          Intrinsic->getIntrinsicID() == Intrinsic::coro_suspend_async ||
          Intrinsic->getIntrinsicID() == Intrinsic::coro_suspend_retcon);
}

CoroutineCode::CoroutineCode(const Function &F)
    : IsHelper(F.getName().contains(".__await_suspend_wrapper_")) {
  const DISubprogram *Program = F.getSubprogram();
  if (!F.isPresplitCoroutine() || !Program)
    return;
  bool HasBegun = false;
  for (const Instruction &I : instructions(F)) {
    const DILocation *Location = I.getDebugLoc();
    if (Location && Location->getFile() == Program->getFile() &&
        (Location->getLine() == Program->getLine() ||
         Location->getLine() == Program->getScopeLine()))
      Code.insert(&I);
    if (HasBegun || !isSuspendPoint(I))
      continue;
    addBefore(*I.getParent());
    HasBegun = true;
  }
}

/// Add the code before the first suspension. Copies of parameters have the
/// location of some statement, and so have checks of sanitizers there.
void CoroutineCode::addBefore(const BasicBlock &Suspending) {
  SmallPtrSet<const BasicBlock *, 16> Before = {&Suspending};
  SmallVector<const BasicBlock *, 16> Left = {&Suspending};
  while (!Left.empty()) {
    const BasicBlock *Block = Left.pop_back_val();
    for (const Instruction &I : *Block)
      Code.insert(&I);
    for (const BasicBlock *Other : predecessors(Block))
      if (Before.insert(Other).second)
        Left.push_back(Other);
  }
}

} // namespace arcline
