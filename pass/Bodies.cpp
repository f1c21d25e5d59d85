// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In each function that still counts:
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

#include "Bodies.h"
#include "BodyPlan.h"
#include "Compat.h"
#include "ConstantData.h"
#include "Counters.h"
#include "IfConversion.h"
#include "NodeMarks.h"
#include "Passes.h"
#include "PlanData.h"
#include "RuntimeCalls.h"
#include "Segment.h"
#include "SourceFunctions.h"
#include "TightLoops.h"
#include "UnitSlots.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>

using namespace llvm;

namespace arcline {

namespace {

constexpr unsigned NoCell = ~0u;

struct PlannedUpdate {
  CounterUpdate Update;
  PlanEdge Edge = {0, 0, true};
  unsigned Cell = NoCell; // NoCell: dropped
};

/// A source function's copy in the body.
struct Copy {
  std::map<unsigned, unsigned> Plain; // counter -> a cell of its own
  std::vector<PlannedUpdate *> Planned;
  bool IsOpaque = false; // uses whose counter is not known
  unsigned Number = 0;   // index into the table of copies
};

class Body {
public:
  Body(Function &F, const SourceFunctions &Sources,
       SmallVectorImpl<GlobalValue *> &Used)
      : F(F), M(*F.getParent()), Sources(Sources), Used(Used),
        Own(Sources.byBody(&F)), I32(Type::getInt32Ty(F.getContext())),
        I64(Type::getInt64Ty(F.getContext())) {}

  void collect();
  void plan(FunctionAnalysisManager &FAM, bool IsMinimal);
  void assignCells();
  bool hasCells() const { return NumCells != 0; }
  bool isSegmented() const { return IsSegmented; }
  /// Make a function that a thread may begin with find out if it does.
  void testThread();
  void rewrite(BiasState State);
  /// Emit the call sites, and encode the rest, with the addresses of blocks.
  void emitSites();
  void encode(ArrayRef<BlockEntry> Blocks, UnitSlots &Slots);
  void emit(GlobalVariable *Unit);

  Function &F;

private:
  Copy &copyOf(const GlobalVariable *Counters);
  void collectFrom(Instruction &I);
  void chainEqualUpdates();
  unsigned newCell() { return NumCells++; }
  bool isOpaque(const CounterUpdate &Update) {
    return copyOf(Update.Counter.Counters).IsOpaque;
  }
  PlanCopy layOut(Copy &Copy, unsigned NumCounters);
  SmallVector<Instruction *, 0> remainingUpdates() const;
  Value *addressFor(Instruction *Update, unsigned Cell);
  void redirect(const CounterUpdate &Update, unsigned Cell);
  void redirectOpaque(Use &U);
  void insertBiasedCells(BiasState State);
  Value *cellsIn(Instruction *User);
  GlobalVariable *emitCells();
  GlobalVariable *createTable(StructType *Row, unsigned NumRows,
                              bool IsConstant, StringRef Section);
  Module &M;
  const SourceFunctions &Sources;
  SmallVectorImpl<GlobalValue *> &Used;
  const SourceFunction *Own;
  Type *I32, *I64;

  MapVector<const SourceFunction *, Copy> Copies;
  std::vector<PlannedUpdate> Updates;
  std::vector<CounterUpdate> PlainUpdates; // on cells outside of rows
  std::vector<AtomicRMWInst *> OpaqueUpdates;
  std::vector<Use *> OpaqueUses;
  std::vector<Instruction *> Leftovers;
  // By source function and index of the call; code may have been duplicated.
  MapVector<std::pair<const SourceFunction *, uint64_t>,
            SmallVector<CallInst *, 1>>
      Sites;
  std::vector<PlanEdge> Edges;
  std::vector<PlanCopy> PlanCopies;
  unsigned NumNodes = 0; // of the plan
  unsigned NumCells = 0;
  unsigned FirstSiteCell = 0;        // of one for each site, after all others
  bool IsSegmented = false;          // the bias is in a segment register
  std::unique_ptr<TightLoops> Tight; // if IsSegmented and optimised
  AllocaInst *Slot = nullptr;        // of the address of the cells, unoptimised
  GlobalVariable *Cells = nullptr;
  GlobalVariable *Table = nullptr; // the body's record
  GlobalVariable *Data = nullptr;  // what it is encoded to
  Value *BiasedCells = nullptr;    // the running thread's copy of them
};

} // namespace

Copy &Body::copyOf(const GlobalVariable *Counters) {
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
    copyOf(Update->Counter.Counters);
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

/// Let updates by one and the same number of the program's each follow from the
/// first one, as points that flow passes in a row.
void Body::chainEqualUpdates() {
  std::vector<AtomicRMWInst *> Found;
  for (const CounterUpdate &Update : PlainUpdates)
    Found.push_back(isa<ConstantInt>(Update.Amount) || isOpaque(Update)
                        ? nullptr
                        : Update.Instruction);
  std::vector<CounterUpdate> Rest;
  for (const auto &Group : equalInARow(Found)) {
    if (Group.size() == 1) {
      Rest.push_back(PlainUpdates[Group.front()]);
      continue;
    }
    unsigned From = PlanEdge::Exit;
    for (unsigned I : Group) {
      const bool IsFirst = I == Group.front();
      const unsigned To = I == Group.back() ? PlanEdge::Exit : NumNodes++;
      Updates.push_back({PlainUpdates[I], {From, To, IsFirst}});
      From = To;
    }
  }
  PlainUpdates = std::move(Rest);
}

/// Find the updates that follow from others; those that determine no other get
/// cells of their own.
void Body::plan(FunctionAnalysisManager &FAM, bool IsMinimal) {
  std::vector<PlannedUpdate> Found = std::move(Updates);
  Updates.clear();
  // Without optimisation nothing was inlined, so CountPass's choice is final.
  const bool HasChoice = Found.size() > 1 && !F.hasOptNone() && !IsMinimal;
  std::vector<Instruction *> Points;
  for (PlannedUpdate &Planned : Found) {
    // If a pointer may lead to any counter, they form a row.
    if (!HasChoice || isOpaque(Planned.Update)) {
      PlainUpdates.push_back(Planned.Update);
      continue;
    }
    Points.push_back(Planned.Update.Instruction);
    Updates.push_back(Planned);
  }
  BodyPlan Plan;
  if (!Points.empty())
    Plan = planBody(F, Points, [&]() -> const BlockFrequencyInfo & {
      return FAM.getResult<BlockFrequencyAnalysis>(F);
    });
  NumNodes = Plan.NumNodes;
  Found = std::move(Updates);
  Updates.clear();
  for (unsigned I = 0; I != Found.size(); ++I) {
    Found[I].Edge = Plan.Edges[I];
    if (Plan.Edges[I].isAlone())
      PlainUpdates.push_back(Found[I].Update);
    else
      Updates.push_back(Found[I]);
  }
  chainEqualUpdates();
}

/// Give a copy its edges and cells, counter by counter.
PlanCopy Body::layOut(Copy &Copy, unsigned NumCounters) {
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
  return IRBuilder<>(Update).CreateConstInBoundsGEP1_64(I64, cellsIn(Update),
                                                        Cell);
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
  const Copy &Owner = copyOf(countersIn(U.get(), Sources));
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
    if (Planned.Cell == NoCell)
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
    const Copy &Owner = copyOf(Update.Counter.Counters);
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
  Result->setSection(ARCLINE_SECTION_CELLS);
  Result->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  Result->setAlignment(Align(8));
  attachTo(F, *Result);
  return Result;
}

/// Finish a table whose contents refer to it.
static void fillTable(GlobalVariable *Table, ArrayRef<Constant *> Rows) {
  auto *Type = cast<ArrayType>(Table->getValueType());
  Table->setInitializer(ConstantArray::get(Type, Rows));
}

GlobalVariable *Body::createTable(StructType *Row, unsigned NumRows,
                                  bool IsConstant, StringRef Section) {
  auto *Table = new GlobalVariable(M, ArrayType::get(Row, NumRows), IsConstant,
                                   GlobalValue::PrivateLinkage, nullptr,
                                   Section + ".table");
  Table->setSection(Section);
  Table->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  // That of the row in arcline/abi.h, so that rows follow each other closely.
  Table->setAlignment(Row->getElementType(0)->isIntegerTy(64) ? Align(8)
                                                              : Align(4));
  attachTo(F, *Table);
  Used.push_back(Table);
  return Table;
}

static StructType *bodyType(Type *I32) {
  return StructType::get(I32, I32, I32, I32, I32, I32);
}

void Body::encode(ArrayRef<BlockEntry> Blocks, UnitSlots &Slots) {
  if (!Own && Copies.empty() && Blocks.empty())
    return;
  SmallVector<unsigned, 8> CopySlots;
  for (const auto &[Source, Copy] : Copies)
    CopySlots.push_back(Slots.slotOf(*Source));
  // A body without cells has no plan.
  const std::string Head = encodeBody(
      Own ? std::optional(Slots.slotOf(*Own)) : std::nullopt, CopySlots,
      NumCells ? encodePlan(NumNodes, Edges, PlanCopies) : "");
  SmallVector<Constant *, 0> Parts = {
      ConstantDataArray::getString(M.getContext(), Head, false)};
  encodeAddresses(F, Blocks, Slots, Parts);
  Constant *Value = ConstantStruct::getAnon(Parts, /*Packed=*/true);
  // LLVM believes that addresses of blocks have to be relocated, and that data
  // with them cannot be constant. The section's data has to be all the same.
  Data =
      new GlobalVariable(M, Value->getType(), false,
                         GlobalValue::PrivateLinkage, Value, "__arcline_plan");
  Data->setSection(ARCLINE_SECTION_PLANS);
  Data->setUnnamedAddr(GlobalValue::UnnamedAddr::Local);
  Data->setAlignment(Align(1));
  attachTo(F, *Data);
  if (!Table)
    Table = createTable(bodyType(I32), 1, true, ARCLINE_SECTION_BODIES);
}

void Body::emit(GlobalVariable *Unit) {
  if (!Table)
    return;
  auto Refer = [&](Constant *Target, uint64_t Offset) {
    return Target ? relative(Target, Table, Offset) : ConstantInt::get(I32, 0);
  };
  const uint64_t NumBytes =
      M.getDataLayout().getTypeAllocSize(Data->getValueType());
  fillTable(
      Table,
      ConstantStruct::get(
          bodyType(I32),
          {Refer(F.hasAvailableExternallyLinkage() ? nullptr : localAddress(F),
                 offsetof(arcline_body, pc)),
           Refer(Unit, offsetof(arcline_body, unit)),
           Refer(Cells, offsetof(arcline_body, cells)),
           ConstantInt::get(I32, NumCells),
           Refer(Data, offsetof(arcline_body, data)),
           ConstantInt::get(I32, NumBytes)}));
}

void Body::emitSites() {
  if (Sites.empty())
    return;
  Table = createTable(bodyType(I32), 1, true, ARCLINE_SECTION_BODIES);
  StructType *SiteType = StructType::get(I64, I64, I32, I32, I32, I32);
  GlobalVariable *SiteTable = createTable(SiteType, unsigned(Sites.size()),
                                          false, ARCLINE_SECTION_SITES);
  SmallVector<Constant *, 8> Rows;
  for (const auto &[Key, Markers] : Sites) {
    const unsigned Cell = FirstSiteCell + unsigned(Rows.size());
    const uint64_t Row = Rows.size() * sizeof(arcline_site);
    Rows.push_back(ConstantStruct::get(
        SiteType,
        {ConstantInt::get(I64, 0), ConstantInt::get(I64, 0),
         relative(Table, SiteTable, Row + offsetof(arcline_site, body)),
         ConstantInt::get(I32, Key.second),
         relative(at(Cells, Cell * 8), SiteTable,
                  Row + offsetof(arcline_site, cell)),
         ConstantInt::get(I32, Copies[Key.first].Number)}));
    for (CallInst *Marker : Markers)
      lowerIndirectMarker(Marker, at(SiteTable, Row), Cell,
                          [&](Instruction *User) { return cellsIn(User); });
  }
  fillTable(SiteTable, Rows);
}

/// The functions that are called only by functions that have loaded the bias
/// before, themselves or their callers.
static DenseSet<const Function *>
calledAfterBias(ArrayRef<std::unique_ptr<Body>> Bodies) {
  DenseSet<const Function *> Loading, Result;
  for (const auto &Body : Bodies) {
    if (Body->hasCells() && !Body->isSegmented() && !isCalledBeforeTls(Body->F))
      Loading.insert(&Body->F);
    if (Body->F.hasLocalLinkage() && !Body->F.hasAddressTaken())
      Result.insert(&Body->F);
  }
  auto IsAfter = [&](const Function &F) {
    return all_of(F.users(), [&](const User *U) {
      const auto *Call = dyn_cast<CallBase>(U);
      return Call && (Loading.contains(Call->getFunction()) ||
                      Result.contains(Call->getFunction()));
    });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &Body : Bodies)
      if (Result.contains(&Body->F) && !IsAfter(Body->F))
        Changed = Result.erase(&Body->F);
  }
  return Result;
}

void finishBodies(Module &M, const SourceFunctions &Sources,
                  FunctionAnalysisManager &FAM, bool IsMinimal,
                  function_ref<SmallVector<BlockEntry, 0>(Function &)> Place,
                  SmallVectorImpl<GlobalValue *> &Used) {
  std::vector<std::unique_ptr<Body>> Bodies;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    moveAfterBranches(F);
    keepMarks(F);
    Bodies.push_back(std::make_unique<Body>(F, Sources, Used));
    Bodies.back()->collect();
    Bodies.back()->plan(FAM, IsMinimal);
    Bodies.back()->assignCells();
  }
  const DenseSet<const Function *> After = calledAfterBias(Bodies);
  bool HasSegment = false;
  // First of all, since the rest hands out addresses, too.
  for (const auto &Body : Bodies)
    Body->testThread();
  for (const auto &Body : Bodies) {
    Body->rewrite(After.contains(&Body->F) ? BiasState::Set
                                           : stateAtEntry(Body->F));
    Body->emitSites();
    HasSegment |= Body->isSegmented() && Body->hasCells();
  }
  // Now that counting adds no more code, a function's first block is one that
  // can have an address.
  UnitSlots Slots;
  for (const auto &Body : Bodies)
    Body->encode(Place(Body->F), Slots);
  GlobalVariable *Unit =
      Slots.emit(M, emitRecords(M, Sources.records(), [&](uint64_t Id) {
                   return Slots.contains(Sources.byId(Id));
                 }));
  for (const auto &Body : Bodies)
    Body->emit(Unit);
  if (HasSegment)
    noteSegment(M, runtimeSymbol(M, ARCLINE_SYM_READY),
                runtimeSymbol(M, ARCLINE_SYM_THREADS));
}

} // namespace arcline
