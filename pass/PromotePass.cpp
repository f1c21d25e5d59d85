// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   loop:  c += 1          becomes      n = 0
//                                       loop:  n += 1
//                                       exit:  c += n
//
// Then n is a register, often one that the optimiser can compute from the trip
// count; and nothing in the loop keeps it from being vectorised. What a running
// loop holds in registers is missing from a dump, so loops stay as they are
// from which control can get away on other ways than their exits, and those
// that wait for somebody else.

#include "Counters.h"
#include "Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <algorithm>

using namespace llvm;

namespace arcline {

namespace {

/// The accesses to one counter in a loop.
struct LoopCounter {
  SmallVector<Instruction *, 4> Accesses;
  unsigned NumInUpdates = 0; // of the accesses
  uint64_t Frequency = 0;    // of the stores
};

/// Keeps a counter in a register and adds it up behind the loop.
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
      addToCounter(&*Exit->getFirstInsertionPt(), Counter, Sum, AccessTag);
    }
  }

private:
  SSAUpdater &Updater;
  CounterRef Counter;
  ArrayRef<BasicBlock *> Exits;
  MDNode *AccessTag;
};

using LoopCounters =
    MapVector<std::pair<GlobalVariable *, unsigned>, LoopCounter>;

} // namespace

/// Can control leave through the loop's exits only, and does the loop end
/// without anybody else's doing?
static bool isClosed(const Loop &L, const DataLayout &Layout) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && (mayNotReturn(*Call) || isa<CallBrInst>(Call) ||
                   Call->hasFnAttr(Attribute::ReturnsTwice)))
        return false;
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (Pointer && counterAt(Pointer, Layout))
        continue;
      if (I.isVolatile() || I.isAtomic() || isa<IndirectBrInst>(I))
        return false;
      if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
        if (Intrinsic->getCalledFunction()->getName().starts_with("llvm.coro."))
          return false;
    }
  return true;
}

/// The counters that the loop updates, each by additions only: where LICM has
/// taken the load out of the loop, say, a store means something else.
static LoopCounters countersIn(const Loop &L, const DataLayout &Layout) {
  LoopCounters Result;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      const Value *Pointer = getLoadStorePointerOperand(&I);
      auto Counter = Pointer ? counterAt(Pointer, Layout) : std::nullopt;
      if (!Counter)
        continue;
      LoopCounter &Found = Result[{Counter->Counters, Counter->Index}];
      Found.Accesses.push_back(&I);
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Found.NumInUpdates += counterUpdate(*Store, Layout) ? 2 : 0;
    }
  Result.remove_if([](const auto &Entry) {
    return Entry.second.NumInUpdates != Entry.second.Accesses.size();
  });
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

static bool promoteIn(Loop &L, const BlockFrequencyInfo &Frequencies) {
  constexpr unsigned MaxCounters = 16; // registers are few
  Module &M = *L.getHeader()->getModule();
  const SmallVector<BasicBlock *, 4> Exits = usableExits(L);
  if (Exits.empty() || !isClosed(L, M.getDataLayout()))
    return false;
  uint64_t ExitFrequency = 0;
  for (const BasicBlock *Exit : Exits)
    ExitFrequency += Frequencies.getBlockFreq(Exit).getFrequency();

  auto Counters = countersIn(L, M.getDataLayout()).takeVector();
  for (auto &[Key, Counter] : Counters)
    for (const Instruction *I : Counter.Accesses)
      if (isa<StoreInst>(I))
        Counter.Frequency +=
            Frequencies.getBlockFreq(I->getParent()).getFrequency();
  erase_if(Counters, [&](const auto &Entry) {
    return Entry.second.Frequency / 2 < ExitFrequency;
  });
  if (Counters.size() > MaxCounters) {
    std::stable_sort(Counters.begin(), Counters.end(),
                     [](const auto &A, const auto &B) {
                       return A.second.Frequency > B.second.Frequency;
                     });
    Counters.resize(MaxCounters);
  }

  for (auto &[Key, Counter] : Counters) {
    SSAUpdater Updater;
    MDNode *AccessTag =
        Counter.Accesses.front()->getMetadata(LLVMContext::MD_tbaa);
    const SmallVector<const Instruction *, 4> Accesses(Counter.Accesses.begin(),
                                                       Counter.Accesses.end());
    Promoter(Accesses, Updater, {Key.first, Key.second}, L.getLoopPreheader(),
             Exits, AccessTag)
        .run(Counter.Accesses);
  }
  return !Counters.empty();
}

static bool accessesCounters(const Loop &L, const DataLayout &Layout) {
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) {
      const Value *Pointer = getLoadStorePointerOperand(&I);
      return Pointer && counterAt(Pointer, Layout);
    });
  });
}

/// Probes keep the vectoriser from doing without branches. Where nothing is
/// counted any more, they would be all that is left of us.
static bool removeProbes(Loop &L, const DataLayout &Layout) {
  if (!L.isInnermost() || !isClosed(L, Layout) || accessesCounters(L, Layout))
    return false;
  bool Changed = false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : make_early_inc_range(*Block))
      if (const auto *Probe = dyn_cast<PseudoProbeInst>(&I))
        if (Block != L.getHeader() &&
            Probe->getAttributes()->getZExtValue() == ProbeMark) {
          I.eraseFromParent();
          Changed = true;
        }
  return Changed;
}

PreservedAnalyses PromotePass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (!F.getParent()->getNamedMetadata(PromoteMetadata))
    return PreservedAnalyses::all();
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  const DataLayout &Layout = F.getParent()->getDataLayout();
  if (none_of(Loops,
              [&](const Loop *L) { return !countersIn(*L, Layout).empty(); }))
    return PreservedAnalyses::all();
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &Assumptions = FAM.getResult<AssumptionAnalysis>(F);
  bool Changed = false;
  const SmallVector<Loop *, 8> Outermost(Loops.begin(), Loops.end());
  for (Loop *L : Outermost)
    Changed |= simplifyLoop(L, &Dominators, &Loops, nullptr, &Assumptions,
                            nullptr, /*PreserveLCSSA=*/false);
  if (Changed)
    FAM.invalidate(F, PreservedAnalyses::none());
  auto &LoopsNow = FAM.getResult<LoopAnalysis>(F);
  const auto &Frequencies = FAM.getResult<BlockFrequencyAnalysis>(F);
  // From the inside out: what is added up behind a loop may be in another.
  const SmallVector<Loop *, 4> Preorder = LoopsNow.getLoopsInPreorder();
  for (Loop *L : reverse(Preorder))
    Changed |= promoteIn(*L, Frequencies) | removeProbes(*L, Layout);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace arcline
