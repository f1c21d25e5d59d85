// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TightLoops.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

using namespace llvm;

namespace arcline {

/// Some ten cycles, at four instructions each. What takes longer need not wait.
static constexpr unsigned Far = 40;

static bool isRealCall(const Instruction &I) {
  return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
}

/// About how many instructions it becomes.
static unsigned costOf(const Instruction &I) {
  if (I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() || isa<PHINode>(I) ||
      isa<CastInst>(I) || isa<GetElementPtrInst>(I))
    return 0;
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FDiv:
  case Instruction::FRem:
    return Far;
  default:
    return isRealCall(I) ? Far : 1;
  }
}

static unsigned costOf(BasicBlock::const_iterator Begin,
                       BasicBlock::const_iterator End) {
  unsigned Sum = 0;
  for (; Begin != End && Sum < Far; ++Begin)
    Sum += costOf(*Begin);
  return Sum;
}

/// Is there a way within L from Point back to it that is not far? The shortest
/// one, after Dijkstra; blocks count for what is in them.
static bool comesBackSoon(const Instruction &Point, const Loop &L) {
  const BasicBlock *Home = Point.getParent();
  using Arrival = std::pair<unsigned, const BasicBlock *>; // at its beginning
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> Arrivals;
  DenseMap<const BasicBlock *, unsigned> Least;
  auto Leave = [&](const BasicBlock &Block, unsigned Cost) {
    for (const BasicBlock *Next : successors(&Block)) {
      if (Cost >= Far || !L.contains(Next))
        continue;
      auto [Known, IsNew] = Least.try_emplace(Next, Cost);
      if (IsNew || Cost < Known->second) {
        Known->second = Cost;
        Arrivals.push({Cost, Next});
      }
    }
  };
  Leave(*Home, costOf(Point.getIterator(), Home->end()));
  while (!Arrivals.empty()) {
    const auto [Cost, Block] = Arrivals.top();
    Arrivals.pop();
    if (Block == Home)
      return Cost + costOf(Home->begin(), Point.getIterator()) < Far;
    Leave(*Block, Cost + costOf(Block->begin(), Block->end()));
  }
  return false;
}

/// A register that lives across calls has to be saved by the function.
static bool hasCalls(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, isRealCall);
  });
}

/// Where to compute an address for Point, in L.
static Instruction *placeFor(Instruction *Point, const Loop &L,
                             const DominatorTree &Dominators) {
  if (hasCalls(L))
    return Point;
  return Dominators.getNode(L.getHeader())
      ->getIDom()
      ->getBlock()
      ->getTerminator();
}

DenseMap<const Instruction *, Instruction *>
findTightLoops(Function &F, ArrayRef<Instruction *> Points) {
  DenseMap<const Instruction *, Instruction *> Result;
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  for (Instruction *Point : Points)
    for (const Loop *L = Loops.getLoopFor(Point->getParent()); L;
         L = L->getParentLoop()) {
      if (!comesBackSoon(*Point, *L))
        continue;
      Result[Point] = placeFor(Point, *L, Dominators);
      break;
    }
  return Result;
}

Value *addressInRegister(Constant *Address, Type *Type, Instruction *Before) {
  FunctionType *Signature =
      FunctionType::get(Type, {Address->getType()}, false);
  // Not a computation that the code generator knows: it would put the address
  // back into the increment, or keep it in a register across calls.
  InlineAsm *Lea = InlineAsm::get(Signature, "leaq ${1:c}(%rip), $0", "=r,i",
                                  /*hasSideEffects=*/true);
  CallInst *Result = IRBuilder<>(Before).CreateCall(Lea, {Address});
  Result->setDebugLoc(DebugLoc());
  Result->setDoesNotThrow();
  return Result;
}

} // namespace arcline
