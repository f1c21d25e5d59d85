// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that the optimiser will remove are predicted from the code of the
// front end, with variables in memory. A wrong prediction costs little: the
// counter is moved back after its branch.

#include "IfConversion.h"
#include "Compat.h"
#include "Counters.h"
#include "FlowGraph.h"
#include "Markers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <optional>
#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace arcline {

namespace {

/// The cost of running a block unconditionally.
struct Effort {
  unsigned Operations = 0;
  unsigned Loads = 0; // of values that may be the same as before
};

} // namespace

static bool isVariable(const Value *Pointer) {
  const auto *Variable = dyn_cast<AllocaInst>(Pointer);
  return Variable && isAllocaPromotable(Variable);
}

/// May the block be executed speculatively?
static std::optional<Effort> effortOf(const BasicBlock &Block) {
  Effort Result;
  for (const Instruction &I : Block) {
    if (I.isTerminator() || isMarker(I) || isa<PHINode>(I))
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!Load->isSimple())
        return std::nullopt;
      Result.Loads += !isVariable(Load->getPointerOperand());
    } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
      if (!Store->isSimple() || !isVariable(Store->getPointerOperand()))
        return std::nullopt;
    } else if (I.getType()->isFPOrFPVectorTy() || I.mayReadOrWriteMemory() ||
               isa<CallBase>(I) || !isSafeToSpeculativelyExecute(&I)) {
      return std::nullopt;
    } else {
      ++Result.Operations;
    }
  }
  return Result;
}

/// Are the two the same operation, perhaps of different values?
static bool isSameOperation(const Instruction &One, const Instruction &Other) {
  if (One.isSameOperationAs(&Other))
    return true;
  // Subtracting a constant is adding another one.
  const auto AddsConstant = [](const Instruction &I) {
    return match(&I, m_CombineOr(m_c_Add(m_Value(), m_ImmConstant()),
                                 m_Sub(m_Value(), m_ImmConstant()))) ||
           match(&I, m_CombineOr(m_c_FAdd(m_Value(), m_ImmConstant()),
                                 m_FSub(m_Value(), m_ImmConstant())));
  };
  return One.getType() == Other.getType() && AddsConstant(One) &&
         AddsConstant(Other);
}

/// The computations of a block, if it accesses only variables.
static std::optional<SmallVector<const Instruction *, 8>>
computationOf(const BasicBlock &Block) {
  SmallVector<const Instruction *, 8> Result;
  for (const Instruction &I : Block) {
    if (I.isTerminator() || isMarker(I))
      continue;
    const auto *Load = dyn_cast<LoadInst>(&I);
    const auto *Store = dyn_cast<StoreInst>(&I);
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (Pointer
            ? !isVariable(Pointer) ||
                  (Load ? !Load->isSimple() : !Store->isSimple())
            : I.mayReadOrWriteMemory() || isa<CallBase>(I) || isa<PHINode>(I))
      return std::nullopt;
    Result.push_back(&I);
  }
  return Result;
}

/// Do two blocks do the same computation with one different value, like `x -
/// 0.5` and `x + 0.5`? Then the optimiser moves it after them.
static bool areAlike(const BasicBlock &One, const BasicBlock &Other) {
  const auto Ones = computationOf(One), Others = computationOf(Other);
  if (!Ones || !Others || Ones->empty() || Ones->size() != Others->size())
    return false;
  SmallDenseMap<const Value *, const Value *, 8> Counterpart;
  unsigned NumChoices = 0;
  for (auto [A, B] : zip(*Ones, *Others)) {
    if (!isSameOperation(*A, *B))
      return false;
    Counterpart[A] = B;
    for (auto [X, Y] : zip(A->operands(), B->operands())) {
      if (X.get() == Y.get() || Counterpart.lookup(X.get()) == Y.get())
        continue;
      // A variable or constant that replaces another one.
      if (isa<StoreInst>(A) || isa<Instruction>(X) != isa<Instruction>(Y) ||
          (isa<Instruction>(X) && !isVariable(X)))
        return false;
      ++NumChoices;
    }
  }
  return NumChoices <= 1;
}

/// The condition of a two-way branch without an expected outcome; else null.
static Value *openCondition(const Instruction *Terminator) {
  const auto *Branch = asConditional(*Terminator);
  if (!Branch || Branch->hasMetadata(LLVMContext::MD_prof) ||
      isa<Constant>(Branch->getCondition()) ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  return Branch->getCondition();
}

/// The block after Arm, if Arm is one of two successors of From that may become
/// a choice of values.
static const BasicBlock *joinAfter(const BasicBlock &Arm,
                                   const BasicBlock &From) {
  const BasicBlock *Join = Arm.getSingleSuccessor();
  return Arm.getSinglePredecessor() == &From && Join != &From ? Join : nullptr;
}

namespace {

/// A branch, with its arms.
struct Fork {
  const BasicBlock *From;
  const BasicBlock *To[2];
};

} // namespace

namespace {

/// The values for which a branch goes to one of its successors.
struct Choice {
  const Value *Of; // a variable, or a value
  ConstantRange Values;
};

} // namespace

/// The values for which Condition is true, if it compares with a constant.
static std::optional<Choice> comparisonOf(const Value *Condition) {
  const auto *Comparison = dyn_cast_or_null<ICmpInst>(Condition);
  if (!Comparison)
    return std::nullopt;
  CmpInst::Predicate Predicate = Comparison->getPredicate();
  const Value *Of = Comparison->getOperand(0);
  const Value *Bound = Comparison->getOperand(1);
  if (isa<ConstantInt>(Of)) {
    std::swap(Of, Bound);
    Predicate = CmpInst::getSwappedPredicate(Predicate);
  }
  if (!isa<ConstantInt>(Bound))
    return std::nullopt;
  return Choice{Of, ConstantRange::makeExactICmpRegion(
                        Predicate, cast<ConstantInt>(Bound)->getValue())};
}

/// The values of a variable of the source for which Condition is Wanted.
static std::optional<Choice> choiceOf(const Value *Condition, bool Wanted) {
  auto Result = comparisonOf(Condition);
  if (!Result)
    return std::nullopt;
  if (!Wanted)
    Result->Values = Result->Values.inverse();
  while (const auto *Cast = dyn_cast<CastInst>(Result->Of))
    Result->Of = Cast->getOperand(0);
  if (const auto *Load = dyn_cast<LoadInst>(Result->Of))
    if (isVariable(Load->getPointerOperand()))
      Result->Of = Load->getPointerOperand();
  return Result;
}

/// The condition for going from Block to Way, if it is a comparison with a
/// constant.
static std::optional<Choice> choiceOf(const BasicBlock &Block,
                                      const BasicBlock &Way) {
  const Instruction *Branch = Block.getTerminator();
  return choiceOf(openCondition(Branch), Branch->getSuccessor(0) == &Way);
}

/// Does one comparison suffice for two of the same value?
static bool isOneRange(const std::optional<Choice> &One,
                       const std::optional<Choice> &Other) {
  return One && Other && One->Of == Other->Of &&
         One->Values.getBitWidth() == Other->Values.getBitWidth() &&
         One->Values.exactIntersectWith(Other->Values);
}

/// The second condition of `a && b`, if Arm computes that; otherwise null.
static const Value *secondCondition(const BasicBlock &From,
                                    const BasicBlock &Arm) {
  for (const PHINode &Phi : Arm.getSingleSuccessor()->phis())
    if (Phi.getType()->isIntegerTy(1) &&
        isa<Constant>(Phi.getIncomingValueForBlock(&From)))
      return Phi.getIncomingValueForBlock(&Arm);
  return nullptr;
}

/// Is it a choice of values, like `a < b ? a : b` or `if (c) n++`, or of
/// operands? Then Arms gets the blocks that would disappear.
static bool isChoice(const Fork &Fork,
                     SmallVectorImpl<const BasicBlock *> &Arms) {
  // Limits of SimplifyCFG: it converts more if no other block leads to the
  // join.
  constexpr unsigned MaxOperations = 3, MaxBesideOthers = 1;
  const BasicBlock *First = joinAfter(*Fork.To[0], *Fork.From);
  const BasicBlock *Second = joinAfter(*Fork.To[1], *Fork.From);
  const BasicBlock *Join;
  if (First && First == Second) {
    Arms.append({Fork.To[0], Fork.To[1]});
    Join = First;
    if (!Join->hasNPredecessors(2))
      return false;
    if (areAlike(*Fork.To[0], *Fork.To[1]))
      return true;
  } else if (First == Fork.To[1]) {
    Arms.push_back(Fork.To[0]);
    Join = First;
  } else if (Second == Fork.To[0]) {
    Arms.push_back(Fork.To[1]);
    Join = Second;
  } else {
    return false;
  }
  // Of two conditions, each gets a branch, unless they are one range.
  if (Arms.size() == 1)
    if (const Value *Condition = secondCondition(*Fork.From, *Arms[0])) {
      const bool IsAnd = Fork.To[0] == Arms[0];
      return isOneRange(choiceOf(*Fork.From, *Arms[0]),
                        choiceOf(Condition, IsAnd));
    }
  unsigned Operations = 0;
  for (const BasicBlock *Arm : Arms) {
    const auto Effort = effortOf(*Arm);
    if (!Effort || Effort->Loads)
      return false;
    Operations += Effort->Operations;
  }
  return Operations <=
         (Join->hasNPredecessors(2) ? MaxOperations : MaxBesideOthers);
}

/// Do two comparisons of a value with constants have one outcome in common, so
/// that one comparison suffices, like `'0' <= c && c <= '9'`? Returns the block
/// of the second one, or null. Others stay two: one comparison saves only a
/// jump, and a counter before it costs three instructions instead of one.
static const BasicBlock *secondCompare(const Fork &Fork) {
  constexpr unsigned MaxOperations = 4;
  for (unsigned S = 0; S != 2; ++S) {
    const BasicBlock *Second = Fork.To[S], *Common = Fork.To[1 - S];
    if (Second->getSinglePredecessor() != Fork.From ||
        !openCondition(Second->getTerminator()) ||
        !is_contained(successors(Second), Common) ||
        is_contained(successors(Second), Fork.From))
      continue;
    const auto Effort = effortOf(*Second);
    if (!Effort || Effort->Operations > MaxOperations || Effort->Loads)
      continue;
    const Instruction *Last = Second->getTerminator();
    const auto One = choiceOf(*Fork.From, *Second);
    const auto Other =
        choiceOf(*Second, *Last->getSuccessor(Last->getSuccessor(0) == Common));
    if (isOneRange(One, Other))
      return Second;
  }
  return nullptr;
}

static bool isWayOfBranch(const FlowEdge &Edge) {
  return Edge.Kind == ARCLINE_EDGE_BRANCH || Edge.Kind == ARCLINE_EDGE_JUMP;
}

void findIfConversions(FlowGraph &Graph) {
  DenseMap<const BasicBlock *, SmallVector<FlowEdge *, 2>> After;
  // Blocks that get an update of their own, which keeps them.
  DenseSet<const BasicBlock *> Counted;
  for (const FlowNode &Node : Graph.Nodes)
    if (Node.Condition)
      Counted.insert(Node.Block);
  for (FlowEdge &Edge : Graph.Edges)
    if (Edge.From != Graph.exitNode()) {
      const FlowNode &From = Graph.Nodes[Edge.From];
      if (From.Last->isTerminator() && !From.Condition)
        After[From.Block].push_back(&Edge);
    }
  for (const FlowNode &Node : Graph.Nodes) {
    // A second compare has no place for an update itself.
    if (!openCondition(Node.Last) || Node.IsSecondCompare || Node.Condition ||
        Node.IsOutcome)
      continue;
    const auto &Edges = After[Node.Block];
    // Entries that cannot be distinguished have no edge.
    if (Edges.size() != 2 || !isWayOfBranch(*Edges[0]) ||
        !isWayOfBranch(*Edges[1]))
      continue;
    const Fork Fork = {
        Node.Block,
        {Graph.Nodes[Edges[0]->To].Block, Graph.Nodes[Edges[1]->To].Block}};
    SmallVector<const BasicBlock *, 2> Arms;
    if (isChoice(Fork, Arms)) {
      if (any_of(Arms,
                 [&](const BasicBlock *B) { return Counted.contains(B); }))
        continue;
      for (const BasicBlock *Arm : Arms)
        for (FlowEdge *Edge : After[Arm])
          Edge->IsKept = true;
    } else if (const BasicBlock *Second = secondCompare(Fork)) {
      if (Counted.contains(Second))
        continue;
      Graph.Nodes[Edges[Fork.To[1] == Second]->To].IsSecondCompare = true;
      const BasicBlock *Common = Fork.To[Fork.To[0] == Second];
      for (FlowEdge *Edge : After[Second])
        Edge->IsKept |= Graph.Nodes[Edge->To].Block == Common;
    } else {
      continue;
    }
    for (FlowEdge *Edge : Edges)
      Edge->IsAhead = true;
    // If either edge can be counted, takenAhead() needs this one.
    if (isa<FCmpInst>(openCondition(Node.Last)))
      Edges[Edges[0]->Successor == 0 ? 0 : 1]->IsKept = true;
  }
}

Value *takenAhead(const FlowEdge &Edge, Value *Condition, Instruction *Place) {
  IRBuilder<> Builder(Place);
  if (Edge.Successor != 0) {
    const auto *Tested = dyn_cast<FCmpInst>(Condition);
    // Not the same comparison: x86 selects floating-point values without a
    // branch only if the condition has no other use.
    Condition = Tested ? Builder.CreateFCmp(Tested->getInversePredicate(),
                                            Tested->getOperand(0),
                                            Tested->getOperand(1))
                       : Builder.CreateNot(Condition);
  }
  return Builder.CreateZExt(Condition, Builder.getInt64Ty());
}

bool isAmountOnly(const Instruction &I) {
  const bool IsPart =
      isa<ZExtInst>(I) || isa<FCmpInst>(I) || match(&I, m_Not(m_Value()));
  return IsPart && !I.use_empty() && all_of(I.users(), [](const User *U) {
           const auto *Other = cast<Instruction>(U);
           return isCounterUpdate(*Other) || isAmountOnly(*Other);
         });
}

/// The number of the successor of Branch that is taken if Condition is true.
static std::optional<unsigned> successorFor(Value *Condition,
                                            const ConditionalBranch &Branch) {
  Value *Tested = Branch.getCondition();
  if (Condition == Tested)
    return 0;
  if (match(Condition, m_Not(m_Specific(Tested))) ||
      match(Tested, m_Not(m_Specific(Condition))))
    return 1;
  const auto *One = dyn_cast<CmpInst>(Condition);
  const auto *Other = dyn_cast<CmpInst>(Tested);
  if (One && Other && One->getOperand(0) == Other->getOperand(0) &&
      One->getOperand(1) == Other->getOperand(1)) {
    if (One->getPredicate() == Other->getPredicate())
      return 0;
    if (One->getPredicate() == Other->getInversePredicate())
      return 1;
  }
  return std::nullopt;
}

/// As comparisonOf(), perhaps after something has been added.
static std::optional<Choice> rangeOf(const Value *Condition) {
  const auto Result = comparisonOf(Condition);
  const Value *Less;
  const APInt *Added;
  if (Result && match(Result->Of, m_Add(m_Value(Less), m_APInt(Added))))
    return Choice{Less, Result->Values.subtract(*Added)};
  return Result;
}

/// The same for the value Of, if the choice is of that value, perhaps extended.
static std::optional<ConstantRange> valuesOf(const Value *Of,
                                             const Choice &Choice) {
  if (Choice.Of == Of)
    return Choice.Values;
  const unsigned Narrow = Of->getType()->getScalarSizeInBits();
  const unsigned Wide = Choice.Values.getBitWidth();
  const ConstantRange All = ConstantRange::getFull(Narrow);
  // A range with more values than exist does no harm: the outcome is the same
  // for all of them.
  if (match(Choice.Of, m_SExt(m_Specific(Of))))
    return Choice.Values.intersectWith(All.signExtend(Wide)).truncate(Narrow);
  if (match(Choice.Of, m_ZExt(m_Specific(Of))))
    return Choice.Values.intersectWith(All.zeroExtend(Wide)).truncate(Narrow);
  return std::nullopt;
}

/// The value of Condition after Branch, on the edge to a successor, if it
/// follows: both compare the same value, and one range serves two compares of
/// the source.
static std::optional<bool> isTrueAfter(const ConditionalBranch &Branch,
                                       unsigned Successor, Value *Condition) {
  if (const auto Same = successorFor(Condition, Branch))
    return *Same == Successor;
  Value *Inverse;
  const bool IsInverted = match(Condition, m_Not(m_Value(Inverse)));
  auto Tested = rangeOf(Branch.getCondition());
  const auto Wanted = rangeOf(IsInverted ? Inverse : Condition);
  if (!Tested || !Wanted)
    return std::nullopt;
  if (Successor == 1)
    Tested->Values = Tested->Values.inverse();
  const auto Values = valuesOf(Wanted->Of, *Tested);
  if (!Values)
    return std::nullopt;
  if (Wanted->Values.contains(*Values))
    return !IsInverted;
  if (Wanted->Values.inverse().contains(*Values))
    return IsInverted;
  return std::nullopt;
}

/// The place to count an edge of Branch, or null.
static Instruction *after(ConditionalBranch &Branch, unsigned Successor) {
  BasicBlock *To = Branch.getSuccessor(Successor);
  if (To->getSinglePredecessor()) {
    const auto Place = To->getFirstInsertionPt();
    return Place == To->end() ? nullptr : &*Place;
  }
  BasicBlock *Middle = SplitCriticalEdge(&Branch, Successor);
  return Middle ? Middle->getTerminator() : nullptr;
}

/// Updates before a branch, without calls in between that may not return.
static SmallVector<AtomicRMWInst *, 2>
updatesBefore(ConditionalBranch &Branch) {
  SmallVector<AtomicRMWInst *, 2> Result;
  for (Instruction *I = Branch.getPrevNode();
       I && isGuaranteedToTransferExecutionToSuccessor(I); I = I->getPrevNode())
    if (isCounterUpdate(*I))
      Result.push_back(cast<AtomicRMWInst>(I));
  return Result;
}

/// A copy of V at Place, with all comparisons and conversions that it needs, so
/// that only control that gets there computes it.
static Value *computeAt(Instruction *Place, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I ||
      !(isa<ZExtInst>(I) || isa<ICmpInst>(I) || match(I, m_Not(m_Value()))))
    return V;
  Instruction *Again = I->clone();
  IRBuilder<> Builder(Place);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Builder.Insert(Again);
  if (!isa<ICmpInst>(I))
    for (Use &Operand : Again->operands())
      Operand.set(computeAt(Again, Operand.get()));
  return Again;
}

/// Replace Update, which counts Condition before Branch, by counters on those
/// edges after it that need one. Returns false if that would save nothing.
static bool moveAfter(ConditionalBranch &Branch, const CounterUpdate &Update,
                      Value *Condition) {
  std::optional<bool> IsTrue[2];
  for (unsigned S = 0; S != 2; ++S)
    IsTrue[S] = isTrueAfter(Branch, S, Condition);
  if (!IsTrue[0] && !IsTrue[1])
    return false;
  Instruction *Places[2] = {};
  for (unsigned S = 0; S != 2; ++S)
    if (IsTrue[S].value_or(true) && !(Places[S] = after(Branch, S)))
      return false;
  Constant *One = ConstantInt::get(Update.Amount->getType(), 1);
  for (unsigned S = 0; S != 2; ++S)
    if (Places[S])
      addToCounter(Places[S], Update.Counter,
                   IsTrue[S] ? One : computeAt(Places[S], Update.Amount),
                   Update.Instruction->getMetadata(LLVMContext::MD_tbaa));
  return true;
}

void moveAfterBranches(Function &F) {
  const DataLayout &Layout = F.getParent()->getDataLayout();
  SmallVector<ConditionalBranch *, 0> Branches;
  for (BasicBlock &Block : F)
    if (auto *Branch = asConditional(*Block.getTerminator()))
      if (openCondition(Branch))
        Branches.push_back(Branch);
  for (ConditionalBranch *Branch : Branches)
    for (AtomicRMWInst *Before : updatesBefore(*Branch)) {
      const auto Update = counterUpdate(*Before, Layout);
      Value *Condition;
      if (!Update || !match(Update->Amount, m_ZExt(m_Value(Condition))) ||
          !moveAfter(*Branch, *Update, Condition))
        continue;
      auto *Amount = cast<Instruction>(Update->Amount);
      Before->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructions(Amount);
    }
}

} // namespace arcline
