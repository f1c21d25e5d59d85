// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the updates in a body, assigns cells to them, and has these updated. In
// each function that still counts:
//
//   entry:   if (!@__arcline_ready) goto slow       thread-local storage may
//            %b = load @__arcline_bias (TLS)        not exist yet
//            if (%b == 0) goto slow
//   body:    %b = phi [ fast ], [ slow: call @__arcline_bias_slow() ]
//            %c = @cells + %b
//            ... load/store %c+8*k ...
//
// or, if the bias is in a segment register, only
//
//            ... load/store addrspacecast(@cells)+8*k ...
//
// An update of a counter by a constant is a point of the body's flow; the plan
// (BodyPlan.cpp) drops those that follow from others. An update by a value that
// the program computes, such as the sum of a loop, has a cell for that counter
// alone.

#include "Body.h"
#include "Compat.h"
#include "ConstantData.h"
#include "JoinedCounters.h"
#include "Passes.h"
#include "Segment.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace arcline {

BodyCopy &Body::copyOf(const GlobalVariable *Counters) {
  return Copies[Sources.byCounters(Counters)];
}

static const GlobalVariable *countersIn(const Value *V,
                                        const SourceFunctions &Sources) {
  if (!isa<Constant>(V) || !V->getType()->isPointerTy())
    return nullptr;
  const auto *Array = dyn_cast<GlobalVariable>(V->stripInBoundsOffsets());
  return Array && Sources.byCounters(Array) ? Array : nullptr;
}

/// Is this the address of one counter, for updates only?
static bool isPlainAddress(const Instruction &I, const DataLayout &Layout) {
  return isa<GetElementPtrInst>(I) && counterAt(&I, Layout) &&
         all_of(I.users(), [&](const User *U) {
           return isCounterUpdate(*cast<Instruction>(U));
         });
}

void Body::collectFrom(Instruction &I) {
  const DataLayout &Layout = M.getDataLayout();
  if (isLeftover(I, Layout)) {
    Leftovers.push_back(&I);
    return;
  }
  if (auto Update = counterUpdate(I, Layout)) {
    for (const CounterRef Member : membersOf(Update->Counter))
      copyOf(Member.Counters);
    if (isa<ConstantInt>(Update->Amount))
      Updates.push_back({*Update});
    else
      PlainUpdates.push_back(*Update);
    return;
  }
  if (isCounterUpdate(I))
    OpaqueUpdates.push_back(cast<AtomicRMWInst>(&I));
  if (auto *Call = dyn_cast<CallInst>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    if (Callee && Callee->getName() == IndirectMarker) {
      const auto *Id = cast<ConstantInt>(Call->getArgOperand(1));
      const auto *Index = cast<ConstantInt>(Call->getArgOperand(2));
      const SourceFunction *Source = Sources.byId(Id->getZExtValue());
      Copies[Source];
      Sites[{Source, Index->getZExtValue()}].push_back(Call);
      return;
    }
  }
  for (Use &U : I.operands())
    if (const GlobalVariable *Counters = countersIn(U.get(), Sources))
      if (!isPlainAddress(I, Layout)) {
        copyOf(Counters).IsOpaque = true;
        OpaqueUses.push_back(&U);
      }
}

void Body::collect() {
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      collectFrom(I);
  // A pointer to some counter, whichever, may go anywhere; it has no segment.
  IsSegmented = OpaqueUses.empty() && mayUseSegment(F);
}

bool Body::isOpaque(const CounterUpdate &Update) {
  return any_of(membersOf(Update.Counter), [&](CounterRef Member) {
    return copyOf(Member.Counters).IsOpaque;
  });
}

/// Plan updates that flow passes one after the other, from one node to another
/// one: at most the first gets a cell.
void Body::planRow(ArrayRef<CounterUpdate> Row, PlanEdge Edge) {
  for (const CounterUpdate &Update : Row) {
    const bool IsFirst = &Update == &Row.front();
    const unsigned To = &Update == &Row.back() ? Edge.To : NumNodes++;
    Updates.push_back({Update, {Edge.From, To, Edge.IsCounted && IsFirst}});
    Edge.From = To;
  }
}

/// Let updates by one and the same number of the program's each follow from the
/// first one.
void Body::planEqualUpdates() {
  std::vector<AtomicRMWInst *> Found;
  for (const CounterUpdate &Update : PlainUpdates)
    Found.push_back(isa<ConstantInt>(Update.Amount) || isOpaque(Update)
                        ? nullptr
                        : Update.Instruction);
  std::vector<CounterUpdate> Rest;
  for (const auto &Group : equalInARow(Found)) {
    SmallVector<CounterUpdate, 4> Row;
    for (const unsigned I : Group)
      Row.push_back(PlainUpdates[I]);
    if (Row.size() == 1)
      Rest.push_back(Row.front());
    else
      planRow(Row, {PlanEdge::Exit, PlanEdge::Exit, true});
  }
  PlainUpdates = std::move(Rest);
}

/// Plan the members of a joined counter, of which the first one keeps the
/// instruction.
void Body::planJoined(const CounterUpdate &Update, PlanEdge Edge) {
  SmallVector<CounterUpdate, 4> Row;
  for (const CounterRef Member : membersOf(Update.Counter))
    Row.push_back(
        {Member, Row.empty() ? Update.Instruction : nullptr, Update.Amount});
  if (Edge.isAlone())
    Edge = {PlanEdge::Exit, PlanEdge::Exit, true};
  planRow(Row, Edge);
}

/// Find the updates that follow from others; those that determine no other get
/// cells of their own.
void Body::plan(FunctionAnalysisManager &FAM, bool IsMinimal) {
  std::vector<CounterUpdate> Found;
  // Without optimisation nothing was inlined, so CountPass's choice is final.
  const bool HasChoice = !F.hasOptNone() && !IsMinimal;
  std::vector<Instruction *> Points;
  for (const PlannedUpdate &Planned : Updates) {
    const CounterUpdate &Update = Planned.Update;
    // If a pointer may lead to any counter, they form a row.
    if (!HasChoice || isOpaque(Update)) {
      if (isOpenEnded(*Update.Counter.Counters))
        append_range(PlainUpdates, takeApart(Update));
      else
        PlainUpdates.push_back(Update);
      continue;
    }
    Points.push_back(Update.Instruction);
    Found.push_back(Update);
  }
  BodyPlan Plan;
  if (Points.size() > 1)
    Plan = planBody(F, Points, [&]() -> const BlockFrequencyInfo & {
      return FAM.getResult<BlockFrequencyAnalysis>(F);
    });
  else
    Plan.Edges.resize(Points.size(), {PlanEdge::Exit, PlanEdge::Exit, true});
  NumNodes = Plan.NumNodes;
  Updates.clear();
  for (unsigned I = 0; I != Found.size(); ++I) {
    if (isOpenEnded(*Found[I].Counter.Counters))
      planJoined(Found[I], Plan.Edges[I]);
    else if (Plan.Edges[I].isAlone())
      PlainUpdates.push_back(Found[I]);
    else
      Updates.push_back({Found[I], Plan.Edges[I]});
  }
  planEqualUpdates();
}

/// Give a copy its edges and cells, counter by counter.
PlanCopy Body::layOut(BodyCopy &Copy, unsigned NumCounters) {
  PlanCopy Result{NumCounters, {}};
  if (Copy.IsOpaque)
    for (unsigned K = 0; K != NumCounters; ++K)
      Copy.Plain[K] = NoCell;
  std::stable_sort(Copy.Planned.begin(), Copy.Planned.end(),
                   [](const PlannedUpdate *A, const PlannedUpdate *B) {
                     return A->Update.Counter.Index < B->Update.Counter.Index;
                   });
  auto Planned = Copy.Planned.begin();
  for (unsigned K = 0; K != NumCounters; ++K) {
    for (;
         Planned != Copy.Planned.end() && (*Planned)->Update.Counter.Index == K;
         ++Planned) {
      if ((*Planned)->Edge.IsCounted)
        (*Planned)->Cell = newCell();
      Edges.push_back((*Planned)->Edge);
      const auto *Amount = dyn_cast<ConstantInt>((*Planned)->Update.Amount);
      Result.Terms.push_back({K, Amount ? Amount->getZExtValue() : 1});
    }
    if (auto Plain = Copy.Plain.find(K); Plain != Copy.Plain.end()) {
      Plain->second = newCell();
      Edges.push_back({PlanEdge::Exit, PlanEdge::Exit, true});
      Result.Terms.push_back({K, 1});
    }
  }
  return Result;
}

void Body::assignCells() {
  for (PlannedUpdate &Planned : Updates)
    copyOf(Planned.Update.Counter.Counters).Planned.push_back(&Planned);
  for (const CounterUpdate &Update : PlainUpdates)
    copyOf(Update.Counter.Counters).Plain.try_emplace(Update.Counter.Index);
  for (auto &[Source, Copy] : Copies) {
    Copy.Number = unsigned(PlanCopies.size());
    PlanCopies.push_back(
        layOut(Copy, Source->Counters ? numCounters(*Source->Counters) : 0));
  }
  FirstSiteCell = NumCells;
  NumCells += unsigned(Sites.size());
}

/// The address of the cells, for User. In unoptimised code it is kept in
/// memory: the register allocator would reload it first thing in each block, on
/// no line, and so move the block's address off its line.
Value *Body::cellsIn(Instruction *User) {
  if (!Slot)
    return BiasedCells;
  return hideFromSanitizers(
      IRBuilder<>(User).CreateLoad(Slot->getAllocatedType(), Slot));
}

/// The address of a cell for Update: in a register, if that is faster.
Value *Body::addressFor(Instruction *Update, unsigned Cell) {
  if (Value *InRegister = Tight ? Tight->addressFor(Update, Cell) : nullptr)
    return InRegister;
  IRBuilder<> Builder(Update);
  return addressOfCell(Builder, cellsIn(Update), Cell);
}

void Body::redirect(const CounterUpdate &Update, unsigned Cell) {
  auto *Old = dyn_cast<Instruction>(Update.Instruction->getPointerOperand());
  makeFinal(*Update.Instruction, addressFor(Update.Instruction, Cell));
  if (Old && Old->use_empty())
    Old->eraseFromParent();
}

void Body::redirectOpaque(Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  Instruction *Place = User;
  if (auto *Phi = dyn_cast<PHINode>(User))
    Place = Phi->getIncomingBlock(U)->getTerminator();
  const BodyCopy &Owner = copyOf(countersIn(U.get(), Sources));
  const DataLayout &Layout = M.getDataLayout();
  APInt Offset(64, 0);
  U->stripAndAccumulateConstantOffsets(Layout, Offset, true);
  const uint64_t First = Owner.Plain.at(0);
  IRBuilder<> Builder(Place);
  Builder.SetCurrentDebugLocation(DebugLoc());
  U.set(Builder.CreateConstGEP1_64(Builder.getInt8Ty(), cellsIn(Place),
                                   First * 8 + Offset.getZExtValue()));
}

SmallVector<Instruction *, 0> Body::remainingUpdates() const {
  SmallVector<Instruction *, 0> Result;
  for (const PlannedUpdate &Planned : Updates)
    if (Planned.Cell != NoCell)
      Result.push_back(Planned.Update.Instruction);
  for (const CounterUpdate &Update : PlainUpdates)
    Result.push_back(Update.Instruction);
  return Result;
}

void Body::rewrite(BiasState State) {
  for (Instruction *Leftover : Leftovers)
    Leftover->eraseFromParent();
  for (const PlannedUpdate &Planned : Updates)
    if (Planned.Cell == NoCell && Planned.Update.Instruction)
      Planned.Update.Instruction->eraseFromParent();
  if (NumCells == 0)
    return;
  Cells = emitCells();
  if (IsSegmented) {
    BiasedCells = throughSegment(Cells);
    if (!F.hasOptNone())
      Tight = std::make_unique<TightLoops>(F, remainingUpdates(), Cells);
  } else {
    insertBiasedCells(State);
  }
  for (const PlannedUpdate &Planned : Updates) {
    if (Planned.Cell == NoCell)
      continue;
    if (isa<ConstantInt>(Planned.Update.Amount))
      Planned.Update.Instruction->setOperand(1, ConstantInt::get(I64, 1));
    redirect(Planned.Update, Planned.Cell);
  }
  for (const CounterUpdate &Update : PlainUpdates) {
    const BodyCopy &Owner = copyOf(Update.Counter.Counters);
    redirect(Update, Owner.Plain.at(Update.Counter.Index));
  }
  for (Use *U : OpaqueUses)
    redirectOpaque(*U);
  for (AtomicRMWInst *Update : OpaqueUpdates)
    makeFinal(*Update, Update->getPointerOperand());
}

void Body::testThread() {
  // Before there is thread-local storage there are no threads.
  if (IsSegmented && (Own || NumCells) && !isCalledBeforeTls(F) &&
      mayBeginThread(F))
    insertThreadTest(F);
}

void Body::insertBiasedCells(BiasState State) {
  Instruction *Bias = insertBias(F, State);
  IRBuilder<> Builder(isa<PHINode>(Bias)
                          ? &*Bias->getParent()->getFirstInsertionPt()
                          : Bias->getNextNode());
  Builder.SetCurrentDebugLocation(DebugLoc());
  BiasedCells =
      Builder.CreateGEP(Builder.getInt8Ty(), Cells, Bias, "arcline.cells");
  if (F.hasOptNone()) {
    Slot = IRBuilder<>(&F.getEntryBlock().front())
               .CreateAlloca(BiasedCells->getType());
    Builder.CreateStore(BiasedCells, Slot);
  }
}

GlobalVariable *Body::emitCells() {
  ArrayType *Type = ArrayType::get(I64, NumCells);
  auto *Result =
      new GlobalVariable(M, Type, false, GlobalValue::PrivateLinkage,
                         ConstantAggregateZero::get(Type), "__arcline_cells");
  putForCode(F, *Result, ARCLINE_SECTION_CELLS);
  Result->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  Result->setAlignment(Align(8));
  attachTo(F, *Result);
  return Result;
}

} // namespace arcline
