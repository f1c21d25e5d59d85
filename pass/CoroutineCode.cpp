// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CoroutineCode.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
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
    if (!isSuspendPoint(I))
      continue;
    if (!HasBegun)
      addBefore(*I.getParent(), Dominators);
    HasBegun = true;
    addResumed(I, Dominators);
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

/// Add the code that follows on the line of the suspension, after it is resumed
/// or destroyed.
void CoroutineCode::addResumed(const Instruction &Suspend,
                               const DominatorTree &Dominators) {
  const DILocation *At = Suspend.getDebugLoc();
  if (!At)
    return;
  const BasicBlock *From = Suspend.getParent();
  SmallVector<const BasicBlock *, 8> Left(successors(From));
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (!Left.empty()) {
    const BasicBlock *Block = Left.pop_back_val();
    // A loop on one line begins its next iteration.
    if (Dominators.dominates(Block, From) || !Seen.insert(Block).second)
      continue;
    bool IsPast = false;
    for (const Instruction &I : *Block) {
      const DILocation *Location = I.getDebugLoc();
      IsPast |= Location && Location->getLine() &&
                (Location->getLine() != At->getLine() ||
                 Location->getFile() != At->getFile());
      if (IsPast)
        break;
      Code.insert(&I);
    }
    if (!IsPast)
      append_range(Left, successors(Block));
  }
}

} // namespace arcline
