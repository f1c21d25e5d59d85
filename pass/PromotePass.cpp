// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves counters out of loops:
//
//   loop:  c += 1          becomes      n = 0
//                                       loop:  n += 1
//                                       exit:  c += n
//
// if that is profitable: in innermost loops with a known trip count, from which
// n can be computed, and which may be vectorised if they access only the
// program's memory. In other loops a register for n costs more than it saves:
// one instruction increments memory.
//
// Some loops have no known trip count while they have counters: `while (p <
// end)` might wrap around with -fwrapv; it does not only because the language
// allows the assumption that loops without side effects end. Counters and
// probes are side effects to LLVM, so it computes the trip count without them.
//
// Counts that a running loop has in registers are missing in a dump. So loops
// that control can leave other than by their exits are not changed, and neither
// are loops that wait for another thread.

#include "Compat.h"
#include "Counters.h"
#include "JoinedCounters.h"
#include "NodeMarks.h"
#include "Passes.h"
#include "RemovedCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <iterator>

using namespace llvm;

namespace arcline {

namespace {

/// The updates of one counter in a loop.
struct LoopCounter {
  CounterRef Ref;
  SmallVector<AtomicRMWInst *, 2> Updates;
  bool IsOfEveryTurn = false; // each update runs in each iteration
};

/// Keeps a counter in a register and adds it up after the loop.
class Promoter : public LoadAndStorePromoter {
public:
  Promoter(ArrayRef<const Instruction *> Accesses, SSAUpdater &Updater,
           CounterRef Counter, BasicBlock *Preheader,
           ArrayRef<BasicBlock *> Exits, MDNode *AccessTag)
      : LoadAndStorePromoter(Accesses, Updater), Updater(Updater),
        Counter(Counter), Exits(Exits), AccessTag(AccessTag) {
    Updater.AddAvailableValue(
        Preheader,
        ConstantInt::get(Type::getInt64Ty(Preheader->getContext()), 0));
  }

  void doExtraRewritesBeforeFinalDeletion() override {
    for (BasicBlock *Exit : Exits) {
      Value *Sum = Updater.GetValueInMiddleOfBlock(Exit);
      for (const CounterRef Member : membersOf(Counter))
        addToCounter(&*Exit->getFirstInsertionPt(), Member, Sum, AccessTag);
    }
  }

private:
  SSAUpdater &Updater;
  CounterRef Counter;
  ArrayRef<BasicBlock *> Exits;
  MDNode *AccessTag;
};

} // namespace

/// Can control leave through the loop's exits only, and does the loop end
/// without an effect of another thread?
static bool isClosed(const Loop &L) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && (mayNotReturn(*Call) || isa<CallBrInst>(Call)))
        return false;
      if (isCounterUpdate(I))
        continue;
      if (I.isVolatile() || I.isAtomic() || isa<IndirectBrInst>(I))
        return false;
      if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
        if (Intrinsic->getCalledFunction()->getName().starts_with("llvm.coro."))
          return false;
    }
  return true;
}

/// The counters that the loop updates; none if some are unknown.
static SmallVector<LoopCounter, 4> countersIn(const Loop &L) {
  const DataLayout &Layout = L.getHeader()->getModule()->getDataLayout();
  SmallVector<LoopCounter, 4> Result;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!isCounterUpdate(I))
        continue;
      const auto Update = counterUpdate(I, Layout);
      if (!Update)
        return {};
      auto Found = find_if(Result, [&](const LoopCounter &Counter) {
        return Counter.Ref == Update->Counter;
      });
      if (Found == Result.end()) {
        Result.push_back({Update->Counter, {}});
        Found = std::prev(Result.end());
      }
      Found->Updates.push_back(Update->Instruction);
    }
  return Result;
}

/// The exits of a loop, if counters can be added up there; else none.
static SmallVector<BasicBlock *, 4> usableExits(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exits;
  if (!L.isLoopSimplifyForm())
    return Exits;
  L.getUniqueExitBlocks(Exits);
  if (any_of(Exits, [](const BasicBlock *Exit) {
        return Exit->isEHPad() || Exit->getFirstInsertionPt() == Exit->end();
      }))
    Exits.clear();
  return Exits;
}

/// Does the loop only compute, so that it may be vectorised?
static bool maybeVectorised(const Loop &L) {
  constexpr unsigned MaxBlocks = 12;
  return L.getNumBlocks() <= MaxBlocks &&
         all_of(L.blocks(), [](const BasicBlock *Block) {
           return !isa<SwitchInst>(Block->getTerminator()) &&
                  all_of(*Block, [](const Instruction &I) {
                    return !isa<CallBase>(I) || isa<IntrinsicInst>(I);
                  });
         });
}

/// Choose counters that are kept in registers: those of every iteration, which
/// follow from the trip count and finally need no register; and in a loop that
/// may be vectorised a few others, since one counter in memory would prevent
/// that.
static void dropWhatCosts(SmallVectorImpl<LoopCounter> &Counters,
                          const Loop &L) {
  constexpr unsigned MaxRegisters = 4;
  const auto NumOthers = count_if(Counters, [](const LoopCounter &Counter) {
    return !Counter.IsOfEveryTurn;
  });
  if (NumOthers > MaxRegisters || !maybeVectorised(L))
    erase_if(Counters,
             [](const LoopCounter &Counter) { return !Counter.IsOfEveryTurn; });
}

/// Does the loop have more than one or two iterations if control gets there?
static bool isRepeated(const Loop &L, ArrayRef<BasicBlock *> Exits,
                       const BlockFrequencyInfo &Frequencies) {
  uint64_t ExitFrequency = 0;
  for (const BasicBlock *Exit : Exits)
    ExitFrequency += Frequencies.getBlockFreq(Exit).getFrequency();
  return Frequencies.getBlockFreq(L.getHeader()).getFrequency() / 2 >=
         ExitFrequency;
}

/// Keep the loop's counters in registers.
///
/// NeedsAll  only without any counter in it the loop has a trip count
static bool promoteIn(Loop &L, bool NeedsAll,
                      const BlockFrequencyInfo &Frequencies,
                      const DominatorTree &Dominators) {
  const SmallVector<BasicBlock *, 4> Exits = usableExits(L);
  if (Exits.empty() || !isRepeated(L, Exits, Frequencies))
    return false;

  SmallVector<LoopCounter, 4> Counters = countersIn(L);
  for (LoopCounter &Counter : Counters)
    Counter.IsOfEveryTurn =
        all_of(Counter.Updates, [&](const AtomicRMWInst *Update) {
          return isa<ConstantInt>(Update->getValOperand()) &&
                 Dominators.dominates(Update->getParent(), L.getLoopLatch());
        });
  const size_t Number = Counters.size();
  dropWhatCosts(Counters, L);
  if (NeedsAll && Counters.size() < Number)
    return false;

  for (const LoopCounter &Counter : Counters) {
    SSAUpdater Updater;
    MDNode *AccessTag =
        Counter.Updates.front()->getMetadata(LLVMContext::MD_tbaa);
    SmallVector<Instruction *, 4> Accesses;
    for (AtomicRMWInst *Update : Counter.Updates) {
      keepMark(*Update);
      auto [Load, Store] = makePlain(*Update, addressOf(Counter.Ref));
      Accesses.append({Load, Store});
    }
    const SmallVector<const Instruction *, 4> Kinds(Accesses.begin(),
                                                    Accesses.end());
    Promoter(Kinds, Updater, Counter.Ref, L.getLoopPreheader(), Exits,
             AccessTag)
        .run(Accesses);
  }
  return !Counters.empty();
}

/// Probes keep the vectoriser from removing branches, and LLVM from deleting
/// loops without other effects. If a loop has no counter left, they would be
/// the only effect of the instrumentation.
static void removeProbes(Loop &L, bool OfHeader) {
  if (!countersIn(L).empty())
    return;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : make_early_inc_range(*Block))
      if (isNodeProbe(I) && (OfHeader || Block != L.getHeader()))
        I.eraseFromParent();
}

/// In a loop that is left at its end, `do ... while`, the counter has split the
/// back edge. If the new block only increments a register, the optimiser would
/// rotate the loop and peel one iteration.
static void mergeLatch(Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  BasicBlock *Before = Latch->getSinglePredecessor();
  if (!Before || Latch == L.getHeader() ||
      !isUnconditionalBranch(*Latch->getTerminator()))
    return;
  SmallVector<Instruction *, 4> Increments;
  for (Instruction &I : *Latch)
    if (isa<BinaryOperator>(I) && isSafeToSpeculativelyExecute(&I))
      Increments.push_back(&I);
    else if (!I.isTerminator() && !isa<DbgInfoIntrinsic>(I))
      return;
  for (Instruction *I : Increments)
    I->moveBefore(*Before, Before->getTerminator()->getIterator());
  TryToSimplifyUncondBranchFromEmptyBlock(Latch);
}

/// Does the value depend on what the loop reads or calls?
static bool isReadIn(const Loop &L, const Value &V) {
  constexpr unsigned MaxValues = 32;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Rest = {&V};
  while (!Rest.empty() && Seen.size() < MaxValues) {
    const auto *I = dyn_cast<Instruction>(Rest.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I->mayReadFromMemory())
      return true;
    append_range(Rest, I->operand_values());
  }
  return false;
}

/// May there be a trip count? It depends on all exits.
static bool mayBeCounted(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return none_of(Exiting, [&](const BasicBlock *Block) {
    const auto *Branch = asConditional(*Block->getTerminator());
    return Branch && isReadIn(L, *Branch->getCondition());
  });
}

/// Does it have a trip count without counters in it?
static bool isCountedWithoutUs(const Loop &L, ScalarEvolution &Evolution) {
  bool Result;
  {
    RemovedCode Removed;
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : make_early_inc_range(*Block))
        if (isCounterUpdate(I) || isNodeProbe(I))
          Removed.remove(I);
    Evolution.forgetLoop(&L);
    Result = Evolution.hasLoopInvariantBackedgeTakenCount(&L);
  }
  Evolution.forgetLoop(&L);
  return Result;
}

namespace {

struct Candidate {
  Loop *L;
  bool NeedsAll = false; // see promoteIn()
};

} // namespace

PreservedAnalyses PromotePass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (!F.getParent()->getNamedMetadata(PromoteMetadata))
    return PreservedAnalyses::all();
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Candidate, 4> Candidates;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost() && mayBeCounted(*L) && isClosed(*L) &&
        !countersIn(*L).empty())
      Candidates.push_back({L});
  if (Candidates.empty())
    return PreservedAnalyses::all();
  auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
  erase_if(Candidates, [&](Candidate &C) {
    if (Evolution.hasLoopInvariantBackedgeTakenCount(C.L))
      return false;
    C.NeedsAll = true;
    return !isMustProgress(C.L) || !isCountedWithoutUs(*C.L, Evolution);
  });
  if (Candidates.empty())
    return PreservedAnalyses::all();
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &Assumptions = FAM.getResult<AssumptionAnalysis>(F);
  for (const Candidate &C : Candidates)
    simplifyLoop(C.L, &Dominators, &Loops, &Evolution, &Assumptions, nullptr,
                 /*PreserveLCSSA=*/false);
  // Blocks may be new. Loops and dominators are kept up to date.
  const BranchProbabilityInfo Probabilities(F, Loops);
  const BlockFrequencyInfo Frequencies(F, Probabilities, Loops);
  SmallVector<Loop *, 4> Promoted;
  for (const auto &[L, NeedsAll] : Candidates)
    if (L->isInnermost() && promoteIn(*L, NeedsAll, Frequencies, Dominators)) {
      removeProbes(*L, /*OfHeader=*/NeedsAll || maybeVectorised(*L));
      Promoted.push_back(L);
    }
  for (Loop *L : Promoted)
    mergeLatch(*L);
  return PreservedAnalyses::none();
}

} // namespace arcline
