// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang begins the right side of && or || in a block of its own, which its name
// identifies (an operand). The left side leads there, and for the other value
// to the place where the right side may lead, too. No other branch of the
// function leads to either place. So conditions belong to one decision if they
// share such a place; block order is the order of evaluation.
//
//   if ((a || b) && c)       entry:          br a, land.lhs.true, lor.lhs.false
//                            lor.lhs.false:  br b, land.lhs.true, if.end
//                            land.lhs.true:  br c, if.then, if.end
//
// If the outcome is a value, the place is its phi instead of a block, or that
// of the && or || that the value is passed to.

#include "Decisions.h"
#include "Compat.h"
#include "FlowGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace arcline {

namespace {

/// The place to which a condition leads by one of its values.
struct Landing {
  const void *Place = nullptr;        // a block, a phi, or a node
  int Value = -1;                     // of the phi, if it is one
  const BasicBlock *Block = nullptr;  // if it is one
  const BasicBlock *Before = nullptr; // from where control comes there

  bool isAt(const Landing &Other) const {
    return Place == Other.Place && Value == Other.Value;
  }
};

/// A node with two ways, in the order of nodes.
struct Candidate {
  unsigned Node;
  unsigned Choice;
  Landing By[2]; // by value
};

class DecisionFinder {
public:
  explicit DecisionFinder(const FlowGraph &Graph);

  std::vector<Decision> find();

private:
  void addCandidate(unsigned N, unsigned Choice);
  Landing landing(const FlowEdge &Way) const;
  Landing follow(const BasicBlock *From, unsigned To) const;
  Landing followPhi(const PHINode *Phi, bool Outcome,
                    const BasicBlock *From) const;
  const Candidate *lastOfSecondOperand(const BasicBlock &Third) const;
  void findOperands();
  void link();
  Decision decisionOf(ArrayRef<const Candidate *> Members) const;
  bool resolve(ArrayRef<const Candidate *> Members, Decision &Result) const;
  bool isEnteredByMembers(const BasicBlock &Operand,
                          ArrayRef<const Candidate *> Members) const;
  std::optional<Landing> withoutOperand(const Landing &At) const;
  bool lacksCondition(const Candidate &Only) const;

  const FlowGraph &Graph;
  std::vector<SmallVector<const FlowEdge *, 2>> Out; // by node
  DenseMap<const BasicBlock *, unsigned> FirstNode;
  std::vector<Candidate> Candidates;
  DenseMap<const BasicBlock *, unsigned> ByBlock; // whose branch is one
  DenseSet<const BasicBlock *> Operands;          // in which one begins
  IntEqClasses Sets;                              // of candidates
};

} // namespace

/// The name of a block without the number that makes it unique.
static StringRef kindOf(const BasicBlock &Block) {
  return Block.getName().rtrim("0123456789");
}

static bool beginsRightSide(const BasicBlock &Block) {
  const StringRef Kind = kindOf(Block);
  return Kind == "land.lhs.true" || Kind == "lor.lhs.false" ||
         Kind == "land.rhs" || Kind == "lor.rhs";
}

DecisionFinder::DecisionFinder(const FlowGraph &Graph)
    : Graph(Graph), Out(Graph.exitNode() + 1) {
  for (const FlowEdge &Edge : Graph.Edges)
    Out[Edge.From].push_back(&Edge);
  for (unsigned N = 0; N != Graph.exitNode(); ++N)
    FirstNode.try_emplace(Graph.Nodes[N].Block, N);
  unsigned Choice = 0;
  for (unsigned N = 0; N != Graph.exitNode(); ++N)
    if (Graph.hasChoice(N))
      addCandidate(N, Choice++);
  findOperands();
}

void DecisionFinder::addCandidate(unsigned N, unsigned Choice) {
  const FlowNode &Node = Graph.Nodes[N];
  SmallVector<const FlowEdge *, 2> Ways;
  for (const FlowEdge *Edge : Out[N])
    if (Edge->Kind == ARCLINE_EDGE_BRANCH)
      Ways.push_back(Edge);
  if (Ways.size() != 2 || (!Node.Condition && !isBranch(*Node.Last)))
    return;
  if (!Node.Condition)
    ByBlock[Node.Block] = unsigned(Candidates.size());
  Candidates.push_back({N, Choice, {landing(*Ways[1]), landing(*Ways[0])}});
}

/// The phi of && or || of which From is the end of the right side, or whose
/// outcome a branch in From determines.
static const PHINode *logicalPhi(const BasicBlock &Block,
                                 const BasicBlock *From) {
  for (const PHINode &Phi : Block.phis())
    if (isLogical(&Phi) && Phi.getBasicBlockIndex(From) >= 0)
      return &Phi;
  return nullptr;
}

Landing DecisionFinder::landing(const FlowEdge &Way) const {
  const FlowNode &From = Graph.Nodes[Way.From];
  const unsigned After = Way.From + 1;
  if (!From.Condition || After != Way.To ||
      !Graph.Nodes[After].IsAfterCondition)
    return follow(From.Block, Way.To);
  const bool IsTrue = Way.Successor == 0;
  const BasicBlock *Next = From.Block->getSingleSuccessor();
  if (From.Place->isTerminator() && Next)
    if (const PHINode *Phi = logicalPhi(*Next, From.Block))
      if (Phi->getIncomingValueForBlock(From.Block) == From.Condition)
        return followPhi(Phi, IsTrue, From.Block);
  return {&From, IsTrue, nullptr, From.Block};
}

/// The place after an outcome that is a value.
Landing DecisionFinder::followPhi(const PHINode *Phi, bool Outcome,
                                  const BasicBlock *From) const {
  for (;;) {
    const BasicBlock *Block = Phi->getParent();
    const BasicBlock *Next = Block->getSingleSuccessor();
    const PHINode *Outer = Next ? logicalPhi(*Next, Block) : nullptr;
    const Value *Passed =
        Outer ? Outer->getIncomingValueForBlock(Block) : nullptr;
    if (!Passed || withoutNot(Passed) != Phi)
      break;
    Outcome ^= isOpposite(Passed);
    Phi = Outer;
  }
  const unsigned Joint = FirstNode.lookup(Phi->getParent());
  if (Graph.Nodes[Joint].IsOutcome)
    return follow(From, Joint + !Outcome);
  return {Phi, Outcome, nullptr, From};
}

Landing DecisionFinder::follow(const BasicBlock *From, unsigned To) const {
  while (To != Graph.exitNode() && Graph.Nodes[To].IsOutcome &&
         Out[To].size() == 1) {
    From = Graph.Nodes[To].Block;
    To = Out[To].front()->To;
  }
  if (To == Graph.exitNode())
    return {&Graph, -1, nullptr, From};
  const FlowNode &Node = Graph.Nodes[To];
  if (Node.IsOutcome)
    return {&Node, -1, nullptr, From};
  if (const PHINode *Phi = logicalPhi(*Node.Block, From))
    if (const auto *Known =
            dyn_cast<ConstantInt>(Phi->getIncomingValueForBlock(From)))
      return followPhi(Phi, Known->isOne(), From);
  return {Node.Block, -1, Node.Block, From};
}

/// The last condition of `b` in `a ? b : c`, if its branch leads to the outcome
/// of the decision; `c` begins in a block. Null if the choice is of values.
const Candidate *
DecisionFinder::lastOfSecondOperand(const BasicBlock &Third) const {
  if (kindOf(Third) != "cond.false")
    return nullptr;
  const auto Found = ByBlock.find(Third.getPrevNode());
  return Found == ByBlock.end() ? nullptr : &Candidates[Found->second];
}

/// Find the blocks in which an operand of a decision begins.
void DecisionFinder::findOperands() {
  for (const Candidate &C : Candidates)
    for (unsigned V = 0; V != 2; ++V) {
      const BasicBlock *Block = C.By[V].Block;
      if (!Block)
        continue;
      if (beginsRightSide(*Block))
        Operands.insert(Block);
      if (!lastOfSecondOperand(*Block))
        continue;
      Operands.insert(Block);
      const BasicBlock *Other = C.By[!V].Block;
      if (Other && kindOf(*Other) == "cond.true")
        Operands.insert(Other);
    }
}

/// Put the candidates that belong together into one set.
void DecisionFinder::link() {
  DenseSet<const void *> Shared;
  DenseMap<const void *, unsigned> Found;
  const auto Share = [&](const Candidate &C) {
    for (const Landing &At : C.By)
      Shared.insert(At.Place);
  };
  Sets.grow(unsigned(Candidates.size()));
  for (const Candidate &C : Candidates)
    for (const Landing &At : C.By) {
      if (!Operands.contains(At.Block))
        continue;
      Share(C);
      if (const Candidate *Second = lastOfSecondOperand(*At.Block)) {
        Share(*Second);
        Sets.join(unsigned(&C - Candidates.data()),
                  unsigned(Second - Candidates.data()));
      }
    }
  for (unsigned I = 0; I != Candidates.size(); ++I)
    for (const Landing &At : Candidates[I].By)
      if (Shared.contains(At.Place))
        Sets.join(I, Found.try_emplace(At.Place, I).first->second);
}

/// Does control come to an operand only from conditions of its decision?
bool DecisionFinder::isEnteredByMembers(
    const BasicBlock &Operand, ArrayRef<const Candidate *> Members) const {
  return all_of(predecessors(&Operand), [&](const BasicBlock *From) {
    return any_of(Members, [&](const Candidate *C) {
      return any_of(C->By, [&](const Landing &At) {
        return At.Block == &Operand && At.Before == From;
      });
    });
  });
}

/// The place after an operand that is a constant: of `a && 1`, a value or a
/// branch by a constant.
std::optional<Landing> DecisionFinder::withoutOperand(const Landing &At) const {
  const auto *Branch = asConditional(*At.Block->getTerminator());
  if (Branch) {
    const auto *Known = dyn_cast<ConstantInt>(Branch->getCondition());
    if (!Known)
      return std::nullopt;
    return follow(At.Block,
                  FirstNode.lookup(Branch->getSuccessor(Known->isZero())));
  }
  const BasicBlock *Next = At.Block->getSingleSuccessor();
  const PHINode *Phi = Next ? logicalPhi(*Next, At.Block) : nullptr;
  const auto *Known =
      Phi ? dyn_cast<ConstantInt>(Phi->getIncomingValueForBlock(At.Block))
          : nullptr;
  if (!Known)
    return std::nullopt;
  return followPhi(Phi, Known->isOne(), At.Block);
}

/// Find the targets of all conditions. Returns false if the structure is none
/// that arcline/decisions.h is right for.
bool DecisionFinder::resolve(ArrayRef<const Candidate *> Members,
                             Decision &Result) const {
  SmallVector<Landing, 2> Outcomes;
  std::vector<bool> IsTarget(Members.size());
  for (unsigned I = 0; I != Members.size(); ++I)
    for (unsigned V = 0; V != 2; ++V) {
      Landing At = Members[I]->By[V];
      uint8_t &To = Result.Conditions[I].Targets.to[V];
      if (Operands.contains(At.Block)) {
        const unsigned First = FirstNode.lookup(At.Block);
        const auto *Next = find_if(
            Members, [&](const Candidate *C) { return C->Node >= First; });
        const auto Value = withoutOperand(At);
        if (!Value) {
          const size_t Number = size_t(Next - Members.begin());
          if (Number <= I || Number == Members.size() ||
              !isEnteredByMembers(*At.Block, Members))
            return false;
          To = uint8_t(Number);
          IsTarget[Number] = true;
          continue;
        }
        At = *Value;
      }
      const auto *Same =
          find_if(Outcomes, [&](const Landing &O) { return O.isAt(At); });
      const size_t Number = size_t(Same - Outcomes.begin());
      if (Number == Outcomes.size())
        Outcomes.push_back(At);
      To = uint8_t(ARCLINE_OUTCOME_0 + Number);
    }
  return Outcomes.size() == 2 &&
         std::count(IsTarget.begin(), IsTarget.end(), false) == 1;
}

/// Is a single condition the left side of && or || whose right side has no
/// counted condition, though it is no constant?
bool DecisionFinder::lacksCondition(const Candidate &Only) const {
  return any_of(Only.By, [&](const Landing &At) {
    return At.Block && beginsRightSide(*At.Block) && !withoutOperand(At);
  });
}

Decision DecisionFinder::decisionOf(ArrayRef<const Candidate *> Members) const {
  Decision Result;
  for (const Candidate *C : Members) {
    const FlowNode &Node = Graph.Nodes[C->Node];
    const Value *Tested = Node.Condition
                              ? Node.Condition
                              : asConditional(*Node.Last)->getCondition();
    Result.Conditions.push_back(
        {C->Node, C->Choice, isOpposite(Tested), {{0, 0}}});
  }
  Result.Size = Members.size();
  if (Members.size() == 1) {
    Result.Conditions.front().Targets = {
        {ARCLINE_OUTCOME_0, ARCLINE_OUTCOME_1}};
    Result.IsCounted = !lacksCondition(*Members.front());
    Result.Size += !Result.IsCounted;
  } else {
    Result.IsCounted =
        Members.size() <= ARCLINE_MAX_CONDITIONS && resolve(Members, Result);
  }
  return Result;
}

std::vector<Decision> DecisionFinder::find() {
  link();
  std::vector<SmallVector<const Candidate *, 4>> Members(Candidates.size());
  for (unsigned I = 0; I != Candidates.size(); ++I)
    Members[Sets.findLeader(I)].push_back(&Candidates[I]);
  std::vector<Decision> Result;
  for (const auto &OfOne : Members)
    if (!OfOne.empty())
      Result.push_back(decisionOf(OfOne));
  return Result;
}

void findDecisions(FlowGraph &Graph) {
  Graph.Decisions = DecisionFinder(Graph).find();
  for (Decision &D : *Graph.Decisions) {
    if (!D.IsCounted)
      continue;
    std::vector<arcline_condition> Conditions;
    for (const Condition &C : D.Conditions)
      Conditions.push_back(C.Targets);
    arcline_end Ends[ARCLINE_MAX_CONDITIONS][2];
    arcline_values May[ARCLINE_MAX_CONDITIONS];
    const unsigned N = unsigned(Conditions.size());
    arcline_find_ends(Conditions.data(), N, Ends, May);
    const arcline_values Counted = arcline_find_counted(Ends, N);
    D.FirstCounter = Graph.NumCounters;
    D.NumCounters =
        unsigned(popcount(Counted.set[0]) + popcount(Counted.set[1]));
    Graph.NumCounters += D.NumCounters;
  }
}

} // namespace arcline
