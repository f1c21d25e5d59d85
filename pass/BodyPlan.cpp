// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flows from point to point. Code between points needs no counts. All
// code that is connected without passing a point is one node of the plan,
// through which flow is conserved. The edges are the points; those of a maximum
// spanning tree need no counter.

#include "BodyPlan.h"
#include "FlowGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace arcline {

namespace {

/// Places in the function: EXIT, and for each node of its flow graph one before
/// the first point, one between each two, and one after the last.
class Places {
public:
  Places(const FlowGraph &Graph, ArrayRef<Instruction *> Points);

  static constexpr unsigned Exit = 0;
  unsigned before(unsigned Point) const { return Before[Point]; }
  unsigned after(unsigned Point) const { return Before[Point] + 1; }

  /// A number for each set of places that are connected without a point.
  IntEqClasses connected(const FlowGraph &Graph) const;

private:
  std::vector<unsigned> Before;      // by point
  std::vector<unsigned> First, Last; // by node of the graph
};

} // namespace

Places::Places(const FlowGraph &Graph, ArrayRef<Instruction *> Points)
    : Before(Points.size()) {
  DenseMap<const Instruction *, SmallVector<unsigned, 1>> PointsAt;
  for (unsigned P = 0; P != Points.size(); ++P)
    PointsAt[Points[P]].push_back(P);
  unsigned Place = Exit;
  for (const FlowNode &Node : Graph.Nodes) {
    First.push_back(++Place);
    for (const Instruction *I = Node.First;; I = I->getNextNode()) {
      if (auto Found = PointsAt.find(I); Found != PointsAt.end())
        for (unsigned P : Found->second)
          Before[P] = Place++;
      if (I == Node.Last)
        break;
    }
    Last.push_back(Place);
  }
}

IntEqClasses Places::connected(const FlowGraph &Graph) const {
  IntEqClasses Result(Last.back() + 1);
  for (const FlowEdge &Edge : Graph.Edges)
    Result.join(Edge.From == Graph.exitNode() ? Exit : Last[Edge.From],
                Edge.To == Graph.exitNode() ? Exit : First[Edge.To]);
  return Result;
}

BodyPlan planBody(Function &F, ArrayRef<Instruction *> Points,
                  function_ref<const BlockFrequencyInfo &()> Frequencies) {
  const FlowGraph Graph(F);
  const Places At(Graph, Points);
  IntEqClasses Nodes = At.connected(Graph);

  BodyPlan Plan;
  DenseMap<unsigned, unsigned> Number;
  const unsigned ExitNode = Nodes.findLeader(Places::Exit);
  auto NumberOf = [&](unsigned Place) {
    const unsigned Leader = Nodes.findLeader(Place);
    if (Leader == ExitNode)
      return PlanEdge::Exit;
    return Number.try_emplace(Leader, Number.size()).first->second;
  };
  bool HasChoice = false;
  for (unsigned P = 0; P != Points.size(); ++P) {
    PlanEdge Edge{NumberOf(At.before(P)), NumberOf(At.after(P)), true};
    HasChoice |= !Edge.isAlone();
    Plan.Edges.push_back(Edge);
  }
  Plan.NumNodes = Number.size();
  if (!HasChoice)
    return Plan;

  const BlockFrequencyInfo &Blocks = Frequencies();
  std::vector<uint64_t> Weights;
  for (const Instruction *Point : Points)
    Weights.push_back(Blocks.getBlockFreq(Point->getParent()).getFrequency());
  std::vector<unsigned> Order(Points.size());
  std::iota(Order.begin(), Order.end(), 0u);
  // As in FlowGraph::chooseCounters(): count early.
  std::sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    return Weights[A] != Weights[B] ? Weights[A] > Weights[B] : A > B;
  });
  IntEqClasses Trees(Plan.NumNodes + 1);
  for (unsigned P : Order) {
    PlanEdge &Edge = Plan.Edges[P];
    const unsigned From = std::min(Edge.From, Plan.NumNodes);
    const unsigned To = std::min(Edge.To, Plan.NumNodes);
    if (Trees.findLeader(From) != Trees.findLeader(To)) {
      Trees.join(From, To);
      Edge.IsCounted = false;
    }
  }
  return Plan;
}

std::vector<SmallVector<unsigned, 4>>
equalInARow(ArrayRef<AtomicRMWInst *> Updates) {
  std::vector<SmallVector<unsigned, 4>> Groups;
  DenseMap<std::pair<const BasicBlock *, const Value *>, size_t> Latest;
  for (unsigned I = 0; I != Updates.size(); ++I) {
    const AtomicRMWInst *Update = Updates[I];
    if (Update) {
      auto [Known, IsNew] = Latest.try_emplace(
          {Update->getParent(), Update->getValOperand()}, Groups.size());
      if (!IsNew && isGuaranteedToTransferExecutionToSuccessor(
                        Updates[Groups[Known->second].back()]->getIterator(),
                        Update->getIterator())) {
        Groups[Known->second].push_back(I);
        continue;
      }
      Known->second = Groups.size();
    }
    Groups.push_back({I});
  }
  return Groups;
}

} // namespace arcline
