// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition value that needs a counter has a flag, a local variable. It is
// cleared where the decision begins, set when the condition has the value,
// cleared again if the condition is masked later, and added to the counter
// where the decision ends. The optimiser makes phis of the flags. The counts of
// all other condition values are those of edges.

#include "Counters.h"
#include "Decisions.h"
#include "FlowGraph.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace arcline {

namespace {

class DecisionCounter {
public:
  DecisionCounter(const FlowGraph &Graph, const Decision &D,
                  GlobalVariable *Counters, MDNode *AccessTag);

  void insert();

private:
  struct Flag {
    AllocaInst *Variable;
    CounterRef Counter;
  };

  void follow(unsigned P, unsigned Value);
  void set(Instruction *Place, const Flag &Flag, Value *To) const;
  Value *read(Instruction *Place, const Flag &Flag) const;
  Value *ifValue(Instruction *Place, unsigned P, unsigned Value, llvm::Value *A,
                 llvm::Value *B) const;
  Instruction *placeOf(unsigned P, unsigned Value) const;
  /// Call Do with the flag of each condition value in a set that has one.
  template <typename Callback>
  void forEachFlag(arcline_values Values, Callback Do) const;

  const FlowGraph &Graph;
  const Decision &D;
  MDNode *AccessTag;
  std::vector<arcline_condition> Conditions;
  arcline_end Ends[ARCLINE_MAX_CONDITIONS][2];
  arcline_values May[ARCLINE_MAX_CONDITIONS];
  std::vector<std::optional<Flag>> Flags; // 2 for each condition, by its value
  bool IsVolatile;
};

} // namespace

DecisionCounter::DecisionCounter(const FlowGraph &Graph, const Decision &D,
                                 GlobalVariable *Counters, MDNode *AccessTag)
    : Graph(Graph), D(D), AccessTag(AccessTag), Flags(2 * D.Conditions.size()),
      // setjmp() restores registers.
      IsVolatile(Graph.Func.callsFunctionThatReturnsTwice()) {
  for (const Condition &C : D.Conditions)
    Conditions.push_back(C.Targets);
  const unsigned N = unsigned(Conditions.size());
  arcline_find_ends(Conditions.data(), N, Ends, May);
  const arcline_values Counted = arcline_find_counted(Ends, N);
  IRBuilder<> Builder(&Graph.Func.getEntryBlock().front());
  unsigned Next = D.FirstCounter;
  for (unsigned I = 0; I != N; ++I)
    for (unsigned V = 0; V != 2; ++V)
      if (Counted.set[V] >> I & 1)
        Flags[2 * I + V] = {Builder.CreateAlloca(Builder.getInt64Ty()),
                            {Counters, Next++}};
}

template <typename Callback>
void DecisionCounter::forEachFlag(arcline_values Values, Callback Do) const {
  for (unsigned I = 0; I != Conditions.size(); ++I)
    for (unsigned V = 0; V != 2; ++V)
      if (Values.set[V] >> I & 1)
        if (const auto &Flag = Flags[2 * I + V])
          Do(*Flag);
}

void DecisionCounter::set(Instruction *Place, const Flag &Flag,
                          Value *To) const {
  IRBuilder<> Builder(Place);
  Builder.SetCurrentDebugLocation(Place->getDebugLoc());
  hideFromSanitizers(Builder.CreateStore(To, Flag.Variable, IsVolatile));
}

Value *DecisionCounter::read(Instruction *Place, const Flag &Flag) const {
  IRBuilder<> Builder(Place);
  Builder.SetCurrentDebugLocation(Place->getDebugLoc());
  return hideFromSanitizers(
      Builder.CreateLoad(Builder.getInt64Ty(), Flag.Variable, IsVolatile));
}

/// The place for code that runs when condition P has a value; before the branch
/// for either value if there is none.
Instruction *DecisionCounter::placeOf(unsigned P, unsigned Value) const {
  const FlowNode &Node = Graph.Nodes[D.Conditions[P].Node];
  if (Node.Condition)
    return Node.Place;
  const unsigned Successor = Value ? 0 : 1;
  BasicBlock *To = Node.Last->getSuccessor(Successor);
  if (To->getSinglePredecessor())
    return &*To->getFirstInsertionPt();
  CriticalEdgeSplittingOptions Split;
  Split.setMergeIdenticalEdges();
  BasicBlock *Middle = SplitCriticalEdge(Node.Last, Successor, Split);
  assert(Middle && "a branch of the source can be split");
  return Middle->getTerminator();
}

/// A if condition P has a value, else B; A where a branch has decided that.
Value *DecisionCounter::ifValue(Instruction *Place, unsigned P, unsigned Value,
                                llvm::Value *A, llvm::Value *B) const {
  llvm::Value *Tested = Graph.Nodes[D.Conditions[P].Node].Condition;
  if (!Tested)
    return A;
  IRBuilder<> Builder(Place);
  Builder.SetCurrentDebugLocation(Place->getDebugLoc());
  return Builder.CreateSelect(Tested, Value ? A : B, Value ? B : A);
}

void DecisionCounter::follow(unsigned P, unsigned Value) {
  const unsigned To = Conditions[P].to[Value];
  const bool IsEnd = To >= Conditions.size();
  const uint64_t Masked = arcline_masked(Conditions.data(), P, To);
  const arcline_values Cleared = {
      {Masked & May[P].set[0], Masked & May[P].set[1]}};
  const auto &Set = Flags[2 * P + Value];
  const arcline_values &Some = Ends[P][Value].some;
  Type *I64 = Type::getInt64Ty(Graph.Func.getContext());
  Instruction *Place = nullptr;
  const auto Here = [&] { return Place ? Place : Place = placeOf(P, Value); };
  const auto Change = [&](const Flag &F, bool IsSet) {
    llvm::Value *Wanted = ConstantInt::get(I64, IsSet);
    const bool HasBranch = !Graph.Nodes[D.Conditions[P].Node].Condition;
    set(Here(), F,
        HasBranch ? Wanted
                  : ifValue(Here(), P, Value, Wanted, read(Here(), F)));
  };
  if (!IsEnd && Set)
    Change(*Set, true);
  if (!IsEnd)
    forEachFlag(Cleared, [&](const Flag &F) { Change(F, false); });
  forEachFlag(Some, [&](const Flag &F) {
    addToCounter(
        Here(), F.Counter,
        ifValue(Here(), P, Value, read(Here(), F), ConstantInt::get(I64, 0)),
        AccessTag);
  });
}

void DecisionCounter::insert() {
  const FlowNode &First = Graph.Nodes[D.Conditions.front().Node];
  llvm::Value *Zero =
      ConstantInt::get(Type::getInt64Ty(Graph.Func.getContext()), 0);
  forEachFlag({{~0ULL, ~0ULL}},
              [&](const Flag &F) { set(First.Last, F, Zero); });
  for (unsigned P = 0; P != Conditions.size(); ++P)
    for (unsigned V = 0; V != 2; ++V)
      follow(P, V);
}

void countDecisions(const FlowGraph &Graph, GlobalVariable *Counters,
                    MDNode *AccessTag) {
  for (const Decision &D : *Graph.Decisions)
    if (D.IsCounted && D.NumCounters)
      DecisionCounter(Graph, D, Counters, AccessTag).insert();
}

} // namespace arcline
