// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CoroutineCode.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
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

CoroutineCode::CoroutineCode(const Function &F, const DominatorTree &Dominators)
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
    addBefore(*I.getParent(), Dominators);
    HasBegun = true;
  }
}

/// Add the code before the first suspension. Copies of parameters have the
/// location of some statement.
void CoroutineCode::addBefore(const BasicBlock &Suspending,
                              const DominatorTree &Dominators) {
  for (const auto *Node = Dominators.getNode(&Suspending); Node;
       Node = Node->getIDom())
    for (const Instruction &I : *Node->getBlock())
      Code.insert(&I);
}

} // namespace arcline
