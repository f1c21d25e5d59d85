// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TightLoops.h"

#include "Markers.h"
#include "Segment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

using namespace llvm;

namespace arcline {

/// Some ten cycles, at four instructions each. An increment after that need not
/// wait.
static constexpr unsigned Far = 40;

static bool isRealCall(const Instruction &I) {
  return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
}

/// About how many instructions it becomes.
static unsigned costOf(const Instruction &I) {
  if (isMarker(I) || isa<PHINode>(I) || isa<CastInst>(I) ||
      isa<GetElementPtrInst>(I))
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

namespace {

/// Computes distances through the blocks of a function.
class Distances {
public:
  /// Is there a short path from Point back to it?
  bool comesBackSoon(const Instruction &Point);

private:
  unsigned through(const BasicBlock &Block) {
    auto [Known, IsNew] = Costs.try_emplace(&Block);
    if (IsNew)
      Known->second = costOf(Block.begin(), Block.end());
    return Known->second;
  }

  DenseMap<const BasicBlock *, unsigned> Costs;
};

} // namespace

/// The shortest path, by Dijkstra's algorithm.
bool Distances::comesBackSoon(const Instruction &Point) {
  const BasicBlock *Home = Point.getParent();
  using Arrival = std::pair<unsigned, const BasicBlock *>; // at its beginning
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> Arrivals;
  SmallDenseMap<const BasicBlock *, unsigned, 16> Least;
  auto Leave = [&](const BasicBlock &Block, unsigned Cost) {
    if (Cost >= Far)
      return;
    for (const BasicBlock *Next : successors(&Block)) {
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
    Leave(*Block, Cost + through(*Block));
  }
  return false;
}

/// A register that lives across calls has to be saved by the function.
static bool hasCalls(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, isRealCall);
  });
}

/// The place to compute an address for Point, in L.
static Instruction *placeFor(Instruction *Point, const Loop &L,
                             const DominatorTree &Dominators) {
  if (hasCalls(L))
    return Point;
  return Dominators.getNode(L.getHeader())
      ->getIDom()
      ->getBlock()
      ->getTerminator();
}

TightLoops::TightLoops(Function &F, ArrayRef<Instruction *> Updates,
                       GlobalVariable *Cells)
    : Cells(Cells) {
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  if (Loops.empty())
    return;
  Distances Distances;
  for (Instruction *Update : Updates)
    if (const Loop *L = Loops.getLoopFor(Update->getParent());
        L && Distances.comesBackSoon(*Update))
      Places[Update] = placeFor(Update, *L, Dominators);
}

Value *TightLoops::addressFor(Instruction *Update, unsigned Cell) {
  Instruction *Place = Places.lookup(Update);
  if (!Place)
    return nullptr;
  Type *I64 = Type::getInt64Ty(Update->getContext());
  Kept &Kept = AtPlace[Place];
  if (!Kept.Address)
    Kept = {Cell,
            addressInRegister(ConstantExpr::getInBoundsGetElementPtr(
                                  I64, Cells, ConstantInt::get(I64, Cell)),
                              throughSegment(Cells)->getType(), Place)};
  return IRBuilder<>(Update).CreateConstGEP1_64(
      I64, Kept.Address, static_cast<uint64_t>(Cell) - Kept.Cell);
}

} // namespace arcline
