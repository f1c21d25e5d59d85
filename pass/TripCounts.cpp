// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the final values of counters before a loop, from its trip count.
//
// PromotePass turns a counter into a register that grows by one in each
// iteration of a loop and is read after it. Its final value is known before the
// loop if the trip count is known. LLVM computes it there only if that is
// nearly free, or if the loop has no other effect. But in a vectorised loop the
// count would be a vector, with an addition for each part of it: most of the
// work of a loop over bytes, which is then not vectorised.

#include "Compat.h"
#include "Counters.h"
#include "Passes.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace arcline {

/// Is V, computed in a loop, used for counters only, through phis and sums
/// after it?
static bool isForCounters(const Value &V, const Loop &L, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  if (Depth == MaxDepth)
    return false;
  for (const Use &U : V.uses()) {
    const auto *User = cast<Instruction>(U.getUser());
    if (L.contains(User) && Depth == 0)
      continue;
    if (isCounterUpdate(*User) && U.getOperandNo() == 1)
      continue;
    const bool IsSum =
        isa<PHINode>(User) || User->getOpcode() == Instruction::Add;
    if (!IsSum || L.contains(User) || !isForCounters(*User, L, Depth + 1))
      return false;
  }
  return true;
}

/// The value that counts iterations together with Phi, if both have no other
/// use in the loop.
static Instruction *incrementOf(const PHINode &Phi, const Loop &L) {
  auto *Increment =
      dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  if (!Increment || Increment->getOpcode() != Instruction::Add ||
      Increment->getOperand(0) != &Phi ||
      !isa<ConstantInt>(Increment->getOperand(1)) || !L.contains(Increment) ||
      !Phi.getType()->isIntegerTy(64))
    return nullptr;
  auto IsOnlyCounted = [&](const Instruction &I) {
    return all_of(I.users(), [&](const User *U) {
      return U == Increment || U == &Phi || !L.contains(cast<Instruction>(U));
    });
  };
  return IsOnlyCounted(Phi) && IsOnlyCounted(*Increment) ? Increment : nullptr;
}

/// Compute the value of V after the loop before it.
static void computeBefore(Instruction &V, const Loop &L,
                          ScalarEvolution &Evolution, SCEVExpander &Expander,
                          const TargetTransformInfo &Target) {
  constexpr unsigned Budget = 12; // of instructions, once for all iterations
  SmallVector<Use *, 4> Outside;
  for (Use &U : V.uses())
    if (!L.contains(cast<Instruction>(U.getUser())))
      Outside.push_back(&U);
  if (Outside.empty())
    return;
  const SCEV *Total = Evolution.getSCEVAtScope(&V, L.getParentLoop());
  Instruction *Place = L.getLoopPreheader()->getTerminator();
  if (isa<SCEVCouldNotCompute>(Total) ||
      !Evolution.isLoopInvariant(Total, &L) ||
      !Expander.isSafeToExpandAt(Total, Place) ||
      Expander.isHighCostExpansion({Total}, const_cast<Loop *>(&L), Budget,
                                   &Target, Place))
    return;
  Value *Before = Expander.expandCodeFor(Total, V.getType(), Place);
  for (Use *U : Outside)
    U->set(Before);
}

/// The registers of a loop in which iterations are counted.
static SmallVector<PHINode *, 4> countsIn(const Loop &L) {
  SmallVector<PHINode *, 4> Result;
  if (!L.getLoopLatch())
    return Result;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Instruction *Increment = incrementOf(Phi, L))
      if (isForCounters(Phi, L) && isForCounters(*Increment, L))
        Result.push_back(&Phi);
  return Result;
}

PreservedAnalyses TripCountPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  if (!F.getParent()->getNamedMetadata(PromoteMetadata))
    return PreservedAnalyses::all();
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 4> Counting;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost() && !countsIn(*L).empty())
      Counting.push_back(L);
  if (Counting.empty())
    return PreservedAnalyses::all();
  auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &Assumptions = FAM.getResult<AssumptionAnalysis>(F);
  const auto &Target = FAM.getResult<TargetIRAnalysis>(F);
  for (Loop *L : Counting) {
    if (!Evolution.hasLoopInvariantBackedgeTakenCount(L))
      continue;
    simplifyLoop(L, &Dominators, &Loops, &Evolution, &Assumptions, nullptr,
                 /*PreserveLCSSA=*/false);
    if (!L->isInnermost() || !L->isLoopSimplifyForm())
      continue;
    auto Expander = createExpander<SCEVExpander>(
        Evolution, F.getParent()->getDataLayout(), "turns");
    for (PHINode *Phi : countsIn(*L)) {
      computeBefore(*incrementOf(*Phi, *L), *L, Evolution, Expander, Target);
      computeBefore(*Phi, *L, Evolution, Expander, Target);
    }
  }
  return PreservedAnalyses::none();
}

} // namespace arcline
